// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QObject>

#include "app/help/first_hints.h"

class QMenu;

namespace cardfit::app {

class HelpWindow;

/// The Help menu: help on the focused widget, and the hints of the first run.
class HelpMenu : public QObject {
    Q_OBJECT

public:
    HelpMenu(std::vector<Hint> hints, QWidget* window);

    void fill(QMenu* menu);
    /// Opens the page on the focused widget or, if no widget of the window has the focus, on the widget under the
    /// pointer.
    void showContext();
    [[nodiscard]] HelpWindow& helpWindow();
    /// Null if no page is open.
    [[nodiscard]] const HelpWindow* openWindow() const;
    [[nodiscard]] FirstHints& hints() { return m_hints; }

private:
    QWidget* m_window;
    FirstHints m_hints;
    HelpWindow* m_help = nullptr;
};

} // namespace cardfit::app
