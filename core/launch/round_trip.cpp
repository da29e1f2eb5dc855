// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/round_trip.h"

#include <algorithm>

#include "core/files/plan_differences.h"
#include "core/layers/layer_split.h"
#include "core/plan/edit.h"
#include "core/plan/stages.h"

namespace cardfit {

namespace {

/// The plan without names and without fields that have no effect, with defaults filled in, so that two plans of the
/// same run compare equal.
Plan withoutSynonyms(Plan plan)
{
    plan.name.clear();
    plan.source.clear();
    Model anonymous;
    anonymous.architecture = plan.model.architecture;
    plan.model = std::move(anonymous);
    plan.cluster = {};
    plan.overheads = {};
    plan.calibration.reset();
    plan.assumed.clear();
    Architecture& shape = plan.model.architecture;
    shape.attention_output_bias = shape.attention_output_bias.value_or(shape.attention_bias);
    if (shape.sliding_window && shape.sliding_window->full_every == 2)
        *shape.sliding_window = {shape.sliding_window->size, 2, 0};
    if (shape.sliding_window && shape.sliding_window->full_every > 0) shape.sliding_window->every = 1;
    Recipe& recipe = plan.recipe;
    if (!shape.moe) {
        recipe.moe = {};
        plan.parallelism.expert_tensor.reset();
    }
    if (recipe.sharding == Sharding::None) recipe.overlap.parameters = Overlap{}.parameters;
    if (plan.parallelism.context == 1) recipe.context_communication = {};
    if (recipe.recompute.granularity != RecomputeGranularity::Selective) recipe.recompute.modules.clear();
    if (recipe.recompute.granularity != RecomputeGranularity::Full)
        recipe.recompute = {recipe.recompute.granularity, recipe.recompute.modules, {}, 1};
    return plan;
}

/// Whether `field` is `whole` or below it.
bool isWithin(std::string_view field, std::string_view whole)
{
    return field.starts_with(whole) && (field.size() == whole.size() || field[whole.size()] == '/');
}

} // namespace

void noteRoundTripLosses(Launcher launcher, const Plan& plan, const Presets& presets, ExportedLaunch& exported)
{
    Plan base;
    base.model = plan.model;
    base.cluster = plan.cluster;
    const auto back = importLaunch(launcher, exported.text, base, presets);
    if (!back) {
        exported.notes.push_back(
            {"/", {}, Sentence::tr("the file is refused when it is read again: {}", {asSentence(back.error())})});
        return;
    }
    Plan wanted = plan;
    Plan found = back->plan;
    // What a file leaves to the framework is no difference from the same number, and what an import assumed is said by
    // its notes.
    for (Plan* one : {&wanted, &found}) {
        one->assumed.clear();
        one->parallelism.data = dataParallel(*one);
        one->parallelism.expert_tensor = expertTensor(*one);
    }
    // Two notations of the same layer split are no difference.
    if (const auto split = layerSplit(wanted); split && split == layerSplit(found)) {
        found.parallelism.layers_per_stage = wanted.parallelism.layers_per_stage;
        found.parallelism.layer_balance = wanted.parallelism.layer_balance;
    }
    const auto reasons = traitsOf(launcher).losses;
    for (Edit& edit : planDifferences(withoutSynonyms(std::move(wanted)), withoutSynonyms(std::move(found)))) {
        if (std::ranges::any_of(
                exported.notes, [&](const LaunchNote& note) { return isWithin(edit.field, note.what); }))
            continue;
        const auto reason =
            std::ranges::find_if(reasons, [&](const LossReason& one) { return isWithin(edit.field, one.field); });
        if (reason == reasons.end())
            exported.notes.push_back({std::move(edit.field), std::move(edit.from),
                Sentence::tr("the launcher sets it to {}", {valueWords(edit.to)})});
        else
            exported.notes.push_back({std::string(reason->field),
                edit.field == reason->field ? std::move(edit.from) : std::string(), reason->why});
    }
}

} // namespace cardfit
