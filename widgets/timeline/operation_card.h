// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>

#include <QString>

#include "core/pipeline/analysis/dependencies.h"
#include "widgets/chart/hover_card.h"

/// Texts of the hover card of a pipeline chart. Include from .cpp files only.
namespace cardfit::ui {

class TimelineBlocks;

/// Describes the rank's operation `index` or, without an index, why the rank idles at `time` (seconds), for how long,
/// and what it waits for. These three need `dependencies`, which must be of the blocks' timeline.
[[nodiscard]] HoverText operationCard(
    TimelineBlocks& blocks, int rank, double time, std::optional<std::size_t> index, const Dependencies* dependencies);

/// When an operation starts or ends, with as many decimals as distinguish the two, even late in a long step.
[[nodiscard]] QString endpointText(double instant, const TimedOperation& timed);

/// The stages of the model that a rank holds: "0, 7".
[[nodiscard]] QString stagesOf(const TimelineBlocks& blocks, int rank);

} // namespace cardfit::ui
