// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>

#include <QApplication>

#include <fmt/format.h>

#include "app/cli/cli.h"
#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "app/plan_charts.h"
#include "app/report.h"
#include "app/window/language.h"
#include "core/io/file.h"
#include "core/io/plan/plan_file.h"
#include "core/io/schedule/trace_json.h"
#include "widgets/chart/chart_export.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

/// Shows what lies between --from and --to, true to time.
Result<void> showPart(ui::PipelineTimeline& timeline, const ExportOptions& options, double end)
{
    const ui::TimeRange range{options.from.value_or(0.0), options.to.value_or(end)};
    const auto refuse = [&](std::string_view why) {
        return fail(ErrorCode::Usage, "--from, --to",
            Sentence::verbatim(fmt::format(
                "{:.9g} s to {:.9g} s of a step of {:.9g} s cannot be shown: {}", range.from, range.to, end, why)));
    };
    if (!(range.from < range.to)) return refuse("the part is empty");
    if (range.to > end) return refuse("it goes beyond the end");
    timeline.setTrueTime(true);
    timeline.setVisibleRange(range);
    if (timeline.visibleRange().span() > 1.01 * range.span()) return refuse("it is shorter than any operation");
    return {};
}

ui::ChartWidget& chartOf(PlanCharts& charts, const std::string& name)
{
    if (name == "memory") return charts.memory;
    if (name == "step") return charts.step;
    return charts.timeline;
}

Result<void> writeChart(const ExportOptions& options, const Plan& plan, const Estimate& estimate)
{
    PlanCharts charts(plan, estimate, options.unit);
    ui::ChartWidget& chart = chartOf(charts, options.chart);
    if (options.from || options.to) {
        if (auto shown = showPart(charts.timeline, options, estimate.timeline->makespan); !shown) return shown;
    }

    ui::ExportOptions picture;
    picture.scale = options.scale;
    picture.theme = options.dark ? ui::darkTheme() : ui::lightTheme();
    picture.description = QString::fromStdString(plan.name);
    picture.plan = planText(plan);
    return ui::exportChart(chart, std::filesystem::path(options.output), picture);
}

Result<void> writeTable(const ExportOptions& options, const Estimate& estimate)
{
    const std::filesystem::path file = options.table;
    if (file.extension() == ".csv") return writeFile(file, memoryCsv(estimate));
    if (file.extension() == ".md")
        return writeFile(file, memoryMarkdown(estimate, options.unit, ui::installedTranslation()));
    return tl::unexpected(Error{ErrorCode::UnknownName, options.table, {},
        Sentence::verbatim("a table is written as .csv or .md, by the file's ending")});
}

Result<void> writeLaunch(const ExportOptions& options, const Plan& plan)
{
    const auto exported = exportLaunch(*options.launch, plan);
    if (!exported) return tl::unexpected<Error>(exported.error());
    for (const LaunchNote& note : exported->notes)
        printError(fmt::format("{}: not said: {}", options.plan, describe(note)));
    if (!options.output.empty()) return writeFile(options.output, exported->text);
    printFile(exported->text);
    return {};
}

} // namespace

int runExport(const ExportOptions& options, const PlanReader& plans)
{
    const auto plan = plans.read(options.plan);
    if (!plan) return complain(plan.error());
    if (options.launch) {
        // Started as it stands: a launcher has rules of its own, and needs no estimate.
        const auto written = writeLaunch(options, *plan);
        if (written) return Fits;
        const int code = complain(written.error());
        return written.error().code == ErrorCode::OutOfRange ? BreaksRule : code;
    }
    const Estimate result = estimate(*plan);
    const auto application = offscreenApplication();
    applyLanguage(options.language == "zh" ? Language::Chinese : Language::English);

    if (!result.complete() && (!options.chart.empty() || !options.table.empty() || !options.trace.empty())) {
        for (const Check& check : result.checks) {
            static_cast<void>(
                complain({ErrorCode::OutOfRange, options.plan, Sentence::verbatim(check.id), check.message}));
        }
        return BreaksRule;
    }
    Result<void> written;
    if (!options.chart.empty()) written = writeChart(options, *plan, result);
    if (written && !options.table.empty()) written = writeTable(options, result);
    if (written && !options.trace.empty()) written = writeTrace(options.trace, traceOf(result, CARDFIT_VERSION));
    if (written && !options.report.empty()) written = writeReport(*plan, result, options.unit, options.report);
    return written ? static_cast<int>(Fits) : complain(written.error());
}

} // namespace cardfit::app
