// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/pipeline/schedules.h"

/// How the programs of single schedules are written down; schedules.h is the way in.
namespace cardfit::orders {

using Operations = std::vector<Operation>;
using Program = std::vector<ProgramPart>;

[[nodiscard]] constexpr Operation operation(OperationKind kind, std::int64_t microbatch, std::int64_t chunk = 0)
{
    return {kind, static_cast<std::uint8_t>(chunk), static_cast<std::int32_t>(microbatch)};
}
[[nodiscard]] constexpr Operation forward(std::int64_t microbatch, std::int64_t chunk = 0)
{
    return operation(OperationKind::Forward, microbatch, chunk);
}
[[nodiscard]] constexpr Operation backward(std::int64_t microbatch, std::int64_t chunk = 0)
{
    return operation(OperationKind::Backward, microbatch, chunk);
}

/// A program of parts in turn. (A list of initialisers would copy the operations.)
template <class... Parts> [[nodiscard]] Program parts(Parts... part)
{
    Program program;
    program.reserve(sizeof...(part));
    (program.push_back(std::move(part)), ...);
    return program;
}

/// Micro-batches per group of an interleaved schedule: as asked for, else as many as there are stages; in the
/// zero-bubble one, which is PyTorch's, the micro-batches in as many equal groups as stages fit into them.
[[nodiscard]] std::int64_t groupSize(const ScheduleRequest& request);

/// One rank's program.
[[nodiscard]] Program forwardOnly(const ScheduleRequest& request);
[[nodiscard]] Program naive(const ScheduleRequest& request);
[[nodiscard]] Program gpipe(const ScheduleRequest& request);
[[nodiscard]] Program oneFOneB(const ScheduleRequest& request, std::int64_t rank);
[[nodiscard]] Program interleaved(const ScheduleRequest& request, std::int64_t rank);
[[nodiscard]] Program interleavedForwardOnly(const ScheduleRequest& request);
[[nodiscard]] Program loopedBreadthFirst(const ScheduleRequest& request);

/// One rank's operations, all of them: `microbatches` says how many, whatever the request asks for.
[[nodiscard]] Operations zeroBubble(const ScheduleRequest& request, std::int64_t rank, std::int64_t microbatches);
[[nodiscard]] Operations interleavedZeroBubble(
    const ScheduleRequest& request, std::int64_t rank, std::int64_t microbatches);
[[nodiscard]] Operations zeroBubbleV(const ScheduleRequest& request, std::int64_t rank, std::int64_t microbatches);
[[nodiscard]] Operations dualPipeV(const ScheduleRequest& request, std::int64_t rank, std::int64_t microbatches);
[[nodiscard]] Operations dualPipe(const ScheduleRequest& request, std::int64_t rank, std::int64_t microbatches);

/// How an order that is written out grows with the number of micro-batches.
struct Period {
    std::int64_t settled = 1; ///< from so many micro-batches on, more of them only repeat what is in the middle
    std::int64_t microbatches = 1; ///< how many more make one more repeat
    std::int64_t step = 1; ///< by how much their numbers are higher; half of them where two pipes share the numbers
};

/// The programs for `microbatches`, from what `orders` writes for few of them. A rank's program is written out where
/// two of its orders do not differ by one repeat.
[[nodiscard]] std::vector<Program> folded(
    const std::function<std::vector<Operations>(std::int64_t microbatches)>& orders, std::int64_t microbatches,
    const Period& period);

} // namespace cardfit::orders
