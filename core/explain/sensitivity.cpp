// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/explain/explain.h"

namespace cardfit {

namespace {

struct Change {
    Sentence name;
    Plan plan;
};

/// Doubles the degree and halves the replicas; doubles the cards instead if the replicas are odd.
Change doubled(Plan plan, Phrase name, std::int64_t Parallelism::*degree)
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

std::vector<Change> changes(const Plan& plan)
{
    std::vector<Change> all;
    const auto add = [&](Phrase name, auto edit) {
        Change change{name, plan};
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

} // namespace

std::vector<Sensitivity> sensitivity(
    const Plan& plan, const Estimate& estimate, std::string_view figure, Profile profile)
{
    const auto before = figureValue(estimate, figure);
    if (!before) return {};
    std::vector<Sensitivity> result;
    for (const Change& change : changes(plan)) {
        const Estimate changed = estimateUnder(change.plan, profile);
        if (!staysValid(estimate, changed)) continue;
        const FigureValue none{before->unit, {}, 0.0};
        const FigureValue after = figureValue(changed, figure).value_or(none);
        result.push_back({change.name, {before->unit, after.bytes - before->bytes, after.number - before->number}});
    }
    return result;
}

} // namespace cardfit
