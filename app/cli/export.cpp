// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>

#include <fmt/format.h>

#include "app/cli/cli.h"
#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "core/files/file.h"
#include "core/report/planning_report.h"
#include "core/traces/trace_json.h"

namespace cardfit::app {

namespace {

Result<void> writeTable(const ExportOptions& options, const Estimate& estimate, const Translation& translation)
{
    const std::filesystem::path file = options.table;
    if (file.extension() == ".csv") return writeFile(file, memoryCsv(estimate));
    if (file.extension() == ".md") return writeFile(file, memoryMarkdown(estimate, options.unit, translation));
    return tl::unexpected(Error{ErrorCode::Usage, options.table, {},
        Sentence::verbatim("a table is written as .csv or .md, by the file's ending")});
}

void warnOfBroken(const ExportOptions& options, const std::vector<Check>& checks)
{
    for (const Check& broken : checks) {
        if (broken.severity == Severity::Error)
            printError(fmt::format("{}: breaks {}: {}", options.plan, broken.id, broken.message.english()));
    }
}

/// Writes the plan's options into a launcher's own file.
Result<void> writeInto(const ExportOptions& options, const Plan& plan, const Presets& presets)
{
    const auto text = readFile(options.into);
    if (!text) return tl::unexpected<Error>(text.error());
    const auto changed = exportInto(*options.launch, plan, *text, presets);
    if (!changed) return tl::unexpected<Error>(inFile(changed.error(), options.into));
    for (const LaunchNote& note : changed->changes)
        printError(fmt::format("{}: changed: {}", options.into, describe(note)));
    for (const LaunchNote& note : changed->notes)
        printError(fmt::format("{}: not written: {}", options.plan, describe(note)));
    if (!options.output.empty()) return writeFile(options.output, changed->text);
    printFile(changed->text);
    return {};
}

Result<void> writeLaunch(const ExportOptions& options, const Plan& plan)
{
    const auto exported = exportLaunch(*options.launch, plan);
    if (!exported) return tl::unexpected<Error>(exported.error());
    for (const LaunchNote& note : exported->notes)
        printError(fmt::format("{}: not written: {}", options.plan, describe(note)));
    if (!options.output.empty()) return writeFile(options.output, exported->text);
    printFile(exported->text);
    return {};
}

Result<void> writePlainReport(const ExportOptions& options, const Plan& plan, const Estimate& estimate)
{
    const std::filesystem::path file = options.report;
    if (file.extension() == ".md") return writeFile(file, planningReport(plan, estimate, options.unit));
    return tl::unexpected(Error{ErrorCode::Usage, options.report, {},
        Sentence::verbatim("a report is written as .md here, by the file's ending")});
}

} // namespace

Result<void> writeExport(
    const ExportOptions& options, const Plan& plan, const Estimate& estimate, const ExportWriters& writers)
{
    Result<void> written;
    if (!options.chart.empty()) written = writers.chart(options, plan, estimate);
    if (written && !options.table.empty()) written = writeTable(options, estimate, writers.translation);
    if (written && !options.trace.empty()) written = writeTrace(options.trace, traceOf(estimate, CARDFIT_VERSION));
    if (written && !options.report.empty()) written = writers.report(options, plan, estimate);
    return written;
}

Result<void> writeWithoutCharts(const ExportOptions& options, const Plan& plan, const Estimate& estimate)
{
    const auto refused = [](const char* option, const char* why) {
        return fail(ErrorCode::Usage, option, Sentence::verbatim(fmt::format("{}; use cardfit", why)));
    };
    if (!options.chart.empty()) return refused("--chart", "this build has no charts");
    if (std::filesystem::path(options.report).extension() == ".pdf")
        return refused("--report", "this build has no charts, of which a .pdf is made");
    if (options.language != "en") return refused("--language", "this build speaks English only");
    return writeExport(options, plan, estimate, {inEnglish, nullptr, writePlainReport});
}

int runExport(const ExportOptions& options, const PlanReader& plans, const Program& program)
{
    const auto plan = plans.read(options.plan);
    if (!plan) return complain(plan.error());
    if (options.launch) {
        // Written as it is: a launcher checks its own rules and needs no estimate.
        warnOfBroken(options, check(*plan));
        const auto written =
            options.into.empty() ? writeLaunch(options, *plan) : writeInto(options, *plan, plans.presets);
        if (written) return Fits;
        const int code = complain(written.error());
        return written.error().code == ErrorCode::OutOfRange ? BreaksRule : code;
    }
    const Estimate result = estimate(*plan);
    if (!result.complete() && (!options.chart.empty() || !options.table.empty() || !options.trace.empty())) {
        for (const Check& check : result.checks) {
            static_cast<void>(
                complain({ErrorCode::OutOfRange, options.plan, Sentence::verbatim(check.id), check.message}));
        }
        return BreaksRule;
    }
    warnOfBroken(options, result.checks);
    const auto written = program.write_export(options, *plan, result);
    return written ? static_cast<int>(Fits) : complain(written.error());
}

} // namespace cardfit::app
