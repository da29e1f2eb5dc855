// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/calibration_text.h"

#include <cmath>

#include <fmt/format.h>

#include "core/files/foreign_text.h"
#include "core/files/json_reader.h"
#include "core/report/reports.h"
#include "core/report/utilization_json.h"

namespace cardfit {

namespace {

std::string percent(double fraction) { return fmt::format("{:+.0f} %", std::round(100.0 * fraction) + 0.0); }

std::string row(std::string_view label, std::string_view predicted, std::string_view measured, std::string_view off)
{
    return fmt::format("{:<14}{:>16}{:>16}{:>14}\n", label, predicted, measured, off);
}

const StageMemory& measuredStage(const Measurement& measured, const Estimate& estimate)
{
    return estimate.stages[static_cast<std::size_t>(measured.stage)];
}

/// The parts of the step that grew, and by how much.
std::string grownParts(const StepParts& before, const StepParts& after)
{
    std::string text;
    for (std::size_t i = 0; i < kStepPartCount; ++i) {
        const auto part = static_cast<StepPart>(i);
        const double grown = (after[part] - before[part]).value();
        if (std::abs(grown) < 5e-4) continue;
        text += fmt::format("{}{} {:+.3f} s", text.empty() ? "" : ", ", stepPartName(part), grown);
    }
    return text.empty() ? "nowhere: prediction and measurement agree" : text;
}

std::string signedBytes(Bytes bytes)
{
    return fmt::format("{}{}", bytes < Bytes(0) ? "" : "+", formatBytes(bytes, ByteUnit::GB));
}

} // namespace

std::string bandText(const ErrorBand& band)
{
    if (band.cases == 0) return {};
    return fmt::format(
        "{} to {} on {} measured runs of {}", percent(band.below), percent(band.above), band.cases, band.of);
}

std::string calibrationLine(const Calibration& calibration)
{
    const Measurement& measured = calibration.measured;
    std::string text;
    const auto add = [&](std::string part) {
        if (!text.empty()) text += ", ";
        text += std::move(part);
    };
    if (calibration.compute_factor != 1.0)
        add(fmt::format("computation takes {:.3f} times the predicted time", calibration.compute_factor));
    if (calibration.communication_factor != 1.0)
        add(fmt::format("communication {:.3f} times", calibration.communication_factor));
    if (calibration.residual != Bytes(0))
        add(fmt::format("{} allocated on every card", signedBytes(calibration.residual)));
    if (text.empty()) text = "as predicted";
    std::string from;
    if (measured.step) from = fmt::format("a step of {:.4g} s", measured.step->value());
    if (const auto& rate = measured.tokens_per_second_per_card) from = fmt::format("{:.6g} tokens/s per card", *rate);
    if (measured.allocated) {
        from += fmt::format("{}{} allocated on stage {}", from.empty() ? "" : " and ",
            formatBytes(*measured.allocated, ByteUnit::GB), measured.stage);
    }
    return fmt::format(
        "{} ({} measured{}{})", text, from, measured.source.empty() ? "" : "; ", printable(measured.source));
}

std::string calibrationText(const RunComparison& comparison)
{
    const auto& [predicted, plan, calibrated, speed] = comparison;
    const Calibration& calibration = *plan.calibration;
    const Measurement& measured = calibration.measured;
    std::string text = plan.name.empty() ? std::string("Plan without a name") : printable(plan.name);
    text += "\n\n" + row("", "predicted", "measured", "off by");
    if (speed) {
        const double longer = 1.0 / *speed->over_predicted;
        text += row("Step", fmt::format("{:.3f} s", predicted.step.seconds.value()),
            fmt::format("{:.3f} s", speed->step.value()), fmt::format("{:+.1f} %", 100.0 * (longer - 1.0)));
        text += row("Tokens/s/card", fmt::format("{:.1f}", predicted.step.tokens_per_second_per_card),
            fmt::format("{:.1f}", speed->tokens_per_second_per_card),
            fmt::format("{:+.1f} %", 100.0 * (1.0 / longer - 1.0)));
    }
    if (measured.allocated) {
        text += row(fmt::format("Stage {}", measured.stage),
            formatBytes(measuredStage(measured, predicted).allocated(), ByteUnit::GB),
            formatBytes(*measured.allocated, ByteUnit::GB), signedBytes(calibration.residual));
    }
    text += '\n';
    if (speed) {
        text += fmt::format("Computation    x {:.4f}: kernels and hosts\n", calibration.compute_factor);
        text += fmt::format("Communication  x {:.4f}\n", calibration.communication_factor);
        text += fmt::format("It went to     {}\n", grownParts(predicted.step.parts, calibrated.step.parts));
    }
    if (measured.allocated) {
        text += fmt::format(
            "Memory         {} on every card, as calibration.residual\n", signedBytes(calibration.residual));
    }
    if (calibrated.step.band.cases > 0) text += fmt::format("Error          {}\n", bandText(calibrated.step.band));
    if (speed && speed->over_published)
        text += fmt::format("Throughput     {:.1f} % of the published one\n", 100.0 * *speed->over_published);
    if (speed) {
        text += "\nMeasured utilization of each card by what publications count as work (peaks dense, in TFLOP/s)\n"
            + utilizationText(speed->utilization);
    }
    return text;
}

std::string calibrationJson(const RunComparison& comparison)
{
    const auto& [predicted, plan, calibrated, speed] = comparison;
    const Calibration& calibration = *plan.calibration;
    const Measurement& measured = calibration.measured;
    Json json = {{"format", "cardfit/calibration"}, {"version", 1}, {"plan", plan.name},
        {"predicted",
            {{"step_seconds", predicted.step.seconds.value()},
                {"tokens_per_second_per_card", predicted.step.tokens_per_second_per_card}}},
        {"measured",
            {{"step_seconds", speed ? Json(speed->step.value()) : Json()},
                {"tokens_per_second_per_card", speed ? Json(speed->tokens_per_second_per_card) : Json()},
                {"over_published", speed && speed->over_published ? Json(*speed->over_published) : Json()},
                {"source", measured.source}}}};
    if (measured.allocated) {
        json["predicted"]["allocated_bytes"] = measuredStage(measured, predicted).allocated().value();
        json["measured"]["allocated_bytes"] = measured.allocated->value();
        json["measured"]["stage"] = measured.stage;
    }
    json["compute_factor"] = calibration.compute_factor;
    json["communication_factor"] = calibration.communication_factor;
    json["residual_bytes"] = calibration.residual.value();
    Json parts = Json::object();
    for (std::size_t i = 0; i < kStepPartCount; ++i) {
        const auto part = static_cast<StepPart>(i);
        parts[std::string(stepPartName(part))] = (calibrated.step.parts[part] - predicted.step.parts[part]).value();
    }
    json["added_seconds"] = std::move(parts);
    if (speed) json["measured"]["utilization"] = utilizationJson(speed->utilization);
    json["calibrated_step_seconds"] = calibrated.step.seconds.value();
    const ErrorBand& band = calibrated.step.band;
    json["band"] = nullptr;
    if (band.cases > 0) {
        json["band"] = {{"below", band.below}, {"above", band.above}, {"cases", band.cases}, {"of", band.of}};
    }
    return indentedJson(json);
}

} // namespace cardfit
