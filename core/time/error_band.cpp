// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/error_band.h"

#include <algorithm>
#include <array>

#include "core/sentence.h"
#include "core/time/passes.h"

namespace cardfit {

namespace {

constexpr RunClass calibrated(bool experts)
{
    RunClass runs{experts};
    runs.calibrated = true;
    return runs;
}

/// 10th and 90th percentile of measured over predicted time, less 1; tst_measured_time prints the new ones when they
/// change.
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
        {RunClass{}, {-0.103, 0.152, 554, Sentence::tr("any kind").english}},
        {dense(Ampere, Bits16), {-0.102, 0.158, 217, Sentence::tr("dense Ampere 16-bit").english}},
        {at16k(dense(Ampere, Bits16)),
            {-0.033, 0.036, 21, Sentence::tr("dense Ampere 16-bit, 16k tokens and more").english}},
        {dense(Ampere, any), {-0.102, 0.158, 217, Sentence::tr("dense Ampere in any format").english}},
        {at16k(dense(Ampere, any)),
            {-0.033, 0.036, 21, Sentence::tr("dense Ampere in any format, 16k tokens and more").english}},
        {dense(Blackwell, Bits16), {-0.066, 0.075, 18, Sentence::tr("dense Blackwell 16-bit").english}},
        {at16k(dense(Blackwell, Bits16)),
            {-0.100, 0.024, 6, Sentence::tr("dense Blackwell 16-bit, 16k tokens and more").english}},
        {dense(Blackwell, Fp4), {-0.132, 0.000, 10, Sentence::tr("dense Blackwell fp4").english}},
        {dense(Blackwell, Fp8), {-0.140, 0.014, 20, Sentence::tr("dense Blackwell fp8").english}},
        {dense(Blackwell, any), {-0.119, 0.027, 48, Sentence::tr("dense Blackwell in any format").english}},
        {at16k(dense(Blackwell, any)),
            {-0.100, 0.024, 6, Sentence::tr("dense Blackwell in any format, 16k tokens and more").english}},
        {dense(Hopper, Bits16), {-0.032, 0.111, 36, Sentence::tr("dense Hopper 16-bit").english}},
        {at16k(dense(Hopper, Bits16)),
            {0.045, 0.101, 6, Sentence::tr("dense Hopper 16-bit, 16k tokens and more").english}},
        {dense(Hopper, Fp8), {-0.118, 0.177, 17, Sentence::tr("dense Hopper fp8").english}},
        {at16k(dense(Hopper, Fp8)), {0.051, 0.240, 7, Sentence::tr("dense Hopper fp8, 16k tokens and more").english}},
        {dense(Hopper, any), {-0.092, 0.118, 53, Sentence::tr("dense Hopper in any format").english}},
        {at16k(dense(Hopper, any)),
            {0.033, 0.229, 13, Sentence::tr("dense Hopper in any format, 16k tokens and more").english}},
        {RunClass{false}, {-0.098, 0.128, 498, Sentence::tr("dense of any kind").english}},
        {dense(any, any), {-0.104, 0.145, 319, Sentence::tr("dense on any card").english}},
        {at16k(dense(any, any)), {-0.034, 0.140, 40, Sentence::tr("dense on any card, 16k tokens and more").english}},
        {calibrated(false),
            {-0.137, 0.153, 471, Sentence::tr("dense, calibrated with another run of the same model").english}},
        {experts(Blackwell, Bits16), {0.041, 0.266, 19, Sentence::tr("experts Blackwell 16-bit").english}},
        {experts(Blackwell, Fp8), {-0.281, 0.337, 30, Sentence::tr("experts Blackwell fp8").english}},
        {experts(Blackwell, any), {-0.169, 0.288, 49, Sentence::tr("experts Blackwell in any format").english}},
        {experts(Hopper, Fp8), {0.137, 0.322, 5, Sentence::tr("experts Hopper fp8").english}},
        {experts(Hopper, any), {0.144, 0.374, 7, Sentence::tr("experts Hopper in any format").english}},
        {RunClass{true}, {-0.140, 0.341, 56, Sentence::tr("experts of any kind").english}},
        {experts(any, any), {-0.140, 0.341, 56, Sentence::tr("experts on any card").english}},
        {calibrated(true),
            {-0.251, 0.344, 51, Sentence::tr("experts, calibrated with another run of the same model").english}},
        {launchBound(dense(Ampere, Bits16)),
            {-0.102, 0.067, 139, Sentence::tr("launch-bound dense Ampere 16-bit").english}},
        {launchBound(dense(Ampere, any)),
            {-0.102, 0.067, 139, Sentence::tr("launch-bound dense Ampere in any format").english}},
        {launchBound(dense(any, any)), {-0.102, 0.067, 139, Sentence::tr("launch-bound dense on any card").english}},
    });
}();

constexpr std::int64_t kLongSequence = 16384;

bool measured(const Plan& plan) { return plan.workload.task == Task::Pretrain || plan.workload.task == Task::Finetune; }

ErrorBand firstBand(const std::vector<RunClass>& classes)
{
    for (const RunClass& runs : classes) {
        const auto* found = std::ranges::find(kBands, runs, &ClassBand::runs);
        if (found != kBands.end()) return found->band;
    }
    return {};
}

} // namespace

std::vector<RunClass> runClasses(const Plan& plan, const OperatorTables& tables)
{
    if (!measured(plan)) return {};
    RunClass runs{plan.model.architecture.moe.has_value(), waitsForHost(plan, tables),
        plan.workload.sequence_length >= kLongSequence, plan.cluster.accelerator.generation,
        formatOf(plan.recipe.precision)};
    std::vector<RunClass> classes{runs};
    runs.format.reset();
    classes.push_back(runs);
    runs.card.reset();
    classes.push_back(runs);
    classes.push_back({runs.experts});
    classes.emplace_back();
    return classes;
}

RunClass calibratedClass(const Plan& plan) { return calibrated(plan.model.architecture.moe.has_value()); }

std::span<const ClassBand> errorBands() { return kBands; }

ErrorBand errorBand(const Plan& plan, const OperatorTables& tables)
{
    const std::vector<RunClass> classes = runClasses(plan, tables);
    if (classes.empty()) return {};
    ErrorBand band = firstBand(classes);
    const bool calibrated =
        plan.calibration && (plan.calibration->measured.step || plan.calibration->measured.tokens_per_second_per_card);
    if (calibrated) {
        // What is known of plans like this one goes on to hold after a run of its own was measured.
        const ErrorBand after = firstBand({calibratedClass(plan)});
        if (after.above - after.below < band.above - band.below) band = after;
    }
    band.below = std::min(band.below, 0.0);
    band.above = std::max(band.above, 0.0);
    return band;
}

} // namespace cardfit
