// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <QObject>

class QAction;
class QMenu;
class QWidget;

namespace cardfit::ui {
class PipelineTimeline;
}

namespace cardfit::app {

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
    void takeAway();

signals:
    void failed(const QString& what, const QString& why);

private:
    void askAndLay();

    ui::PipelineTimeline& m_timeline;
    QWidget* m_window;
    QAction* m_take_away = nullptr;
    std::vector<std::int64_t> m_iterations; ///< of the run that was laid last
};

} // namespace cardfit::app
