// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/overheads.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/memory/activations.h"

namespace cardfit {

namespace {

constexpr Mebibytes kAmpereGemmWorkspace(4);
constexpr Mebibytes kHopperGemmWorkspace(32); ///< TransformerEngine, Hopper and later
// PyTorch's default cuBLAS workspace per thread and stream (aten/src/ATen/cuda/CublasHandlePool.cpp).
constexpr Bytes kCublasWorkspace(8'519'680); ///< 8.125 MiB
constexpr Mebibytes kHopperCublasWorkspace(32);
constexpr std::int64_t kCublasStreams = 2; ///< forward and backward threads
constexpr Mebibytes kGroupedWorkspace(144); ///< four streams of 32 MiB and 16; fitted on DeepSeek B200 runs
constexpr Mebibytes kSmallBuffers(2); ///< random states, token ids, labels, padding of optimizer buckets
constexpr Mebibytes kContext(614); ///< 0.6 GiB
constexpr Mebibytes kCommunicator(614);
constexpr std::int64_t kMostCommunicators = 5;
constexpr double kReserve = 0.052;

bool precedesHopper(const Accelerator& accelerator)
{
    return accelerator.architecture == "volta" || accelerator.architecture == "turing"
        || accelerator.architecture == "ampere" || accelerator.architecture == "ada";
}

Bytes cublasWorkspace(const Plan& plan)
{
    if (plan.recipe.cublas_workspace) return toBytes(*plan.recipe.cublas_workspace);
    return plan.cluster.accelerator.architecture == "hopper" ? toBytes(kHopperCublasWorkspace) : kCublasWorkspace;
}

/// Distinct shapes of the stage's weights, rows x columns.
std::set<std::pair<std::int64_t, std::int64_t>> weightShapes(
    const Plan& plan, const OperatorTables& tables, const StageLayers& stage)
{
    std::set<std::pair<std::int64_t, std::int64_t>> shapes;
    const auto add = [&](const std::vector<Operator>& operators) {
        for (const Operator& step : operators) {
            for (const Weight& weight : step.weights) {
                if (weight.linear) shapes.emplace(weight.rows, weight.columns);
            }
        }
    };
    const LayerKinds kinds = layerKinds(plan.model.architecture, stage);
    if (kinds.dense > 0) add(tables.dense_layer);
    if (kinds.experts > 0) add(tables.expert_layer);
    if (stage.head) {
        const CardShare share = cardShare(plan);
        shapes.emplace(share.vocabulary / share.tensor, plan.model.architecture.hidden_size);
    }
    return shapes;
}

/// With fused accumulation TransformerEngine hands autograd a dummy gradient, cached per distinct weight shape.
Bytes dummyGradients(const Plan& plan, const OperatorTables& tables, const StageLayers& stage)
{
    Bytes total;
    for (const auto& [rows, columns] : weightShapes(plan, tables, stage))
        total += Bytes(2 * rows * columns);
    return total;
}

std::int64_t largestLayer(const OperatorTables& tables)
{
    return std::max(countElements(tables.dense_layer).total(), countElements(tables.expert_layer).total());
}

void addMegatronBuffers(
    const Plan& plan, const OperatorTables& tables, const StageLayers& stage, std::vector<Term>& terms)
{
    const auto add = [&](std::string_view id, Bytes bytes) {
        if (bytes > Bytes(0)) terms.push_back({Segment::Temporary, id, bytes});
    };
    const auto& degrees = plan.parallelism;
    const bool transformer_engine = plan.recipe.kernels == Kernels::TransformerEngine;
    if (degrees.sequence && degrees.tensor > 1 && stage.head) {
        add("buffer.sequence_gather", degrees.tensor * residualStream(plan));
    }
    if (!stage.embedding) add("buffer.stale_gradient", residualStream(plan));
    if (plan.recipe.gradient_accumulation_fusion && transformer_engine) {
        add("buffer.dummy_gradients", dummyGradients(plan, tables, stage));
    }
}

/// Reduce buckets of 5e8 elements, two when they overlap with computation, and a gather bucket of 5e8 elements
/// (DeepSpeed config-json: reduce_bucket_size, allgather_bucket_size); never more than there is to send.
void addDeepSpeedBuffers(const Plan& plan, const StageParameters& parameters, std::vector<Term>& terms)
{
    if (plan.recipe.sharding == Sharding::None) return;
    constexpr double kBucket = 5e8;
    const double elements = std::min(kBucket, parameters.dense + parameters.expert);
    const double buckets = plan.recipe.overlap.gradients ? 2.0 : 1.0;
    terms.push_back({Segment::Temporary, "buffer.reduce_buckets", roundToBytes(2.0 * buckets * elements)});
    terms.push_back({Segment::Temporary, "buffer.gather_bucket", roundToBytes(2.0 * elements)});
}

/// Layers whose bf16 weights are gathered: the one at work and the one being prefetched, and the output layer; all of
/// them where sharding leaves weights gathered during the step.
void addGatheredLayers(const Plan& plan, const OperatorTables& tables, const StageLayers& stage,
    const StageParameters& parameters, std::vector<Term>& terms)
{
    if (plan.recipe.sharding == Sharding::Zero2 && plan.recipe.framework == Framework::Fsdp) {
        terms.push_back({Segment::Temporary, "buffer.gathered_weights",
            roundToBytes(2.0 * (parameters.dense + parameters.expert))});
        return;
    }
    if (plan.recipe.sharding != Sharding::Zero3) return;
    terms.push_back({Segment::Temporary, "buffer.gathered_layers", Bytes(2 * 2 * largestLayer(tables))});
    if (stage.head) {
        const CardShare share = cardShare(plan);
        const std::int64_t rows = share.vocabulary / share.tensor;
        terms.push_back(
            {Segment::Temporary, "buffer.gathered_output", Bytes(2 * rows * plan.model.architecture.hidden_size)});
    }
}

} // namespace

std::vector<Term> fixedTerms(
    const Plan& plan, const OperatorTables& tables, const StageLayers& stage, const StageParameters& parameters)
{
    const auto& model = plan.model.architecture;
    const auto& recipe = plan.recipe;
    std::vector<Term> terms;
    const auto add = [&](std::string_view id, Bytes bytes) {
        if (bytes > Bytes(0)) terms.push_back({Segment::Temporary, id, bytes});
    };

    add("workspace.gemm",
        toBytes(precedesHopper(plan.cluster.accelerator) ? kAmpereGemmWorkspace : kHopperGemmWorkspace));
    if (stage.head || model.moe) {
        add("workspace.cublas", kCublasStreams * cublasWorkspace(plan));
    }
    if (model.moe && recipe.moe.grouped_gemm) add("workspace.grouped_gemm", toBytes(kGroupedWorkspace));
    add("buffer.small", toBytes(kSmallBuffers));
    if (model.position_embedding == PositionEmbedding::Rope) {
        const std::int64_t rotated = model.mla ? model.mla->qk_rope_head_dim : model.head_dim;
        add("buffer.rotary_table", Bytes(4 * (plan.workload.sequence_length / plan.parallelism.context) * rotated));
    }
    if (recipe.framework == Framework::Megatron) addMegatronBuffers(plan, tables, stage, terms);
    if (recipe.framework == Framework::DeepSpeed) addDeepSpeedBuffers(plan, parameters, terms);
    addGatheredLayers(plan, tables, stage, parameters, terms);
    return terms;
}

std::vector<Term> deviceTerms(const Plan& plan)
{
    const auto& degrees = plan.parallelism;
    const std::int64_t groups = (degrees.tensor > 1 ? 1 : 0) + (degrees.pipeline > 1 ? 1 : 0)
        + (degrees.context > 1 ? 1 : 0) + (degrees.expert > 1 ? 1 : 0) + (dataParallel(plan) > 1 ? 1 : 0);
    std::vector<Term> terms;
    if (groups > 0) {
        terms.push_back(
            {Segment::Communication, "communicators", std::min(groups, kMostCommunicators) * toBytes(kCommunicator)});
    }
    terms.push_back(
        {Segment::DeviceContext, "device_context", toBytes(plan.overheads.device_context.value_or(kContext))});
    return terms;
}

double reserveFraction(const Plan& plan) { return plan.overheads.reserve_fraction.value_or(kReserve); }

} // namespace cardfit
