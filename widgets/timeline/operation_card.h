// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>

#include <QString>

#include "core/pipeline/dependencies.h"
#include "widgets/chart/hover_card.h"

/// What the card under the pointer says about a place of a pipeline's picture. Included by .cpp files only.
namespace cardfit::ui {

class TimelineBlocks;

/// The rank's operation `index`, or why the rank idles at `time` (seconds), for how long, and what it waits for: the
/// last three where dependencies are given, which must be the blocks' timeline's.
[[nodiscard]] HoverText operationCard(
    TimelineBlocks& blocks, int rank, double time, std::optional<std::size_t> index, const Dependencies* dependencies);

/// When an operation starts or ends: with as many decimals as tell the two apart, late in a long step as well.
[[nodiscard]] QString endpointText(double instant, const TimedOperation& timed);

/// Stages of the model that a rank holds: "0, 7".
[[nodiscard]] QString stagesOf(const TimelineBlocks& blocks, int rank);

} // namespace cardfit::ui
