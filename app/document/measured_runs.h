// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

#include "core/pipeline/timeline.h"

class QAction;
class QMenu;
class QWidget;

namespace cardfit::ui {
class PipelineTimeline;
}

namespace cardfit::app {

/// A measured run that stands under the timeline.
struct LaidRun {
    std::shared_ptr<const Timeline> timeline;
    QString label;
    std::vector<std::int64_t> iterations; ///< of its files
};

/// Lays measured runs under the planned timeline and takes them away again.
class MeasuredRuns : public QObject {
    Q_OBJECT

public:
    /// Dialogs belong to `window`.
    MeasuredRuns(ui::PipelineTimeline& timeline, QWidget* window);

    void fill(QMenu* menu);

    /// `files`: as in readMeasuredRun(); one file of a rank stands for its folder. On an error what was shown stays,
    /// and failed() says why.
    bool lay(std::vector<std::filesystem::path> files, std::optional<std::int64_t> iteration = std::nullopt);
    /// One that was read already.
    void lay(LaidRun run);
    [[nodiscard]] const std::optional<LaidRun>& laid() const { return m_laid; }
    void takeAway();

signals:
    void failed(const QString& what, const QString& why);

private:
    void askAndLay();

    ui::PipelineTimeline& m_timeline;
    QWidget* m_window;
    QAction* m_take_away = nullptr;
    std::optional<LaidRun> m_laid;
};

} // namespace cardfit::app
