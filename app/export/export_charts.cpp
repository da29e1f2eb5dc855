// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/export_charts.h"

#include <filesystem>

#include <QApplication>

#include <fmt/format.h>

#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "app/controls/language.h"
#include "app/export/document_writer.h"
#include "app/export/plan_charts.h"
#include "core/files/plan_file.h"
#include "widgets/chart/chart_export.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

/// Shows the time between --from and --to, on a true time axis.
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

/// A part of the timeline is one of the prompts' passes where the plan is served.
ui::ChartWidget& chartOf(PlanCharts& charts, const ExportOptions& options)
{
    if (options.chart == "memory") return charts.memory;
    if (options.chart == "step") return charts.lowest();
    return options.from || options.to ? charts.timeline : charts.lower();
}

Result<void> writeChart(const ExportOptions& options, const Plan& plan, const Estimate& estimate)
{
    PlanCharts charts(plan, estimate, options.unit);
    ui::ChartWidget& chart = chartOf(charts, options);
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

Result<void> writePlanningDocument(const std::string& file, const DocumentRequest& request)
{
    return DocumentWriter(request).write(file);
}

} // namespace

Result<void> writeWithCharts(const ExportOptions& options, const DocumentRequest& request)
{
    const auto application = offscreenApplication();
    applyLanguage(options.language == "zh" ? Language::Chinese : Language::English);
    auto written = writeExport(options, request, {ui::installedTranslation(), writeChart, writePlanningDocument});
    if (!written) return written;
    for (const std::string& file : {options.output, options.report}) {
        const QString warning = missingFontWarning(QString::fromStdString(file));
        if (!warning.isEmpty()) printError(fmt::format("{}: {}", file, warning.toStdString()));
    }
    return written;
}

} // namespace cardfit::app
