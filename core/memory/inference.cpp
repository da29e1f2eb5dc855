// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/inference.h"

#include <algorithm>
#include <cstdint>

#include "core/plan/engines.h"

namespace cardfit {

namespace {

struct Widest {
    std::string_view id, formula;
    double values = 0.0; ///< per token
};

/// The widest intermediate result of some layers.
Widest widestResult(const Plan& plan, const LayerKinds& kinds)
{
    const auto some = [&](const auto& accepts) { return kinds.count(accepts) > 0; };
    const bool experts = some([](LayerKind kind) { return kind.experts(); });
    const auto& model = plan.model.architecture;
    const auto tensor = static_cast<double>(plan.parallelism.tensor);
    const double parts = (model.gated_mlp ? 2.0 : 1.0) + 1.0;
    const auto attention = [&](TokenMixer mixer) {
        if (model.compressed_attention)
            return static_cast<double>(model.num_attention_heads * model.head_dim) / tensor
                + static_cast<double>(model.head_dim);
        const AttentionHeads heads = attentionHeads(model, mixer);
        const std::int64_t keys = std::max(heads.keys, plan.parallelism.tensor) * (heads.head_dim + heads.v_head_dim);
        return static_cast<double>(heads.queries * heads.head_dim + keys) / tensor;
    };
    Widest widest{"prefill.attention",
        model.compressed_attention ? "w T_p d (a / t + 1)"
            : model.v_head_dim > 0 ? "w T_p (a d + k (d + d_v)) / t"
                                   : "w T_p (a + 2 k) d / t",
        attention(TokenMixer::Attention)};
    const auto consider = [&](const Widest& candidate) {
        if (candidate.values > widest.values) widest = candidate;
    };
    if (model.sliding_attention && some([](LayerKind kind) { return kind.mixer == TokenMixer::WindowedAttention; }))
        consider(
            {"prefill.attention", "w T_p (a_w d_w + k_w (d_w + d_vw)) / t", attention(TokenMixer::WindowedAttention)});
    if (experts) {
        const auto& moe = *model.moe;
        const auto chosen = static_cast<double>(moe.num_experts_per_tok);
        const bool latent = moe.moe_latent_size > 0;
        const double features = static_cast<double>(2 * (latent ? moe.moe_latent_size : model.hidden_size))
            + parts * static_cast<double>(moe.moe_intermediate_size / expertTensor(plan));
        consider({"prefill.experts",
            latent ? "w T_p k_e (2 h_l + (g + 1) f_e / t_e)" : "w T_p k_e (2 h + (g + 1) f_e / t_e)",
            chosen * features});
    } else if (some([](LayerKind kind) { return kind.mlp == LayerMlp::Dense; })) {
        consider({"prefill.mlp", "w T_p (g + 1) f / t", parts * static_cast<double>(model.intermediate_size) / tensor});
    }
    for (const auto [kind, count] : kinds) {
        const std::string_view formula = kind.mixer == TokenMixer::ShortConvolution ? "3 w T_p h / t"
            : kind.mixer == TokenMixer::Mamba ? "w T_p (2 H_m D_m + 2 G_m S_m + H_m) / t"
                                              : "2 w T_p (H_k D_k + H_v D_v + H_v) / t";
        consider({"prefill.mixer", formula, static_cast<double>(projectedFeatures(model, kind)) / tensor});
    }
    return widest;
}

/// What the forward pass of one micro-batch adds to the cache per layer. Rounded down: the remainder counts as held for
/// the whole step.
Bytes cachePerPassAndLayer(const Plan& plan, const StageLayers& stage)
{
    Bytes cache;
    for (const Term& term : keyValueCache(plan, stage))
        cache += term.bytes;
    std::int64_t layers = 0;
    for (const ModelChunk& chunk : stage.chunks)
        layers += chunk.count();
    return layers == 0 ? Bytes(0) : Bytes(cache.value() / (layers * microBatches(plan)));
}

} // namespace

double windowedLayers(const Plan& plan, const StageLayers& stage)
{
    const auto& window = plan.model.architecture.sliding_window;
    if (!window || window->size <= 0) return 0.0;
    const LayerKinds kinds = layerKinds(plan.model.architecture, stage);
    if (listsLayers(plan.model.architecture)) {
        return static_cast<double>(kinds.count(
            [](LayerKind kind) { return kind.mixer == TokenMixer::WindowedAttention || kind.compresses(); }));
    }
    return static_cast<double>(kinds.total()) * window->share();
}

double cachedValues(const Plan& plan, TokenMixer mixer)
{
    const auto& model = plan.model.architecture;
    if (model.mla) return static_cast<double>(model.mla->kv_lora_rank + model.mla->qk_rope_head_dim);
    if (model.compressed_attention) return static_cast<double>(model.head_dim); // one key, its own value, on every card
    const AttentionHeads heads = attentionHeads(model, mixer);
    return static_cast<double>(std::max(heads.keys, plan.parallelism.tensor) * (heads.head_dim + heads.v_head_dim))
        / static_cast<double>(plan.parallelism.tensor);
}

double cachingLayers(const Plan& plan, const StageLayers& stage)
{
    const LayerKinds kinds = layerKinds(plan.model.architecture, stage);
    return static_cast<double>(kinds.count([](LayerKind kind) { return kind.attends(); }));
}

double compressedLayers(const Plan& plan, const StageLayers& stage, TokenMixer mixer)
{
    const LayerKinds kinds = layerKinds(plan.model.architecture, stage);
    return static_cast<double>(kinds.count([&](LayerKind kind) { return kind.mixer == mixer; }));
}

double recurrentBytes(const Plan& plan, const StageLayers& stage)
{
    const double element = elementBytes(plan);
    double bytes = 0.0;
    for (const auto [kind, count] : layerKinds(plan.model.architecture, stage)) {
        const RecurrentState kept = recurrentState(plan.model.architecture, plan.parallelism.tensor, kind);
        bytes += static_cast<double>(count) * (4.0 * kept.state + element * kept.convolution);
    }
    return bytes;
}

double prefillTokens(const Plan& plan)
{
    const auto& most = plan.recipe.max_num_batched_tokens;
    return std::min(
        cardShare(plan).tokens(), most ? static_cast<double>(*most) : plan.constants[Constant::PrefillTokens]);
}

std::int64_t profiledSequences(const Plan& plan)
{
    if (plan.recipe.kernels != Kernels::Compiled || traits(engineOf(plan)).most_sequences > 0) return 0;
    constexpr Bytes kLargeCard(std::int64_t{70} << 30);
    const Accelerator& card = plan.cluster.accelerator;
    const bool large = usableMemory(card) >= kLargeCard && card.generation != Generation::Ampere;
    const std::int64_t admitted = plan.recipe.max_num_seqs.value_or(large ? 1024 : 256);
    // Each of them has a token in the pass (vllm/v1/worker/gpu_model_runner.py, _dummy_run).
    return std::min(admitted, plan.recipe.max_num_batched_tokens.value_or(admitted));
}

std::int64_t admittedSequences(const Plan& plan)
{
    const bool has_engine = plan.recipe.kernels == Kernels::Compiled;
    const std::int64_t most = has_engine ? traits(engineOf(plan)).most_sequences : 0;
    return most > 0 ? plan.recipe.max_num_seqs.value_or(most) : profiledSequences(plan);
}

double servedSequences(const Plan& plan)
{
    return static_cast<double>(plan.workload.global_batch_size) / static_cast<double>(dataParallel(plan));
}

Precision servedFormat(const Plan& plan, WeightPart part)
{
    const WeightsPrecision& given = plan.recipe.weights_precision;
    const Precision precision = plan.recipe.precision;
    if (part == WeightPart::Experts) return given.experts.value_or(precision);
    const bool experts_only = precision == Precision::Mxfp4 && plan.model.architecture.moe;
    return (part == WeightPart::Attention ? given.attention : given.rest)
        .value_or(experts_only ? Precision::Bf16 : precision);
}

double servedMatrixBytes(const Plan& plan, WeightPart part)
{
    const Precision format = servedFormat(plan, part);
    return format == Precision::Nf4 ? normalFloatBytes(plan.recipe.double_quantization) : bytesPerValue(format);
}

double servedExpertPadding(const Plan& plan)
{
    const auto& model = plan.model.architecture;
    const bool pads =
        servedFormat(plan, WeightPart::Experts) == Precision::Mxfp4 && plan.recipe.kernels == Kernels::Compiled;
    if (!pads || !model.moe) return 1.0;
    constexpr std::int64_t kHiddenMultiple = 256;
    constexpr std::int64_t kWidthMultiple = 128;
    const auto padded = [](std::int64_t size, std::int64_t multiple) {
        return static_cast<double>((size + multiple - 1) / multiple * multiple) / static_cast<double>(size);
    };
    const std::int64_t hidden = model.moe->moe_latent_size > 0 ? model.moe->moe_latent_size : model.hidden_size;
    const std::int64_t width = model.moe->moe_intermediate_size / std::max<std::int64_t>(expertTensor(plan), 1);
    return padded(std::max<std::int64_t>(hidden, 1), kHiddenMultiple)
        * padded(std::max<std::int64_t>(width, 1), kWidthMultiple);
}

std::vector<Term> servedWeights(const Plan& plan, const StageParameters& parameters)
{
    const double other = std::max(2.0, elementBytes(plan));
    const double experts = servedMatrixBytes(plan, WeightPart::Experts);
    const double attention = servedMatrixBytes(plan, WeightPart::Attention);
    const double rest = servedMatrixBytes(plan, WeightPart::Rest);
    const ParameterSet& dense = parameters.dense;
    const char* formula = attention != rest ? "w_qa P_am + w_q (P_m - P_am) + w (P - P_m)"
        : rest == other                     ? "w P"
                                            : "w_q P_m + w (P - P_m)";
    std::vector<Term> terms = {{Segment::Weights, "weights.served", formula, 1,
        roundToBytes(attention * parameters.attention + rest * (dense.matrices - parameters.attention)
            + other * (dense.all - dense.matrices)),
        {}}};
    const ParameterSet& expert = parameters.expert;
    if (expert.all > 0.0) {
        terms.push_back({Segment::Weights, "weights.experts.served", "w_qe P_em + w (P_e - P_em)", 1,
            roundToBytes(experts * expert.matrices + other * (expert.all - expert.matrices)), {}});
        if (const double padding = servedExpertPadding(plan); padding > 1.0) {
            terms.push_back({Segment::Weights, "weights.experts.padding", "w_qe P_em (p_q - 1)", 1,
                roundToBytes(experts * expert.matrices * (padding - 1.0)), {}});
        }
    }
    return terms;
}

std::vector<Term> keyValueCache(const Plan& plan, const StageLayers& stage)
{
    const double layers = cachingLayers(plan, stage);
    const double windowed = windowedLayers(plan, stage);
    const auto length = static_cast<double>(plan.workload.sequence_length);
    const double per_value = bytesPerValue(plan.recipe.kv_cache_precision.value_or(Precision::Bf16))
        / static_cast<double>(plan.parallelism.context);
    const double sequences = servedSequences(plan);

    std::vector<Term> terms;
    const auto add = [&](std::string_view id, std::string_view formula, TokenMixer mixer, double layer_count,
                         double tokens) {
        const Bytes bytes = roundToBytes(per_value * cachedValues(plan, mixer) * sequences * layer_count * tokens);
        if (bytes > Bytes(0)) terms.push_back({Segment::Activations, id, formula, 1, bytes, {}});
    };
    add("kv_cache", "w_kv K_v B s (L_s - L_w) / c", TokenMixer::Attention, layers - windowed, length);
    if (windowed > 0.0) {
        const auto window = static_cast<double>(plan.model.architecture.sliding_window->size);
        const bool own_heads = plan.model.architecture.sliding_attention.has_value();
        add("kv_cache.windowed", own_heads ? "w_kv K_w B min(s, s_w) L_w / c" : "w_kv K_v B min(s, s_w) L_w / c",
            TokenMixer::WindowedAttention, windowed, std::min(length, window));
    }
    if (const auto& compressed = plan.model.architecture.compressed_attention) {
        const SparseAttention indexer = plan.model.architecture.sparse_attention.value_or(SparseAttention());
        const auto size = static_cast<double>(plan.model.architecture.head_dim);
        // Sparse layers also keep the indexer's key of every entry.
        const double sparse = compressedLayers(plan, stage, TokenMixer::CompressedSparse)
            * (size + static_cast<double>(indexer.index_head_dim)) / static_cast<double>(compressed->compress_rate_csa);
        const double heavy = compressedLayers(plan, stage, TokenMixer::HeavilyCompressed) * size
            / static_cast<double>(compressed->compress_rate_hca);
        const Bytes bytes = roundToBytes(per_value * sequences * length * (sparse + heavy));
        if (bytes > Bytes(0))
            terms.push_back({Segment::Activations, "kv_cache.compressed",
                "w_kv B s (L_cs (d + I_d) / r_s + L_ch d / r_h) / c", 1, bytes, {}});
    }
    if (const Bytes states = roundToBytes(sequences * recurrentBytes(plan, stage)); states > Bytes(0))
        terms.push_back({Segment::Activations, "state_cache", "B X_r", 1, states, {}});
    return terms;
}

std::vector<ChunkActivations> prefillActivations(const Plan& plan, const StageLayers& stage)
{
    const CardShare share = cardShare(plan);
    const double element = elementBytes(plan);
    const double tokens = prefillTokens(plan);
    const auto hidden = static_cast<double>(plan.model.architecture.hidden_size);
    const Bytes cached = cachePerPassAndLayer(plan, stage);

    std::vector<ChunkActivations> chunks;
    for (const ModelChunk& layers : stage.chunks) {
        const LayerKinds kinds = layerKinds(plan.model.architecture, layers);
        const Bytes streams = roundToBytes(2.0 * element * tokens * hidden);
        Event pass("prefill");
        pass.holds("prefill.streams", "2 w T_p h", streams);
        if (kinds.total() > 0) {
            const Widest widest = widestResult(plan, kinds);
            pass.holds(widest.id, widest.formula, roundToBytes(element * tokens * widest.values));
        }
        if (const std::int64_t sampled = profiledSequences(plan); layers.head && sampled > 0) {
            const double logits = static_cast<double>(sampled) * static_cast<double>(share.vocabulary);
            Event sampling("profile.sampling");
            sampling.holds("prefill.streams", "2 w T_p h", streams)
                .holds("profile.logits", "38 n_s v", roundToBytes(plan.constants[Constant::SampledBytes] * logits));
            if (sampling.total().net() > pass.total().net()) pass = sampling;
        } else if (layers.head) {
            // Only the last token of a prompt is turned into logits.
            const auto rows = static_cast<double>(plan.workload.micro_batch_size * share.vocabulary / share.tensor);
            pass.holds("prefill.logits", "4 b v / t", roundToBytes(4.0 * rows));
        }
        ChunkActivations& chunk = chunks.emplace_back();
        chunk.events = {pass, pass, Event("idle"), {}, {}, {}, {}, {}};
        chunk.memory = {{layers.count() * cached, Bytes(0), false}, pass.total(), pass.total(),
            Transient{"idle", Bytes(0), Bytes(0)}, {}, {}};
    }
    return chunks;
}

} // namespace cardfit
