// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>

#include <QMainWindow>

namespace cardfit::app {

/// Keeps the panels beside the charts as wide as they were wanted: a window that becomes small squeezes them, and Qt
/// gives all of the room to the charts when it becomes large again.
class DockWidths : public QObject {
    Q_OBJECT

public:
    /// After the window has all of its docks.
    explicit DockWidths(QMainWindow* window);
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void restore();

    QMainWindow* m_window;
    int m_settled = -1; ///< the window's width that the docks are laid out for
    std::map<Qt::DockWidgetArea, int> m_wanted;
};

} // namespace cardfit::app
