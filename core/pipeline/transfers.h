// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/plan/names.h"

namespace cardfit {

/// What ranks do while an activation or a gradient travels from one to the other.
enum class TransferModel : std::uint8_t {
    Latency, ///< the sender goes on; the receiver waits until it has arrived
    Batched, ///< both stand still; what a rank sends and receives between two operations travels at once
    Serialized, ///< both stand still; one after the other, gradients first
};

/// How values get from one rank to another.
struct Transfers {
    TransferModel model = TransferModel::Latency;
    double time = 0.0; ///< of one value, in the timeline's unit

    bool operator==(const Transfers&) const = default;
};

/// "latency", "batched", "serialized".
template <> std::span<const EnumName<TransferModel>> names();

} // namespace cardfit
