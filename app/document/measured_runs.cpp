// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/measured_runs.h"

#include <QAction>
#include <QFileDialog>
#include <QInputDialog>
#include <QMenu>

#include "app/document/file_path.h"
#include "core/io/schedule/measured_trace.h"
#include "widgets/text/translated.h"
#include "widgets/timeline/pipeline_timeline.h"

namespace cardfit::app {

MeasuredRuns::MeasuredRuns(ui::PipelineTimeline& timeline, QWidget* window)
    : QObject(window)
    , m_timeline(timeline)
    , m_window(window)
{
}

void MeasuredRuns::fill(QMenu* menu)
{
    menu->addAction(tr("Lay a &measured run under the timeline…"), this, &MeasuredRuns::askAndLay);
    m_take_away = menu->addAction(tr("&Take the measured run away"), this, &MeasuredRuns::takeAway);
    m_take_away->setEnabled(false);
}

bool MeasuredRuns::lay(std::vector<std::filesystem::path> files, std::optional<std::int64_t> iteration)
{
    const bool one_rank = files.size() == 1 && files.front().stem().string().starts_with("pp_rank_");
    if (one_rank) files.front() = std::filesystem::absolute(files.front()).parent_path();
    auto run = readMeasuredRun(files, iteration);
    if (!run) {
        emit failed(tr("The measured run could not be read"), ui::translated(run.error()));
        return false;
    }
    lay(LaidRun{std::make_shared<const Timeline>(std::move(run->timeline)), QString::fromStdString(run->label),
        std::move(run->iterations)});
    return true;
}

void MeasuredRuns::lay(LaidRun run)
{
    m_laid = std::move(run);
    m_timeline.setMeasured(m_laid->timeline, m_laid->label);
    if (m_take_away) m_take_away->setEnabled(true);
}

void MeasuredRuns::takeAway()
{
    m_timeline.setMeasured(nullptr, {});
    m_laid.reset();
    if (m_take_away) m_take_away->setEnabled(false);
}

void MeasuredRuns::askAndLay()
{
    const QStringList chosen =
        QFileDialog::getOpenFileNames(m_window, tr("Measured run"), {}, tr("Traces (*.json);;All files (*)"));
    if (chosen.isEmpty()) return;
    std::vector<std::filesystem::path> files;
    for (const QString& file : chosen)
        files.push_back(toPath(file));
    if (!lay(files) || m_laid->iterations.size() < 2) return;
    QStringList iterations;
    for (const std::int64_t iteration : m_laid->iterations)
        iterations << QString::number(iteration);
    bool accepted = false;
    const QString iteration = QInputDialog::getItem(m_window, tr("Measured run"), tr("Iteration"), iterations,
        static_cast<int>(iterations.size()) - 1, false, &accepted);
    if (accepted && iteration != iterations.last()) lay(files, iteration.toLongLong());
}

} // namespace cardfit::app
