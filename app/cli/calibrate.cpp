// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/cli/cli.h"
#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "core/accuracy/calibration.h"
#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "core/report/calibration_text.h"
#include "core/report/json_text.h"
#include "core/traces/training_log.h"

namespace cardfit::app {

namespace {

/// Reads the measurement from a log. What was found and not understood in it goes to standard error, because standard
/// output is the answer.
Result<Measurement> measurementFromLog(const std::string& file, const Plan& plan)
{
    const auto text = readFile(file);
    if (!text) return tl::unexpected<Error>(text.error());
    const auto log = readTrainingLog(*text);
    if (!log) return tl::unexpected<Error>(inFile(log.error(), file));
    for (const Sentence& found : log->found)
        printError(fmt::format("{}: {}", file, found.english()));
    constexpr std::size_t kMostLines = 5;
    const std::size_t lines = log->not_understood.size();
    for (std::size_t i = 0; i < std::min(lines, kMostLines); ++i)
        printError(fmt::format("{}: not understood: {}", file, log->not_understood[i]));
    if (lines > kMostLines) printError(fmt::format("{}: and {} more lines", file, lines - kMostLines));
    auto measured = measurementOf(*log, plan);
    if (!measured) return tl::unexpected<Error>(inFile(measured.error(), file));
    if (!measured->allocated && log->reserved) {
        printError(fmt::format("{}: reserved memory is not what tensors take; memory is not calibrated", file));
    }
    measured->source = file;
    return measured;
}

Result<Measurement> measurementAsked(const CalibrateOptions& options, const Plan& plan)
{
    Measurement measured;
    if (!options.log.empty()) {
        auto logged = measurementFromLog(options.log, plan);
        if (!logged) return logged;
        measured = *std::move(logged);
    }
    for (std::size_t i = 0; i < options.speed.size(); ++i) {
        if (!options.speed[i]) continue;
        auto timed = withSpeed(measured, plan, {static_cast<MeasuredQuantity>(i), *options.speed[i], options.work});
        if (!timed) return timed;
        measured = *std::move(timed);
    }
    if (options.allocated_bytes) {
        measured.allocated = Bytes(*options.allocated_bytes);
        measured.stage = options.stage;
    }
    if (!options.source.empty()) measured.source = options.source;
    return measured;
}

/// Writes the plan without its calibration. There is no comparison to print.
int saveWithout(Plan plan, const CalibrateOptions& options)
{
    plan.calibration.reset();
    const std::string text = planText(plan);
    if (options.output.empty()) {
        print(text);
        return Fits;
    }
    if (auto written = writeFile(options.output, text); !written) return complain(written.error());
    return Fits;
}

} // namespace

int runCalibrate(const CalibrateOptions& options, const PlanReader& plans)
{
    auto plan = plans.read(options.plan);
    if (!plan) return complain(plan.error(), options.json);
    if (options.remove) return saveWithout(*std::move(plan), options);

    const Estimate predicted = estimate(*plan);
    if (!predicted.complete()) {
        for (const Check& check : predicted.checks)
            printError(fmt::format("cardfit: {}: {}: {}", options.plan, check.id, check.message.english()));
        return BreaksRule;
    }
    const auto measured = measurementAsked(options, *plan);
    if (!measured) return complain(measured.error(), options.json);
    const auto comparison = compareWithRun(*std::move(plan), *measured, options.published_tokens_per_second_per_card);
    if (!comparison) {
        const int code = complain(inFile(comparison.error(), options.plan), options.json);
        // The file is valid; the measurement asked for is not.
        return code == FileTrouble ? WrongUsage : code;
    }
    if (options.json)
        print(calibrationJson(*comparison) + "\n");
    else
        print(calibrationText(*comparison));
    if (options.output.empty()) return Fits;
    if (auto written = writeFile(options.output, planText(comparison->plan)); !written)
        return complain(written.error());
    return Fits;
}

} // namespace cardfit::app
