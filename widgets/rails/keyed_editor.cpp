// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rails/keyed_editor.h"

#include <utility>

#include <QKeyEvent>

namespace cardfit::ui {

void KeyedEditor::commitKeys()
{
    if (std::exchange(m_keys_moving, false)) commitValue();
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
