// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/plan_order.h"
#include "core/base/enum_names.h"

#include <algorithm>
#include <array>

namespace cardfit {

namespace {

/// Whether the two runs differ in nothing but the plan.
bool sameTask(const MeasuredTime& a, const MeasuredTime& b)
{
    const Plan& one = a.plan;
    const Plan& other = b.plan;
    return a.group == b.group && a.year_hint == b.year_hint && one.recipe.software == other.recipe.software
        && one.model == other.model && one.cluster.accelerator.id == other.cluster.accelerator.id
        && cardCount(one.cluster) == cardCount(other.cluster)
        && one.workload.sequence_length == other.workload.sequence_length
        && one.workload.global_batch_size == other.workload.global_batch_size
        && one.recipe.precision == other.recipe.precision;
}

double measuredOf(const TimeComparison* run) { return run->measured.tokens_per_second_per_card; }

bool differs(PlanAxis axis, const Plan& a, const Plan& b)
{
    const Parallelism& one = a.parallelism;
    const Parallelism& other = b.parallelism;
    switch (axis) {
    case PlanAxis::TensorAgainstPipeline: return one.tensor != other.tensor && one.pipeline != other.pipeline;
    case PlanAxis::Tensor: return one.tensor != other.tensor;
    case PlanAxis::Pipeline: return one.pipeline != other.pipeline;
    case PlanAxis::VirtualPipeline: return one.virtual_pipeline != other.virtual_pipeline;
    case PlanAxis::Context: return one.context != other.context;
    case PlanAxis::Expert: return one.expert != other.expert || expertTensor(a) != expertTensor(b);
    case PlanAxis::MicroBatch: return a.workload.micro_batch_size != b.workload.micro_batch_size;
    case PlanAxis::Recompute: return a.recipe.recompute != b.recipe.recompute;
    case PlanAxis::Recipe: break;
    }
    return a.recipe != b.recipe || one != other;
}

} // namespace

std::string_view planAxisName(PlanAxis axis)
{
    constexpr auto kNames = textFor<PlanAxis>({"tensor_against_pipeline", "tensor", "pipeline", "virtual_pipeline",
        "context", "expert", "micro_batch_size", "recompute", "recipe"});
    return kNames[static_cast<std::size_t>(axis)];
}

std::optional<PlanAxis> planAxis(const Plan& a, const Plan& b)
{
    for (std::size_t i = 0; i < kPlanAxisCount; ++i) {
        if (differs(static_cast<PlanAxis>(i), a, b)) return static_cast<PlanAxis>(i);
    }
    return std::nullopt;
}

double PlanChoice::regret() const
{
    const auto predicted = [](const TimeComparison* run) { return *run->predicted; };
    const TimeComparison* chosen = *std::ranges::max_element(runs, {}, predicted);
    return measuredOf(*std::ranges::max_element(runs, {}, measuredOf)) / measuredOf(chosen) - 1.0;
}

std::vector<PlanChoice> planChoices(std::span<const TimeComparison> comparisons)
{
    std::vector<PlanChoice> choices;
    for (const TimeComparison& one : comparisons) {
        if (!one.predicted) continue;
        const auto found = std::ranges::find_if(
            choices, [&](const PlanChoice& choice) { return sameTask(choice.runs.front()->measured, one.measured); });
        if (found == choices.end())
            choices.push_back({one.measured.group, {&one}});
        else
            found->runs.push_back(&one);
    }
    std::erase_if(choices, [](const PlanChoice& choice) { return choice.runs.size() < 2; });
    return choices;
}

OrderSummary summarizeOrder(std::span<const PlanChoice> choices)
{
    std::array<AxisOrder, kPlanAxisCount> axes;
    OrderSummary summary;
    for (const PlanChoice& choice : choices) {
        ++summary.choices;
        const double regret = choice.regret();
        summary.worst_regret = std::max(summary.worst_regret, regret);
        if (regret > kRegret) ++summary.regretted;
        for (auto a = choice.runs.begin(); a != choice.runs.end(); ++a) {
            for (auto b = a + 1; b != choice.runs.end(); ++b) {
                const auto [less, more] = std::minmax({measuredOf(*a), measuredOf(*b)});
                const auto axis = planAxis((*a)->measured.plan, (*b)->measured.plan);
                if (!axis || more / less - 1.0 <= kTellApart) continue;
                const bool rises = measuredOf(*a) < measuredOf(*b);
                AxisOrder& order = axes[static_cast<std::size_t>(*axis)];
                ++order.pairs;
                if (rises ? *(*a)->predicted < *(*b)->predicted : *(*a)->predicted > *(*b)->predicted) ++order.right;
            }
        }
    }
    for (std::size_t i = 0; i < kPlanAxisCount; ++i) {
        axes[i].axis = static_cast<PlanAxis>(i);
        summary.pairs += axes[i].pairs;
        summary.right += axes[i].right;
        if (axes[i].pairs > 0) summary.axes.push_back(axes[i]);
    }
    return summary;
}

} // namespace cardfit
