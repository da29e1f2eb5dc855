// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/pipeline/simulator.h"

namespace cardfit {

/// The ranks that set the pace of a pipeline in its steady state.
struct BottleneckWindow {
    std::size_t first = 0; ///< rank
    std::size_t last = 0; ///< rank, included
    double period = 0.0; ///< time per micro-batch, in the unit of the durations

    bool operator==(const BottleneckWindow&) const = default;
};

/// Of 1F1B with TransferModel::Latency. Ranks a to b hold b - a + 1 micro-batches between them, and while one of these
/// goes down and back up, each of the ranks does one forward and one backward pass and every link is crossed twice. So
/// the period is the largest of [sum of f + b + 2 (b - a) transfers] / (b - a + 1) over all windows, exactly once the
/// steady state has set in. Of windows that are equal, the shortest and then the first.
/// `durations[rank][0]`: 1F1B has one chunk per rank.
[[nodiscard]] BottleneckWindow bottleneckWindow(
    const std::vector<std::vector<Durations>>& durations, double transfer_time);

} // namespace cardfit
