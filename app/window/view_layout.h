// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QByteArray>
#include <QList>
#include <QRect>
#include <QString>
#include <QStringList>

#include "app/dialogs/calibration_dialog.h"
#include "app/document/measured_runs.h"
#include "app/window/view_state.h"
#include "widgets/timeline/timeline_geometry.h"

namespace cardfit::app {

/// How a user has arranged a window; kept from one run of the program to the next.
struct ViewLayout {
    QByteArray geometry; ///< as QWidget::saveGeometry()
    QByteArray docks; ///< as QMainWindow::saveState()
    CentreView centre = CentreView::Peaks;
    QList<int> charts; ///< as Centre::heights()
    bool keeps_peaks = false;
    bool all_stages = false;
    std::optional<QStringList> schedules; ///< that are compared; none: as the window chooses them
    bool outlines_pins = true;
    ByteUnit unit = ByteUnit::GB;
};

/// The layout of the last run; the default one before the first.
[[nodiscard]] ViewLayout savedLayout();
void saveLayout(const ViewLayout& layout);

/// A window beside the main one, and its place on the screen.
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

/// Where a user is in the open plan. It goes over to the window in another language, and is not saved.
struct ViewPosition {
    bool critical_path = false;
    QStringList explained; ///< figures, oldest first; the last one is shown
    ui::TimeRange range; ///< of the pipeline, in seconds
    std::optional<double> cursor; ///< in seconds
    std::optional<ShownRun> measured;
    int inputs_scrolled = 0;
    std::optional<int> difference = {}; ///< the pin to which the bars show the difference
    std::optional<OpenTable> table = {};
    std::optional<OpenHelp> help = {};
    std::optional<OpenRun> run = {};
};

} // namespace cardfit::app
