// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/menus/export_menu.h"

#include <utility>

#include <QAction>
#include <QFileInfo>

#include "app/cli/commands.h"
#include "app/controls/menu_text.h"
#include "app/document/file_path.h"
#include "app/document/plan_document.h"
#include "app/document/view_state.h"
#include "app/files/file_export.h"
#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "core/files/preset_library.h"
#include "core/launch/own_launch.h"
#include "core/traces/schedule_csv.h"
#include "core/traces/trace_json.h"
#include "widgets/chart/chart_widget.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

/// Of a dialog: "&Table…" becomes "Export: Table".
QString exportTitle(const QString& action)
{
    return ExportMenu::tr("Export: %1").arg(withoutMnemonic(action).remove(u'…'));
}

} // namespace

ExportMenu::ExportMenu(
    PlanDocument& document, const ViewState& state, std::vector<ExportedChart> charts, QWidget* window)
    : QMenu(tr("E&xport"), window)
    , m_document(document)
    , m_state(state)
    , m_export(new FileExport(window))
{
    for (ExportedChart& chart : charts) {
        QAction* to_file = addFile(chart.export_text, chart.file, chartFilter(),
            [this, shown = chart.chart](const QString& file) { return exportChart(*shown, file); });
        m_charts.push_back({std::move(chart), to_file, nullptr});
    }
    addFile(tr("&Table…"), QStringLiteral("memory.csv"), tr("Spreadsheet (*.csv);;Markdown (*.md)"),
        [this](const QString& file) { return exportTable(file); });
    auto* document_action = addAction(tr("Plannin&g document…"), this, &ExportMenu::documentAsked);
    document_action->setShortcut(QKeySequence::Print);
    document_action->setProperty(kPaletteKeywords, QStringLiteral("report, print, PDF, HTML, ODT, Word"));
    addFile(tr("Trac&e of the pipeline…"), QStringLiteral("trace.json"), tr("Trace for Perfetto (*.json)"),
        [this](const QString& file) { return exportTrace(file); });
    addFile(tr("&Schedule of the pipeline…"), QStringLiteral("schedule.csv"), tr("Schedule for PyTorch (*.csv)"),
        [this](const QString& file) { return exportSchedule(file); });
    addSeparator();
    for (Entry& entry : m_charts)
        entry.copy = addAction(entry.chart.copy_text, this, [this, shown = entry.chart.chart] { copyChart(*shown); });
    m_copy_memory = m_charts.front().copy;
    m_copy_memory->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    m_export->warnBy([this] {
        QStringList said;
        for (const Sentence& warning : planWarnings(*m_document.estimate()))
            said << ui::translated(warning);
        return said.join(u' ');
    });
    connect(this, &QMenu::aboutToShow, this, &ExportMenu::prepareCharts);
}

void ExportMenu::prepareCharts()
{
    for (const Entry& entry : m_charts) {
        const bool ready = !entry.chart.prepare || entry.chart.prepare();
        entry.to_file->setEnabled(ready);
        entry.copy->setEnabled(ready);
    }
}

QAction* ExportMenu::addFile(
    const QString& text, const QString& name, const QString& filter, const FileExport::Write& write)
{
    return addAction(
        text, this, [this, title = exportTitle(text), name, filter, write] { ask(title, name, filter, write); });
}

void ExportMenu::ask(const QString& title, const QString& name, const QString& filter, const FileExport::Write& write)
{
    m_export->ask(title, proposedFile(name), filter, write);
}

QString ExportMenu::proposedFile(const QString& name) const
{
    const QString stem = QString::fromStdString(presetId(m_document.plan().name));
    const QString folder = m_document.filePath().isEmpty() ? QString() : QFileInfo(m_document.filePath()).path() + u'/';
    return QStringLiteral("%1%2-%3").arg(folder, stem, name);
}

Result<void> ExportMenu::exportChart(ui::ChartWidget& chart, const QString& file) const
{
    const Plan& plan = m_document.plan();
    QString description = QString::fromStdString(plan.name);
    // The chart's line of facts says what the search was asked.
    if (!chart.facts().isEmpty()) description += QStringLiteral("; ") + chart.facts();
    return app::exportChart(chart, plan, description, file);
}

void ExportMenu::copyChart(ui::ChartWidget& chart) const { app::copyChart(chart, m_document.plan()); }

Result<const Estimate*> ExportMenu::completeEstimate() const
{
    // The screen may be one edit behind until the event loop continues.
    m_document.recomputeNow();
    const Estimate* shown = m_document.estimate().get();
    if (!shown->complete())
        return fail(ErrorCode::OutOfRange, {},
            ui::sentence(tr("the plan breaks rules that prevent an estimate; see its checks")));
    return shown;
}

Result<void> ExportMenu::exportTrace(const QString& file) const
{
    const auto shown = completeEstimate();
    if (!shown) return tl::unexpected(shown.error());
    return writeTrace(toPath(file), traceOf(**shown, CARDFIT_VERSION));
}

Result<void> ExportMenu::exportSchedule(const QString& file) const
{
    const auto shown = completeEstimate();
    if (!shown) return tl::unexpected(shown.error());
    const auto text = scheduleCsv(*(*shown)->timeline);
    if (!text) return tl::unexpected(text.error());
    return writeFile(toPath(file), *text);
}

Result<void> ExportMenu::exportTable(const QString& file) const
{
    const auto shown = completeEstimate();
    if (!shown) return tl::unexpected(shown.error());
    const QString suffix = QFileInfo(file).suffix();
    if (suffix == QStringLiteral("csv")) return writeFile(toPath(file), memoryCsv(**shown));
    if (suffix == QStringLiteral("md"))
        return writeFile(toPath(file), memoryMarkdown(**shown, m_state.unit(), ui::installedTranslation()));
    return fail(
        ErrorCode::UnknownName, {}, ui::sentence(tr("a table is written as .csv or .md, by the file's ending")));
}

DocumentRequest ExportMenu::documentRequest() const
{
    m_document.recomputeNow();
    DocumentRequest request{m_document.plan(), *m_document.estimate()};
    for (const auto& [name, chart] : documentCharts())
        request.more_figures.push_back({name, chart->heading().toStdString()});
    request.launch = launchOf(m_document.plan());
    request.date = today();
    request.version = CARDFIT_VERSION;
    request.unit = m_state.unit();
    return request;
}

DocumentWriter::MoreCharts ExportMenu::documentCharts() const
{
    DocumentWriter::MoreCharts charts;
    for (const Entry& entry : m_charts) {
        if (entry.chart.in_report && !entry.chart.chart->isEmpty())
            charts.emplace_back(QFileInfo(entry.chart.file).completeBaseName().toStdString(), entry.chart.chart);
    }
    return charts;
}

} // namespace cardfit::app
