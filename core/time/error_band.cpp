// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/error_band.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/time/passes.h"

namespace cardfit {

namespace {

/// 10th and 90th percentile of measured over predicted time, less 1.
constexpr auto kBands = std::to_array<ErrorBand>({
    {-0.1, 0.1, 5, "all measured runs"},
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
