// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/timeline/timeline.h"

#include <algorithm>
#include <array>

namespace cardfit {

namespace {

constexpr std::array<EnumName<TransferModel>, 3> kTransferModelNames{{
    {TransferModel::Latency, "latency"},
    {TransferModel::Batched, "batched"},
    {TransferModel::Serialized, "serialized"},
}};

} // namespace

template <> std::span<const EnumName<TransferModel>> names() { return kTransferModelNames; }

RankTimeline::RankTimeline(std::span<const TimedOperation> operations)
{
    reserve(operations.size());
    for (const TimedOperation& timed : operations)
        push_back(timed);
}

void RankTimeline::repeatLast(std::size_t count, std::size_t more, double period, std::int32_t step)
{
    if (count == 0 || more == 0) return;
    FoldedSeries::repeatLast(count, more, {period, step});
    double once = 0.0;
    for (const TimedOperation& timed : storedOf(segments().back()))
        once += timed.end - timed.start;
    m_busy += static_cast<double>(more) * once;
}

template <class Done> std::size_t RankTimeline::countWhile(double instant, const Done& done) const
{
    for (const Segment& segment : segments()) {
        const auto stored = storedOf(segment);
        if (done(segment.at(stored.back(), segment.repeats - 1))) continue;
        // Whole repeats that are done: as many as periods fit, corrected for rounding.
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
