// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/first_points.h"

#include <algorithm>
#include <optional>

#include "core/pipeline/orders/schedule_traits.h"
#include "core/plan/choices.h"

namespace cardfit {

namespace {

/// Moves to the base plan's own values; to the first value of an axis that lacks it.
void moveToOwn(const SearchSpace& space, SpacePoint& point)
{
    for (std::size_t i = 0; i < space.axes.size(); ++i) {
        const auto& values = space.axes[i].values;
        const auto own = std::ranges::find(values, ownValue(space.base, space.axes[i].pointer));
        point.set(i, own == values.end() ? 0 : static_cast<std::size_t>(own - values.begin()));
    }
}

bool recomputesAll(const AxisValue& value)
{
    return value.recompute && value.recompute->granularity == RecomputeGranularity::Full;
}

/// The axes of a space that such points move along.
struct Axes {
    explicit Axes(const SearchSpace& of_space)
        : space(of_space)
    {
        const auto place = [&](AxisKind kind) -> std::optional<std::size_t> {
            const auto found = std::ranges::find(space.axes, kind, &SearchAxis::kind);
            if (found == space.axes.end()) return std::nullopt;
            return static_cast<std::size_t>(found - space.axes.begin());
        };
        tensor = place(AxisKind::Tensor);
        pipeline = place(AxisKind::Pipeline);
        chunks = place(AxisKind::VirtualPipeline);
        schedule = place(AxisKind::Schedule);
        microbatch = place(AxisKind::MicroBatch);
        expert = place(AxisKind::Expert);
        expert_tensor = place(AxisKind::ExpertTensor);
        recompute = place(AxisKind::Recompute);
    }

    [[nodiscard]] std::size_t count(std::optional<std::size_t> axis) const
    {
        return axis ? space.axes[*axis].values.size() : 1;
    }

    const SearchSpace& space;
    std::optional<std::size_t> tensor, pipeline, chunks, schedule, microbatch, expert, expert_tensor, recompute;
};

void set(SpacePoint& point, std::optional<std::size_t> axis, std::size_t value)
{
    if (axis) point.set(*axis, value);
}

/// Schedule, chunks and recomputation of a point: indices into the values of the axes.
struct Form {
    std::size_t schedule = 0, chunks = 0, recompute = 0;
};

/// Recomputing all layers; then the largest set of modules that still allows overlapping the expert exchange.
std::vector<std::size_t> mostRecomputing(const Axes& axes, std::size_t own)
{
    if (!axes.recompute) return {own};
    std::vector<std::size_t> found;
    const auto& values = axes.space.axes[*axes.recompute].values;
    const auto all = std::ranges::find_if(values, recomputesAll);
    if (all != values.end()) found.push_back(static_cast<std::size_t>(all - values.begin()));
    std::optional<std::size_t> largest;
    const auto modules = [&](std::size_t value) { return values[value].recompute->modules.size(); };
    for (std::size_t value = 0; value < values.size(); ++value) {
        const bool experts = std::ranges::find(values[value].recompute->modules, RecomputeModule::Moe)
            != values[value].recompute->modules.end();
        if (recomputesAll(values[value]) || experts) continue;
        if (!largest || modules(value) > modules(*largest)) largest = value;
    }
    if (largest) found.push_back(*largest);
    if (found.empty()) found.push_back(own);
    return found;
}

/// `own`: the point of the base plan. The plain form first.
std::vector<Form> formsOf(const Axes& axes, const SpacePoint& own)
{
    const auto at = [&](std::optional<std::size_t> axis) { return axis ? own.at(*axis) : 0; };
    std::vector<std::size_t> schedules{at(axes.schedule)};
    if (axes.schedule) {
        const auto& values = axes.space.axes[*axes.schedule].values;
        const auto plain = std::ranges::find(values, name(Schedule::OneFOneB), &AxisValue::word);
        // One chunk per rank, which not every schedule can run.
        const bool runs_one = traits(own.plan().recipe.schedule).chunks.value_or(1) == 1;
        if (!runs_one && plain != values.end())
            schedules.insert(schedules.begin(), static_cast<std::size_t>(plain - values.begin()));
        for (std::size_t value = 0; value < values.size(); ++value) {
            if (std::ranges::find(schedules, value) == schedules.end()) schedules.push_back(value);
        }
    }
    std::vector<Form> forms;
    for (const std::size_t schedule : schedules) {
        for (std::size_t chunks = 0; chunks < std::min<std::size_t>(2, axes.count(axes.chunks)); ++chunks) {
            for (const std::size_t recompute : mostRecomputing(axes, at(axes.recompute)))
                forms.push_back({schedule, chunks, recompute});
        }
    }
    return forms;
}

} // namespace

std::vector<std::uint64_t> firstPoints(const SearchSpace& space, const std::vector<PointSettings>& known)
{
    SpacePoint point(space);
    std::vector<std::uint64_t> numbers;
    const auto add = [&] {
        if (std::ranges::find(numbers, point.number()) == numbers.end()) numbers.push_back(point.number());
    };
    moveToOwn(space, point);
    add();
    for (std::size_t i = 0; i < space.axes.size(); ++i) {
        for (std::size_t value = 0; value < space.axes[i].values.size(); ++value) {
            if (!recomputesAll(space.axes[i].values[value])) continue;
            point.set(i, value);
            add();
        }
    }
    for (const PointSettings& settings : known) {
        if (point.moveTo(settings)) add();
    }
    return numbers;
}

void dividedPoints(const SearchSpace& space, const std::function<FirstTry(const SpacePoint& point)>& attempt)
{
    /// Give up after this many legal points that do not fit: the search itself then finds one sooner.
    constexpr int kMostMisses = 512;
    SpacePoint point(space);
    moveToOwn(space, point);
    const Axes axes(space);
    for (const auto& smallest : {axes.microbatch, axes.expert_tensor})
        set(point, smallest, 0);
    int misses = 0;
    for (const Form& form : formsOf(axes, point)) {
        set(point, axes.schedule, form.schedule);
        set(point, axes.chunks, form.chunks);
        set(point, axes.recompute, form.recompute);
        for (std::size_t experts = axes.count(axes.expert); experts-- > 0;) {
            set(point, axes.expert, experts);
            for (std::size_t stages = 0; stages < axes.count(axes.pipeline); ++stages) {
                set(point, axes.pipeline, stages);
                for (std::size_t tensors = 0; tensors < axes.count(axes.tensor); ++tensors) {
                    set(point, axes.tensor, tensors);
                    const FirstTry outcome = attempt(point);
                    if (outcome == FirstTry::Misses) ++misses;
                    if (outcome == FirstTry::Fits || misses == kMostMisses) return;
                }
            }
        }
    }
}

} // namespace cardfit
