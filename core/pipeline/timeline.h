// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cardfit {

/// What a pipeline rank does. A whole backward pass (B) is the input gradient (I) followed by the weight gradient (W);
/// some schedules run the two apart, or run a forward and a backward as one overlapped block (FB).
enum class OperationKind : std::uint8_t { Forward, Backward, BackwardInput, BackwardWeight, Overlapped, Update };

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

/// One entry of a rank's program.
struct Operation {
    OperationKind kind = OperationKind::Forward;
    std::uint8_t chunk = 0; ///< which of the rank's model chunks, 0-based
    std::int32_t microbatch = 0;

    bool operator==(const Operation&) const = default;
};

struct TimedOperation {
    Operation operation;
    double start = 0.0;
    double end = 0.0;

    bool operator==(const TimedOperation&) const = default;
};

/// Start and end of every operation of every rank, in execution order. Times are in the unit of the durations that
/// were simulated: seconds in an Estimate.
struct Timeline {
    std::vector<std::vector<TimedOperation>> ranks;
    double makespan = 0.0; ///< last end; the first operation starts at 0

    bool operator==(const Timeline&) const = default;
};

} // namespace cardfit
