// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/units.h"

/// The short formulas by which articles on training memory reckon, each under its own name. They stand beside the
/// detailed figures and never feed them. core/articles.h compares them with what the articles print.
///
/// Sources, by the names used below: "13B on 80 GB cards (Zhihu)", "BimAnt guide", "parameters to memory (Zhihu)",
/// "LLM memory interview sheet". Symbols: n parameters, s tokens, b samples, h hidden, a heads, f MLP width, L layers,
/// p pipeline stages, d data-parallel replicas, m micro-batches, v chunks per stage, t tensor-parallel ranks.
/// Counts, degrees and capacities must be positive; ranks are counted from 1, as in the articles.
namespace cardfit::rules {

using Parameters = Quantity<struct ParametersUnit, std::int64_t>;
/// A double, because formats below a byte and sharded states have fractions.
using BytesPerParameter = Quantity<struct BytesPerParameterUnit, double>;

/// billions(1.4) is 1,400,000,000 parameters.
[[nodiscard]] constexpr Parameters billions(double count)
{
    return Parameters(static_cast<std::int64_t>(count * 1e9 + 0.5));
}

/// To the nearest byte.
[[nodiscard]] Bytes operator*(Parameters count, BytesPerParameter width);

/// An equal part of something that is divided over cards, to the nearest byte.
[[nodiscard]] Bytes share(Bytes whole, std::int64_t ways);

/// To the nearest 10^9 bytes. "13B on 80 GB cards (Zhihu)" rounds its activations so, from 33.554 to 34 GB.
[[nodiscard]] Bytes roundToGigabytes(Bytes bytes);

// ---- Number formats

enum class NumberFormat { Fp32, Fp16, Bf16, Int8, Int4 };

/// fp32 4, fp16 and bf16 2, int8 1, int4 0.5 bytes. Source: BimAnt guide; LLM memory interview sheet.
[[nodiscard]] BytesPerParameter bytesPerValue(NumberFormat format);

/// Values that a word of `bits` can tell apart, 2^bits. Source: BimAnt guide.
[[nodiscard]] constexpr std::int64_t distinctValues(int bits) { return std::int64_t{1} << bits; }

/// Bits of a floating-point format.
struct FloatLayout {
    int sign = 1;
    int exponent = 0;
    int mantissa = 0;

    [[nodiscard]] constexpr int length() const { return sign + exponent + mantissa; }
};
/// fp32's range with fp16's precision. Source: LLM memory interview sheet.
inline constexpr FloatLayout kTf32{1, 8, 10};

// ---- What training keeps for every parameter

/// Values that an optimizer keeps per parameter. Source: parameters to memory (Zhihu); BimAnt guide.
inline constexpr std::int64_t kSgdStates = 0;
inline constexpr std::int64_t kMomentumStates = 1;
inline constexpr std::int64_t kAdamStates = 2;

/// Bytes per parameter of the model states.
struct StateWidths {
    BytesPerParameter weights;
    BytesPerParameter gradients;
    BytesPerParameter master; ///< fp32 copy of the weights that the optimizer updates
    BytesPerParameter optimizer; ///< moments

    /// What ZeRO-1 leaves on every card.
    [[nodiscard]] constexpr BytesPerParameter replicated() const { return weights + gradients; }
    /// What ZeRO-1 divides over the data-parallel replicas.
    [[nodiscard]] constexpr BytesPerParameter sharded() const { return master + optimizer; }
    [[nodiscard]] constexpr BytesPerParameter total() const { return replicated() + sharded(); }
};

/// Megatron's mixed precision, 2 + 4 + 4 + (4 + 4) = 18: bf16 weights, fp32 gradients, fp32 master copy, Adam's two
/// moments. Source: 13B on 80 GB cards (Zhihu).
inline constexpr StateWidths kMegatronWidths{
    BytesPerParameter(2), BytesPerParameter(4), BytesPerParameter(4), BytesPerParameter(8)};
/// Mixed precision with 2-byte gradients, 2 + 2 + 4 + (4 + 4) = 16. Source: LLM memory interview sheet.
inline constexpr StateWidths kMixedWidths{
    BytesPerParameter(2), BytesPerParameter(2), BytesPerParameter(4), BytesPerParameter(8)};

/// Weights, gradients and `optimizer_states` moments all in one format, no master copy: Adam takes 16 bytes per
/// parameter in fp32 and 8 in bf16. Source: parameters to memory (Zhihu).
[[nodiscard]] StateWidths uniformWidths(NumberFormat format, std::int64_t optimizer_states);

/// `widths` with master copy and moments divided over `data` replicas; 6 + 12/d for Megatron's mixed precision.
/// Source: 13B on 80 GB cards (Zhihu).
[[nodiscard]] BytesPerParameter zero1BytesPerParameter(std::int64_t data, const StateWidths& widths = kMegatronWidths);

/// The fewest replicas over which ZeRO-1 brings n (6 + 12/d) bytes within `available`; none where the 6 n that no
/// number of replicas divides are too much already. Source: 13B on 80 GB cards (Zhihu).
[[nodiscard]] std::optional<std::int64_t> fewestZero1Replicas(Parameters parameters, Bytes available);

/// 2 n bytes: a 16-bit checkpoint, and the weights at inference. Source: LLM memory interview sheet.
[[nodiscard]] Bytes fileBytes(Parameters parameters);

/// 16 n bytes: model states of full mixed-precision training with Adam. Source: LLM memory interview sheet.
[[nodiscard]] Bytes fullTrainingBytes(Parameters parameters);

/// 20 n bytes: the sheet's least memory for a full training run, activations included. Source: LLM memory interview
/// sheet.
[[nodiscard]] Bytes trainingMinimumBytes(Parameters parameters);

/// Memory to load a model with weights of `bits` bits, n x 4 / (32 / bits) x 1.2: a fifth on top for everything else.
/// Source: BimAnt guide.
[[nodiscard]] Bytes loadBytes(Parameters parameters, int bits);

/// Memory of the CUDA context of one process. Source: LLM memory interview sheet.
inline constexpr Bytes kDeviceContext{1'300'000'000};

/// Weights, gradients and Adam's moments in one format, plus the CUDA context: 6 + 6 + 12 + 1.3 = 25.3 GB for 6 billion
/// parameters in int8. Source: LLM memory interview sheet.
[[nodiscard]] Bytes uniformTrainingBytes(Parameters parameters, NumberFormat format);

/// Marks on a scale of model sizes, in billions of parameters. Source: 13B on 80 GB cards (Zhihu).
inline constexpr std::array<double, 15> kSizeLadder{1.4, 2.8, 6, 7, 13, 16, 34, 52, 56, 65, 70, 100, 130, 170, 220};

// ---- LLaMA's parameters, for rows that name a size and mean this model

struct LlamaShape {
    std::int64_t hidden_size = 0;
    std::int64_t intermediate_size = 0;
    std::int64_t layers = 0;
    std::int64_t vocabulary = 0;
};
/// Source: LLaMA, arXiv:2302.13971, and the config.json files published with the weights.
inline constexpr LlamaShape kLlama7B{4096, 11008, 32, 32000};
inline constexpr LlamaShape kLlama13B{5120, 13824, 40, 32000};

/// Four attention matrices, three of a gated MLP and two norms, no biases: 4 h^2 + 3 h f + 2 h.
[[nodiscard]] Parameters llamaLayerParameters(const LlamaShape& shape);
/// One table of token vectors, vocabulary x h; the model has two, embedding and head.
[[nodiscard]] Parameters llamaEmbeddingParameters(const LlamaShape& shape);
[[nodiscard]] Parameters llamaParameters(const LlamaShape& shape);
/// Weights of all norms, (2 L + 1) h; tensor parallelism keeps them whole on every rank.
[[nodiscard]] Parameters llamaNormParameters(const LlamaShape& shape);

// ---- Activations

/// What the rules ask of a model's shape.
struct TransformerSize {
    std::int64_t sequence_length = 0;
    std::int64_t hidden_size = 0;
    std::int64_t layers = 0;
    std::int64_t micro_batch_size = 1;
};

/// 40 s b h L bytes for one micro-batch of all layers, attention scores not kept.
/// Source: 13B on 80 GB cards (Zhihu), where b is 1.
[[nodiscard]] Bytes activationBytes(const TransformerSize& size);

/// 34 s b h L bytes: 2-byte activations, 1-byte dropout masks, attention scores not kept.
/// Source: Korthikanti et al. 2022, arXiv:2205.05198, equation 1 without its quadratic term.
[[nodiscard]] Bytes fusedAttentionActivationBytes(const TransformerSize& size);

/// s b h (34 + 5 a s / h) L bytes: the attention scores are kept too. Source: as above, equation 1.
[[nodiscard]] Bytes unfusedAttentionActivationBytes(const TransformerSize& size, std::int64_t heads);

/// (h + f) s L x `bytes_per_value`: the inputs of attention and MLP of one sample, once per layer.
/// Source: LLM memory interview sheet.
[[nodiscard]] Bytes activationBytesPerSample(
    const TransformerSize& size, std::int64_t intermediate_size, BytesPerParameter bytes_per_value);

/// Width of a layer by the guide's rule, sqrt(n): the side of a square matrix that holds all parameters.
/// Source: BimAnt guide.
[[nodiscard]] double neuronsPerLayer(Parameters parameters);

/// neuronsPerLayer x batch x bytes per value. Source: BimAnt guide.
[[nodiscard]] Bytes activationBytesPerLayer(Parameters parameters, std::int64_t batch, NumberFormat format);

/// Whole samples that fit beside `fixed` on one card. Source: LLM memory interview sheet.
[[nodiscard]] std::int64_t samplesThatFit(Bytes capacity, Bytes fixed, Bytes per_sample);

// ---- Cards and pipelines

/// The fewest cards that hold `needed` together, if it divides evenly. Source: 13B on 80 GB cards (Zhihu).
[[nodiscard]] std::int64_t minimumCards(Bytes needed, Bytes capacity);

/// Micro-batches per replica and step: samples per step over d times samples per micro-batch, rounded down.
[[nodiscard]] std::int64_t microBatchesPerStep(
    std::int64_t global_batch_size, std::int64_t data, std::int64_t micro_batch_size);

/// p - i + 1: micro-batches that rank i of a 1F1B pipeline holds once there are enough of them.
/// Source: 13B on 80 GB cards (Zhihu).
[[nodiscard]] std::int64_t oneFOneBInFlight(std::int64_t stages, std::int64_t rank);
/// min(m, p - i + 1). Source: as above, whose answer to a batch of one is the case m = 1.
[[nodiscard]] std::int64_t oneFOneBInFlight(std::int64_t stages, std::int64_t rank, std::int64_t microbatches);

/// m on every rank: all forward passes run before the first backward pass. Source: parameters to memory (Zhihu).
[[nodiscard]] std::int64_t gpipeInFlight(std::int64_t microbatches);

/// Chunks that rank i of an interleaved 1F1B pipeline holds with enough micro-batches, 2 (p - i) + (v - 1) p + 1.
/// Source: Megatron-LM, core/pipeline_parallel/schedules.py, warm-up of the interleaved schedule.
[[nodiscard]] std::int64_t interleavedChunksInFlight(std::int64_t stages, std::int64_t rank, std::int64_t chunks);

/// 1 + (p - 1) / (p v): activations of the first rank over those of plain 1F1B.
/// Source: Korthikanti et al. 2022, arXiv:2205.05198, section 4.2.3.
[[nodiscard]] double interleavedFactor(std::int64_t stages, std::int64_t chunks);

/// Idle share of the time of a GPipe or 1F1B step with equal stages, (p - 1) / (m + p - 1).
/// Source: parameters to memory (Zhihu).
[[nodiscard]] double bubbleFraction(std::int64_t stages, std::int64_t microbatches);

/// Busy share of the time when one stage works and the others wait, 1/p. Source: parameters to memory (Zhihu).
[[nodiscard]] double naiveUtilization(std::int64_t stages);

/// What tensor parallelism with sequence parallelism leaves of the activations on one of `tensor` cards.
/// Source: Korthikanti et al. 2022, arXiv:2205.05198, table 2.
[[nodiscard]] Bytes sequenceParallelActivationBytes(Bytes activations, std::int64_t tensor);

/// How the article lays a model out over cards.
struct ArticleLayout {
    std::int64_t pipeline = 1;
    std::int64_t data = 1;
    std::int64_t microbatches = 1; ///< per replica and step
    bool zero1 = false;
};

/// One card of the article's list. Cards of one stage follow one another: with two replicas, stage 1 is cards 1 and 2.
struct ArticleCard {
    std::int64_t card = 1;
    std::int64_t stage = 1;
    std::int64_t in_flight = 1; ///< micro-batches held at once
    Bytes states;
    Bytes activations;

    [[nodiscard]] constexpr Bytes total() const { return states + activations; }
    bool operator==(const ArticleCard&) const = default;
};

/// Memory of every card of a 1F1B pipeline by the article's reckoning: 18 n / p bytes of states, n (6 + 12/d) / p with
/// ZeRO-1, and min(m, p - i + 1) times the stage's share of `activations`, the bytes of one micro-batch of all layers.
/// Source: 13B on 80 GB cards (Zhihu).
[[nodiscard]] std::vector<ArticleCard> articleCards(
    Parameters parameters, Bytes activations, const ArticleLayout& layout);
/// The same with activationBytes(size), unrounded.
[[nodiscard]] std::vector<ArticleCard> articleCards(
    Parameters parameters, const TransformerSize& size, const ArticleLayout& layout);

/// Memory of each of `cards` cards when the states are divided and every card keeps all activations.
/// Source: BimAnt guide.
[[nodiscard]] Bytes modelParallelBytes(Bytes states, Bytes activations, std::int64_t cards);

// ---- Rates

/// Achieved over peak. Source: LLM memory interview sheet.
[[nodiscard]] double utilizationByFlops(Teraflops achieved, Teraflops peak);

/// Tokens per second on one card that takes `seconds` for `samples` of s tokens. Source: LLM memory interview sheet.
[[nodiscard]] double tokensPerSecond(std::int64_t samples, std::int64_t sequence_length, Seconds seconds);

/// Own throughput over a published one for the same model and card. Source: LLM memory interview sheet.
[[nodiscard]] double utilizationByThroughput(double tokens_per_second, double published_tokens_per_second);

/// Model FLOPs utilisation of one card by 6 n FLOPs per token. Source: Kaplan et al. 2020, arXiv:2001.08361, section
/// 2.1, without its attention term.
[[nodiscard]] double modelFlopsUtilization(Parameters parameters, double tokens_per_second, Teraflops peak);

/// Bytes that ZeRO-3 moves per card for one forward and backward pass in 16 bits: the weights are gathered twice and
/// the gradients scattered once, 3 x 2 n. Source: Rajbhandari et al. 2020, arXiv:1910.02054, section 7.2.2.
[[nodiscard]] Bytes zero3TrafficBytes(Parameters parameters);

} // namespace cardfit::rules
