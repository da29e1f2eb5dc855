// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/memory/stage_bars.h"

#include <algorithm>
#include <cmath>

#include <QFontMetrics>

#include "widgets/chart/chart_style.h"
#include "widgets/chart/painting.h"
#include "widgets/text/translated.h"

namespace cardfit::ui {

namespace {

constexpr double kBarLabelGap = 4.0;
constexpr double kAboveOutlines = 1.05; ///< room for the letter on a pin's outline

QString number(double value) { return QString::number(value, 'f', 1); }

} // namespace

BarLayout StageBars::layout() const
{
    return {QRectF(plotRect()), static_cast<int>(m_picture.bars.size()), mValueAxis->range().upper};
}

double StageBars::topFor(QSizeF plot_area) const
{
    const QFontMetrics metrics(chartFont(0, true));
    const double length = metrics.horizontalAdvance(number(m_picture.highest)) + 4.0;
    const double pitch = plot_area.width() / std::max<double>(1.0, static_cast<double>(m_picture.bars.size()));
    const double labels = std::max<double>(length > pitch ? length : 0.0, metrics.height()) + metrics.height();
    constexpr double kMost = 0.45;
    const double share = std::clamp((labels + 2.0 * kBarLabelGap) / std::max(1.0, plot_area.height()), 0.0, kMost);
    return std::max(m_picture.highest / (1.0 - share), m_outlines.highest(m_picture.bars.size()) * kAboveOutlines);
}

QRect StageBars::clipRect() const { return mParentPlot->viewport(); }

void StageBars::paint(QCPPainter& painter)
{
    const BarLayout at = layout();
    painter.setFont(chartFont(-1));
    for (int stage = 0; stage < at.stages; ++stage) {
        drawBar(painter, at, stage);
        drawOver(painter, at, stage);
        drawFrame(painter, at, stage);
        drawLetters(painter, at, stage);
    }
    drawCapacity(painter, at);
    for (int stage = 0; stage < at.stages; ++stage)
        drawBand(painter, at, stage);
    m_outlines.draw(painter, at, theme());
    drawHighlight(painter, at);
    drawTotals(painter, at);
    drawCapacityLabel(painter, at);
}

void StageBars::drawBar(QCPPainter& painter, const BarLayout& at, int stage) const
{
    constexpr double kThinnestWithPattern = 4.0;
    constexpr double kThinnestWithSeam = 5.0;
    const StageBar& bar = m_picture.bars[static_cast<std::size_t>(stage)];
    double bottom = 0.0;
    for (std::size_t i = 0; i < kSegmentCount; ++i) {
        const double upper = bottom + bar.parts[i];
        const QRectF rect = at.part(stage, bottom, upper);
        const SegmentStyle& style = theme().segments[i];
        if (rect.height() >= 1.0) {
            painter.fillRect(rect, style.fill);
            if (rect.height() >= kThinnestWithPattern && rect.width() >= 2 * kThinnestWithPattern)
                drawHatch(painter, rect, style);
            if (static_cast<Segment>(i) == Segment::Activations) drawCells(painter, at, stage, bottom);
            if (rect.height() >= kThinnestWithSeam) {
                painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), 1.0), theme().background);
            }
        }
        bottom = upper;
    }
}

/// The letter of each segment that has room for it, with its value in wide bars.
void StageBars::drawLetters(QCPPainter& painter, const BarLayout& at, int stage) const
{
    constexpr double kNarrowestWithValues = 76.0;
    constexpr double kClearOfCapacity = 9.0;
    const StageBar& bar = m_picture.bars[static_cast<std::size_t>(stage)];
    const double capacity = at.y(bar.capacity);
    double bottom = 0.0;
    for (std::size_t i = 0; i < kSegmentCount; ++i) {
        const QRectF rect = at.part(stage, bottom, bottom + bar.parts[i]);
        bottom += bar.parts[i];
        const SegmentStyle& style = theme().segments[i];
        if (std::abs(rect.center().y() - capacity) < kClearOfCapacity) continue;
        const bool with_value = at.pitch() >= kNarrowestWithValues;
        drawSegmentText(
            painter, rect, style, with_value ? style.letter + u' ' + number(bar.parts[i]) : QString(style.letter));
    }
}

/// Draws one cell per micro-batch in flight, where cells are high enough to be distinguished.
void StageBars::drawCells(QCPPainter& painter, const BarLayout& at, int stage, double bottom) const
{
    constexpr double kLowestCell = 3.0;
    const StageBar& bar = m_picture.bars[static_cast<std::size_t>(stage)];
    const double activations = bar.parts[static_cast<std::size_t>(Segment::Activations)];
    if (bar.cell <= 0.0 || bar.cell / at.top * at.area.height() < kLowestCell) return;
    const QColor fill = theme()[Segment::Activations].fill;
    const QColor line = mixed(fill, inkOn(fill), 0.55);
    const QRectF column = at.column(stage);
    // The last cell's upper edge is also the segment's edge, which is already drawn.
    for (double height = bar.cell; height < activations - 0.25 * bar.cell; height += bar.cell) {
        painter.fillRect(QRectF(column.left(), at.y(bottom + height), column.width(), 1.0), line);
    }
}

void StageBars::drawOver(QCPPainter& painter, const BarLayout& at, int stage) const
{
    const StageBar& bar = m_picture.bars[static_cast<std::size_t>(stage)];
    if (bar.total <= bar.capacity) return;
    QRectF rect = at.part(stage, bar.capacity, bar.total);
    rect.setHeight(std::max(2.0, rect.height()));
    const double spacing = rect.width() >= 12.0 ? 5.0 : 4.0;
    drawHatch(painter, rect, Pattern::Rising, spacing, theme().over_hatch);
}

void StageBars::drawFrame(QCPPainter& painter, const BarLayout& at, int stage) const
{
    const StageBar& bar = m_picture.bars[static_cast<std::size_t>(stage)];
    const QRectF whole = at.part(stage, 0.0, bar.total);
    if (whole.width() < 5.0) return;
    const auto frame = [&](double value, const QPen& pen) {
        const QRectF rect = at.part(stage, 0.0, value);
        painter.setPen(pen);
        painter.drawRect(rect.adjusted(0, 0, -1, 0));
    };
    // Outlines the free memory up to the capacity and, for an instant, the bar up to its peak.
    constexpr double kNarrowestWithFree = 40.0;
    if (bar.capacity > bar.total && at.pitch() >= kNarrowestWithFree) frame(bar.capacity, QPen(theme().grid, 1.0));
    if (m_peaks_outlined && bar.peak > bar.total) frame(bar.peak, QPen(theme().muted_text, 1.0, Qt::DotLine));
    frame(bar.total, QPen(bar.over ? theme().over : theme().outline, 1.0));
}

/// A whisker from the card's minimum to its maximum; to the right of the letters where the bar is wide.
void StageBars::drawBand(QCPPainter& painter, const BarLayout& at, int stage) const
{
    constexpr double kNarrowest = 4.0;
    constexpr double kWide = 28.0;
    const StageBar& bar = m_picture.bars[static_cast<std::size_t>(stage)];
    const QRectF column = at.column(stage);
    if (bar.high <= bar.low || column.width() < kNarrowest) return;
    const double low = at.y(bar.low);
    const double high = at.y(bar.high);
    const double share = column.width() >= kWide ? 0.86 : 0.5;
    const double x = std::floor(column.left() + share * column.width());
    const double cap = column.width() >= kWide ? 4.0 : column.width() >= 10.0 ? 2.0 : 0.0;
    const auto rect = [&](double left, double top, double right, double bottom) {
        return QRectF(QPointF(left, top), QPointF(right, bottom));
    };
    const QRectF stem = rect(x, high, x + 1.0, low + 1.0);
    const QRectF upper = rect(x - cap, high, x + cap + 1.0, high + 1.0);
    const QRectF lower = rect(x - cap, low, x + cap + 1.0, low + 1.0);
    // An edge in the background colour keeps it visible on every fill.
    if (cap > 0.0) {
        for (const QRectF& line : {stem, upper, lower})
            painter.fillRect(line.adjusted(-1, -1, 1, 1), theme().background);
    }
    for (const QRectF& line : {stem, upper, lower})
        painter.fillRect(line, theme().text);
}

/// One line if all cards have the same capacity, steps if not; with an edge in the background colour, so that it is
/// visible on every fill.
void StageBars::drawCapacity(QCPPainter& painter, const BarLayout& at) const
{
    QPolygonF line;
    for (int stage = 0; stage < at.stages; ++stage) {
        const QRectF slot = at.slot(stage);
        const double y = at.y(m_picture.bars[static_cast<std::size_t>(stage)].capacity);
        if (!line.isEmpty() && line.back().y() == y)
            line.back().setX(slot.right());
        else
            line << QPointF(slot.left(), y) << QPointF(slot.right(), y);
    }
    painter.setPen(QPen(theme().background, 4.0, Qt::SolidLine, Qt::FlatCap));
    painter.drawPolyline(line);
    painter.setPen(QPen(theme().capacity, 2.0, Qt::DashLine, Qt::FlatCap));
    painter.drawPolyline(line);
}

QStringList StageBars::capacityLabel() const
{
    const QString low = number(m_picture.lowest_capacity);
    const QString high = number(m_picture.highest_capacity);
    const QString value = low == high ? high : QStringLiteral("%1–%2").arg(low, high);
    return {sharedText("capacity"), QStringLiteral("%1 %2").arg(value, m_unit)};
}

int StageBars::capacityLabelWidth() const
{
    int width = 0;
    for (const auto& line : capacityLabel())
        width = std::max(width, chartTextWidth(line, 0, true));
    return width;
}

void StageBars::drawCapacityLabel(QCPPainter& painter, const BarLayout& at) const
{
    const double middle = at.y(m_picture.bars.back().capacity);
    const QFontMetrics metrics(chartFont());
    QRectF rect(at.area.right() + 5.0, middle - metrics.height(), capacityLabelWidth() + 2.0, 2.0 * metrics.height());
    rect.moveTop(std::max(rect.top(), static_cast<double>(at.area.top()) - metrics.height()));
    const QRectF first(rect.topLeft(), QSizeF(rect.width(), metrics.height()));
    const auto lines = capacityLabel();
    painter.setPen(theme().text);
    painter.setFont(chartFont());
    painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter, lines.front());
    painter.setFont(chartFont(0, true));
    painter.drawText(first.translated(0, metrics.height()), Qt::AlignLeft | Qt::AlignVCenter, lines.back());
}

void StageBars::drawHighlight(QCPPainter& painter, const BarLayout& at) const
{
    if (!m_highlight || *m_highlight < 0 || *m_highlight >= at.stages) return;
    const StageBar& bar = m_picture.bars[static_cast<std::size_t>(*m_highlight)];
    const QRectF rect = at.part(*m_highlight, 0.0, std::max(bar.total, bar.peak)).adjusted(-3, -3, 2, 0);
    painter.setPen(QPen(theme().selection, 2.0));
    painter.drawRect(rect);
}

/// Where the totals are written: horizontal, or upright where bars are narrower than the numbers. Where bars are
/// narrower still, only the fullest card's total is written.
StageBars::Totals StageBars::placeTotals(const BarLayout& at) const
{
    Totals totals;
    const QFontMetrics metrics(chartFont(0, true));
    const double length = metrics.horizontalAdvance(number(m_picture.highest)) + 4.0;
    const double height = metrics.height();
    totals.upright = length > at.pitch();
    const bool only_fullest = totals.upright && at.pitch() < height;
    for (int stage = 0; stage < at.stages; ++stage) {
        if (only_fullest && stage != static_cast<int>(m_picture.fullest)) continue;
        const StageBar& bar = m_picture.bars[static_cast<std::size_t>(stage)];
        const double bottom = at.y(bar.upper()) - kBarLabelGap;
        const double middle = at.column(stage).center().x();
        QRectF rect = totals.upright ? QRectF(middle - height / 2, bottom - length, height, length)
                                     : QRectF(middle - length / 2, bottom - height, length, height);
        // Above the capacity line, which would cross it.
        const double capacity = at.y(bar.capacity);
        if (rect.top() < capacity + 2.0 && rect.bottom() > capacity - 2.0)
            rect.moveBottom(std::max(capacity - 3.0, at.area.top() - 4.0 + rect.height()));
        // The first of many narrow bars must not have its label over the axis.
        rect.moveLeft(std::max(rect.left(), at.area.left() + 2.0));
        totals.labels.push_back({stage, rect.toAlignedRect()});
    }
    return totals;
}

/// Writes the name of the bar with the least free memory, above the totals it overlaps, but inside the plot.
QRectF StageBars::drawFullestName(QCPPainter& painter, const BarLayout& at, const Totals& totals) const
{
    const int stage = static_cast<int>(m_picture.fullest);
    const StageBar& bar = m_picture.bars[m_picture.fullest];
    const bool over = bar.over;
    QString name =
        over ? tr("worst: stage %1, %2 over").arg(stage).arg(number(-bar.free())) : tr("worst: stage %1").arg(stage);
    // The stage that is fullest at an instant need not be the fullest of the step.
    if (m_peaks_outlined) name = tr("fullest then: stage %1").arg(stage);
    const QFont font = chartFont(0, true);
    const QFontMetrics metrics(font);
    const double width = metrics.horizontalAdvance(name) + 6.0;
    const double right_most = std::max(at.area.left() + 1.0, at.area.right() - width);
    QRectF rect(std::clamp(at.column(stage).center().x() - width / 2, at.area.left() + 1.0,
                    std::max(at.area.left() + 1.0, right_most)),
        0.0, width, metrics.height());
    double bottom = at.area.bottom();
    for (const auto& label : totals.labels) {
        const bool spanned = label.rect.right() > rect.left() && label.rect.left() < rect.right();
        if (spanned) bottom = std::min(bottom, label.rect.top());
    }
    rect.moveTop(std::max(bottom - rect.height(), at.area.top() - 4.0));
    rect = rect.toAlignedRect();
    painter.fillRect(rect, theme().background);
    painter.setFont(font);
    painter.setPen(over ? theme().over : theme().text);
    painter.drawText(rect, Qt::AlignCenter, name);
    return rect;
}

void StageBars::drawTotals(QCPPainter& painter, const BarLayout& at) const
{
    const Totals totals = placeTotals(at);
    const QRectF name = drawFullestName(painter, at, totals);
    for (const auto& [stage, rect] : totals.labels) {
        if (rect.intersects(name)) continue;
        const StageBar& bar = m_picture.bars[static_cast<std::size_t>(stage)];
        const bool fullest = stage == static_cast<int>(m_picture.fullest);
        painter.setFont(chartFont(0, fullest));
        painter.setPen(bar.over ? theme().over : theme().text);
        painter.fillRect(rect, theme().background);
        if (totals.upright)
            drawUpright(painter, rect.center(), rect.size().transposed(), number(bar.total));
        else
            painter.drawText(rect, Qt::AlignCenter, number(bar.total));
    }
}

} // namespace cardfit::ui
