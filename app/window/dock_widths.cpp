// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dock_widths.h"

#include <QDockWidget>
#include <QEvent>
#include <QLayout>

namespace cardfit::app {

DockWidths::DockWidths(QMainWindow* window)
    : QObject(window)
    , m_window(window)
{
    window->installEventFilter(this);
    for (auto* dock : window->findChildren<QDockWidget*>())
        dock->installEventFilter(this);
}

bool DockWidths::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::Resize || !m_window->isVisible()) return false;
    if (watched == m_window) {
        restore();
        return false;
    }
    const auto* dock = static_cast<QDockWidget*>(watched);
    if (dock->isFloating() || !dock->isVisible()) return false;
    // If the window's width has not changed, the new dock width is intended: a border is dragged, or a layout is
    // restored.
    const Qt::DockWidgetArea area = m_window->dockWidgetArea(const_cast<QDockWidget*>(dock));
    if (m_settled == m_window->width() || !m_wanted.contains(area)) m_wanted[area] = dock->width();
    return false;
}

/// Called after the window has a new width and its layout has adapted to it.
void DockWidths::restore()
{
    QList<QDockWidget*> docks;
    QList<int> widths;
    for (const auto& [area, width] : m_wanted) {
        if (area != Qt::LeftDockWidgetArea && area != Qt::RightDockWidgetArea) continue;
        for (auto* dock : m_window->findChildren<QDockWidget*>()) {
            if (dock->isFloating() || !dock->isVisible() || m_window->dockWidgetArea(dock) != area) continue;
            docks << dock;
            widths << width;
            break;
        }
    }
    if (!docks.isEmpty()) {
        m_window->resizeDocks(docks, widths, Qt::Horizontal);
        m_window->layout()->activate();
    }
    m_settled = m_window->width();
}

} // namespace cardfit::app
