// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/error_band.h"

#include <algorithm>
#include <array>

#include "core/base/sentence.h"
#include "core/memory/states.h"
#include "core/time/collectives.h"
#include "core/time/passes.h"

namespace cardfit {

namespace {

constexpr RunClass calibrated(RunClass runs)
{
    runs.calibrated = true;
    return runs;
}

constexpr RunClass recurrentRuns(std::optional<Generation> card = {}, std::optional<MatrixFormat> format = {})
{
    RunClass runs;
    runs.card = card;
    runs.format = format;
    runs.recurrent = true;
    return runs;
}

constexpr RunClass adapterRuns()
{
    RunClass runs;
    runs.adapters = true;
    return runs;
}

/// 10th and 90th percentile of measured / predicted time, minus 1. If they change, tst_measured_time prints the new
/// table.
constexpr auto kBands = [] {
    using enum Generation;
    using enum MatrixFormat;
    constexpr auto any = std::nullopt;
    using Card = std::optional<Generation>;
    using Format = std::optional<MatrixFormat>;
    const auto dense = [](Card card, Format format) { return RunClass{false, false, false, card, format}; };
    const auto experts = [](Card card, Format format) { return RunClass{true, false, false, card, format}; };
    const auto launchBound = [](RunClass runs) {
        runs.launch_bound = true;
        return runs;
    };
    const auto at16k = [](RunClass runs) {
        runs.long_sequence = true;
        return runs;
    };
    return std::to_array<ClassBand>({
        {RunClass{}, {-0.100, 0.129, 621, Sentence::tr("any kind").english}, 10},
        {adapterRuns(), {-0.037, 0.044, 5, Sentence::tr("adapters of any kind").english}, 2},
        {recurrentRuns(), {-0.004, 0.211, 45, Sentence::tr("recurrent layers on any card").english}, 1},
        {calibrated(recurrentRuns()),
            {-0.049, 0.048, 44,
                Sentence::tr("recurrent layers, calibrated with another run of the same model").english},
            1},
        {recurrentRuns(Blackwell),
            {0.035, 0.217, 41, Sentence::tr("recurrent layers, Blackwell in any format").english}, 1},
        {recurrentRuns(Blackwell, Fp8), {0.024, 0.173, 28, Sentence::tr("recurrent layers, Blackwell fp8").english}, 1},
        {recurrentRuns(Blackwell, Fp4), {0.064, 0.295, 13, Sentence::tr("recurrent layers, Blackwell fp4").english}, 1},
        {RunClass{false}, {-0.104, 0.114, 512, Sentence::tr("dense of any kind").english}, 8},
        {calibrated({false}),
            {-0.128, 0.137, 479, Sentence::tr("dense, calibrated with another run of the same model").english}, 8},
        {dense(any, any), {-0.097, 0.140, 332, Sentence::tr("dense on any card").english}, 8},
        {dense(Ampere, any), {-0.100, 0.150, 216, Sentence::tr("dense Ampere in any format").english}, 5},
        {dense(Ampere, Bits16), {-0.100, 0.150, 216, Sentence::tr("dense Ampere 16-bit").english}, 5},
        {dense(Hopper, any), {-0.066, 0.088, 61, Sentence::tr("dense Hopper in any format").english}, 4},
        {dense(Hopper, Bits16), {-0.030, 0.088, 39, Sentence::tr("dense Hopper 16-bit").english}, 2},
        {dense(Hopper, Fp8), {-0.099, 0.050, 22, Sentence::tr("dense Hopper fp8").english}, 4},
        {dense(Blackwell, any), {-0.115, 0.045, 54, Sentence::tr("dense Blackwell in any format").english}, 3},
        {dense(Blackwell, Bits16), {-0.077, 0.055, 18, Sentence::tr("dense Blackwell 16-bit").english}, 1},
        {dense(Blackwell, Fp8), {-0.114, 0.045, 25, Sentence::tr("dense Blackwell fp8").english}, 2},
        {dense(Blackwell, Fp4), {-0.139, -0.026, 11, Sentence::tr("dense Blackwell fp4").english}, 2},
        {at16k(dense(any, any)), {-0.034, 0.045, 40, Sentence::tr("dense on any card, 16k tokens and more").english},
            3},
        {at16k(dense(Ampere, any)),
            {-0.032, 0.039, 21, Sentence::tr("dense Ampere in any format, 16k tokens and more").english}, 1},
        {at16k(dense(Ampere, Bits16)),
            {-0.032, 0.039, 21, Sentence::tr("dense Ampere 16-bit, 16k tokens and more").english}, 1},
        {at16k(dense(Hopper, any)),
            {-0.067, 0.055, 13, Sentence::tr("dense Hopper in any format, 16k tokens and more").english}, 2},
        {at16k(dense(Hopper, Bits16)),
            {-0.025, 0.015, 6, Sentence::tr("dense Hopper 16-bit, 16k tokens and more").english}, 1},
        {at16k(dense(Hopper, Fp8)), {-0.084, 0.069, 7, Sentence::tr("dense Hopper fp8, 16k tokens and more").english},
            2},
        {at16k(dense(Blackwell, any)),
            {0.012, 0.044, 6, Sentence::tr("dense Blackwell in any format, 16k tokens and more").english}, 1},
        {at16k(dense(Blackwell, Bits16)),
            {0.012, 0.044, 6, Sentence::tr("dense Blackwell 16-bit, 16k tokens and more").english}, 1},
        {launchBound(dense(any, any)), {-0.116, 0.067, 140, Sentence::tr("launch-bound dense on any card").english}, 1},
        {launchBound(dense(Ampere, any)),
            {-0.116, 0.067, 140, Sentence::tr("launch-bound dense Ampere in any format").english}, 1},
        {launchBound(dense(Ampere, Bits16)),
            {-0.116, 0.067, 140, Sentence::tr("launch-bound dense Ampere 16-bit").english}, 1},
        {RunClass{true}, {-0.108, 0.158, 59, Sentence::tr("experts of any kind").english}, 3},
        {calibrated({true}),
            {-0.094, 0.108, 50, Sentence::tr("experts, calibrated with another run of the same model").english}, 2},
        {experts(any, any), {-0.115, 0.170, 55, Sentence::tr("experts on any card").english}, 3},
        {experts(Hopper, any), {-0.071, 0.008, 6, Sentence::tr("experts Hopper in any format").english}, 1},
        {experts(Blackwell, any), {-0.123, 0.191, 49, Sentence::tr("experts Blackwell in any format").english}, 3},
        {experts(Blackwell, Bits16), {0.027, 0.294, 19, Sentence::tr("experts Blackwell 16-bit").english}, 2},
        {experts(Blackwell, Fp8), {-0.133, 0.122, 30, Sentence::tr("experts Blackwell fp8").english}, 2},
    });
}();

constexpr std::int64_t kLongSequence = 16384;

bool hasRecurrence(const Plan& plan)
{
    return layerKinds(plan.model.architecture).count([](LayerKind kind) { return kind.recurrent(); }) > 0;
}

/// Whether runs of this kind were measured; none was of a model that sees images.
bool measured(const Plan& plan) { return plan.workload.task != Task::Inference && plan.workload.image_tokens == 0; }

bool splitsContextWithoutTransformerEngine(const Plan& plan)
{
    return plan.parallelism.context > 1 && plan.recipe.kernels != Kernels::TransformerEngine;
}

/// Whether nobody published runs of the framework on the plan's generation of cards.
bool isRareFramework(const Plan& plan)
{
    const Generation card = plan.cluster.accelerator.generation;
    switch (plan.recipe.framework) {
    case Framework::Megatron:
        return card != Generation::Volta && card != Generation::Ampere && card != Generation::Hopper
            && card != Generation::Blackwell;
    case Framework::Fsdp: return card != Generation::Ampere && card != Generation::Hopper;
    case Framework::DeepSpeed: break;
    }
    return card != Generation::Ampere;
}

/// Experts' exchange between nodes without kernels made for it, or through ports of 100 Gb/s Ethernet and slower.
bool sendsTokensBetweenNodes(const Plan& plan)
{
    return plan.model.architecture.moe && rankGroup(plan, RankSet::Expert).level() == NetworkLevel::Network;
}

bool exchangesShardsBare(const Plan& plan)
{
    return stateLayout(plan).weights_sharded && !hidesExchanges(plan, replicas(plan));
}

bool hasWeightsOf16Bits(const Plan& plan) { return plan.recipe.precision == Precision::Bf16Pure; }
bool keepsStatesOnHost(const Plan& plan)
{
    return plan.recipe.offload.parameters + plan.recipe.offload.optimizer > 0.0;
}
bool keepsActivationsOnHost(const Plan& plan) { return plan.recipe.offload.activations > 0.0; }
bool hasInstances(const Plan& plan) { return plan.recipe.optimizer_instances > 1; }
bool updatesOtherwise(const Plan& plan)
{
    return plan.recipe.optimizer != Optimizer::Adam || plan.recipe.optimizer_in_backward;
}
/// Software of any time on cards whose kernels became faster with its releases: PyTorch's attention on Hopper
/// (KernelClock), everything on Blackwell (softwareFactor()).
bool hasAnySoftware(const Plan& plan)
{
    const GenerationTraits& card = traits(plan.cluster.accelerator.generation);
    return plan.recipe.software.empty() && (card.tuned || card.outruns_flash2);
}
bool gathersUnderPipeline(const Plan& plan)
{
    return plan.recipe.framework == Framework::Fsdp && plan.parallelism.pipeline > 1;
}

} // namespace

InplaceVector<RunClass, 5> runClasses(const Plan& plan, const OperatorTables& tables)
{
    InplaceVector<RunClass, 5> classes;
    if (!measured(plan)) return classes;
    if (trainsAdapters(plan)) {
        classes.push_back(adapterRuns());
        classes.push_back({});
        return classes;
    }
    const Generation card = plan.cluster.accelerator.generation;
    const MatrixFormat format = formatOf(plan.recipe.precision);
    if (hasRecurrence(plan)) {
        for (const RunClass& runs : {recurrentRuns(card, format), recurrentRuns(card), recurrentRuns(), RunClass{}})
            classes.push_back(runs);
        return classes;
    }
    RunClass runs{plan.model.architecture.moe.has_value(), waitsForHost(plan, tables),
        plan.workload.sequence_length >= kLongSequence, card, format};
    classes.push_back(runs);
    runs.format.reset();
    classes.push_back(runs);
    runs.card.reset();
    classes.push_back(runs);
    classes.push_back({runs.experts});
    classes.push_back({});
    return classes;
}

RunClass calibratedClass(const Plan& plan)
{
    return calibrated(hasRecurrence(plan) ? recurrentRuns() : RunClass{plan.model.architecture.moe.has_value()});
}

std::span<const ClassBand> errorBands() { return kBands; }

ErrorBand bandFrom(std::span<const RunClass> classes, std::span<const ClassBand> bands)
{
    ErrorBand shown;
    double sources = 1.0;
    for (const RunClass& runs : classes) {
        const auto found = std::ranges::find(bands, runs, &ClassBand::runs);
        if (found == bands.end()) continue;
        if (shown.cases == 0) shown = found->band;
        shown.below = std::min(shown.below, found->band.below);
        shown.above = std::max(shown.above, found->band.above);
        sources = static_cast<double>(found->sources);
        if (found->sources > 1) break;
    }
    const double more = 0.5 * (shown.above - shown.below) / sources;
    shown.below -= more;
    shown.above += more;
    return shown;
}

double distanceFromMeasured(const Plan& plan)
{
    struct Setting {
        bool (*has)(const Plan&);
        double part = 0.5;
    };
    // A half for each is a choice; tst_measured_time prints how many runs of families lie inside.
    constexpr auto kSettings = std::to_array<Setting>({{trainsAdapters}, {splitsContextWithoutTransformerEngine},
        {isRareFramework}, {sendsTokensBetweenNodes}, {exchangesShardsBare}, {hasWeightsOf16Bits}, {keepsStatesOnHost},
        {keepsActivationsOnHost}, {hasInstances}, {updatesOtherwise}, {gathersUnderPipeline}, {hasAnySoftware, 0.25}});
    double distance = 0.0;
    for (const Setting& setting : kSettings)
        distance += setting.has(plan) ? setting.part : 0.0;
    return distance;
}

ErrorBand widened(ErrorBand band, double distance)
{
    constexpr double kLeast = -0.9; // no step takes less than a tenth of what is predicted
    const double more = distance * (band.above - band.below);
    band.below = std::max(band.below - more, kLeast);
    band.above += more;
    return band;
}

ErrorBand errorBand(const Plan& plan, const OperatorTables& tables)
{
    const auto classes = runClasses(plan, tables);
    if (classes.empty()) return {};
    ErrorBand band = widened(bandFrom(classes, kBands), distanceFromMeasured(plan));
    const bool calibrated =
        plan.calibration && (plan.calibration->measured.step || plan.calibration->measured.tokens_per_second_per_card);
    if (calibrated) {
        // Calibration must not widen the band: the band of similar plans still holds.
        const ErrorBand after = bandFrom(std::array{calibratedClass(plan)}, kBands);
        if (after.above - after.below < band.above - band.below) band = after;
    }
    band.below = std::min(band.below, 0.0);
    band.above = std::max(band.above, 0.0);
    return band;
}

} // namespace cardfit
