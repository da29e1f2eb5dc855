// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline_blocks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QFontMetrics>

#include "widgets/chart_style.h"
#include "widgets/hatch.h"
#include "widgets/labels.h"

namespace cardfit::ui {

namespace {

/// Operations narrower than this on average are shown by their shares of each pixel column.
constexpr double kNarrowestBlock = 2.5;
constexpr double kNarrowestWithNumber = 14.0;
constexpr double kNarrowestWithLetter = 30.0;
constexpr double kIdleSpacing = 7.0;

/// Times in view, cut to the plot area: clipping does not reach vector files.
QRect pixelRect(double from, double to, const TimeScale& time, int top, int bottom)
{
    const double left = std::max(time.left, time.x(from));
    const double right = std::min(time.left + time.width, time.x(to));
    const int first = static_cast<int>(std::lround(left));
    const int end = static_cast<int>(std::lround(right));
    return {first, top, std::max(1, end - first), bottom - top};
}

} // namespace

TimelineBlocks::TimelineBlocks(QCPAxis* key_axis, QCPAxis* value_axis)
    : QCPAbstractPlottable(key_axis, value_axis)
{
    setSelectable(QCP::stNone);
}

void TimelineBlocks::setTimeline(std::shared_ptr<const Timeline> timeline)
{
    m_timeline = std::move(timeline);
    m_in_flight.clear();
    m_highest_in_flight = 0;
    m_chunks = 1;
    m_used.fill(false);
    if (!m_timeline) return;
    m_in_flight.reserve(m_timeline->ranks.size());
    for (const auto& rank : m_timeline->ranks) {
        m_in_flight.push_back(inFlight(rank));
        m_highest_in_flight = std::max(m_highest_in_flight, m_in_flight.back().peak);
        for (const auto& operation : rank) {
            m_chunks = std::max(m_chunks, operation.operation.chunk + 1);
            m_used[static_cast<std::size_t>(operation.operation.kind)] = true;
        }
    }
}

std::vector<OperationKind> TimelineBlocks::kinds() const
{
    std::vector<OperationKind> used;
    for (std::size_t i = 0; i < kOperationKindCount; ++i) {
        if (m_used[i]) used.push_back(static_cast<OperationKind>(i));
    }
    return used;
}

Operations TimelineBlocks::operations(int row) const { return m_timeline->ranks[static_cast<std::size_t>(row)]; }

std::int32_t TimelineBlocks::inFlightAt(int row, double instant) const
{
    const auto& counts = m_in_flight[static_cast<std::size_t>(row)];
    const auto visible = visibleOperations(operations(row), {instant, instant});
    if (const auto running = operationAt(operations(row), instant)) return counts.during[*running];
    return visible.first > 0 ? counts.after[visible.first - 1] : 0;
}

TimeScale TimelineBlocks::scale() const
{
    const QRect area = mKeyAxis->axisRect()->rect();
    return {{mKeyAxis->range().lower, mKeyAxis->range().upper}, static_cast<double>(area.left()),
            static_cast<double>(area.width())};
}

RowLayout TimelineBlocks::rows() const
{
    const QRect area = mKeyAxis->axisRect()->rect();
    const int count = m_timeline ? static_cast<int>(m_timeline->ranks.size()) : 0;
    return {static_cast<double>(area.top()), static_cast<double>(area.height()), std::max(1, count)};
}

QRectF TimelineBlocks::blockRect(int row, const TimedOperation& operation) const
{
    const RowLayout at = rows();
    return pixelRect(operation.start, operation.end, scale(), static_cast<int>(at.blockTop(row)),
                     static_cast<int>(at.blockBottom(row)));
}

double TimelineBlocks::selectTest(const QPointF&, bool, QVariant*) const { return -1.0; }

QCPRange TimelineBlocks::getKeyRange(bool& found, QCP::SignDomain) const
{
    found = m_timeline != nullptr;
    return {0.0, m_timeline ? m_timeline->makespan : 1.0};
}

QCPRange TimelineBlocks::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const
{
    found = m_timeline != nullptr;
    return {-0.5, m_timeline ? static_cast<double>(m_timeline->ranks.size()) - 0.5 : 0.5};
}

QColor TimelineBlocks::fillOf(const Operation& operation) const
{
    return m_theme.operation(operation.kind, operation.chunk, m_chunks);
}

bool TimelineBlocks::dense(const TimeScale& time) const
{
    std::size_t most = 0;
    for (const auto& rank : m_timeline->ranks) most = std::max(most, visibleOperations(rank, time.range).count());
    return static_cast<double>(most) * kNarrowestBlock > time.width;
}

void TimelineBlocks::draw(QCPPainter* painter)
{
    if (!m_timeline || m_timeline->ranks.empty()) return;
    const TimeScale time = scale();
    const RowLayout at = rows();
    painter->setAntialiasing(false);
    drawIdle(*painter, time, at);
    const bool as_shares = dense(time);
    if (as_shares) drawDense(*painter, time, at);
    painter->setFont(chartFont(-1));
    for (int row = 0; row < at.rows; ++row) {
        if (!as_shares) drawBlocks(*painter, time, at, row);
        if (at.hasCurve()) drawCurve(*painter, time, at, row);
    }
    drawMarks(*painter, time, at);
    drawHighlight(*painter, at);
}

/// One hatch across all rows, then the strips between them: far fewer lines than a hatch per row.
void TimelineBlocks::drawIdle(QCPPainter& painter, const TimeScale& time, const RowLayout& at) const
{
    const QRect all = pixelRect(0.0, m_timeline->makespan, time, static_cast<int>(at.top),
                                static_cast<int>(at.top + at.height));
    drawHatch(painter, all, Pattern::Rising, kIdleSpacing, m_theme.idle);
    for (int row = 0; row < at.rows; ++row) {
        const int bottom = static_cast<int>(at.blockBottom(row));
        const int next = static_cast<int>(row + 1 < at.rows ? at.blockTop(row + 1) : at.rowBottom(row));
        const int first = static_cast<int>(at.rowTop(row));
        painter.fillRect(QRect(all.left(), bottom, all.width(), next - bottom), m_theme.background);
        if (row == 0) painter.fillRect(QRect(all.left(), first, all.width(), static_cast<int>(at.blockTop(0)) - first), m_theme.background);
    }
}

void TimelineBlocks::drawBlocks(QCPPainter& painter, const TimeScale& time, const RowLayout& at, int row)
{
    const int top = static_cast<int>(at.blockTop(row));
    const int bottom = static_cast<int>(at.blockBottom(row));
    const bool room_for_text = bottom - top >= QFontMetrics(painter.font()).height() - 3;
    const Operations all = operations(row);
    const auto visible = visibleOperations(all, time.range);
    for (std::size_t i = visible.first; i < visible.last; ++i) {
        const TimedOperation& operation = all[i];
        QRect rect = pixelRect(operation.start, operation.end, time, top, bottom);
        // A seam tells neighbours of one colour apart.
        if (rect.width() >= 4) rect.setWidth(rect.width() - 1);
        drawBlock(painter, rect, operation.operation);
        if (room_for_text && rect.width() >= kNarrowestWithNumber) drawNumber(painter, rect, operation.operation);
    }
}

void TimelineBlocks::drawBlock(QCPPainter& painter, const QRect& rect, const Operation& operation) const
{
    painter.fillRect(rect, fillOf(operation));
    if (operation.kind != OperationKind::Overlapped) return;
    QRect lower = rect;
    lower.setTop(rect.center().y() + 1);
    painter.fillRect(lower, m_theme.operation(OperationKind::Backward, operation.chunk, m_chunks));
}

void TimelineBlocks::drawNumber(QCPPainter& painter, const QRect& rect, const Operation& operation)
{
    QString text = QString::number(operation.microbatch);
    if (rect.width() >= kNarrowestWithLetter) text.prepend(operationLetter(operation.kind));
    const QFontMetrics metrics(painter.font());
    auto found = m_texts.find(text);
    if (found == m_texts.end()) {
        QStaticText laid_out(text);
        laid_out.setTextFormat(Qt::PlainText);
        laid_out.setPerformanceHint(QStaticText::AggressiveCaching);
        laid_out.prepare(QTransform(), painter.font());
        found = m_texts.emplace(text, std::move(laid_out)).first;
    }
    const QSizeF size = found->second.size();
    if (size.width() > rect.width() - 2) return;
    painter.setPen(inkOn(fillOf(operation)));
    const QPointF corner(rect.center() - QPointF(size.width() / 2 - 1, size.height() / 2 - 1));
    // Static texts would become outlines in a vector file.
    if (painter.modes().testFlag(QCPPainter::pmNoCaching)) painter.drawText(rect, Qt::AlignCenter, text);
    else painter.drawStaticText(corner.toPoint(), found->second);
}

void TimelineBlocks::drawDense(QCPPainter& painter, const TimeScale& time, const RowLayout& at) const
{
    if (painter.modes().testFlag(QCPPainter::pmVectorized)) {
        for (int row = 0; row < at.rows; ++row) drawDenseVector(painter, time, at, row);
        return;
    }
    // One picture of the device's own pixels for all rows; what stays transparent is idle.
    const double ratio = painter.deviceTransform().m11();
    const int columns = std::max(1, static_cast<int>(std::lround(time.width * ratio)));
    QImage image(columns, std::max(1, static_cast<int>(std::lround(at.height * ratio))), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    std::array<QRgb, kOperationKindCount> fills{};
    for (std::size_t i = 0; i < kOperationKindCount; ++i) fills[i] = m_theme.operations[i].rgb();

    for (int row = 0; row < at.rows; ++row) {
        const int top = static_cast<int>(std::lround((at.blockTop(row) - at.top) * ratio));
        const int bottom
            = std::min(image.height(), static_cast<int>(std::lround((at.blockBottom(row) - at.top) * ratio)));
        const auto runs = shareRuns(columnShares(operations(row), time.range, columns), bottom - top);
        for (const ShareRun& run : runs) {
            int y = bottom;
            for (std::size_t kind = 0; kind < kOperationKindCount; ++kind) {
                for (int i = 0; i < run.heights[kind]; ++i) {
                    auto* line = reinterpret_cast<QRgb*>(image.scanLine(--y));
                    std::fill_n(line + run.first, run.count, fills[kind]);
                }
            }
        }
    }
    painter.drawImage(QRectF(time.left, at.top, time.width, at.height), image);
}

void TimelineBlocks::drawDenseVector(QCPPainter& painter, const TimeScale& time, const RowLayout& at, int row) const
{
    const int bottom = static_cast<int>(at.blockBottom(row));
    const int levels = bottom - static_cast<int>(at.blockTop(row));
    const auto columns = columnShares(operations(row), time.range, static_cast<int>(time.width));
    for (const ShareRun& run : shareRuns(columns, levels)) {
        int y = bottom;
        for (std::size_t kind = 0; kind < kOperationKindCount; ++kind) {
            y -= run.heights[kind];
            const QRectF rect(time.left + run.first, y, run.count, run.heights[kind]);
            if (run.heights[kind] > 0) painter.fillRect(rect, m_theme.operations[kind]);
        }
    }
}

/// Activations in flight as a step curve below the blocks, on one scale for all rows.
void TimelineBlocks::drawCurve(QCPPainter& painter, const TimeScale& time, const RowLayout& at, int row) const
{
    if (m_highest_in_flight <= 0) return;
    const double base = at.rowBottom(row) - 1.0;
    const double room = base - at.blockBottom(row) - 1.0;
    const auto height = [&](std::int32_t count) { return std::round(base - room * count / m_highest_in_flight); };
    const int columns = static_cast<int>(time.width);
    const auto counts = inFlightColumns(operations(row), m_in_flight[static_cast<std::size_t>(row)], time.range, columns);

    QPolygonF line;
    for (int i = 0; i < columns; ++i) {
        const double y = height(counts[static_cast<std::size_t>(i)]);
        if (!line.isEmpty() && line.back().y() == y && i + 1 < columns) continue;
        if (!line.isEmpty()) line << QPointF(time.left + i, line.back().y());
        line << QPointF(time.left + i, y);
    }
    QPolygonF area = line;
    area << QPointF(time.left + columns - 1, base) << QPointF(time.left, base);
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(m_theme.background, m_theme.curve, 0.16));
    painter.drawPolygon(area);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_theme.curve, 1.0));
    painter.drawPolyline(line);
}

/// A wedge at the top of the row points at the instant of the peak.
void TimelineBlocks::drawMarks(QCPPainter& painter, const TimeScale& time, const RowLayout& at) const
{
    constexpr double kLowestRowWithMark = 14.0;
    if (at.pitch() < kLowestRowWithMark) return;
    painter.setAntialiasing(true);
    painter.setPen(QPen(m_theme.background, 1.0));
    painter.setBrush(m_theme.over);
    for (std::size_t row = 0; row < m_marks.size() && static_cast<int>(row) < at.rows; ++row) {
        const double x = time.x(m_marks[row]);
        if (x < time.left || x > time.left + time.width) continue;
        const double y = at.blockTop(static_cast<int>(row)) - 1.0;
        painter.drawPolygon(QPolygonF({QPointF(x - 5, y), QPointF(x + 5, y), QPointF(x, y + 7)}));
    }
    painter.setAntialiasing(false);
    painter.setBrush(Qt::NoBrush);
}

void TimelineBlocks::drawHighlight(QCPPainter& painter, const RowLayout& at) const
{
    if (!m_highlight || *m_highlight < 0 || *m_highlight >= at.rows) return;
    const QRect area = mKeyAxis->axisRect()->rect();
    const QRectF row(area.left(), at.rowTop(*m_highlight), area.width(),
                     at.rowBottom(*m_highlight) - at.rowTop(*m_highlight));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_theme.selection, 2.0));
    painter.drawRect(row.adjusted(1, 1, -1, -1));
}

} // namespace cardfit::ui
