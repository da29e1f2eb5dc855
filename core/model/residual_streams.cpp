// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/operator_layer.h"

#include <utility>

/// Hyper-connections (manifold-constrained, arXiv:2512.24880): the residual stream is hc_mult streams wide. Before
/// attention, and before the MLP, a small fp32 product of all streams, normed, gives the weights by which they are
/// summed into the input, by which the output is added to each of them, and by which they are mixed. Sources:
/// transformers, models/deepseek_v4/modeling_deepseek_v4.py; Megatron-LM, core/transformer/hyper_connection.py.
namespace cardfit::operators {

namespace {

Operator mapping(const Layer& layer, std::string_view id, std::int64_t outputs, std::int64_t scales)
{
    const std::int64_t streams = layer.model.hc_mult;
    Operator connection{id};
    connection.weights = {
        {"hyper.weight", outputs, streams * layer.model.hidden_size}, {"hyper.bias", outputs}, {"hyper.scale", scales}};
    const double rows = layer.tokens / layer.residual;
    connection.products = {product(rows, static_cast<double>(streams) * layer.hidden, static_cast<double>(outputs))};
    connection.products.back().wide = true;
    // In addition to the streams, one stream into attention or the MLP and one out of it.
    const double passes = layer.options.constants[Constant::StreamPasses];
    connection.moved = roundToBytes((passes * static_cast<double>(streams) + 2.0) * layer.stream());
    return connection;
}

} // namespace

void addHyperConnection(const Layer& layer, std::vector<Operator>& operators)
{
    const std::int64_t streams = layer.model.hc_mult;
    if (streams <= 1) return;
    const std::int64_t outputs = streams * (streams + 2);
    Operator connection = mapping(layer, "hyper_connection", outputs, 3);
    constexpr RecomputeSet kDropped = RecomputeSet::HyperConnections;
    connection.saved = {
        saved("hyper.streams", "n_h w T h / u", static_cast<double>(streams) * layer.stream(), kDropped),
        saved("hyper.mapping", "8 T n_h (n_h + 2) / u",
            2.0 * kFloat * layer.tokens * static_cast<double>(outputs) / layer.residual, kDropped),
        saved("hyper.output", "w T h / u", layer.stream())};
    connection.run_again_by = kDropped;
    operators.push_back(std::move(connection));
}

void addHyperHead(const Layer& layer, std::vector<Operator>& operators)
{
    const std::int64_t streams = layer.model.hc_mult;
    if (streams <= 1) return;
    Operator head = mapping(layer, "hyper_head", streams, 1);
    head.saved = {saved("hyper.streams", "n_h w T h / u", static_cast<double>(streams) * layer.stream()),
        saved("hyper.head_mapping", "4 T n_h / u",
            kFloat * layer.tokens * static_cast<double>(streams) / layer.residual)};
    operators.push_back(std::move(head));
}

} // namespace cardfit::operators
