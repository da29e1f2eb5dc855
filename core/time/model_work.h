// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/units.h"
#include "core/plan/plan.h"
#include "core/plan/tables.h"

/// What a model is and what it computes, however it is divided over cards.
namespace cardfit {

struct ParameterCount {
    std::int64_t total = 0;
    std::int64_t active = 0; ///< used by one token; below total for mixtures of experts
    std::int64_t trainable = 0; ///< below total for adapters; 0 for inference

    bool operator==(const ParameterCount&) const = default;
};

/// Forward pass of one token through some operators.
struct ForwardWork {
    Flops products;
    Flops visible; ///< attention within its causal mask and window
    Flops whole; ///< attention over the whole sequence
    Flops again; ///< rerun by selective recomputation, attention within its causal mask and window
    Flops again_whole;

    ForwardWork& operator+=(const ForwardWork& other);
    friend ForwardWork operator*(double factor, const ForwardWork& work);
    [[nodiscard]] Flops causal() const { return products + visible; }
    [[nodiscard]] Flops full() const { return products + whole; }
};

/// Of one token, as if the model were on one card and its router balanced. The vocabulary is padded as the tensor
/// degree asks.
struct ModelWork {
    ParameterCount parameters;
    OfKinds<ForwardWork> layers; ///< of one layer of each kind
    ForwardWork head; ///< with the predictions of further tokens
    ForwardWork vision;
};
[[nodiscard]] ModelWork modelWork(const Plan& plan);

} // namespace cardfit
