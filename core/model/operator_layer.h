// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/model/operators.h"

/// Shared by the files that describe operators; private to core/model.
namespace cardfit::operators {

inline constexpr double kMask = 1.0; ///< bytes of a boolean: dropout masks
inline constexpr double kFloat = 4.0; ///< statistics, probabilities and log-sum-exp stay in fp32

inline double number(std::int64_t value) { return static_cast<double>(value); }

/// Heads of an attention kernel, and their sizes.
struct HeadSizes {
    double query = 0.0; ///< values per head and token
    double key = 0.0;
    double value = 0.0;
    double heads = 0.0; ///< on this card
    double key_value_heads = 0.0;

    [[nodiscard]] bool grouped() const { return key_value_heads < heads; }
};

/// The layer that is described: its shape, the card's share, and the sizes that every operator needs.
struct Layer {
    const Architecture& model;
    const CardShare& share;
    const OperatorOptions& options;
    LayerKind kind;

    double tokens = share.tokens();
    double residual = share.residual();
    double tensor = static_cast<double>(share.tensor);
    double hidden = static_cast<double>(model.hidden_size);
    double element = options.element;
    double stored_input = options.stored_input;

    [[nodiscard]] std::int64_t perTensor(std::int64_t features) const { return features / share.tensor; }
    /// One activation of the residual stream, h values per token.
    [[nodiscard]] double stream() const { return element * tokens * hidden / residual; }
    /// The residual stream of all tensor ranks together.
    [[nodiscard]] Bytes wholeStream() const { return roundToBytes(element * tokens * hidden); }
    [[nodiscard]] bool latentExperts() const { return model.moe && model.moe->moe_latent_size > 0; }
    /// Features of a token for its experts.
    [[nodiscard]] std::int64_t expertFeatures() const
    {
        return latentExperts() ? model.moe->moe_latent_size : model.hidden_size;
    }
    [[nodiscard]] double mlpParts() const { return model.gated_mlp ? 2.0 : 1.0; }
    /// Whether a product keeps its input. Frozen ones need it only for an adapter, and an adapter with dropout keeps
    /// its own.
    [[nodiscard]] bool keepsInput(AdapterTarget target) const
    {
        if (keepsFrozenInput()) return true;
        if (options.adapter->dropout > 0.0) return false;
        if (target == AdapterTarget::LinearQkv) return options.adapter->adaptsQkv();
        return target == AdapterTarget::LinearFc1 ? options.adapter->adaptsFc1() : options.adapter->adapts(target);
    }
    /// Whether queries, keys and values have adapters of their own although the recipe names them as one: PEFT adapts
    /// every module, and PyTorch's stacks have three. litgpt, which has one, says so by its targets.
    [[nodiscard]] bool adaptsApart() const
    {
        return options.products_apart && options.adapter && options.adapter->targets.empty();
    }
    /// Whether a product without an adapter keeps its input.
    [[nodiscard]] bool keepsFrozenInput() const { return !options.adapter || options.frozen_inputs_kept; }
    /// Whether a product has a weight half: frozen weights have no gradient, and adapters' gradients are made at once.
    [[nodiscard]] bool hasWeightHalf() const { return !options.adapter; }
    /// Whether a delayed weight half keeps the gathered input of a column-parallel product instead of the saved one.
    [[nodiscard]] bool gathersInputs() const { return options.inputs_gathered && residual > 1.0; }
    /// Whether inputs are kept in a narrower format than the one in which they were computed.
    [[nodiscard]] bool quantizesInputs() const { return stored_input < element; }
    /// fp32 reciprocal deviation, and for LayerNorm the mean, per token.
    [[nodiscard]] double statistics() const
    {
        return (model.norm == Norm::LayerNorm ? 2.0 : 1.0) * kFloat * tokens / residual;
    }
    /// The most tokens that a query attends to in a layer with a sliding window: all of them where the model does not
    /// say the window's size, which a rule refuses.
    [[nodiscard]] double window() const
    {
        const auto& window = model.sliding_window;
        return static_cast<double>(window ? std::min(share.sequence, window->size) : share.sequence);
    }
    /// Share of the layers of this description that have a sliding window.
    [[nodiscard]] double windowedShare() const
    {
        if (listsLayers(model)) return kind.mixer == TokenMixer::WindowedAttention ? 1.0 : 0.0;
        if (!model.sliding_window || model.sliding_window->size <= 0) return 0.0;
        return model.sliding_window->share();
    }
};

inline SavedTensor saved(
    std::string_view id, std::string_view formula, double bytes, RecomputeSet dropped_by = RecomputeSet::None)
{
    return {id, formula, roundToBytes(bytes), dropped_by};
}

/// A saved tensor that a product with a weight half reads.
inline SavedTensor productInput(const Layer& layer, std::string_view id, std::string_view formula, double bytes,
    RecomputeSet dropped_by = RecomputeSet::None)
{
    SavedTensor input = saved(id, formula, bytes, dropped_by);
    input.for_weight = layer.hasWeightHalf();
    return input;
}

/// Adds the gradient of a product's output, which has `values` values on this card.
void addOutputGradient(
    const Layer& layer, std::string_view id, std::string_view formula, double values, Operator& product);

/// Adds the gathered input of a column-parallel product, of `values` values, if its weight half keeps that.
void addGatheredInput(
    const Layer& layer, std::string_view id, std::string_view formula, double values, Operator& product);

inline Weight linear(std::string_view id, std::int64_t rows, std::int64_t columns)
{
    Weight weight{id, rows, columns};
    weight.linear = true;
    return weight;
}

inline MatrixProduct product(double rows, double in, double out) { return {rows, in, out}; }

/// Communication before a product whose weight is divided by columns. With sequence parallelism tokens are gathered
/// before it, and their gradient is reduced and scattered after it; without, the gradient is reduced (Korthikanti et
/// al. 2022, arXiv:2205.05198, section 4.2.2).
void entersTensorParallel(const Layer& layer, Operator& product);

/// Communication after a product whose weight is divided by rows: its output is a sum over the tensor ranks.
void leavesTensorParallel(const Layer& layer, Operator& product);

Weight normWeight(const Architecture& model, std::string_view id, std::int64_t size);

/// What uses a norm's output.
struct NormOutput {
    bool kept = false; ///< the product that follows keeps it as its input
    bool as_is = false; ///< in the format of its computation: not only quantized products read it
    bool for_weight = false; ///< a product's weight half reads it
    int readers = 1; ///< products that read it
};

/// A norm over the residual stream.
Operator norm(const Layer& layer, std::string_view id, const NormOutput& output);

/// Adds the mask of dropout after a layer's attention or MLP.
void addDropout(const Layer& layer, Operator& to);

/// Adds an adapter to a frozen weight: two small matrices, the r values per token between them, and with dropout the
/// dropped-out input and its mask, of bytes by the formula `dropped`. If gate and up are separate products, each has a
/// dropout of its own.
void addAdapter(const Layer& layer, AdapterTarget target, double rows, const Weight& beside, std::string_view dropped,
    Operator& to);

/// Context ranks exchange keys and values around a ring or by a gather (arXiv:2310.01889; Llama 3, arXiv:2407.21783,
/// section 3.3.2), or exchange heads for tokens before and after (arXiv:2309.14509).
void addContextExchange(const Layer& layer, const HeadSizes& sizes, Operator& core);

/// For a residual of several streams: what sums, mixes and extends them before attention or the MLP, and what sums them
/// before the output layer.
void addHyperConnection(const Layer& layer, std::vector<Operator>& operators);
void addHyperHead(const Layer& layer, std::vector<Operator>& operators);

/// What mixes the layer's tokens: attention, or one of the two below.
void addMixer(const Layer& layer, std::vector<Operator>& operators);
void addRecurrence(const Layer& layer, std::vector<Operator>& operators);
void addCompressedAttention(const Layer& layer, std::vector<Operator>& operators);
void addDenseMlp(const Layer& layer, std::vector<Operator>& operators);
void addExperts(const Layer& layer, std::vector<Operator>& operators);

} // namespace cardfit::operators
