// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rails/keyed_editor.h"
#include "widgets/text/tool_tip.h"

#include <utility>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

namespace cardfit::ui {

void KeyedEditor::commitKeys()
{
    if (std::exchange(m_keys_moving, false)) commitValue();
}

bool KeyedEditor::event(QEvent* event)
{
    const bool ends = event->type() == QEvent::Hide || event->type() == QEvent::WindowBlocked
        || (event->type() == QEvent::EnabledChange && !isEnabled());
    // Later: the edit that it ends may be the reason why it is hidden.
    if (ends) {
        const auto end = [this] {
            commitKeys();
            endDrag();
        };
        QMetaObject::invokeMethod(this, end, Qt::QueuedConnection);
    }
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    // An empty text hides a tool tip that is shown.
    QToolTip::showText(help->globalPos(), asPlain(explanationAt(help->pos())), this);
    return true;
}

void KeyedEditor::keyReleaseEvent(QKeyEvent* event)
{
    if (!event->isAutoRepeat()) commitKeys();
    QWidget::keyReleaseEvent(event);
}

void KeyedEditor::focusOutEvent(QFocusEvent* event)
{
    commitKeys();
    QWidget::focusOutEvent(event);
}

} // namespace cardfit::ui
