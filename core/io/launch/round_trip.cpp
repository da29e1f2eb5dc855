// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launch/round_trip.h"

#include <algorithm>

#include "core/io/plan/plan_differences.h"
#include "core/plan/edit.h"
#include "core/plan/stages.h"

namespace cardfit {

namespace {

/// The plan without names and without fields that have no effect, with defaults written out, so that two plans of the
/// same run are equal.
Plan withoutSynonyms(Plan plan)
{
    plan.name.clear();
    Model anonymous;
    anonymous.architecture = plan.model.architecture;
    plan.model = std::move(anonymous);
    plan.cluster = {};
    plan.overheads = {};
    plan.calibration.reset();
    Architecture& shape = plan.model.architecture;
    shape.attention_output_bias = shape.attention_output_bias.value_or(shape.attention_bias);
    if (shape.sliding_window && shape.sliding_window->full_every == 2)
        *shape.sliding_window = {shape.sliding_window->size, 2, 0};
    if (shape.sliding_window && shape.sliding_window->full_every > 0) shape.sliding_window->every = 1;
    Recipe& recipe = plan.recipe;
    if (!shape.moe) recipe.moe = {};
    if (plan.parallelism.context == 1) recipe.context_communication = {};
    if (recipe.recompute.granularity != RecomputeGranularity::Selective) recipe.recompute.modules.clear();
    if (recipe.recompute.granularity != RecomputeGranularity::Full)
        recipe.recompute = {recipe.recompute.granularity, recipe.recompute.modules, {}, 1};
    return plan;
}

/// A note about a field is one about all fields below it.
bool isNoted(const std::vector<LaunchNote>& notes, const std::string& field)
{
    return std::ranges::any_of(notes, [&](const LaunchNote& note) {
        return field == note.what || (field.starts_with(note.what) && field[note.what.size()] == '/');
    });
}

} // namespace

void noteRoundTripLosses(Launcher launcher, const Plan& plan, ExportedLaunch& exported)
{
    Plan base;
    base.model = plan.model;
    base.cluster = plan.cluster;
    const auto back = importLaunch(launcher, exported.text, base, Presets{});
    if (!back) return;
    Plan wanted = plan;
    Plan found = back->plan;
    // Replicas are those for which there are cards, unless the plan says another number.
    wanted.parallelism.data = dataParallel(wanted);
    found.parallelism.data = dataParallel(found);
    for (const Edit& edit : planDifferences(withoutSynonyms(std::move(wanted)), withoutSynonyms(std::move(found)))) {
        if (!isNoted(exported.notes, edit.field))
            exported.notes.push_back(
                {edit.field, edit.from, Sentence::tr("the launcher makes it {}", {valueWords(edit.to)})});
    }
}

} // namespace cardfit
