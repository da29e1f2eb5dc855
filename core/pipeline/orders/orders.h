// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/pipeline/orders/schedules.h"

/// How the programs of the schedules are made. Callers use schedules.h.
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

/// A program of these parts. (An initializer list would copy the operations.)
template <class... Parts> [[nodiscard]] Program parts(Parts... part)
{
    Program program;
    program.reserve(sizeof...(part));
    (program.push_back(std::move(part)), ...);
    return program;
}

/// Micro-batches per group of an interleaved schedule: as requested, otherwise one for each stage. By PyTorch's rules
/// (also used for the interleaved zero bubble schedule, and without a framework if Megatron-LM refuses the default) the
/// micro-batches are divided into as many equal groups as stages fit into them.
[[nodiscard]] std::int64_t groupSize(const ScheduleRequest& request);

/// Whether interleaved 1F1B finishes with groups of this size.
[[nodiscard]] bool acceptsGroups(std::int64_t stages, std::int64_t group, std::int64_t microbatches);

/// Refuses fewer than `fewest` micro-batches: the schedule would run dry, or never reach its steady order. `why`: where
/// the number comes from.
[[nodiscard]] std::optional<ScheduleRefusal> refuseFewer(
    const ScheduleRequest& request, std::int64_t fewest, Phrase why);

/// The programs for `microbatches`, folded from what `orders` writes for fewer of them. Written out in full if there
/// are too few to fold, or if on some rank two orders one period apart do not differ by one repeat.
[[nodiscard]] std::vector<Program> folded(
    const std::function<std::vector<Operations>(std::int64_t microbatches)>& orders, std::int64_t microbatches,
    const FoldPeriod& period);

} // namespace cardfit::orders
