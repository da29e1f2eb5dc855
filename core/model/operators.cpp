// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/operators.h"

#include <algorithm>
#include <utility>

#include "core/model/operator_layer.h"

namespace cardfit {

namespace operators {

Weight normWeight(const Architecture& model, std::string_view id, std::int64_t size)
{
    return {id, model.norm == Norm::LayerNorm ? 2 * size : size};
}

void addOutputGradient(
    const Layer& layer, std::string_view id, std::string_view formula, double values, Operator& product)
{
    if (!layer.hasWeightHalf()) return;
    product.for_weights.push_back(saved(id, formula, layer.options.output_gradient * values));
}

void addGatheredInput(
    const Layer& layer, std::string_view id, std::string_view formula, double values, Operator& product)
{
    if (!layer.hasWeightHalf() || !layer.gathersInputs()) return;
    product.for_weights.push_back(saved(id, formula, layer.stored_input * values));
}

Operator norm(const Layer& layer, std::string_view id, const NormOutput& output)
{
    Operator result{id};
    result.weights = {normWeight(layer.model, "norm.weight", layer.model.hidden_size)};
    const double values = layer.tokens * layer.hidden / layer.residual;
    // torch.nn.functional.layer_norm is one kernel even if nothing is fused; RMSNorm is a series of fp32 operations.
    const bool wide = layer.options.autocast;
    if (layer.options.fused_norm || layer.model.norm == Norm::LayerNorm) {
        result.saved.push_back(
            saved("norm.input", wide ? "4 T h / u" : "w T h / u", (wide ? kFloat : layer.element) * values));
    } else {
        result.saved.push_back(saved("norm.input", "4 T h / u", kFloat * values));
        // Only the gradient of the norm's weight needs the normalized values.
        if (!layer.options.adapter) {
            result.saved.push_back(
                saved("norm.normalized", wide ? "4 T h / u" : "w T h / u", (wide ? kFloat : layer.element) * values));
        }
    }
    if (output.kept) {
        const bool quantized = layer.quantizesInputs() && !output.as_is;
        result.saved.push_back(saved("norm.output", quantized ? "i T h / u" : "w T h / u",
            (quantized ? layer.stored_input : layer.element) * values, RecomputeSet::LayerNorm));
        result.saved.back().for_weight = output.for_weight && layer.hasWeightHalf();
        // Under autocast every product that reads it makes a 16-bit copy of its own; the fp32 output is not kept.
        for (int copy = 1; wide && copy < output.readers; ++copy)
            result.saved.push_back(SavedTensor(result.saved.back()));
    }
    result.saved.push_back(saved("norm.statistics", "n T / u", layer.statistics()));
    result.moved = roundToBytes(3.0 * layer.stream());
    result.run_again_by = RecomputeSet::LayerNorm;
    return result;
}

void entersTensorParallel(const Layer& layer, Operator& product)
{
    if (layer.share.tensor == 1) return;
    const Bytes tokens = layer.wholeStream();
    if (layer.share.sequence_parallel) {
        product.forward_sends.push_back({Collective::AllGather, RankSet::Tensor, tokens});
        product.backward_sends.push_back({Collective::ReduceScatter, RankSet::Tensor, tokens});
    } else {
        product.backward_sends.push_back({Collective::AllReduce, RankSet::Tensor, tokens});
    }
}

void leavesTensorParallel(const Layer& layer, Operator& product)
{
    if (layer.share.tensor == 1) return;
    const Bytes tokens = layer.wholeStream();
    if (layer.share.sequence_parallel) {
        product.forward_sends.push_back({Collective::ReduceScatter, RankSet::Tensor, tokens});
        product.backward_sends.push_back({Collective::AllGather, RankSet::Tensor, tokens});
    } else {
        product.forward_sends.push_back({Collective::AllReduce, RankSet::Tensor, tokens});
    }
}

void addDropout(const Layer& layer, Operator& to)
{
    if (layer.options.hidden_dropout <= 0.0) return;
    to.saved.push_back(saved("dropout.mask", "T h / u", kMask * layer.tokens * layer.hidden / layer.residual));
}

void addAdapter(
    const Layer& layer, AdapterTarget target, double rows, const Weight& beside, std::string_view dropped, Operator& to)
{
    if (!layer.options.adapter || !layer.options.adapter->adapts(target)) return;
    const std::int64_t rank = layer.options.adapter->rank;
    const bool expert = beside.expert;
    // PyTorch's stacks make gate and values by two products, with an adapter each (PEFT, tuners/lora/layer.py; litgpt,
    // lora.py): two matrices read the input. Experts' weights are one tensor for both.
    const bool twice =
        target == AdapterTarget::LinearFc1 && layer.options.products_apart && layer.model.gated_mlp && !expert;
    const std::int64_t inputs = twice ? 2 : 1;
    Weight adapter{"adapter.weight", rank, beside.rows + inputs * beside.columns, beside.copies};
    adapter.adapter = true;
    adapter.expert = expert;
    to.weights.push_back(adapter);
    // Latent attention projects down and up while the sequence is divided.
    const std::string_view dense = rows < layer.tokens ? "w T r / u" : "w T r";
    to.saved.insert(to.saved.end(), static_cast<std::size_t>(inputs),
        saved(expert ? "adapter.expert_latent" : "adapter.latent", expert ? "w R r" : dense,
            layer.element * rows * static_cast<double>(rank)));
    if (layer.options.adapter->dropout <= 0.0) return;
    const double values = rows * static_cast<double>(beside.columns);
    to.saved.insert(to.saved.end(), twice ? 2 : 1,
        saved(expert ? "adapter.expert_dropped_input" : "adapter.dropped_input", dropped,
            (layer.element + kMask) * values));
}

namespace {

/// The output layer multiplies in 16 bits and reads the tokens as they were saved.
void addLogitsGradient(const Layer& layer, Operator& output)
{
    if (!layer.hasWeightHalf() || layer.options.output_layer_at_once) return;
    const double rows = static_cast<double>(layer.share.vocabulary / layer.share.tensor);
    output.for_weights.push_back(saved("output.output_gradient", "w T v / t", layer.element * layer.tokens * rows));
}

} // namespace

} // namespace operators

Flops Operator::forward() const
{
    Flops work;
    for (const MatrixProduct& product : products)
        work += product.work();
    for (const AttentionWork& part : attention)
        work += part.share * part.visible;
    work += scan.useful;
    return work;
}

double CardShare::tokens() const { return static_cast<double>(sequence / context * micro_batch); }

double CardShare::residual() const { return sequence_parallel ? static_cast<double>(tensor) : 1.0; }

double CardShare::sent() const { return sequence_parallel || tokens_sent_once ? static_cast<double>(tensor) : 1.0; }

bool CardShare::dividesExpertsOnly() const
{
    return tokens_sent_once && !sequence_parallel && expert == 1 && expert_tensor == tensor && tensor > 1;
}

ElementCount countElements(const std::vector<Operator>& operators)
{
    ElementCount count;
    for (const Operator& step : operators) {
        for (const Weight& weight : step.weights) {
            auto& kind = weight.adapter ? count.adapter : weight.expert ? count.expert : count.dense;
            kind += weight.elements();
        }
    }
    return count;
}

std::vector<Operator> layerOperators(
    const Architecture& model, const CardShare& share, const OperatorOptions& options, LayerKind kind)
{
    const operators::Layer layer{model, share, options, kind};
    std::vector<Operator> result;
    result.reserve(16);
    const auto addNorm = [&](std::string_view id, const operators::NormOutput& output) {
        operators::addHyperConnection(layer, result);
        result.push_back(operators::norm(layer, id, output));
        // A single sum of several streams, recomputed with the hyper-connections.
        if (model.hc_mult > 1) result.back().saved.front().dropped_by = RecomputeSet::HyperConnections;
    };
    if (kind.mixer != TokenMixer::None) {
        // Latent attention also projects down, from tokens that are not gathered.
        const bool latent = model.mla.has_value() || model.compressed_attention.has_value();
        const bool read_as_saved = !layer.gathersInputs() || (kind.attends() && latent);
        const bool kept = kind.attends() ? layer.keepsInput(AdapterTarget::LinearQkv) : layer.keepsFrozenInput();
        const int readers = kind.attends() && !latent && layer.options.products_apart ? 3 : 1;
        addNorm("input_norm", {kept, false, read_as_saved, readers});
        operators::addMixer(layer, result);
    }
    if (kind.mlp != LayerMlp::None) {
        const bool experts = kind.experts();
        // The router reads the norm's output as it is, and keeps it for the gradient of its weight. Shared experts in
        // 16 bits read the same tensor, routed ones their own rows.
        const bool shared = experts && model.moe->shared_intermediate_size > 0 && !layer.quantizesInputs();
        const bool for_weight = (!experts || shared) && !layer.gathersInputs();
        const int readers = !experts && layer.options.products_apart && model.gated_mlp ? 2 : 1;
        addNorm("mlp_norm", {layer.keepsInput(AdapterTarget::LinearFc1), experts, for_weight, readers});
        if (experts)
            operators::addExperts(layer, result);
        else
            operators::addDenseMlp(layer, result);
    }
    operators::addDropout(layer, result.back());
    return result;
}

std::vector<Operator> embeddingOperators(
    const Architecture& model, const CardShare& share, const OperatorOptions& options)
{
    const operators::Layer layer{model, share, options, {}};
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
    if (!options.adapter) {
        embedding.saved = {operators::saved("embedding.ids", "8 T", kIds * layer.tokens)};
        if (share.tensor > 1) {
            embedding.saved.push_back(operators::saved("embedding.masked_ids", "9 T", kMaskedIds * layer.tokens));
        }
    }
    operators::addDropout(layer, embedding);
    embedding.moved = roundToBytes(3.0 * layer.stream());
    operators::leavesTensorParallel(layer, embedding);
    return {embedding};
}

std::vector<Operator> headOperators(
    const Architecture& model, const CardShare& share, const OperatorOptions& options, bool separate_weight)
{
    const operators::Layer layer{model, share, options, {}};
    Operator output{"output"};
    const std::int64_t rows = share.vocabulary / share.tensor;
    if (separate_weight) {
        Weight weight = operators::linear("output.weight", rows, model.hidden_size);
        weight.output = true;
        output.weights = {weight};
    }
    output.products = {operators::product(layer.tokens, layer.hidden, static_cast<double>(rows))};
    output.products.front().wide = true;
    operators::entersTensorParallel(layer, output);
    operators::addLogitsGradient(layer, output);
    operators::addAdapter(layer, AdapterTarget::LmHead, layer.tokens,
        operators::linear("output.weight", rows, model.hidden_size), "(w + 1) T h", output);
    // Cross-entropy reads the logits and writes their gradient: about 6 bytes per logit.
    output.moved = roundToBytes(6.0 * layer.tokens * static_cast<double>(rows));
    // The output layer multiplies in 16 bits; if it is frozen, it keeps nothing for itself.
    const bool keeps_input =
        !options.adapter || (options.adapter->adapts(AdapterTarget::LmHead) && options.adapter->dropout <= 0.0);
    std::vector<Operator> result;
    operators::addHyperHead(layer, result);
    result.push_back(operators::norm(layer, "final_norm", {keeps_input, true, !options.output_layer_at_once}));
    result.push_back(std::move(output));
    return result;
}

std::vector<Operator> predictionOperators(
    const Architecture& model, const CardShare& share, const OperatorOptions& options)
{
    const operators::Layer layer{model, share, options, {}};
    std::vector<Operator> result = {
        operators::norm(layer, "embedding_norm", {}), operators::norm(layer, "hidden_norm", {})};

    Operator join{"join"};
    join.weights = {operators::linear("join.weight", layer.perTensor(model.hidden_size), 2 * model.hidden_size)};
    const double joined = 2.0 * layer.tokens * layer.hidden;
    join.saved = {operators::saved("prediction.joined", "2 i T h / u", layer.stored_input * joined / layer.residual)};
    join.saved.back().for_weight = layer.hasWeightHalf() && !layer.gathersInputs();
    operators::addGatheredInput(layer, "join.gathered_input", "2 i T h", joined, join);
    operators::addOutputGradient(
        layer, "join.output_gradient", "g_o T h / t", layer.tokens * layer.hidden / layer.tensor, join);
    join.products = {operators::product(layer.tokens, 2.0 * layer.hidden, layer.hidden / layer.tensor)};
    result.push_back(std::move(join));

    for (const LayerKind kind : predictionKinds(model)) {
        for (Operator& step : layerOperators(model, share, options, kind))
            result.push_back(std::move(step));
    }
    operators::addHyperHead(layer, result);
    result.push_back(
        operators::norm(layer, "prediction_norm", {!options.adapter, true, !options.output_layer_at_once}));
    // The output layer's work is counted with the head; each depth gives it a gradient of its own.
    Operator output{"output"};
    operators::addLogitsGradient(layer, output);
    result.push_back(std::move(output));
    return result;
}

OperatorTables operatorTables(
    const Architecture& model, const CardShare& share, const OperatorOptions& options, bool separate_weight)
{
    OperatorTables tables;
    for (const auto [kind, count] : layerKinds(model))
        tables.layers.add(kind, layerOperators(model, share, options, kind));
    tables.embedding = embeddingOperators(model, share, options);
    tables.vision = visionOperators(model, share, options);
    tables.head = headOperators(model, share, options, separate_weight);
    if (model.mtp_layers > 0) tables.prediction = predictionOperators(model, share, options);
    return tables;
}

Bytes savedBytes(const std::vector<Operator>& operators, RecomputeSet dropped)
{
    Bytes kept;
    for (const Operator& step : operators) {
        for (const SavedTensor& tensor : step.saved) {
            if (!intersects(tensor.dropped_by, dropped)) kept += tensor.bytes;
        }
    }
    return kept;
}

namespace {

/// The whole model on one card.
OperatorTables wholeModel(const Architecture& model, const OperatorOptions& options)
{
    CardShare share;
    share.vocabulary = model.vocab_size;
    return operatorTables(model, share, options, !model.tie_word_embeddings);
}

} // namespace

static std::int64_t parameterCount(const Architecture& model, const OperatorTables& tables)
{
    std::int64_t sum = countElements(tables.embedding).total() + countElements(tables.vision).total()
        + countElements(tables.head).total() + predictionWeights(model) * countElements(tables.prediction).total();
    for (const auto [kind, count] : layerKinds(model))
        sum += count * countElements(tables.layers.of(kind)).total();
    return sum;
}

std::int64_t parameterCount(const Architecture& model) { return parameterCount(model, wholeModel(model, {})); }

std::int64_t activeParameterCount(const Architecture& model)
{
    const OperatorTables tables = wholeModel(model, {});
    const std::int64_t total = parameterCount(model, tables);
    const auto has_experts = [](LayerKind kind) { return kind.experts(); };
    const LayerKinds kinds = layerKinds(model);
    std::int64_t layers = kinds.count(has_experts);
    if (layers == 0) return total;
    layers += predictionWeights(model) * std::ranges::count_if(predictionKinds(model), has_experts);
    const auto& moe = *model.moe;
    std::int64_t routed = 0;
    for (const auto& [kind, operators] : tables.layers) {
        if (kind.experts()) routed = countElements(operators).expert;
    }
    return total - layers * (routed - routed / moe.num_experts * moe.num_experts_per_tok);
}

std::int64_t visionParameterCount(const Architecture& model)
{
    return countElements(visionOperators(model, {}, {})).total();
}

std::int64_t adapterParameterCount(const Architecture& model, const Adapter& adapter)
{
    OperatorOptions options;
    options.adapter = adapter;
    const OperatorTables tables = wholeModel(model, options);
    std::int64_t sum = countElements(tables.head).adapter;
    for (const auto [kind, count] : layerKinds(model))
        sum += count * countElements(tables.layers.of(kind)).adapter;
    return sum;
}

} // namespace cardfit
