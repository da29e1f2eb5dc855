// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profiles.h"

#include <algorithm>
#include <cmath>

#include "core/plan/stages.h"
#include "core/rules_of_thumb.h"

namespace cardfit {

namespace {

rules::Parameters articleParameters(const Plan& plan, const Estimate& estimate)
{
    return rules::Parameters(plan.model.parameters ? std::llround(*plan.model.parameters) : estimate.parameters.total);
}

void replaceMemory(const Plan& plan, rules::Parameters parameters, StageMemory& stage)
{
    const std::int64_t stages = plan.parallelism.pipeline;
    // A bidirectional schedule holds a stage of each of two copies of the model.
    const std::int64_t copies = plan.parallelism.virtual_pipeline / chunksInPipe(plan);
    const bool zero1 = plan.recipe.sharding != Sharding::None;
    const auto& widths = rules::kMegatronWidths;
    const Bytes optimizer = rules::share(parameters * widths.sharded(), stages * (zero1 ? dataParallel(plan) : 1));
    const rules::TransformerSize size{plan.workload.sequence_length, plan.model.architecture.hidden_size,
        plan.model.architecture.num_hidden_layers, plan.workload.micro_batch_size};
    const double in_flight = stage.in_flight / static_cast<double>(stages);
    const Bytes activations = roundToBytes(in_flight * static_cast<double>(rules::activationBytes(size).value()));

    const auto term = [&](Segment segment, std::string_view id, std::string_view formula, Bytes bytes) {
        return Term{segment, id, formula, copies, copies * bytes, {}};
    };
    stage.setTerms({term(Segment::Weights, "article.weights", "2 P_t / p",
                        rules::share(parameters * widths.weights, stages)),
        term(Segment::Gradients, "article.gradients", "4 P_t / p", rules::share(parameters * widths.gradients, stages)),
        term(Segment::Optimizer, "article.optimizer", zero1 ? "12 P_t / (p N_d)" : "12 P_t / p", optimizer),
        Term{Segment::Activations, "article.40shl", "40 s b h L F / p", 1, activations, {}}});
    // The picture over time follows the same arithmetic: every chunk in flight counts alike, nothing waits for the
    // weight half of its backward pass, and single operations need nothing.
    const Bytes each = stage.peak_chunks > 0 ? Bytes(activations.value() / stage.peak_chunks) : Bytes(0);
    ChunkMemory memory;
    memory.holding.saved = each;
    stage.passing = {std::vector(stage.passing.chunks.size(), memory), {}, {}, stage.peak_chunks * each};
}

} // namespace

Plan planUnder(const Plan& plan, Profile profile)
{
    Plan result = plan;
    switch (profile) {
    case Profile::AsPlanned:
    case Profile::Article: break;
    case Profile::Megatron:
        result.recipe.framework = Framework::Megatron;
        if (result.recipe.sharding != Sharding::None) result.recipe.sharding = Sharding::Zero1;
        break;
    case Profile::DeepSpeed: result.recipe.framework = Framework::DeepSpeed; break;
    case Profile::Fsdp:
        result.recipe.framework = Framework::Fsdp;
        if (result.recipe.sharding == Sharding::Zero1) result.recipe.sharding = Sharding::Zero3;
        break;
    }
    return result;
}

Estimate estimateUnder(const Plan& plan, Profile profile)
{
    Estimate result = estimate(planUnder(plan, profile));
    if (profile != Profile::Article || !result.complete) return result;
    const rules::Parameters parameters = articleParameters(plan, result);
    for (StageMemory& stage : result.stages)
        replaceMemory(plan, parameters, stage);
    result.fits = std::ranges::all_of(result.stages, &StageMemory::fits);
    return result;
}

} // namespace cardfit
