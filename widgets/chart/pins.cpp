// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/pins.h"

#include <algorithm>

#include <QCoreApplication> // Q_DECLARE_TR_FUNCTIONS
#include <QFontMetrics>
#include <QPainter>

#include "widgets/chart/chart_header.h"
#include "widgets/chart/chart_style.h"

namespace cardfit::ui {

namespace {

struct PinText {
    Q_DECLARE_TR_FUNCTIONS(PinText)
};

QPen pinPen(int slot, const Theme& theme)
{
    QPen pen(theme.text, 1.0, Qt::CustomDashLine, Qt::FlatCap, Qt::MiterJoin);
    switch (slot) {
    case 0: pen.setDashPattern({7.0, 3.0}); break;
    case 1: pen.setDashPattern({2.0, 2.0}); break;
    case 2: pen.setDashPattern({8.0, 2.0, 2.0, 2.0}); break;
    default: pen.setDashPattern({4.0, 1.0}); break;
    }
    return pen;
}

} // namespace

QString pinTitle(const PinnedEstimate& pin)
{
    //: a pinned plan: its letter and its name
    return PinText::tr("%1: %2").arg(pin.letter).arg(pin.name);
}

LegendEntry pinEntry(const PinnedEstimate& pin, const Theme& theme)
{
    LegendEntry entry{theme.text, {}, Pattern::Solid, QString(pin.letter), QString(pin.letter), true};
    entry.dashes = pinPen(pin.slot, theme).dashPattern();
    return entry;
}

void drawPinLine(QPainter& painter, const QPolygonF& line, int slot, const Theme& theme)
{
    painter.setPen(QPen(theme.background, 3.0, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.drawPolyline(line);
    painter.setPen(pinPen(slot, theme));
    painter.drawPolyline(line);
}

void drawPinEnd(
    QPainter& painter, const QRectF& area, double end, double there, const PinnedEstimate& pin, const Theme& theme)
{
    constexpr double kHalfLetter = 6.0;
    const double in = 2.0 + 3.0 * pin.slot;
    const double left = std::min(end, there);
    const QPolygonF line{
        {{left, area.top() + in}, {there, area.top() + in}, {there, area.bottom() - in}, {left, area.bottom() - in}}};
    drawPinLine(painter, line, pin.slot, theme);
    const double middle = std::min(there, area.right() - kHalfLetter);
    drawPinLetter(
        painter, {middle, area.top() + (pin.slot + 0.5) * area.height() / (kPreviewSlot + 1.0)}, pin.letter, theme);
}

void drawPinLetter(QPainter& painter, QPointF centre, QChar letter, const Theme& theme)
{
    painter.setFont(chartFont(-2, true));
    const QFontMetrics metrics(painter.font());
    QRectF ground(0.0, 0.0, metrics.horizontalAdvance(letter) + 4.0, metrics.height() - 2.0);
    ground.moveCenter(centre);
    ground = ground.toAlignedRect();
    painter.fillRect(ground, theme.background);
    painter.setPen(theme.text);
    painter.drawText(ground, Qt::AlignCenter, letter);
}

} // namespace cardfit::ui
