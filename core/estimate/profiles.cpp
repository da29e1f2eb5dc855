// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/profiles.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/articles/rules_of_thumb.h"
#include "core/pipeline/analysis/residency.h"
#include "core/plan/stages.h"

namespace cardfit {

namespace {

/// The article's short formulas, see core/articles/rules_of_thumb.h: 2 + 4 + 12 bytes per parameter, 40 s b h L bytes
/// of activations.
void replaceMemory(const Plan& plan, std::int64_t parameters, StageMemory& stage)
{
    // A bidirectional schedule holds a stage of each of two copies of the model.
    const std::int64_t copies = plan.parallelism.virtual_pipeline / chunksInPipe(plan);
    const bool zero1 = plan.recipe.sharding != Sharding::None;
    const std::string given = fmt::format("P_t = {}, p = {}, N_d = {}, s = {}, b = {}, h = {}, L = {}, F = {}",
        parameters, plan.parallelism.pipeline, dataParallel(plan), plan.workload.sequence_length,
        plan.workload.micro_batch_size, plan.model.architecture.hidden_size, plan.model.architecture.num_hidden_layers,
        stage.in_flight);
    const auto term = [&](Segment segment, std::string_view id, std::string_view formula, std::int64_t count) {
        return Term{segment, id, formula, count, count * roundToBytes(reckon(formula, given).value_or(0.0)), {}};
    };
    const Term held = term(Segment::Activations, "article.40shl", "40 s b h L F / p", 1);
    stage.setTerms({term(Segment::Weights, "article.weights", "2 P_t / p", copies),
        term(Segment::Gradients, "article.gradients", "4 P_t / p", copies),
        term(Segment::Optimizer, "article.optimizer", zero1 ? "12 P_t / (p N_d)" : "12 P_t / p", copies), held});
    // The picture over time follows the same arithmetic: every chunk in flight counts alike, nothing waits for the
    // weight half of its backward pass, and single operations need nothing.
    const Bytes each = stage.peak_chunks > 0 ? Bytes(held.bytes.value() / stage.peak_chunks) : Bytes(0);
    ChunkMemory memory;
    memory.holding.saved = each;
    stage.passing = {std::vector(stage.passing.chunks.size(), memory), {}, {}, {}};
    amountOf(stage.passing.at_peak, Segment::Activations) = stage.peak_chunks * each;
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
    if (profile != Profile::Article || !result.complete()) return result;
    const auto& named = plan.model.parameters;
    const std::int64_t parameters = named ? std::llround(*named) : result.parameters.total;
    for (std::size_t rank = 0; rank < result.stages.size(); ++rank) {
        StageMemory& stage = result.stages[rank];
        replaceMemory(plan, parameters, stage);
        // Without transients another pass may be the one at which most are in flight.
        MemoryPeak peak =
            memoryPeak(result.timeline->ranks[rank], stage.passing.chunks, Bytes(0), result.timeline->placement);
        stage.peak_time = peak.time;
        stage.peak_operation = peak.operation;
        stage.peak_passes = std::move(peak.passes);
    }
    return result;
}

} // namespace cardfit
