// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/evidence.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/model/operators.h"
#include "core/plan/fields.h"

namespace cardfit {

namespace {

constexpr std::size_t kShownRuns = 3;

bool countsDoublings(EvidenceAxis axis) { return axis <= EvidenceAxis::Data; }

/// Two lists of modules are one word each.
double recomputeWord(const Recompute& recompute)
{
    double word = static_cast<double>(recompute.granularity);
    for (const RecomputeModule module : recompute.modules)
        word += 8.0 * std::exp2(static_cast<double>(module));
    return word;
}

bool isMeasuredTask(const Plan& plan)
{
    return plan.workload.task == Task::Pretrain || plan.workload.task == Task::Finetune;
}

} // namespace

std::string_view evidenceAxisName(EvidenceAxis axis)
{
    constexpr auto kNames = textFor<EvidenceAxis>(
        {"model_size", "sequence_length", "micro_batch_size", "tensor", "pipeline", "virtual_pipeline", "context",
            "expert", "data", "layers", "precision", "framework", "card", "recompute", "sharding", "schedule"});
    return kNames[static_cast<std::size_t>(axis)];
}

MeasuredGround::MeasuredGround(std::vector<MeasuredTime> runs)
    : m_runs(std::move(runs))
{
    for (const MeasuredTime& run : m_runs)
        m_coordinates.push_back(coordinatesOf(run.plan));
}

MeasuredGround::Coordinates MeasuredGround::coordinatesOf(const Plan& plan)
{
    const Parallelism& degrees = plan.parallelism;
    Coordinates all{};
    const auto put = [&](EvidenceAxis axis, auto value) {
        const auto number = static_cast<double>(value);
        all[static_cast<std::size_t>(axis)] = countsDoublings(axis) ? std::log2(std::max(1.0, number)) : number;
    };
    put(EvidenceAxis::ModelSize, parameterCount(plan.model.architecture));
    put(EvidenceAxis::SequenceLength, plan.workload.sequence_length / std::max<std::int64_t>(1, degrees.context));
    put(EvidenceAxis::MicroBatch, plan.workload.micro_batch_size);
    put(EvidenceAxis::Tensor, degrees.tensor);
    put(EvidenceAxis::Pipeline, degrees.pipeline);
    put(EvidenceAxis::VirtualPipeline, degrees.virtual_pipeline);
    put(EvidenceAxis::Context, degrees.context);
    put(EvidenceAxis::Expert, degrees.expert);
    put(EvidenceAxis::Data, dataParallel(plan));
    put(EvidenceAxis::Layers, plan.model.architecture.moe.has_value());
    put(EvidenceAxis::Precision, plan.recipe.precision);
    put(EvidenceAxis::Framework, plan.recipe.framework);
    put(EvidenceAxis::Card, plan.cluster.accelerator.generation);
    put(EvidenceAxis::Recompute, recomputeWord(plan.recipe.recompute));
    put(EvidenceAxis::Sharding, plan.recipe.sharding);
    // Without a pipeline all schedules are the same.
    put(EvidenceAxis::Schedule, degrees.pipeline > 1 ? static_cast<int>(plan.recipe.schedule) : -1);
    return all;
}

/// Whether measured runs of the plan's framework have several values of the field, or only the plan's.
bool MeasuredGround::hasVaried(const SearchAxis& axis, const Plan& plan) const
{
    const Field* field = fieldAt(axis.pointer);
    if (axis.kind == AxisKind::Accelerator || field == nullptr || field->get == nullptr) return true; // Card is an axis
    const FieldValue own = field->get(plan);
    std::optional<FieldValue> first;
    for (const MeasuredTime& run : m_runs) {
        if (run.plan.recipe.framework != plan.recipe.framework) continue;
        FieldValue value = field->get(run.plan);
        if (first && value != *first) return true;
        first = std::move(value);
    }
    return first == own;
}

Evidence MeasuredGround::of(const Plan& plan, const SearchSpace& space) const
{
    Evidence evidence;
    if (!isMeasuredTask(plan)) return evidence;
    const Coordinates own = coordinatesOf(plan);
    const auto stepsTo = [&](const Coordinates& other, std::size_t axis) {
        const double apart = std::abs(own[axis] - other[axis]);
        return countsDoublings(static_cast<EvidenceAxis>(axis)) ? apart : (apart > 0.0 ? 1.0 : 0.0);
    };
    const auto isLike = [&](const Coordinates& other, EvidenceAxis axis) {
        return own[static_cast<std::size_t>(axis)] == other[static_cast<std::size_t>(axis)];
    };
    std::vector<std::pair<double, std::size_t>> order;
    bool near = false;
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        double distance = 0.0;
        for (std::size_t axis = 0; axis < kEvidenceAxisCount; ++axis)
            distance += stepsTo(m_coordinates[i], axis);
        order.emplace_back(distance, i);
        near = near
            || (distance <= kMeasuredDistance && isLike(m_coordinates[i], EvidenceAxis::Framework)
                && isLike(m_coordinates[i], EvidenceAxis::Card));
    }
    const std::size_t shown = std::min(kShownRuns, order.size());
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(shown));
    for (std::size_t i = 0; i < shown; ++i) {
        const auto [distance, number] = order[i];
        NearRun& found = evidence.nearest.emplace_back(NearRun{&m_runs[number], distance, {}, {}});
        for (std::size_t axis = 0; axis < kEvidenceAxisCount; ++axis) {
            const double steps = stepsTo(m_coordinates[number], axis);
            if (steps > 0.0) found.axes.push_back({static_cast<EvidenceAxis>(axis), steps});
        }
        std::ranges::stable_sort(found.axes, std::greater<>(), &AxisSteps::steps);
        found.error = compareTime(*found.run).error();
    }
    for (const SearchAxis& axis : space.axes) {
        if (axis.values.size() > 1 && !hasVaried(axis, plan)) evidence.unvaried.push_back(axis.pointer);
    }
    evidence.measured = near && evidence.unvaried.empty();
    return evidence;
}

} // namespace cardfit
