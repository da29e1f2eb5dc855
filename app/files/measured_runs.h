// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <QList>
#include <QObject>
#include <QString>

#include "core/pipeline/timeline/timeline.h"

class QAction;
class QMenu;
class QWidget;

namespace cardfit::ui {
class PipelineTimeline;
}

namespace cardfit::app {

/// A measured run, shown under the planned timeline.
struct ShownRun {
    std::shared_ptr<const Timeline> timeline;
    QString label;
    std::vector<std::int64_t> iterations; ///< iterations in its files
};

class PlanDocument;

/// Shows measured runs under the planned timeline, and calibrates the plan with them.
class MeasuredRuns : public QObject {
    Q_OBJECT

public:
    /// Dialogs have `window` as their parent.
    MeasuredRuns(PlanDocument& document, ui::PipelineTimeline& timeline, QWidget* window);

    void fill(QMenu* menu);

    /// `files`: as in readMeasuredRun(); the file of one rank stands for its whole folder. On an error the shown run
    /// stays, and failed() says why.
    bool show(std::vector<std::filesystem::path> files, std::optional<std::int64_t> iteration = std::nullopt);
    /// Shows a run that was read before.
    void show(ShownRun run);
    [[nodiscard]] const std::optional<ShownRun>& shown() const { return m_shown; }
    void hide();
    /// Makes the plan's passes as long as the run's, as one undo step. Does nothing without a run, or if failed() says
    /// why.
    void calibrate();

signals:
    void failed(const QString& what, const QString& why);

private:
    void askAndShow();

    PlanDocument& m_document;
    ui::PipelineTimeline& m_timeline;
    QWidget* m_window;
    QList<QAction*> m_of_shown; ///< actions that need a shown run
    std::optional<ShownRun> m_shown;
};

} // namespace cardfit::app
