// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/operators.h"

#include "core/model/operator_layer.h"

namespace cardfit {

namespace operators {

Weight normWeight(const Architecture& model, std::string_view id, std::int64_t size)
{
    return {id, model.norm == Norm::LayerNorm ? 2 * size : size};
}

Operator norm(const Layer& layer, std::string_view id, bool keeps_output, bool as_is)
{
    Operator result{id};
    result.weights = {normWeight(layer.model, "norm.weight", layer.model.hidden_size)};
    const double values = layer.tokens * layer.hidden / layer.residual;
    if (layer.options.fused_norm) {
        result.saved.push_back(saved("norm.input", "w T h / u", layer.element * values));
    } else {
        result.saved.push_back(saved("norm.input", "4 T h / u", kFloat * values));
        result.saved.push_back(saved("norm.normalized", "w T h / u", layer.element * values));
    }
    if (keeps_output) {
        const bool quantized = layer.quantizesInputs() && !as_is;
        result.saved.push_back(saved("norm.output", quantized ? "i T h / u" : "w T h / u",
            (quantized ? layer.stored_input : layer.element) * values, RecomputeSet::LayerNorm));
    }
    result.saved.push_back(saved("norm.statistics", "n T / u", layer.statistics()));
    result.moved = roundToBytes(3.0 * layer.stream());
    return result;
}

void addDropout(const Layer& layer, Operator& to)
{
    if (layer.options.hidden_dropout <= 0.0) return;
    to.saved.push_back(saved("dropout.mask", "T h / u", kMask * layer.tokens * layer.hidden / layer.residual));
}

void addAdapter(const Layer& layer, AdapterTarget target, double rows, const Weight& beside, Operator& to)
{
    if (!layer.options.adapter || !layer.options.adapter->adapts(target)) return;
    const std::int64_t rank = layer.options.adapter->rank;
    Weight adapter{"adapter.weight", rank, beside.rows + beside.columns, beside.copies};
    adapter.adapter = true;
    to.weights.push_back(adapter);
    const bool expert = beside.expert;
    // Latent attention projects down and up where the sequence is divided.
    const std::string_view dense = rows < layer.tokens ? "w T r / u" : "w T r";
    to.saved.push_back(saved(expert ? "adapter.expert_latent" : "adapter.latent", expert ? "w R r" : dense,
        layer.element * rows * static_cast<double>(rank)));
}

} // namespace operators

double CardShare::tokens() const { return static_cast<double>(sequence / context * micro_batch); }

double CardShare::residual() const { return sequence_parallel ? static_cast<double>(tensor) : 1.0; }

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
    const Architecture& model, const CardShare& share, const OperatorOptions& options, bool experts)
{
    const operators::Layer layer{model, share, options};
    std::vector<Operator> result;
    result.reserve(14);
    result.push_back(operators::norm(layer, "input_norm", layer.keepsInput(AdapterTarget::LinearQkv), false));
    operators::addAttention(layer, result);
    // The router reads the norm's output as it is, and keeps it for the gradient of its weight.
    const bool keeps_output = layer.keepsInput(AdapterTarget::LinearFc1);
    result.push_back(operators::norm(layer, "mlp_norm", keeps_output, experts));
    if (experts)
        operators::addExperts(layer, result);
    else
        operators::addDenseMlp(layer, result);
    operators::addDropout(layer, result.back());
    return result;
}

std::vector<Operator> embeddingOperators(
    const Architecture& model, const CardShare& share, const OperatorOptions& options)
{
    const operators::Layer layer{model, share, options};
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
    return {embedding};
}

std::vector<Operator> headOperators(
    const Architecture& model, const CardShare& share, const OperatorOptions& options, bool separate_weight)
{
    const operators::Layer layer{model, share, options};
    Operator output{"output"};
    const std::int64_t rows = share.vocabulary / share.tensor;
    if (separate_weight) {
        Weight weight = operators::linear("output.weight", rows, model.hidden_size);
        weight.output = true;
        output.weights = {weight};
    }
    output.forward = operators::product(layer.tokens, layer.hidden, static_cast<double>(rows));
    // Cross-entropy reads the logits and writes their gradient: about 6 bytes per logit.
    output.moved = roundToBytes(6.0 * layer.tokens * static_cast<double>(rows));
    // The output layer multiplies in 16 bits and, where it is frozen, keeps nothing for itself.
    return {operators::norm(layer, "final_norm", !options.adapter, true), output};
}

std::vector<Operator> predictionOperators(
    const Architecture& model, const CardShare& share, const OperatorOptions& options, bool experts)
{
    const operators::Layer layer{model, share, options};
    std::vector<Operator> result = {
        operators::norm(layer, "embedding_norm", false, true), operators::norm(layer, "hidden_norm", false, true)};

    Operator join{"join"};
    join.weights = {operators::linear("join.weight", layer.perTensor(model.hidden_size), 2 * model.hidden_size)};
    join.saved = {operators::saved(
        "prediction.joined", "2 i T h / u", 2.0 * layer.stored_input * layer.tokens * layer.hidden / layer.residual)};
    join.forward = operators::product(layer.tokens, 2.0 * layer.hidden, layer.hidden / layer.tensor);
    result.push_back(join);

    for (Operator& step : layerOperators(model, share, options, experts))
        result.push_back(std::move(step));
    result.push_back(operators::norm(layer, "prediction_norm", !options.adapter, true));
    return result;
}

} // namespace cardfit
