// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/setting_checks.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/plan/choices.h"
#include "core/plan/field_table.h"
#include "core/plan/software.h"
#include "core/plan/tables.h"

namespace cardfit {

namespace {

using Refused = std::optional<Sentence>;

/// Whether every expert gets all tokens that are sent to it, so that shapes are known on the device only.
bool isDropless(const Plan& plan)
{
    const auto& moe = plan.model.architecture.moe;
    return moe && !moe->capacity_factor;
}

bool recomputes(const Plan& plan, RecomputeModule module)
{
    const Recompute& recompute = plan.recipe.recompute;
    if (recompute.granularity != RecomputeGranularity::Selective) return false;
    if (recompute.modules.empty()) return module == RecomputeModule::CoreAttn;
    return std::ranges::find(recompute.modules, module) != recompute.modules.end();
}

bool recordsAttention(CudaGraph graph)
{
    switch (graph) {
    case CudaGraph::None:
    case CudaGraph::Router: break;
    case CudaGraph::Attention:
    case CudaGraph::AttentionRouter:
    case CudaGraph::Layer:
    case CudaGraph::FullIteration: return true;
    }
    return false;
}

/// Megatron-LM, docs/user-guide/features/cuda_graph.md and transformer_config.py (checks of cuda_graph_modules).
Refused megatronGraphRefusal(const Plan& plan)
{
    const Recipe& recipe = plan.recipe;
    const CudaGraph graph = recipe.cuda_graph;
    const bool router = graph == CudaGraph::Router || graph == CudaGraph::AttentionRouter;
    const bool whole_step = graph == CudaGraph::FullIteration;
    if (router && !plan.model.architecture.moe) return Sentence::tr("the model has no experts and so no router");
    if (graph == CudaGraph::Layer && isDropless(plan))
        return Sentence::tr("layers whose experts take any number of tokens have no fixed shapes; attention+router "
                            "records the rest");
    if (whole_step && isDropless(plan) && recipe.moe.dispatcher != Dispatcher::HybridEp)
        return Sentence::tr(
            "the host waits for the number of tokens of each expert; only hybridep keeps that number on the card");
    if (whole_step && isDropless(plan) && !recipe.moe.fused_grouped_mlp)
        return Sentence::tr("the experts' products take their sizes from the host unless their MLP is fused");
    if (recipe.recompute.granularity == RecomputeGranularity::Full && !whole_step)
        return Sentence::tr("with full recomputation Megatron-Core records whole steps only (full_iteration)");
    if (router && recomputes(plan, RecomputeModule::Moe))
        return Sentence::tr("expert layers are recomputed, and the router is part of them");
    if (recordsAttention(graph) && recipe.dropout.attention > 0.0 && recomputes(plan, RecomputeModule::CoreAttn))
        return Sentence::tr("recomputed attention with dropout needs new random numbers, which a graph does not draw");
    if (recipe.offload.activations > 0.0 && !whole_step)
        return Sentence::tr("graphs of layers cannot be combined with activations on the host");
    if (graph == CudaGraph::Layer && recipe.moe.expert_overlap && plan.model.architecture.moe)
        return Sentence::tr(
            "overlapping the experts' communication splits layers into parts, so they cannot be recorded whole");
    return std::nullopt;
}

/// torchtitan, config/configs.py, disable_cuda_graphs.
Refused pytorchGraphRefusal(const Plan& plan)
{
    if (plan.recipe.cuda_graph != CudaGraph::FullIteration)
        return Sentence::tr("PyTorch's trainers record whole steps only (full_iteration)");
    if (plan.parallelism.pipeline > 1) return Sentence::tr("torchtitan records no step of a pipeline");
    if (plan.parallelism.expert > 1 && plan.recipe.moe.dispatcher != Dispatcher::HybridEp)
        return Sentence::tr(
            "the host waits for the number of tokens of each expert; only hybridep keeps that number on the card");
    return std::nullopt;
}

/// TransformerEngine, attention/dot_product_attention/utils.py, get_attention_backend: fp8 is an option of a recipe
/// that multiplies in fp8, and cuDNN's kernels have it from Hopper on.
Refused attentionRefusal(const Plan& plan)
{
    const Recipe& recipe = plan.recipe;
    const Accelerator& card = plan.cluster.accelerator;
    if (!recipe.fp8_attention) return std::nullopt;
    if (!usesTransformerEngine(plan))
        return Sentence::tr("only TransformerEngine's kernels under Megatron-Core have it");
    if (!isNarrow(recipe.precision))
        return Sentence::tr("it requires precision fp8, mxfp8 or nvfp4; the precision is {}", {name(recipe.precision)});
    if (recipe.attention != Attention::Fused)
        return Sentence::tr("attention {} multiplies in 16 bits; fused has kernels for it", {name(recipe.attention)});
    if (!traits(card.generation).fp8_attention)
        return Sentence::tr("there are kernels for Hopper and Blackwell, none for {}", {card.name});
    return std::nullopt;
}

/// DeepEP, deep_ep/buffers/legacy.py, get_dispatch_config.
constexpr auto kDeepEpRanks = std::to_array<std::int64_t>({2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 144, 160});

/// Megatron-LM, token_dispatcher.py (DeepEP needs more than one rank) and transformer_config.py (no experts with a
/// capacity); DeepSpeed's experts have one all-to-all of their own (deepspeed/moe/sharded_moe.py).
Refused dispatcherRefusal(const Plan& plan)
{
    const Dispatcher dispatcher = plan.recipe.moe.dispatcher;
    const auto& moe = plan.model.architecture.moe;
    if (!moe || !sendsOncePerRank(dispatcher)) return std::nullopt;
    if (plan.recipe.framework == Framework::DeepSpeed)
        return Sentence::tr("DeepSpeed exchanges tokens by alltoall only");
    const std::int64_t ranks = expertCards(plan);
    if (dispatcher == Dispatcher::DeepEp && ranks == 1)
        return Sentence::tr("every card holds all experts of its layers, so no tokens are sent");
    if (dispatcher == Dispatcher::DeepEp && std::ranges::find(kDeepEpRanks, ranks) == kDeepEpRanks.end())
        return Sentence::tr("it is set up for groups of {} ranks, not of {}",
            {fmt::format("{}", fmt::join(kDeepEpRanks, ", ")), ranks});
    if (dispatcher == Dispatcher::DeepEp && moe->capacity_factor)
        return Sentence::tr("it does not fill experts up to a capacity");
    return std::nullopt;
}

/// Megatron-LM, transformer_config.py, activation_func_fp8_input_store: "supported only for SwiGLU".
Refused activationInputRefusal(const Plan& plan)
{
    if (!plan.recipe.fp8_activation_input) return std::nullopt;
    if (plan.recipe.framework != Framework::Megatron) return Sentence::tr("only Megatron-Core has it");
    const Architecture& model = plan.model.architecture;
    if (!model.gated_mlp || (model.hidden_act != "silu" && model.hidden_act != "swiglu"))
        return Sentence::tr("it is made for SwiGLU only");
    return std::nullopt;
}

/// Megatron-LM, core/transformer/transformer_config.py, checks of enable_mhc_connections.
Refused streamsRefusal(const Plan& plan)
{
    if (!recomputes(plan, RecomputeModule::Mhc) && plan.model.architecture.hc_mult == 1) return std::nullopt;
    if (plan.model.architecture.hc_mult == 1)
        return Sentence::tr("the residual has one stream and no hyper-connections");
    if (plan.recipe.framework != Framework::Megatron) return std::nullopt;
    if (plan.recipe.recompute.granularity == RecomputeGranularity::Full)
        return Sentence::tr(
            "with hyper-connections Megatron-Core recomputes selected modules, among them mhc, and not whole layers");
    if (recomputes(plan, RecomputeModule::Mhc) && recomputes(plan, RecomputeModule::Mlp))
        return Sentence::tr("Megatron-Core recomputes mhc or mlp, not both");
    return std::nullopt;
}

/// Megatron-LM, optimizer/__init__.py and arguments.py (--exp-avg-dtype); DeepSpeed, runtime/config.py
/// (bf16_optimizer_states requires bf16_master_weights_and_grads); PyTorch's moments are made like the weights.
Refused momentsRefusal(const Plan& plan)
{
    const Recipe& recipe = plan.recipe;
    if (!recipe.moment_precision) return std::nullopt;
    if (recipe.optimizer != Optimizer::Adam)
        return Sentence::tr(
            "optimizer {} fixes the format of its moments; with adam it can be chosen", {name(recipe.optimizer)});
    if (recipe.framework != Framework::Megatron)
        return Sentence::tr(
            "{} keeps moments in the format of the weights that they update", {projectOf(recipe.framework)});
    if (recipe.sharding == Sharding::None && recipe.moment_precision != MomentPrecision::Fp32)
        return Sentence::tr("Megatron-Core has it in its distributed optimizer (zero1) only");
    return std::nullopt;
}

/// Megatron-LM, training/arguments.py: --overlap-param-gather requires --overlap-grad-reduce, --tp-comm-overlap
/// requires
/// --sequence-parallel.
void checkOverlap(const Plan& plan, CheckList& checks)
{
    if (plan.recipe.framework != Framework::Megatron) return;
    const Overlap& overlap = plan.recipe.overlap;
    if (overlap.parameters && !overlap.gradients && plan.recipe.sharding != Sharding::None)
        checks.error("OVERLAP-PARAMETERS", pointerOf<&Overlap::parameters>,
            Sentence::tr("Megatron-LM overlaps parameter gathering only together with gradient reduction"));
    if (overlap.tensor && plan.parallelism.tensor > 1 && !plan.parallelism.sequence)
        checks.error("OVERLAP-TENSOR", pointerOf<&Overlap::tensor>,
            Sentence::tr("Megatron-LM overlaps tensor communication only with sequence parallelism"));
}

} // namespace

bool usesTransformerEngine(const Plan& plan)
{
    return plan.recipe.framework == Framework::Megatron && plan.recipe.kernels == Kernels::TransformerEngine;
}

std::optional<Sentence> graphRefusal(const Plan& plan)
{
    if (plan.recipe.cuda_graph == CudaGraph::None) return std::nullopt;
    switch (plan.recipe.framework) {
    case Framework::Megatron: return megatronGraphRefusal(plan);
    case Framework::DeepSpeed: return Sentence::tr("DeepSpeed records no graphs of training steps");
    case Framework::Fsdp: return pytorchGraphRefusal(plan);
    }
    return std::nullopt;
}

/// Megatron-LM, training/arguments.py (--fp8-param-gather, --optimizer-cpu-offload); torchtitan and torchao,
/// enable_fsdp_float8_all_gather.
std::optional<Sentence> gatherRefusal(const Plan& plan)
{
    const Recipe& recipe = plan.recipe;
    if (!recipe.fp8_param_gather) return std::nullopt;
    const bool fp8 = recipe.precision == Precision::Fp8;
    if (recipe.framework == Framework::DeepSpeed) return Sentence::tr("DeepSpeed gathers weights in 16 bits");
    if (!fp8 && (recipe.precision != Precision::Mxfp8 || recipe.framework == Framework::Fsdp))
        return Sentence::tr("the products are not in fp8, the precision is {}", {name(recipe.precision)});
    if (recipe.sharding == Sharding::None)
        return Sentence::tr("every replica keeps its own weights; nothing is gathered");
    if (recipe.framework == Framework::Fsdp) return std::nullopt;
    if (!usesTransformerEngine(plan)) return Sentence::tr("only TransformerEngine keeps weights in fp8");
    if (recipe.offload.optimizer > 0.0 && !fp8)
        return Sentence::tr("with the optimizer on the host it requires precision fp8");
    return std::nullopt;
}

/// Megatron-LM, training/arguments.py: --fp4-param-gather must be used together with --fp4-format.
std::optional<Sentence> fp4GatherRefusal(const Plan& plan)
{
    const Recipe& recipe = plan.recipe;
    if (!recipe.fp4_param_gather) return std::nullopt;
    if (recipe.precision != Precision::Nvfp4)
        return Sentence::tr("the products are not in fp4, the precision is {}", {name(recipe.precision)});
    if (!usesTransformerEngine(plan))
        return Sentence::tr("only TransformerEngine's kernels under Megatron-Core have it");
    if (recipe.sharding == Sharding::None)
        return Sentence::tr("every replica keeps its own weights; nothing is gathered");
    return std::nullopt;
}

/// Megatron-LM, transformer_config.py: moe_use_grouped_tensor requires moe_grouped_gemm.
std::optional<Sentence> fusedExpertsRefusal(const Plan& plan)
{
    if (!plan.recipe.moe.fused_grouped_mlp || !plan.model.architecture.moe) return std::nullopt;
    if (!usesTransformerEngine(plan))
        return Sentence::tr("only TransformerEngine's kernels under Megatron-Core have it");
    if (!plan.recipe.moe.grouped_gemm) return Sentence::tr("the experts' products have to be grouped");
    return std::nullopt;
}

void checkSettings(const Plan& plan, CheckList& checks)
{
    const Recipe& recipe = plan.recipe;
    const auto& moe = plan.model.architecture.moe;
    const GenerationTraits& card = traits(plan.cluster.accelerator.generation);
    const auto refuse = [&](RuleId rule, std::string_view field, const Refused& why, const Sentence& what) {
        if (why) checks.error(rule, field, Sentence::tr("{}: {}", {what, *why}));
    };
    const bool sends = sendsOncePerRank(recipe.moe.dispatcher);
    constexpr std::string_view kDispatcher = pointerOf<&ExpertRecipe::dispatcher>;
    constexpr std::string_view kFused = pointerOf<&ExpertRecipe::fused_grouped_mlp>;
    refuse("DISPATCHER", kDispatcher, dispatcherRefusal(plan),
        Sentence::tr("dispatcher {}", {name(recipe.moe.dispatcher)}));
    if (moe && sends && plan.parallelism.expert > 1 && !card.sends_tokens_itself)
        checks.warning("DISPATCHER-CARD", kDispatcher,
            Sentence::tr("dispatcher {} has no kernels for {}; frameworks fall back to alltoall",
                {name(recipe.moe.dispatcher), plan.cluster.accelerator.name}));
    if (plan.workload.task == Task::Inference) return;

    if (!recipe.software.empty() && !readMonth(recipe.software))
        checks.error("SOFTWARE", pointerOf<&Recipe::software>,
            Sentence::tr("software \"{}\": expected year and month, as in \"2025-11\"; the figures assume today's",
                {recipe.software}));
    checkOverlap(plan, checks);
    refuse("CUDA-GRAPH", pointerOf<&Recipe::cuda_graph>, graphRefusal(plan),
        Sentence::tr("CUDA graphs {}", {name(recipe.cuda_graph)}));
    refuse(
        "FP8-ATTENTION", pointerOf<&Recipe::fp8_attention>, attentionRefusal(plan), Sentence::tr("attention in fp8"));
    refuse("FP8-PARAM-GATHER", pointerOf<&Recipe::fp8_param_gather>, gatherRefusal(plan),
        Sentence::tr("gathering weights in fp8"));
    refuse("FP4-PARAM-GATHER", pointerOf<&Recipe::fp4_param_gather>, fp4GatherRefusal(plan),
        Sentence::tr("gathering weights in fp4"));
    refuse("RECOMPUTE-STREAMS", pointerOf<&Recompute::granularity>, streamsRefusal(plan),
        Sentence::tr("recomputation {}", {name(recipe.recompute.granularity)}));
    refuse("MOMENTS", pointerOf<&Recipe::moment_precision>, momentsRefusal(plan),
        Sentence::tr("moments in {}", {name(recipe.moment_precision.value_or(MomentPrecision::Fp32))}));
    refuse("FP8-ACTIVATION", pointerOf<&Recipe::fp8_activation_input>, activationInputRefusal(plan),
        Sentence::tr("activation inputs in fp8"));
    refuse("FUSED-EXPERTS", kFused, fusedExpertsRefusal(plan), Sentence::tr("fusing the experts' MLP"));
    if (moe && recipe.moe.fused_grouped_mlp && (!isNarrow(recipe.precision) || !card.fuses_grouped_mlp))
        checks.warning("FUSED-EXPERTS-CARD", kFused,
            Sentence::tr("the experts' MLP is fused in mxfp8 and nvfp4 on Blackwell; elsewhere the same setting runs "
                         "separate kernels"));
    if (!recipe.loss_parallel && recipe.framework == Framework::Megatron && plan.parallelism.tensor > 1)
        checks.error("LOSS-PARALLEL", pointerOf<&Recipe::loss_parallel>,
            Sentence::tr(
                "Megatron-Core always computes the loss on divided logits; with PyTorch they can be gathered first"));
}

} // namespace cardfit
