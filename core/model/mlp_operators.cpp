// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <utility>

#include "core/model/operator_layer.h"

namespace cardfit::operators {

namespace {

/// Whether the experts clamp both inputs of their activation, a quick GELU, as gpt-oss does (swiglu_limit and
/// swiglu_alpha in its config.json, arXiv:2508.10925). It is told by its shape: no other published model has gated
/// experts with biases beside attention with a window.
bool clampsExperts(const Architecture& model)
{
    return model.moe && model.gated_mlp && model.mlp_bias && model.sliding_window;
}

/// Names of one MLP's operators, weights and tensors, and the formulas of what it keeps.
struct MlpNames {
    std::string_view up, activation, down;
    std::string_view up_weight, up_bias, down_weight, down_bias;
    std::string_view up_output, gate_activation, activation_output;
    std::string_view up_formula, formula, quantized_formula;
    std::string_view up_gradient, up_gradient_formula, down_gradient, down_gradient_formula;
    std::string_view up_dropped, down_dropped; ///< formulas of what an adapter's dropout keeps
};

constexpr MlpNames kDenseNames{"mlp.up", "mlp.activation", "mlp.down", "mlp.up.weight", "mlp.up.bias",
    "mlp.down.weight", "mlp.down.bias", "mlp.up_output", "mlp.gate_activation", "mlp.activation_output", "w g T f / t",
    "w T f / t", "i T f / t", "mlp.up.output_gradient", "g_o g T f / t", "mlp.down.output_gradient", "g_o T h",
    "(w + 1) T h", "(w + 1) T f / t"};
constexpr MlpNames kSharedNames{"shared.up", "shared.activation", "shared.down", "shared.up.weight", "shared.up.bias",
    "shared.down.weight", "shared.down.bias", "shared.up_output", "shared.gate_activation", "shared.activation_output",
    "w g T f_s / t", "w T f_s / t", "i T f_s / t", "shared.up.output_gradient", "g_o g T f_s / t",
    "shared.down.output_gradient", "g_o T h", "(w + 1) T h", "(w + 1) T f_s / t"};
constexpr MlpNames kExpertNames{"experts.up", "experts.activation", "experts.down", "experts.up.weight",
    "experts.up.bias", "experts.down.weight", "experts.down.bias", "experts.up_output", "experts.gate_activation",
    "experts.activation_output", "w g R f_e / t_e", "w R f_e / t_e", "i R f_e / t_e", "experts.up.output_gradient",
    "g_o g R f_e / t_e", "experts.down.output_gradient", "g_o R h", "(w + 1) R h", "(w + 1) R f_e / t_e"};

struct MlpSize {
    double rows = 0.0; ///< tokens that enter its products on this card
    std::int64_t features = 0; ///< of a token at the input and the output
    std::int64_t width = 0; ///< intermediate features on this card
    std::int64_t copies = 1; ///< experts on this card; rows are shared among them
    bool expert = false;
    RecomputeSet input_dropped_by = RecomputeSet::None; ///< modules that drop the activation function's input
    RecomputeSet output_dropped_by = RecomputeSet::None; ///< modules that drop its output
    RecomputeSet run_again_by = RecomputeSet::None; ///< modules that run the products again
};

void addMlp(const Layer& layer, const MlpSize& size, const MlpNames& names, std::vector<Operator>& operators)
{
    const auto& model = layer.model;
    const auto parts = static_cast<std::int64_t>(layer.mlpParts());
    const auto width = static_cast<double>(size.width);
    const double values = size.rows * width;
    const auto sized = [&](Weight weight) {
        weight.copies = size.copies;
        weight.expert = size.expert;
        return weight;
    };

    Operator up{names.up};
    const Weight up_weight = sized(linear(names.up_weight, parts * size.width, size.features));
    up.weights = {up_weight};
    if (model.mlp_bias) up.weights.push_back(sized({names.up_bias, parts * size.width}));
    addOutputGradient(layer, names.up_gradient, names.up_gradient_formula, layer.mlpParts() * values, up);
    addAdapter(layer, AdapterTarget::LinearFc1, size.rows, up_weight, names.up_dropped, up);
    if (layer.options.adapter && !layer.options.adapter->adapts(AdapterTarget::LinearFc1)) {
        const Weight half = sized(linear(names.up_weight, size.width, size.features));
        if (model.gated_mlp) addAdapter(layer, AdapterTarget::GateProj, size.rows, half, names.up_dropped, up);
        addAdapter(layer, AdapterTarget::UpProj, size.rows, half, names.up_dropped, up);
    }
    const auto multiplied = [&](double in, double out) {
        MatrixProduct product = operators::product(size.rows / static_cast<double>(size.copies), in, out);
        product.copies = static_cast<double>(size.copies);
        product.expert = size.expert;
        product.run_again_by = size.run_again_by;
        return product;
    };
    const auto features = static_cast<double>(size.features);
    up.products = {multiplied(features, layer.mlpParts() * width)};
    operators.push_back(std::move(up));

    Operator activation{names.activation};
    const bool narrowed = layer.options.activation_input < layer.element;
    constexpr std::size_t kFactor = 2; // "w " of the formula
    activation.saved = {saved(names.up_output, narrowed ? names.up_formula.substr(kFactor) : names.up_formula,
        layer.options.activation_input * layer.mlpParts() * values, size.input_dropped_by)};
    if (model.gated_mlp && !layer.options.fused_activation) {
        activation.saved.push_back(
            saved(names.gate_activation, names.formula, layer.element * values, size.input_dropped_by));
    }
    // The router's probabilities scale an expert's activations. Megatron-Core fuses that into gated activations and the
    // squared ReLU; otherwise the product keeps its unscaled factor (experts.py, bias_act_func).
    const bool scales = layer.options.fused_activation && (model.gated_mlp || model.hidden_act == "relu2");
    if (size.expert && !scales) {
        activation.saved.push_back(
            saved("experts.unweighted_output", names.formula, layer.element * values, size.output_dropped_by));
    }
    double passes = layer.mlpParts() + 1.0;
    if (size.expert && layer.options.clamps_apart && clampsExperts(model)) {
        // Each half is clamped, and the two are concatenated (Megatron-Core, fusions/fused_bias_geglu.py,
        // weighted_bias_quick_geglu_impl). The clamps keep their inputs, the activation what it gets from them.
        activation.saved.push_back(saved("experts.clamped", names.up_formula, layer.element * layer.mlpParts() * values,
            size.input_dropped_by | size.output_dropped_by));
        const Constants& constants = layer.options.constants;
        const double forward = constants[Constant::ClampsForward];
        const double backward = constants[Constant::ClampsBackward];
        activation.backward_traffic = (activation.backward_traffic * passes + backward) / (passes + forward);
        passes += forward;
    }
    activation.moved = roundToBytes(layer.element * values * passes);
    activation.run_again_by = size.run_again_by | size.output_dropped_by;
    operators.push_back(std::move(activation));

    Operator down{names.down};
    const Weight down_weight = sized(linear(names.down_weight, size.features, size.width));
    down.weights = {down_weight};
    if (model.mlp_bias) down.weights.push_back(sized({names.down_bias, size.features}));
    if (layer.keepsInput(AdapterTarget::LinearFc2)) {
        down.saved.push_back(productInput(layer, names.activation_output,
            layer.quantizesInputs() ? names.quantized_formula : names.formula, layer.stored_input * values,
            size.output_dropped_by));
    }
    addOutputGradient(layer, names.down_gradient,
        size.expert && layer.latentExperts() ? "g_o R h_l" : names.down_gradient_formula, size.rows * features, down);
    addAdapter(layer, AdapterTarget::LinearFc2, size.rows, down_weight, names.down_dropped, down);
    down.products = {multiplied(width, features)};
    operators.push_back(std::move(down));
}

/// Tokens are sent to their experts and back. An all-gather sends every token to every rank instead, and sums what they
/// return (Megatron-LM, core/transformer/moe/token_dispatcher.py).
void addExpertExchange(const Layer& layer, double rows, Operator& dispatch)
{
    const auto experts_on = static_cast<double>(layer.share.expert);
    const double bytes_per_row = layer.element * static_cast<double>(layer.expertFeatures());
    const double sent = rows / static_cast<double>(layer.share.expert_tensor);
    if (layer.share.expert > 1 && layer.options.experts_gathered) {
        const Bytes tokens =
            roundToBytes(experts_on * layer.stream() * static_cast<double>(layer.expertFeatures()) / layer.hidden);
        for (auto* sends : {&dispatch.forward_sends, &dispatch.backward_sends}) {
            sends->push_back({Collective::AllGather, RankSet::Expert, tokens});
            sends->push_back({Collective::ReduceScatter, RankSet::Expert, tokens});
        }
    } else if (layer.share.expert > 1) {
        const Communication exchange{Collective::AllToAll, RankSet::Expert, roundToBytes(bytes_per_row * sent)};
        for (auto* sends : {&dispatch.forward_sends, &dispatch.backward_sends})
            sends->insert(sends->end(), 2, exchange);
        // HybridEP gathers all ranks' routing maps, a byte per token and expert, before it sends anything
        // (deepseek-ai/DeepEP, branch hybrid-ep, csrc/hybrid_ep/executor/executor.cu, allgather_routing_map).
        if (layer.options.routing_gathered) {
            const double tokens = experts_on * layer.tokens / layer.residual;
            dispatch.forward_sends.push_back({Collective::AllGather, RankSet::Expert,
                roundToBytes(kMask * tokens * static_cast<double>(layer.model.moe->num_experts))});
        }
    }
    if (layer.share.expert_tensor > 1 && !layer.share.dividesExpertsOnly()) {
        const Bytes gathered = roundToBytes(bytes_per_row * rows);
        for (auto* sends : {&dispatch.forward_sends, &dispatch.backward_sends}) {
            sends->push_back({Collective::AllGather, RankSet::ExpertTensor, gathered});
            sends->push_back({Collective::ReduceScatter, RankSet::ExpertTensor, gathered});
        }
    }
}

/// Latent experts (NVIDIA Nemotron 3, arXiv:2512.20856): tokens are projected down before they go to their experts, and
/// what comes back is summed before it is projected up again. Both products are on every tensor rank, over its own
/// tokens (Megatron-LM, core/transformer/moe/moe_layer.py, fc1_latent_proj and fc2_latent_proj). The one down reads the
/// norm's output, which the router keeps; the one up keeps its own input.
Operator latentProjection(const Layer& layer, std::string_view id, std::string_view weight)
{
    const bool down = id == "latent_down";
    const std::int64_t latent = layer.model.moe->moe_latent_size;
    const double rows = layer.tokens / layer.residual;
    const auto width = static_cast<double>(latent);
    Operator projection{id};
    projection.weights = {
        down ? linear(weight, latent, layer.model.hidden_size) : linear(weight, layer.model.hidden_size, latent)};
    if (!down && layer.keepsFrozenInput()) {
        projection.saved = {productInput(
            layer, "latent_up.input", "i T h_l / u", layer.stored_input * rows * width, RecomputeSet::Moe)};
    }
    addOutputGradient(layer, down ? "latent_down.output_gradient" : "latent_up.output_gradient",
        down ? "g_o T h_l / u" : "g_o T h / u", rows * (down ? width : layer.hidden), projection);
    projection.products = {down ? product(rows, layer.hidden, width) : product(rows, width, layer.hidden)};
    projection.products.front().run_again_by = RecomputeSet::Moe;
    return projection;
}

} // namespace

void addDenseMlp(const Layer& layer, std::vector<Operator>& operators)
{
    MlpSize dense{layer.tokens, layer.model.hidden_size, layer.perTensor(layer.model.intermediate_size)};
    dense.input_dropped_by = dense.output_dropped_by = dense.run_again_by = RecomputeSet::Mlp;
    const std::size_t first = operators.size();
    addMlp(layer, dense, kDenseNames, operators);
    entersTensorParallel(layer, operators[first]);
    leavesTensorParallel(layer, operators.back());
    addGatheredInput(layer, "mlp.up.gathered_input", "i T h", layer.tokens * layer.hidden, operators[first]);
}

void addExperts(const Layer& layer, std::vector<Operator>& operators)
{
    const auto& moe = *layer.model.moe;
    const double rows = expertRows(moe, layer.share);
    const double experts = static_cast<double>(moe.num_experts);

    Operator router{"router"};
    router.weights = {{"router.weight", moe.num_experts, layer.model.hidden_size}};
    const double scores = layer.options.constants[Constant::RouterBytes] * layer.tokens * experts / layer.residual;
    router.saved = {saved("router.scores", "13.6 T E / u", scores, RecomputeSet::Moe)};
    router.products = {product(layer.tokens / layer.residual, layer.hidden, experts)};
    router.products.front().wide = true;
    router.products.front().run_again_by = router.run_again_by = RecomputeSet::Moe;
    router.moved = roundToBytes(scores);
    operators.push_back(std::move(router));

    if (layer.latentExperts()) operators.push_back(latentProjection(layer, "latent_down", "latent_down.weight"));
    const auto features = static_cast<double>(layer.expertFeatures());
    Operator dispatch{"dispatch"};
    if (layer.keepsInput(AdapterTarget::LinearFc1)) {
        dispatch.saved.push_back(productInput(layer, "experts.input", layer.latentExperts() ? "i R h_l" : "i R h",
            layer.stored_input * rows * features, RecomputeSet::Moe));
    }
    dispatch.saved.push_back(saved("experts.probabilities", "4 R", kFloat * rows, RecomputeSet::Moe));
    // Rows are permuted and sorted by the experts of this card, and both are undone: a row is written or read six
    // times, not counting what crosses the links, or four times where the exchange sorts them (Megatron-LM,
    // core/transformer/moe/token_dispatcher.py). Their gradients take the same way back.
    const double passes = layer.options.permuted_on_arrival ? 4.0 : 6.0;
    dispatch.moved = roundToBytes(passes * layer.element * rows * features);
    dispatch.backward_traffic = 1.0;
    dispatch.run_again_by = RecomputeSet::Moe;
    addExpertExchange(layer, rows, dispatch);
    operators.push_back(std::move(dispatch));

    MlpSize routed{rows, layer.expertFeatures(), moe.moe_intermediate_size / layer.share.expert_tensor,
        moe.num_experts / layer.share.expert, true, RecomputeSet::Moe, RecomputeSet::Moe | RecomputeSet::MoeActivation,
        RecomputeSet::Moe};
    const std::size_t first_routed = operators.size();
    addMlp(layer, routed, kExpertNames, operators);
    if (layer.share.dividesExpertsOnly()) {
        entersTensorParallel(layer, operators[first_routed]);
        leavesTensorParallel(layer, operators.back());
    }
    if (layer.latentExperts()) operators.push_back(latentProjection(layer, "latent_up", "latent_up.weight"));

    if (moe.shared_intermediate_size > 0) {
        MlpSize shared{layer.tokens, layer.model.hidden_size, layer.perTensor(moe.shared_intermediate_size)};
        shared.input_dropped_by = shared.output_dropped_by = shared.run_again_by =
            RecomputeSet::Moe | RecomputeSet::SharedExperts;
        const std::size_t first = operators.size();
        addMlp(layer, shared, kSharedNames, operators);
        entersTensorParallel(layer, operators[first]);
        leavesTensorParallel(layer, operators.back());
        if (moe.shared_expert_gate) {
            operators.back().weights.push_back({"shared.gate.weight", 1, layer.model.hidden_size});
            operators.back().saved.push_back(saved("shared.output", "w T h / u", layer.stream()));
        }
        // Their input is the norm's output, which the router keeps; if it is quantized, it may be a separate tensor
        // (Megatron-LM, shared_experts.py, set_save_original_input, for every recipe but delayed scaling).
        if (layer.quantizesInputs() && layer.options.quantized_apart) {
            operators[first].saved.push_back(saved("shared.input", "i T h / u",
                layer.stored_input * layer.tokens * layer.hidden / layer.residual, shared.input_dropped_by));
            operators[first].saved.back().for_weight = layer.hasWeightHalf() && !layer.gathersInputs();
        }
        addGatheredInput(layer, "shared.up.gathered_input", "i T h", layer.tokens * layer.hidden, operators[first]);
    }
}

} // namespace cardfit::operators

namespace cardfit {

double expertRows(const MixtureOfExperts& moe, const CardShare& share)
{
    const double tokens = share.tokens() / share.sent();
    double rows = tokens * static_cast<double>(moe.num_experts_per_tok);
    if (moe.capacity_factor) {
        const auto experts = static_cast<double>(moe.num_experts);
        rows = std::ceil(std::floor(rows * *moe.capacity_factor) / experts) * experts;
    }
    return rows * moe.imbalance * static_cast<double>(share.expert_tensor);
}

} // namespace cardfit
