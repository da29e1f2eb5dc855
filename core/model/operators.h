// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/constants.h"
#include "core/base/units.h"
#include "core/model/architecture.h"
#include "core/model/work.h"

namespace cardfit {

/// How the framework's kernels treat one layer: the part of a recipe that determines what is computed and kept.
struct OperatorOptions {
    double element = 2.0; ///< bytes of an activation: 2 in bf16 and fp16, 4 in fp32
    double stored_input = 2.0; ///< bytes per value of its input that a layer's matrix product keeps: 1 in fp8
    double output_gradient = 2.0; ///< bytes per value of its output's gradient, kept for a delayed weight half
    double activation_input = 2.0; ///< bytes per value of its input that an MLP's activation function keeps
    bool quantized_apart = true; ///< quantized products keep their own copy of an input that is kept anyway
    bool inputs_gathered = false; ///< a delayed weight half keeps the gathered sequence-parallel inputs
    bool output_layer_at_once = false; ///< the loss makes the output layer's gradients: no weight half
    bool attention_in_fp8 = false; ///< the attention kernel keeps queries, keys, values and its output in fp8
    bool fused_attention = true; ///< false: the score matrix is stored
    bool scores_in_fp32 = false; ///< unfused attention keeps its softmax in fp32 and a 16-bit copy
    bool attention_output_copied = false; ///< the attention kernel keeps its own copy of its output
    bool key_values_repeated = false; ///< grouped keys and values are copied for every query head before the kernel
    bool autocast = false; ///< weights, residuals and norms are fp32; each product makes a 16-bit copy of its input
    bool fused_norm = true; ///< false: a norm is a series of fp32 operations that each keep their result
    bool fused_activation = true; ///< false: a gated activation keeps the gate's activation separately
    bool clamps_apart = false; ///< clamps before a gated activation are kernels of their own
    bool context_all_to_all = false; ///< context parallelism exchanges heads, and keeps the output it sent
    bool context_gathered = false; ///< context parallelism gathers all keys and values; otherwise a ring
    bool experts_gathered = false; ///< every token goes to every expert rank, not only to those of its experts
    bool routing_gathered = false; ///< every expert rank gathers the routing of all ranks' tokens
    bool permuted_on_arrival = false; ///< the expert exchange itself sorts rows by expert
    double hidden_dropout = 0.0;
    double attention_dropout = 0.0;
    bool products_apart = false; ///< gate and up, and queries, keys and values, are separate products
    bool values_in_product = false; ///< values are a view of the product that makes queries, keys and values
    bool frozen_inputs_kept = false; ///< frozen products keep their inputs although nothing needs them
    bool vision_trained = true; ///< false: the vision tower runs without gradients
    bool vision_checkpointed = false; ///< the tower's layers keep only their inputs
    Constants constants; ///< the plan's
    std::optional<Adapter> adapter; ///< if set, all other weights are frozen and keep no inputs for themselves
};

/// The part of a micro-batch's work that one card does.
struct CardShare {
    std::int64_t sequence = 1; ///< tokens of one sample, all context-parallel ranks together
    std::int64_t micro_batch = 1;
    std::int64_t tensor = 1;
    std::int64_t context = 1;
    std::int64_t expert = 1;
    std::int64_t expert_tensor = 1;
    bool sequence_parallel = false;
    bool tokens_sent_once = false; ///< without sequence parallelism: tensor ranks divide what they send to experts
    std::int64_t image_tokens = 0; ///< tokens of a sample that a vision tower makes
    std::int64_t images = 1; ///< per sample
    std::int64_t vision_tensor = 1; ///< cards that share the vision tower
    std::int64_t vocabulary = 1; ///< rows of the embedding over all tensor-parallel ranks

    /// Tokens that this card's context-parallel rank works on, s b / c.
    [[nodiscard]] double tokens() const;
    /// By how much norms and residuals are divided: tensor with sequence parallelism, else 1.
    [[nodiscard]] double residual() const;
    /// By how much the tokens are divided that this card sends to experts.
    [[nodiscard]] double sent() const;
    /// Whether an expert is divided like any other product: the cards that share it have the same tokens.
    [[nodiscard]] bool dividesExpertsOnly() const;
};

/// Parameters on this card.
struct Weight {
    std::string_view id;
    std::int64_t rows = 0; ///< output features
    std::int64_t columns = 1; ///< input features; 1 for biases and norms
    std::int64_t copies = 1; ///< equal tensors: the experts of this card
    bool linear = false; ///< the weight of a matrix product with a gradient of its own
    bool expert = false; ///< replicated over fewer cards than the rest, so sharded differently
    bool embedding = false; ///< a look-up table
    bool output = false; ///< the output layer's, which stays in 16 bits if layers are quantized
    bool adapter = false; ///< trained, while other weights are frozen
    bool frozen = false; ///< while other weights are trained

    [[nodiscard]] std::int64_t elements() const { return rows * columns * copies; }
};

/// A tensor kept from the forward pass to the backward pass.
struct SavedTensor {
    std::string_view id;
    std::string_view formula; ///< of its bytes, in the symbols that core/explain lists; static text
    Bytes bytes;
    RecomputeSet dropped_by = RecomputeSet::None; ///< recomputing any of these modules drops the tensor
    bool for_weight = false; ///< a matrix product's input: the weight half of a split backward pass needs it
};

/// One step of the forward pass on one card: what it stores, computes and moves for one micro-batch.
struct Operator {
    std::string_view id;
    std::vector<Weight> weights{};
    std::vector<SavedTensor> saved{};
    std::vector<SavedTensor> for_weights{}; ///< made by the input half of a split backward pass for the weight half
    std::vector<MatrixProduct> products{}; ///< their backward pass does twice as much, half of it for the weights
    std::vector<AttentionWork> attention{}; ///< one entry per kind of attention (windowed, full) among the layers
    ScanWork scan{};
    Bytes moved{}; ///< memory traffic of the forward pass besides that of its matrix products
    double backward_traffic = 2.0; ///< that of the backward pass over `moved`: values and gradients
    std::vector<Communication> forward_sends{}; ///< in the forward pass, and in a recomputed one
    std::vector<Communication> backward_sends{};
    RecomputeSet run_again_by = RecomputeSet::None; ///< modules whose recomputation runs all but the products again
    bool frozen = false; ///< no backward pass

    /// Useful work of the forward pass.
    [[nodiscard]] Flops forward() const;
};

/// The operators of one layer of a kind, in forward order.
/// Shapes: T = tokens(), h hidden, a heads, k key/value heads, d head size, f MLP width, t tensor, w bytes a value.
///
/// Sources for what is kept: TransformerEngine's modules (LayerNormLinear, Linear, DotProductAttention, LayerNormMLP);
/// Korthikanti et al. 2022, arXiv:2205.05198, for the classic sum s b h (34 + 5 a s / h), which this table reproduces
/// for GPT shapes with dropout and unfused attention. Without fused kernels: PyTorch's autograd, 54 T h for a Llama
/// layer run eagerly with f = 3.5 h (56 measured on Hugging Face's, stas00/ml-engineering).
///
/// If the two halves of the backward pass run separately, the weight half needs each matrix product's input, which may
/// be a saved tensor or one shared by two products, and the gradient of its output. The output gradients of
/// column-parallel products (into attention and MLP) are divided over the tensor ranks. The output of a row-parallel
/// product is whole, and its gradient is gathered before the product, so it is not divided even with sequence
/// parallelism. Biases, norms, the router and the embedding have no weight half: their gradients are made at once.
/// Sources: zero-bubble's WeightGradStore keeps the input as it was stored and gathers it again
/// (sail-sg/zero-bubble-pipeline-parallelism, core/tensor_parallel/layers.py); TransformerEngine keeps it gathered, and
/// an fp8 gradient in both directions (pytorch/module/linear.py, delay_wgrad_compute). PyTorch's pipelining keeps the
/// whole graph until the weight half, which is more; that is not modelled.
[[nodiscard]] std::vector<Operator> layerOperators(
    const Architecture& model, const CardShare& share, const OperatorOptions& options, LayerKind kind);

/// Token embedding (and learned positions), before the first layer.
[[nodiscard]] std::vector<Operator> embeddingOperators(
    const Architecture& model, const CardShare& share, const OperatorOptions& options);

/// The vision tower before the embedding; empty if the model has none.
[[nodiscard]] std::vector<Operator> visionOperators(
    const Architecture& model, const CardShare& share, const OperatorOptions& options);

/// Final norm and output layer, after the last layer. `separate_weight`: the output layer has its own weight on this
/// card (untied, or tied but on another card than the embedding). The loss is separate: lossMemory().
[[nodiscard]] std::vector<Operator> headOperators(
    const Architecture& model, const CardShare& share, const OperatorOptions& options, bool separate_weight);

/// One depth of multi-token prediction, run with the head: two norms, a product that joins the hidden state with the
/// next token's embedding, the layers of predictionKinds(), a norm; embedding and output layer are the model's own.
/// Source: DeepSeek-V3, arXiv:2412.19437, section 2.2; Megatron-LM core/transformer/multi_token_prediction.py.
[[nodiscard]] std::vector<Operator> predictionOperators(
    const Architecture& model, const CardShare& share, const OperatorOptions& options);

/// Whether a layer's second half, its MLP or experts, begins with this operator.
[[nodiscard]] inline bool startsMlp(const Operator& step) { return step.id == "mlp_norm"; }

/// The operators of a model on one card, one list for each kind of work; memory and time are sums over them.
struct OperatorTables {
    OfKinds<std::vector<Operator>> layers; ///< one layer of each kind that the model has
    std::vector<Operator> embedding;
    std::vector<Operator> vision; ///< empty if the model has no tower
    std::vector<Operator> prediction; ///< one depth of multi-token prediction; empty if the model has none
    std::vector<Operator> head; ///< with its own weight, unless that is the embedding's on the same stage
};

/// `separate_weight`: see headOperators().
[[nodiscard]] OperatorTables operatorTables(
    const Architecture& model, const CardShare& share, const OperatorOptions& options, bool separate_weight);

/// The largest weight of a layer's matrix products, by a size that the caller chooses.
template <class Size> [[nodiscard]] std::int64_t largestProductWeight(const OperatorTables& tables, const Size& size)
{
    std::int64_t largest = 0;
    for (const auto& layer : tables.layers) {
        for (const Operator& step : layer.value) {
            for (const Weight& weight : step.weights) {
                if (weight.linear) largest = std::max<std::int64_t>(largest, size(weight));
            }
        }
    }
    return largest;
}

/// Bytes that one pass through the operators keeps, without the tensors that recomputing `dropped` rebuilds.
[[nodiscard]] Bytes savedBytes(const std::vector<Operator>& operators, RecomputeSet dropped = RecomputeSet::None);

/// Parameters of a list of operators on one card.
struct ElementCount {
    std::int64_t dense = 0;
    std::int64_t expert = 0;
    std::int64_t adapter = 0; ///< of adapters, counted in neither of the two

    [[nodiscard]] std::int64_t total() const { return dense + expert; }
};
[[nodiscard]] ElementCount countElements(const std::vector<Operator>& operators);

/// Parameters of the whole model as published checkpoints count them: vocabulary not padded, tied embeddings once.
/// Computed as the sum of the weights of the operator table on one unsharded card.
[[nodiscard]] std::int64_t parameterCount(const Architecture& architecture);

/// The parameters that one token uses: of the routed experts only the top-k.
[[nodiscard]] std::int64_t activeParameterCount(const Architecture& architecture);

/// How many sets of weights the depths of multi-token prediction have.
[[nodiscard]] inline std::int64_t predictionWeights(const Architecture& architecture)
{
    return architecture.mtp_use_repeated_layer ? std::min<std::int64_t>(1, architecture.mtp_layers)
                                               : architecture.mtp_layers;
}

/// Values of a layer's recurrent state for one sequence on one card, and of the inputs that its convolution still
/// needs; 0 if the layer has keys and values. In a served model they replace the cache.
struct RecurrentState {
    double state = 0.0; ///< kept in fp32
    double convolution = 0.0; ///< in the format of activations
};
[[nodiscard]] RecurrentState recurrentState(const Architecture& model, std::int64_t tensor, LayerKind kind);

/// Values per token that a recurrent layer's projection makes, all cards together; 0 for other layers.
[[nodiscard]] std::int64_t projectedFeatures(const Architecture& model, LayerKind kind);

/// Parameters of the vision tower.
[[nodiscard]] std::int64_t visionParameterCount(const Architecture& architecture);

/// Parameters of an adapter on every layer of the model, without the frozen ones.
[[nodiscard]] std::int64_t adapterParameterCount(const Architecture& architecture, const Adapter& adapter);

/// Rows that enter the experts' matrix products on one card: T k / t for a balanced router, or T k if every tensor rank
/// sends all tokens (times the gather over expert-tensor ranks, times the given imbalance; with a capacity factor,
/// padded to it).
[[nodiscard]] double expertRows(const MixtureOfExperts& moe, const CardShare& share);

} // namespace cardfit
