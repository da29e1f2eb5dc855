// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/even_layers.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "core/estimate.h"
#include "core/pipeline/simulator.h"
#include "core/plan/layer_split.h"

namespace cardfit {

namespace {

/// What each rank has to bear, by rank; in descending order it is compared.
struct Loads {
    std::vector<double> of_ranks;
    double step = 0.0;
    bool fits = false;

    [[nodiscard]] std::vector<double> descending() const
    {
        auto sorted = of_ranks;
        std::ranges::sort(sorted, std::greater<>());
        return sorted;
    }
    /// Ranks, the lightest first.
    [[nodiscard]] std::vector<std::size_t> byLoad() const
    {
        std::vector<std::size_t> ranks(of_ranks.size());
        std::iota(ranks.begin(), ranks.end(), std::size_t{0});
        std::ranges::stable_sort(ranks, {}, [this](std::size_t rank) { return of_ranks[rank]; });
        return ranks;
    }
};

class EvenSearch {
public:
    EvenSearch(const Plan& plan, EvenGoal goal, Profile profile)
        : m_goal(goal)
        , m_profile(profile)
        , m_result{plan}
    {
    }

    EvenedLayers run()
    {
        auto layers = layerSplit(m_result.plan);
        auto loads = loadsOf(m_result.plan);
        if (!layers || !loads || loads->of_ranks.size() < 2) return m_result;
        m_layers = *std::move(layers);
        m_loads = *std::move(loads);
        while (moveOne())
            ++m_result.moved;
        return m_result;
    }

private:
    [[nodiscard]] std::optional<Loads> loadsOf(const Plan& plan)
    {
        ++m_estimates;
        const Estimate result = estimateUnder(plan, m_profile);
        if (!result.complete()) return std::nullopt;
        Loads loads{{}, result.step.seconds.value(), result.fits()};
        for (std::size_t rank = 0; rank < result.stages.size(); ++rank) {
            loads.of_ranks.push_back(m_goal == EvenGoal::Memory
                    ? static_cast<double>(result.stages[rank].device().value())
                    : busyTime(*result.timeline, rank));
        }
        return loads;
    }

    [[nodiscard]] bool isBetter(const Loads& loads) const
    {
        if (m_goal == EvenGoal::Time && (loads.step > m_loads.step || (m_loads.fits && !loads.fits))) return false;
        return loads.descending() < m_loads.descending();
    }

    /// Takes the first move off the heaviest rank that helps.
    bool moveOne()
    {
        const auto ranks = m_loads.byLoad();
        const std::size_t heaviest = ranks.back();
        // Last of all between its own chunks, which do not hold as many micro-batches.
        for (const std::size_t lighter : ranks) {
            for (const std::size_t from : stagesOfRank(m_result.plan, heaviest)) {
                for (const std::size_t to : stagesOfRank(m_result.plan, lighter)) {
                    if (m_estimates >= kMostEvenEstimates) {
                        m_result.exhausted = true;
                        return false;
                    }
                    if (from != to && m_layers[from] > 0 && tryMove(from, to)) return true;
                }
            }
        }
        return false;
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
    std::int64_t m_estimates = 0;
};

} // namespace

EvenedLayers evenOutLayers(const Plan& plan, EvenGoal goal, Profile profile)
{
    return EvenSearch(plan, goal, profile).run();
}

} // namespace cardfit
