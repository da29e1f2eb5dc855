// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/operator_layer.h"

#include <utility>

namespace cardfit::operators {

namespace {

// check() refuses a plan that does not give the sizes of its layers; until then the usual sizes are used.

/// Tokens that a chunked kernel works on at once: flash-linear-attention's chunk_gated_delta_rule and chunk_kda, and
/// Mamba-2's mamba_split_conv1d_scan_combined as Megatron-LM calls it (core/ssm/mamba_mixer.py).
constexpr double kDeltaChunk = 64.0;
constexpr double kMambaChunk = 128.0;

/// Names and formulas of one kind of recurrent layer. Each kind projects its input, shifts and mixes the sequence, and
/// projects the result back to the residual stream.
struct RecurrentNames {
    std::string_view projection, projection_weight, projection_gradient, projection_gradient_formula, gathered_input;
    std::string_view mixing;
    std::string_view output, output_weight, output_input, output_formula, output_gradient;
};
constexpr RecurrentNames kDeltaNames{"delta.in", "delta.in.weight", "delta.in.output_gradient",
    "g_o T (2 H_k D_k + 2 H_v D_v + 2 H_v) / t", "delta.in.gathered_input", "delta.rule", "delta.out",
    "delta.out.weight", "delta.out.input", "i T H_v D_v / t", "delta.out.output_gradient"};
constexpr RecurrentNames kKimiNames{"delta.in", "delta.in.weight", "delta.in.output_gradient",
    "g_o T (2 H_k D_k + H_v D_v + H_v) / t", "delta.in.gathered_input", "delta.rule", "delta.out", "delta.out.weight",
    "delta.out.input", "i T H_v D_v / t", "delta.out.output_gradient"};
constexpr RecurrentNames kMambaNames{"mamba.in", "mamba.in.weight", "mamba.in.output_gradient",
    "g_o T (2 H_m D_m + 2 G_m S_m + H_m) / t", "mamba.in.gathered_input", "mamba.scan", "mamba.out", "mamba.out.weight",
    "mamba.out.input", "i T H_m D_m / t", "mamba.out.output_gradient"};
constexpr RecurrentNames kConvolutionNames{"convolution.in", "convolution.in.weight", "convolution.in.output_gradient",
    "3 g_o T h / t", "convolution.in.gathered_input", "convolution.mix", "convolution.out", "convolution.out.weight",
    "convolution.out.input", "i T h / t", "convolution.out.output_gradient"};

/// The product into a recurrent layer: `features` on all tensor ranks together, its weight divided by columns.
Operator projectionIn(const Layer& layer, const RecurrentNames& names, std::int64_t features)
{
    Operator in{names.projection};
    const std::int64_t rows = layer.perTensor(features);
    in.weights = {linear(names.projection_weight, rows, layer.model.hidden_size)};
    addGatheredInput(layer, names.gathered_input, "i T h", layer.tokens * layer.hidden, in);
    addOutputGradient(
        layer, names.projection_gradient, names.projection_gradient_formula, layer.tokens * number(rows), in);
    in.products = {product(layer.tokens, layer.hidden, number(rows))};
    entersTensorParallel(layer, in);
    return in;
}

/// The product out of a recurrent layer, of `features` values per token, which it keeps as its input.
Operator projectionOut(const Layer& layer, const RecurrentNames& names, std::int64_t features)
{
    Operator out{names.output};
    const std::int64_t columns = layer.perTensor(features);
    out.weights = {linear(names.output_weight, layer.model.hidden_size, columns)};
    if (layer.keepsFrozenInput()) {
        out.saved = {productInput(
            layer, names.output_input, names.output_formula, layer.stored_input * layer.tokens * number(columns))};
    }
    addOutputGradient(layer, names.output_gradient, "g_o T h", layer.tokens * layer.hidden, out);
    out.products = {product(layer.tokens, number(columns), layer.hidden)};
    out.moved = roundToBytes(3.0 * layer.stream());
    leavesTensorParallel(layer, out);
    return out;
}

/// A recurrence runs through the whole sequence, so context ranks exchange tokens for heads before it and back after
/// it, however attention communicates (Megatron-LM, core/ssm/mamba_context_parallel.py; gated_delta_net, a2a_cp_to_hp).
void exchangeHeads(const Layer& layer, double projected, double made, Operator& mixing)
{
    if (layer.share.context == 1) return;
    const Communication exchange{
        Collective::AllToAll, RankSet::Context, roundToBytes(layer.element * layer.tokens * (projected + made))};
    mixing.forward_sends.push_back(exchange);
    mixing.backward_sends.push_back(exchange);
}

/// Work of a delta rule: a convolution over `channels` values, and kernels that write and read their inputs and outputs
/// (`values`) and, once a chunk, the state. Products per head and token in chunks of C tokens, by
/// flash-linear-attention's kernels: the keys' triangle, and its products with keys and values; the state's products
/// with keys and queries, and its update; queries times keys times values. Together 6 C D_k + 4 C D_v + 6 D_k D_v. The
/// backward pass recomputes the state (fla/ops/gated_delta_rule/chunk.py).
ScanWork deltaWork(const Layer& layer, const LinearAttention& sizes, double heads, double channels, double values)
{
    const double backward = layer.options.constants[Constant::DeltaBackwardWork];
    const double key = number(sizes.linear_key_head_dim);
    const double value = number(sizes.linear_value_head_dim);
    const double convolution = 2.0 * number(sizes.linear_conv_kernel_dim) * channels;
    const double products = heads * (kDeltaChunk * (6.0 * key + 4.0 * value) + 6.0 * key * value);
    const double moved = 2.0 * layer.element * channels + layer.element * values
        + (2.0 * layer.element + kFloat) * heads * key * value / kDeltaChunk;
    ScanWork work;
    work.useful = Flops(layer.tokens * (convolution + 8.0 * heads * key * value));
    work.forward = Flops(layer.tokens * products);
    work.backward = backward * work.forward;
    work.forward_moved = roundToBytes(layer.tokens * moved);
    work.backward_moved = roundToBytes(backward * layer.tokens * moved);
    work.chain = number(layer.share.sequence) / kDeltaChunk;
    return work;
}

/// Work of Mamba-2 on a card with `values` inner features, `shared` features into the state and as many out of it, by
/// the kernels that MambaSplitConv1dScanCombinedFn launches (state-spaces/mamba, ops/triton).
///
/// Forward: the convolution; the products of the features out of and into the state, per group and chunk of Q tokens,
/// in fp32; the chunks' states, in fp32, and their sums; the scan, gated.
///
/// Backward: all of these again except the scan; the gradients of the gate, of the states, of x, of the features into
/// and out of the state, of the products, and of the decays, which multiplies the chunk's gradients and inputs once
/// more; the convolution.
///
/// Every kernel reads its inputs from memory again. A norm follows (Megatron-LM, core/ssm/mamba_mixer.py). Several
/// samples are transposed at the input and the output.
ScanWork mambaWork(const Layer& layer, const Mamba& sizes, double values, double shared, double projected)
{
    const double state = number(sizes.ssm_state_size);
    const double element = layer.element;
    const double convolved = values + 2.0 * shared;
    const double states = values * state / kMambaChunk; // a token's part of its chunk's states
    const double crossed = shared / state * kMambaChunk; // a token's row of its groups' products
    const double transposed = layer.share.micro_batch > 1 ? 2.0 * element * (projected + values) : 0.0;
    const double forward = element * (2.0 * convolved + 5.0 * values + 4.0 * shared + 2.0 * states)
        + kFloat * (2.0 * states + 2.0 * crossed) + 2.0 * element * values + transposed;
    const double backward = element * (5.0 * convolved + 16.0 * values + 8.0 * shared + 5.0 * states)
        + kFloat * (6.0 * states + 6.0 * crossed) + 3.0 * element * values + transposed;
    ScanWork work;
    work.useful = Flops(layer.tokens * 7.0 * values * state);
    work.forward = Flops(layer.tokens * (4.0 * values * state + kMambaChunk * (values + 2.0 * shared)));
    work.backward = Flops(layer.tokens * (10.0 * values * state + kMambaChunk * (3.0 * values + 6.0 * shared)));
    work.forward_moved = roundToBytes(layer.tokens * forward);
    work.backward_moved = roundToBytes(layer.tokens * backward);
    return work;
}

/// Gated delta net. FLOPs as Megatron-LM counts them (training/training.py, gdn_layer_flops). Megatron-LM's
/// core/ssm/gated_delta_net and flash-linear-attention's kernels keep: the projection, of which the convolution's input
/// is a view; normalized queries and keys, and their copies for the value heads; contiguous copies of values and gates;
/// the decays in fp32, the write strengths and the inverse of each chunk's triangle; the rule's output and its norm.
void addGatedDeltaNet(const Layer& layer, std::vector<Operator>& operators)
{
    const LinearAttention sizes = layer.model.linear_attention.value_or(LinearAttention());
    const std::int64_t keys = sizes.linear_num_key_heads * sizes.linear_key_head_dim;
    const std::int64_t values = sizes.linear_num_value_heads * sizes.linear_value_head_dim;
    const std::int64_t heads = layer.perTensor(sizes.linear_num_value_heads);
    const std::int64_t features = 2 * keys + 2 * values + 2 * sizes.linear_num_value_heads;
    operators.push_back(projectionIn(layer, kDeltaNames, features));

    const double channels = number(layer.perTensor(2 * keys + values));
    const double key = number(layer.perTensor(keys));
    const double value = number(layer.perTensor(values));
    const double spread = number(heads * sizes.linear_key_head_dim); // queries, or keys, copied for every value head
    Operator rule{kDeltaNames.mixing};
    rule.weights = {{"delta.convolution.weight", layer.perTensor(2 * keys + values), sizes.linear_conv_kernel_dim},
        {"delta.decay.weight", heads}, {"delta.dt_bias", heads}, {"delta.norm.weight", sizes.linear_value_head_dim}};
    const double tokens = layer.tokens;
    rule.saved = {saved("delta.projected", "w T (2 H_k D_k + 2 H_v D_v + 2 H_v) / t",
                      layer.element * tokens * number(layer.perTensor(features))),
        saved("delta.queries_keys", "2 w T (H_k + H_v) D_k / t", 2.0 * layer.element * tokens * (key + spread)),
        saved("delta.values_gate", "2 w T H_v D_v / t", 2.0 * layer.element * tokens * value),
        saved("delta.decay", "T H_v (65 w + 8) / t",
            tokens * number(heads) * ((kDeltaChunk + 1.0) * layer.element + 2.0 * kFloat)),
        saved("delta.output", "T H_v (2 w D_v + 4) / t",
            tokens * (2.0 * layer.element * value + kFloat * number(heads)))};
    rule.scan = deltaWork(
        layer, sizes, number(heads), channels, 4.0 * (key + spread) + 8.0 * value + 3.0 * kDeltaChunk * number(heads));
    exchangeHeads(layer, number(layer.perTensor(features)), value, rule);
    operators.push_back(std::move(rule));
    operators.push_back(projectionOut(layer, kDeltaNames, values));
}

/// Kimi delta attention: a delta rule whose decay differs per channel and comes, like the output's gate, from a
/// low-rank product. Queries, keys and values are each followed by a convolution. The projections down to the rank are
/// on every tensor rank. Source: flash-linear-attention, fla/layers/kda.py and fla/ops/kda; Kimi Linear,
/// arXiv:2510.26692.
void addKimiDelta(const Layer& layer, std::vector<Operator>& operators)
{
    const LinearAttention sizes = layer.model.linear_attention.value_or(LinearAttention());
    const std::int64_t keys = sizes.linear_num_key_heads * sizes.linear_key_head_dim;
    const std::int64_t values = sizes.linear_num_value_heads * sizes.linear_value_head_dim;
    const std::int64_t heads = layer.perTensor(sizes.linear_num_value_heads);
    const std::int64_t features = 2 * keys + values + sizes.linear_num_value_heads;
    operators.push_back(projectionIn(layer, kKimiNames, features));

    const std::int64_t rank = sizes.linear_value_head_dim;
    const double tokens = layer.tokens;
    const double value = number(layer.perTensor(values));
    const double key = number(layer.perTensor(keys));
    Operator gates{"delta.gates"};
    gates.weights = {linear("delta.gate_down.weight", 2 * rank, layer.model.hidden_size),
        linear("delta.gate_up.weight", layer.perTensor(keys + values), rank)};
    gates.saved = {saved("delta.gates", "w T (2 D_v + (H_k D_k + H_v D_v) / t)",
        layer.element * tokens * (2.0 * number(rank) + key + value))};
    gates.saved.back().for_weight = layer.hasWeightHalf();
    addOutputGradient(layer, "delta.gates.output_gradient", "g_o T (2 D_v + (H_k D_k + H_v D_v) / t)",
        tokens * (2.0 * number(rank) + key + value), gates);
    gates.products = {product(tokens, layer.hidden, 2.0 * number(rank)), product(tokens, number(rank), key + value)};
    operators.push_back(std::move(gates));

    const double channels = 2.0 * key + value;
    Operator rule{kKimiNames.mixing};
    rule.weights = {{"delta.convolution.weight", layer.perTensor(2 * keys + values), sizes.linear_conv_kernel_dim},
        {"delta.decay.weight", heads}, {"delta.dt_bias", layer.perTensor(keys)},
        {"delta.norm.weight", sizes.linear_value_head_dim}};
    rule.saved = {saved("delta.projected", "w T (2 H_k D_k + H_v D_v + H_v) / t",
                      layer.element * tokens * (channels + number(heads))),
        saved("delta.queries_keys", "2 w T H_k D_k / t", 2.0 * layer.element * tokens * key),
        saved("delta.values", "w T H_v D_v / t", layer.element * tokens * value),
        // The decays' running sum, and two triangles of each chunk.
        saved("delta.decay", "T (4 H_k D_k + 129 w H_v) / t",
            tokens * (kFloat * key + (2.0 * kDeltaChunk + 1.0) * layer.element * number(heads))),
        saved("delta.output", "T H_v (w D_v + 4) / t", tokens * (layer.element * value + kFloat * number(heads)))};
    rule.scan =
        deltaWork(layer, sizes, number(heads), channels, 8.0 * key + 6.0 * value + 6.0 * kDeltaChunk * number(heads));
    exchangeHeads(layer, channels + key + value + number(heads), value, rule);
    operators.push_back(std::move(rule));
    operators.push_back(projectionOut(layer, kKimiNames, values));
}

/// Mamba-2. FLOPs as Megatron-LM counts them (training/training.py, mamba_layer_flops). The memory-efficient kernel
/// keeps the projection and its output before the gate, and recomputes convolution and states. The norm after it keeps
/// the gated output (Megatron-LM, core/ssm/mamba_mixer.py; state-spaces/mamba, ops/triton/ssd_combined.py,
/// MambaSplitConv1dScanCombinedFn).
void addMamba(const Layer& layer, std::vector<Operator>& operators)
{
    const Mamba sizes = layer.model.mamba.value_or(Mamba());
    const std::int64_t inner = sizes.mamba_num_heads * sizes.mamba_head_dim;
    const std::int64_t shared = sizes.n_groups * sizes.ssm_state_size;
    const std::int64_t heads = layer.perTensor(sizes.mamba_num_heads);
    const std::int64_t features = 2 * inner + 2 * shared + sizes.mamba_num_heads;
    operators.push_back(projectionIn(layer, kMambaNames, features));

    const std::int64_t convolved = layer.perTensor(inner + 2 * shared);
    const double values = number(layer.perTensor(inner));
    const double tokens = layer.tokens;
    Operator scan{kMambaNames.mixing};
    scan.weights = {{"mamba.convolution.weight", convolved, sizes.conv_kernel}, {"mamba.convolution.bias", convolved},
        {"mamba.dt_bias", heads}, {"mamba.decay.weight", heads}, {"mamba.skip.weight", heads},
        {"mamba.norm.weight", layer.perTensor(inner)}};
    scan.saved = {saved("mamba.projected", "w T (2 H_m D_m + 2 G_m S_m + H_m) / t",
                      layer.element * tokens * number(layer.perTensor(features))),
        saved("mamba.scanned", "T (2 w H_m D_m + 4 G_m) / t",
            tokens * (2.0 * layer.element * values + kFloat * number(sizes.n_groups) / layer.tensor))};
    scan.scan = mambaWork(layer, sizes, values, number(layer.perTensor(shared)), number(layer.perTensor(features)));
    exchangeHeads(layer, number(layer.perTensor(features)), values, scan);
    operators.push_back(std::move(scan));
    operators.push_back(projectionOut(layer, kMambaNames, inner));
}

/// LFM2's double-gated short convolution: of the three parts of a projection, the product of two is convolved and
/// multiplied by the third (transformers, models/lfm2/modeling_lfm2.py, Lfm2ShortConv). Kept: the three parts, and the
/// input and output of the convolution.
void addShortConvolution(const Layer& layer, std::vector<Operator>& operators)
{
    const std::int64_t channels = layer.perTensor(layer.model.hidden_size);
    operators.push_back(projectionIn(layer, kConvolutionNames, 3 * layer.model.hidden_size));
    const double values = layer.tokens * number(channels);
    Operator mix{kConvolutionNames.mixing};
    mix.weights = {{"convolution.weight", channels, layer.model.conv_kernel}};
    mix.saved = {saved("convolution.parts", "3 w T h / t", 3.0 * layer.element * values),
        saved("convolution.mixed", "2 w T h / t", 2.0 * layer.element * values)};
    mix.scan.useful = Flops(2.0 * number(layer.model.conv_kernel) * values);
    mix.moved = roundToBytes(8.0 * layer.element * values);
    exchangeHeads(layer, 3.0 * number(channels), number(channels), mix);
    operators.push_back(std::move(mix));
    operators.push_back(projectionOut(layer, kConvolutionNames, layer.model.hidden_size));
}

} // namespace

void addRecurrence(const Layer& layer, std::vector<Operator>& operators)
{
    switch (layer.kind.mixer) {
    case TokenMixer::GatedDeltaNet: return addGatedDeltaNet(layer, operators);
    case TokenMixer::KimiDelta: return addKimiDelta(layer, operators);
    case TokenMixer::Mamba: return addMamba(layer, operators);
    case TokenMixer::ShortConvolution: return addShortConvolution(layer, operators);
    case TokenMixer::None:
    case TokenMixer::Attention:
    case TokenMixer::WindowedAttention:
    case TokenMixer::CompressedSparse:
    case TokenMixer::HeavilyCompressed: break;
    }
}

} // namespace cardfit::operators

namespace cardfit {

RecurrentState recurrentState(const Architecture& model, std::int64_t tensor, LayerKind kind)
{
    const auto per_card = [&](std::int64_t values) {
        return static_cast<double>(values) / static_cast<double>(tensor);
    };
    if (kind.mixer == TokenMixer::ShortConvolution) return {0.0, per_card(model.hidden_size * model.conv_kernel)};
    if (kind.mixer == TokenMixer::Mamba) {
        const Mamba sizes = model.mamba.value_or(Mamba());
        const std::int64_t inner = sizes.mamba_num_heads * sizes.mamba_head_dim;
        return {per_card(inner * sizes.ssm_state_size),
            per_card((inner + 2 * sizes.n_groups * sizes.ssm_state_size) * sizes.conv_kernel)};
    }
    if (!kind.recurrent()) return {};
    const LinearAttention sizes = model.linear_attention.value_or(LinearAttention());
    const std::int64_t keys = sizes.linear_num_key_heads * sizes.linear_key_head_dim;
    const std::int64_t values = sizes.linear_num_value_heads * sizes.linear_value_head_dim;
    return {per_card(values * sizes.linear_key_head_dim), per_card((2 * keys + values) * sizes.linear_conv_kernel_dim)};
}

std::int64_t projectedFeatures(const Architecture& model, LayerKind kind)
{
    if (kind.mixer == TokenMixer::ShortConvolution) return 3 * model.hidden_size;
    if (kind.mixer == TokenMixer::Mamba) {
        const Mamba sizes = model.mamba.value_or(Mamba());
        return 2 * sizes.mamba_num_heads * sizes.mamba_head_dim + 2 * sizes.n_groups * sizes.ssm_state_size
            + sizes.mamba_num_heads;
    }
    if (!kind.recurrent()) return 0;
    const LinearAttention sizes = model.linear_attention.value_or(LinearAttention());
    const std::int64_t keys = sizes.linear_num_key_heads * sizes.linear_key_head_dim;
    const std::int64_t values = sizes.linear_num_value_heads * sizes.linear_value_head_dim;
    return 2 * keys + 2 * values + 2 * sizes.linear_num_value_heads;
}

} // namespace cardfit
