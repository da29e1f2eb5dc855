// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include <fmt/format.h>

#include "core/articles/rows.h"
#include "core/rules_of_thumb.h"

namespace cardfit::articles {

namespace {

using enum ArticleRow::Verdict;
using namespace rules;

constexpr auto kBillion = billions(1);
constexpr std::int64_t kStages = 4;
constexpr std::int64_t kMicrobatches = 4;

ScheduleRequest request(Schedule schedule)
{
    return {.schedule = schedule, .stages = kStages, .microbatches = kMicrobatches, .group = {}};
}

std::vector<std::int64_t> weightCopies(Schedule schedule)
{
    std::vector<std::int64_t> copies;
    for (std::int64_t rank = 0; rank < kStages; ++rank)
        copies.push_back(weightVersions(request(schedule), rank));
    return copies;
}

/// "100 %, 75 %, 50 %, 25 %": micro-batches in flight times the stage's share of the layers, by rank.
std::string activationShares()
{
    std::string shares;
    for (std::int64_t rank = 1; rank <= kStages; ++rank) {
        const auto held = oneFOneBInFlight(kStages, rank, kMicrobatches);
        shares += (rank > 1 ? ", " : "") + percent(static_cast<double>(held) / static_cast<double>(kStages));
    }
    return shares;
}

std::vector<ArticleRow> parameterRows()
{
    const auto fp32 = kBillion * bytesPerValue(NumberFormat::Fp32);
    const auto fp16 = kBillion * bytesPerValue(NumberFormat::Fp16);
    const auto gradient_multiple = uniformWidths(NumberFormat::Fp32, kAdamStates).gradients
        / uniformWidths(NumberFormat::Fp32, kAdamStates).weights;
    return {
        {.id = "S2-1",
            .statement = "A billion parameters in fp32 and in fp16",
            .theirs = "4 G and 2 G",
            .ours = fmt::format("{} = {} and {} = {}", gb(fp32), gib(fp32, 3), gb(fp16), gib(fp16, 3)),
            .verdict = Flag,
            .remark = "The article leaves open whether its G is 1000 M or 1024 M.",
            .value = inGb(fp32),
            .article_value = 4,
            .unit = "GB"},
        {.id = "S2-2",
            .statement = "Gradients, in multiples of the parameters",
            .theirs = "1",
            .ours = number(gradient_multiple),
            .value = gradient_multiple,
            .article_value = 1,
            .unit = "times"},
        {.id = "S2-3",
            .statement = "What SGD, momentum and Adam keep, in multiples of the parameters",
            .theirs = "0, 1, 2",
            .ours = list({kSgdStates, kMomentumStates, kAdamStates})},
    };
}

std::vector<ArticleRow> trainingSizeRows()
{
    const auto fp32 = uniformWidths(NumberFormat::Fp32, kAdamStates).total();
    const auto bf16 = uniformWidths(NumberFormat::Bf16, kAdamStates).total();
    return {
        {.id = "S2-4",
            .statement = "Training a billion parameters with Adam, all in fp32",
            .theirs = "16 G",
            .ours = gb(kBillion * fp32),
            .value = inGb(kBillion * fp32),
            .article_value = 16,
            .unit = "GB"},
        {.id = "S2-5",
            .statement = "The same, all in bf16",
            .theirs = "8 G",
            .ours = gb(kBillion * bf16),
            .value = inGb(kBillion * bf16),
            .article_value = 8,
            .unit = "GB"},
        {.id = "S2-6",
            .statement = "The same in mixed precision: take each part in its own format",
            .theirs = "no figure",
            .ours = fmt::format("{} or {} bytes per parameter, with 2- or 4-byte gradients",
                number(kMixedWidths.total().value()), number(kMegatronWidths.total().value())),
            .remark = fmt::format("That fp32 takes {} too is a coincidence.", number(fp32.value())),
            .value = kMegatronWidths.total().value(),
            .unit = "bytes per parameter"},
    };
}

std::vector<ArticleRow> pipelineRows()
{
    return {
        {.id = "S2-7",
            .statement = "Busy share of the time of four stages that work one after another",
            .theirs = "a figure",
            .ours = percent(naiveUtilization(kStages)),
            .value = 100.0 * naiveUtilization(kStages),
            .unit = "%"},
        {.id = "S2-8",
            .statement = "Memory of one of p stages is 1/p of the whole",
            .theirs = "1/p",
            .ours = fmt::format("states {} each; activations of 1F1B with four stages {} of one micro-batch of the "
                                "whole model",
                percent(1.0 / static_cast<double>(kStages)), activationShares()),
            .verdict = Flag,
            .remark = "Holds for states. Activations follow the micro-batches in flight."},
        {.id = "S2-9",
            .statement = "Bubble of GPipe with four stages and four micro-batches",
            .theirs = "a figure",
            .ours = percent(bubbleFraction(kStages, kMicrobatches)),
            .remark = "The figure's micro-batches 1 to 8 are two batches of four.",
            .value = 100.0 * bubbleFraction(kStages, kMicrobatches),
            .unit = "%"},
        {.id = "S2-10",
            .statement = "Micro-batches held by each rank, GPipe and 1F1B, four stages and four micro-batches",
            .theirs = "a figure",
            .ours = fmt::format("GPipe {}; 1F1B {}", list(simulatedInFlight(request(Schedule::GPipe))),
                list(simulatedInFlight(request(Schedule::OneFOneB)))),
            .remark = "Found by running the schedules; the rules are m and min(m, p - i + 1)."},
        {.id = "S2-11",
            .statement = "PipeDream runs forward and backward with the same parameters",
            .theirs = "one set of weights",
            .ours = fmt::format("PipeDream keeps {} versions of a stage's weights, 1F1B with a flush {}",
                list(weightCopies(Schedule::PipeDream)), list(weightCopies(Schedule::OneFOneB))),
            .verdict = Slip,
            .remark = "PipeDream stashes the version that each micro-batch in flight has seen; only with a flush at "
                      "every step does one suffice."},
    };
}

std::vector<ArticleRow> parallelismRows()
{
    return {
        {.id = "S2-12",
            .statement = "Data parallelism gathers gradients at a parameter server",
            .theirs = "parameter server",
            .ours = "all-reduce among the replicas, or ZeRO's reduce-scatter and all-gather",
            .verdict = Slip,
            .remark = "Out of date, and the text stands under the heading of tensor parallelism."},
        {.id = "S2-13",
            .statement = "Tensor parallelism splits the matrices of MLP and attention by columns, then by rows",
            .theirs = "columns, rows",
            .ours = "columns, rows"},
    };
}

} // namespace

std::vector<ArticleRow> parametersToMemoryRows()
{
    auto rows = parameterRows();
    for (auto part : {trainingSizeRows, pipelineRows, parallelismRows})
        append(rows, part());
    return from(kParametersToMemory, std::move(rows));
}

} // namespace cardfit::articles
