// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <vector>

#include "core/estimate/estimate.h"

namespace cardfit::samples {

/// How a stage's live activations grow and shrink, one operation after the other, without transients.
struct LiveActivations {
    std::vector<double> time; ///< seconds, ascending; the value holds until the next entry
    std::vector<Bytes> live; ///< saved activations from that instant on

    [[nodiscard]] Bytes at(double instant) const
    {
        const auto after = std::ranges::upper_bound(time, instant);
        if (after == time.begin()) return {};
        return live[static_cast<std::size_t>(after - time.begin()) - 1];
    }
};

/// What a rank holds at an instant of passes that save and need nothing else.
inline Bytes savedAt(const RankTimeline& rank, const std::vector<ChunkHolding>& saved, double instant)
{
    std::vector<ChunkMemory> chunks(saved.size());
    for (std::size_t i = 0; i < saved.size(); ++i)
        chunks[i].holding = saved[i];
    return mostHeldAt(rank, RankMemory(chunks, Bytes(0), Placement::Loop), instant).total();
}

/// The same for the passes of a stage.
inline Bytes savedAt(const Estimate& estimate, std::size_t stage, double instant)
{
    return savedAt(estimate.timeline->ranks[stage], estimate.stages[stage].chunkHoldings(), instant);
}

inline LiveActivations activationsOverTime(const Estimate& estimate, std::size_t stage)
{
    LiveActivations result;
    const auto chunks = estimate.stages[stage].chunkHoldings();
    Bytes live;
    const auto step = [&](double time, Bytes change) {
        if (change == Bytes(0)) return;
        live += change;
        result.time.push_back(time);
        result.live.push_back(live);
    };
    for (const TimedOperation& timed : estimate.timeline->ranks[stage]) {
        const HoldingChange change = holdingChange(timed.operation, chunks);
        step(timed.start, change.at_start);
        step(timed.end, change.at_end);
    }
    return result;
}

} // namespace cardfit::samples
