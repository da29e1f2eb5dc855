// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/timeline.h"

#include <algorithm>
#include <array>

namespace cardfit {

namespace {

constexpr std::array<EnumName<TransferModel>, 3> kTransferModelNames{{
    {TransferModel::Latency, "latency"},
    {TransferModel::Batched, "batched"},
    {TransferModel::Serialized, "serialized"},
}};

double timeOf(std::span<const TimedOperation> operations)
{
    double time = 0.0;
    for (const TimedOperation& timed : operations)
        time += timed.end - timed.start;
    return time;
}

} // namespace

template <> std::span<const EnumName<TransferModel>> names() { return kTransferModelNames; }

RankTimeline::RankTimeline(std::span<const TimedOperation> operations)
{
    m_stored.assign(operations.begin(), operations.end());
    if (!m_stored.empty()) m_segments.push_back({0, 0, m_stored.size()});
    m_busy = timeOf(m_stored);
}

void RankTimeline::repeatLast(std::size_t count, std::size_t more, double period, std::int32_t step)
{
    if (count == 0 || more == 0) return;
    Segment& last = m_segments.back();
    const std::size_t before = last.count - count;
    const Segment repeated{last.first + before, last.stored + before, count, 1 + more, period, step};
    last.count = before;
    if (before == 0) m_segments.pop_back();
    m_segments.push_back(repeated);
    m_busy += static_cast<double>(more) * timeOf(operations(repeated));
}

template <class Done> std::size_t RankTimeline::countWhile(double instant, const Done& done) const
{
    for (const Segment& segment : m_segments) {
        const auto stored = operations(segment);
        if (done(segment.at(stored.back(), segment.repeats - 1))) continue;
        // Whole repeats that are done: as many as periods fit, give or take a rounding.
        std::size_t repeat = 0;
        if (segment.repeats > 1 && segment.period > 0.0) {
            const double periods = (instant - stored.back().end) / segment.period;
            repeat = static_cast<std::size_t>(std::clamp(periods, 0.0, static_cast<double>(segment.repeats - 1)));
            while (repeat > 0 && !done(segment.at(stored.back(), repeat - 1)))
                --repeat;
            while (done(segment.at(stored.back(), repeat)))
                ++repeat;
        }
        const auto next = std::ranges::partition_point(
            stored, [&](const TimedOperation& operation) { return done(segment.at(operation, repeat)); });
        return segment.first + repeat * segment.count + static_cast<std::size_t>(next - stored.begin());
    }
    return size();
}

std::size_t RankTimeline::endedBy(double instant) const
{
    return countWhile(instant, [instant](const TimedOperation& operation) { return operation.end <= instant; });
}

std::size_t RankTimeline::startedBefore(double instant) const
{
    return countWhile(instant, [instant](const TimedOperation& operation) { return operation.start < instant; });
}

bool operator==(const RankTimeline& a, const RankTimeline& b) { return std::ranges::equal(a, b); }

double busyTime(const Timeline& timeline, std::size_t rank) { return timeline.ranks[rank].busy(); }

BubbleFractions bubbleFractions(const Timeline& timeline)
{
    double busy = 0.0;
    for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank)
        busy += busyTime(timeline, rank);
    const double total = timeline.makespan * static_cast<double>(timeline.ranks.size());
    if (busy <= 0.0 || total <= 0.0) return {};
    return {1.0 - busy / total, total / busy - 1.0};
}

double rankSpan(const Timeline& timeline)
{
    double longest = 0.0;
    for (const RankTimeline& operations : timeline.ranks) {
        if (!operations.empty()) longest = std::max(longest, operations.back().end - operations.front().start);
    }
    return longest;
}

} // namespace cardfit
