// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/parameters.h"

#include "core/model/operators.h"

namespace cardfit {

namespace {

CardShare wholeModel(const Architecture& model)
{
    CardShare share;
    share.vocabulary = model.vocab_size;
    return share;
}

struct LayerCounts {
    std::int64_t dense = 0;
    std::int64_t experts = 0;
};

/// Layers with experts and without.
LayerCounts layerCounts(const Architecture& model)
{
    LayerCounts counts;
    for (std::int64_t layer = 0; layer < model.num_hidden_layers; ++layer) {
        ++(hasExperts(model, layer) ? counts.experts : counts.dense);
    }
    return counts;
}

} // namespace

std::int64_t parameterCount(const Architecture& model)
{
    const CardShare share = wholeModel(model);
    const OperatorOptions options;
    const LayerCounts counts = layerCounts(model);
    std::int64_t total = countElements(embeddingOperators(model, share, options)).total()
        + countElements(headOperators(model, share, options, !model.tie_word_embeddings)).total();
    if (counts.dense > 0) total += counts.dense * countElements(layerOperators(model, share, options, false)).total();
    if (counts.experts > 0)
        total += counts.experts * countElements(layerOperators(model, share, options, true)).total();
    if (model.mtp_layers > 0) {
        const bool experts = hasExperts(model, model.num_hidden_layers - 1);
        total += model.mtp_layers * countElements(predictionOperators(model, share, options, experts)).total();
    }
    return total;
}

std::int64_t activeParameterCount(const Architecture& model)
{
    const std::int64_t total = parameterCount(model);
    std::int64_t layers = layerCounts(model).experts;
    if (layers > 0 && hasExperts(model, model.num_hidden_layers - 1)) layers += model.mtp_layers;
    if (layers == 0) return total;
    const auto& moe = *model.moe;
    const std::int64_t routed = countElements(layerOperators(model, wholeModel(model), OperatorOptions{}, true)).expert;
    return total - layers * (routed - routed / moe.num_experts * moe.num_experts_per_tok);
}

std::int64_t adapterParameterCount(const Architecture& model, const Adapter& adapter)
{
    OperatorOptions options;
    options.adapter = adapter;
    const CardShare share = wholeModel(model);
    const LayerCounts counts = layerCounts(model);
    std::int64_t total = 0;
    if (counts.dense > 0) total += counts.dense * countElements(layerOperators(model, share, options, false)).adapter;
    if (counts.experts > 0)
        total += counts.experts * countElements(layerOperators(model, share, options, true)).adapter;
    return total;
}

} // namespace cardfit
