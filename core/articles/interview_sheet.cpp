// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include <fmt/format.h>

#include "core/articles/rows.h"
#include "core/rules_of_thumb.h"

namespace cardfit::articles {

namespace {

using enum ArticleRow::Verdict;
using namespace rules;

constexpr auto kSix = billions(6);
constexpr auto kSeven = billions(7);
constexpr auto kSixtyFive = billions(65);
constexpr Bytes kSmallCard{32'000'000'000}; ///< V100-32G
constexpr Bytes kSheetCard{80'000'000'000};
constexpr Bytes kObserved{160'000'000'000}; ///< Vicuna-7B trained with FSDP
constexpr Mebibytes kContextOnMeter{1343};
constexpr TransformerSize kSevenSize{.sequence_length = 2048, .hidden_size = 4096, .layers = 32};
constexpr std::int64_t kIntermediateSize = 11008;
constexpr std::int64_t kSheetBatch = 50;
constexpr Teraflops kPeak{312}; ///< A100, dense bf16
constexpr double kPublishedTokensPerSecond = 3300;

double trainingThroughput() { return tokensPerSecond(3, 2048, Seconds(4)); }

Bytes sampleActivations()
{
    return activationBytesPerSample(kSevenSize, kIntermediateSize, bytesPerValue(NumberFormat::Int8));
}

Bytes int8Total() { return uniformTrainingBytes(kSix, NumberFormat::Int8); }

std::vector<ArticleRow> inferenceRows()
{
    constexpr std::int64_t kFour = 4;
    const auto weights = fileBytes(kSixtyFive);
    const auto training = fullTrainingBytes(kSixtyFive);
    const auto four_cards = kFour * kSmallCard;
    const auto int4 = kSixtyFive * bytesPerValue(NumberFormat::Int4);
    return {
        {.id = "S3-1",
            .statement = "File, and memory at inference, of n billion parameters in fp16",
            .theirs = "2n GB",
            .ours = fmt::format("{} per billion", gb(fileBytes(billions(1)))),
            .value = inGb(fileBytes(billions(1))),
            .article_value = 2,
            .unit = "GB"},
        {.id = "S3-2",
            .statement = "65 billion parameters on four V100 of 32 GB",
            .theirs = "no, 5 cards",
            .ours = fmt::format("{}, {} cards: {} in {}", weights <= four_cards ? "yes" : "no",
                minimumCards(weights, kSmallCard), gb(weights), gb(four_cards)),
            .remark = fmt::format("For the weights only, {} short. Training them takes {}, {} cards.",
                gb(weights - four_cards), gb(training), minimumCards(training, kSmallCard)),
            .value = static_cast<double>(minimumCards(weights, kSmallCard)),
            .article_value = 5,
            .unit = "cards"},
        {.id = "S3-3",
            .statement = "FlashAttention needs a card of the Turing generation or later",
            .theirs = "Turing",
            .ours = "version 1 from Turing on, version 2 from Ampere on, version 3 Hopper",
            .verdict = Flag,
            .remark = "Depends on the version; a plan has to ask what the card can do."},
        {.id = "S3-4",
            .statement = "Least memory for 65 billion parameters in int4 with LoRA",
            .theirs = "about 50 GB",
            .ours = fmt::format("{} of weights, more with everything else", gb(int4)),
            .remark = "Plausible: adapter, activations and buffers come on top of the weights.",
            .value = inGb(int4),
            .unit = "GB"},
    };
}

std::vector<ArticleRow> trainingRows()
{
    const BytesPerParameter observed(static_cast<double>(kObserved.value()) / static_cast<double>(kSeven.value()));
    return {
        {.id = "S3-5",
            .statement = "Bytes per parameter of full training, 2 + 2 + 12",
            .theirs = "16n",
            .ours = number(kMixedWidths.total().value()) + "n",
            .value = kMixedWidths.total().value(),
            .article_value = 16,
            .unit = "bytes per parameter"},
        {.id = "S3-6",
            .statement = "Full training of 7 billion parameters",
            .theirs = "112 GB",
            .ours = gb(fullTrainingBytes(kSeven)),
            .value = inGb(fullTrainingBytes(kSeven)),
            .article_value = 112,
            .unit = "GB"},
        {.id = "S3-7",
            .statement = "Vicuna-7B was seen to take 160 GB with FSDP, so 20n is the least",
            .theirs = "20n",
            .ours = number(observed.value()) + "n",
            .verdict = Slip,
            .remark = fmt::format(
                "20n gives {}, less than the {} it is drawn from.", gb(trainingMinimumBytes(kSeven)), gb(kObserved)),
            .value = observed.value(),
            .article_value = 20,
            .unit = "bytes per parameter"},
    };
}

std::vector<ArticleRow> int8Rows()
{
    const auto weights = [](NumberFormat format) { return kSix * bytesPerValue(format); };
    const auto moments = [](NumberFormat format) { return kSix * uniformWidths(format, kAdamStates).optimizer; };
    const auto llama = static_cast<double>(llamaParameters(kLlama7B).value()) / 1e9;
    return {
        {.id = "S3-8",
            .statement = "Weights of LLaMA-6B in fp32 and int8",
            .theirs = "24 and 6 GB",
            .ours = fmt::format("{} and {}", gb(weights(NumberFormat::Fp32)), gb(weights(NumberFormat::Int8))),
            .verdict = Flag,
            .remark = fmt::format("The shape given is that of LLaMA-7B, {} billion parameters.", number(llama)),
            .value = inGb(weights(NumberFormat::Fp32)),
            .article_value = 24,
            .unit = "GB"},
        {.id = "S3-9",
            .statement = "AdamW's moments for it in fp32 and int8",
            .theirs = "48 and 12 GB",
            .ours = fmt::format("{} and {}", gb(moments(NumberFormat::Fp32)), gb(moments(NumberFormat::Int8))),
            .verdict = Flag,
            .remark = "The sum is right, but nobody trains with plain int8 moments and gradients.",
            .value = inGb(moments(NumberFormat::Fp32)),
            .article_value = 48,
            .unit = "GB"},
        {.id = "S3-10",
            .statement = "CUDA context, 1343 MB on the meter",
            .theirs = "1.3 GB",
            .ours = gb(kDeviceContext),
            .remark = fmt::format("A fair default. If the meter is nvidia-smi its M is 2^20, and the context {}.",
                gb(toBytes(kContextOnMeter))),
            .value = inGb(kDeviceContext),
            .article_value = 1.3,
            .unit = "GB"},
        {.id = "S3-11",
            .statement = "Training in int8, 6 + 6 + 12 + 1.3",
            .theirs = "25.3 GB",
            .ours = gb(int8Total()),
            .remark =
                fmt::format("In fp32 the same terms come to {}.", gb(uniformTrainingBytes(kSix, NumberFormat::Fp32))),
            .value = inGb(int8Total()),
            .article_value = 25.3,
            .unit = "GB"},
    };
}

std::vector<ArticleRow> sampleRows()
{
    const auto sample = sampleActivations();
    const auto batch = int8Total() + kSheetBatch * sample;
    return {
        {.id = "S3-12",
            .statement = "Activations of one sample, (4096 + 11008) x 2048 x 32 x 1",
            .theirs = "990 MB",
            .ours = fmt::format("{} = {} MiB", mb(sample), number(static_cast<double>(sample.value()) / (1 << 20))),
            .verdict = Flag,
            .remark = "Counts one hidden and one MLP vector per layer; queries, keys, values and attention are left "
                      "out.",
            .value = inMb(sample),
            .article_value = 990,
            .unit = "MB"},
        {.id = "S3-13",
            .statement = "Samples per batch on an 80 GB card",
            .theirs = "50",
            .ours = fmt::format(
                "{} take {}; up to {} fit", kSheetBatch, gb(batch), samplesThatFit(kSheetCard, int8Total(), sample)),
            .remark = "On the safe side.",
            .value = inGb(batch),
            .unit = "GB"},
    };
}

std::vector<ArticleRow> rateRows()
{
    const auto by_flops = utilizationByFlops(Teraflops(100), kPeak);
    const auto by_paper = utilizationByThroughput(trainingThroughput(), kPublishedTokensPerSecond);
    const auto published = modelFlopsUtilization(llamaParameters(kLlama7B), kPublishedTokensPerSecond, kPeak);
    return {
        {.id = "S3-14",
            .statement = "Utilisation by FLOPs, 100 of 312 teraflops",
            .theirs = "32.05 %",
            .ours = percent(by_flops),
            .value = 100.0 * by_flops,
            .article_value = 32.05,
            .unit = "%"},
        {.id = "S3-15",
            .statement = "Throughput of 3 samples of 2048 tokens in 4 seconds",
            .theirs = "1536 tokens/s per card",
            .ours = fmt::format("{} tokens/s per card", number(trainingThroughput())),
            .value = trainingThroughput(),
            .article_value = 1536,
            .unit = "tokens/s"},
        {.id = "S3-16",
            .statement = "Utilisation against a published 3300 tokens/s per card",
            .theirs = "46.54 %",
            .ours = percent(by_paper),
            .verdict = Slip,
            .remark = fmt::format("Cut off instead of rounded. Nor is it a share of the card: 3300 tokens/s is {} of "
                                  "the peak by itself, so this is {}.",
                percent(published), percent(published * by_paper)),
            .value = 100.0 * by_paper,
            .article_value = 46.54,
            .unit = "%"},
        {.id = "S3-17",
            .statement = "Length of TF32, 1 + 8 + 10",
            .theirs = "19 bits",
            .ours = fmt::format("{} bits", kTf32.length()),
            .value = static_cast<double>(kTf32.length()),
            .article_value = 19,
            .unit = "bits"},
    };
}

std::vector<ArticleRow> practiceRows()
{
    return {
        {.id = "S3-18",
            .statement = "Over PCIe, ZeRO-3's AllGather and ReduceScatter take longer than the computation",
            .theirs = "communication dominates",
            .ours = fmt::format("{} through every card's link for one forward and backward pass of 7B in 16 bits",
                gb(zero3TrafficBytes(kSeven))),
            .remark = "The larger the micro-batch, the more computation there is to hide it behind."},
        {.id = "S3-19",
            .statement = "Ways to find the utilisation, ranked: FLOPs ratio (1), published throughput (2), profiler "
                         "trace (3)",
            .theirs = "accuracy 3 > 1 > 2, ease 2 > 1 > 3",
            .ours = "taken as it stands",
            .remark = "The published throughput inherits the paper's own utilisation, as S3-16 shows."},
        {.id = "S3-20",
            .statement = "Commands that measure what is predicted here",
            .theirs = "nvidia-smi topo -m, deviceQuery, ds_report, flops_profiler, torch profiler, iftop",
            .ours = "links: nvidia-smi topo -m; card: deviceQuery; installation: ds_report; FLOPs: flops_profiler in "
                    "the DeepSpeed JSON; kernels: torch profiler; network: iftop",
            .remark = "To be run beside a prediction, not instead of one."},
    };
}

} // namespace

std::vector<ArticleRow> interviewSheetRows()
{
    auto rows = inferenceRows();
    for (auto part : {trainingRows, int8Rows, sampleRows, rateRows, practiceRows})
        append(rows, part());
    return from(kInterviewSheet, std::move(rows));
}

} // namespace cardfit::articles
