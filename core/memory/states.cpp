// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/states.h"

#include <algorithm>

namespace cardfit {

namespace {

double momentBytes(Optimizer optimizer)
{
    switch (optimizer) {
    case Optimizer::Adam: return 8.0;
    case Optimizer::AdamW8Bit: return 2.0;
    case Optimizer::Momentum:
    case Optimizer::Lion:
    case Optimizer::Muon: return 4.0;
    case Optimizer::Sgd:
    case Optimizer::Adafactor: return 0.0;
    }
    return 8.0;
}

double gradientBytes(GradientPrecision precision) { return precision == GradientPrecision::Fp32 ? 4.0 : 2.0; }

/// Bytes before sharding; the framework's convention decides.
StateLayout unsharded(const Recipe& recipe)
{
    StateLayout layout;
    layout.moments = momentBytes(recipe.optimizer);
    if (recipe.precision == Precision::Fp32) {
        layout.weights = layout.gradients = 4.0;
        return layout;
    }
    if (recipe.precision == Precision::Bf16Pure) {
        layout.weights = layout.gradients = 2.0;
        layout.moments /= 2.0; // moments follow the weights' format
        return layout;
    }
    if (recipe.framework == Framework::Fsdp) {
        layout.weights = layout.gradients = 4.0; // the sharded weights are the fp32 master copy
        return layout;
    }
    layout.weights = 2.0;
    layout.gradients = recipe.framework == Framework::DeepSpeed ? 2.0 : gradientBytes(recipe.gradient_precision);
    layout.master = 4.0;
    return layout;
}

bool reaches(Sharding sharding, Sharding stage) { return static_cast<int>(sharding) >= static_cast<int>(stage); }

} // namespace

StateLayout stateLayout(const Recipe& recipe)
{
    StateLayout layout = unsharded(recipe);
    layout.optimizer_sharded = reaches(recipe.sharding, Sharding::Zero1);
    layout.gradients_sharded = reaches(recipe.sharding, Sharding::Zero2);
    // FSDP keeps weights sharded between uses even where it leaves them gathered during the step (SHARD_GRAD_OP).
    const Sharding first = recipe.framework == Framework::Fsdp ? Sharding::Zero2 : Sharding::Zero3;
    layout.weights_sharded = reaches(recipe.sharding, first);
    return layout;
}

double denseShards(const Plan& plan)
{
    const auto cards = static_cast<double>(dataParallel(plan) * plan.parallelism.context);
    return std::max(1.0, cards / static_cast<double>(plan.recipe.optimizer_instances));
}

double expertShards(const Plan& plan)
{
    const auto& degrees = plan.parallelism;
    const std::int64_t cards = dataParallel(plan) * degrees.context * degrees.tensor;
    const std::int64_t replicas = cards / (degrees.expert * degrees.expert_tensor);
    return std::max(1.0, static_cast<double>(replicas) / static_cast<double>(plan.recipe.optimizer_instances));
}

StageParameters stageParameters(const Plan& plan, const OperatorTables& tables, const StageLayers& stage)
{
    StageParameters sum;
    const auto add = [&](const std::vector<Operator>& operators, std::int64_t times) {
        const ElementCount count = countElements(operators);
        sum.dense += static_cast<double>(times * count.dense);
        sum.expert += static_cast<double>(times * count.expert);
    };
    const LayerKinds kinds = layerKinds(plan.model.architecture, stage);
    add(tables.dense_layer, kinds.dense);
    add(tables.expert_layer, kinds.experts);
    if (stage.embedding) add(tables.embedding, 1);
    if (stage.head) add(tables.head, 1);
    return sum;
}

std::vector<Term> stateTerms(const Plan& plan, const StageParameters& parameters, std::int64_t weight_versions)
{
    const StateLayout layout = stateLayout(plan.recipe);
    const double dense_shards = denseShards(plan);
    const double expert_shards = expertShards(plan);

    std::vector<Term> terms;
    const auto add = [&](Segment segment, std::string_view dense_id, std::string_view expert_id, double per_parameter,
                         bool sharded) {
        const double dense = parameters.dense * per_parameter / (sharded ? dense_shards : 1.0);
        const double expert = parameters.expert * per_parameter / (sharded ? expert_shards : 1.0);
        if (dense > 0.0) terms.push_back({segment, dense_id, roundToBytes(dense)});
        if (expert > 0.0) terms.push_back({segment, expert_id, roundToBytes(expert)});
    };
    const auto versions = static_cast<double>(weight_versions);
    const double on_card = 1.0 - plan.recipe.offload.optimizer;
    add(Segment::Weights, "weights", "weights.experts", layout.weights, layout.weights_sharded);
    add(Segment::Weights, "weights.stashed", "weights.experts.stashed", layout.weights * (versions - 1.0),
        layout.weights_sharded);
    add(Segment::Gradients, "gradients", "gradients.experts", layout.gradients, layout.gradients_sharded);
    add(Segment::Optimizer, "optimizer.master", "optimizer.experts.master", layout.master * on_card,
        layout.optimizer_sharded);
    add(Segment::Optimizer, "optimizer.moments", "optimizer.experts.moments", layout.moments * on_card,
        layout.optimizer_sharded);
    return terms;
}

} // namespace cardfit
