// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QByteArray>
#include <QRect>
#include <QString>
#include <QStringList>

#include "app/dialogs/calibration_dialog.h"
#include "app/document/measured_runs.h"
#include "core/io/report/reports.h"
#include "widgets/timeline/timeline_geometry.h"

namespace cardfit::app {

/// What the middle of the window shows.
enum class CentreView {
    Peaks, ///< each card's peak above the pipeline
    OverTime, ///< what cards hold over time above the pipeline
    Schedules, ///< pipelines of other schedules
    Compare, ///< the plan beside its pins
};

/// How a user has arranged a window.
struct WindowLook {
    QByteArray geometry; ///< as QWidget::saveGeometry()
    QByteArray docks; ///< as QMainWindow::saveState()
    CentreView view = CentreView::Peaks;
    QByteArray charts; ///< as QSplitter::saveState()
    bool bars_kept = false;
    bool all_stages = false;
    std::optional<QStringList> schedules; ///< that are compared; none: as the window chooses them
    bool pin_outlines = true;
    ByteUnit unit = ByteUnit::GB;
};

/// A window beside the main one, and where it stands.
struct OpenTable {
    int chart = 0; ///< in the order of the list
    QRect place;
};
struct OpenHelp {
    QString topic;
    QRect place;
};
struct OpenRun {
    RunFields fields;
    QRect place;
};

/// What else a user looks at. It is of the plan that is open, and not kept from one run to the next.
struct WindowGaze {
    bool critical_path = false;
    QStringList explained; ///< figures, oldest first; the last one is shown
    ui::TimeRange range; ///< of the pipeline, in seconds
    std::optional<double> cursor; ///< in seconds
    std::optional<LaidRun> measured;
    int inputs_scrolled = 0;
    std::optional<int> difference = {}; ///< the pin to which the bars show the difference
    std::optional<OpenTable> table = {};
    std::optional<OpenHelp> help = {};
    std::optional<OpenRun> run = {};
};

/// Of the last run; of no run at all: as it ships.
[[nodiscard]] WindowLook savedLook();
void saveLook(const WindowLook& look);

} // namespace cardfit::app
