// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/edits.h"

#include <algorithm>
#include <utility>

#include "core/base/count_product.h"
#include "core/pipeline/orders/schedules.h"

namespace cardfit {

bool cardsAddUp(const Plan& plan)
{
    const std::int64_t replica = replicaCards(plan.parallelism);
    const std::int64_t cards = cardCount(plan.cluster);
    if (plan.parallelism.data) return product(replica, *plan.parallelism.data) == cards;
    return replica >= 1 && replica <= cards && cards % replica == 0;
}

Plan withDerivedFactor(const Plan& before, Plan after, DerivedFactor derived)
{
    if (derived == DerivedFactor::Data) {
        // A given number that agreed with the cards is derived again; one that did not is kept.
        const bool same_data = after.parallelism.data == before.parallelism.data;
        if (same_data && cardsAddUp(before)) after.parallelism.data.reset();
        return after;
    }
    if (!cardsAddUp(before) || after.cluster.nodes != before.cluster.nodes) return after;
    const std::int64_t data = after.parallelism.data.value_or(dataParallel(before));
    const std::int64_t cards = product(replicaCards(after.parallelism), data);
    if (after.cluster.cards_per_node < 1 || cards % after.cluster.cards_per_node != 0) return after;
    after.parallelism.data = data;
    after.cluster.nodes = cards / after.cluster.cards_per_node;
    return after;
}

bool batchAddsUp(const Plan& plan)
{
    const std::int64_t sequences = product(plan.workload.micro_batch_size, dataParallel(plan));
    return sequences >= 1 && plan.workload.global_batch_size % sequences == 0;
}

Plan withDerivedBatchFactor(const Plan& before, Plan after, DerivedBatchFactor derived)
{
    if (derived == DerivedBatchFactor::MicroBatches || !batchAddsUp(before)) return after;
    return withMicroBatches(std::move(after), microBatches(before), derived);
}

Plan withMicroBatches(Plan plan, std::int64_t micro_batches, DerivedBatchFactor derived)
{
    Workload& work = plan.workload;
    if (derived == DerivedBatchFactor::Data) {
        const std::int64_t sequences = product(micro_batches, work.micro_batch_size); // of a replica
        if (sequences < 1 || work.global_batch_size < 1 || work.global_batch_size % sequences != 0) return plan;
        Plan changed = plan;
        changed.parallelism.data = work.global_batch_size / sequences;
        return withDerivedFactor(plan, std::move(changed), DerivedFactor::Nodes);
    }
    const std::int64_t passes = product(micro_batches, dataParallel(plan));
    if (passes < 1) return plan;
    if (derived == DerivedBatchFactor::MicroBatch) {
        if (work.global_batch_size % passes == 0) work.micro_batch_size = work.global_batch_size / passes;
    } else {
        work.global_batch_size = product(work.micro_batch_size, passes);
    }
    return plan;
}

Plan withChunks(Plan plan, std::int64_t chunks)
{
    plan.parallelism.virtual_pipeline = chunks;
    auto& schedule = plan.recipe.schedule;
    if (chunks > 1 && schedule == Schedule::OneFOneB) schedule = Schedule::InterleavedOneFOneB;
    if (chunks == 1 && schedule == Schedule::InterleavedOneFOneB) schedule = Schedule::OneFOneB;
    return plan;
}

Plan withSchedule(Plan plan, Schedule schedule)
{
    plan.recipe.schedule = schedule;
    auto& chunks = plan.parallelism.virtual_pipeline;
    chunks = fixedChunks(schedule).value_or(std::max<std::int64_t>(2, chunks));
    return plan;
}

Plan withModel(Plan plan, Model model)
{
    if (!plan.model.architecture.moe && model.architecture.moe) {
        plan.parallelism.expert = Parallelism{}.expert;
        plan.parallelism.expert_tensor.reset();
    }
    plan.model = std::move(model);
    return plan;
}

namespace {

void nameAsChanged(std::string& name)
{
    constexpr std::string_view kChanged = ", changed";
    if (!name.ends_with(kChanged)) name += kChanged;
}

} // namespace

void markAsOwn(Model& model)
{
    if (!model.id.empty() || model.parameters) nameAsChanged(model.name);
    model.id.clear();
    model.family.clear();
    model.parameters.reset();
    model.reported_parameters.reset();
}

void markAsOwn(Cluster& cluster)
{
    if (!cluster.id.empty()) nameAsChanged(cluster.name);
    cluster.id.clear();
}

void markAsOwn(const Plan& before, Plan& after)
{
    Architecture shape = after.model.architecture;
    if (shape.moe && before.model.architecture.moe) shape.moe->imbalance = before.model.architecture.moe->imbalance;
    if (shape != before.model.architecture) markAsOwn(after.model);
    const Cluster& from = before.cluster;
    const Cluster& to = after.cluster;
    Accelerator card = to.accelerator;
    card.price_per_hour_usd = from.accelerator.price_per_hour_usd;
    if (card != from.accelerator || to.intra_node != from.intra_node || to.inter_node != from.inter_node
        || to.cards_per_node != from.cards_per_node || to.nodes_per_domain != from.nodes_per_domain
        || to.intra_domain != from.intra_domain || to.host_memory_gb != from.host_memory_gb)
        markAsOwn(after.cluster);
}

} // namespace cardfit
