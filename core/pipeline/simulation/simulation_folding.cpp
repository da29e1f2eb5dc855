// SPDX-License-Identifier: GPL-3.0-or-later
// How a simulation detects that its state recurs, and folds the rounds that would only repeat. See README.md.
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "core/pipeline/simulation/simulation.h"

namespace cardfit {

namespace {

/// Snapshots are compared only up to this many values under way per link, on average. In steady state a link has a few,
/// or one group of them.
constexpr std::size_t kMostUnderWay = 8;

/// How far a blocking transfer has come: a sum of these, and of kBothReady + 1 for each rank that has completed it. 0
/// if transfers do not block.
constexpr std::int64_t kSenderReady = 1;
constexpr std::int64_t kReceiverReady = 2;
constexpr std::int64_t kBothReady = kSenderReady + kReceiverReady;

std::int64_t progressOf(const StageLink::Value& value)
{
    return (value.sender_ready ? kSenderReady : 0) + (value.receiver_ready ? kReceiverReady : 0)
        + (kBothReady + 1) * value.ranks_done;
}

} // namespace

/// Rounds that all ranks can still run within their current program parts; 0 while a rank is between two parts. Where
/// transfers block, a rank receives the inputs of its next operation before a round ends, so the last one is not
/// skipped.
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

/// Looks for a recurrence, and folds it. A steady state recurs after one round, or with latency after as many rounds as
/// there are ranks in the chain that sets the pace. Each round is compared with one earlier snapshot, which is replaced
/// after 1, 2, 4, 8 ... rounds (Brent's cycle search), so that the search costs no more than the rounds themselves.
void Simulation::skipRepeats()
{
    // Comparing long queues of values would cost more than running the rounds. In a steady state queues are short.
    const std::size_t under_way = std::transform_reduce(m_links.begin(), m_links.end(), std::size_t{0}, std::plus<>(),
        [](const StageLink& link) { return link.count(); });
    const bool long_queues = under_way > kMostUnderWay * (1 + m_links.size());
    const std::int64_t left = repeatsLeft();
    // The first snapshot is of use only if a round can be run and compared with it, and another one folded.
    if (left < (m_steady_since == kNever ? 2 : 1) || long_queues) {
        m_steady_since = kNever;
        return;
    }
    const auto keep = [&] {
        std::swap(m_before, m_now);
        m_before_round = m_round;
    };
    takeSnapshot(m_now, under_way);
    if (m_steady_since == kNever) {
        m_steady_since = m_round;
        return keep();
    }
    const std::int64_t cycle = m_round - m_before_round;
    const std::int64_t more = cycle <= left ? std::min(left / cycle, repeatsAllowed(m_now, m_before, cycle)) : 0;
    if (more > 0) {
        fold(m_now, m_before, cycle, more);
        m_steady_since = kNever;
    } else if (2 * cycle >= m_round - m_steady_since) {
        keep();
    }
}

/// By rank: its position and its clock; by link: how many values were received, and those under way.
void Simulation::takeSnapshot(Snapshot& now, std::size_t under_way)
{
    const std::size_t exchanges = m_exchanges.size();
    now.counts.clear();
    now.counts.reserve(3 * (m_ranks.size() + m_links.size()) + 2 * under_way + exchanges);
    now.times.clear();
    now.times.reserve(m_ranks.size() + under_way + exchanges);
    now.stored.clear();
    now.stored.reserve(m_ranks.size());
    for (std::size_t i = 0; i < m_ranks.size(); ++i) {
        const Rank& rank = m_ranks[i];
        now.counts.insert(now.counts.end(),
            {static_cast<std::int64_t>(rank.part), rank.open_repeats - rank.repeat,
                static_cast<std::int64_t>(rank.index)});
        now.times.push_back(rank.clock);
        now.stored.push_back(m_timeline.ranks[i].storedSize());
    }
    std::vector<StageLink::Value> values;
    for (const StageLink& link : m_links) {
        link.copyUnderWay(values);
        now.counts.insert(
            now.counts.end(), {static_cast<std::int64_t>(values.size()), link.taken, link.countInSeries()});
        for (const StageLink::Value& value : values) {
            now.counts.push_back(value.microbatch);
            now.counts.push_back(progressOf(value));
            now.times.push_back(value.available);
        }
    }
    if (!m_blocking) return;
    for (const Exchange& exchange : m_exchanges) {
        std::int64_t progress = 0;
        for (const PendingTransfer& transfer : exchange.transfers)
            progress = 3 * progress + (transfer.done ? 2 : transfer.posted ? 1 : 0);
        now.counts.push_back(progress);
        now.times.push_back(exchange.end);
    }
}

/// Finds the values of a link in a snapshot, and advances to those of the next one.
Simulation::LinkSnapshot Simulation::nextLinkSnapshot(const Snapshot& moment, std::size_t& count, std::size_t& time)
{
    const LinkSnapshot link{moment.counts[count], moment.counts[count + 1], moment.counts[count + 2], count + 3, time};
    count = link.first_count + 2 * static_cast<std::size_t>(link.count);
    time = link.first_time + static_cast<std::size_t>(link.count);
    return link;
}

Simulation::Traffic Simulation::trafficOf(
    const StageLink& link, const LinkSnapshot& now, const LinkSnapshot& before) const
{
    const bool took = now.taken != before.taken;
    const bool gave = now.count + now.taken + now.in_series != before.count + before.taken + before.in_series;
    if (link.blocking || (gave && took)) return Traffic::Passing;
    if (gave) return Traffic::Filling;
    if (took) return Traffic::Draining;
    return Traffic::Resting;
}

/// How often the last `cycle` rounds may be repeated. 0 unless the state equals that of `cycle` rounds ago, with all
/// times of a rank shifted as much as its clock. The shifts of neighbouring ranks may differ only if the sender is the
/// faster one and the receiver never waits for it: with forward passes only, each rank is as fast as the slowest one up
/// to it.
std::int64_t Simulation::repeatsAllowed(const Snapshot& now, const Snapshot& before, std::int64_t cycle)
{
    const auto ranks = static_cast<std::ptrdiff_t>(m_ranks.size());
    if (!std::equal(now.counts.begin(), now.counts.begin() + 3 * ranks, before.counts.begin())) return 0;

    std::int64_t most = std::numeric_limits<std::int64_t>::max();
    std::size_t count = 3 * m_ranks.size();
    std::size_t time = m_ranks.size();
    std::size_t count_before = count;
    std::size_t time_before = time;
    m_traffic.clear();
    for (const StageLink& link : m_links) {
        const LinkSnapshot share = nextLinkSnapshot(now, count, time);
        const LinkSnapshot share_before = nextLinkSnapshot(before, count_before, time_before);
        m_traffic.push_back(trafficOf(link, share, share_before));
        switch (m_traffic.back()) {
        case Traffic::Passing:
            if (!isShifted(link, now, share, before, share_before, cycle)) return 0;
            break;
        case Traffic::Filling:
            // One value per round makes an evenly spaced series.
            if (cycle != 1 || share.count != share_before.count + 1) return 0;
            break;
        case Traffic::Draining:
            if (cycle != 1 || share.taken != share_before.taken + 1 || share.in_series + 1 != share_before.in_series)
                return 0;
            most = std::min(most, roundsToDrain(link, now, before));
            break;
        case Traffic::Resting: break;
        }
    }
    if (!m_blocking) return most;
    // After links that fill or drain, positions in the two snapshots differ.
    for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
        if (now.counts[count + rank] != before.counts[count_before + rank]) return 0;
        const double later = now.times[time + rank] - before.times[time_before + rank];
        if (later != now.times[rank] - before.times[rank]) return 0;
    }
    return most;
}

/// Whether all values under way are shifted in time as much as the clock of the rank that sends or receives them.
bool Simulation::isShifted(const StageLink& link, const Snapshot& now, const LinkSnapshot& share,
    const Snapshot& before, const LinkSnapshot& share_before, std::int64_t cycle) const
{
    if (share.count != share_before.count || share.in_series > 0 || share_before.in_series > 0) return false;
    const double later = now.times[link.from] - before.times[link.from];
    const double later_there = now.times[link.to] - before.times[link.to];
    if (share.taken != share_before.taken) {
        const bool waited = m_ranks[link.to].waited > m_round - cycle;
        if (later > later_there || (later < later_there && (waited || link.blocking))) return false;
    }
    const std::int64_t higher = cycle * partOf(link.from).step;
    for (std::size_t i = 0; i < static_cast<std::size_t>(share.count); ++i) {
        const std::size_t count = share.first_count + 2 * i;
        const std::size_t count_before = share_before.first_count + 2 * i;
        const std::int64_t progress = now.counts[count + 1];
        if (now.counts[count] - before.counts[count_before] != higher) return false;
        if (progress != before.counts[count_before + 1]) return false;
        if (progress >= kBothReady && later != later_there) return false;
        const double by = progress == kReceiverReady ? later_there : later;
        if (now.times[share.first_time + i] - before.times[share_before.first_time + i] != by) return false;
    }
    return true;
}

/// For how many more rounds the receiver can take one value of the link's series per round, as in the last round: as
/// long as it waits for all of them, or for none.
std::int64_t Simulation::roundsToDrain(const StageLink& link, const Snapshot& now, const Snapshot& before) const
{
    const StageLink::Series* in_use = link.seriesInUse();
    if (in_use == nullptr) return 0;
    const StageLink::Series& series = *in_use;
    const double clock = now.times[link.to];
    const double later = clock - before.times[link.to];
    if (series.period == later) return series.count;
    if (m_ranks[link.to].waited == m_round) return 0;
    if (series.period < later) return series.count;
    // The receiver does not wait, but each value arrives with less margin than the one before.
    const auto in_time = [&](std::int64_t round) {
        const auto rounds = static_cast<double>(round);
        return clock + rounds * later >= series.available + rounds * series.period;
    };
    // Periods that differ by rounding alone give any quotient.
    const double spared = std::max(0.0, (clock - series.available) / (series.period - later));
    auto rounds = static_cast<std::int64_t>(std::min(spared, static_cast<double>(series.count)));
    while (rounds > 0 && !in_time(rounds - 1))
        --rounds;
    return rounds;
}

/// Repeats the last `cycle` rounds `more` times.
void Simulation::fold(const Snapshot& now, const Snapshot& before, std::int64_t cycle, std::int64_t more)
{
    const auto later = [&](std::size_t rank) { return now.times[rank] - before.times[rank]; };
    const auto delay = [&](std::size_t rank) { return static_cast<double>(more) * later(rank); };
    const auto step = [&](std::size_t rank) { return static_cast<std::int32_t>(more * cycle * partOf(rank).step); };
    for (std::size_t i = 0; i < m_links.size(); ++i) {
        StageLink& link = m_links[i];
        switch (m_traffic[i]) {
        case Traffic::Passing: link.shift(step(link.from), delay(link.from), delay(link.to)); break;
        case Traffic::Filling: {
            const auto higher = static_cast<std::int32_t>(partOf(link.from).step);
            std::vector<StageLink::Value> values;
            link.copyUnderWay(values);
            const StageLink::Value& newest = higher > 0 ? values.back() : values.front();
            const double period = later(link.from);
            link.addSeries({newest.microbatch + higher, higher, more, newest.available + period, period});
            break;
        }
        case Traffic::Draining: link.skipInSeriesInUse(more); break;
        case Traffic::Resting: break;
        }
    }
    for (std::size_t i = 0; i < m_ranks.size(); ++i) {
        Rank& rank = m_ranks[i];
        m_timeline.ranks[i].repeatLast(now.stored[i] - before.stored[i], static_cast<std::size_t>(more),
            now.times[i] - before.times[i], static_cast<std::int32_t>(cycle * partOf(i).step));
        rank.clock += delay(i);
        if (m_blocking) {
            m_exchanges[i].end += delay(i);
            for (PendingTransfer& transfer : m_exchanges[i].transfers)
                transfer.microbatch += step(i);
        }
        rank.open_repeats += more * cycle;
        openNextPart(rank);
        passRepeats(rank, more * cycle);
    }
}

} // namespace cardfit
