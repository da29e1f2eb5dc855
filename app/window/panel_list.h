// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "app/panels/panel_context.h"

class QWidget;

namespace cardfit::app {

/// Where a panel is docked initially. Panels of one place are tabs, the first one in front.
enum class PanelPlace { Left, Bottom, Right };

/// One panel around the charts. Its dock, its entry in the View menu, its turn in the F6 cycle, its help page and its
/// place in saved layouts are made from this; its title is the widget's window title.
struct PanelEntry {
    const char* id; ///< the dock's name in saved layouts
    PanelPlace place;
    const char* help; ///< topic of its help page, see HelpWindow::topics()
    bool open; ///< in a window without a saved layout
    QWidget* (*make)(const PanelContext& context);
};

/// In the order of the View menu.
[[nodiscard]] std::span<const PanelEntry> panelEntries();

} // namespace cardfit::app
