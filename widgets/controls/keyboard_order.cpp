// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/keyboard_order.h"

#include <utility>

#include <QLayout>
#include <QWidget>

namespace cardfit::ui {

namespace {

void append(QWidget*& last, const QLayout& layout)
{
    for (int i = 0; i < layout.count(); ++i) {
        if (const QLayout* inner = layout.itemAt(i)->layout()) append(last, *inner);
        QWidget* widget = layout.itemAt(i)->widget();
        if (widget == nullptr) continue;
        if ((widget->focusPolicy() & Qt::TabFocus) != 0) QWidget::setTabOrder(std::exchange(last, widget), widget);
        if (widget->layout() != nullptr) append(last, *widget->layout());
    }
}

} // namespace

void orderKeyboard(QWidget& first, QLayout& layout)
{
    QWidget* last = &first;
    append(last, layout);
}

} // namespace cardfit::ui
