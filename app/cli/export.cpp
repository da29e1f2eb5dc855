// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <memory>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "app/cli/cli.h"
#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "core/files/file.h"
#include "core/files/preset_library.h"
#include "core/launch/own_launch.h"
#include "core/traces/measured_cases.h"
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

Result<void> writePlainReport(const std::string& file, const DocumentRequest& request)
{
    const auto ending = std::filesystem::path(file).extension();
    if (ending == ".md") return writeFile(file, documentMarkdown(planningDocument(request)));
    if (ending == ".html") return writeFile(file, documentHtml(planningDocument(request)));
    return tl::unexpected(Error{ErrorCode::Usage, file, {},
        Sentence::verbatim("a report is written as .html or .md here, by the file's ending")});
}

/// The published runs; without them, a sentence on standard error.
std::shared_ptr<const MeasuredGround> publishedRuns(const Presets& presets)
{
    auto runs = readMeasuredTime(measuredCasesFile("time.json"), presets);
    if (runs) return std::make_shared<const MeasuredGround>(std::move(runs->cases));
    printError(fmt::format("no measured runs stand beside the plan: {}", describe(runs.error())));
    return nullptr;
}

/// Adds all that the document says besides the plan's own estimate.
Result<void> addToDocument(DocumentRequest& request, const ExportOptions& options, const PlanReader& plans)
{
    if (!options.sections.empty()) {
        request.topics = {};
        for (const std::string& word : options.sections) {
            if (const auto topic = documentTopicNamed(word)) request.topics.set(*topic, true);
        }
    }
    for (const std::string& name : options.beside) {
        auto plan = plans.readUnchanged(name);
        if (!plan) return tl::unexpected<Error>(plan.error());
        auto figures = std::make_shared<const Estimate>(estimate(*plan));
        request.alternatives.push_back({*std::move(plan), std::move(figures)});
    }
    const bool cites_runs = request.topics.has(DocumentTopic::Risks) && request.estimate.complete();
    request.findings = documentFindings(
        request.plan, request.estimate, request.topics, cites_runs ? publishedRuns(plans.presets) : nullptr);
    if (request.topics.has(DocumentTopic::Launch)) request.launch = launchOf(request.plan);
    request.author = options.author;
    request.date = today();
    request.version = CARDFIT_VERSION;
    return {};
}

} // namespace

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::localtime(std::time(nullptr))); }

Result<void> writeExport(const ExportOptions& options, const DocumentRequest& request, const ExportWriters& writers)
{
    Result<void> written;
    const Estimate& estimate = request.estimate;
    if (!options.chart.empty()) written = writers.chart(options, request.plan, estimate);
    if (written && !options.table.empty()) written = writeTable(options, estimate, writers.translation);
    if (written && !options.trace.empty()) written = writeTrace(options.trace, traceOf(estimate, CARDFIT_VERSION));
    if (written && !options.report.empty()) written = writers.report(options.report, request);
    return written;
}

Result<void> writeWithoutCharts(const ExportOptions& options, const DocumentRequest& request)
{
    const auto refused = [](const char* option, const char* why) {
        return fail(ErrorCode::Usage, option, Sentence::verbatim(fmt::format("{}; use cardfit", why)));
    };
    if (!options.chart.empty()) return refused("--chart", "this build has no charts");
    if (const auto ending = std::filesystem::path(options.report).extension(); ending == ".pdf" || ending == ".odt")
        return refused("--report", "this build writes a document as .html or .md, without charts");
    if (options.language != "en") return refused("--language", "this build speaks English only");
    return writeExport(options, request, {inEnglish, nullptr, writePlainReport});
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
    DocumentRequest request{*plan, result};
    request.unit = options.unit;
    if (!options.report.empty()) {
        if (const auto added = addToDocument(request, options, plans); !added) return complain(added.error());
    }
    const auto written = program.write_export(options, request);
    return written ? static_cast<int>(Fits) : complain(written.error());
}

} // namespace cardfit::app
