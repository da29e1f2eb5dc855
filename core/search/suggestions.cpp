// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/suggestions.h"

#include <algorithm>
#include <utility>

#include "core/layers/layer_split.h"
#include "core/search/boundary.h"

namespace cardfit {

namespace {

/// Smaller shares of the capacity, or of the step, are not worth a line.
constexpr double kNoticeable = 0.005;

/// Plans that fit come first, the fastest first; the others by most free memory.
bool isBetter(const Suggestion& a, const Suggestion& b)
{
    if (a.fits != b.fits) return a.fits;
    if (!a.fits || a.step_ratio == b.step_ratio) return a.freed > b.freed;
    return a.step_ratio < b.step_ratio;
}

/// Recomputation and offloading always cost time; if the step time does not change at all, it does not count that cost.
bool costsUncountedTime(const Plan& before, const Suggestion& suggestion)
{
    if (suggestion.step_ratio != 1.0 || suggestion.freed <= Bytes(0)) return false;
    const Recipe& after = suggestion.change.plan.recipe;
    return after.recompute != before.recipe.recompute || after.offload != before.recipe.offload;
}

/// One plan and the changes that were tried on it.
class Suggester {
public:
    Suggester(const Plan& plan, Profile profile)
        : m_plan(plan)
        , m_trials(plan, profile)
        , m_own(m_trials.run(plan))
    {
    }

    std::vector<Suggestion> run()
    {
        if (!m_own) return {};
        for (Change& change : singleChanges(m_plan, m_trials)) {
            auto trial = m_trials.run(change.plan);
            if (trial) consider(std::move(change), std::move(*trial));
        }
        if (!m_own->fits()) addFewestLayers();
        std::ranges::stable_sort(m_suggestions, isBetter);
        return std::move(m_suggestions);
    }

private:
    [[nodiscard]] bool helps(const Suggestion& suggestion) const
    {
        const bool frees = suggestion.freed / m_own->worst.capacity > kNoticeable;
        if (!m_own->fits()) return frees || suggestion.fits;
        return suggestion.fits && (frees || suggestion.step_ratio < 1.0 - kNoticeable);
    }

    void consider(Change change, Trial trial)
    {
        Suggestion suggestion;
        suggestion.freed = trial.free() - m_own->free();
        suggestion.fits = trial.fits();
        suggestion.step_ratio = trial.step / m_own->step;
        suggestion.change = std::move(change);
        suggestion.costs_uncounted_time = costsUncountedTime(m_plan, suggestion);
        suggestion.trial = std::move(trial);
        if (helps(suggestion)) m_suggestions.push_back(std::move(suggestion));
    }

    /// Adds the fewest layers per chunk whose recomputation makes the plan fit, if recomputing all of them does and
    /// fewer suffice.
    void addFewestLayers()
    {
        const bool all_would_do = std::ranges::any_of(m_suggestions, [](const Suggestion& suggestion) {
            return suggestion.fits && suggestion.change.plan.recipe.recompute.granularity == RecomputeGranularity::Full;
        });
        if (!all_would_do || m_plan.recipe.recompute.granularity != RecomputeGranularity::None) return;
        std::int64_t layers = 0;
        for (const StageLayers& stage : stageLayers(m_plan)) {
            for (const ModelChunk& chunk : stage.chunks)
                layers = std::max(layers, chunk.count());
        }
        // Stop i leaves i layers of a chunk without recomputation: memory grows along the ladder, from all layers
        // recomputed to one.
        const auto block = [&](std::int64_t stop) {
            return withRecompute(m_plan, {RecomputeGranularity::Full, {}, RecomputeMethod::Block, layers - stop});
        };
        auto fewest = findBoundary(layers, 0, [&](std::int64_t stop) { return m_trials.run(block(stop).plan, stop); });
        if (!fewest.fits || fewest.fits->value == 0) return;
        Change change = block(fewest.fits->value);
        fewest.fits->value = 0;
        consider(std::move(change), std::move(*fewest.fits));
    }

    const Plan& m_plan;
    Trials m_trials;
    std::optional<Trial> m_own;
    std::vector<Suggestion> m_suggestions;
};

} // namespace

std::vector<Suggestion> suggest(const Plan& plan, Profile profile) { return Suggester(plan, profile).run(); }

} // namespace cardfit
