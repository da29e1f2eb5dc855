// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/sensitivity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "core/base/parallel.h"
#include "core/explain/explain.h"

namespace cardfit {

namespace {

struct InputChange {
    Sentence name;
    Plan plan;
};

/// Doubles the degree and halves the replicas; doubles the cards instead if the replicas are odd.
InputChange doubled(Plan plan, Phrase name, std::int64_t Parallelism::*degree)
{
    const std::int64_t replicas = dataParallel(plan);
    plan.parallelism.*degree *= 2;
    const bool takes_replicas = replicas % 2 == 0;
    plan.parallelism.data = takes_replicas ? replicas / 2 : replicas;
    if (!takes_replicas) plan.cluster.nodes *= 2;
    Sentence change =
        takes_replicas ? Sentence::tr("{} x 2, data / 2", {name}) : Sentence::tr("{} x 2, cards x 2", {name});
    return {std::move(change), std::move(plan)};
}

std::vector<InputChange> inputChanges(const Plan& plan)
{
    std::vector<InputChange> all;
    const auto add = [&](Phrase name, auto edit) {
        InputChange change{name, plan};
        edit(change.plan);
        all.push_back(std::move(change));
    };
    add(Sentence::tr("sequence length x 2"), [](Plan& changed) { changed.workload.sequence_length *= 2; });
    add(Sentence::tr("micro-batch x 2"), [](Plan& changed) { changed.workload.micro_batch_size *= 2; });
    all.push_back(doubled(plan, Sentence::tr("tensor"), &Parallelism::tensor));
    all.push_back(doubled(plan, Sentence::tr("pipeline"), &Parallelism::pipeline));
    add(Sentence::tr("data x 2, cards x 2"), [&](Plan& changed) {
        changed.parallelism.data = 2 * dataParallel(plan);
        changed.cluster.nodes *= 2;
    });
    const bool trains = plan.workload.task != Task::Inference;
    if (trains && plan.recipe.recompute.granularity != RecomputeGranularity::Full) {
        add(Sentence::tr("full recomputation"), [](Plan& changed) {
            changed.recipe.recompute = {};
            changed.recipe.recompute.granularity = RecomputeGranularity::Full;
        });
    }
    return all;
}

/// Whether the changed plan breaks no rule that the plan keeps.
bool staysValid(const Estimate& before, const Estimate& after)
{
    if (!after.complete()) return false;
    return std::ranges::none_of(after.checks, [&](const Check& broken) {
        return broken.severity == Severity::Error
            && std::ranges::find(before.checks, broken.id, &Check::id) == before.checks.end();
    });
}

/// What a user waits for: the step, or a token of a served model.
Seconds pace(const Estimate& estimate)
{
    if (estimate.server && estimate.server->pace) return estimate.server->pace->pace.tpot();
    return estimate.step.seconds;
}

Bytes fullestCard(const Estimate& estimate) { return estimate.stages[estimate.worstStage()].device(); }

} // namespace

std::vector<ChangedInput> changedInputs(const Plan& plan, const Estimate& estimate, Profile profile)
{
    std::vector<ChangedInput> result;
    for (InputChange& change : inputChanges(plan)) {
        Estimate changed = estimateUnder(change.plan, profile);
        if (staysValid(estimate, changed))
            result.push_back({std::move(change.name), std::move(change.plan), std::move(changed)});
    }
    return result;
}

std::vector<ChangedConstant> changedConstants(const Plan& plan, const Estimate& estimate, Profile profile)
{
    std::vector<ChangedConstant> all;
    for (const ConstantRow& row : constantRows()) {
        if (row.tier != Tier::Physics) all.push_back({row.value, {}, 1.0});
    }
    forEachInParallel(all.size(), [&](std::size_t i) {
        Plan changed = plan;
        changed.constants.set(all[i].constant, (1.0 + kRaisedBy) * plan.constants[all[i].constant]);
        const Estimate after = estimateUnder(changed, profile);
        if (!after.complete()) return;
        all[i].device = fullestCard(after) - fullestCard(estimate);
        all[i].step_ratio = pace(after) / pace(estimate);
    });
    std::erase_if(all, [](const ChangedConstant& one) { return one.device == Bytes(0) && one.step_ratio == 1.0; });
    std::ranges::stable_sort(
        all, std::greater<>(), [](const ChangedConstant& one) { return std::abs(one.step_ratio - 1.0); });
    return all;
}

std::vector<Sensitivity> sensitivity(
    const Plan& plan, const Estimate& estimate, std::string_view figure, Profile profile)
{
    const auto before = figureValue(estimate, figure);
    if (!before) return {};
    std::vector<Sensitivity> result;
    for (const ChangedInput& changed : changedInputs(plan, estimate, profile)) {
        const FigureValue none{before->unit, {}, 0.0};
        const FigureValue after = figureValue(changed.estimate, figure).value_or(none);
        result.push_back({changed.change, {before->unit, after.bytes - before->bytes, after.number - before->number}});
    }
    return result;
}

} // namespace cardfit
