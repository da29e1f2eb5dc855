// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/symbols.h"

#include <QIconEngine>
#include <QLineF>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

namespace cardfit::ui {

namespace {

void drawLock(QPainter& painter, bool closed, const QColor& ink)
{
    QPainterPath shackle;
    shackle.moveTo(5.0, 7.5);
    shackle.lineTo(5.0, 5.0);
    shackle.arcTo(QRectF(5.0, 2.0, 6.0, 6.0), 180.0, -180.0);
    if (closed) shackle.lineTo(11.0, 7.5);
    painter.drawPath(shackle);
    if (closed) painter.setBrush(ink);
    painter.drawRoundedRect(QRectF(3.5, 7.5, 9.0, 6.5), 1.2, 1.2);
}

void drawReset(QPainter& painter)
{
    QPainterPath arrow;
    const QRectF circle(3.0, 3.0, 10.0, 10.0);
    arrow.arcMoveTo(circle, 150.0);
    arrow.arcTo(circle, 150.0, 290.0);
    painter.drawPath(arrow);
    painter.drawPolyline(QPolygonF({{3.2, 2.4}, {3.6, 5.6}, {6.8, 5.4}}));
}

void drawUndo(QPainter& painter)
{
    QPainterPath arrow;
    arrow.moveTo(2.5, 6.0);
    arrow.lineTo(9.5, 6.0);
    arrow.arcTo(QRectF(5.5, 6.0, 8.0, 7.0), 90.0, -180.0);
    arrow.lineTo(6.0, 13.0);
    painter.drawPath(arrow);
    painter.drawPolyline(QPolygonF({{5.5, 3.0}, {2.5, 6.0}, {5.5, 9.0}}));
}

void drawCopy(QPainter& painter)
{
    painter.drawRoundedRect(QRectF(2.5, 5.5, 8.0, 8.0), 1.2, 1.2);
    painter.drawPolyline(QPolygonF({{5.5, 3.0}, {5.5, 2.5}, {13.5, 2.5}, {13.5, 10.5}, {13.0, 10.5}}));
}

/// Operations on three ranks, and the line that connects them.
void drawCriticalPath(QPainter& painter)
{
    painter.drawLine(QLineF(5.5, 3.0, 5.5, 8.0));
    painter.drawLine(QLineF(10.5, 8.0, 10.5, 13.0));
    QPen thick = painter.pen();
    thick.setWidthF(2.6);
    thick.setCapStyle(Qt::FlatCap);
    painter.setPen(thick);
    painter.drawLine(QLineF(1.5, 3.0, 6.2, 3.0));
    painter.drawLine(QLineF(4.8, 8.0, 11.2, 8.0));
    painter.drawLine(QLineF(9.8, 13.0, 14.5, 13.0));
}

void drawBars(QPainter& painter, const QColor& ink)
{
    for (const QRectF& bar : {QRectF(2.0, 2.5, 3.0, 11.0), QRectF(6.5, 5.5, 3.0, 8.0), QRectF(11.0, 9.5, 3.0, 4.0)})
        painter.fillRect(bar, ink);
}

void drawLens(QPainter& painter)
{
    painter.drawEllipse(QPointF(6.8, 6.8), 4.3, 4.3);
    painter.drawLine(QLineF(10.0, 10.0, 14.0, 14.0));
}

void drawTwoSheets(QPainter& painter)
{
    painter.drawRoundedRect(QRectF(1.5, 2.5, 5.5, 11.0), 1.2, 1.2);
    painter.drawRoundedRect(QRectF(9.0, 2.5, 5.5, 11.0), 1.2, 1.2);
}

void drawRacks(QPainter& painter)
{
    for (const double top : {2.0, 6.3, 10.6}) {
        painter.drawRoundedRect(QRectF(1.5, top, 13.0, 3.4), 0.9, 0.9);
        painter.drawPoint(QPointF(4.0, top + 1.7));
    }
}

void drawBook(QPainter& painter)
{
    painter.drawPolyline(QPolygonF({{8.0, 4.5}, {5.5, 3.0}, {1.5, 3.0}, {1.5, 12.0}, {5.5, 12.0}, {8.0, 13.5}}));
    painter.drawPolyline(QPolygonF({{8.0, 4.5}, {10.5, 3.0}, {14.5, 3.0}, {14.5, 12.0}, {10.5, 12.0}, {8.0, 13.5}}));
    painter.drawLine(QLineF(8.0, 4.5, 8.0, 13.5));
}

/// Draws on a 16 x 16 grid, scaled to the size and resolution that is asked for.
class SymbolEngine : public QIconEngine {
public:
    SymbolEngine(Symbol symbol, QColor ink)
        : m_symbol(symbol)
        , m_ink(std::move(ink))
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->translate(rect.topLeft());
        painter->scale(rect.width() / 16.0, rect.height() / 16.0);
        if (mode == QIcon::Disabled) painter->setOpacity(0.3);
        painter->setPen(QPen(m_ink, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->setBrush(Qt::NoBrush);
        switch (m_symbol) {
        case Symbol::LockClosed: drawLock(*painter, true, m_ink); break;
        case Symbol::LockOpen: drawLock(*painter, false, m_ink); break;
        case Symbol::Reset: drawReset(*painter); break;
        case Symbol::Undo: drawUndo(*painter); break;
        case Symbol::Redo:
            painter->translate(16.0, 0.0);
            painter->scale(-1.0, 1.0);
            drawUndo(*painter);
            break;
        case Symbol::Copy: drawCopy(*painter); break;
        case Symbol::CriticalPath: drawCriticalPath(*painter); break;
        case Symbol::Bars: drawBars(*painter, m_ink); break;
        case Symbol::Lens: drawLens(*painter); break;
        case Symbol::TwoSheets: drawTwoSheets(*painter); break;
        case Symbol::Racks: drawRacks(*painter); break;
        case Symbol::Book: drawBook(*painter); break;
        }
        painter->restore();
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }

    [[nodiscard]] QIconEngine* clone() const override { return new SymbolEngine(*this); }

private:
    Symbol m_symbol;
    QColor m_ink;
};

} // namespace

QIcon symbolIcon(Symbol symbol, const QColor& ink) { return QIcon(new SymbolEngine(symbol, ink)); }

} // namespace cardfit::ui
