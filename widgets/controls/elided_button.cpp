// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/elided_button.h"

#include "widgets/text/tool_tip.h"

namespace cardfit::ui {

ElidedButton::ElidedButton(const QString& text, QWidget* parent)
    : QPushButton(text, parent)
    , m_text(text)
{
    ensurePolished(); // a style may change the font
    m_size = QPushButton::sizeHint();
    setAccessibleName(text);
    setTip(this, text);
    setMinimumWidth(1);
}

void ElidedButton::resizeEvent(QResizeEvent* event)
{
    QPushButton::resizeEvent(event);
    const int text = fontMetrics().horizontalAdvance(m_text);
    const int room = width() - (m_size.width() - text);
    setText(width() < m_size.width() ? fontMetrics().elidedText(m_text, Qt::ElideMiddle, room) : m_text);
}

} // namespace cardfit::ui
