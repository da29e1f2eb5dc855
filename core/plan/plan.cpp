// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan.h"

#include <algorithm>

#include "core/base/count_product.h"

namespace cardfit {

Plan::Plan() = default;
Plan::Plan(const Plan&) = default;
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(const Plan&) = default;
Plan& Plan::operator=(Plan&&) noexcept = default;
Plan::~Plan() = default;
bool Plan::operator==(const Plan&) const = default;

void assume(Plan& plan, std::string sentence)
{
    if (std::ranges::find(plan.assumed, sentence) == plan.assumed.end()) plan.assumed.push_back(std::move(sentence));
}

bool trainsAdapters(const Plan& plan) { return plan.workload.task == Task::Lora || plan.workload.task == Task::Qlora; }

bool trainsAll(const Plan& plan) { return !trainsAdapters(plan) && plan.workload.task != Task::Inference; }

std::optional<Adapter> adapterOf(const Plan& plan)
{
    if (!trainsAdapters(plan)) return std::nullopt;
    return plan.recipe.adapter.value_or(Adapter{});
}

double offloadedGradients(const Plan& plan)
{
    const Offload& offload = plan.recipe.offload;
    switch (plan.recipe.framework) {
    case Framework::Megatron: break;
    case Framework::DeepSpeed: return offload.gradients.value_or(offload.optimizer);
    case Framework::Fsdp: return offload.gradients.value_or(offload.parameters);
    }
    return 0.0;
}

std::int64_t replicaCards(const Parallelism& degrees)
{
    return product(product(degrees.tensor, degrees.pipeline), degrees.context);
}

std::int64_t dataParallel(const Plan& plan)
{
    if (plan.parallelism.data) return *plan.parallelism.data;
    const std::int64_t replica = replicaCards(plan.parallelism);
    return replica > 0 ? cardCount(plan.cluster) / replica : 0;
}

std::int64_t expertTensor(const Plan& plan)
{
    const Parallelism& degrees = plan.parallelism;
    if (degrees.expert_tensor) return *degrees.expert_tensor;
    if (!plan.model.architecture.moe) return 1;
    const bool spread = degrees.expert > 1;
    if (plan.workload.task == Task::Inference)
        return spread ? 1 : product(degrees.tensor, std::max<std::int64_t>(dataParallel(plan), 1));
    switch (plan.recipe.framework) {
    case Framework::Megatron: return degrees.tensor;
    case Framework::Fsdp: return spread ? 1 : degrees.tensor;
    case Framework::DeepSpeed: break;
    }
    return 1;
}

std::int64_t expertCards(const Plan& plan) { return product(plan.parallelism.expert, expertTensor(plan)); }

std::int64_t expertCopies(const Plan& plan)
{
    if (!plan.model.architecture.moe) return 1;
    return std::max<std::int64_t>(plan.parallelism.tensor / std::max<std::int64_t>(expertCards(plan), 1), 1);
}

std::int64_t microBatches(const Plan& plan)
{
    const std::int64_t sequences = product(plan.workload.micro_batch_size, dataParallel(plan));
    return sequences > 0 ? plan.workload.global_batch_size / sequences : 0;
}

double computeFactor(const Plan& plan) { return plan.calibration ? plan.calibration->compute_factor : 1.0; }

double communicationFactor(const Plan& plan) { return plan.calibration ? plan.calibration->communication_factor : 1.0; }

} // namespace cardfit
