// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/operators.h"

#include <algorithm>
#include <cmath>

namespace cardfit {

namespace {

constexpr double kElement = 2.0; ///< bytes of a bf16 or fp16 activation
constexpr double kMask = 1.0; ///< dropout masks and boolean tensors
constexpr double kFloat = 4.0; ///< statistics and log-sum-exp stay in fp32

/// Bytes that the router keeps per token and expert: fp32 scores, the boolean routing map, the permutation's int32
/// row map and the auxiliary loss. Fitted on six published DeepSeek runs on B200 (SimuMax, commit 4dcaae5) and
/// consistent with Megatron-Core's moe_utils.
constexpr double kRouterBytes = 13.6;

/// The layer being described: its shape, the card's share, and the sizes every operator needs.
struct Layer {
    const Architecture& model;
    const CardShare& share;
    const OperatorOptions& options;

    double tokens = share.tokens();
    double residual = share.residual();
    double tensor = static_cast<double>(share.tensor);
    double hidden = static_cast<double>(model.hidden_size);

    [[nodiscard]] std::int64_t perTensor(std::int64_t features) const { return features / share.tensor; }
    /// One activation of the residual stream, h values per token.
    [[nodiscard]] double stream() const { return kElement * tokens * hidden / residual; }
    [[nodiscard]] double mlpParts() const { return model.gated_mlp ? 2.0 : 1.0; }
    /// Context that a query sees on average, times 2: s with causal attention, less inside a sliding window.
    [[nodiscard]] double visibleContext() const
    {
        const auto s = static_cast<double>(share.sequence);
        if (!model.sliding_window || model.sliding_window->size <= 0) return s;
        const double window = std::min(s, static_cast<double>(model.sliding_window->size));
        const double windowed = window * (2.0 - window / s);
        const double share_windowed = model.sliding_window->share();
        return share_windowed * windowed + (1.0 - share_windowed) * s;
    }
};

SavedTensor saved(std::string_view id, double bytes, RecomputeSet dropped_by = RecomputeSet::None)
{
    return {id, roundToBytes(bytes), dropped_by};
}

Weight linear(std::string_view id, std::int64_t rows, std::int64_t columns)
{
    Weight weight{id, rows, columns};
    weight.linear = true;
    return weight;
}

Flops product(double rows, double in, double out) { return Flops(2.0 * rows * in * out); }

Weight normWeight(const Architecture& model, std::string_view id, std::int64_t size)
{
    return {id, model.norm == Norm::LayerNorm ? 2 * size : size};
}

/// fp32 reciprocal deviation, and for LayerNorm the mean, per token.
double statistics(const Layer& layer)
{
    const double values = layer.model.norm == Norm::LayerNorm ? 2.0 : 1.0;
    return values * kFloat * layer.tokens / layer.residual;
}

/// `output_kept_by_norm`: the following product keeps the norm's output, and recomputing the norm drops it.
Operator norm(const Layer& layer, std::string_view id)
{
    Operator result{id};
    result.weights = {normWeight(layer.model, "norm.weight", layer.model.hidden_size)};
    result.saved = {saved("norm.input", layer.stream()), saved("norm.output", layer.stream(), RecomputeSet::LayerNorm),
        saved("norm.statistics", statistics(layer))};
    result.moved = roundToBytes(3.0 * layer.stream());
    return result;
}

void addDropout(const Layer& layer, Operator& to)
{
    if (layer.options.hidden_dropout <= 0.0) return;
    to.saved.push_back(saved("dropout.mask", kMask * layer.tokens * layer.hidden / layer.residual));
}

// --- attention ---------------------------------------------------------------------------------------------------

struct HeadSizes {
    double query = 0.0; ///< values per head and token
    double key = 0.0;
    double value = 0.0;
    double heads = 0.0; ///< on this card
    double key_value_heads = 0.0;
};

/// Scores, softmax and weighted values. What is kept depends on whether the kernel forms the score matrix.
Operator attentionCore(const Layer& layer, const HeadSizes& sizes, RecomputeSet projections)
{
    Operator core{"attention"};
    const double queries = sizes.heads * sizes.query;
    const double keys = sizes.key_value_heads * sizes.key;
    const double values = sizes.key_value_heads * sizes.value;
    core.saved.push_back(saved("attention.qkv", kElement * layer.tokens * (queries + keys + values), projections));

    const bool grouped = sizes.key_value_heads < sizes.heads;
    if (layer.options.fused_attention) {
        core.saved.push_back(
            saved("attention.log_sum_exp", kFloat * layer.tokens * sizes.heads, RecomputeSet::CoreAttention));
    } else {
        const double scores = sizes.heads * layer.tokens * static_cast<double>(layer.share.sequence);
        core.saved.push_back(saved("attention.softmax", kElement * scores, RecomputeSet::CoreAttention));
        if (layer.options.attention_dropout > 0.0) {
            core.saved.push_back(saved("attention.dropout_mask", kMask * scores, RecomputeSet::CoreAttention));
            core.saved.push_back(saved("attention.dropout_output", kElement * scores, RecomputeSet::CoreAttention));
        }
        if (grouped) {
            const double expanded = (sizes.heads - sizes.key_value_heads) * (sizes.key + sizes.value);
            core.saved.push_back(
                saved("attention.kv_expanded", kElement * layer.tokens * expanded, RecomputeSet::CoreAttention));
        }
    }
    // Causal: a query sees half of the context on average, hence no factor 2 for multiply-add.
    core.forward = Flops(layer.tokens * layer.visibleContext() * sizes.heads * (sizes.query + sizes.value));
    core.moved = roundToBytes(kElement * layer.tokens * 2.0 * (queries + keys));
    return core;
}

Operator outputProjection(const Layer& layer, std::int64_t features_per_card)
{
    Operator projection{"projection"};
    projection.weights = {linear("projection.weight", layer.model.hidden_size, features_per_card)};
    if (layer.model.attention_output_bias.value_or(layer.model.attention_bias)) {
        projection.weights.push_back({"projection.bias", layer.model.hidden_size});
    }
    const double output = kElement * layer.tokens * static_cast<double>(features_per_card);
    projection.saved = {saved("attention.output", output)};
    if (layer.options.attention_output_copied && layer.options.fused_attention) {
        projection.saved.push_back(saved("attention.output_copy", output));
    }
    if (layer.options.context_all_to_all && layer.share.context > 1) {
        projection.saved.push_back(saved("attention.output_sent", output));
    }
    addDropout(layer, projection);
    projection.forward = product(layer.tokens, static_cast<double>(features_per_card), layer.hidden);
    projection.moved = roundToBytes(3.0 * layer.stream());
    return projection;
}

void addGroupedQueryAttention(const Layer& layer, std::vector<Operator>& operators)
{
    const auto& model = layer.model;
    // With more tensor-parallel ranks than key/value heads each rank still holds a whole one.
    const std::int64_t key_value_heads = std::max(model.num_key_value_heads, layer.share.tensor);
    const std::int64_t features = layer.perTensor((model.num_attention_heads + 2 * key_value_heads) * model.head_dim);
    Operator qkv{"qkv"};
    qkv.weights = {linear("qkv.weight", features, model.hidden_size)};
    if (model.attention_bias) qkv.weights.push_back({"qkv.bias", features});
    qkv.forward = product(layer.tokens, layer.hidden, static_cast<double>(features));
    operators.push_back(qkv);

    const auto head_size = static_cast<double>(model.head_dim);
    const HeadSizes sizes{head_size, head_size, head_size,
        static_cast<double>(model.num_attention_heads) / layer.tensor,
        static_cast<double>(key_value_heads) / layer.tensor};
    if (model.qk_norm) {
        Operator qk_norm{"qk_norm"};
        qk_norm.weights = {
            normWeight(model, "q_norm.weight", model.head_dim), normWeight(model, "k_norm.weight", model.head_dim)};
        qk_norm.saved = {
            saved("qk_norm.input", kElement * layer.tokens * (sizes.heads + sizes.key_value_heads) * head_size)};
        operators.push_back(qk_norm);
    }
    operators.push_back(attentionCore(layer, sizes, RecomputeSet::None));
    operators.push_back(outputProjection(layer, layer.perTensor(model.num_attention_heads * model.head_dim)));
}

/// A low-rank projection down, its norm, and the projection up to the heads (DeepSeek-V2, arXiv:2405.04434). The
/// projection down and the norm are replicated over tensor-parallel ranks.
void addLatentAttention(const Layer& layer, std::vector<Operator>& operators)
{
    const auto& model = layer.model;
    const auto& mla = *model.mla;
    const std::int64_t query_size = mla.qk_nope_head_dim + mla.qk_rope_head_dim;
    const std::int64_t queries = layer.perTensor(model.num_attention_heads * query_size);
    const std::int64_t keys_values =
        layer.perTensor(model.num_attention_heads * (mla.qk_nope_head_dim + mla.v_head_dim));
    const double rows = layer.tokens / layer.residual;
    const auto rank = [](std::int64_t value) { return static_cast<double>(value); };

    Operator query{"query"};
    if (mla.q_lora_rank > 0) {
        query.weights = {linear("q_down.weight", mla.q_lora_rank, model.hidden_size),
            normWeight(model, "q_norm.weight", mla.q_lora_rank), linear("q_up.weight", queries, mla.q_lora_rank)};
        query.saved = {saved("query.latent", (2.0 * kElement * rank(mla.q_lora_rank) + kFloat) * rows)};
        query.forward = product(layer.tokens, layer.hidden, rank(mla.q_lora_rank))
            + product(layer.tokens, rank(mla.q_lora_rank), rank(queries));
    } else {
        query.weights = {linear("q.weight", queries, model.hidden_size)};
        query.forward = product(layer.tokens, layer.hidden, rank(queries));
    }
    operators.push_back(query);

    Operator key_value{"key_value"};
    key_value.weights = {linear("kv_down.weight", mla.kv_lora_rank + mla.qk_rope_head_dim, model.hidden_size),
        normWeight(model, "kv_norm.weight", mla.kv_lora_rank), linear("kv_up.weight", keys_values, mla.kv_lora_rank)};
    key_value.saved = {
        saved("key_value.latent", (kElement * rank(2 * mla.kv_lora_rank + mla.qk_rope_head_dim) + kFloat) * rows)};
    key_value.forward = product(layer.tokens, layer.hidden, rank(mla.kv_lora_rank + mla.qk_rope_head_dim))
        + product(layer.tokens, rank(mla.kv_lora_rank), rank(keys_values));
    operators.push_back(key_value);

    const double heads = rank(model.num_attention_heads) / layer.tensor;
    // The rotated part of the key is broadcast to every head, so keys are as wide as queries.
    const HeadSizes sizes{rank(query_size), rank(query_size), rank(mla.v_head_dim), heads, heads};
    operators.push_back(attentionCore(layer, sizes, RecomputeSet::MlaUpProjection));
    operators.push_back(outputProjection(layer, layer.perTensor(model.num_attention_heads * mla.v_head_dim)));
}

// --- MLP ---------------------------------------------------------------------------------------------------------

/// Names of one MLP's operators, weights and tensors.
struct MlpNames {
    std::string_view up, activation, down;
    std::string_view up_weight, up_bias, down_weight, down_bias;
    std::string_view up_output, gate_activation, activation_output;
};

constexpr MlpNames kDenseNames{"mlp.up", "mlp.activation", "mlp.down", "mlp.up.weight", "mlp.up.bias",
    "mlp.down.weight", "mlp.down.bias", "mlp.up_output", "mlp.gate_activation", "mlp.activation_output"};
constexpr MlpNames kSharedNames{"shared.up", "shared.activation", "shared.down", "shared.up.weight", "shared.up.bias",
    "shared.down.weight", "shared.down.bias", "shared.up_output", "shared.gate_activation", "shared.activation_output"};
constexpr MlpNames kExpertNames{"experts.up", "experts.activation", "experts.down", "experts.up.weight",
    "experts.up.bias", "experts.down.weight", "experts.down.bias", "experts.up_output", "experts.gate_activation",
    "experts.activation_output"};

struct MlpSize {
    double rows = 0.0; ///< tokens that enter its products on this card
    std::int64_t width = 0; ///< its intermediate features on this card
    std::int64_t copies = 1; ///< experts on this card; rows are shared among them
    bool expert = false;
    RecomputeSet input_dropped_by = RecomputeSet::None; ///< what drops the activation function's input
    RecomputeSet output_dropped_by = RecomputeSet::None; ///< and its output
};

void addMlp(const Layer& layer, const MlpSize& size, const MlpNames& names, std::vector<Operator>& operators)
{
    const auto& model = layer.model;
    const auto parts = static_cast<std::int64_t>(layer.mlpParts());
    const auto width = static_cast<double>(size.width);
    const auto sized = [&](Weight weight) {
        weight.copies = size.copies;
        weight.expert = size.expert;
        return weight;
    };

    Operator up{names.up};
    up.weights = {sized(linear(names.up_weight, parts * size.width, model.hidden_size))};
    if (model.mlp_bias) up.weights.push_back(sized({names.up_bias, parts * size.width}));
    up.forward = product(size.rows, layer.hidden, layer.mlpParts() * width);
    operators.push_back(up);

    Operator activation{names.activation};
    activation.saved = {saved(names.up_output, kElement * layer.mlpParts() * size.rows * width, size.input_dropped_by)};
    if (model.gated_mlp && !layer.options.fused_activation) {
        activation.saved.push_back(saved(names.gate_activation, kElement * size.rows * width, size.input_dropped_by));
    }
    // The router's probabilities scale an expert's activations. Megatron-Core fuses that into gated activations only;
    // elsewhere the product keeps its unscaled factor (experts.py, bias_act_func).
    if (size.expert && !(model.gated_mlp && layer.options.fused_activation)) {
        activation.saved.push_back(
            saved("experts.unweighted_output", kElement * size.rows * width, size.output_dropped_by));
    }
    activation.moved = roundToBytes(kElement * size.rows * width * (layer.mlpParts() + 1.0));
    operators.push_back(activation);

    Operator down{names.down};
    down.weights = {sized(linear(names.down_weight, model.hidden_size, size.width))};
    if (model.mlp_bias) down.weights.push_back(sized({names.down_bias, model.hidden_size}));
    down.saved = {saved(names.activation_output, kElement * size.rows * width, size.output_dropped_by)};
    down.forward = product(size.rows, width, layer.hidden);
    operators.push_back(down);
}

void addExperts(const Layer& layer, std::vector<Operator>& operators)
{
    const auto& moe = *layer.model.moe;
    const double rows = expertRows(moe, layer.share);
    const double experts = static_cast<double>(moe.num_experts);

    Operator router{"router"};
    router.weights = {{"router.weight", moe.num_experts, layer.model.hidden_size}};
    router.saved = {saved("router.scores", kRouterBytes * layer.tokens * experts / layer.residual, RecomputeSet::Moe)};
    router.forward = product(layer.tokens / layer.residual, layer.hidden, experts);
    operators.push_back(router);

    Operator dispatch{"dispatch"};
    dispatch.saved = {saved("experts.input", kElement * rows * layer.hidden, RecomputeSet::Moe),
        saved("experts.probabilities", kFloat * rows, RecomputeSet::Moe)};
    dispatch.moved = roundToBytes(4.0 * kElement * rows * layer.hidden);
    operators.push_back(dispatch);

    MlpSize routed{rows, moe.moe_intermediate_size / layer.share.expert_tensor, moe.num_experts / layer.share.expert,
        true, RecomputeSet::Moe, RecomputeSet::Moe | RecomputeSet::MoeActivation};
    addMlp(layer, routed, kExpertNames, operators);

    if (moe.shared_intermediate_size > 0) {
        MlpSize shared{layer.tokens, layer.perTensor(moe.shared_intermediate_size)};
        shared.input_dropped_by = shared.output_dropped_by = RecomputeSet::Moe | RecomputeSet::SharedExperts;
        addMlp(layer, shared, kSharedNames, operators);
    }
}

} // namespace

double CardShare::tokens() const { return static_cast<double>(sequence / context * micro_batch); }

double CardShare::residual() const { return sequence_parallel ? static_cast<double>(tensor) : 1.0; }

ElementCount countElements(const std::vector<Operator>& operators)
{
    ElementCount count;
    for (const Operator& step : operators) {
        for (const Weight& weight : step.weights)
            (weight.expert ? count.expert : count.dense) += weight.elements();
    }
    return count;
}

double expertRows(const MixtureOfExperts& moe, const CardShare& share)
{
    const double tokens = share.tokens() / share.residual();
    double rows = tokens * static_cast<double>(moe.num_experts_per_tok);
    if (moe.capacity_factor) {
        const auto experts = static_cast<double>(moe.num_experts);
        rows = std::ceil(std::floor(rows * *moe.capacity_factor) / experts) * experts;
    }
    return rows * moe.imbalance * static_cast<double>(share.expert_tensor);
}

std::vector<Operator> layerOperators(
    const Architecture& model, const CardShare& share, const OperatorOptions& options, bool experts)
{
    const Layer layer{model, share, options};
    std::vector<Operator> operators;
    operators.reserve(14);
    operators.push_back(norm(layer, "input_norm"));
    if (model.mla)
        addLatentAttention(layer, operators);
    else
        addGroupedQueryAttention(layer, operators);
    operators.push_back(norm(layer, "mlp_norm"));
    if (experts) {
        addExperts(layer, operators);
    } else {
        MlpSize dense{layer.tokens, layer.perTensor(model.intermediate_size)};
        dense.input_dropped_by = dense.output_dropped_by = RecomputeSet::Mlp;
        addMlp(layer, dense, kDenseNames, operators);
    }
    addDropout(layer, operators.back());
    return operators;
}

std::vector<Operator> embeddingOperators(
    const Architecture& model, const CardShare& share, const OperatorOptions& options)
{
    const Layer layer{model, share, options};
    constexpr double kIds = 8.0; // int64 token ids
    constexpr double kMaskedIds = 9.0; // a rank looks up only its rows: mask (1) and shifted ids (8)

    Operator embedding{"embedding"};
    Weight table{"embedding.weight", share.vocabulary / share.tensor, model.hidden_size};
    table.embedding = true;
    embedding.weights = {table};
    if (model.position_embedding == PositionEmbedding::Learned) {
        Weight positions{"position.weight", model.max_position_embeddings, model.hidden_size};
        positions.embedding = true;
        embedding.weights.push_back(positions);
    }
    embedding.saved = {saved("embedding.ids", kIds * layer.tokens)};
    if (share.tensor > 1) embedding.saved.push_back(saved("embedding.masked_ids", kMaskedIds * layer.tokens));
    addDropout(layer, embedding);
    embedding.moved = roundToBytes(3.0 * layer.stream());
    return {embedding};
}

std::vector<Operator> headOperators(const Architecture& model, const CardShare& share, bool separate_weight)
{
    const OperatorOptions options;
    const Layer layer{model, share, options};
    Operator output{"output"};
    const std::int64_t rows = share.vocabulary / share.tensor;
    if (separate_weight) output.weights = {linear("output.weight", rows, model.hidden_size)};
    output.forward = product(layer.tokens, layer.hidden, static_cast<double>(rows));
    // Cross-entropy reads the logits and writes their gradient: about 6 bytes per logit.
    output.moved = roundToBytes(6.0 * layer.tokens * static_cast<double>(rows));
    return {norm(layer, "final_norm"), output};
}

} // namespace cardfit
