// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plan_edits.h"

#include <algorithm>
#include <array>

namespace cardfit::app {

namespace {

std::int64_t replicaCards(const Plan& plan)
{
    return plan.parallelism.tensor * plan.parallelism.pipeline * plan.parallelism.context;
}

/// A whole number that a check may name and that has no rail.
struct Field {
    std::string_view pointer;
    void (*set)(Plan& plan, std::int64_t value);
};

template <auto Member> void setShape(Plan& plan, std::int64_t value)
{
    plan.model.architecture.*Member = value;
    markAsOwn(plan.model);
}
template <auto Member> void setExperts(Plan& plan, std::int64_t value)
{
    if (!plan.model.architecture.moe) return;
    (*plan.model.architecture.moe).*Member = value;
    markAsOwn(plan.model);
}

constexpr std::array<Field, 11> kFields{{
    {"/model/hidden_size", setShape<&Architecture::hidden_size>},
    {"/model/num_attention_heads", setShape<&Architecture::num_attention_heads>},
    {"/model/num_key_value_heads", setShape<&Architecture::num_key_value_heads>},
    {"/model/head_dim", setShape<&Architecture::head_dim>},
    {"/model/intermediate_size", setShape<&Architecture::intermediate_size>},
    {"/model/vocab_size", setShape<&Architecture::vocab_size>},
    {"/model/moe/num_experts", setExperts<&MixtureOfExperts::num_experts>},
    {"/model/moe/num_experts_per_tok", setExperts<&MixtureOfExperts::num_experts_per_tok>},
    {"/model/moe/moe_intermediate_size", setExperts<&MixtureOfExperts::moe_intermediate_size>},
    {"/recipe/optimizer_instances", [](Plan& plan, std::int64_t value) { plan.recipe.optimizer_instances = value; }},
    {"/recipe/microbatch_group", [](Plan& plan, std::int64_t value) { plan.recipe.microbatch_group = value; }},
}};

} // namespace

bool cardsAddUp(const Plan& plan)
{
    const std::int64_t replica = replicaCards(plan);
    const std::int64_t cards = cardCount(plan.cluster);
    if (plan.parallelism.data) return replica * *plan.parallelism.data == cards;
    return replica >= 1 && replica <= cards && cards % replica == 0;
}

Plan settled(const Plan& before, Plan after, Follower follower)
{
    if (follower == Follower::Data) {
        // An explicit number that agreed with the cards goes on agreeing; one that did not stays as it was given.
        const bool same_data = after.parallelism.data == before.parallelism.data;
        if (same_data && cardsAddUp(before)) after.parallelism.data.reset();
        return after;
    }
    if (!cardsAddUp(before) || after.cluster.nodes != before.cluster.nodes) return after;
    const std::int64_t data = after.parallelism.data.value_or(dataParallel(before));
    const std::int64_t cards = replicaCards(after) * data;
    if (after.cluster.cards_per_node < 1 || cards % after.cluster.cards_per_node != 0) return after;
    after.parallelism.data = data;
    after.cluster.nodes = cards / after.cluster.cards_per_node;
    return after;
}

void markAsOwn(Model& model)
{
    if (!model.id.empty() || model.parameters) model.name += ", changed";
    model.id.clear();
    model.family.clear();
    model.parameters.reset();
    model.reported_parameters.reset();
}

void markAsOwn(Cluster& cluster)
{
    if (!cluster.id.empty()) cluster.name += ", changed";
    cluster.id.clear();
}

std::optional<Plan> withPlainField(const Plan& plan, std::string_view field, std::int64_t value)
{
    const auto found = std::ranges::find(kFields, field, &Field::pointer);
    if (found == kFields.end()) return std::nullopt;
    Plan changed = plan;
    found->set(changed, value);
    return changed;
}

} // namespace cardfit::app
