// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pane_cycle.h"

#include <algorithm>

#include <QAction>
#include <QApplication>
#include <QMenu>

namespace cardfit::app {

namespace {

bool takesKeys(const QWidget* widget)
{
    return (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isVisible() && widget->isEnabled()
        && widget->focusProxy() == nullptr;
}

/// The pane's first widget in the order of the Tab key, or else the pane itself.
QWidget* firstInside(QWidget* pane)
{
    for (QWidget* next = pane->nextInFocusChain(); next != pane; next = next->nextInFocusChain()) {
        if (pane->isAncestorOf(next) && takesKeys(next)) return next;
    }
    return takesKeys(pane) ? pane : nullptr;
}

/// Visible, and not behind another dock's tab. What a pane's own children cover is no part of its visible region: a
/// list that fills its pane leaves none.
bool isSeen(const QWidget* pane)
{
    const auto shows = [](const QWidget* widget) { return widget->isVisible() && !widget->visibleRegion().isEmpty(); };
    return shows(pane) || std::ranges::any_of(pane->findChildren<QWidget*>(), shows);
}

} // namespace

PaneCycle::PaneCycle(std::vector<QWidget*> panes, QWidget* window)
    : QObject(window)
{
    for (QWidget* pane : panes)
        m_panes.push_back({pane, nullptr});
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { remember(now); });
}

void PaneCycle::fill(QMenu* menu)
{
    auto* next = menu->addAction(tr("&Next pane"), this, [this] { move(1); });
    next->setShortcut(QKeySequence(Qt::Key_F6));
    auto* previous = menu->addAction(tr("Pre&vious pane"), this, [this] { move(-1); });
    previous->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F6));
}

int PaneCycle::indexOf(const QWidget* widget) const
{
    for (std::size_t i = 0; i < m_panes.size(); ++i) {
        const QWidget* pane = m_panes[i].widget;
        if (pane == nullptr || widget == nullptr) continue;
        if (pane == widget || pane->isAncestorOf(widget)) return static_cast<int>(i);
    }
    return -1;
}

QWidget* PaneCycle::current() const
{
    const int index = indexOf(QApplication::focusWidget());
    return index < 0 ? nullptr : m_panes[static_cast<std::size_t>(index)].widget;
}

void PaneCycle::remember(QWidget* focused)
{
    const int index = indexOf(focused);
    if (index >= 0) m_panes[static_cast<std::size_t>(index)].last = focused;
}

void PaneCycle::move(int by)
{
    const int count = static_cast<int>(m_panes.size());
    int index = indexOf(QApplication::focusWidget());
    if (index < 0 && by < 0) index = 0; // without a current pane, backwards leads to the last one
    for (int tried = 0; tried < count; ++tried) {
        index = (index + by + count) % count;
        const Pane& pane = m_panes[static_cast<std::size_t>(index)];
        if (pane.widget == nullptr || !isSeen(pane.widget)) continue;
        if (enter(pane)) return;
    }
}

void PaneCycle::goTo(const QWidget* pane)
{
    const int index = indexOf(pane);
    if (index >= 0) enter(m_panes[static_cast<std::size_t>(index)]);
}

bool PaneCycle::enter(const Pane& pane)
{
    const bool has_last = pane.last != nullptr && takesKeys(pane.last);
    QWidget* target = has_last ? pane.last.data() : firstInside(pane.widget);
    if (target != nullptr) target->setFocus(Qt::ShortcutFocusReason);
    return target != nullptr;
}

} // namespace cardfit::app
