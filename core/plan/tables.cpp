// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/tables.h"

#include <algorithm>

#include "core/pipeline/orders/placement.h"
#include "core/pipeline/orders/schedule_traits.h"
#include "core/plan/software.h"

namespace cardfit {

bool sendsTokensOnce(const Plan& plan)
{
    return plan.parallelism.sequence || plan.workload.task == Task::Inference
        || plan.recipe.framework != Framework::Megatron;
}

CardShare cardShare(const Plan& plan)
{
    CardShare share;
    share.sequence = plan.workload.sequence_length;
    share.micro_batch = plan.workload.micro_batch_size;
    share.tensor = plan.parallelism.tensor;
    share.context = plan.parallelism.context;
    share.expert = plan.parallelism.expert;
    share.expert_tensor = expertTensor(plan);
    share.sequence_parallel = plan.parallelism.sequence;
    share.tokens_sent_once = sendsTokensOnce(plan);
    share.image_tokens = plan.workload.image_tokens;
    share.images = plan.workload.images;
    share.vision_tensor = plan.parallelism.vision_tensor ? plan.parallelism.tensor : 1;
    share.vocabulary = paddedVocabulary(plan.model.architecture, plan.parallelism.tensor);
    return share;
}

double bytesPerValue(Precision precision)
{
    switch (precision) {
    case Precision::Fp32: return 4.0;
    case Precision::Fp8:
    case Precision::Int8: return 1.0;
    case Precision::Mxfp8: return 1.0 + 1.0 / 32.0;
    case Precision::Nvfp4: return 0.5 + 1.0 / 16.0;
    case Precision::Mxfp4: return 0.5 + 1.0 / 32.0;
    case Precision::Nf4: return 0.5 + 4.0 / 64.0;
    case Precision::Bf16:
    case Precision::Fp16:
    case Precision::Bf16Pure: break;
    }
    return 2.0;
}

MatrixFormat formatOf(Precision precision)
{
    switch (precision) {
    case Precision::Bf16:
    case Precision::Bf16Pure:
    case Precision::Fp16:
    case Precision::Mxfp4:
    case Precision::Nf4: break; // restored to 16 bits for the product
    case Precision::Fp8:
    case Precision::Mxfp8: return MatrixFormat::Fp8;
    case Precision::Nvfp4: return MatrixFormat::Fp4;
    case Precision::Fp32: return MatrixFormat::Fp32;
    case Precision::Int8: return MatrixFormat::Int8;
    }
    return MatrixFormat::Bits16;
}

bool hasMatrixUnits(const Accelerator& card, Precision precision)
{
    switch (formatOf(precision)) {
    case MatrixFormat::Fp8: return card.tflops.fp8.has_value();
    case MatrixFormat::Fp4: return card.tflops.fp4.has_value();
    case MatrixFormat::Int8: return card.tflops.int8.has_value();
    case MatrixFormat::Bits16:
    case MatrixFormat::Fp32: break;
    }
    return true;
}

bool servesOnly(Precision precision)
{
    return precision == Precision::Int8 || precision == Precision::Mxfp4 || precision == Precision::Nf4;
}

double quantizedBytes(const Plan& plan)
{
    if (plan.recipe.kernels != Kernels::TransformerEngine) return 0.0;
    const Precision precision = plan.recipe.precision;
    if (!isNarrow(precision)) return 0.0;
    // Block-scaled formats are always kept in both directions.
    return precision == Precision::Fp8 ? traits(plan.cluster.accelerator.generation).fp8_copies
                                       : 2.0 * bytesPerValue(precision);
}

bool keepsActivationInputInFp8(const Plan& plan)
{
    return plan.recipe.fp8_activation_input && plan.recipe.framework == Framework::Megatron
        && plan.model.architecture.gated_mlp;
}

namespace {

/// Bytes per value of the output gradient that a product keeps for a delayed weight half. TransformerEngine keeps the
/// quantized tensor with all its copies (pytorch/module/linear.py, delay_wgrad_compute). DualPipe and DualPipeV are not
/// Megatron-Core's: they have a store of their own (deepseek-ai/DualPipe 3da1bbe, dualpipe/utils.py, WeightGradStore),
/// whose closures hold what the weight's product reads, which is one copy.
double delayedGradientBytes(const Plan& plan, double element)
{
    const double quantized = quantizedBytes(plan);
    if (quantized == 0.0) return element;
    return traits(plan.recipe.schedule).overlaps_passes ? bytesPerValue(plan.recipe.precision) : quantized;
}

} // namespace

bool autocasts(const Plan& plan)
{
    const Recipe& recipe = plan.recipe;
    const bool mixed = recipe.precision == Precision::Bf16 || recipe.precision == Precision::Fp16;
    return recipe.framework == Framework::Fsdp && recipe.sharding == Sharding::None && mixed && trainsAll(plan);
}

bool repeatsKeys(const Plan& plan)
{
    if (plan.recipe.attention == Attention::Unfused) return true;
    const bool torchtitan = plan.workload.task == Task::Pretrain;
    return !has(plan, torchtitan ? SoftwareChange::TorchtitanGroupedKeys : SoftwareChange::TransformersGroupedKeys);
}

bool expertKernelsApart(const Plan& plan)
{
    return plan.recipe.framework == Framework::Megatron && !plan.recipe.moe.fused_grouped_mlp;
}

double elementBytes(const Plan& plan) { return plan.recipe.precision == Precision::Fp32 ? 4.0 : 2.0; }

OperatorOptions operatorOptions(const Plan& plan)
{
    const auto& recipe = plan.recipe;
    const bool eager = recipe.kernels == Kernels::Eager;
    const bool pytorch = eager || recipe.kernels == Kernels::Compiled;
    OperatorOptions options;
    options.element = elementBytes(plan);
    // TransformerEngine keeps the quantized input for the weight's gradient; PyTorch's float8 layers (torchao) keep the
    // 16-bit one and quantize it again.
    options.stored_input = options.element;
    if (recipe.kernels == Kernels::TransformerEngine && !servesOnly(recipe.precision)) {
        options.stored_input = bytesPerValue(recipe.precision);
    }
    options.output_gradient = delayedGradientBytes(plan, options.element);
    options.inputs_gathered = recipe.kernels == Kernels::TransformerEngine;
    options.output_layer_at_once = recipe.loss == Loss::ChunkedHidden;
    options.attention_in_fp8 =
        recipe.fp8_attention && quantizedBytes(plan) > 0.0 && recipe.attention == Attention::Fused;
    options.fused_attention = recipe.attention != Attention::Unfused;
    options.scores_in_fp32 = pytorch;
    // FlashAttention-2 is batch-first, Megatron sequence-first: with more than one sample its output is transposed into
    // a second tensor. Seen as A100 minus H100 in Megatron-LM's golden memory values. PyTorch's kernels write in the
    // order in which the projection reads (traces of tests/validation/measurements/own).
    options.attention_output_copied =
        recipe.attention == Attention::Flash2 && plan.workload.micro_batch_size > 1 && !pytorch;
    options.key_values_repeated = pytorch && repeatsKeys(plan);
    options.autocast = autocasts(plan);
    options.fused_norm = !eager;
    options.fused_activation = recipe.activation_fusion && !eager;
    options.context_all_to_all = recipe.context_communication == ContextCommunication::A2a;
    options.context_gathered = recipe.context_communication == ContextCommunication::AllGather;
    options.experts_gathered = recipe.moe.dispatcher == Dispatcher::AllGather;
    options.routing_gathered = recipe.moe.dispatcher == Dispatcher::HybridEp;
    options.permuted_on_arrival = sendsOncePerRank(recipe.moe.dispatcher);
    options.clamps_apart = expertKernelsApart(plan);
    options.constants = plan.constants;
    options.vision_trained = trainsVision(plan);
    options.vision_checkpointed = recipe.recompute.granularity == RecomputeGranularity::Full;
    options.hidden_dropout = recipe.dropout.hidden;
    options.attention_dropout = recipe.dropout.attention;
    options.adapter = adapterOf(plan);
    options.products_apart = pytorch;
    options.activation_input = keepsActivationInputInFp8(plan) ? 1.0 : options.element;
    options.quantized_apart = recipe.framework != Framework::Megatron;
    // litgpt/model.py makes queries, keys and values by one product, which PyTorch's other stacks never adapt as a
    // whole.
    options.values_in_product = eager && options.adapter && recipe.adapter && !recipe.adapter->targets.empty()
        && options.adapter->adapts(AdapterTarget::LinearQkv);
    options.frozen_inputs_kept = plan.workload.task == Task::Qlora
        && (recipe.quantizer == Quantizer::Bitsandbytes043 || recipe.quantizer == Quantizer::BitsandbytesInt8);
    return options;
}

RecomputeSet recomputedModules(const Recompute& recompute)
{
    if (recompute.granularity != RecomputeGranularity::Selective) return RecomputeSet::None;
    if (recompute.modules.empty()) return RecomputeSet::CoreAttention;
    RecomputeSet set = RecomputeSet::None;
    for (const RecomputeModule module : recompute.modules) {
        switch (module) {
        case RecomputeModule::CoreAttn: set = set | RecomputeSet::CoreAttention; break;
        case RecomputeModule::LayerNorm: set = set | RecomputeSet::LayerNorm; break;
        case RecomputeModule::Mlp: set = set | RecomputeSet::Mlp; break;
        case RecomputeModule::MoeAct: set = set | RecomputeSet::MoeActivation; break;
        case RecomputeModule::Moe: set = set | RecomputeSet::Moe; break;
        case RecomputeModule::SharedExperts: set = set | RecomputeSet::SharedExperts; break;
        case RecomputeModule::MlaUpProj: set = set | RecomputeSet::MlaUpProjection; break;
        case RecomputeModule::Mhc: set = set | RecomputeSet::HyperConnections; break;
        }
    }
    return set;
}

double recomputedShare(const Recompute& recompute, std::int64_t layers)
{
    if (recompute.granularity != RecomputeGranularity::Full || layers == 0) return 0.0;
    if (recompute.method == RecomputeMethod::Uniform) return 1.0;
    return static_cast<double>(std::min(recompute.layers, layers)) / static_cast<double>(layers);
}

LayerKinds layerKinds(const Architecture& model, const LayerRange& layers)
{
    return layerKinds(model, layers.first, layers.end);
}

LayerKinds layerKinds(const Architecture& model, const StageLayers& stage)
{
    LayerKinds sum;
    for (const LayerRange& chunk : stage.chunks) {
        sum += layerKinds(model, chunk);
    }
    return sum;
}

bool keepsWideLayers(const Plan& plan)
{
    const Recipe& recipe = plan.recipe;
    return isNarrow(recipe.precision) && recipe.bf16_layers_at_start + recipe.bf16_layers_at_end > 0;
}

LayerKinds wideLayerKinds(const Plan& plan, const LayerRange& layers)
{
    LayerKinds wide;
    if (!keepsWideLayers(plan)) return wide;
    const Architecture& model = plan.model.architecture;
    const std::int64_t all = model.num_hidden_layers;
    const std::int64_t started = std::min(plan.recipe.bf16_layers_at_start, all);
    const std::int64_t ending = std::max(started, all - std::min(plan.recipe.bf16_layers_at_end, all));
    const auto add = [&](std::int64_t first, std::int64_t end) {
        first = std::max(first, layers.first);
        end = std::min(end, layers.end);
        if (first < end) wide += layerKinds(model, first, end);
    };
    add(0, started);
    add(ending, all);
    return wide;
}

bool areAlike(const Architecture& model, const StageLayers& one, const StageLayers& other)
{
    const bool differ = model.moe || listsLayers(model);
    return std::ranges::equal(one.chunks, other.chunks, [&](const ModelChunk& a, const ModelChunk& b) {
        if (a.count() != b.count() || a.embedding != b.embedding || a.head != b.head) return false;
        for (std::int64_t i = 0; differ && i < a.count(); ++i) {
            if (layerKind(model, a.first + i) != layerKind(model, b.first + i)) return false;
        }
        return true;
    });
}

OperatorTables operatorTables(const Plan& plan)
{
    const auto& model = plan.model.architecture;
    // Tied weights on different ranks are two tensors whose gradients are all-reduced. If a pipe ends on the rank on
    // which it begins, they are one.
    const bool ends_apart = plan.parallelism.pipeline > 1 && placementOf(plan.recipe.schedule) == Placement::Loop;
    return operatorTables(model, cardShare(plan), operatorOptions(plan), !model.tie_word_embeddings || ends_apart);
}

} // namespace cardfit
