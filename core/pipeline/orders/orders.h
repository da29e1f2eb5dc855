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

/// Micro-batches per group of an interleaved schedule: as asked for, else as many as there are stages. In PyTorch, and
/// where no framework is asked for and these groups would not do, the micro-batches in as many equal groups as stages
/// fit into them.
[[nodiscard]] std::int64_t groupSize(const ScheduleRequest& request);

/// Whether interleaved 1F1B comes to its end with groups of that size.
[[nodiscard]] bool acceptsGroups(std::int64_t stages, std::int64_t group, std::int64_t microbatches);

/// Refuses schedules that run dry, or never reach their order, with fewer micro-batches. `why`: where the number comes
/// from.
[[nodiscard]] std::optional<ScheduleRefusal> refuseFewer(
    const ScheduleRequest& request, std::int64_t fewest, Phrase why);

/// The programs for `microbatches`, from what `orders` writes for few of them. A rank's program is written out where
/// two of its orders do not differ by one repeat.
[[nodiscard]] std::vector<Program> folded(
    const std::function<std::vector<Operations>(std::int64_t microbatches)>& orders, std::int64_t microbatches,
    const FoldPeriod& period);

} // namespace cardfit::orders
