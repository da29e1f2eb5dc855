// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/toolbar_divider.h"

#include <QPainter>
#include <QToolBar>

#include "widgets/chart/theme.h"

namespace cardfit::ui {

ToolBarDivider::ToolBarDivider(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
}

void ToolBarDivider::addTo(QToolBar& bar) { bar.addWidget(new ToolBarDivider(&bar)); }

void ToolBarDivider::paintEvent(QPaintEvent*)
{
    constexpr int kInset = 5;
    constexpr double kInk = 0.3;
    QPainter painter(this);
    const QColor line = mixed(palette().color(QPalette::Window), palette().color(QPalette::WindowText), kInk);
    painter.fillRect(QRect(width() / 2, kInset, 1, height() - 2 * kInset), line);
}

} // namespace cardfit::ui
