// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <rapidcheck.h>

#include "core/plan/choices.h"
#include "core/plan/plan.h"

/// Plans with every field at random, within what a plan file may hold. To be called inside rc::check.
namespace cardfit::random {

inline std::int64_t whole(std::int64_t least = 1)
{
    return *rc::gen::weightedOneOf<std::int64_t>({{3, rc::gen::inRange<std::int64_t>(least, 200)},
        {1, rc::gen::inRange<std::int64_t>(least, (std::int64_t{1} << 40) + 1)}});
}

inline bool flag() { return *rc::gen::arbitrary<bool>(); }

/// Any positive finite double, and often a plain one.
inline double positive()
{
    if (flag()) return static_cast<double>(whole());
    const double number = std::abs(*rc::gen::arbitrary<double>());
    return std::isfinite(number) && number > 0.0 ? number : std::numeric_limits<double>::denorm_min();
}

inline double fraction() { return static_cast<double>(*rc::gen::inRange(0, 1 << 30)) / (1 << 30); }

inline std::string text()
{
    const auto pieces = *rc::gen::container<std::vector<std::string>>(
        rc::gen::element<std::string>("a", "B", "7", " ", "\"", "\\", "/", "~", "\n", "\x01", "é", "模型", "🂡"));
    std::string joined;
    for (const auto& piece : pieces)
        joined += piece;
    return joined;
}

template <class Enum> Enum word()
{
    const auto all = names<Enum>();
    return all[*rc::gen::inRange<std::size_t>(0, all.size())].value;
}

template <class Make> auto maybe(Make make)
{
    using Value = decltype(make());
    return flag() ? std::optional<Value>(make()) : std::nullopt;
}

template <class Make> auto list(Make make)
{
    std::vector<decltype(make())> values(*rc::gen::inRange<std::size_t>(0, 6));
    for (auto& value : values)
        value = make();
    return values;
}

inline MixtureOfExperts experts()
{
    MixtureOfExperts moe;
    moe.num_experts = whole();
    moe.num_experts_per_tok = whole();
    moe.moe_intermediate_size = whole();
    moe.num_shared_experts = whole(0);
    moe.shared_intermediate_size = whole(0);
    moe.first_dense_layers = whole(0);
    moe.layer_frequency = whole();
    moe.layers = list([] { return flag() ? 1 : 0; });
    moe.capacity_factor = maybe(positive);
    moe.imbalance = 1.0 + fraction();
    moe.moe_latent_size = whole(0);
    moe.shared_expert_gate = flag();
    return moe;
}

inline Architecture architecture()
{
    Architecture shape;
    shape.hidden_size = whole();
    shape.num_hidden_layers = whole();
    shape.num_attention_heads = whole();
    shape.num_key_value_heads = whole();
    shape.head_dim = whole();
    shape.intermediate_size = whole();
    shape.vocab_size = whole();
    shape.tie_word_embeddings = flag();
    shape.hidden_act = text();
    shape.gated_mlp = flag();
    shape.norm = word<Norm>();
    shape.attention_bias = flag();
    shape.attention_output_bias = maybe(flag);
    shape.mlp_bias = flag();
    shape.qk_norm = flag();
    shape.position_embedding = word<PositionEmbedding>();
    shape.max_position_embeddings = whole(0);
    shape.sliding_window = maybe([] { return SlidingWindow{whole(), whole()}; });
    shape.moe = maybe(experts);
    shape.mla = maybe([] { return LatentAttention{whole(0), whole(), whole(), whole(), whole()}; });
    shape.mtp_layers = whole(0);
    shape.hybrid_layer_pattern = *rc::gen::element<std::string>("", "M*-E", "MEGWC/*E", "no such letters");
    shape.layer_types = list([] { return word<LayerType>(); });
    shape.linear_attention = maybe([] {
        return LinearAttention{word<LinearAttentionRule>(), whole(), whole(), whole(), whole(), whole()};
    });
    shape.mamba = maybe([] { return Mamba{whole(), whole(), whole(), whole(), whole()}; });
    shape.sparse_attention = maybe([] { return SparseAttention{whole(), whole(), whole()}; });
    shape.compressed_attention = maybe([] { return CompressedAttention{whole(), whole(), whole(), whole(), whole()}; });
    shape.hc_mult = whole();
    shape.attention_k_eq_v = flag();
    shape.vision = maybe([] {
        return VisionTower{whole(), whole(), whole(), whole(), whole(), whole(), whole(), whole()};
    });
    shape.conv_kernel = whole();
    shape.attn_output_gate = flag();
    shape.mtp_use_repeated_layer = flag();
    return shape;
}

/// `ids`: those of presets, of which the plan may or may not have been made.
inline Model model(const std::vector<std::string>& ids)
{
    Model made;
    made.id = *rc::gen::elementOf(ids);
    made.name = text();
    made.family = *rc::gen::element<std::string>("", "llama", "gpt", "no such family");
    made.parameters = maybe(positive);
    made.architecture = architecture();
    made.reported_parameters = maybe(positive);
    made.source = text();
    return made;
}

inline GigabytesPerSecond bandwidth() { return GigabytesPerSecond(positive()); }
inline Teraflops rate() { return Teraflops(positive()); }
inline Link link() { return {bandwidth(), Microseconds(positive())}; }

inline Accelerator accelerator(const std::vector<std::string>& ids)
{
    Accelerator card;
    card.id = *rc::gen::elementOf(ids);
    card.name = text();
    card.vendor = text();
    card.generation = word<Generation>();
    card.memory = Mebibytes(whole());
    card.usable = maybe([&] { return Mebibytes((card.memory.value() + 1) / 2); });
    card.memory_bandwidth = bandwidth();
    for (auto* field : {&card.tflops.bf16, &card.tflops.fp16, &card.tflops.fp8, &card.tflops.fp4, &card.tflops.tf32,
             &card.tflops.fp32, &card.tflops.int8}) {
        *field = maybe(rate);
    }
    card.link = maybe(bandwidth);
    card.pcie = maybe(bandwidth);
    for (auto* field : {&card.gemm_efficiency.bf16, &card.gemm_efficiency.fp8, &card.gemm_efficiency.fp4}) {
        *field = maybe([] { return 0.5 + fraction(); });
    }
    card.power_w = maybe(positive);
    card.price_per_hour_usd = maybe(positive);
    card.source = text();
    return card;
}

inline Cluster cluster(const std::vector<std::string>& ids, const std::vector<std::string>& accelerator_ids)
{
    Cluster made;
    made.id = *rc::gen::elementOf(ids);
    made.name = text();
    made.accelerator = accelerator(accelerator_ids);
    made.nodes = whole();
    made.cards_per_node = whole();
    made.intra_node = maybe(link);
    made.inter_node = maybe(link);
    made.host_memory_gb = maybe(positive);
    made.source = text();
    return made;
}

inline Parallelism parallelism()
{
    Parallelism degrees;
    degrees.tensor = whole();
    degrees.sequence = flag();
    degrees.pipeline = whole();
    degrees.virtual_pipeline = whole();
    degrees.layers_per_stage = maybe([] { return list([] { return whole(0); }); });
    degrees.layer_balance = word<LayerBalance>();
    degrees.context = whole();
    degrees.expert = whole();
    degrees.expert_tensor = maybe([] { return whole(); });
    degrees.data = maybe([] { return whole(); });
    return degrees;
}

inline Recipe recipe()
{
    Recipe made;
    if (flag())
        made.engine = word<Engine>();
    else
        made.framework = word<Framework>();
    made.kernels = word<Kernels>();
    made.precision = word<Precision>();
    made.gradient_precision = word<GradientPrecision>();
    made.optimizer = word<Optimizer>();
    made.moment_precision = maybe([] { return word<MomentPrecision>(); });
    made.sharding = word<Sharding>();
    made.optimizer_instances = whole();
    made.schedule = word<Schedule>();
    made.microbatch_group = maybe([] { return whole(); });
    made.attention = word<Attention>();
    made.software = *rc::gen::element<std::string>("", "2023-05", "2025-11", "no date");
    made.bf16_layers_at_start = whole(0);
    made.bf16_layers_at_end = whole(0);
    made.loss = word<Loss>();
    made.dropout = {fraction(), fraction()};
    made.recompute = {word<RecomputeGranularity>(), list(word<RecomputeModule>), word<RecomputeMethod>(), whole()};
    made.gradient_accumulation_fusion = flag();
    made.attention_mask_in_dataloader = flag();
    made.activation_fusion = flag();
    made.rope_fusion = flag();
    made.cuda_graph = word<CudaGraph>();
    made.fp8_attention = flag();
    made.fp8_param_gather = flag();
    made.fp4_param_gather = flag();
    made.loss_parallel = flag();
    made.fp8_activation_input = flag();
    made.moe = {flag(), word<Dispatcher>(), flag(), flag(), flag()};
    made.context_communication = word<ContextCommunication>();
    made.offload = {fraction(), fraction(), fraction(), maybe([] { return fraction(); })};
    made.gradient_sync = word<GradientSync>();
    made.optimizer_in_backward = flag();
    made.sub_group_size = whole();
    made.reduce_bucket_size = whole();
    made.allgather_bucket_size = whole();
    made.quantizer = word<Quantizer>();
    made.double_quantization = flag();
    made.reference_model = flag();
    made.overlap = {flag(), flag(), flag(), flag()};
    made.cublas_workspace = maybe([] { return Mebibytes(whole(0)); });
    made.optimizer_implementation = maybe([] { return word<OptimizerImplementation>(); });
    made.expandable_segments = flag();
    made.embedding_unit = maybe([] { return flag(); });
    return made;
}

inline Calibration calibration()
{
    Calibration made;
    Measurement& measured = made.measured;
    const auto bytes = [] { return Bytes(whole()); };
    if (flag()) measured.allocated = bytes();
    if (flag() || !measured.allocated) {
        if (flag())
            measured.step = Seconds(positive());
        else
            measured.tokens_per_second_per_card = positive();
        made.compute_factor = 0.5 + fraction();
        made.communication_factor = flag() ? 1.0 : 0.1 + fraction();
    }
    if (measured.allocated) {
        measured.stage = whole(0);
        made.residual = flag() ? bytes() : -1 * bytes();
    }
    measured.source = text();
    return made;
}

inline Plan plan(const std::vector<std::string>& model_ids, const std::vector<std::string>& cluster_ids,
    const std::vector<std::string>& accelerator_ids)
{
    Plan made;
    made.name = text();
    made.source = text();
    made.model = model(model_ids);
    made.cluster = cluster(cluster_ids, accelerator_ids);
    const auto some = [] { return whole(); };
    made.workload = {word<Task>(), whole(), whole(), whole(), maybe(positive), whole(), whole(), maybe(some),
        maybe(some), maybe(some), maybe(positive), maybe(some), {}};
    if (flag()) made.workload.limits = ServingLimits{positive(), maybe(positive)};
    made.parallelism = parallelism();
    made.recipe = recipe();
    made.overheads = {maybe([] { return Mebibytes(whole(0)); }), maybe(fraction)};
    made.calibration = maybe(calibration);
    made.assumed = list(text);
    return made;
}

} // namespace cardfit::random
