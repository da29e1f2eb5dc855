// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/error_band.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/plan/tables.h"
#include "core/sentence.h"
#include "core/time/passes.h"

namespace cardfit {

namespace {

/// 10th and 90th percentile of measured over predicted time, less 1; tst_measured_time prints them anew when they move.
constexpr auto kBands = std::to_array<ErrorBand>({
    {-0.108, 0.150, 554, Sentence::tr("any kind").english},
    {-0.102, 0.158, 217, Sentence::tr("dense Ampere 16-bit").english},
    {-0.033, 0.036, 21, Sentence::tr("dense Ampere 16-bit, 16k tokens and more").english},
    {-0.102, 0.158, 217, Sentence::tr("dense Ampere in any format").english},
    {-0.033, 0.036, 21, Sentence::tr("dense Ampere in any format, 16k tokens and more").english},
    {-0.066, 0.075, 18, Sentence::tr("dense Blackwell 16-bit").english},
    {-0.100, 0.024, 6, Sentence::tr("dense Blackwell 16-bit, 16k tokens and more").english},
    {-0.132, 0.000, 10, Sentence::tr("dense Blackwell fp4").english},
    {-0.140, 0.014, 20, Sentence::tr("dense Blackwell fp8").english},
    {-0.119, 0.027, 48, Sentence::tr("dense Blackwell in any format").english},
    {-0.100, 0.024, 6, Sentence::tr("dense Blackwell in any format, 16k tokens and more").english},
    {-0.032, 0.111, 36, Sentence::tr("dense Hopper 16-bit").english},
    {0.045, 0.101, 6, Sentence::tr("dense Hopper 16-bit, 16k tokens and more").english},
    {-0.118, 0.177, 17, Sentence::tr("dense Hopper fp8").english},
    {0.051, 0.240, 7, Sentence::tr("dense Hopper fp8, 16k tokens and more").english},
    {-0.092, 0.118, 53, Sentence::tr("dense Hopper in any format").english},
    {0.033, 0.229, 13, Sentence::tr("dense Hopper in any format, 16k tokens and more").english},
    {-0.098, 0.128, 498, Sentence::tr("dense of any kind").english},
    {-0.104, 0.145, 319, Sentence::tr("dense on any card").english},
    {-0.034, 0.140, 40, Sentence::tr("dense on any card, 16k tokens and more").english},
    {-0.137, 0.153, 471, Sentence::tr("dense, calibrated with another run of the same model").english},
    {0.041, 0.266, 19, Sentence::tr("experts Blackwell 16-bit").english},
    {-0.309, 0.337, 30, Sentence::tr("experts Blackwell fp8").english},
    {-0.214, 0.288, 49, Sentence::tr("experts Blackwell in any format").english},
    {0.137, 0.322, 5, Sentence::tr("experts Hopper fp8").english},
    {0.144, 0.374, 7, Sentence::tr("experts Hopper in any format").english},
    {-0.190, 0.341, 56, Sentence::tr("experts of any kind").english},
    {-0.190, 0.341, 56, Sentence::tr("experts on any card").english},
    {-0.251, 0.344, 51, Sentence::tr("experts, calibrated with another run of the same model").english},
    {-0.102, 0.067, 139, Sentence::tr("launch-bound dense Ampere 16-bit").english},
    {-0.102, 0.067, 139, Sentence::tr("launch-bound dense Ampere in any format").english},
    {-0.102, 0.067, 139, Sentence::tr("launch-bound dense on any card").english},
});

constexpr std::int64_t kLongSequence = 16384;

bool measured(const Plan& plan) { return plan.workload.task == Task::Pretrain || plan.workload.task == Task::Finetune; }

std::string_view family(const Plan& plan) { return plan.model.architecture.moe ? "experts" : "dense"; }

std::string_view format(Precision precision)
{
    switch (precision) {
    case Precision::Bf16:
    case Precision::Bf16Pure:
    case Precision::Fp16: return "16-bit";
    case Precision::Fp8:
    case Precision::Mxfp8: return "fp8";
    case Precision::Nvfp4: return "fp4";
    case Precision::Fp32: return "fp32";
    case Precision::Int8: return "int8";
    }
    return {};
}

/// "hopper" as a name.
std::string generation(const Plan& plan)
{
    std::string name = plan.cluster.accelerator.architecture;
    if (!name.empty()) name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
    return name;
}

} // namespace

std::vector<std::string> errorClasses(const Plan& plan, const OperatorTables& tables)
{
    if (!measured(plan)) return {};
    const std::string kind = (waitsForHost(plan, tables) ? "launch-bound " : "") + std::string(family(plan));
    const std::string length = plan.workload.sequence_length >= kLongSequence ? ", 16k tokens and more" : "";
    const std::string card = generation(plan);
    return {kind + " " + card + " " + std::string(format(plan.recipe.precision)) + length,
        kind + " " + card + " in any format" + length, kind + " on any card" + length,
        std::string(family(plan)) + " of any kind", "any kind"};
}

std::string calibratedClass(const Plan& plan)
{
    return std::string(family(plan)) + ", calibrated with another run of the same model";
}

std::span<const ErrorBand> errorBands() { return kBands; }

ErrorBand errorBand(const Plan& plan, const OperatorTables& tables)
{
    std::vector<std::string> classes = errorClasses(plan, tables);
    if (classes.empty()) return {};
    const bool calibrated =
        plan.calibration && (plan.calibration->measured.step || plan.calibration->measured.tokens_per_second_per_card);
    if (calibrated) classes.insert(classes.begin(), calibratedClass(plan));
    for (const std::string& name : classes) {
        const auto* found = std::ranges::find(kBands, name, &ErrorBand::of);
        if (found != kBands.end()) return *found;
    }
    return {};
}

} // namespace cardfit
