// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include "core/model/operator_layer.h"

namespace cardfit::operators {

namespace {

/// Formulas of what attention keeps. Each kind of attention has its own symbols.
struct HeadFormulas {
    std::string_view qkv, repeated_qkv, qkv_in_product, expanded; ///< inputs of the kernel
    std::string_view scores_in_fp32, scores, mask, log_sum_exp;
    std::string_view output, quantized_output, dropped_output, gated_output;
    std::string_view qkv_gradient, gated_qkv_gradient, qk_norm, wide_qk_norm;
};
constexpr HeadFormulas kGroupedQuery{"w T (a + 2 k) d / t", "3 w T a d / t", "w T (3 a + 2 k) d / t",
    "2 w T (a - k) d / t", "4 a s T / t", "w a s T / t", "a s T / t", "4 T a / t", "w T a d / t", "i T a d / t",
    "(w + 1) T a d / t", "2 w T a d / t", "g_o T (a + 2 k) d / t", "g_o T (2 a + 2 k) d / t", "w T (a + k) d / t",
    "4 T (a + k) d / t"};
/// Values are the projected keys: the kernel's inputs are as wide, the product's output is not.
constexpr HeadFormulas kKeysAsValues = [] {
    HeadFormulas formulas = kGroupedQuery;
    formulas.qkv_in_product = "w T (3 a + k) d / t";
    formulas.qkv_gradient = "g_o T (a + k) d / t";
    formulas.gated_qkv_gradient = "g_o T (2 a + k) d / t";
    return formulas;
}();
/// Values of another size than queries and keys.
constexpr HeadFormulas kOwnValues{"w T (a d + k (d + d_v)) / t", "w T a (2 d + d_v) / t",
    "w T (3 a d + k (d + d_v)) / t", "w T (a - k) (d + d_v) / t", "4 a s T / t", "w a s T / t", "a s T / t",
    "4 T a / t", "w T a d_v / t", "i T a d_v / t", "(w + 1) T a d_v / t", "2 w T a d_v / t",
    "g_o T (a d + k (d + d_v)) / t", "g_o T (a + k) (d + d_v) / t", "w T (a + k) d / t", "4 T (a + k) d / t"};
/// Layers with a window and heads of their own.
constexpr HeadFormulas kWindowed{"w T (a_w d_w + k_w (d_w + d_vw)) / t", "w T a_w (2 d_w + d_vw) / t",
    "w T (3 a_w d_w + k_w (d_w + d_vw)) / t", "w T (a_w - k_w) (d_w + d_vw) / t", "4 a_w s T / t", "w a_w s T / t",
    "a_w s T / t", "4 T a_w / t", "w T a_w d_vw / t", "i T a_w d_vw / t", "(w + 1) T a_w d_vw / t",
    "2 w T a_w d_vw / t", "g_o T (a_w d_w + k_w (d_w + d_vw)) / t", "g_o T (a_w + k_w) (d_w + d_vw) / t",
    "w T (a_w + k_w) d_w / t", "4 T (a_w + k_w) d_w / t"};
constexpr HeadFormulas kLatent{"w T a (2 (d_n + d_r) + d_v) / t", "w T a (2 (d_n + d_r) + d_v) / t", "", "0",
    "4 a s T / t", "w a s T / t", "a s T / t", "4 T a / t", "w T a d_v / t", "i T a d_v / t", "(w + 1) T a d_v / t",
    "2 w T a d_v / t", "", "", "", ""};

const HeadFormulas& formulasOf(const Layer& layer, const AttentionHeads& heads)
{
    if (hasWindowedHeads(layer.model, layer.kind.mixer)) return kWindowed;
    if (!projectsValues(layer.model, layer.kind.mixer)) return kKeysAsValues;
    return heads.v_head_dim == heads.head_dim ? kGroupedQuery : kOwnValues;
}

/// The score matrix, and what softmax and dropout keep of it.
void addScores(const Layer& layer, const HeadSizes& sizes, const HeadFormulas& formulas, Operator& core)
{
    constexpr auto kCore = RecomputeSet::CoreAttention;
    const double scores = sizes.heads * layer.tokens * static_cast<double>(layer.share.sequence);
    const bool dropout = layer.options.attention_dropout > 0.0;
    if (layer.options.scores_in_fp32) {
        core.saved.push_back(saved("attention.softmax", formulas.scores_in_fp32, kFloat * scores, kCore));
        // The 16-bit copy enters the product with the values, unless dropout makes another.
        if (!dropout) {
            core.saved.push_back(saved("attention.probabilities", formulas.scores, layer.element * scores, kCore));
        }
    } else {
        core.saved.push_back(saved("attention.softmax", formulas.scores, layer.element * scores, kCore));
    }
    if (dropout) {
        core.saved.push_back(saved("attention.dropout_mask", formulas.mask, kMask * scores, kCore));
        core.saved.push_back(saved("attention.dropout_output", formulas.scores, layer.element * scores, kCore));
    }
    if (sizes.grouped() && !layer.options.key_values_repeated) {
        const double expanded = (sizes.heads - sizes.key_value_heads) * (sizes.key + sizes.value);
        core.saved.push_back(
            saved("attention.kv_expanded", formulas.expanded, layer.element * layer.tokens * expanded, kCore));
    }
}

bool inRing(const Layer& layer)
{
    return layer.share.context > 1 && !layer.options.context_all_to_all && !layer.options.context_gathered;
}

/// Kernels of one attention: one for each rank's keys in a ring; with gathered keys one for each of a rank's two parts
/// of the sequence (TransformerEngine, attention/dot_product_attention/context_parallel.py).
double attentionPieces(const Layer& layer)
{
    if (inRing(layer)) return static_cast<double>(layer.share.context);
    return layer.share.context > 1 && layer.options.context_gathered ? 2.0 : 1.0;
}

/// Bytes that PyTorch moves to merge the results of the ring's steps, in separate fp32 kernels: per output value 46
/// bytes forward and 60 backward for every step after the first. KernelClock counts the result once forward and twice
/// backward, times 1.4, which gives the same sum (pytorch/pytorch, commit 0123248a4,
/// torch/distributed/tensor/experimental/_attention.py, _SDPAMerger and _templated_ring_attention_backward).
/// TransformerEngine merges concurrently with the next step's attention.
double mergedParts(const Layer& layer, const HeadSizes& sizes)
{
    if (!inRing(layer) || !layer.options.products_apart) return 0.0;
    const double bytes = layer.options.constants[Constant::MergedBytes];
    const auto steps = static_cast<double>(layer.share.context - 1);
    return steps * bytes * layer.tokens * sizes.heads * sizes.value;
}

/// Bytes per value of what the attention kernel keeps: in fp8 the quantized tensors (TransformerEngine,
/// attention/dot_product_attention/backends.py, FusedAttnFunc).
double keptBytes(const Layer& layer) { return layer.options.attention_in_fp8 ? 1.0 : layer.element; }
std::string_view keptFormula(const Layer& layer, std::string_view formula)
{
    constexpr std::string_view kElement = "w ";
    return layer.options.attention_in_fp8 ? formula.substr(kElement.size()) : formula;
}

/// Scores, softmax and weighted values. What is kept depends on whether the kernel forms the score matrix.
Operator attentionCore(
    const Layer& layer, const HeadSizes& sizes, const HeadFormulas& formulas, RecomputeSet projections)
{
    Operator core{"attention"};
    core.backward_traffic = 1.0; // gradients of queries and keys are rotated back
    const bool repeated = layer.options.key_values_repeated;
    const double queries = sizes.heads * sizes.query;
    const double keys = sizes.key_value_heads * sizes.key;
    const double values = sizes.key_value_heads * sizes.value;
    if (layer.options.values_in_product && !sizes.grouped() && !formulas.qkv_in_product.empty()) {
        // Rotated queries and keys are new tensors; values are a view that keeps the whole product alive.
        const double made = queries + keys + (projectsValues(layer.model, layer.kind.mixer) ? values : 0.0);
        core.saved.push_back(saved("attention.qkv", formulas.qkv_in_product,
            layer.element * layer.tokens * (2.0 * queries + made), projections));
    } else {
        const double kept = repeated ? queries + sizes.heads * (sizes.key + sizes.value) : queries + keys + values;
        const std::string_view formula = repeated ? formulas.repeated_qkv : formulas.qkv;
        core.saved.push_back(
            saved("attention.qkv", keptFormula(layer, formula), keptBytes(layer) * layer.tokens * kept, projections));
    }
    if (layer.options.fused_attention) {
        core.saved.push_back(saved("attention.log_sum_exp", formulas.log_sum_exp, kFloat * layer.tokens * sizes.heads,
            RecomputeSet::CoreAttention));
    } else {
        addScores(layer, sizes, formulas, core);
    }
    const double values_per_score = sizes.heads * (sizes.query + sizes.value);
    const auto sequence = static_cast<double>(layer.share.sequence);
    const auto work = [&](double share, double context) {
        // A query attends to min(position, context) tokens: half of the sequence on average without a window.
        const double visible = context * (2.0 - context / sequence);
        return AttentionWork{share, Flops(layer.tokens * visible * values_per_score),
            Flops(2.0 * layer.tokens * sequence * values_per_score), sizes.heads * layer.tokens * sequence, context,
            (sizes.query + sizes.value) / 2.0, inRing(layer) ? sequence / attentionPieces(layer) : sequence,
            attentionPieces(layer)};
    };
    if (layer.model.sparse_attention && layer.model.mla) {
        // The kernel reads the chosen tokens' latent keys and values; scores of the others are never formed.
        core.attention.push_back(work(1.0, number(chosenByIndexer(layer.model, layer.share.sequence))));
        core.run_again_by = RecomputeSet::CoreAttention;
        addContextExchange(layer, sizes, core);
        core.moved = roundToBytes(layer.element * layer.tokens * 2.0 * (queries + keys) + mergedParts(layer, sizes));
        return core;
    }
    const double windowed = layer.windowedShare();
    if (windowed < 1.0) core.attention.push_back(work(1.0 - windowed, sequence));
    if (windowed > 0.0) core.attention.push_back(work(windowed, layer.window()));
    core.run_again_by = RecomputeSet::CoreAttention;
    addContextExchange(layer, sizes, core);
    core.moved = roundToBytes(layer.element * layer.tokens * 2.0 * (queries + keys) + mergedParts(layer, sizes));
    return core;
}

Operator outputProjection(const Layer& layer, std::int64_t features_per_card, const HeadFormulas& formulas)
{
    const std::string_view formula = formulas.output; // of one 16-bit copy of the attention's output
    Operator projection{"projection"};
    projection.weights = {linear("projection.weight", layer.model.hidden_size, features_per_card)};
    const Weight weight = projection.weights.front();
    if (layer.model.attention_output_bias.value_or(layer.model.attention_bias)) {
        projection.weights.push_back({"projection.bias", layer.model.hidden_size});
    }
    const double values = layer.tokens * static_cast<double>(features_per_card);
    const bool keeps_input = layer.keepsInput(AdapterTarget::LinearProj);
    projection.saved = {saved("attention.output", keptFormula(layer, formula), keptBytes(layer) * values)};
    const bool gated = layer.model.attn_output_gate;
    // Input of the product's weight half: the kernel's output, unless the product keeps a quantized copy of its own.
    const bool reads_output = !layer.quantizesInputs() || !layer.options.quantized_apart;
    projection.saved.back().for_weight = layer.hasWeightHalf() && reads_output && !gated;
    // The gate and, in 16 bits, the gated output of the kernel, which is the product's input (Megatron-LM,
    // attention.py).
    if (gated) {
        const double copies = layer.quantizesInputs() ? 1.0 : 2.0;
        projection.saved.push_back(saved("attention.gate", layer.quantizesInputs() ? formula : formulas.gated_output,
            copies * layer.element * values));
        projection.saved.back().for_weight = layer.hasWeightHalf() && !layer.quantizesInputs();
    }
    if (layer.options.attention_output_copied && layer.options.fused_attention && keeps_input) {
        projection.saved.push_back(saved("attention.output_copy", formula, layer.element * values));
    }
    // The kernel keeps its 16-bit output. A quantized product keeps its own copy of it, unless it is set to quantize
    // again (Megatron-LM, attention.py, set_save_original_input, for every recipe but delayed scaling).
    if (layer.quantizesInputs() && keeps_input && layer.options.quantized_apart) {
        projection.saved.push_back(
            productInput(layer, "projection.input", formulas.quantized_output, layer.stored_input * values));
    }
    if (layer.options.context_all_to_all && layer.share.context > 1) {
        projection.saved.push_back(saved("attention.output_sent", formula, layer.element * values));
    }
    addOutputGradient(layer, "projection.output_gradient", "g_o T h", layer.tokens * layer.hidden, projection);
    addAdapter(layer, AdapterTarget::LinearProj, layer.tokens, weight, formulas.dropped_output, projection);
    addDropout(layer, projection);
    projection.products = {product(layer.tokens, static_cast<double>(features_per_card), layer.hidden)};
    projection.moved = roundToBytes(3.0 * layer.stream());
    leavesTensorParallel(layer, projection);
    return projection;
}

/// Whether adapters' output is padded with zeros where the keys are, and kept: litgpt's one product for queries, keys
/// and values has adapters for queries and values unless those of keys are named too (litgpt, lora.py, zero_pad;
/// PyTorch, tools/autograd/derivatives.yaml, index_copy).
bool padsAdapters(const Layer& layer)
{
    return layer.options.values_in_product && !layer.options.adapter->adapts(AdapterTarget::KProj);
}

void addGroupedQueryAttention(const Layer& layer, std::vector<Operator>& operators)
{
    const auto& model = layer.model;
    // With more tensor-parallel ranks than key/value heads each rank still has a whole one.
    AttentionHeads heads = attentionHeads(model, layer.kind.mixer);
    heads.keys = std::max(heads.keys, layer.share.tensor);
    const HeadFormulas& formulas = formulasOf(layer, heads);
    const std::int64_t outputs = heads.queries * heads.v_head_dim;
    const std::int64_t gates = model.attn_output_gate ? outputs : 0;
    const std::int64_t values = projectsValues(model, layer.kind.mixer) ? heads.keys * heads.v_head_dim : 0;
    const std::int64_t features =
        layer.perTensor(heads.queries * heads.head_dim + gates + heads.keys * heads.head_dim + values);
    Operator qkv{"qkv"};
    qkv.weights = {linear("qkv.weight", features, model.hidden_size)};
    const Weight weight = qkv.weights.front();
    if (model.attention_bias) qkv.weights.push_back({"qkv.bias", features});
    addGatheredInput(layer, "qkv.gathered_input", "i T h", layer.tokens * layer.hidden, qkv);
    addOutputGradient(layer, "qkv.output_gradient", gates > 0 ? formulas.gated_qkv_gradient : formulas.qkv_gradient,
        layer.tokens * static_cast<double>(features), qkv);
    const bool apart = layer.adaptsApart();
    if (!apart) addAdapter(layer, AdapterTarget::LinearQkv, layer.tokens, weight, "(w + 1) T h", qkv);
    if (layer.options.adapter && (apart || !layer.options.adapter->adapts(AdapterTarget::LinearQkv))) {
        for (const auto& [target, rows] : {std::pair{AdapterTarget::QProj, heads.queries * heads.head_dim},
                 std::pair{AdapterTarget::KProj, heads.keys * heads.head_dim},
                 std::pair{AdapterTarget::VProj, values}}) {
            if (rows == 0) continue;
            addAdapter(layer, apart ? AdapterTarget::LinearQkv : target, layer.tokens,
                linear("qkv.weight", layer.perTensor(rows), model.hidden_size), "(w + 1) T h", qkv);
        }
    }
    const HeadSizes sizes{number(heads.head_dim), number(heads.head_dim), number(heads.v_head_dim),
        number(heads.queries) / layer.tensor, number(heads.keys) / layer.tensor};
    if (padsAdapters(layer)) {
        qkv.saved.push_back(saved("adapter.padded", formulas.qk_norm,
            layer.element * layer.tokens * (sizes.heads + sizes.key_value_heads) * sizes.query));
    }
    qkv.products = {product(layer.tokens, layer.hidden, static_cast<double>(features))};
    entersTensorParallel(layer, qkv);
    operators.push_back(std::move(qkv));

    if (model.qk_norm) {
        Operator qk_norm{"qk_norm"};
        qk_norm.weights = {
            normWeight(model, "q_norm.weight", heads.head_dim), normWeight(model, "k_norm.weight", heads.head_dim)};
        const double normalized = layer.tokens * (sizes.heads + sizes.key_value_heads) * sizes.query;
        if (layer.options.fused_norm || model.norm == Norm::LayerNorm) {
            qk_norm.saved = {saved("qk_norm.input", formulas.qk_norm, layer.element * normalized)};
        } else {
            // A series of fp32 operations, as norm() has it.
            qk_norm.saved = {saved("qk_norm.input", formulas.wide_qk_norm, kFloat * normalized)};
            if (!layer.options.adapter)
                qk_norm.saved.push_back(saved("qk_norm.normalized", formulas.qk_norm, layer.element * normalized));
        }
        operators.push_back(std::move(qk_norm));
    }
    operators.push_back(attentionCore(layer, sizes, formulas, RecomputeSet::None));
    operators.push_back(outputProjection(layer, layer.perTensor(outputs), formulas));
}

/// The lightning indexer of DeepSeek sparse attention: small queries made from the queries' latent, one key for all of
/// them, and a weight per head; the scores of all earlier tokens choose index_topk of them. It is replicated over
/// tensor ranks. Its scores are recomputed for its loss; the indices of the chosen tokens are kept, 4 bytes each.
/// Sources: deepseek-ai/DeepSeek-V3.2-Exp, inference/model.py, Indexer; Megatron-LM,
/// core/transformer/experimental_attention_variant/dsa.py.
void addIndexer(const Layer& layer, std::vector<Operator>& operators)
{
    const auto& model = layer.model;
    const SparseAttention& sparse = *model.sparse_attention;
    const std::int64_t queries = sparse.index_n_heads * sparse.index_head_dim;
    const std::int64_t latent = model.mla->q_lora_rank > 0 ? model.mla->q_lora_rank : model.hidden_size;
    Operator indexer{"indexer"};
    indexer.weights = {linear("indexer.q.weight", queries, latent),
        linear("indexer.k.weight", sparse.index_head_dim, model.hidden_size),
        linear("indexer.head.weight", sparse.index_n_heads, model.hidden_size)};
    Weight norm{"indexer.k_norm.weight", 2 * sparse.index_head_dim}; // always a LayerNorm
    indexer.weights.push_back(norm);
    indexer.saved = {saved("indexer.projected", "w T (I_h I_d + I_d + I_h)",
                         layer.element * layer.tokens * number(queries + sparse.index_head_dim + sparse.index_n_heads)),
        saved(
            "indexer.chosen", "4 T I_k", kFloat * layer.tokens * number(chosenByIndexer(model, layer.share.sequence)))};
    indexer.products = {product(layer.tokens, number(latent), number(queries)),
        product(layer.tokens, layer.hidden, number(sparse.index_head_dim + sparse.index_n_heads)),
        product(layer.tokens, number(sparse.index_head_dim), 0.5 * number(layer.share.sequence))};
    // A score per head and earlier token: half of the sequence on average.
    indexer.products.back().copies = number(sparse.index_n_heads);
    indexer.products.back().wide = true;
    indexer.moved = roundToBytes(3.0 * layer.element * layer.tokens * number(queries));
    operators.push_back(std::move(indexer));
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
    const bool keeps_input = layer.keepsInput(AdapterTarget::LinearQkv);
    // The projection up reads the normalized latent, gathered if necessary, and keeps it in addition to the norm's
    // input.
    const auto addUp = [&](std::string_view id, std::string_view formula, std::string_view gathered_id,
                           std::string_view gathered_formula, double width, Operator& to) {
        if (!keeps_input) return;
        to.saved.push_back(saved(id, formula, layer.stored_input * width * rows));
        to.saved.back().for_weight = layer.hasWeightHalf() && !layer.gathersInputs();
        addGatheredInput(layer, gathered_id, gathered_formula, width * layer.tokens, to);
    };

    Operator query{"query"};
    if (mla.q_lora_rank > 0) {
        query.weights = {linear("q_down.weight", mla.q_lora_rank, model.hidden_size),
            linear("q_up.weight", queries, mla.q_lora_rank), normWeight(model, "q_norm.weight", mla.q_lora_rank)};
        query.saved = {
            saved("query.latent", "(w q_l + 4) T / u", (layer.element * rank(mla.q_lora_rank) + kFloat) * rows)};
        addUp("query.up_input", "i q_l T / u", "query.up.gathered_input", "i T q_l", rank(mla.q_lora_rank), query);
        addOutputGradient(layer, "query.down.output_gradient", "g_o T q_l / u", rank(mla.q_lora_rank) * rows, query);
        addOutputGradient(
            layer, "query.up.output_gradient", "g_o T a (d_n + d_r) / t", rank(queries) * layer.tokens, query);
        query.products = {product(rows, layer.hidden, rank(mla.q_lora_rank)),
            product(layer.tokens, rank(mla.q_lora_rank), rank(queries))};
        query.moved = roundToBytes(3.0 * layer.element * rank(mla.q_lora_rank) * rows);
    } else {
        query.weights = {linear("q.weight", queries, model.hidden_size)};
        addGatheredInput(layer, "query.up.gathered_input", "i T h", layer.tokens * layer.hidden, query);
        addOutputGradient(
            layer, "query.up.output_gradient", "g_o T a (d_n + d_r) / t", rank(queries) * layer.tokens, query);
        query.products = {product(layer.tokens, layer.hidden, rank(queries))};
    }
    query.products.back().run_again_by = RecomputeSet::MlaUpProjection;
    query.run_again_by = RecomputeSet::MlaUpProjection;
    entersTensorParallel(layer, query);
    const std::vector<Weight> query_weights = query.weights;
    // Adapters for separate queries, keys and values adapt the projections that make them.
    const bool apart = layer.options.adapter && !layer.options.adapter->adapts(AdapterTarget::LinearQkv);
    for (const Weight& weight : query_weights) {
        if (!weight.linear) continue;
        const bool latent = mla.q_lora_rank > 0 && weight.columns == mla.q_lora_rank;
        addAdapter(layer, apart ? AdapterTarget::QProj : AdapterTarget::LinearQkv, rows, weight,
            latent ? "(w + 1) q_l T / u" : "(w + 1) T h / u", query);
    }
    operators.push_back(std::move(query));

    Operator key_value{"key_value"};
    key_value.weights = {linear("kv_down.weight", mla.kv_lora_rank + mla.qk_rope_head_dim, model.hidden_size),
        linear("kv_up.weight", keys_values, mla.kv_lora_rank), normWeight(model, "kv_norm.weight", mla.kv_lora_rank)};
    const double latent = rank(mla.kv_lora_rank + mla.qk_rope_head_dim);
    key_value.saved = {
        saved("key_value.latent", "(w (k_l + d_r) + 4) T / u", (layer.element * latent + kFloat) * rows)};
    addUp("key_value.up_input", "i k_l T / u", "key_value.up.gathered_input", "i T k_l", rank(mla.kv_lora_rank),
        key_value);
    addOutputGradient(layer, "key_value.down.output_gradient", "g_o T (k_l + d_r) / u", latent * rows, key_value);
    addOutputGradient(
        layer, "key_value.up.output_gradient", "g_o T a (d_n + d_v) / t", rank(keys_values) * layer.tokens, key_value);
    key_value.products = {
        product(rows, layer.hidden, latent), product(layer.tokens, rank(mla.kv_lora_rank), rank(keys_values))};
    key_value.products.back().run_again_by = RecomputeSet::MlaUpProjection;
    key_value.run_again_by = RecomputeSet::MlaUpProjection;
    key_value.moved = roundToBytes(3.0 * layer.element * rank(mla.kv_lora_rank) * rows);
    const bool keys_apart = apart && layer.options.adapter->adapts(AdapterTarget::KProj);
    const AdapterTarget keys_values_target = keys_apart ? AdapterTarget::KProj
        : apart                                         ? AdapterTarget::VProj
                                                        : AdapterTarget::LinearQkv;
    addAdapter(layer, keys_values_target, rows, Weight(key_value.weights[0]), "(w + 1) T h / u", key_value);
    addAdapter(layer, keys_values_target, rows, Weight(key_value.weights[1]), "(w + 1) k_l T / u", key_value);
    operators.push_back(std::move(key_value));

    if (model.sparse_attention) addIndexer(layer, operators);
    const double heads = rank(model.num_attention_heads) / layer.tensor;
    // The rotated part of the key is broadcast to every head, so keys are as wide as queries.
    const HeadSizes sizes{rank(query_size), rank(query_size), rank(mla.v_head_dim), heads, heads};
    operators.push_back(attentionCore(layer, sizes, kLatent, RecomputeSet::MlaUpProjection));
    operators.push_back(outputProjection(layer, layer.perTensor(model.num_attention_heads * mla.v_head_dim), kLatent));
}

} // namespace

void addContextExchange(const Layer& layer, const HeadSizes& sizes, Operator& core)
{
    if (layer.share.context == 1) return;
    const double sent_heads = layer.options.key_values_repeated ? sizes.heads : sizes.key_value_heads;
    const double keys_values = layer.element * layer.tokens * sent_heads * (sizes.key + sizes.value);
    const auto ranks = static_cast<double>(layer.share.context);
    if (layer.options.context_all_to_all) {
        const double queries_outputs = layer.element * layer.tokens * sizes.heads * (sizes.query + sizes.value);
        const Communication exchange{
            Collective::AllToAll, RankSet::Context, roundToBytes(keys_values + queries_outputs)};
        core.forward_sends.push_back(exchange);
        core.backward_sends.push_back(exchange);
    } else if (layer.options.context_gathered) {
        core.forward_sends.push_back({Collective::AllGather, RankSet::Context, roundToBytes(ranks * keys_values)});
        core.backward_sends.push_back({Collective::AllGather, RankSet::Context, roundToBytes(ranks * keys_values)});
        core.backward_sends.push_back({Collective::ReduceScatter, RankSet::Context, roundToBytes(ranks * keys_values)});
    } else {
        core.forward_sends.push_back({Collective::Ring, RankSet::Context, roundToBytes(keys_values)});
        // Keys and values again, and their gradients.
        core.backward_sends.push_back({Collective::Ring, RankSet::Context, roundToBytes(2.0 * keys_values)});
    }
}

void addMixer(const Layer& layer, std::vector<Operator>& operators)
{
    if (layer.kind.recurrent())
        addRecurrence(layer, operators);
    else if (layer.model.compressed_attention)
        addCompressedAttention(layer, operators);
    else if (layer.model.mla)
        addLatentAttention(layer, operators);
    else
        addGroupedQueryAttention(layer, operators);
}

} // namespace cardfit::operators
