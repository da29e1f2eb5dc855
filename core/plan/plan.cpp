// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan.h"

namespace cardfit {

bool trainsAdapters(const Plan& plan) { return plan.workload.task == Task::Lora || plan.workload.task == Task::Qlora; }

std::optional<Adapter> adapterOf(const Plan& plan)
{
    if (!trainsAdapters(plan)) return std::nullopt;
    return plan.recipe.adapter.value_or(Adapter{});
}

std::int64_t dataParallel(const Plan& plan)
{
    const auto& degrees = plan.parallelism;
    if (degrees.data) return *degrees.data;
    const std::int64_t replica = degrees.tensor * degrees.pipeline * degrees.context;
    return replica > 0 ? cardCount(plan.cluster) / replica : 0;
}

std::int64_t microBatches(const Plan& plan)
{
    const std::int64_t sequences = plan.workload.micro_batch_size * dataParallel(plan);
    return sequences > 0 ? plan.workload.global_batch_size / sequences : 0;
}

double computeFactor(const Plan& plan) { return plan.calibration ? plan.calibration->compute_factor : 1.0; }

double communicationFactor(const Plan& plan) { return plan.calibration ? plan.calibration->communication_factor : 1.0; }

} // namespace cardfit
