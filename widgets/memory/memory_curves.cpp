// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/memory/memory_curves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "widgets/chart/chart_style.h"
#include "widgets/chart/labels.h"
#include "widgets/chart/painting.h"

namespace cardfit::ui {

namespace {

/// In rows lower than this a colour's depth shows how full the card is, instead of a curve.
constexpr double kLowestCurve = 12.0;
constexpr double kLowestWithCapacity = 20.0;

QColor faint(QColor colour, double opacity)
{
    colour.setAlphaF(static_cast<float>(opacity));
    return colour;
}

} // namespace

StageCurve stageCurve(const Estimate& estimate, std::size_t stage)
{
    const StageMemory& memory = estimate.stages[stage];
    return {stage, MemoryCurve(estimate, stage), InFlight(estimate.timeline->ranks[stage]), memory.lasting(),
        memory.device(), memory.capacity, memory.peak_time};
}

MemoryCurves::MemoryCurves(QCPAxis* time, QCPAxis* values, const Theme& theme, const TimeAxis& time_axis)
    : ChartPlottable(time, values, theme)
    , m_time_axis(time_axis)
{
}

void MemoryCurves::setCurves(std::vector<StageCurve> curves) { m_curves = std::move(curves); }

QPen MemoryCurves::pen(std::size_t curve) const
{
    constexpr std::array kLines{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    constexpr std::array kFills{Segment::Temporary, Segment::Weights, Segment::Optimizer, Segment::Communication};
    const std::size_t index = m_in_rows ? 0 : curve % kLines.size();
    const QColor fill = theme()[kFills[index]].fill;
    return {theme().dark ? mixed(fill, Qt::white, 0.35) : fill,
        m_in_rows        ? 1.0
            : index == 0 ? 1.5
                         : 1.8,
        kLines[index], Qt::FlatCap, Qt::MiterJoin};
}

QColor MemoryCurves::lastingFill() const { return mixed(theme().background, theme().text, theme().dark ? 0.16 : 0.1); }

Bytes MemoryCurves::highest() const
{
    Bytes most;
    for (const StageCurve& curve : m_curves)
        most = std::max({most, curve.peak, curve.capacity});
    return most;
}

QRectF MemoryCurves::box(std::size_t curve) const
{
    const QRectF area(plotRect());
    if (!m_in_rows) return area;
    const double pitch = area.height() / static_cast<double>(std::max<std::size_t>(1, m_curves.size()));
    const double top = std::round(area.top() + static_cast<double>(curve) * pitch);
    const double bottom = std::round(area.top() + static_cast<double>(curve + 1) * pitch);
    const double gap = pitch >= 6.0 ? 2.0 : pitch >= 3.0 ? 1.0 : 0.0;
    return {area.left(), top + gap, area.width(), std::max(1.0, bottom - top - gap)};
}

double MemoryCurves::top() const
{
    if (!m_in_rows) return mValueAxis->range().upper * bytesPerUnit(m_unit);
    return static_cast<double>(std::max<std::int64_t>(1, highest().value()));
}

double MemoryCurves::y(std::size_t curve, Bytes held) const
{
    const QRectF at = box(curve);
    return at.bottom() - static_cast<double>(held.value()) / top() * at.height();
}

std::optional<std::size_t> MemoryCurves::curveAt(QPointF position) const
{
    if (m_curves.empty() || !QRectF(plotRect()).contains(position)) return std::nullopt;
    std::size_t nearest = 0;
    double least = HUGE_VAL;
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        double distance = 0.0;
        if (m_in_rows) {
            distance = std::abs(box(i).center().y() - position.y());
        } else {
            const MemorySpan span = m_curves[i].curve.at(scale().time(position.x()));
            distance = std::max({0.0, y(i, span.highest) - position.y(), position.y() - y(i, span.lowest)});
        }
        if (distance >= least) continue;
        least = distance;
        nearest = i;
    }
    return nearest;
}

bool MemoryCurves::tooLowForCurves() const { return m_in_rows && box(0).height() < kLowestCurve; }

void MemoryCurves::paint(QCPPainter& painter)
{
    const std::vector<TimeScale> parts = scale().parts();
    if (tooLowForCurves()) {
        for (const TimeScale& part : parts) {
            for (std::size_t i = 0; i < m_curves.size(); ++i)
                drawStripe(painter, i, part);
        }
        return;
    }
    // Drawn in reverse, so that the first lies on top.
    for (std::size_t i = m_curves.size(); i-- > 0;) {
        if (m_in_rows || i == 0) drawLasting(painter, i);
    }
    for (const TimeScale& part : parts) {
        for (std::size_t i = m_curves.size(); i-- > 0;)
            drawCurve(painter, i, part);
    }
    drawCapacities(painter);
    if (!m_in_rows) drawPeaks(painter);
}

void MemoryCurves::drawLasting(QCPPainter& painter, std::size_t curve) const
{
    const QRectF at = box(curve);
    const double upper = std::round(y(curve, m_curves[curve].lasting));
    painter.fillRect(QRectF(at.left(), upper, at.width(), at.bottom() - upper), lastingFill());
}

/// Fills from the lasting memory up to the column's minimum, more faintly up to its maximum, and draws a line along the
/// maximum.
void MemoryCurves::drawCurve(QCPPainter& painter, std::size_t curve, const TimeScale& time) const
{
    const int columns = static_cast<int>(time.width);
    const auto spans = m_curves[curve].curve.over(time.range.from, time.range.to, columns);
    const bool highlighted = m_highlight == m_curves[curve].stage;
    QPen line = pen(curve);
    if (highlighted) line = QPen(theme().selection, 2.5);
    const bool filled = m_in_rows || curve == 0;
    const double base = std::round(y(curve, m_curves[curve].lasting));
    const auto pixel = [&](Bytes held) { return std::round(y(curve, held)); };

    QPolygonF upper;
    RectBatch batch(painter);
    const auto heights = [&](int column) {
        const MemorySpan& span = spans[static_cast<std::size_t>(column)];
        return std::pair(pixel(span.highest), pixel(span.lowest));
    };
    forEachRun(columns, heights, [&](int first, int end, const std::pair<double, double>& run) {
        const auto& [high, low] = run;
        const double left = time.left + first;
        const double width = end - first;
        if (low > high) batch.add(QRectF(left, high, width, low - high), faint(line.color(), filled ? 0.3 : 0.16));
        if (filled && base > low) batch.add(QRectF(left, low, width, base - low), faint(line.color(), 0.5));
        upper << QPointF(left, high) << QPointF(left + width, high);
    });
    painter.setBrush(Qt::NoBrush);
    painter.setPen(line);
    painter.drawPolyline(upper);
}

/// For a row too low for a curve: the darker, the fuller; what is over capacity has the colour `over`.
void MemoryCurves::drawStripe(QCPPainter& painter, std::size_t curve, const TimeScale& time) const
{
    const QRectF at = box(curve);
    const int columns = static_cast<int>(time.width);
    const StageCurve& shown = m_curves[curve];
    const auto spans = shown.curve.over(time.range.from, time.range.to, columns);
    constexpr int kShades = 24;
    const auto shade = [&](int column) {
        const Bytes held = spans[static_cast<std::size_t>(column)].highest;
        if (held > shown.capacity) return kShades + 1;
        const double room = std::max(1.0, static_cast<double>((shown.capacity - shown.lasting).value()));
        return static_cast<int>(std::lround(kShades * static_cast<double>((held - shown.lasting).value()) / room));
    };
    RectBatch batch(painter);
    forEachRun(columns, shade, [&](int first, int end, int depth) {
        const QColor fill = depth > kShades
            ? theme().over
            : mixed(lastingFill(), pen(curve).color(), static_cast<double>(depth) / kShades);
        batch.add(QRectF(time.left + first, at.top(), end - first, at.height()), fill);
    });
}

void MemoryCurves::drawCapacities(QCPPainter& painter) const
{
    std::vector<double> drawn;
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        const QRectF at = box(i);
        if (m_in_rows && at.height() < kLowestWithCapacity) return;
        const double line = std::round(y(i, m_curves[i].capacity));
        if (std::ranges::find(drawn, line) != drawn.end()) continue;
        drawn.push_back(line);
        const QPointF left(at.left(), line);
        const QPointF right(at.right(), line);
        if (!m_in_rows) {
            painter.setPen(QPen(theme().background, 4.0, Qt::SolidLine, Qt::FlatCap));
            painter.drawLine(left, right);
        }
        painter.setPen(QPen(theme().capacity, m_in_rows ? 1.0 : 2.0, Qt::DashLine, Qt::FlatCap));
        painter.drawLine(left, right);
    }
}

/// A wedge points at each curve's peak, with the stage and its peak beside it where there is room.
void MemoryCurves::drawPeaks(QCPPainter& painter) const
{
    const QRectF area(plotRect());
    const TimeScale time = scale();
    painter.setFont(chartFont(-1, true));
    const QFontMetrics metrics = painter.fontMetrics();
    std::vector<QRectF> taken;
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        const StageCurve& curve = m_curves[i];
        const double x = time.x(curve.peak_time);
        if (x < area.left() - 1.0 || x > area.right() + 1.0) continue;
        const double tip = y(i, curve.peak);
        painter.setAntialiasing(true);
        painter.setPen(QPen(theme().background, 1.0));
        painter.setBrush(pen(i).color());
        painter.drawPolygon(QPolygonF({QPointF(x - 5, tip - 8), QPointF(x + 5, tip - 8), QPointF(x, tip - 1)}));
        painter.setAntialiasing(false);
        const QString text = tr("stage %1: %2").arg(curve.stage).arg(bytesNumber(curve.peak, m_unit));
        QRectF words(
            x + 8.0, tip - 10.0 - metrics.height() / 2.0, metrics.horizontalAdvance(text) + 4, metrics.height());
        if (words.right() > area.right()) words.moveRight(x - 8.0);
        words.moveTop(std::max(words.top(), area.top()));
        const auto hits = [&](const QRectF& other) { return other.intersects(words); };
        if (words.left() < area.left() || std::ranges::any_of(taken, hits)) continue;
        taken.push_back(words);
        // The capacity line may cross the label.
        painter.fillRect(words, theme().background);
        painter.setPen(curve.peak > curve.capacity ? theme().over : theme().text);
        painter.drawText(words, Qt::AlignCenter, text);
    }
    painter.setBrush(Qt::NoBrush);
}

} // namespace cardfit::ui
