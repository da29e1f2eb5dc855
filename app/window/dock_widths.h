// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>

#include <QMainWindow>

namespace cardfit::app {

/// Keeps the widths of the docks beside the charts: when a window becomes narrow Qt shrinks them, and when it becomes
/// wide again Qt gives all the space to the charts. This class restores the widths.
class DockWidths : public QObject {
    Q_OBJECT

public:
    /// Make it after the window has all its docks.
    explicit DockWidths(QMainWindow* window);
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void restore();

    QMainWindow* m_window;
    int m_settled = -1; ///< the window's width for which the docks are laid out
    std::map<Qt::DockWidgetArea, int> m_wanted;
};

} // namespace cardfit::app
