// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/measured_runs.h"
#include "app/files/ask_for_files.h"

#include <QAction>
#include <QInputDialog>
#include <QMenu>

#include "app/document/file_path.h"
#include "app/document/plan_document.h"
#include "core/accuracy/calibration.h"
#include "core/traces/measured_trace.h"
#include "widgets/text/translated.h"
#include "widgets/timeline/pipeline_timeline.h"

namespace cardfit::app {

MeasuredRuns::MeasuredRuns(PlanDocument& document, ui::PipelineTimeline& timeline, QWidget* window)
    : QObject(window)
    , m_document(document)
    , m_timeline(timeline)
    , m_window(window)
{
}

void MeasuredRuns::fill(QMenu* menu)
{
    menu->addAction(tr("Show a &measured run under the timeline…"), this, &MeasuredRuns::askAndShow);
    m_of_shown << menu->addAction(tr("Cali&brate the plan with the measured run"), this, &MeasuredRuns::calibrate)
               << menu->addAction(tr("Hide &the measured run"), this, &MeasuredRuns::hide);
    for (QAction* action : m_of_shown)
        action->setEnabled(false);
}

bool MeasuredRuns::show(std::vector<std::filesystem::path> files, std::optional<std::int64_t> iteration)
{
    const bool one_rank = files.size() == 1 && files.front().filename().string().starts_with("pp_rank_");
    std::error_code unknown; // set if the current folder was removed; then there is nothing to read either
    if (one_rank) files.front() = std::filesystem::absolute(files.front(), unknown).parent_path();
    auto run = readMeasuredRun(files, iteration);
    if (!run) {
        emit failed(tr("The measured run could not be read"), ui::translated(run.error()));
        return false;
    }
    show(ShownRun{std::make_shared<const Timeline>(std::move(run->timeline)), QString::fromStdString(run->label),
        std::move(run->iterations)});
    return true;
}

void MeasuredRuns::show(ShownRun run)
{
    m_shown = std::move(run);
    m_timeline.setMeasured(m_shown->timeline, m_shown->label);
    for (QAction* action : m_of_shown)
        action->setEnabled(true);
}

void MeasuredRuns::hide()
{
    m_timeline.setMeasured(nullptr, {});
    m_shown.reset();
    for (QAction* action : m_of_shown)
        action->setEnabled(false);
}

void MeasuredRuns::calibrate()
{
    if (!m_shown) return;
    auto comparison = compareWithTrace(m_document.plan(), *m_shown->timeline, m_shown->label.toStdString());
    if (comparison)
        m_document.edit(std::move(comparison->plan), tr("Calibrate with a measured run"));
    else
        emit failed(tr("The plan cannot be calibrated with this run"), ui::translated(comparison.error()));
}

void MeasuredRuns::askAndShow()
{
    const QStringList chosen =
        askWhichToOpen(m_window, tr("Measured run"), tr("Traces (*.json *.json.gz);;All files (*)"));
    if (chosen.isEmpty()) return;
    std::vector<std::filesystem::path> files;
    for (const QString& file : chosen)
        files.push_back(toPath(file));
    if (!show(files) || m_shown->iterations.size() < 2) return;
    QStringList iterations;
    for (const std::int64_t iteration : m_shown->iterations)
        iterations << QString::number(iteration);
    bool accepted = false;
    const QString iteration = QInputDialog::getItem(m_window, tr("Measured run"), tr("Iteration"), iterations,
        static_cast<int>(iterations.size()) - 1, false, &accepted);
    if (accepted && iteration != iterations.last()) show(files, iteration.toLongLong());
}

} // namespace cardfit::app
