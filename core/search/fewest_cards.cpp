// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/fewest_cards.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "core/plan/edits.h"
#include "core/search/bounds.h"

namespace cardfit {

namespace {

constexpr std::int64_t kMostCards = 1 << 20;
constexpr std::int64_t kAlwaysLookedAt = 1024;

/// The plan with other degrees, without the settings that no longer make sense.
Plan withDegrees(const Plan& plan, std::int64_t tensor, std::int64_t pipeline)
{
    Plan changed = plan;
    auto& degrees = changed.parallelism;
    if (pipeline != degrees.pipeline) degrees.layers_per_stage.reset();
    degrees.tensor = tensor;
    degrees.pipeline = pipeline;
    if (tensor == 1) degrees.sequence = false;
    return pipeline == 1 ? withChunks(std::move(changed), 1) : changed;
}

/// The same plan with the least work: one sequence of 128 tokens per micro-batch, and the fewest micro-batches that its
/// schedule accepts. It needs no more memory than the plan and is quick to estimate.
std::optional<Plan> leastWork(const Plan& plan, const Trials& trials)
{
    constexpr std::int64_t kFewTokens = 128;
    Plan least = plan;
    auto& work = least.workload;
    work.micro_batch_size = 1;
    const std::int64_t tokens = kFewTokens * plan.parallelism.context * plan.parallelism.tensor;
    work.sequence_length = std::min(work.sequence_length, tokens);
    for (const std::int64_t microbatches : {std::int64_t{1}, plan.parallelism.pipeline}) {
        work.global_batch_size = dataParallel(plan) * microbatches;
        if (work.global_batch_size <= plan.workload.global_batch_size && trials.accepts(least)) return least;
    }
    return std::nullopt;
}

/// Whether states and buffers alone fit, by the lower bound of a search. True for other profiles, for which there is no
/// bound.
bool statesMayFit(const Plan& plan, Profile profile)
{
    if (profile != Profile::AsPlanned) return true;
    const SearchSpace one{plan, {}};
    SharedCosts shared(one);
    const SpacePoint point(one);
    return BranchBounds(point, shared).lasting().over <= Bytes(0);
}

/// Plans on the same number of cards.
using Group = std::vector<Plan>;

std::map<std::int64_t, Group> plansByCards(const Plan& plan, const Trials& trials)
{
    const auto& model = plan.model.architecture;
    const std::int64_t most = std::max(kAlwaysLookedAt, 4 * cardCount(plan.cluster));
    const std::int64_t most_tensor = std::min(cardsPerDomain(plan.cluster), model.num_attention_heads);
    const auto replicas = dataDegrees(plan);
    std::map<std::int64_t, Group> groups;
    for (std::int64_t tensor = 1; tensor <= most_tensor; ++tensor) {
        if (model.num_attention_heads % tensor != 0) continue;
        for (std::int64_t pipeline = 1; pipeline <= std::min(model.num_hidden_layers, most / tensor); ++pipeline) {
            const Plan degrees = withDegrees(plan, tensor, pipeline);
            for (const std::int64_t data : replicas) {
                if (replicaCards(degrees.parallelism) * data > most) break;
                auto candidate = onCards(degrees, data);
                if (candidate && trials.accepts(*candidate)) {
                    groups[cardCount(candidate->cluster)].push_back(std::move(*candidate));
                }
            }
        }
    }
    return groups;
}

bool isFaster(const Trial& a, const Trial& b) { return a.step < b.step; }
bool isRoomier(const Trial& a, const Trial& b) { return a.free() > b.free(); }

} // namespace

std::vector<std::int64_t> divisorsOf(std::int64_t number)
{
    std::vector<std::int64_t> divisors;
    for (std::int64_t value = 1; value * value <= number; ++value) {
        if (number % value != 0) continue;
        divisors.push_back(value);
        if (value != number / value) divisors.push_back(number / value);
    }
    std::ranges::sort(divisors);
    return divisors;
}

std::optional<Plan> onCards(const Plan& plan, std::int64_t data)
{
    const std::int64_t cards = replicaCards(plan.parallelism) * data;
    Plan changed = plan;
    Cluster& cluster = changed.cluster;
    if (cards < cluster.cards_per_node) {
        cluster.nodes = cluster.nodes_per_domain = 1;
        cluster.cards_per_node = cards;
        markAsOwn(cluster);
    } else {
        if (cards % cluster.cards_per_node != 0) return std::nullopt;
        cluster.nodes = cards / cluster.cards_per_node;
    }
    if (changed.parallelism.data) changed.parallelism.data = data;
    return changed;
}

std::vector<std::int64_t> dataDegrees(const Plan& plan)
{
    const std::int64_t shared = plan.workload.global_batch_size / plan.workload.micro_batch_size;
    const std::int64_t replica = replicaCards(plan.parallelism);
    auto degrees = divisorsOf(shared);
    std::erase_if(degrees, [&](std::int64_t data) { return data * replica > kMostCards; });
    return degrees;
}

Boundary fewestCards(const Plan& plan, Trials& trials)
{
    std::vector<Plan> plans;
    for (const std::int64_t data : dataDegrees(plan)) {
        auto candidate = onCards(plan, data);
        if (candidate && trials.accepts(*candidate)) plans.push_back(std::move(*candidate));
    }
    if (plans.empty()) return {};
    // A single replica needs no communication buffers for replicas, so it may fit where two do not.
    const auto run = [&](const Plan& candidate) { return trials.run(candidate, cardCount(candidate.cluster)); };
    if (auto fewest = run(plans.front()); fewest && fewest->fits()) return {std::move(fewest), std::nullopt};
    // Memory grows from most cards to fewest.
    std::ranges::reverse(plans);
    const auto own = std::ranges::find_if(
        plans, [&](const Plan& candidate) { return cardCount(candidate.cluster) <= cardCount(plan.cluster); });
    return findBoundary(static_cast<std::int64_t>(plans.size()), own - plans.begin(),
        [&](std::int64_t stop) { return run(plans[static_cast<std::size_t>(stop)]); });
}

Boundary fewestCardsOfAnyDegrees(const Plan& plan, Trials& trials)
{
    const auto keep = [](std::optional<Trial>& best, std::optional<Trial> trial, const auto& is_better) {
        if (trial && (!best || is_better(*trial, *best))) best = std::move(trial);
    };
    const auto groups = plansByCards(plan, trials);
    std::optional<Trial> fastest;
    const Group* before = nullptr; // the plans on the next smaller number of cards
    for (const auto& [cards, group] : groups) {
        for (const Plan& candidate : group) {
            if (!statesMayFit(candidate, trials.profile())) continue;
            const auto least = leastWork(candidate, trials);
            const auto floor = least ? trials.run(*least, cards) : std::nullopt;
            if (floor && !floor->fits()) continue;
            auto trial = trials.run(candidate, cards);
            if (trial && trial->fits()) keep(fastest, std::move(trial), isFaster);
        }
        if (fastest) break;
        before = &group;
    }
    Boundary boundary;
    boundary.fits = std::move(fastest);
    if (before != nullptr) {
        for (const Plan& candidate : *before)
            keep(boundary.misses, trials.run(candidate, cardCount(candidate.cluster)), isRoomier);
    }
    return boundary;
}

} // namespace cardfit
