// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/first_points.h"

#include <algorithm>
#include <optional>

#include "core/pipeline/schedule_traits.h"
#include "core/plan/names.h"

namespace cardfit {

namespace {

/// The base plan's own values; the first one of an axis that lacks it.
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

void dividedPoints(const SearchSpace& space, const std::function<bool(const SpacePoint& point)>& fits)
{
    SpacePoint point(space);
    moveToOwn(space, point);
    std::optional<std::size_t> tensor, pipeline, expert;
    for (std::size_t i = 0; i < space.axes.size(); ++i) {
        const auto& values = space.axes[i].values;
        switch (space.axes[i].kind) {
        case AxisKind::Tensor: tensor = i; break;
        case AxisKind::Pipeline: pipeline = i; break;
        case AxisKind::Expert: expert = i; break;
        case AxisKind::VirtualPipeline:
        case AxisKind::MicroBatch:
        case AxisKind::ExpertTensor: point.set(i, 0); break;
        case AxisKind::Recompute: {
            const auto all = std::ranges::find_if(values, recomputesAll);
            if (all != values.end()) point.set(i, static_cast<std::size_t>(all - values.begin()));
            break;
        }
        case AxisKind::Schedule: {
            // One chunk, which not every schedule runs.
            if (traits(point.plan().recipe.schedule).chunks.value_or(1) == 1) break;
            const auto plain = std::ranges::find(values, name(Schedule::OneFOneB), &AxisValue::word);
            if (plain != values.end()) point.set(i, static_cast<std::size_t>(plain - values.begin()));
            break;
        }
        case AxisKind::Field:
        case AxisKind::Accelerator:
        case AxisKind::Nodes:
        case AxisKind::Context:
        case AxisKind::Sharding:
        case AxisKind::Offload: break;
        }
    }
    const auto sizeOf = [&](std::optional<std::size_t> axis) { return axis ? space.axes[*axis].values.size() : 1; };
    const auto set = [&](std::optional<std::size_t> axis, std::size_t value) {
        if (axis) point.set(*axis, value);
    };
    for (std::size_t experts = sizeOf(expert); experts-- > 0;) {
        set(expert, experts);
        for (std::size_t stages = 0; stages < sizeOf(pipeline); ++stages) {
            set(pipeline, stages);
            for (std::size_t tensors = 0; tensors < sizeOf(tensor); ++tensors) {
                set(tensor, tensors);
                if (fits(point)) return;
            }
        }
    }
}

} // namespace cardfit
