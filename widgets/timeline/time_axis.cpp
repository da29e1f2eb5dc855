// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/time_axis.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <span>
#include <utility>

namespace cardfit::ui {

namespace {

/// Steps with fewer operations on each rank are shown without breaks.
constexpr std::size_t kLongStep = 48;
/// A steady state of fewer periods is not worth a break.
constexpr double kFewestPeriods = 4.0;

/// A range of time in which a rank repeats the same operations.
struct SteadyRun {
    TimeRange time;
    double period = 0.0;
    std::int32_t step = 0;
};

/// How many operations directly before `period` continue its order backwards, with the micro-batches of earlier
/// periods.
std::size_t runBefore(std::span<const TimedOperation> before, std::span<const TimedOperation> period, std::int32_t step)
{
    std::size_t same = 0;
    for (; same < before.size(); ++same) {
        const auto repeats = static_cast<std::int32_t>(1 + same / period.size());
        const Operation& expected = period[period.size() - 1 - same % period.size()].operation;
        if (before[before.size() - 1 - same].operation != expected.shifted(-repeats * step)) break;
    }
    return same;
}

/// The same forwards, after the last of `repeats`.
std::size_t runAfter(std::span<const TimedOperation> after, std::span<const TimedOperation> period, std::int32_t step,
    std::size_t repeats)
{
    std::size_t same = 0;
    for (; same < after.size(); ++same) {
        const auto later = static_cast<std::int32_t>(repeats + same / period.size());
        if (after[same].operation != period[same % period.size()].operation.shifted(later * step)) break;
    }
    return same;
}

/// The instant when the rank has started every kind of pass of the period: before it the pipeline is filling.
double filledBy(std::span<const TimedOperation> before, std::span<const TimedOperation> period)
{
    constexpr std::size_t kChunks = 256;
    std::bitset<kOperationKindCount * kChunks> missing;
    const auto kindOf = [](const TimedOperation& timed) {
        return static_cast<std::size_t>(timed.operation.kind) * kChunks + timed.operation.chunk;
    };
    for (const TimedOperation& timed : period)
        missing.set(kindOf(timed));
    std::size_t left = missing.count();
    for (const auto operations : {before, period}) {
        for (const TimedOperation& timed : operations) {
            if (!missing.test(kindOf(timed))) continue;
            missing.reset(kindOf(timed));
            if (--left == 0) return timed.start;
        }
    }
    return period.back().end;
}

std::vector<SteadyRun> steadyRuns(const RankTimeline& operations)
{
    std::vector<SteadyRun> runs;
    const auto segments = operations.segments();
    const auto once = [&](std::size_t segment) {
        return segment < segments.size() && segments[segment].repeats == 1 ? operations.operations(segments[segment])
                                                                           : std::span<const TimedOperation>();
    };
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const RankTimeline::Segment& segment = segments[i];
        if (segment.repeats == 1) continue;
        const auto period = operations.operations(segment);
        const auto before = i > 0 ? once(i - 1) : std::span<const TimedOperation>();
        const auto after = once(i + 1);
        const double from = filledBy(before.last(runBefore(before, period, segment.step)), period);
        const std::size_t more = runAfter(after, period, segment.step, segment.repeats);
        const double to = more > 0 ? after[more - 1].end : segment.at(period.back(), segment.repeats - 1).end;
        runs.push_back({{from, to}, segment.period, segment.step});
    }
    return runs;
}

/// The ranges in which both ranks repeat. Both inputs are in order of time.
std::vector<SteadyRun> common(const std::vector<SteadyRun>& a, const std::vector<SteadyRun>& b)
{
    std::vector<SteadyRun> both;
    for (const SteadyRun& one : a) {
        for (const SteadyRun& other : b) {
            const TimeRange time{std::max(one.time.from, other.time.from), std::min(one.time.to, other.time.to)};
            const SteadyRun& slower = one.period < other.period ? other : one;
            if (time.from < time.to) both.push_back({time, slower.period, slower.step});
        }
    }
    return both;
}

} // namespace

std::vector<AxisBreak> steadyStates(const Timeline& timeline)
{
    const auto is_long = [](const RankTimeline& rank) { return rank.size() >= kLongStep; };
    if (std::ranges::none_of(timeline.ranks, is_long)) return {};
    std::vector<SteadyRun> steady = steadyRuns(timeline.ranks.front());
    for (std::size_t rank = 1; rank < timeline.ranks.size() && !steady.empty(); ++rank)
        steady = common(steady, steadyRuns(timeline.ranks[rank]));
    std::vector<AxisBreak> breaks;
    for (const auto& [time, period, step] : steady) {
        // A rounding error may leave a quotient slightly below a whole number.
        const double periods = std::floor(time.span() / period + 1e-9);
        if (!(periods >= kFewestPeriods)) continue;
        const double from = time.from;
        breaks.push_back({{from, from + periods * period}, {from + period, from + (periods - 1.0) * period},
            std::abs(step), static_cast<std::size_t>(periods)});
    }
    return breaks;
}

TimeAxis::TimeAxis(std::vector<AxisBreak> breaks, double makespan)
    : m_breaks(std::move(breaks))
{
    constexpr double kGap = 0.025; // share of the shown time
    m_gap = kGap * (makespan - hidden());
}

double TimeAxis::hidden() const
{
    double hidden = 0.0;
    for (const AxisBreak& one : m_breaks)
        hidden += one.hidden.span();
    return hidden;
}

double TimeAxis::place(double time) const
{
    double shift = 0.0;
    for (const AxisBreak& one : m_breaks) {
        if (time <= one.hidden.from) break;
        if (time < one.hidden.to) return one.hidden.from - shift + m_gap * (time - one.hidden.from) / one.hidden.span();
        shift += one.hidden.span() - m_gap;
    }
    return time - shift;
}

double TimeAxis::time(double place) const
{
    double shift = 0.0;
    for (const AxisBreak& one : m_breaks) {
        const double gap = place - (one.hidden.from - shift);
        if (gap <= 0.0) break;
        if (gap < m_gap) return one.hidden.from + gap / m_gap * one.hidden.span();
        shift += one.hidden.span() - m_gap;
    }
    return place + shift;
}

const AxisBreak* TimeAxis::hiding(double time) const
{
    const auto found = std::ranges::find_if(
        m_breaks, [time](const AxisBreak& one) { return time > one.hidden.from && time < one.hidden.to; });
    return found == m_breaks.end() ? nullptr : &*found;
}

bool TimeAxis::hides(TimeRange times) const
{
    return std::ranges::any_of(
        m_breaks, [&](const AxisBreak& one) { return times.from >= one.hidden.from && times.to <= one.hidden.to; });
}

std::vector<TimeRange> TimeAxis::shown(TimeRange times) const
{
    std::vector<TimeRange> shown;
    double from = times.from;
    for (const AxisBreak& one : m_breaks) {
        const double to = std::min(times.to, one.hidden.from);
        if (from < to) shown.push_back({from, to});
        from = std::max(times.from, one.hidden.to);
    }
    if (from < times.to) shown.push_back({from, times.to});
    return shown;
}

std::vector<TimeScale> TimeScale::parts() const
{
    if (axis == nullptr || axis->breaks().empty()) return {{range, left, width}};
    std::vector<TimeScale> parts;
    const double per_pixel = 1.0 / pixelsPerUnit();
    for (const auto& [from, to] : axis->shown(times())) {
        const double first = std::ceil(x(from) - 1e-6);
        const double end = std::floor(x(to) + 1e-6);
        // Extrapolated from the ends of the shown range: pixels at the edges lie partly in a gap, where time runs
        // faster.
        if (first < end)
            parts.push_back(
                {{from + (first - x(from)) * per_pixel, to - (x(to) - end) * per_pixel}, first, end - first});
    }
    return parts;
}

} // namespace cardfit::ui
