// SPDX-License-Identifier: GPL-3.0-or-later
// How a simulation finds that it repeats itself, and skips what it knows.
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "core/pipeline/simulation.h"

namespace cardfit {

namespace {

/// Values on a link, on average, up to which states are compared; a settled pipeline has a few, or a group's worth.
constexpr std::size_t kMostUnderWay = 8;

} // namespace

/// Rounds that all ranks can still run within the parts that they are in; none while a rank is between two. Where
/// transfers block, a rank takes the input of its next operation before it ends a round: the last one is not skipped.
std::int64_t Simulation::repeatsLeft() const
{
    std::int64_t left = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < m_ranks.size(); ++i) {
        const Rank& rank = m_ranks[i];
        if (atEnd(i) || rank.part != rank.open_part) return 0;
        left = std::min(left, partOf(i).repeats - rank.open_repeats - (m_blocking ? 1 : 0));
    }
    return std::max<std::int64_t>(0, left);
}

/// Looks for a recurrence, and folds it. A steady state recurs after one round, or with latency after as many as there
/// are ranks in the chain that sets the pace. Each round is compared with one before: at first the last one, later one
/// that is kept for as many rounds as went before it (as in Brent's search for cycles), so that the search costs no
/// more than the rounds.
void Simulation::skipRepeats()
{
    // Values that pile up between two stages, as those of a breadth-first schedule do, are another state every round;
    // looking at all of them each time would cost more than the rounds.
    const std::size_t under_way = std::transform_reduce(m_links.begin(), m_links.end(), std::size_t{0}, std::plus<>(),
        [](const StageLink& link) { return link.count(); });
    const bool piled_up = under_way > kMostUnderWay * (1 + m_links.size());
    const std::int64_t left = repeatsLeft();
    if (left == 0 || piled_up) {
        m_steady_since = kNever;
        return;
    }
    const auto keep = [&] {
        std::swap(m_before, m_now);
        m_kept_in = m_round;
    };
    note(m_now);
    if (m_steady_since == kNever) {
        m_steady_since = m_round;
        return keep();
    }
    const std::int64_t cycle = m_round - m_kept_in;
    if (cycle <= left && recurs(m_now, m_before, cycle)) {
        fold(m_now, m_before, cycle, left);
        m_steady_since = kNever;
    } else if (2 * cycle >= m_round - m_steady_since) {
        keep();
    }
}

/// By rank: where it is, and its clock; by link: how many values it has carried, and those under way.
void Simulation::note(Moment& now)
{
    now.counts.clear();
    now.times.clear();
    now.done.clear();
    for (std::size_t i = 0; i < m_ranks.size(); ++i) {
        const Rank& rank = m_ranks[i];
        now.counts.insert(now.counts.end(),
            {static_cast<std::int64_t>(rank.part), rank.open_repeats - rank.repeat,
                static_cast<std::int64_t>(rank.index)});
        now.times.push_back(rank.clock);
        now.done.push_back(m_timeline.ranks[i].storedSize());
    }
    for (const StageLink& link : m_links) {
        const auto values = link.underWay();
        now.counts.push_back(static_cast<std::int64_t>(values.size()));
        now.counts.push_back(link.taken);
        for (const StageLink::Value& value : values) {
            now.counts.push_back(value.microbatch);
            now.counts.push_back(value.settled_by);
            now.times.push_back(value.offered);
            now.times.push_back(value.wanted);
        }
    }
    if (!m_blocking) return;
    for (const Exchange& exchange : m_exchanges) {
        std::int64_t progress = 0;
        for (const Handover& handover : exchange.handovers)
            progress = 3 * progress + (handover.settled ? 2 : handover.announced ? 1 : 0);
        now.counts.push_back(progress);
        now.times.push_back(exchange.end);
    }
}

/// Whether the state is that of `cycle` rounds ago, every rank's share of it as much later as its clock.
/// Ranks may differ in that only where the later one waits for nothing: forward passes alone are as fast on each rank
/// as the slowest rank before it allows.
bool Simulation::recurs(const Moment& now, const Moment& before, std::int64_t cycle) const
{
    if (now.counts.size() != before.counts.size() || now.times.size() != before.times.size()) return false;
    const auto ranks = static_cast<std::ptrdiff_t>(m_ranks.size());
    if (!std::equal(now.counts.begin(), now.counts.begin() + 3 * ranks, before.counts.begin())) return false;

    const auto delay = [&](std::size_t i) { return now.times[i] - before.times[i]; };
    const auto growth = [&](std::size_t i) { return now.counts[i] - before.counts[i]; };
    const auto sameOrLater = [&](std::size_t i, double by) {
        const bool missing = now.times[i] == StageLink::kNotYet;
        if (missing != (before.times[i] == StageLink::kNotYet)) return false;
        return missing || delay(i) == by;
    };
    std::size_t count = 3 * m_ranks.size();
    std::size_t time = m_ranks.size();
    for (const StageLink& link : m_links) {
        const double later = delay(link.from);
        const double later_there = delay(link.to);
        const std::int64_t higher = cycle * partOf(link.from).step;
        if (growth(count) != 0) return false;
        if (growth(count + 1) != 0) {
            const bool waited = m_ranks[link.to].waited > m_round - cycle;
            if (later > later_there || (later < later_there && (waited || link.blocking))) return false;
        }
        const auto under_way = static_cast<std::size_t>(now.counts[count]);
        count += 2;
        for (std::size_t i = 0; i < under_way; ++i, count += 2, time += 2) {
            if (growth(count) != higher || growth(count + 1) != 0) return false;
            if (!sameOrLater(time, later) || !sameOrLater(time + 1, later_there)) return false;
        }
    }
    if (!m_blocking) return true;
    for (std::size_t rank = 0; rank < m_ranks.size(); ++rank, ++count, ++time) {
        if (growth(count) != 0 || delay(time) != delay(rank)) return false;
    }
    return true;
}

/// The last `cycle` rounds run again as often as `left` rounds allow.
void Simulation::fold(const Moment& now, const Moment& before, std::int64_t cycle, std::int64_t left)
{
    const std::int64_t more = left / cycle;
    const auto delay = [&](std::size_t rank) {
        return static_cast<double>(more) * (now.times[rank] - before.times[rank]);
    };
    const auto step = [&](std::size_t rank) { return static_cast<std::int32_t>(more * cycle * partOf(rank).step); };
    for (StageLink& link : m_links)
        link.shift(step(link.from), delay(link.from), delay(link.to));
    for (std::size_t i = 0; i < m_ranks.size(); ++i) {
        Rank& rank = m_ranks[i];
        m_timeline.ranks[i].repeatLast(now.done[i] - before.done[i], static_cast<std::size_t>(more),
            now.times[i] - before.times[i], static_cast<std::int32_t>(cycle * partOf(i).step));
        rank.clock += delay(i);
        if (m_blocking) {
            m_exchanges[i].end += delay(i);
            for (Handover& handover : m_exchanges[i].handovers)
                handover.microbatch += step(i);
        }
        rank.shift += step(i);
        rank.repeat += more * cycle;
        rank.open_repeats += more * cycle;
    }
    for (std::size_t i = 0; i < m_ranks.size(); ++i) {
        Rank& rank = m_ranks[i];
        if (rank.repeat < partOf(i).repeats) continue;
        ++rank.part;
        rank.repeat = 0;
        rank.shift = 0;
        updateOpen(rank);
    }
}

} // namespace cardfit
