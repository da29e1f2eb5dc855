// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <rapidcheck.h>

#include "core/model/layer_lists.h"
#include "core/plan/choices.h"
#include "core/plan/edits.h"
#include "core/plan/stages.h"
#include "tests/core/sample_plans.h"

/// Random plans that every part of the memory model can meet, and that keep every rule that would prevent an estimate
/// or leave a remainder in a division. To be called inside rc::check.
namespace cardfit::runnable {

inline bool flag() { return *rc::gen::arbitrary<bool>(); }
inline std::int64_t power(int low, int high) { return std::int64_t{1} << *rc::gen::inRange(low, high + 1); }
template <class Enum> Enum word()
{
    const auto all = names<Enum>();
    return all[*rc::gen::inRange<std::size_t>(0, all.size())].value;
}
/// 0 most of the time.
inline double fraction() { return flag() ? 0.0 : *rc::gen::element(0.25, 0.3, 0.5, 1.0); }

inline MixtureOfExperts experts()
{
    MixtureOfExperts moe;
    moe.num_experts = power(3, 6);
    moe.num_experts_per_tok = power(0, 3);
    moe.moe_intermediate_size = 256 * power(0, 3);
    moe.num_shared_experts = *rc::gen::inRange<std::int64_t>(0, 3);
    moe.shared_intermediate_size = moe.num_shared_experts * moe.moe_intermediate_size;
    moe.first_dense_layers = *rc::gen::inRange<std::int64_t>(0, 3);
    moe.layer_frequency = *rc::gen::inRange<std::int64_t>(1, 3);
    if (flag()) moe.capacity_factor = 1.25;
    if (flag()) moe.imbalance = 1.3;
    return moe;
}

/// Attention as DeepSeek-V4 has it.
inline void compressAttention(Architecture& model)
{
    model.compressed_attention = CompressedAttention{768, 8, 64 * power(0, 2), 4, 128};
    model.sparse_attention = SparseAttention{16, 64, 512};
    model.sliding_window = SlidingWindow{128, 1};
    model.num_key_value_heads = 1;
    model.v_head_dim = 0;
    model.attention_k_eq_v = false;
    for (std::int64_t layer = 0; layer < model.num_hidden_layers; ++layer)
        model.layer_types.push_back(*rc::gen::element(
            LayerType::SlidingAttention, LayerType::CompressedSparseAttention, LayerType::HeavilyCompressedAttention));
}

/// Makes the layers differ, by a list or by a pattern.
inline void mixLayers(Architecture& model)
{
    model.linear_attention = LinearAttention{word<LinearAttentionRule>(), 64, 64 * power(0, 1), 64, 64, 4};
    model.mamba = Mamba{128, 64, 64, 64, 4};
    model.attn_output_gate = flag();
    model.mtp_use_repeated_layer = flag();
    if (model.mla && flag()) model.sparse_attention = SparseAttention{16, 64, 512};
    if (model.moe) {
        model.moe->moe_latent_size = flag() ? 256 : 0;
        model.moe->shared_expert_gate = flag();
        model.moe->layers.clear();
    }
    model.hc_mult = *rc::gen::inRange<std::int64_t>(1, 5);
    if (!model.mla && *rc::gen::inRange(0, 4) == 0) return compressAttention(model);
    const bool windows = model.sliding_window.has_value();
    if (windows && !model.mla && flag()) {
        model.sliding_attention = WindowedHeads{
            32 * power(0, 1), 16 * *rc::gen::inRange(0, 2), 96 * *rc::gen::inRange(0, 2), 32 * *rc::gen::inRange(0, 2)};
    }
    const std::string letters = std::string("MG*C-") + (windows ? "W" : "") + (model.moe ? "E" : "");
    if (flag()) {
        for (std::int64_t layer = 0; layer < model.num_hidden_layers; ++layer)
            model.hybrid_layer_pattern += *rc::gen::elementOf(letters);
        if (model.mtp_layers > 0) model.hybrid_layer_pattern += "/*-";
    } else {
        for (std::int64_t layer = 0; layer < model.num_hidden_layers; ++layer) {
            const LayerType type = *rc::gen::element(
                LayerType::FullAttention, LayerType::SlidingAttention, LayerType::LinearAttention, LayerType::Conv);
            model.layer_types.push_back(
                type == LayerType::SlidingAttention && !windows ? LayerType::FullAttention : type);
        }
    }
}

inline Architecture architecture()
{
    Architecture model;
    model.num_attention_heads = 32;
    model.num_key_value_heads = power(0, 5);
    model.head_dim = 64 * power(0, 1);
    model.hidden_size = 32 * model.head_dim;
    model.intermediate_size = 256 * *rc::gen::inRange(8, 64) * 8;
    model.num_hidden_layers = 8 * *rc::gen::inRange<std::int64_t>(1, 6);
    model.vocab_size = *rc::gen::inRange<std::int64_t>(1000, 200000);
    model.max_position_embeddings = 1 << 20;
    model.position_embedding = word<PositionEmbedding>();
    model.gated_mlp = flag();
    model.norm = word<Norm>();
    model.tie_word_embeddings = flag();
    model.attention_bias = flag();
    model.mlp_bias = flag();
    model.qk_norm = flag();
    if (*rc::gen::inRange(0, 3) == 0) model.sliding_window = SlidingWindow{512, *rc::gen::inRange<std::int64_t>(1, 4)};
    if (*rc::gen::inRange(0, 2) == 0) model.moe = experts();
    if (*rc::gen::inRange(0, 3) == 0) {
        model.mla = LatentAttention{flag() ? 768 : 0, 512, 128, 64, 128};
        model.num_key_value_heads = model.num_attention_heads;
    }
    if (!model.mla && *rc::gen::inRange(0, 3) == 0) model.v_head_dim = 32;
    model.attention_k_eq_v = !model.mla && model.v_head_dim == 0 && flag();
    model.mtp_layers = *rc::gen::inRange<std::int64_t>(0, 3);
    if (*rc::gen::inRange(0, 3) == 0)
        model.vision =
            VisionTower{512, 8 * power(0, 1), 16, 2048, 1536, 2304 * *rc::gen::inRange(0, 2), 4, power(0, 2)};
    if (*rc::gen::inRange(0, 3) == 0) mixLayers(model);
    return model;
}

inline Parallelism parallelism(const Architecture& model)
{
    Parallelism degrees;
    degrees.tensor = model.num_key_value_heads >= 8 ? power(0, 3) : power(0, 1);
    degrees.sequence = degrees.tensor > 1 && (model.moe || flag()); // Megatron-Core requires it for experts
    degrees.pipeline = power(0, 3);
    degrees.context = power(0, 3);
    degrees.data = power(0, 3);
    if (model.moe) {
        degrees.expert = std::min(power(0, 3), *degrees.data);
        degrees.expert_tensor = degrees.tensor > 1 && flag() ? 2 : 1;
    }
    return degrees;
}

inline Recipe recipe()
{
    Recipe made;
    made.framework = word<Framework>();
    made.kernels = word<Kernels>();
    made.precision = word<Precision>();
    made.gradient_precision = word<GradientPrecision>();
    made.optimizer = word<Optimizer>();
    if (flag()) made.moment_precision = word<MomentPrecision>();
    made.sharding = word<Sharding>();
    made.schedule = *rc::gen::element(Schedule::Naive, Schedule::GPipe, Schedule::OneFOneB, Schedule::PipeDream);
    made.attention = word<Attention>();
    made.loss = word<Loss>();
    made.dropout = {*rc::gen::element(0.0, 0.1), *rc::gen::element(0.0, 0.1)};
    made.recompute.granularity = word<RecomputeGranularity>();
    made.recompute.method = word<RecomputeMethod>();
    made.recompute.layers = *rc::gen::inRange<std::int64_t>(1, 4);
    while (flag())
        made.recompute.modules.push_back(word<RecomputeModule>());
    made.gradient_accumulation_fusion = flag();
    made.attention_mask_in_dataloader = flag();
    made.activation_fusion = flag();
    made.context_communication = word<ContextCommunication>();
    made.offload = {fraction(), fraction(), fraction(), flag() ? std::optional(fraction()) : std::nullopt};
    made.gradient_sync = word<GradientSync>();
    made.optimizer_in_backward = flag();
    made.reduce_bucket_size = *rc::gen::element<std::int64_t>(1'000'000, 500'000'000);
    made.allgather_bucket_size = *rc::gen::element<std::int64_t>(1'000'000, 500'000'000);
    made.sub_group_size = *rc::gen::element<std::int64_t>(1'000'000, 1'000'000'000);
    made.quantizer = word<Quantizer>();
    made.double_quantization = flag();
    made.moe.expert_overlap = flag();
    made.moe.dispatcher = word<Dispatcher>();
    made.moe.fused_grouped_mlp = flag();
    made.cuda_graph = word<CudaGraph>();
    made.fp8_attention = flag();
    made.fp8_param_gather = flag();
    made.fp4_param_gather = flag();
    made.loss_parallel = flag();
    made.fp8_activation_input = flag();
    made.overlap.gradients = flag();
    if (flag()) made.kv_cache_precision = Precision::Fp8;
    if (flag()) made.cublas_workspace = Mebibytes(16);
    if (flag()) made.optimizer_implementation = word<OptimizerImplementation>();
    made.expandable_segments = flag();
    if (flag()) made.embedding_unit = flag();
    made.software = *rc::gen::element<std::string>("", "2023-12", "2024-12", "2025-06", "2026-01");
    if (flag()) {
        made.adapter = Adapter{8, {AdapterTarget::LinearQkv, AdapterTarget::LinearFc2}, flag() ? 0.1 : 0.0};
        if (flag()) made.adapter->targets = {AdapterTarget::QProj, AdapterTarget::VProj, AdapterTarget::LmHead};
    }
    return made;
}

/// A schedule that runs the two halves of a backward pass apart, at least for some.
inline Schedule splitSchedule(std::int64_t pipeline)
{
    const auto schedule = *rc::gen::element(Schedule::ZbH1, Schedule::ZbH2, Schedule::InterleavedZb, Schedule::ZbV,
        Schedule::VHalf, Schedule::VMin, Schedule::DualPipe, Schedule::DualPipeV);
    return schedule == Schedule::DualPipe && pipeline % 2 != 0 ? Schedule::ZbV : schedule;
}

inline Plan plan()
{
    Plan made = samples::llama13BOnEightCards();
    made.model.architecture = architecture();
    made.parallelism = parallelism(made.model.architecture);
    made.recipe = recipe();
    const auto& degrees = made.parallelism;
    made.cluster.accelerator.generation =
        *rc::gen::element(Generation::Ampere, Generation::Hopper, Generation::Blackwell);
    made.cluster.nodes = degrees.tensor * degrees.pipeline * degrees.context * *degrees.data;
    made.cluster.cards_per_node = 1;
    made.workload.task = word<Task>();
    made.workload.sequence_length = 1024 * power(0, 3);
    made.workload.micro_batch_size = power(0, 2);
    if (made.model.architecture.vision) {
        made.workload.image_tokens = 256 * *rc::gen::inRange<std::int64_t>(0, 5);
        made.workload.images = power(0, 2);
        made.parallelism.vision_tensor = flag();
        made.recipe.train_vision = flag();
    }
    made.recipe.reference_model = *rc::gen::inRange(0, 4) == 0;
    std::int64_t microbatches = *rc::gen::inRange<std::int64_t>(1, 24);
    if (degrees.pipeline > 1 && *rc::gen::inRange(0, 3) == 0) {
        made = withSchedule(made, splitSchedule(degrees.pipeline));
        made.model.architecture =
            withLayers(made.model.architecture, stagesInPipe(made) * *rc::gen::inRange<std::int64_t>(1, 3));
        microbatches = 2 * degrees.pipeline * *rc::gen::inRange<std::int64_t>(1, 3);
    } else if (degrees.pipeline > 1 && *rc::gen::inRange(0, 3) == 0) {
        made.recipe.schedule = Schedule::InterleavedOneFOneB;
        made.parallelism.virtual_pipeline = 2;
        made.model.architecture =
            withLayers(made.model.architecture, 2 * degrees.pipeline * *rc::gen::inRange<std::int64_t>(1, 4));
        microbatches = degrees.pipeline * *rc::gen::inRange<std::int64_t>(1, 4);
    }
    made.workload.global_batch_size = made.workload.micro_batch_size * *degrees.data * microbatches;
    return made;
}

} // namespace cardfit::runnable
