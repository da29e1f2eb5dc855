// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/panel_labels.h"

#include <QPalette>

#include "widgets/chart/theme.h"

namespace cardfit::app {

QLabel* wrappedLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QLabel* noteLabel(const QString& text, QWidget* parent)
{
    QLabel* label = wrappedLabel(text, parent);
    setInk(label, ui::themeFor(label->palette()).muted_text);
    return label;
}

void setInk(QLabel* label, const QColor& colour)
{
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, colour);
    label->setPalette(palette);
}

void setBold(QWidget* widget)
{
    QFont font = widget->font();
    font.setBold(true);
    widget->setFont(font);
}

void setMessage(QLabel* label, const QString& message, bool is_error)
{
    const ui::Theme theme = ui::themeFor(label->parentWidget()->palette());
    setInk(label, is_error ? theme.over : theme.muted_text);
    label->setText(is_error ? QStringLiteral("✖ ") + message : message);
    label->setVisible(!message.isEmpty());
}

QString numberListText(const std::vector<std::int64_t>& numbers)
{
    QStringList words;
    for (const std::int64_t number : numbers)
        words << QString::number(number);
    return words.join(u' ');
}

} // namespace cardfit::app
