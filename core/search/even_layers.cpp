// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/even_layers.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/estimate/estimate.h"
#include "core/layers/layer_moves.h"
#include "core/layers/layer_split.h"
#include "core/pipeline/simulation/simulator.h"

namespace cardfit {

namespace {

/// The load of each rank.
struct Loads {
    std::vector<double> of_ranks;
    Bytes fullest; ///< device memory of the fullest card
    double step = 0.0;
    bool fits = false;
};

class EvenSearch {
public:
    EvenSearch(const Plan& plan, EvenGoal goal, Profile profile)
        : m_goal(goal)
        , m_profile(profile)
    {
        m_result.plan = plan;
    }

    EvenedLayers run()
    {
        auto layers = layerSplit(m_result.plan);
        auto loads = loadsOf(m_result.plan);
        if (!layers || !loads || loads->of_ranks.size() < 2) return m_result;
        m_layers = *std::move(layers);
        m_loads = *loads;
        m_longest_step = longestStep();
        while (moveOne())
            ++m_result.moved;
        m_result.memory_change = m_loads.fullest - loads->fullest;
        m_result.step_change = m_loads.step / loads->step - 1.0;
        return m_result;
    }

private:
    [[nodiscard]] std::optional<Loads> loadsOf(const Plan& plan)
    {
        ++m_estimates;
        const Estimate result = estimateUnder(plan, m_profile);
        if (!result.complete()) return std::nullopt;
        Loads loads{{}, {}, result.step.seconds.value(), result.fits()};
        for (std::size_t rank = 0; rank < result.stages.size(); ++rank) {
            loads.fullest = std::max(loads.fullest, result.stages[rank].device());
            loads.of_ranks.push_back(m_goal == EvenGoal::Memory
                    ? static_cast<double>(result.stages[rank].device().value())
                    : busyTime(*result.timeline, rank));
        }
        return loads;
    }

    /// The longest step that a plan that fits may get.
    [[nodiscard]] double longestStep()
    {
        Plan automatic = m_result.plan;
        automatic.parallelism.layers_per_stage.reset();
        const auto loads = loadsOf(automatic);
        const double fastest = loads ? std::min(loads->step, m_loads.step) : m_loads.step;
        return std::max(m_loads.step, (1.0 + kMostEvenSlowdown) * fastest);
    }

    [[nodiscard]] bool isBetter(const Loads& loads) const
    {
        if (m_goal == EvenGoal::Time && (loads.step > m_loads.step || (m_loads.fits && !loads.fits))) return false;
        if (m_goal == EvenGoal::Memory && m_loads.fits && loads.step > std::max(m_longest_step, m_loads.step))
            return false;
        return descending(loads.of_ranks) < descending(m_loads.of_ranks);
    }

    bool moveOne()
    {
        const auto stages_of = [this](std::size_t rank) { return stagesOfRank(m_result.plan, rank); };
        return moveOffHeaviest(m_loads.of_ranks, m_layers, stages_of, [this](std::size_t from, std::size_t to) {
            if (m_estimates < kMostEvenEstimates) return tryMove(from, to) ? LayerMove::Taken : LayerMove::Refused;
            m_result.exhausted = true;
            return LayerMove::GivenUp;
        });
    }

    bool tryMove(std::size_t from, std::size_t to)
    {
        auto layers = m_layers;
        --layers[from];
        ++layers[to];
        Plan variant = withLayerSplit(m_result.plan, layers);
        auto loads = loadsOf(variant);
        if (!loads || !isBetter(*loads)) return false;
        m_layers = std::move(layers);
        m_loads = *std::move(loads);
        m_result.plan = std::move(variant);
        return true;
    }

    EvenGoal m_goal;
    Profile m_profile;
    EvenedLayers m_result;
    std::vector<std::int64_t> m_layers;
    Loads m_loads;
    double m_longest_step = 0.0;
    std::int64_t m_estimates = 0;
};

} // namespace

EvenedLayers evenOutLayers(const Plan& plan, EvenGoal goal, Profile profile)
{
    return EvenSearch(plan, goal, profile).run();
}

} // namespace cardfit
