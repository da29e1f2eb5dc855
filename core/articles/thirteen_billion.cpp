// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include <fmt/format.h>

#include "core/articles/rows.h"
#include "core/rules_of_thumb.h"

namespace cardfit::articles {

namespace {

using enum ArticleRow::Verdict;
using namespace rules;

constexpr auto kThirteen = billions(13);
constexpr TransformerSize kThirteenSize{.sequence_length = 4096, .hidden_size = 5120, .layers = 40};
constexpr std::int64_t kThirteenHeads = 40;
constexpr std::int64_t kGlobalBatch = 1024;
constexpr Bytes kCard80{80'000'000'000}; ///< the article's 80 GB
constexpr Bytes kRealCard = toBytes(Mebibytes(81'920)); ///< what the driver of an A100-80GB reports
constexpr Bytes kCard24{24'000'000'000}; ///< A10, RTX 4090

Bytes thirteenStates() { return kThirteen * kMegatronWidths.total(); }

/// As the article rounds them.
Bytes activations() { return roundToGigabytes(activationBytes(kThirteenSize)); }

/// The article's list with its rounded activations, and the same with exact ones.
struct CardLists {
    std::vector<ArticleCard> rounded;
    std::vector<ArticleCard> exact;
};

CardLists cardLists(const ArticleLayout& layout)
{
    return {articleCards(kThirteen, activations(), layout), articleCards(kThirteen, kThirteenSize, layout)};
}

/// Four stages; with two replicas (and ZeRO-1) there are eight cards.
ArticleLayout fourStages(std::int64_t data)
{
    return {.pipeline = 4, .data = data, .microbatches = microBatchesPerStep(kGlobalBatch, data, 1), .zero1 = data > 1};
}

std::string fitText(Bytes needed) { return needed <= kCard80 ? "fits in " + gb(kCard80) : "exceeds " + gb(kCard80); }

/// The `card`-th card of a list, counted from 1.
ArticleRow cardRow(ArticleRow row, const CardLists& lists, std::size_t card)
{
    const auto rounded = lists.rounded.at(card - 1).total();
    const auto exact = lists.exact.at(card - 1).total();
    row.ours = fmt::format("{}, {} ({} without rounding)", gb(rounded), fitText(rounded), gb(exact));
    row.value = inGb(rounded);
    row.unit = "GB";
    return row;
}

std::string zero1Answer()
{
    const auto available = kCard80 - activations();
    if (const auto data = fewestZero1Replicas(kThirteen, available)) return fmt::format("from d = {} on", *data);
    return fmt::format(
        "no d: {} stay on every card, {} are free", gb(kThirteen * kMegatronWidths.replicated()), gb(available));
}

std::vector<ArticleRow> stateRows()
{
    const auto cards = minimumCards(thirteenStates(), kCard80);
    const auto cards_with_activations = minimumCards(thirteenStates() + activations(), kCard80);
    return {
        {.id = "S0-1",
            .statement = "Bytes per parameter of Megatron's mixed precision: bf16 weights, fp32 gradients, fp32 "
                         "master copy, Adam's two moments",
            .theirs = "18",
            .ours = number(kMegatronWidths.total().value()),
            .value = kMegatronWidths.total().value(),
            .article_value = 18,
            .unit = "bytes per parameter"},
        {.id = "S0-2",
            .statement = "Model states of 13 billion parameters",
            .theirs = "234 GB",
            .ours = gb(thirteenStates()),
            .value = inGb(thirteenStates()),
            .article_value = 234,
            .unit = "GB"},
        {.id = "S0-3",
            .statement = "Fewest 80 GB cards for these model states",
            .theirs = "at least 4",
            .ours = fmt::format("{}; {} with activations", cards, cards_with_activations),
            .verdict = Slip,
            .remark = fmt::format("The states alone fill {} cards, which rounds up to {}; it takes {} only once "
                                  "activations are counted too ({} cards).",
                number(thirteenStates() / kCard80, 3), cards, cards_with_activations,
                number((thirteenStates() + activations()) / kCard80)),
            .value = static_cast<double>(cards),
            .article_value = 4,
            .unit = "cards"},
        {.id = "S0-4",
            .statement = "Activations of one micro-batch, 40 s h L bytes with s = 4096, h = 5120, L = 40",
            .theirs = "34 GB",
            .ours = fmt::format("{} = {}", gb(activationBytes(kThirteenSize), 3), gib(activationBytes(kThirteenSize))),
            .remark = fmt::format("Rounded up. The first 40 is bytes, the last one layers. Attention scores are "
                                  "assumed not to be kept: Korthikanti's count is {} then, and {} if they are.",
                gb(fusedAttentionActivationBytes(kThirteenSize)),
                gb(unfusedAttentionActivationBytes(kThirteenSize, kThirteenHeads), 1)),
            .value = inGb(activationBytes(kThirteenSize)),
            .article_value = 34,
            .unit = "GB"},
        {.id = "S0-5",
            .statement = "Bytes per parameter with ZeRO-1 over d replicas",
            .theirs = "6 + 12/d",
            .ours = fmt::format("{} + {}/d: {} at d = 2, {} at d = 8", number(kMegatronWidths.replicated().value()),
                number(kMegatronWidths.sharded().value()), number(zero1BytesPerParameter(2).value()),
                number(zero1BytesPerParameter(8).value())),
            .remark = "Weights and gradients stay whole on every card; master copy and moments are divided."},
        {.id = "S0-6",
            .statement = "ZeRO-1 alone on 80 GB cards, activations included",
            .theirs = "no solution",
            .ours = zero1Answer(),
            .value = inGb(kThirteen * kMegatronWidths.replicated()),
            .unit = "GB"},
    };
}

std::vector<ArticleRow> stageCountRows()
{
    constexpr std::int64_t kStages = 4;
    const auto least_stages = minimumCards(thirteenStates() + activations(), kCard80);
    const ScheduleRequest schedule{
        .schedule = Schedule::OneFOneB, .stages = kStages, .microbatches = fourStages(1).microbatches, .group = {}};
    return {
        {.id = "S0-7",
            .statement = "Pipeline stages needed when each holds one micro-batch",
            .theirs = "p >= 4",
            .ours = fmt::format(
                "p >= {} ({} by division)", least_stages, number((thirteenStates() + activations()) / kCard80)),
            .value = static_cast<double>(least_stages),
            .article_value = 4,
            .unit = "stages"},
        {.id = "S0-8",
            .statement = "One card of four stages with one micro-batch in flight",
            .theirs = "67 GB",
            .ours = fmt::format("{} ({} without rounding)", gb(share(thirteenStates() + activations(), kStages)),
                gb(share(thirteenStates() + activationBytes(kThirteenSize), kStages))),
            .value = inGb(share(thirteenStates() + activations(), kStages)),
            .article_value = 67,
            .unit = "GB"},
        {.id = "S0-9",
            .statement = "Micro-batches that rank i of a four-stage 1F1B pipeline holds, p - i + 1",
            .theirs = "4, 3, 2, 1",
            .ours = list(simulatedInFlight(schedule)),
            .remark = "Found by running the schedule. The rule in full is min(m, p - i + 1)."},
    };
}

std::vector<ArticleRow> fourCardRows()
{
    const auto lists = cardLists(fourStages(1));
    const auto second = lists.rounded.at(1).total();
    return {
        cardRow({.id = "S0-10", .statement = "Four stages, card 1", .theirs = "bursts"}, lists, 1),
        cardRow({.id = "S0-11",
                    .statement = "Four stages, card 2",
                    .theirs = "bursts",
                    .remark = fmt::format("In GB it does. As {} it is below the {} that an A100-80GB has, so that "
                                          "there the answer is: tight.",
                        gib(second), gib(kRealCard))},
            lists, 2),
        cardRow({.id = "S0-12",
                    .statement = "Four stages, card 3",
                    .theirs = "bursts",
                    .verdict = Slip,
                    .remark = fmt::format("Two micro-batches in flight: {} + {} is less than {}.",
                        gb(lists.rounded.at(2).states), gb(lists.rounded.at(2).activations), gb(kCard80))},
            lists, 3),
        cardRow({.id = "S0-13", .statement = "Four stages, card 4", .theirs = "fits"}, lists, 4),
    };
}

std::vector<ArticleRow> batchRows()
{
    ArticleLayout single = fourStages(1);
    single.microbatches = 1;
    const auto first = cardLists(single).rounded.front().total();
    const auto two_replicas = fourStages(2);
    const auto tokens = kGlobalBatch * kThirteenSize.sequence_length;
    return {
        {.id = "S0-14",
            .statement = "A batch of one switches 1F1B's stacking of micro-batches off",
            .theirs = "fits",
            .ours = fmt::format("{} on every card, {} of the time idle", gb(first),
                percent(bubbleFraction(single.pipeline, single.microbatches))),
            .remark = "True, and paid for with the largest bubble there is.",
            .value = inGb(first),
            .unit = "GB"},
        {.id = "S0-15",
            .statement = "Samples of 4096 tokens per optimizer step",
            .theirs = "1024",
            .ours = fmt::format("{} tokens per step; with d = 2 it is {} micro-batches and a bubble of {}",
                grouped(tokens), two_replicas.microbatches,
                percent(bubbleFraction(two_replicas.pipeline, two_replicas.microbatches))),
            .value = static_cast<double>(tokens),
            .unit = "tokens"},
    };
}

std::vector<ArticleRow> eightCardRows()
{
    const auto four = cardLists(fourStages(2));
    const auto eight = cardLists({.pipeline = 8, .microbatches = microBatchesPerStep(kGlobalBatch, 1, 1)});
    const auto& third = four.rounded.at(2);

    auto deep = cardRow(
        {.id = "S0-20", .statement = "Eight stages, card 1", .theirs = "63.25 GB", .article_value = 63.25}, eight, 1);
    deep.remark = "Cards 2 to 8:";
    for (std::size_t card = 1; card < eight.rounded.size(); ++card) {
        deep.remark += fmt::format("{}{}", card == 1 ? " " : ", ", number(inGb(eight.rounded[card].total())));
    }
    deep.remark += " GB.";

    return {
        cardRow({.id = "S0-16",
                    .statement = "Four stages, ZeRO-1 over two replicas, cards 1 and 2",
                    .theirs = "73 GB",
                    .remark = "The formula as printed lacks a closing bracket.",
                    .article_value = 73},
            four, 1),
        cardRow({.id = "S0-17",
                    .statement = "The same, cards 3 and 4",
                    .theirs = "64 GB",
                    .verdict = Slip,
                    .remark = fmt::format("Cut off: {} + {}.", number(inGb(third.states)), gb(third.activations)),
                    .article_value = 64},
            four, 3),
        cardRow(
            {.id = "S0-18", .statement = "The same, cards 5 and 6", .theirs = "56 GB", .article_value = 56}, four, 5),
        cardRow({.id = "S0-19", .statement = "The same, cards 7 and 8", .theirs = "47.5 GB", .article_value = 47.5},
            four, 7),
        deep,
    };
}

/// States on one card of LLaMA-13B in four stages of ten layers, ZeRO-1 over two replicas.
struct LlamaStates {
    Bytes first; ///< with the embedding
    Bytes middle;
};

LlamaStates llamaStates()
{
    const auto layers = kLlama13B.layers / 4 * llamaLayerParameters(kLlama13B);
    const auto width = zero1BytesPerParameter(2);
    return {(layers + llamaEmbeddingParameters(kLlama13B)) * width, layers * width};
}

std::vector<ArticleRow> caveatRows()
{
    constexpr std::int64_t kStages = 4;
    constexpr std::int64_t kChunks = 2;
    const auto chunks_in_flight = interleavedChunksInFlight(kStages, 1, kChunks);
    const auto llama = llamaStates();
    const auto named_parameters = static_cast<double>(llamaParameters(kLlama13B).value()) / 1e9;
    return {
        {.id = "S0-21",
            .statement = "The schedule is interleaved 1F1B",
            .theirs = "interleaved",
            .ours = fmt::format("plain 1F1B: {} in flight on rank 1; interleaved with v = {} holds {} times as much, "
                                "{} chunks or {} micro-batches",
                oneFOneBInFlight(kStages, 1), kChunks, number(interleavedFactor(kStages, kChunks), 3), chunks_in_flight,
                number(static_cast<double>(chunks_in_flight) / static_cast<double>(kChunks))),
            .verdict = Slip,
            .remark = "A wrong term. With v chunks per rank the factor is 1 + (p - 1)/(p v), and rank i runs "
                      "2 (p - i) + (v - 1) p chunks ahead, plus the one at work."},
        {.id = "S0-22",
            .statement = "Real use is a little above the estimate",
            .theirs = "39 GB of states per card",
            .ours = fmt::format("LLaMA-13B has {} billion parameters: {} of states on the first stage, {} on the "
                                "second",
                number(named_parameters, 3), gb(llama.first), gb(llama.middle)),
            .verdict = Flag,
            .remark = "Embedding and head sit on the outer stages. On top come the device context (0.5 to 1.3 GB), "
                      "communication buffers and fragmentation.",
            .value = inGb(llama.first),
            .article_value = 39,
            .unit = "GB"},
        {.id = "S0-23",
            .statement = "Tensor parallelism: one communication for two matrix products, norms whole on every rank, "
                         "not beyond one node",
            .theirs = "up to 8 ways",
            .ours = fmt::format("the whole norms cost {} per card, states included",
                mb(llamaNormParameters(kLlama13B) * kMegatronWidths.total())),
            .remark = "For layers that one card cannot hold, or to level the stages of a pipeline."},
    };
}

std::vector<ArticleRow> sizeRows()
{
    constexpr auto kSix = billions(6);
    constexpr auto kSeventy = billions(70);
    const auto training = kSix * kMegatronWidths.total();
    const auto int8 = kThirteen * bytesPerValue(NumberFormat::Int8);
    const auto int4 = kThirteen * bytesPerValue(NumberFormat::Int4);
    const auto seven_share = share(billions(7) * kMegatronWidths.total(), 8);
    const auto seventy_share = share(kSeventy * kMegatronWidths.total(), 80);
    const auto seventy_cards = minimumCards(kSeventy * kMegatronWidths.total(), kCard80);
    return {
        {.id = "S0-24",
            .statement = "6 billion parameters can be deployed and trained on cards of 12 to 24 GB",
            .theirs = "up to 24 GB",
            .ours = fmt::format("{} of weights, {} of states in training", gb(fileBytes(kSix)), gb(training)),
            .verdict = Flag,
            .remark = "True of inference and of LoRA or QLoRA, not of full training.",
            .value = inGb(training),
            .article_value = 24,
            .unit = "GB"},
        {.id = "S0-25",
            .statement = "13 billion quantised parameters on a 24 GB card",
            .theirs = "fits",
            .ours = fmt::format("int8 {}, int4 {}: {}", gb(int8), gb(int4), int8 <= kCard24 ? "fits" : "does not fit"),
            .remark = "The weights alone; whatever else inference keeps has to find room beside them.",
            .value = inGb(int8),
            .unit = "GB"},
        {.id = "S0-26",
            .statement = "7B is trained in units of 8 cards, 70B in units of 80",
            .theirs = "8 and 80 cards",
            .ours = fmt::format("{} and {} of states per card; {} cards of 80 GB hold the states of 70B",
                gb(seven_share), gb(seventy_share), seventy_cards),
            .verdict = Flag,
            .remark = "The units keep the load per card equal and set the speed; they are not what memory asks for.",
            .value = static_cast<double>(seventy_cards),
            .article_value = 80,
            .unit = "cards"},
        {.id = "S0-27",
            .statement = "Usual model sizes, in billions of parameters",
            .theirs = "1.4, 2.8, 6, 7, 13, 16, 34, 52, 56, 65, 70, 100, 130, 170, 220",
            .ours = fmt::format("{}", fmt::join(kSizeLadder, ", ")),
            .remark = "Marks on the scale of model sizes."},
    };
}

} // namespace

std::vector<ArticleRow> thirteenBillionRows()
{
    auto rows = stateRows();
    for (auto part : {stageCountRows, fourCardRows, batchRows, eightCardRows, caveatRows, sizeRows}) {
        append(rows, part());
    }
    return from(kThirteenBillion, std::move(rows));
}

} // namespace cardfit::articles
