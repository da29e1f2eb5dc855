// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/enum_names.h"

namespace cardfit {

/// What a pipeline rank does. A whole backward pass (B) is the input gradient (I) followed by the weight gradient (W).
/// Some schedules run the two separately, or run a forward and a backward pass as one overlapped block (FB).
enum class OperationKind : std::uint8_t { Forward, Backward, BackwardInput, BackwardWeight, Overlapped, Update };
inline constexpr std::size_t kOperationKindCount = enumeratorCount<OperationKind>();

/// The short name by which schedules are written: "F", "B", "I", "W", "FB", "U".
[[nodiscard]] constexpr std::string_view operationLetters(OperationKind kind)
{
    switch (kind) {
    case OperationKind::Forward: return "F";
    case OperationKind::Backward: return "B";
    case OperationKind::BackwardInput: return "I";
    case OperationKind::BackwardWeight: return "W";
    case OperationKind::Overlapped: return "FB";
    case OperationKind::Update: return "U";
    }
    return {};
}

/// Whether it runs a forward pass: receives the activations of the stage before and keeps its own.
[[nodiscard]] constexpr bool runsForward(OperationKind kind)
{
    return kind == OperationKind::Forward || kind == OperationKind::Overlapped;
}

/// Whether it makes the input gradient: receives that of the stage after and sends its own to the stage before.
[[nodiscard]] constexpr bool makesInputGradient(OperationKind kind)
{
    return kind == OperationKind::Backward || kind == OperationKind::BackwardInput || kind == OperationKind::Overlapped;
}

/// Whether it makes the weight gradient: the last use of what the forward pass has kept.
[[nodiscard]] constexpr bool makesWeightGradient(OperationKind kind)
{
    return kind == OperationKind::Backward || kind == OperationKind::BackwardWeight
        || kind == OperationKind::Overlapped;
}

/// One micro-batch passing through one model chunk of a rank, forward or backward.
struct Pass {
    std::uint8_t chunk = 0; ///< which of the rank's model chunks, 0-based
    std::int32_t microbatch = 0;

    bool operator==(const Pass&) const = default;
};

/// One entry of a rank's program.
struct Operation {
    OperationKind kind = OperationKind::Forward;
    std::uint8_t chunk = 0; ///< overlapped block: of its forward pass
    std::uint8_t backward_chunk = 0; ///< overlapped block: of its backward pass; otherwise 0
    std::int32_t microbatch = 0;
    std::int32_t backward_microbatch = 0;

    constexpr Operation() = default;
    constexpr Operation(OperationKind what, std::uint8_t of_chunk, std::int32_t of_microbatch)
        : kind(what)
        , chunk(of_chunk)
        , microbatch(of_microbatch)
    {
    }
    [[nodiscard]] constexpr Pass forwardPass() const { return {chunk, microbatch}; }
    [[nodiscard]] constexpr Pass backwardPass() const
    {
        return kind == OperationKind::Overlapped ? Pass{backward_chunk, backward_microbatch} : Pass{chunk, microbatch};
    }
    /// This operation with micro-batch numbers `step` higher.
    [[nodiscard]] constexpr Operation shifted(std::int32_t step) const
    {
        Operation later = *this;
        later.microbatch += step;
        if (kind == OperationKind::Overlapped) later.backward_microbatch += step;
        return later;
    }

    bool operator==(const Operation&) const = default;
};

/// A forward pass and the whole backward pass of another micro-batch, run as one block.
[[nodiscard]] constexpr Operation overlapped(Pass forward, Pass backward)
{
    Operation block(OperationKind::Overlapped, forward.chunk, forward.microbatch);
    block.backward_chunk = backward.chunk;
    block.backward_microbatch = backward.microbatch;
    return block;
}

} // namespace cardfit
