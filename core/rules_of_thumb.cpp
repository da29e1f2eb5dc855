// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules_of_thumb.h"

#include <algorithm>
#include <cmath>

namespace cardfit::rules {

namespace {

constexpr std::int64_t kGigabyte = 1'000'000'000;

double asDouble(Bytes bytes) { return static_cast<double>(bytes.value()); }
double asDouble(std::int64_t count) { return static_cast<double>(count); }

std::int64_t tokensTimesLayers(const TransformerSize& size)
{
    return size.sequence_length * size.micro_batch_size * size.layers;
}

/// `coefficient` bytes per token, layer and element of the hidden vector.
Bytes hiddenVectors(const TransformerSize& size, double coefficient)
{
    return roundToBytes(coefficient * asDouble(tokensTimesLayers(size)) * asDouble(size.hidden_size));
}

} // namespace

Bytes operator*(Parameters count, BytesPerParameter width)
{
    return roundToBytes(asDouble(count.value()) * width.value());
}

Bytes share(Bytes whole, std::int64_t ways) { return roundToBytes(asDouble(whole) / asDouble(ways)); }

Bytes roundToGigabytes(Bytes bytes) { return Bytes(std::llround(bytes / Bytes(kGigabyte)) * kGigabyte); }

BytesPerParameter bytesPerValue(NumberFormat format)
{
    switch (format) {
    case NumberFormat::Fp32: return BytesPerParameter(4);
    case NumberFormat::Fp16:
    case NumberFormat::Bf16: return BytesPerParameter(2);
    case NumberFormat::Int8: return BytesPerParameter(1);
    case NumberFormat::Int4: return BytesPerParameter(0.5);
    }
    return {};
}

StateWidths uniformWidths(NumberFormat format, std::int64_t optimizer_states)
{
    const auto width = bytesPerValue(format);
    return {width, width, {}, asDouble(optimizer_states) * width};
}

BytesPerParameter zero1BytesPerParameter(std::int64_t data, const StateWidths& widths)
{
    return widths.replicated() + BytesPerParameter(widths.sharded().value() / asDouble(data));
}

std::optional<std::int64_t> fewestZero1Replicas(Parameters parameters, Bytes available)
{
    const auto left = available - parameters * kMegatronWidths.replicated();
    if (left <= Bytes(0)) return std::nullopt;
    return minimumCards(parameters * kMegatronWidths.sharded(), left);
}

Bytes fileBytes(Parameters parameters) { return parameters * bytesPerValue(NumberFormat::Fp16); }

Bytes fullTrainingBytes(Parameters parameters) { return parameters * kMixedWidths.total(); }

Bytes trainingMinimumBytes(Parameters parameters) { return parameters * BytesPerParameter(20); }

Bytes loadBytes(Parameters parameters, int bits)
{
    constexpr double kEverythingElse = 1.2;
    return parameters * BytesPerParameter(4.0 / (32.0 / bits) * kEverythingElse);
}

Bytes uniformTrainingBytes(Parameters parameters, NumberFormat format)
{
    return parameters * uniformWidths(format, kAdamStates).total() + kDeviceContext;
}

Parameters llamaLayerParameters(const LlamaShape& shape)
{
    const auto h = shape.hidden_size;
    return Parameters(4 * h * h + 3 * h * shape.intermediate_size + 2 * h);
}

Parameters llamaEmbeddingParameters(const LlamaShape& shape)
{
    return Parameters(shape.vocabulary * shape.hidden_size);
}

Parameters llamaParameters(const LlamaShape& shape)
{
    const Parameters final_norm(shape.hidden_size);
    return shape.layers * llamaLayerParameters(shape) + std::int64_t{2} * llamaEmbeddingParameters(shape) + final_norm;
}

Parameters llamaNormParameters(const LlamaShape& shape)
{
    return Parameters((2 * shape.layers + 1) * shape.hidden_size);
}

Bytes activationBytes(const TransformerSize& size) { return hiddenVectors(size, 40); }

Bytes fusedAttentionActivationBytes(const TransformerSize& size) { return hiddenVectors(size, 34); }

Bytes unfusedAttentionActivationBytes(const TransformerSize& size, std::int64_t heads)
{
    const double scores = 5.0 * asDouble(heads) * asDouble(size.sequence_length) / asDouble(size.hidden_size);
    return hiddenVectors(size, 34 + scores);
}

Bytes activationBytesPerSample(
    const TransformerSize& size, std::int64_t intermediate_size, BytesPerParameter bytes_per_value)
{
    const auto values = (size.hidden_size + intermediate_size) * size.sequence_length * size.layers;
    return roundToBytes(asDouble(values) * bytes_per_value.value());
}

double neuronsPerLayer(Parameters parameters) { return std::sqrt(asDouble(parameters.value())); }

Bytes activationBytesPerLayer(Parameters parameters, std::int64_t batch, NumberFormat format)
{
    return roundToBytes(neuronsPerLayer(parameters) * asDouble(batch) * bytesPerValue(format).value());
}

std::int64_t samplesThatFit(Bytes capacity, Bytes fixed, Bytes per_sample)
{
    return std::max<std::int64_t>(0, (capacity - fixed).value() / per_sample.value());
}

std::int64_t minimumCards(Bytes needed, Bytes capacity)
{
    return (needed.value() + capacity.value() - 1) / capacity.value();
}

std::int64_t microBatchesPerStep(std::int64_t global_batch_size, std::int64_t data, std::int64_t micro_batch_size)
{
    return global_batch_size / (data * micro_batch_size);
}

std::int64_t oneFOneBInFlight(std::int64_t stages, std::int64_t rank) { return stages - rank + 1; }

std::int64_t oneFOneBInFlight(std::int64_t stages, std::int64_t rank, std::int64_t microbatches)
{
    return std::min(microbatches, oneFOneBInFlight(stages, rank));
}

std::int64_t gpipeInFlight(std::int64_t microbatches) { return microbatches; }

std::int64_t interleavedChunksInFlight(std::int64_t stages, std::int64_t rank, std::int64_t chunks)
{
    return 2 * (stages - rank) + (chunks - 1) * stages + 1;
}

double interleavedFactor(std::int64_t stages, std::int64_t chunks)
{
    return 1.0 + asDouble(stages - 1) / asDouble(stages * chunks);
}

double bubbleFraction(std::int64_t stages, std::int64_t microbatches)
{
    return asDouble(stages - 1) / asDouble(microbatches + stages - 1);
}

double naiveUtilization(std::int64_t stages) { return 1.0 / asDouble(stages); }

Bytes sequenceParallelActivationBytes(Bytes activations, std::int64_t tensor) { return share(activations, tensor); }

std::vector<ArticleCard> articleCards(Parameters parameters, Bytes activations, const ArticleLayout& layout)
{
    const auto width = layout.zero1 ? zero1BytesPerParameter(layout.data) : kMegatronWidths.total();
    const auto states = share(parameters * width, layout.pipeline);

    std::vector<ArticleCard> cards;
    for (std::int64_t card = 1; card <= layout.pipeline * layout.data; ++card) {
        const auto stage = (card - 1) / layout.data + 1;
        const auto in_flight = oneFOneBInFlight(layout.pipeline, stage, layout.microbatches);
        cards.push_back({card, stage, in_flight, states, share(in_flight * activations, layout.pipeline)});
    }
    return cards;
}

std::vector<ArticleCard> articleCards(Parameters parameters, const TransformerSize& size, const ArticleLayout& layout)
{
    return articleCards(parameters, activationBytes(size), layout);
}

Bytes modelParallelBytes(Bytes states, Bytes activations, std::int64_t cards)
{
    return share(states, cards) + activations;
}

double utilizationByFlops(Teraflops achieved, Teraflops peak) { return achieved / peak; }

double tokensPerSecond(std::int64_t samples, std::int64_t sequence_length, Seconds seconds)
{
    return asDouble(samples * sequence_length) / seconds.value();
}

double utilizationByThroughput(double tokens_per_second, double published_tokens_per_second)
{
    return tokens_per_second / published_tokens_per_second;
}

double modelFlopsUtilization(Parameters parameters, double tokens_per_second, Teraflops peak)
{
    const Flops per_second(6.0 * asDouble(parameters.value()) * tokens_per_second);
    return (per_second / peak).value();
}

Bytes zero3TrafficBytes(Parameters parameters) { return std::int64_t{3} * fileBytes(parameters); }

} // namespace cardfit::rules
