// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

#include "core/launch/launch.h"
#include "core/launch/shell/command_line.h"
#include "core/plan/field_table.h"

/// Megatron-LM's options. Source of names and defaults: megatron/training/arguments.py and
/// core/transformer/transformer_config.py at d98e8a64 (2026-08). Internal to core/launch; other code uses
/// importLaunch() and exportLaunch().
namespace cardfit {

[[nodiscard]] bool isMegatron(std::string_view text);
[[nodiscard]] Result<ImportedPlan> importMegatron(const LaunchText& text, const Plan& base, const Presets& presets);
/// A command of another program, with options of Megatron-LM; the model is that of `base` if it has none of a shape.
[[nodiscard]] Result<ImportedPlan> importMegatronCommand(
    LaunchCommand command, const Plan& base, const Presets& presets);
[[nodiscard]] ExportedLaunch exportMegatron(const Plan& plan);

/// Options that scripts may use in place of those that exportMegatron() writes.
inline constexpr auto kMegatronSpellings = std::to_array<OtherSpelling>({
    {"--num-virtual-stages-per-pipeline-rank", "--num-layers-per-virtual-pipeline-stage"},
    {"--num-virtual-stages-per-pipeline-rank", "--pipeline-model-parallel-layout"},
    {"--pipeline-model-parallel-layout", "--num-virtual-stages-per-pipeline-rank"},
    {"--pipeline-model-parallel-layout", "--num-layers-per-virtual-pipeline-stage"},
    {"--pipeline-model-parallel-layout", "--decoder-first-pipeline-num-layers"},
    {"--pipeline-model-parallel-layout", "--decoder-last-pipeline-num-layers"},
    {"--pipeline-model-parallel-layout", "--account-for-embedding-in-pipeline-split"},
    {"--pipeline-model-parallel-layout", "--account-for-loss-in-pipeline-split"},
    {"--decoder-first-pipeline-num-layers", "--account-for-embedding-in-pipeline-split"},
    {"--decoder-last-pipeline-num-layers", "--account-for-loss-in-pipeline-split"},
    {"--recompute-granularity", "--recompute-activations"},
    {"--recompute-granularity", "--moe-layer-recompute"},
    {"--train-iters", "--train-samples"},
    {"--train-samples", "--train-iters"},
    {"--attention-backend", "--use-flash-attn"},
    {"--grad-reduce-in-bf16", "--main-grads-dtype"},
    {"--use-megatron-fsdp", "--use-torch-fsdp2"},
    {"--use-megatron-fsdp", "--use-custom-fsdp"},
    {"--use-distributed-optimizer", "--use-torch-fsdp2"},
    {"--cuda-graph-impl", "--enable-cuda-graph"},
    {"--cuda-graph-impl", "--external-cuda-graph"},
    {"--cuda-graph-modules", "--cuda-graph-scope"},
    {"--no-rope-fusion", "--rotary-interleaved"},
});

inline constexpr auto kMegatronLosses = std::to_array<LossReason>({
    {pointerOf<&Architecture::attention_bias>,
        Sentence::tr(
            "Megatron-LM has a bias in every linear layer or, besides none, in that of queries, keys and values "
            "alone")},
    {pointerOf<&Architecture::attention_output_bias>,
        Sentence::tr("the output projection has a bias if the MLP has one")},
    {pointerOf<&Architecture::position_embedding>,
        Sentence::tr("Megatron-LM does not support it; written as rope, which has no parameters either")},
    {pointerOf<&Architecture::max_position_embeddings>,
        Sentence::tr("Megatron-LM requires a value; the sequence length is written")},
    {pointerOf<&SlidingWindow::every>, Sentence::tr("written as windowed in every layer")},
    {pointerOf<&MixtureOfExperts::num_shared_experts>, Sentence::tr("only their total width is written")},
    {pointerOf<&MixtureOfExperts::first_dense_layers>,
        Sentence::tr("layers with experts are written as a list of at most 4096 layers")},
    {pointerOf<&MixtureOfExperts::layer_frequency>,
        Sentence::tr("layers with experts are written as a list of at most 4096 layers")},
    {pointerOf<&MixtureOfExperts::layers>,
        Sentence::tr("layers with experts are written as a list of at most 4096 layers")},
    {pointerOf<&MixtureOfExperts::imbalance>, Sentence::tr("comes from the router at run time")},
    {pointerOf<&Architecture::layer_types>,
        Sentence::tr("Megatron-LM lists layers of attention and of gated delta net, and no others")},
    {pointerOf<&Architecture::hybrid_layer_pattern>,
        Sentence::tr(
            "Megatron-LM's patterns have Mamba-2, gated delta net, attention, MLPs and experts, and no others")},
    {pointerOf<&Architecture::mamba>, Sentence::tr("written only together with layers that use it")},
    {pointerOf<&Architecture::sparse_attention>, Sentence::tr("written only together with layers that use it")},
    {pointerOf<&Architecture::vision>, Sentence::tr("pretrain_gpt.py trains language models alone")},
    {pointerOf<&Architecture::attention_k_eq_v>, Sentence::tr("Megatron-LM projects values in every layer")},
    {pointerOf<&Architecture::sliding_attention>, Sentence::tr("Megatron-LM's layers all have the same heads")},
    {pointerOf<&Architecture::compressed_attention>,
        Sentence::tr("Megatron-LM's released options have no compressed attention")},
    {pointerOf<&Architecture::linear_attention>, Sentence::tr("written only together with layers that use it")},
    {pointerOf<&Architecture::conv_kernel>, Sentence::tr("Megatron-LM has no layers of short convolutions")},
    {pointerOf<&Workload::task>, Sentence::tr("Megatron-LM's own scripts train all weights")},
    {pointerOf<&Workload::tokens>, Sentence::tr("rounded up to whole sequences")},
    {pointerOf<&Parallelism::sequence>, Sentence::tr("Megatron-LM switches it off without tensor ranks")},
    {pointerOf<&Parallelism::data>, Sentence::tr("Megatron-LM takes all cards that the other degrees leave")},
    {pointerOf<&Parallelism::layers_per_stage>,
        Sentence::tr("not one entry per rank or virtual stage, or too long for a layout")},
    {pointerOf<&Recipe::framework>, Sentence::tr("the memory and time formulas of Megatron-Core do not apply to it")},
    {pointerOf<&Recipe::schedule>, Sentence::tr("Megatron-LM runs 1f1b, and interleaved-1f1b with virtual stages")},
    {pointerOf<&Overlap::pipeline>, Sentence::tr("Megatron-LM overlaps transfers of virtual stages, and no others")},
    {pointerOf<&Offload::parameters>, Sentence::tr("Megatron-LM keeps parameters on the cards")},
    {pointerOf<&Offload::activations>, Sentence::tr("no whole number of layers")},
    {pointerOf<&Recipe::attention>, Sentence::tr("Megatron-LM's own kernels have unfused or flash attention")},
    {pointerOf<&Recipe::activation_fusion>, Sentence::tr("there is nothing to fuse without a bias or a gate")},
    {pointerOf<&Recipe::adapter>, Sentence::tr("Megatron-LM's own scripts have no adapters")},
    {pointerOf<&Recipe::weights_precision>, Sentence::tr("formats by part are of served weights")},
    {pointerOf<&Recipe::kv_cache_precision>, Sentence::tr("training keeps no cache")},
    {pointerOf<&Recipe::fp8_attention>,
        Sentence::tr("Megatron-LM has no option for it; fp8_dot_product_attention stands in Megatron-Core's "
                     "configuration")},
    {pointerOf<&Recipe::fp8_activation_input>,
        Sentence::tr("Megatron-LM has no option for it; activation_func_fp8_input_store stands in Megatron-Core's "
                     "configuration")},
    {pointerOf<&Recipe::loss_parallel>, Sentence::tr("Megatron-LM always computes the loss on divided logits")},
});

} // namespace cardfit
