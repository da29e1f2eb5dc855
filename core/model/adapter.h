// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace cardfit {

/// The matrix products of a layer that a low-rank adapter may accompany, by Megatron's names (Megatron-Bridge,
/// peft/lora.py): queries, keys and values; the attention's output; the MLP's first and second product, experts
/// included.
enum class AdapterTarget { LinearQkv, LinearProj, LinearFc1, LinearFc2 };

/// Low-rank adaptation (Hu et al. 2021, arXiv:2106.09685): the model is frozen, and each adapted product of `in` to
/// `out` features learns two small matrices of rank x in and out x rank.
struct Adapter {
    std::int64_t rank = 16;
    std::vector<AdapterTarget> targets; ///< empty: all

    [[nodiscard]] bool adapts(AdapterTarget target) const
    {
        return targets.empty() || std::ranges::find(targets, target) != targets.end();
    }

    bool operator==(const Adapter&) const = default;
};

} // namespace cardfit
