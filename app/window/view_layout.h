// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QByteArray>
#include <QList>
#include <QRect>
#include <QString>
#include <QStringList>

#include "app/dialogs/calibration_dialog.h"
#include "app/document/view_state.h"
#include "app/files/measured_runs.h"
#include "widgets/timeline/timeline_geometry.h"

namespace cardfit::app {

/// The arrangement of a window; saved between runs.
struct ViewLayout {
    QByteArray geometry; ///< from QWidget::saveGeometry()
    QByteArray docks; ///< from QMainWindow::saveState()
    CentreView centre = CentreView::Peaks;
    QList<int> charts; ///< from Centre::heights()
    bool keeps_peaks = false;
    bool all_stages = false;
    std::optional<QStringList> schedules; ///< schedules that are compared; nullopt: the window's default
    bool outlines_pins = true;
    ByteUnit unit = ByteUnit::GB;
};

/// The layout of the last run, or the default layout.
[[nodiscard]] ViewLayout savedLayout();
/// Saves what this program has changed: what another one has saved meanwhile stays.
void saveLayout(const ViewLayout& layout);

/// An open table window, and its position on the screen.
struct OpenTable {
    int chart = 0; ///< index in the list of charts
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

/// What a user is looking at in the open plan. It is carried over to the window in another language, and not saved.
struct ViewPosition {
    bool critical_path = false;
    QStringList explained; ///< explained figures, oldest first; the last one is shown
    ui::TimeRange range; ///< visible range of the pipeline, in seconds
    std::optional<double> cursor; ///< in seconds
    std::optional<ShownRun> measured;
    int inputs_scrolled = 0;
    QStringList open_rails; ///< from InputsPanel::openRails()
    Room room = Room::Plan;
    std::optional<int> difference = {}; ///< letter of the plan to which the bars show the difference
    std::optional<OpenTable> table = {};
    std::optional<OpenHelp> help = {};
    std::optional<OpenRun> run = {};
};

} // namespace cardfit::app
