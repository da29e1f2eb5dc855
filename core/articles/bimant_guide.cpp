// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/articles/rows.h"
#include "core/rules_of_thumb.h"

namespace cardfit::articles {

namespace {

using enum ArticleRow::Verdict;
using namespace rules;

constexpr auto kParameters = billions(10);
constexpr std::int64_t kBatch = 32;
constexpr std::int64_t kCards = 2;
/// The guide's activations, which its own rule does not yield.
constexpr Bytes kActivationsLow{20'000'000'000};
constexpr Bytes kActivationsHigh{40'000'000'000};
/// "Hundreds of layers", read as any number of three digits.
constexpr std::int64_t kLayersLow = 100;
constexpr std::int64_t kLayersHigh = 999;

/// A 13B model, for rows that name no shape.
constexpr TransformerSize kSize{.sequence_length = 4096, .hidden_size = 5120, .layers = 40};
constexpr std::int64_t kHeads = 40;

Bytes weights() { return kParameters * bytesPerValue(NumberFormat::Fp16); }
Bytes gradients() { return weights(); }
/// Adam's moments in fp32.
Bytes moments() { return kParameters * (static_cast<double>(kAdamStates) * bytesPerValue(NumberFormat::Fp32)); }
Bytes states() { return weights() + gradients() + moments(); }
Bytes layerActivations() { return activationBytesPerLayer(kParameters, kBatch, NumberFormat::Fp16); }

/// By how much activations grow when the sequence doubles.
double growth(Bytes (*bytes)(const TransformerSize&))
{
    auto doubled = kSize;
    doubled.sequence_length *= 2;
    return bytes(doubled) / bytes(kSize);
}

std::vector<ArticleRow> loadRows()
{
    const auto width = [](NumberFormat format) { return number(bytesPerValue(format).value()); };
    const auto unfused = [](const TransformerSize& size) { return unfusedAttentionActivationBytes(size, kHeads); };
    return {
        {.id = "S1-1",
            .statement = "Bytes of one value in fp32, fp16, bf16, int8, int4",
            .theirs = "4, 2, 2, 1, 0.5",
            .ours = fmt::format("{}, {}, {}, {}, {}", width(NumberFormat::Fp32), width(NumberFormat::Fp16),
                width(NumberFormat::Bf16), width(NumberFormat::Int8), width(NumberFormat::Int4)),
            .remark =
                fmt::format("int8 tells {} values apart; the printed \"28\" lost its superscript.", distinctValues(8))},
        {.id = "S1-2",
            .statement = "Memory to load a model with weights of Q bits, P x 4 / (32 / Q) x 1.2",
            .theirs = "formula in a missing picture",
            .ours = fmt::format("{} per billion parameters at 16 bits", gb(loadBytes(billions(1), 16))),
            .value = inGb(loadBytes(billions(1), 16)),
            .unit = "GB"},
        {.id = "S1-3",
            .statement = "Loading Llama-70B at 16 bits",
            .theirs = "formula in a missing picture",
            .ours = gb(loadBytes(billions(70), 16)),
            .value = inGb(loadBytes(billions(70), 16)),
            .unit = "GB"},
        {.id = "S1-4",
            .statement = "Activations are count x batch x bytes; twice the sequence may double them",
            .theirs = "2 times",
            .ours = fmt::format("{} times; {} times where attention scores are kept (13B, 4096 to 8192 tokens)",
                number(growth(fusedAttentionActivationBytes)), number(growth(unfused))),
            .verdict = Flag,
            .remark = "Linear with fused attention only; kept scores add 5 a s^2 b bytes per layer.",
            .value = growth(fusedAttentionActivationBytes),
            .article_value = 2,
            .unit = "times"},
    };
}

std::vector<ArticleRow> optimizerRows()
{
    constexpr std::int64_t kMillion = 1'000'000;
    return {
        {.id = "S1-5",
            .statement = "Gradients take what the parameters take: 10 billion in fp16",
            .theirs = "20 GB",
            .ours = fmt::format(
                "{}; {} if they are summed in fp32", gb(gradients()), gb(kParameters * kMegatronWidths.gradients)),
            .verdict = Flag,
            .remark = "Megatron keeps an fp32 gradient for every parameter.",
            .value = inGb(gradients()),
            .article_value = 20,
            .unit = "GB"},
        {.id = "S1-6",
            .statement = "Values that Adam keeps for a million parameters",
            .theirs = "2 million",
            .ours = grouped(kAdamStates * kMillion),
            .value = static_cast<double>(kAdamStates * kMillion),
            .article_value = 2e6,
            .unit = "values"},
        {.id = "S1-7",
            .statement = "Values that plain SGD keeps for a million parameters",
            .theirs = "none",
            .ours = grouped(kSgdStates * kMillion),
            .value = static_cast<double>(kSgdStates * kMillion),
            .article_value = 0,
            .unit = "values"},
        {.id = "S1-8",
            .statement = "10 billion parameters in fp16",
            .theirs = "20 GB",
            .ours = gb(weights()),
            .value = inGb(weights()),
            .article_value = 20,
            .unit = "GB"},
    };
}

std::vector<ArticleRow> activationRows()
{
    const auto low = kLayersLow * layerActivations();
    const auto high = kLayersHigh * layerActivations();
    return {
        {.id = "S1-9",
            .statement = "Neurons per layer, the square root of 10 billion parameters",
            .theirs = "100,000",
            .ours = grouped(std::llround(neuronsPerLayer(kParameters))),
            .verdict = Flag,
            .remark = "The rule knows no sequence length, and no layer of such a model is that wide.",
            .value = neuronsPerLayer(kParameters),
            .article_value = 100'000,
            .unit = "neurons"},
        {.id = "S1-10",
            .statement = "Activations of one layer for a batch of 32 in fp16",
            .theirs = "6.4 MB",
            .ours = mb(layerActivations()),
            .value = inMb(layerActivations()),
            .article_value = 6.4,
            .unit = "MB"},
        {.id = "S1-11",
            .statement = "Activations of all layers, some hundreds of them",
            .theirs = gbRange(kActivationsLow, kActivationsHigh),
            .ours = gbRange(low, high),
            .verdict = Slip,
            .remark = fmt::format("Does not follow from the row above: it would take {} to {} layers.",
                grouped(std::llround(kActivationsLow / layerActivations())),
                grouped(std::llround(kActivationsHigh / layerActivations()))),
            .value = inGb(high),
            .article_value = inGb(kActivationsHigh),
            .unit = "GB"},
    };
}

std::vector<ArticleRow> totalRows()
{
    const auto with_master = moments() + kParameters * kMixedWidths.master;
    const auto low = states() + kActivationsLow;
    const auto high = states() + kActivationsHigh;
    const auto halved_low = modelParallelBytes(states(), kActivationsLow, kCards);
    const auto halved_high = modelParallelBytes(states(), kActivationsHigh, kCards);
    const auto micro_batch = activationBytes(kSize);
    constexpr std::int64_t kTensor = 8;
    return {
        {.id = "S1-12",
            .statement = "What Adam keeps for 10 billion parameters in mixed precision",
            .theirs = "80 GB",
            .ours = fmt::format("{}: moments {}, fp32 master copy {}", gb(with_master), gb(moments()),
                gb(kParameters * kMixedWidths.master)),
            .verdict = Slip,
            .remark = "The fp32 master copy of the weights is left out.",
            .value = inGb(with_master),
            .article_value = 80,
            .unit = "GB"},
        {.id = "S1-13",
            .statement = "Weights, activations, gradients and moments together",
            .theirs = "140 to 160 GB",
            .ours = gbRange(low, high),
            .remark = fmt::format("The sum is right for these terms. By the usual counts the states are {} (16 bytes "
                                  "per parameter) or {} (Megatron's 18), activations on top.",
                gb(fullTrainingBytes(kParameters)), gb(kParameters * kMegatronWidths.total())),
            .value = inGb(high),
            .article_value = 160,
            .unit = "GB"},
        {.id = "S1-14",
            .statement = "Total memory of model parallelism over two cards",
            .theirs = "80 to 100 GB in total",
            .ours = fmt::format("{} on each card", gbRange(halved_low, halved_high)),
            .verdict = Slip,
            .remark = fmt::format("A slip of wording: the figure is per card, {} on both. The formula's picture is "
                                  "missing.",
                gbRange(kCards * halved_low, kCards * halved_high)),
            .value = inGb(halved_high),
            .article_value = 100,
            .unit = "GB"},
        {.id = "S1-15",
            .statement = "Activations per card do not shrink with the number of cards",
            .theirs = "in general",
            .ours = fmt::format("tensor with sequence parallelism over {} cards brings {} (13B, 4096 tokens) to {}",
                kTensor, gb(micro_batch), gb(sequenceParallelActivationBytes(micro_batch, kTensor))),
            .verdict = Slip,
            .remark = "True of data parallelism with a fixed micro-batch; sequence, context and pipeline parallelism "
                      "divide activations."},
    };
}

} // namespace

std::vector<ArticleRow> bimantRows()
{
    auto rows = loadRows();
    for (auto part : {optimizerRows, activationRows, totalRows})
        append(rows, part());
    return from(kBimant, std::move(rows));
}

} // namespace cardfit::articles
