// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/model/operator_layer.h"

/// Attention of DeepSeek-V4 (transformers, models/deepseek_v4/modeling_deepseek_v4.py): low-rank queries; one key per
/// token for all heads, which is also its value; a window of the last tokens and, before it, entries that each stand
/// for several tokens; an output projection in two steps, the first by groups of heads.
namespace cardfit::operators {

namespace {

/// How one kind of layer compresses. In sparse layers windows overlap, so that projections are twice as wide, and an
/// indexer chooses entries.
struct Compression {
    std::int64_t rate = 0; ///< tokens per entry; 0: only the window
    std::int64_t width = 1; ///< outputs of the projections, in head sizes
    bool indexed = false;
    std::string_view projected, pooled, entries;
};

Compression compressionOf(const Layer& layer, const CompressedAttention& sizes)
{
    if (layer.kind.mixer == TokenMixer::CompressedSparse)
        return {sizes.compress_rate_csa, 2, true, "4 w T d", "w T d / r_s", "w T d (1 + 1 / r_s)"};
    if (layer.kind.mixer == TokenMixer::HeavilyCompressed)
        return {sizes.compress_rate_hca, 1, false, "2 w T d", "w T d / r_h", "w T d (1 + 1 / r_h)"};
    return {};
}

/// Queries through a low rank, as in latent attention.
void addQueries(const Layer& layer, const CompressedAttention& sizes, std::vector<Operator>& operators)
{
    const auto& model = layer.model;
    const double rank = number(sizes.q_lora_rank);
    const double rows = layer.tokens / layer.residual;
    const std::int64_t queries = layer.perTensor(model.num_attention_heads * model.head_dim);
    Operator query{"query"};
    query.weights = {linear("q_down.weight", sizes.q_lora_rank, model.hidden_size),
        linear("q_up.weight", queries, sizes.q_lora_rank), normWeight(model, "q_norm.weight", sizes.q_lora_rank)};
    query.saved = {saved("query.latent", "(w q_c + 4) T / u", (layer.element * rank + kFloat) * rows)};
    if (layer.keepsInput(AdapterTarget::LinearQkv)) {
        query.saved.push_back(saved("query.up_input", "i q_c T / u", layer.stored_input * rank * rows));
        query.saved.back().for_weight = layer.hasWeightHalf() && !layer.gathersInputs();
        addGatheredInput(layer, "query.up.gathered_input", "i T q_c", rank * layer.tokens, query);
    }
    addOutputGradient(layer, "query.down.output_gradient", "g_o T q_c / u", rank * rows, query);
    addOutputGradient(layer, "query.up.output_gradient", "g_o T a d / t", number(queries) * layer.tokens, query);
    query.products = {product(rows, layer.hidden, rank), product(layer.tokens, rank, number(queries))};
    query.products.back().run_again_by = RecomputeSet::MlaUpProjection;
    query.run_again_by = RecomputeSet::MlaUpProjection;
    query.moved = roundToBytes(layer.element * (3.0 * rank * rows + 2.0 * number(queries) * layer.tokens));
    entersTensorParallel(layer, query);
    const std::vector<Weight> weights = query.weights;
    const bool apart = layer.options.adapter && !layer.options.adapter->adapts(AdapterTarget::LinearQkv);
    for (const Weight& weight : weights) {
        if (weight.linear)
            addAdapter(layer, apart ? AdapterTarget::QProj : AdapterTarget::LinearQkv, rows, weight,
                weight.columns == sizes.q_lora_rank ? "(w + 1) q_c T / u" : "(w + 1) T h / u", query);
    }
    operators.push_back(std::move(query));
}

/// The key of every token and, with compression, its part of an entry: a value, and the logit of its weight in the
/// entry, which a learned bias for each position in the entry shifts. On every tensor rank.
void addKeys(const Layer& layer, const Compression& compression, std::vector<Operator>& operators)
{
    const auto& model = layer.model;
    const std::int64_t size = model.head_dim;
    const double values = layer.tokens * number(size);
    Operator keys{"key_value"};
    keys.weights = {linear("kv.weight", size, model.hidden_size), normWeight(model, "kv_norm.weight", size)};
    keys.saved = {saved("key_value.projected", "T (w d + 4)", layer.element * values + kFloat * layer.tokens)};
    addOutputGradient(layer, "key_value.output_gradient", "g_o T d", values, keys);
    keys.products = {product(layer.tokens, layer.hidden, number(size))};
    keys.moved = roundToBytes(3.0 * layer.element * values);
    const bool apart = layer.options.adapter && !layer.options.adapter->adapts(AdapterTarget::LinearQkv);
    addAdapter(layer, apart ? AdapterTarget::KProj : AdapterTarget::LinearQkv, layer.tokens, Weight(keys.weights[0]),
        "(w + 1) T h", keys);
    operators.push_back(std::move(keys));
    if (compression.rate == 0) return;

    const std::int64_t features = compression.width * size;
    Operator compressor{"compressor"};
    compressor.weights = {linear("compressor.weight", 2 * features, model.hidden_size),
        {"compressor.bias", compression.rate, features}, normWeight(model, "compressor_norm.weight", size)};
    compressor.saved = {
        saved("compressor.projected", compression.projected, 2.0 * layer.element * layer.tokens * number(features)),
        saved("compressor.pooled", compression.pooled, layer.element * values / number(compression.rate))};
    compressor.products = {product(layer.tokens, layer.hidden, 2.0 * number(features))};
    compressor.moved = roundToBytes(3.0 * layer.element * layer.tokens * 2.0 * number(features));
    operators.push_back(std::move(compressor));
}

/// The lightning indexer of sparse layers, with a small compressor of its own, whose entries it scores.
void addEntryIndexer(const Layer& layer, const CompressedAttention& sizes, std::vector<Operator>& operators)
{
    const SparseAttention sparse = layer.model.sparse_attention.value_or(SparseAttention());
    const std::int64_t queries = sparse.index_n_heads * sparse.index_head_dim;
    const std::int64_t features = 2 * sparse.index_head_dim;
    Operator indexer{"indexer"};
    indexer.weights = {linear("indexer.q.weight", queries, sizes.q_lora_rank),
        linear("indexer.compressor.weight", 2 * features, layer.model.hidden_size),
        {"indexer.compressor.bias", sizes.compress_rate_csa, features},
        normWeight(layer.model, "indexer.compressor_norm.weight", sparse.index_head_dim),
        linear("indexer.head.weight", sparse.index_n_heads, layer.model.hidden_size)};
    const double chosen = number(chosenByIndexer(layer.model, layer.share.sequence));
    indexer.saved = {saved("indexer.projected", "w T (I_h I_d + 4 I_d + I_h)",
                         layer.element * layer.tokens * number(queries + 2 * features + sparse.index_n_heads)),
        saved("indexer.chosen", "4 T I_k", kFloat * layer.tokens * chosen)};
    const double entries = number(layer.share.sequence) / number(sizes.compress_rate_csa);
    indexer.products = {product(layer.tokens, number(sizes.q_lora_rank), number(queries)),
        product(layer.tokens, layer.hidden, number(2 * features + sparse.index_n_heads)),
        // A score per head and earlier entry: half of them on average.
        product(layer.tokens, number(sparse.index_head_dim), 0.5 * entries)};
    indexer.products.back().copies = number(sparse.index_n_heads);
    indexer.products.back().wide = true;
    indexer.moved = roundToBytes(3.0 * layer.element * layer.tokens * number(queries));
    operators.push_back(std::move(indexer));
}

/// Every query attends to the window and, of the entries before it, to all or to those that the indexer chose. The
/// kernel reads one key for all heads.
Operator core(const Layer& layer, const Compression& compression)
{
    const auto& model = layer.model;
    const double size = number(model.head_dim);
    const double heads = number(model.num_attention_heads) / layer.tensor;
    const auto sequence = number(layer.share.sequence);
    Operator core{"attention"};
    core.weights = {{"attention.sink", layer.perTensor(model.num_attention_heads)}};
    core.saved = {saved("attention.queries", "w T a d / t", layer.element * layer.tokens * heads * size,
                      RecomputeSet::MlaUpProjection),
        saved("attention.keys", compression.rate > 0 ? compression.entries : "w T d",
            layer.element * layer.tokens * size * (compression.rate > 0 ? 1.0 + 1.0 / number(compression.rate) : 1.0)),
        saved("attention.log_sum_exp", "4 T a / t", kFloat * layer.tokens * heads, RecomputeSet::CoreAttention)};
    // The mean over queries: early ones have fewer tokens and entries before them.
    const double window = std::min(layer.window(), sequence);
    double most = window;
    double seen = window * (1.0 - 0.5 * window / sequence);
    if (compression.rate > 0) {
        const double entries = sequence / number(compression.rate);
        const double chosen =
            compression.indexed ? number(chosenByIndexer(model, layer.share.sequence)) : std::floor(entries);
        most += chosen;
        seen += entries > 0.0 ? chosen * (1.0 - 0.5 * std::min(1.0, chosen / entries)) : 0.0;
    }
    const double scores = layer.tokens * sequence * heads;
    core.attention = {{1.0, Flops(4.0 * layer.tokens * seen * heads * size), Flops(4.0 * scores * size), scores,
        std::min(most, sequence), size}};
    core.run_again_by = RecomputeSet::CoreAttention;
    addContextExchange(layer, {size, 0.0, size, heads, 1.0}, core);
    core.moved = roundToBytes(layer.element * layer.tokens * 2.0 * (heads * size + size));
    return core;
}

/// A separate product for each group of heads, then one for all groups together, to the stream.
void addOutput(const Layer& layer, const CompressedAttention& sizes, std::vector<Operator>& operators)
{
    const auto& model = layer.model;
    const std::int64_t attended = layer.perTensor(model.num_attention_heads * model.head_dim);
    const std::int64_t groups = layer.perTensor(sizes.o_groups);
    const std::int64_t ranks = groups * sizes.o_lora_rank;
    const double values = layer.tokens * number(attended);
    const double mixed = layer.tokens * number(ranks);
    Operator grouped{"projection.groups"};
    Weight weight = linear("o_down.weight", sizes.o_lora_rank, attended / std::max<std::int64_t>(groups, 1));
    weight.copies = groups;
    grouped.weights = {weight};
    grouped.saved = {productInput(layer, "attention.output", "w T a d / t", layer.element * values)};
    addOutputGradient(layer, "projection.groups.output_gradient", "g_o T G_o o_c / t", mixed, grouped);
    grouped.products = {product(layer.tokens, number(weight.columns), number(sizes.o_lora_rank))};
    grouped.products.back().copies = number(groups);
    operators.push_back(std::move(grouped));

    Operator projection{"projection"};
    projection.weights = {linear("projection.weight", model.hidden_size, ranks)};
    const Weight together = projection.weights.front();
    if (layer.keepsInput(AdapterTarget::LinearProj))
        projection.saved = {
            productInput(layer, "projection.groups_output", "i T G_o o_c / t", layer.stored_input * mixed)};
    addOutputGradient(layer, "projection.output_gradient", "g_o T h", layer.tokens * layer.hidden, projection);
    addAdapter(layer, AdapterTarget::LinearProj, layer.tokens, together, "(w + 1) T G_o o_c / t", projection);
    addDropout(layer, projection);
    projection.products = {product(layer.tokens, number(ranks), layer.hidden)};
    projection.moved = roundToBytes(3.0 * layer.stream());
    leavesTensorParallel(layer, projection);
    operators.push_back(std::move(projection));
}

} // namespace

void addCompressedAttention(const Layer& layer, std::vector<Operator>& operators)
{
    const CompressedAttention& sizes = *layer.model.compressed_attention;
    const Compression compression = compressionOf(layer, sizes);
    addQueries(layer, sizes, operators);
    addKeys(layer, compression, operators);
    if (compression.indexed) addEntryIndexer(layer, sizes, operators);
    operators.push_back(core(layer, compression));
    addOutput(layer, sizes, operators);
}

} // namespace cardfit::operators
