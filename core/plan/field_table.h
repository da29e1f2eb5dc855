// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/plan/field_rows.h"

/// The rows themselves. A new field is a member in core/plan/plan.h and a row here.
namespace cardfit {

namespace fields {

// ---- When a field has an effect

inline constexpr Condition hasExperts{
    [](const Plan& plan) { return plan.model.architecture.moe.has_value(); }, "a model with experts"};
inline constexpr Condition hasVision{
    [](const Plan& plan) { return plan.model.architecture.vision.has_value(); }, "a model with a vision tower"};
inline constexpr Condition recomputesModules{
    [](const Plan& plan) { return plan.recipe.recompute.granularity == RecomputeGranularity::Selective; },
    "selective recomputation"};
inline constexpr Condition recomputesLayers{
    [](const Plan& plan) { return plan.recipe.recompute.granularity == RecomputeGranularity::Full; },
    "full recomputation"};
inline constexpr Condition isServed{
    [](const Plan& plan) { return plan.workload.task == Task::Inference; }, "inference"};
inline constexpr Condition isTrained{[](const Plan& plan) { return !isServed(plan); }, "training"};
inline constexpr Condition trainsBesideVision{
    [](const Plan& plan) { return isTrained(plan) && hasVision(plan); }, "training of a model with a vision tower"};
inline constexpr Condition servesExperts{
    [](const Plan& plan) { return isServed(plan) && hasExperts(plan); }, "inference of a model with experts"};
inline constexpr Condition trainsExperts{
    [](const Plan& plan) { return isTrained(plan) && hasExperts(plan); }, "training of a model with experts"};
inline constexpr Condition updatesByPyTorch{
    [](const Plan& plan) { return isTrained(plan) && plan.recipe.framework != Framework::Megatron; },
    "training by a framework other than Megatron-LM"};
inline constexpr Condition trainsByFsdp{
    [](const Plan& plan) { return isTrained(plan) && plan.recipe.framework == Framework::Fsdp; }, "training by FSDP"};
/// Whether products convert their factors to fp8 or fp4.
inline constexpr Condition trainsNarrowly{
    [](const Plan& plan) {
        const Precision precision = plan.recipe.precision;
        return isTrained(plan)
            && (precision == Precision::Fp8 || precision == Precision::Mxfp8 || precision == Precision::Nvfp4);
    },
    "training in fp8, mxfp8 or nvfp4"};
inline constexpr Condition gathersInFp4{
    [](const Plan& plan) { return isTrained(plan) && plan.recipe.precision == Precision::Nvfp4; }, "training in nvfp4"};
inline constexpr Condition gathersInFp8{
    [](const Plan& plan) { return trainsNarrowly(plan) && !gathersInFp4(plan); }, "training in fp8 or mxfp8"};
inline constexpr Condition keepsActivationInput{
    [](const Plan& plan) {
        return isTrained(plan) && plan.recipe.framework == Framework::Megatron && plan.model.architecture.gated_mlp;
    },
    "training of a gated MLP by Megatron-LM"};
inline constexpr Condition dividesLogits{
    [](const Plan& plan) {
        return isTrained(plan) && plan.parallelism.tensor > 1
            && (plan.recipe.framework != Framework::Megatron || !plan.recipe.loss_parallel);
    },
    "training on several tensor ranks; with Megatron-LM only to switch it on"};
inline constexpr Condition splitsContext{
    [](const Plan& plan) { return plan.parallelism.context > 1; }, "several context ranks"};
inline constexpr Condition splitsLayersItself{
    [](const Plan& plan) { return plan.parallelism.pipeline > 1 && !plan.parallelism.layers_per_stage; },
    "several stages without a list of layers"};
inline constexpr Condition quantizesFrozen{
    [](const Plan& plan) { return plan.workload.task == Task::Qlora; }, "the task qlora"};
inline constexpr Condition keepsNormalFloat{
    [](const Plan& plan) {
        return (quantizesFrozen(plan) && plan.recipe.quantizer != Quantizer::BitsandbytesInt8)
            || (plan.workload.task == Task::Inference && plan.recipe.precision == Precision::Nf4);
    },
    "qlora with 4-bit weights, or inference in nf4"};
inline constexpr Condition reducesBuckets{[](const Plan& plan) {
                                              return plan.recipe.framework == Framework::DeepSpeed
                                                  && plan.recipe.sharding != Sharding::None;
                                          },
    "DeepSpeed with ZeRO"};
inline constexpr Condition gathersBuckets{
    [](const Plan& plan) { return reducesBuckets(plan) && plan.recipe.sharding != Sharding::Zero3; },
    "DeepSpeed with ZeRO stage 1 or 2"};
inline constexpr Condition updatesSubGroups{[](const Plan& plan) {
                                                return plan.recipe.framework == Framework::DeepSpeed
                                                    && plan.recipe.sharding == Sharding::Zero3;
                                            },
    "DeepSpeed with ZeRO stage 3"};
inline constexpr Condition hasMeasuredSpeed{
    [](const Plan& plan) {
        return plan.calibration
            && (plan.calibration->measured.step || plan.calibration->measured.tokens_per_second_per_card);
    },
    "a measured speed"};
inline constexpr Condition hasMeasuredMemory{
    [](const Plan& plan) { return plan.calibration && plan.calibration->measured.allocated; }, "a measured allocation"};
inline constexpr Condition hasAdapter{trainsAdapters, "the tasks lora and qlora"};

// Members with more to them; core/plan/fields.cpp defines them.
void setCardMemory(Plan& plan, const FieldValue& value);
FieldValue getFramework(const Plan& plan);
void setFramework(Plan& plan, const FieldValue& value);
WordText textOfFramework(std::string_view word);

// The sections of a plan.
template <auto... path> constexpr Field model(std::string_view pointer, Phrase label = {})
{
    return row<&Plan::model, path...>(pointer, label);
}
template <auto... path> constexpr Field shape(std::string_view pointer, Phrase label = {})
{
    return row<&Plan::model, &Model::architecture, path...>(pointer, label);
}
template <auto... path> constexpr Field cluster(std::string_view pointer, Phrase label = {})
{
    return row<&Plan::cluster, path...>(pointer, label);
}
template <auto... path> constexpr Field card(std::string_view pointer, Phrase label = {})
{
    return row<&Plan::cluster, &Cluster::accelerator, path...>(pointer, label);
}
template <auto... path> constexpr Field degree(std::string_view pointer, Phrase label = {})
{
    return row<&Plan::parallelism, path...>(pointer, label).upTo(kMostWays);
}
template <auto... path> constexpr Field recipe(std::string_view pointer, Phrase label = {})
{
    return row<&Plan::recipe, path...>(pointer, label);
}
template <auto... path> constexpr Field measured(std::string_view pointer)
{
    return row<&Plan::calibration, &Calibration::measured, path...>(pointer);
}

inline constexpr auto kFields = std::to_array<Field>({
    row<&Plan::name>("/name", Sentence::tr("Name")).inForms(),
    row<&Plan::source>("/source", Sentence::tr("Recipe's source")).unlessDefault(),

    group<&Plan::model>("/model", Sentence::tr("Model")),
    model<&Model::name>("/model/name", Sentence::tr("Name")).inForms(),
    emptyIsNull<&Plan::model, &Model::family>("/model/family")
        .says(Sentence::tr("Models of one family share rules of size, such as the ladder of the model size")),
    model<&Model::parameters>("/model/parameters", Sentence::tr("Model size"))
        .says(Sentence::tr("A size instead of a shape: the shape is chosen to come to it")),
    shape<&Architecture::hidden_size>("/model/hidden_size", Sentence::tr("Hidden size"))
        .upTo(kMostFeatures)
        .as("h", Sentence::tr("hidden size"))
        .inForms(),
    shape<&Architecture::num_hidden_layers>("/model/num_hidden_layers", Sentence::tr("Layers"))
        .upTo(kMostLayers)
        .as("L", Sentence::tr("layers of the model"))
        .inForms(),
    shape<&Architecture::num_attention_heads>("/model/num_attention_heads", Sentence::tr("Heads"))
        .upTo(kMostFeatures)
        .as("a", Sentence::tr("attention heads"))
        .inForms(),
    shape<&Architecture::num_key_value_heads>("/model/num_key_value_heads", Sentence::tr("Key/value heads"))
        .says(Sentence::tr("heads of keys and values; fewer than attention heads: grouped-query attention"))
        .upTo(kMostFeatures)
        .inForms(),
    shape<&Architecture::head_dim>("/model/head_dim", Sentence::tr("Head size"))
        .upTo(kMostFeatures)
        .as("d", Sentence::tr("size of a head"))
        .inForms(),
    shape<&Architecture::v_head_dim>("/model/v_head_dim")
        .of(kCountOrZero)
        .as("d_v", Sentence::tr("size of a value head"))
        .unlessDefault(),
    shape<&Architecture::intermediate_size>("/model/intermediate_size", Sentence::tr("MLP width"))
        .upTo(kMostFeatures)
        .as("f", Sentence::tr("width of the MLP"))
        .inForms(),
    shape<&Architecture::vocab_size>("/model/vocab_size", Sentence::tr("Vocabulary"))
        .says(Sentence::tr("rows of the embedding and of the output layer, before padding"))
        .upTo(kMostFeatures)
        .inForms(),
    shape<&Architecture::tie_word_embeddings>("/model/tie_word_embeddings")
        .says(Sentence::tr("the output layer uses the embedding's weights")),
    shape<&Architecture::hidden_act>("/model/hidden_act")
        .says(Sentence::tr("activation of the MLP, as Hugging Face names it")),
    shape<&Architecture::gated_mlp>("/model/gated_mlp")
        .says(Sentence::tr("the MLP multiplies two projections of its input, as SwiGLU does")),
    shape<&Architecture::norm>("/model/norm").says(Sentence::tr("kind of the normalizations")),
    shape<&Architecture::attention_bias>("/model/attention_bias")
        .says(Sentence::tr("projections to queries, keys and values have a bias")),
    shape<&Architecture::attention_output_bias>("/model/attention_output_bias")
        .says(Sentence::tr("the projection behind attention has a bias; null: as the others")),
    shape<&Architecture::mlp_bias>("/model/mlp_bias").says(Sentence::tr("projections of the MLP have a bias")),
    shape<&Architecture::qk_norm>("/model/qk_norm").says(Sentence::tr("queries and keys are normalized")),
    shape<&Architecture::position_embedding>("/model/position_embedding")
        .says(Sentence::tr("how positions enter: rotation, learned vectors or a bias of the scores")),
    shape<&Architecture::max_position_embeddings>("/model/max_position_embeddings", Sentence::tr("Longest sequence"))
        .says(Sentence::tr("the longest sequence that the model was made for"))
        .in(Sentence::tr("tokens"))
        .of(kCountOrZero)
        .inForms(),
    group<&Plan::model, &Model::architecture, &Architecture::sliding_window>("/model/sliding_window"),
    shape<&Architecture::sliding_window, &SlidingWindow::size>("/model/sliding_window/size")
        .as("s_w", Sentence::tr("tokens of the window")),
    shape<&Architecture::sliding_window, &SlidingWindow::every>("/model/sliding_window/every")
        .says(Sentence::tr("the window is in one of so many layers; 1: in all")),
    shape<&Architecture::sliding_window, &SlidingWindow::full_every>("/model/sliding_window/full_every")
        .says(Sentence::tr("instead, the window is in all layers but one of so many; 0: as every says"))
        .of(kCountOrZero)
        .unlessDefault(),
    group<&Plan::model, &Model::architecture, &Architecture::sliding_attention>("/model/sliding_attention")
        .says(Sentence::tr("heads of the layers with a window; 0: as in the other layers"))
        .unlessDefault(),
    shape<&Architecture::sliding_attention, &WindowedHeads::num_attention_heads>(
        "/model/sliding_attention/num_attention_heads")
        .of(kCountOrZero)
        .as("a_w", Sentence::tr("attention heads of layers with a window")),
    shape<&Architecture::sliding_attention, &WindowedHeads::num_key_value_heads>(
        "/model/sliding_attention/num_key_value_heads")
        .says(Sentence::tr("key/value heads of layers with a window"))
        .of(kCountOrZero),
    shape<&Architecture::sliding_attention, &WindowedHeads::head_dim>("/model/sliding_attention/head_dim")
        .of(kCountOrZero)
        .as("d_w", Sentence::tr("size of a head of layers with a window")),
    shape<&Architecture::sliding_attention, &WindowedHeads::v_head_dim>("/model/sliding_attention/v_head_dim")
        .of(kCountOrZero)
        .as("d_vw", Sentence::tr("size of a value head of layers with a window")),
    shape<&Architecture::attention_k_eq_v>("/model/attention_k_eq_v")
        .says(Sentence::tr("values are the projected keys in layers without a window"))
        .unlessDefault(),
    group<&Plan::model, &Model::architecture, &Architecture::moe>("/model/moe"),
    shape<&Architecture::moe, &MixtureOfExperts::num_experts>("/model/moe/num_experts", Sentence::tr("Experts"))
        .upTo(kMostLayers)
        .as("E", Sentence::tr("experts of a layer"))
        .inForms(),
    shape<&Architecture::moe, &MixtureOfExperts::num_experts_per_tok>(
        "/model/moe/num_experts_per_tok", Sentence::tr("Experts per token"))
        .upTo(kMostLayers)
        .as("k_e", Sentence::tr("experts that a token visits"))
        .inForms(),
    shape<&Architecture::moe, &MixtureOfExperts::moe_intermediate_size>(
        "/model/moe/moe_intermediate_size", Sentence::tr("Expert width"))
        .upTo(kMostFeatures)
        .as("f_e", Sentence::tr("width of an expert"))
        .inForms(),
    shape<&Architecture::moe, &MixtureOfExperts::num_shared_experts>("/model/moe/num_shared_experts")
        .says(Sentence::tr("experts that every token visits"))
        .of(kCountOrZero),
    shape<&Architecture::moe, &MixtureOfExperts::shared_intermediate_size>("/model/moe/shared_intermediate_size")
        .of(kCountOrZero)
        .as("f_s", Sentence::tr("width of the shared experts together")),
    shape<&Architecture::moe, &MixtureOfExperts::first_dense_layers>(
        "/model/moe/first_dense_layers", Sentence::tr("Leading dense layers"))
        .says(Sentence::tr("layers with an MLP before the first ones with experts"))
        .of(kCountOrZero)
        .inForms(),
    shape<&Architecture::moe, &MixtureOfExperts::layer_frequency>("/model/moe/layer_frequency")
        .says(Sentence::tr("one of so many layers after those has experts")),
    emptyIsNull<&Plan::model, &Model::architecture, &Architecture::moe, &MixtureOfExperts::layers>("/model/moe/layers")
        .says(Sentence::tr("1 for each layer with experts, 0 for each with an MLP; null: by the two fields above"))
        .of(kZeroOrOne),
    shape<&Architecture::moe, &MixtureOfExperts::capacity_factor>("/model/moe/capacity_factor")
        .says(Sentence::tr(
            "an expert takes at most so many times its even share, padded up to it; null: it drops no token")),
    ratio<&Plan::model, &Model::architecture, &Architecture::moe, &MixtureOfExperts::imbalance>(
        "/model/moe/imbalance", Sentence::tr("Expert imbalance"))
        .says(Sentence::tr("tokens of the card with most of them over the mean, where experts lie on several cards"))
        .of({1.0, kNotNegative.most})
        .when(hasExperts),
    shape<&Architecture::moe, &MixtureOfExperts::moe_latent_size>("/model/moe/moe_latent_size")
        .of(kCountOrZero)
        .upTo(kMostFeatures)
        .as("h_l", Sentence::tr("width at which experts see a token"))
        .unlessDefault(),
    shape<&Architecture::moe, &MixtureOfExperts::shared_expert_gate>("/model/moe/shared_expert_gate")
        .says(Sentence::tr("a gate scales what the shared experts give"))
        .unlessDefault(),
    group<&Plan::model, &Model::architecture, &Architecture::mla>("/model/mla"),
    shape<&Architecture::mla, &LatentAttention::q_lora_rank>("/model/mla/q_lora_rank")
        .of(kCountOrZero)
        .as("q_l", Sentence::tr("rank of the queries' latent")),
    shape<&Architecture::mla, &LatentAttention::kv_lora_rank>("/model/mla/kv_lora_rank")
        .as("k_l", Sentence::tr("rank of the keys' and values' latent")),
    shape<&Architecture::mla, &LatentAttention::qk_nope_head_dim>("/model/mla/qk_nope_head_dim")
        .as("d_n", Sentence::tr("size of a query's part without rotation")),
    shape<&Architecture::mla, &LatentAttention::qk_rope_head_dim>("/model/mla/qk_rope_head_dim")
        .as("d_r", Sentence::tr("size of a query's rotated part")),
    shape<&Architecture::mla, &LatentAttention::v_head_dim>("/model/mla/v_head_dim")
        .as("d_v", Sentence::tr("size of a value head")),
    shape<&Architecture::mtp_layers>("/model/mtp_layers", Sentence::tr("Prediction layers"))
        .says(Sentence::tr("depths of multi-token prediction, each with a layer of its own"))
        .of(kCountOrZero)
        .upTo(kMostLayers),
    emptyIsNull<&Plan::model, &Model::architecture, &Architecture::hybrid_layer_pattern>("/model/hybrid_layer_pattern")
        .says(Sentence::tr(
            "one letter a layer: M Mamba-2, G linear attention, * attention, W windowed attention, C short "
            "convolution, - MLP, E experts; after a slash the layers of one prediction depth"))
        .unlessDefault(),
    emptyIsNull<&Plan::model, &Model::architecture, &Architecture::layer_types>("/model/layer_types")
        .says(Sentence::tr("how each layer mixes tokens, before its MLP or experts"))
        .unlessDefault(),
    group<&Plan::model, &Model::architecture, &Architecture::linear_attention>("/model/linear_attention")
        .unlessDefault(),
    shape<&Architecture::linear_attention, &LinearAttention::rule>("/model/linear_attention/rule")
        .says(Sentence::tr("how the state is updated")),
    shape<&Architecture::linear_attention, &LinearAttention::linear_num_key_heads>(
        "/model/linear_attention/linear_num_key_heads")
        .upTo(kMostFeatures)
        .as("H_k", Sentence::tr("key heads of linear attention")),
    shape<&Architecture::linear_attention, &LinearAttention::linear_num_value_heads>(
        "/model/linear_attention/linear_num_value_heads")
        .upTo(kMostFeatures)
        .as("H_v", Sentence::tr("value heads of linear attention")),
    shape<&Architecture::linear_attention, &LinearAttention::linear_key_head_dim>(
        "/model/linear_attention/linear_key_head_dim")
        .upTo(kMostFeatures)
        .as("D_k", Sentence::tr("size of a key head of linear attention")),
    shape<&Architecture::linear_attention, &LinearAttention::linear_value_head_dim>(
        "/model/linear_attention/linear_value_head_dim")
        .upTo(kMostFeatures)
        .as("D_v", Sentence::tr("size of a value head of linear attention")),
    shape<&Architecture::linear_attention, &LinearAttention::linear_conv_kernel_dim>(
        "/model/linear_attention/linear_conv_kernel_dim")
        .says(Sentence::tr("tokens that the convolution before linear attention covers"))
        .upTo(kMostFeatures),
    group<&Plan::model, &Model::architecture, &Architecture::mamba>("/model/mamba").unlessDefault(),
    shape<&Architecture::mamba, &Mamba::mamba_num_heads>("/model/mamba/mamba_num_heads")
        .upTo(kMostFeatures)
        .as("H_m", Sentence::tr("heads of Mamba-2")),
    shape<&Architecture::mamba, &Mamba::mamba_head_dim>("/model/mamba/mamba_head_dim")
        .upTo(kMostFeatures)
        .as("D_m", Sentence::tr("size of a head of Mamba-2")),
    shape<&Architecture::mamba, &Mamba::n_groups>("/model/mamba/n_groups")
        .upTo(kMostFeatures)
        .as("G_m", Sentence::tr("groups of heads of Mamba-2")),
    shape<&Architecture::mamba, &Mamba::ssm_state_size>("/model/mamba/ssm_state_size")
        .upTo(kMostFeatures)
        .as("S_m", Sentence::tr("size of a state of Mamba-2")),
    shape<&Architecture::mamba, &Mamba::conv_kernel>("/model/mamba/conv_kernel")
        .says(Sentence::tr("tokens that the convolution before Mamba-2 covers"))
        .upTo(kMostFeatures),
    group<&Plan::model, &Model::architecture, &Architecture::sparse_attention>("/model/sparse_attention")
        .unlessDefault(),
    shape<&Architecture::sparse_attention, &SparseAttention::index_n_heads>("/model/sparse_attention/index_n_heads")
        .upTo(kMostFeatures)
        .as("I_h", Sentence::tr("heads of the indexer")),
    shape<&Architecture::sparse_attention, &SparseAttention::index_head_dim>("/model/sparse_attention/index_head_dim")
        .upTo(kMostFeatures)
        .as("I_d", Sentence::tr("size of a head of the indexer")),
    shape<&Architecture::sparse_attention, &SparseAttention::index_topk>("/model/sparse_attention/index_topk")
        .says(Sentence::tr("tokens that the indexer chooses for each query"))
        .upTo(kAnyCount),
    group<&Plan::model, &Model::architecture, &Architecture::compressed_attention>("/model/compressed_attention")
        .unlessDefault(),
    shape<&Architecture::compressed_attention, &CompressedAttention::q_lora_rank>(
        "/model/compressed_attention/q_lora_rank")
        .upTo(kMostFeatures)
        .as("q_c", Sentence::tr("rank of the queries in compressed attention")),
    shape<&Architecture::compressed_attention, &CompressedAttention::o_groups>("/model/compressed_attention/o_groups")
        .upTo(kMostFeatures)
        .as("G_o", Sentence::tr("groups of heads that are projected by themselves")),
    shape<&Architecture::compressed_attention, &CompressedAttention::o_lora_rank>(
        "/model/compressed_attention/o_lora_rank")
        .upTo(kMostFeatures)
        .as("o_c", Sentence::tr("features that a group of heads is projected to")),
    shape<&Architecture::compressed_attention, &CompressedAttention::compress_rate_csa>(
        "/model/compressed_attention/compress_rate_csa")
        .upTo(kAnyCount)
        .as("r_s", Sentence::tr("tokens of an entry in compressed sparse attention")),
    shape<&Architecture::compressed_attention, &CompressedAttention::compress_rate_hca>(
        "/model/compressed_attention/compress_rate_hca")
        .upTo(kAnyCount)
        .as("r_h", Sentence::tr("tokens of an entry in heavily compressed attention")),
    shape<&Architecture::hc_mult>("/model/hc_mult", Sentence::tr("Residual streams"))
        .upTo(kMostLayers)
        .unlessDefault()
        .as("n_h", Sentence::tr("streams of the residual")),
    group<&Plan::model, &Model::architecture, &Architecture::vision>("/model/vision").unlessDefault(),
    shape<&Architecture::vision, &VisionTower::hidden_size>("/model/vision/hidden_size")
        .upTo(kMostFeatures)
        .as("h_v", Sentence::tr("hidden size of the vision tower")),
    shape<&Architecture::vision, &VisionTower::num_hidden_layers>("/model/vision/num_hidden_layers")
        .upTo(kMostLayers)
        .as("L_v", Sentence::tr("layers of the vision tower")),
    shape<&Architecture::vision, &VisionTower::num_attention_heads>("/model/vision/num_attention_heads")
        .upTo(kMostFeatures)
        .as("a_v", Sentence::tr("attention heads of the vision tower")),
    shape<&Architecture::vision, &VisionTower::intermediate_size>("/model/vision/intermediate_size")
        .upTo(kMostFeatures)
        .as("f_v", Sentence::tr("MLP width of the vision tower")),
    shape<&Architecture::vision, &VisionTower::patch_values>("/model/vision/patch_values")
        .upTo(kMostFeatures)
        .as("p_v", Sentence::tr("values of a patch")),
    shape<&Architecture::vision, &VisionTower::num_position_embeddings>("/model/vision/num_position_embeddings")
        .says(Sentence::tr("learned positions of patches; 0: none"))
        .of(kCountOrZero)
        .upTo(kMostFeatures),
    shape<&Architecture::vision, &VisionTower::patches_per_token>("/model/vision/patches_per_token")
        .upTo(kMostLayers)
        .as("m_v", Sentence::tr("patches that become one token")),
    shape<&Architecture::vision, &VisionTower::mergers>("/model/vision/mergers")
        .upTo(kMostLayers)
        .as("M_v", Sentence::tr("mergers of patches")),
    shape<&Architecture::conv_kernel>("/model/conv_kernel")
        .says(Sentence::tr("tokens that a short convolution covers"))
        .upTo(kMostFeatures)
        .unlessDefault(),
    shape<&Architecture::attn_output_gate>("/model/attn_output_gate")
        .says(Sentence::tr("a gate as wide as the queries scales attention's result"))
        .unlessDefault(),
    shape<&Architecture::mtp_use_repeated_layer>("/model/mtp_use_repeated_layer")
        .says(Sentence::tr("all depths of prediction share one layer's weights"))
        .unlessDefault(),
    model<&Model::reported_parameters>("/model/reported_parameters")
        .says(Sentence::tr("what the checkpoint or its publisher says, to compare the count with")),
    model<&Model::source>("/model/source", Sentence::tr("Source")).inForms(),

    group<&Plan::cluster>("/cluster", Sentence::tr("Cluster")),
    cluster<&Cluster::name>("/cluster/name", Sentence::tr("Name")).inForms(),
    group<&Plan::cluster, &Cluster::accelerator>("/cluster/accelerator", Sentence::tr("Accelerator")),
    card<&Accelerator::name>("/cluster/accelerator/name", Sentence::tr("Name")).inForms(),
    card<&Accelerator::vendor>("/cluster/accelerator/vendor").says(Sentence::tr("who makes the card")),
    card<&Accelerator::generation>("/cluster/accelerator/architecture")
        .says(Sentence::tr("generation of the card, which decides formats and the start of collectives")),
    card<&Accelerator::memory>("/cluster/accelerator/memory_mib", Sentence::tr("Memory"))
        .in(Sentence::tr("MiB"))
        .says(Sentence::tr("Total as nvidia-smi prints it; with another one, nothing is known of what is usable"))
        .with(&Field::set, &setCardMemory)
        .upTo(kAnyCount)
        .inForms(),
    card<&Accelerator::usable>("/cluster/accelerator/usable_mib", Sentence::tr("Usable memory"))
        .in(Sentence::tr("MiB"))
        .says(Sentence::tr("What CUDA gives (torch's total_memory; nvidia-smi -q: Total less Reserved): the capacity; "
                           "null: all of it"))
        .upTo(kAnyCount)
        .inForms(),
    card<&Accelerator::memory_bandwidth>("/cluster/accelerator/memory_bandwidth_gb_s", Sentence::tr("Memory bandwidth"))
        .says(Sentence::tr("peak of the card's memory"))
        .in(Sentence::tr("GB/s"))
        .inForms(),
    group<&Plan::cluster, &Cluster::accelerator, &Accelerator::tflops>("/cluster/accelerator/tflops"),
    card<&Accelerator::tflops, &PeakRates::bf16>("/cluster/accelerator/tflops/bf16", Sentence::tr("Peak, bf16"))
        .says(Sentence::tr("dense peak of the tensor cores, without sparsity"))
        .in(Sentence::tr("TFLOPS"))
        .inForms(),
    card<&Accelerator::tflops, &PeakRates::fp16>("/cluster/accelerator/tflops/fp16", Sentence::tr("Peak, fp16"))
        .says(Sentence::tr("dense peak; null: as bf16"))
        .in(Sentence::tr("TFLOPS"))
        .inForms(),
    card<&Accelerator::tflops, &PeakRates::fp8>("/cluster/accelerator/tflops/fp8", Sentence::tr("Peak, fp8"))
        .says(Sentence::tr("dense peak; null: the card has no such products"))
        .in(Sentence::tr("TFLOPS"))
        .inForms(),
    card<&Accelerator::tflops, &PeakRates::fp4>("/cluster/accelerator/tflops/fp4")
        .says(Sentence::tr("dense peak; null: the card has no such products")),
    card<&Accelerator::tflops, &PeakRates::tf32>("/cluster/accelerator/tflops/tf32")
        .says(Sentence::tr("dense peak of products in fp32 on tensor cores")),
    card<&Accelerator::tflops, &PeakRates::fp32>("/cluster/accelerator/tflops/fp32")
        .says(Sentence::tr("peak without tensor cores")),
    card<&Accelerator::tflops, &PeakRates::int8>("/cluster/accelerator/tflops/int8")
        .says(Sentence::tr("dense peak; null: the card has no such products")),
    card<&Accelerator::link>("/cluster/accelerator/link_gb_s", Sentence::tr("Link within the node"))
        .says(Sentence::tr("fast link between cards of a node, one direction; null: PCIe alone"))
        .in(Sentence::tr("GB/s"))
        .inForms(),
    card<&Accelerator::pcie>("/cluster/accelerator/pcie_gb_s", Sentence::tr("Link to the host"))
        .says(Sentence::tr("one direction, for offloading and for cards without a fast link"))
        .in(Sentence::tr("GB/s"))
        .inForms(),
    group<&Plan::cluster, &Cluster::accelerator, &Accelerator::gemm_efficiency>("/cluster/accelerator/gemm_efficiency"),
    card<&Accelerator::gemm_efficiency, &SustainedEfficiency::bf16>("/cluster/accelerator/gemm_efficiency/bf16")
        .says(Sentence::tr("share of the peak that large products reach; null: as usual cards"))
        .of(kEfficiency),
    card<&Accelerator::gemm_efficiency, &SustainedEfficiency::fp8>("/cluster/accelerator/gemm_efficiency/fp8")
        .says(Sentence::tr("the same in fp8"))
        .of(kEfficiency),
    card<&Accelerator::gemm_efficiency, &SustainedEfficiency::fp4>("/cluster/accelerator/gemm_efficiency/fp4")
        .says(Sentence::tr("the same in fp4"))
        .of(kEfficiency),
    curves<&Plan::cluster, &Cluster::accelerator, &Accelerator::matrix_curves>("/cluster/accelerator/matrix_curves")
        .says(Sentence::tr("how products of small rows, inner sizes and columns fall behind large ones, by format")),
    curves<&Plan::cluster, &Cluster::accelerator, &Accelerator::attention_curve>("/cluster/accelerator/attention_curve")
        .says(Sentence::tr("the same of fused attention")),
    curves<&Plan::cluster, &Cluster::accelerator, &Accelerator::collective_curves>(
        "/cluster/accelerator/collective_curves")
        .says(Sentence::tr("start and rate of collectives inside a node and between nodes")),
    card<&Accelerator::power_w>("/cluster/accelerator/power_w", Sentence::tr("Power"))
        .says(Sentence::tr("rated power, for the energy of a run"))
        .in(Sentence::tr("W"))
        .of(kNotNegative)
        .inForms(),
    card<&Accelerator::price_per_hour_usd>("/cluster/accelerator/price_per_hour_usd", Sentence::tr("Price of an hour"))
        .says(Sentence::tr("of one card, for the cost of a run"))
        .in(Sentence::tr("USD"))
        .of(kNotNegative)
        .inForms(),
    card<&Accelerator::source>("/cluster/accelerator/source", Sentence::tr("Source")).inForms(),
    cluster<&Cluster::nodes>("/cluster/nodes", Sentence::tr("Nodes"))
        .says(Sentence::tr("machines of the cluster"))
        .upTo(kMostCards)
        .inForms(),
    cluster<&Cluster::cards_per_node>("/cluster/cards_per_node", Sentence::tr("Cards per node"))
        .says(Sentence::tr("cards of each machine"))
        .upTo(kMostCards)
        .inForms(),
    cluster<&Cluster::nodes_per_domain>("/cluster/nodes_per_domain", Sentence::tr("Nodes per NVLink domain"))
        .says(
            Sentence::tr("Neighbouring nodes on one fast network, as many as the run uses: 16 trays of 4 cards are 64 "
                         "of an NVL72's 72; 1: every node is its own domain"))
        .upTo(kMostCards)
        .unlessDefault()
        .inForms(),
    group<&Plan::cluster, &Cluster::intra_node>("/cluster/intra_node"),
    cluster<&Cluster::intra_node, &Link::bandwidth>("/cluster/intra_node/gb_s", Sentence::tr("Within a node"))
        .says(Sentence::tr("one direction per card; null: the card's own link"))
        .in(Sentence::tr("GB/s"))
        .inForms(),
    cluster<&Cluster::intra_node, &Link::latency>(
        "/cluster/intra_node/latency_us", Sentence::tr("Latency within a node"))
        .says(Sentence::tr("until the first byte arrives"))
        .in(Sentence::tr("µs"))
        .of(kNotNegative)
        .inForms(),
    group<&Plan::cluster, &Cluster::intra_domain>("/cluster/intra_domain").unlessDefault(),
    cluster<&Cluster::intra_domain, &Link::bandwidth>(
        "/cluster/intra_domain/gb_s", Sentence::tr("Between nodes of a domain, per card"))
        .says(Sentence::tr("one direction, where a fast switch joins several nodes"))
        .in(Sentence::tr("GB/s")),
    cluster<&Cluster::intra_domain, &Link::latency>(
        "/cluster/intra_domain/latency_us", Sentence::tr("Latency between nodes of a domain"))
        .says(Sentence::tr("until the first byte arrives"))
        .in(Sentence::tr("µs"))
        .of(kNotNegative),
    group<&Plan::cluster, &Cluster::inter_node>("/cluster/inter_node"),
    cluster<&Cluster::inter_node, &Link::bandwidth>("/cluster/inter_node/gb_s", Sentence::tr("Between nodes, per card"))
        .says(Sentence::tr("one direction, the node's network divided by its cards"))
        .in(Sentence::tr("GB/s"))
        .inForms(),
    cluster<&Cluster::inter_node, &Link::latency>(
        "/cluster/inter_node/latency_us", Sentence::tr("Latency between nodes"))
        .says(Sentence::tr("until the first byte arrives"))
        .in(Sentence::tr("µs"))
        .of(kNotNegative)
        .inForms(),
    cluster<&Cluster::host_memory_gb>("/cluster/host_memory_gb", Sentence::tr("Host memory of a node"))
        .in(Sentence::tr("GB"))
        .says(Sentence::tr("Main memory of one node, for what is offloaded; null: not known"))
        .of(kPositive)
        .unlessDefault()
        .inForms(),
    cluster<&Cluster::source>("/cluster/source", Sentence::tr("Source")).inForms(),

    group<&Plan::workload>("/workload"),
    row<&Plan::workload, &Workload::task>("/workload/task", Sentence::tr("Task"))
        .says(Sentence::tr("what is done with the model, and which weights are trained")),
    row<&Plan::workload, &Workload::sequence_length>("/workload/sequence_length", Sentence::tr("Sequence length"))
        .says(Sentence::tr("tokens of a sequence; of a served one prompt and answer together"))
        .in(Sentence::tr("tokens"))
        .upTo(kMostSequences)
        .inForms(),
    row<&Plan::workload, &Workload::micro_batch_size>("/workload/micro_batch_size", Sentence::tr("Micro-batch"))
        .says(Sentence::tr("sequences that one card works on at a time"))
        .in(Sentence::tr("sequences"))
        .upTo(kMostPerMicroBatch)
        .inForms(),
    row<&Plan::workload, &Workload::global_batch_size>("/workload/global_batch_size", Sentence::tr("Global batch"))
        .says(Sentence::tr("sequences of one step of the optimizer, over all replicas"))
        .in(Sentence::tr("sequences"))
        .upTo(kMostSequences)
        .inForms(),
    row<&Plan::workload, &Workload::tokens>("/workload/tokens", Sentence::tr("Tokens of the run"))
        .says(Sentence::tr("what the run trains on in all; null: days and cost are not told"))
        .inForms(),
    row<&Plan::workload, &Workload::image_tokens>("/workload/image_tokens", Sentence::tr("Image tokens"))
        .in(Sentence::tr("tokens"))
        .of(kCountOrZero)
        .upTo(kMostSequences)
        .says(Sentence::tr("Tokens of a sequence that the vision tower makes of images"))
        .when(hasVision)
        .unlessDefault(),
    row<&Plan::workload, &Workload::images>("/workload/images", Sentence::tr("Images"))
        .upTo(kMostSequences)
        .says(Sentence::tr("Images of a sequence; the patches of one see each other"))
        .when(hasVision)
        .unlessDefault(),
    row<&Plan::workload, &Workload::input_tokens>("/workload/input_tokens", Sentence::tr("Input tokens"))
        .in(Sentence::tr("tokens"))
        .upTo(kMostSequences)
        .says(Sentence::tr("Mean length of a prompt; null: what the answer leaves of the sequence length"))
        .when(isServed)
        .unlessDefault(),
    row<&Plan::workload, &Workload::output_tokens>("/workload/output_tokens", Sentence::tr("Output tokens"))
        .in(Sentence::tr("tokens"))
        .upTo(kMostSequences)
        .says(
            Sentence::tr("Mean length of an answer; null with no input tokens: decoding is timed at the full sequence "
                         "length, without prompts of others"))
        .when(isServed)
        .unlessDefault(),
    row<&Plan::workload, &Workload::concurrency>("/workload/concurrency", Sentence::tr("Concurrency"))
        .in(Sentence::tr("sequences"))
        .upTo(kMostSequences)
        .says(
            Sentence::tr("Requests at once, over all replicas; null: as many as the cache holds and the server admits"))
        .when(isServed)
        .unlessDefault(),
    row<&Plan::workload, &Workload::requests_per_second>(
        "/workload/requests_per_second", Sentence::tr("Requests per second"))
        .in(Sentence::tr("1/s"))
        .says(Sentence::tr("A load instead of a concurrency; null: none is given"))
        .when(isServed)
        .unlessDefault(),
    row<&Plan::workload, &Workload::queue>("/workload/queue", Sentence::tr("Queue"))
        .in(Sentence::tr("requests"))
        .upTo(kMostSequences)
        .says(Sentence::tr("Requests that wait at the start of a saturated run; null: endless"))
        .when(isServed)
        .unlessDefault(),
    group<&Plan::workload, &Workload::limits>("/workload/limits", Sentence::tr("Limits")).unlessDefault(),
    row<&Plan::workload, &Workload::limits, &ServingLimits::tpot_ms>(
        "/workload/limits/tpot_ms", Sentence::tr("Most time per token"))
        .in(Sentence::tr("ms"))
        .says(Sentence::tr("Between the tokens of one user; null: no limit"))
        .when(isServed)
        .unlessDefault(),
    row<&Plan::workload, &Workload::limits, &ServingLimits::ttft_s>(
        "/workload/limits/ttft_s", Sentence::tr("Most time to the first token"))
        .in(Sentence::tr("s"))
        .says(Sentence::tr("From the request on, with all users' requests at once; null: no limit"))
        .when(isServed)
        .unlessDefault(),

    group<&Plan::parallelism>("/parallelism"),
    degree<&Parallelism::tensor>("/parallelism/tensor", Sentence::tr("Tensor parallel"))
        .as("t", Sentence::tr("tensor-parallel cards"))
        .inForms(),
    row<&Plan::parallelism, &Parallelism::vision_tensor>(
        "/parallelism/vision_tensor", Sentence::tr("Vision tower over tensor ranks"))
        .says(Sentence::tr("The vision tower is divided over the tensor-parallel cards; otherwise each has all of it."))
        .when(hasVision)
        .unlessDefault(),
    row<&Plan::parallelism, &Parallelism::sequence>("/parallelism/sequence", Sentence::tr("Sequence parallel"))
        .says(Sentence::tr("Norms and residuals are split over the tensor ranks, too.")),
    degree<&Parallelism::pipeline>("/parallelism/pipeline", Sentence::tr("Pipeline parallel"))
        .as("p", Sentence::tr("pipeline stages"))
        .inForms(),
    degree<&Parallelism::virtual_pipeline>("/parallelism/virtual_pipeline", Sentence::tr("Virtual pipeline"))
        .says(Sentence::tr("chunks of layers on each pipeline stage"))
        .upTo(kMostLayers),
    row<&Plan::parallelism, &Parallelism::layers_per_stage>(
        "/parallelism/layers_per_stage", Sentence::tr("Layers per stage"))
        .of(kCountOrZero)
        .says(Sentence::tr("One number per stage, or per stage and chunk in the order in which a micro-batch visits "
                           "them; null: automatic, as the framework splits layers, or else balanced")),
    row<&Plan::parallelism, &Parallelism::layer_balance>(
        "/parallelism/layer_balance", Sentence::tr("Balance of automatic layers"))
        .says(Sentence::tr("time: as the framework splits layers, or else so that the slowest stage is as fast as "
                           "possible; memory: so that the fullest card is as empty as possible"))
        .when(splitsLayersItself)
        .unlessDefault(),
    degree<&Parallelism::context>("/parallelism/context", Sentence::tr("Context parallel"))
        .as("c", Sentence::tr("context-parallel cards"))
        .inForms(),
    degree<&Parallelism::expert>("/parallelism/expert", Sentence::tr("Expert parallel"))
        .says(Sentence::tr("cards over which a layer's experts are spread"))
        .inForms(),
    degree<&Parallelism::expert_tensor>("/parallelism/expert_tensor", Sentence::tr("Expert tensor"))
        .says(Sentence::tr("Cards that share each expert's matrices; null: as the framework does, which is the tensor "
                           "degree for Megatron-LM")),
    degree<&Parallelism::data>("/parallelism/data", Sentence::tr("Data parallel"))
        .says(Sentence::tr("replicas of the model; null: as many as the cards allow"))
        .upTo(kMostCards)
        .inForms(),
    row<&Plan::parallelism, &Parallelism::order>("/parallelism/order", Sentence::tr("Order of ranks"))
        .says(Sentence::tr("Which groups are on neighbouring cards, from the innermost"))
        .unlessDefault(),

    group<&Plan::recipe>("/recipe"),
    recipe<&Recipe::framework>("/recipe/framework", Sentence::tr("Framework"))
        .says(Sentence::tr("whose rules, buffers and launch options count"))
        .with(&Field::get, &getFramework)
        .with(&Field::set, &setFramework)
        .with(&Field::older_words, &wordsOf<Engine>)
        .with(&Field::text_of, &textOfFramework),
    recipe<&Recipe::kernels>("/recipe/kernels", Sentence::tr("Kernels"))
        .says(Sentence::tr("whose operators run, which decides what they save for the backward pass")),
    emptyIsNull<&Plan::recipe, &Recipe::software>("/recipe/software", Sentence::tr("Software of"))
        .says(
            Sentence::tr("Year and month of the training software, as in 2025-11: kernels of a new generation of cards "
                         "become faster in its first years; null: today's."))
        .when(isTrained)
        .unlessDefault(),
    recipe<&Recipe::precision>("/recipe/precision", Sentence::tr("Precision"))
        .says(Sentence::tr("format of the products, and of a served model's weights")),
    recipe<&Recipe::bf16_layers_at_start>("/recipe/bf16_layers_at_start", Sentence::tr("First layers in 16 bits"))
        .of(kCountOrZero)
        .says(Sentence::tr("So many layers from the first multiply in 16 bits, whatever the precision."))
        .when(trainsNarrowly)
        .unlessDefault(),
    recipe<&Recipe::bf16_layers_at_end>("/recipe/bf16_layers_at_end", Sentence::tr("Last layers in 16 bits"))
        .of(kCountOrZero)
        .says(Sentence::tr("So many layers up to the last multiply in 16 bits, whatever the precision."))
        .when(trainsNarrowly)
        .unlessDefault(),
    recipe<&Recipe::gradient_precision>("/recipe/gradient_precision", Sentence::tr("Gradients"))
        .says(Sentence::tr("format in which gradients are added up and reduced"))
        .when(isTrained),
    recipe<&Recipe::train_vision>("/recipe/train_vision", Sentence::tr("Vision tower learns"))
        .says(Sentence::tr("Otherwise the vision tower is frozen: no gradients, no optimizer states, nothing kept."))
        .when(trainsBesideVision)
        .unlessDefault(),
    recipe<&Recipe::reference_model>("/recipe/reference_model", Sentence::tr("Reference model"))
        .says(Sentence::tr("A frozen copy of the whole model stays on the cards in 16 bits, divided as the trained "
                           "weights are, as DPO and PPO compare with. The time of its forward pass is not counted."))
        .when(isTrained)
        .unlessDefault(),
    recipe<&Recipe::fp8_attention>("/recipe/fp8_attention", Sentence::tr("Attention in fp8"))
        .says(Sentence::tr("Scores and their product with the values are multiplied in fp8 as well."))
        .when(trainsNarrowly)
        .unlessDefault(),
    recipe<&Recipe::fp8_param_gather>("/recipe/fp8_param_gather", Sentence::tr("Weights gathered in fp8"))
        .says(Sentence::tr(
            "Replicas gather weights in the format of the products; Megatron-Core then keeps no 16-bit copy "
            "of them."))
        .when(gathersInFp8)
        .unlessDefault(),
    recipe<&Recipe::fp4_param_gather>("/recipe/fp4_param_gather", Sentence::tr("Weights gathered in fp4"))
        .says(Sentence::tr("Replicas gather the weights of nvfp4 products in fp4, and keep no 16-bit copy of them."))
        .when(gathersInFp4)
        .unlessDefault(),
    recipe<&Recipe::optimizer>("/recipe/optimizer", Sentence::tr("Optimizer"))
        .says(Sentence::tr("what updates the weights, and which states it keeps"))
        .when(isTrained),
    recipe<&Recipe::optimizer_implementation>("/recipe/optimizer_implementation", Sentence::tr("Update by"))
        .says(Sentence::tr("How PyTorch's own optimizer runs; null: fused."))
        .when(updatesByPyTorch)
        .unlessDefault(),
    recipe<&Recipe::moment_precision>("/recipe/moment_precision", Sentence::tr("Moments"))
        .says(Sentence::tr("Format of Adam's running averages; by default 32 bits, or 16 where everything is."))
        .when(isTrained)
        .unlessDefault(),
    recipe<&Recipe::sharding>("/recipe/sharding", Sentence::tr("Sharding"))
        .says(Sentence::tr("what is divided among data-parallel replicas: states, gradients, weights"))
        .when(isTrained),
    recipe<&Recipe::optimizer_instances>("/recipe/optimizer_instances", Sentence::tr("Optimizer instances"))
        .says(Sentence::tr("groups of replicas that each hold all shards"))
        .upTo(kAnyCount),
    recipe<&Recipe::schedule>("/recipe/schedule", Sentence::tr("Schedule"))
        .says(Sentence::tr("order in which a pipeline's stages run micro-batches"))
        .when(isTrained),
    recipe<&Recipe::microbatch_group>("/recipe/microbatch_group", Sentence::tr("Micro-batches per group"))
        .says(Sentence::tr("micro-batches that run through a chunk before the next one; null: as many as stages"))
        .upTo(kMostCards),
    recipe<&Recipe::attention>("/recipe/attention", Sentence::tr("Attention"))
        .says(Sentence::tr("kernel of attention, which decides what is saved")),
    recipe<&Recipe::loss>("/recipe/loss", Sentence::tr("Loss"))
        .says(Sentence::tr("how logits become the loss, and how many copies of them exist"))
        .when(isTrained),
    recipe<&Recipe::loss_parallel>("/recipe/loss_parallel", Sentence::tr("Loss parallel"))
        .says(Sentence::tr("Logits stay divided over the tensor-parallel cards; otherwise each holds all of them."))
        .when(dividesLogits)
        .unlessDefault(),
    group<&Plan::recipe, &Recipe::dropout>("/recipe/dropout"),
    ratio<&Plan::recipe, &Recipe::dropout, &Dropout::hidden>("/recipe/dropout/hidden")
        .says(Sentence::tr("share of values dropped behind attention and MLP; above 0 masks are kept")),
    ratio<&Plan::recipe, &Recipe::dropout, &Dropout::attention>("/recipe/dropout/attention")
        .says(Sentence::tr("share of attention's scores dropped")),
    group<&Plan::recipe, &Recipe::recompute>("/recipe/recompute", Sentence::tr("Recompute")),
    recipe<&Recipe::recompute, &Recompute::granularity>("/recipe/recompute/granularity", Sentence::tr("Recompute"))
        .says(Sentence::tr("whether the backward pass computes activations again instead of keeping them"))
        .when(isTrained),
    recipe<&Recipe::recompute, &Recompute::modules>("/recipe/recompute/modules", Sentence::tr("Recomputed modules"))
        .says(Sentence::tr("what is computed again"))
        .when(recomputesModules)
        .whenUsed(),
    recipe<&Recipe::recompute, &Recompute::method>("/recipe/recompute/method", Sentence::tr("Method"))
        .says(Sentence::tr("all layers in groups, or the first ones of each stage"))
        .when(recomputesLayers)
        .whenUsed(),
    recipe<&Recipe::recompute, &Recompute::layers>("/recipe/recompute/layers", Sentence::tr("Recomputed layers"))
        .says(Sentence::tr("layers of a group, or that are computed again on each stage"))
        .upTo(kAnyCount)
        .when(recomputesLayers)
        .whenUsed(),
    recipe<&Recipe::gradient_accumulation_fusion>(
        "/recipe/gradient_accumulation_fusion", Sentence::tr("Gradient accumulation fused"))
        .says(Sentence::tr("Weight gradients are added into the main gradients by the matrix product itself."))
        .when(isTrained),
    recipe<&Recipe::attention_mask_in_dataloader>(
        "/recipe/attention_mask_in_dataloader", Sentence::tr("Attention mask from the data loader"))
        .says(Sentence::tr("Batches carry a mask of all pairs of tokens, which lies on the card."))
        .when(isTrained),
    recipe<&Recipe::activation_fusion>("/recipe/activation_fusion", Sentence::tr("Activation functions fused"))
        .says(Sentence::tr("Bias and activation function run as one kernel, and keep one input instead of two.")),
    recipe<&Recipe::fp8_activation_input>("/recipe/fp8_activation_input", Sentence::tr("Activation inputs in fp8"))
        .says(Sentence::tr("SwiGLU's input is kept in fp8 for the backward pass, whatever it was computed in."))
        .when(keepsActivationInput)
        .unlessDefault(),
    recipe<&Recipe::rope_fusion>("/recipe/rope_fusion", Sentence::tr("Rotary embedding fused"))
        .says(Sentence::tr("Queries and keys are rotated by one kernel each.")),
    recipe<&Recipe::cuda_graph>("/recipe/cuda_graph", Sentence::tr("CUDA graphs of"))
        .says(
            Sentence::tr("What a step replays as recorded graphs, so that the host need not launch its kernels one by "
                         "one."))
        .when(isTrained)
        .unlessDefault(),
    group<&Plan::recipe, &Recipe::moe>("/recipe/moe"),
    recipe<&Recipe::moe, &ExpertRecipe::grouped_gemm>(
        "/recipe/moe/grouped_gemm", Sentence::tr("Experts' products grouped"))
        .says(Sentence::tr("One kernel multiplies for all experts of a card."))
        .when(hasExperts),
    recipe<&Recipe::moe, &ExpertRecipe::dispatcher>("/recipe/moe/dispatcher", Sentence::tr("Dispatcher"))
        .says(Sentence::tr("how tokens get to the cards of their experts"))
        .when(hasExperts),
    recipe<&Recipe::moe, &ExpertRecipe::permute_fusion>(
        "/recipe/moe/permute_fusion", Sentence::tr("Token permutation fused"))
        .says(Sentence::tr("Tokens are sorted by expert in one kernel."))
        .when(hasExperts),
    recipe<&Recipe::moe, &ExpertRecipe::expert_overlap>(
        "/recipe/moe/expert_overlap", Sentence::tr("Overlap expert communication"))
        .says(Sentence::tr("Tokens of one micro-batch travel while another one computes."))
        .when(trainsExperts),
    recipe<&Recipe::moe, &ExpertRecipe::fused_grouped_mlp>(
        "/recipe/moe/fused_grouped_mlp", Sentence::tr("Experts' MLP fused"))
        .says(Sentence::tr("Each product of the experts is one kernel with the activation and the quantization around "
                           "it."))
        .when(trainsExperts)
        .unlessDefault(),
    recipe<&Recipe::context_communication>("/recipe/context_communication", Sentence::tr("Context by"))
        .says(Sentence::tr("how context ranks exchange keys and values"))
        .when(splitsContext),
    group<&Plan::recipe, &Recipe::offload>("/recipe/offload"),
    ratio<&Plan::recipe, &Recipe::offload, &Offload::optimizer>(
        "/recipe/offload/optimizer", Sentence::tr("Optimizer on the host"))
        .as("o", Sentence::tr("share of the optimizer's states in host memory")),
    ratio<&Plan::recipe, &Recipe::offload, &Offload::parameters>(
        "/recipe/offload/parameters", Sentence::tr("Weights on the host"))
        .as("o_p", Sentence::tr("share of the weights in host memory")),
    ratio<&Plan::recipe, &Recipe::offload, &Offload::activations>(
        "/recipe/offload/activations", Sentence::tr("Activations on the host"))
        .as("o_a", Sentence::tr("share of the layers' activations in host memory")),
    ratio<&Plan::recipe, &Recipe::offload, &Offload::gradients>(
        "/recipe/offload/gradients", Sentence::tr("Gradients on the host"))
        .as("o_g", Sentence::tr("share of the gradients in host memory"))
        .unlessDefault(),
    recipe<&Recipe::gradient_sync>("/recipe/gradient_sync", Sentence::tr("Gradients reduced after"))
        .says(Sentence::tr("FSDP can accumulate micro-batches without reducing their gradients; it then keeps them "
                           "whole until the last one."))
        .when(trainsByFsdp)
        .unlessDefault(),
    recipe<&Recipe::optimizer_in_backward>("/recipe/optimizer_in_backward", Sentence::tr("Update during backward"))
        .says(Sentence::tr("Each weight is updated as soon as its gradient is there, so that gradients never add up."))
        .when(trainsByFsdp)
        .unlessDefault(),
    recipe<&Recipe::sub_group_size>("/recipe/sub_group_size", Sentence::tr("Sub-group size"))
        .as("G_s", Sentence::tr("parameters that DeepSpeed updates at once"))
        .upTo(kAnyCount)
        .when(updatesSubGroups)
        .unlessDefault(),
    recipe<&Recipe::reduce_bucket_size>("/recipe/reduce_bucket_size", Sentence::tr("Reduce bucket"))
        .as("G_r", Sentence::tr("gradients that DeepSpeed reduces at once"))
        .upTo(kAnyCount)
        .when(reducesBuckets)
        .unlessDefault(),
    recipe<&Recipe::allgather_bucket_size>("/recipe/allgather_bucket_size", Sentence::tr("Gather bucket"))
        .says(Sentence::tr("elements of a buffer that gathers weights"))
        .upTo(kAnyCount)
        .when(gathersBuckets)
        .unlessDefault(),
    recipe<&Recipe::quantizer>("/recipe/quantizer", Sentence::tr("Quantizer"))
        .says(Sentence::tr("who keeps the frozen weights, and in which format"))
        .when(quantizesFrozen)
        .unlessDefault(),
    recipe<&Recipe::double_quantization>("/recipe/double_quantization", Sentence::tr("Scales quantized as well"))
        .says(Sentence::tr("The scales of 4-bit weights are stored in 8 bits: 0.516 bytes a value instead of 0.5625."))
        .when(keepsNormalFloat)
        .unlessDefault(),
    group<&Plan::recipe, &Recipe::adapter>("/recipe/adapter", Sentence::tr("Adapter")),
    recipe<&Recipe::adapter, &Adapter::rank>("/recipe/adapter/rank", Sentence::tr("Adapter rank"))
        .says(Sentence::tr("rank of the low-rank matrices"))
        .upTo(kMostPerMicroBatch)
        .when(hasAdapter),
    recipe<&Recipe::adapter, &Adapter::targets>("/recipe/adapter/targets")
        .says(Sentence::tr("projections that get adapters"))
        .when(hasAdapter)
        .unlessDefault(),
    ratio<&Plan::recipe, &Recipe::adapter, &Adapter::dropout>(
        "/recipe/adapter/dropout", Sentence::tr("Dropout of the adapter"))
        .says(Sentence::tr("share of an adapter's input that is dropped; above 0 a copy is kept"))
        .when(hasAdapter)
        .unlessDefault(),
    group<&Plan::recipe, &Recipe::overlap>("/recipe/overlap"),
    recipe<&Recipe::overlap, &Overlap::gradients>(
        "/recipe/overlap/gradients", Sentence::tr("Overlap gradient reduction"))
        .says(Sentence::tr("Replicas exchange gradients while backward passes go on."))
        .when(isTrained),
    recipe<&Recipe::overlap, &Overlap::parameters>(
        "/recipe/overlap/parameters", Sentence::tr("Overlap parameter gathering"))
        .says(Sentence::tr("Replicas gather weights while forward passes go on."))
        .when(isTrained),
    recipe<&Recipe::overlap, &Overlap::tensor>("/recipe/overlap/tensor", Sentence::tr("Overlap tensor communication"))
        .says(Sentence::tr("Collectives of tensor parallelism run piece by piece beside the products.")),
    recipe<&Recipe::overlap, &Overlap::pipeline>(
        "/recipe/overlap/pipeline", Sentence::tr("Overlap pipeline communication"))
        .says(Sentence::tr("Transfers between stages run beside the passes.")),
    group<&Plan::recipe, &Recipe::weights_precision>("/recipe/weights_precision").unlessDefault(),
    recipe<&Recipe::weights_precision, &WeightsPrecision::experts>(
        "/recipe/weights_precision/experts", Sentence::tr("Experts' weights"))
        .says(Sentence::tr("Format of the experts' weights where it is not the precision; null: it is."))
        .when(servesExperts)
        .unlessDefault(),
    recipe<&Recipe::weights_precision, &WeightsPrecision::attention>(
        "/recipe/weights_precision/attention", Sentence::tr("Attention's weights"))
        .says(Sentence::tr("Format of the weights of attention; null: the precision, or 16 bits beside experts in "
                           "mxfp4."))
        .when(isServed)
        .unlessDefault(),
    recipe<&Recipe::weights_precision, &WeightsPrecision::rest>(
        "/recipe/weights_precision/rest", Sentence::tr("Other weights"))
        .says(Sentence::tr("Format of the layers' other matrices; null: the precision, or 16 bits beside experts in "
                           "mxfp4. Embeddings and the output layer stay in 16 bits."))
        .when(isServed)
        .unlessDefault(),
    recipe<&Recipe::kv_cache_precision>("/recipe/kv_cache_precision", Sentence::tr("Key/value cache"))
        .says(Sentence::tr("format of a server's keys and values; null: 16 bits"))
        .when(isServed)
        .unlessDefault(),
    ratio<&Plan::recipe, &Recipe::gpu_memory_utilization>(
        "/recipe/gpu_memory_utilization", Sentence::tr("Memory for the server"))
        .says(Sentence::tr("Share of a card that the server fills: weights, what a forward pass needs, and the cache; "
                           "null: 0.9 with compiled kernels (vLLM), otherwise all of it."))
        .as("u_g", Sentence::tr("share of a card that the server fills"))
        .when(isServed)
        .unlessDefault(),
    recipe<&Recipe::max_num_seqs>("/recipe/max_num_seqs", Sentence::tr("Sequences admitted at once"))
        .says(Sentence::tr("Most sequences that vLLM runs at once; its profile run samples for as many. null: 1,024 on "
                           "cards of 70 GiB and more except the A100, else 256."))
        .upTo(kMostPerMicroBatch)
        .when(isServed)
        .unlessDefault(),
    recipe<&Recipe::max_num_batched_tokens>("/recipe/max_num_batched_tokens", Sentence::tr("Tokens of a forward pass"))
        .says(Sentence::tr("Longer prompts are fed in pieces of this size; null: 8,192."))
        .upTo(kAnyCount)
        .when(isServed)
        .unlessDefault(),
    recipe<&Recipe::cublas_workspace>("/recipe/cublas_workspace_mib")
        .says(Sentence::tr("workspace of matrix products; null: what cuBLAS takes on the card"))
        .of(kCountOrZero)
        .unlessDefault(),
    recipe<&Recipe::expandable_segments>("/recipe/expandable_segments", Sentence::tr("Expandable segments"))
        .says(Sentence::tr("PYTORCH_CUDA_ALLOC_CONF has expandable_segments: what the allocator holds grows in place."))
        .unlessDefault(),
    recipe<&Recipe::embedding_unit>("/recipe/embedding_unit", Sentence::tr("Embedding sharded apart"))
        .says(Sentence::tr("FSDP gathers and reduces the embedding apart from the output layer; null: as torchtitan "
                           "does in pre-training and Hugging Face's wrapping does not in fine-tuning."))
        .when(trainsByFsdp)
        .unlessDefault(),

    group<&Plan::overheads>("/overheads"),
    row<&Plan::overheads, &Overheads::device_context>("/overheads/device_context_mib", Sentence::tr("Device context"))
        .says(Sentence::tr("driver and kernels, outside the allocator; null: what is known of the card"))
        .in(Sentence::tr("MiB"))
        .of(kCountOrZero),
    ratio<&Plan::overheads, &Overheads::reserve_fraction>(
        "/overheads/reserve_fraction", Sentence::tr("Allocator reserve"))
        .says(Sentence::tr("share of what is allocated that the allocator holds in addition; null: estimated")),

    group<&Plan::calibration>("/calibration").unlessDefault(),
    measured<&Measurement::tokens_per_second_per_card>("/calibration/tokens_per_second_per_card")
        .says(Sentence::tr("measured throughput of the run"))
        .unlessDefault(),
    measured<&Measurement::step>("/calibration/step_seconds")
        .says(Sentence::tr("measured time of a step"))
        .unlessDefault(),
    measured<&Measurement::allocated>("/calibration/allocated_bytes")
        .says(Sentence::tr("measured peak of torch.cuda.max_memory_allocated"))
        .of({1.0, kAnyBytes.most})
        .unlessDefault(),
    measured<&Measurement::stage>("/calibration/stage")
        .says(Sentence::tr("the pipeline stage on which memory was measured"))
        .of(kCountOrZero)
        .when(hasMeasuredMemory)
        .whenUsed(),
    measured<&Measurement::source>("/calibration/source")
        .says(Sentence::tr("where the measurement comes from"))
        .unlessDefault(),
    ratio<&Plan::calibration, &Calibration::compute_factor>("/calibration/compute_factor")
        .says(Sentence::tr("measured over estimated time of computing"))
        .of({0.01, 100.0})
        .when(hasMeasuredSpeed)
        .whenUsed(),
    ratio<&Plan::calibration, &Calibration::communication_factor>("/calibration/communication_factor")
        .says(Sentence::tr("measured over estimated time of communication"))
        .of({0.01, 100.0})
        .unlessDefault(),
    row<&Plan::calibration, &Calibration::residual>("/calibration/residual_bytes")
        .says(Sentence::tr("measured less estimated memory, added to every stage"))
        .of(kAnyBytes)
        .when(hasMeasuredMemory)
        .whenUsed(),

    emptyIsNull<&Plan::assumed>("/assumed", Sentence::tr("Assumed"))
        .says(Sentence::tr("What an import took for granted; a sentence stays until you remove it"))
        .unlessDefault(),
});

template <auto member> consteval std::size_t indexOf()
{
    std::size_t found = kFields.size();
    for (std::size_t i = 0; i < kFields.size(); ++i) {
        if (kFields[i].member != &kTag<member>) continue;
        if (found != kFields.size()) throw "several fields have this member: name them by their pointers";
        found = i;
    }
    if (found == kFields.size()) throw "no field has this member";
    return found;
}

} // namespace fields

/// The JSON pointer of a member: `pointerOf<&Parallelism::tensor>` is "/parallelism/tensor". A member without a row
/// does not compile.
template <auto member> inline constexpr std::string_view pointerOf = fields::kFields[fields::indexOf<member>()].pointer;

/// The row of a member. Only core/plan/fields.cpp contains the table: a file that took the address of a row itself
/// would compile all rows.
template <auto member> [[nodiscard]] const Field& fieldOf() { return planFields()[fields::indexOf<member>()]; }

} // namespace cardfit
