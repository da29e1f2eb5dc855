// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <QFontMetrics>
#include <QtConcurrentRun>

#include "core/base/parallel.h"
#include "widgets/chart/chart_header.h"
#include "widgets/chart/chart_style.h"
#include "widgets/chart/labels.h"
#include "widgets/chart/painting.h"
#include "widgets/text/translated.h"

namespace cardfit::ui {

namespace {

/// Where operations are narrower than this on average, each pixel column shows their shares of its time.
constexpr double kNarrowestBlock = 2.5;
constexpr double kNarrowestWithNumber = 14.0;
constexpr double kIdleSpacing = 9.0;

constexpr auto kBackward = static_cast<std::size_t>(OperationKind::Backward);
constexpr auto kOverlapped = static_cast<std::size_t>(OperationKind::Overlapped);

QRect upperHalf(QRect rect)
{
    rect.setBottom(rect.center().y());
    return rect;
}

QRect lowerHalf(QRect rect)
{
    rect.setTop(rect.center().y() + 1);
    return rect;
}

/// The rectangle of a time range, cut to the plot area: clipping is not written to vector files.
QRect pixelRect(double from, double to, const TimeScale& time, int top, int bottom)
{
    const double left = std::max(time.left, time.x(from));
    const double right = std::min(time.left + time.width, time.x(to));
    const int first = static_cast<int>(std::lround(left));
    const int end = static_cast<int>(std::lround(right));
    return {first, top, std::max(1, end - first), bottom - top};
}

} // namespace

TimelineBlocks::TimelineBlocks(QCPAxis* time, QCPAxis* rows, const Theme& theme, const TimeAxis& time_axis)
    : ChartPlottable(time, rows, theme)
    , m_time_axis(time_axis)
{
}

void TimelineBlocks::setTimeline(std::shared_ptr<const Timeline> timeline)
{
    m_timeline = std::move(timeline);
    m_rows.clear();
    m_highest_in_flight.reset();
    m_contents = {};
    if (!m_timeline) return;
    m_rows.resize(m_timeline->ranks.size());
    forEachInParallel(
        m_rows.size(), [&](std::size_t row) { m_rows[row].contents = contentsOf(m_timeline->ranks[row]); });
    for (const Row& row : m_rows)
        m_contents += row.contents;
}

std::vector<OperationKind> TimelineBlocks::kinds() const
{
    std::vector<OperationKind> used;
    for (std::size_t i = 0; i < kOperationKindCount; ++i) {
        if (m_contents.used[i]) used.push_back(static_cast<OperationKind>(i));
    }
    return used;
}

QList<LegendEntry> TimelineBlocks::legendOf(const std::vector<OperationKind>& kinds, const Theme& theme)
{
    QList<LegendEntry> entries;
    for (const OperationKind kind : kinds) {
        const QColor second = kind == OperationKind::Overlapped ? theme.operation(OperationKind::Backward) : QColor();
        entries.append({theme.operation(kind), second, Pattern::Solid, operationLetter(kind), operationLabel(kind)});
    }
    if (!entries.isEmpty()) entries.append({theme.background, {}, Pattern::Rising, {}, sharedText("Idle")});
    return entries;
}

const RankTimeline& TimelineBlocks::operations(int row) const
{
    return m_timeline->ranks[static_cast<std::size_t>(row)];
}

const InFlight& TimelineBlocks::inFlight(int row)
{
    auto& counts = m_rows[static_cast<std::size_t>(row)].in_flight;
    if (!counts) counts.emplace(operations(row));
    return *counts;
}

std::int32_t TimelineBlocks::highestInFlight()
{
    if (m_highest_in_flight) return *m_highest_in_flight;
    std::vector<std::int32_t> peaks(m_rows.size());
    forEachInParallel(m_rows.size(), [&](std::size_t row) { peaks[row] = inFlight(static_cast<int>(row)).peak(); });
    m_highest_in_flight = peaks.empty() ? 0 : *std::ranges::max_element(peaks);
    return *m_highest_in_flight;
}

std::int32_t TimelineBlocks::inFlightAt(int row, double instant)
{
    const auto visible = visibleOperations(operations(row), {instant, instant});
    if (const auto running = operationAt(operations(row), instant)) return inFlight(row).during(*running);
    return visible.first > 0 ? inFlight(row).after(visible.first - 1) : 0;
}

RowLayout TimelineBlocks::rows() const
{
    const QRect area = plotRect();
    const int count = m_timeline ? static_cast<int>(m_timeline->ranks.size()) : 0;
    return {static_cast<double>(area.top()), static_cast<double>(area.height()), std::max(1, count), m_part};
}

QRectF TimelineBlocks::blockRect(int row, const TimedOperation& operation) const
{
    const RowLayout at = rows();
    return pixelRect(operation.start, operation.end, scale(), static_cast<int>(at.blockTop(row)),
        static_cast<int>(at.blockBottom(row)));
}

QColor TimelineBlocks::fillOf(OperationKind kind, const Pass& pass) const
{
    return theme().operation(kind, pass.chunk, m_contents.chunks);
}

bool TimelineBlocks::dense(const std::vector<TimeScale>& parts) const
{
    std::size_t most = 0;
    for (const auto& rank : m_timeline->ranks) {
        std::size_t count = 0;
        for (const TimeScale& part : parts)
            count += visibleOperations(rank, part.range).count();
        most = std::max(most, count);
    }
    double width = 0.0;
    for (const TimeScale& part : parts)
        width += part.width;
    return static_cast<double>(most) * kNarrowestBlock > width;
}

void TimelineBlocks::paint(QCPPainter& painter)
{
    const TimeScale time = scale();
    const std::vector<TimeScale> parts = time.parts();
    const RowLayout at = rows();
    const bool as_shares = dense(parts);
    const BlockText text = blockText(time, at);
    painter.setFont(text.font);
    for (const TimeScale& part : parts) {
        drawIdle(painter, part, at);
        if (as_shares) drawDense(painter, part, at);
        for (int row = 0; row < at.rows; ++row) {
            if (!as_shares) drawBlocks(painter, part, at, row, text);
            if (at.hasCurve() && m_part != RowPart::Lower) drawCurve(painter, part, at, row);
        }
    }
    drawMarks(painter, time, at);
    drawHighlight(painter, at);
}

/// Hatches all rows at once, then clears the strips between them: far fewer lines than a hatch per row.
void TimelineBlocks::drawIdle(QCPPainter& painter, const TimeScale& time, const RowLayout& at) const
{
    if (m_part == RowPart::Lower) {
        // The rest of the row belongs to the timeline above.
        for (int row = 0; row < at.rows; ++row) {
            const QRect half = pixelRect(0.0, m_timeline->makespan, time, static_cast<int>(at.blockTop(row)),
                static_cast<int>(at.blockBottom(row)));
            drawHatch(painter, half, Pattern::Rising, kIdleSpacing, theme().idle);
        }
        return;
    }
    const QRect all =
        pixelRect(0.0, m_timeline->makespan, time, static_cast<int>(at.top), static_cast<int>(at.top + at.height));
    drawHatch(painter, all, Pattern::Rising, kIdleSpacing, theme().idle);
    for (int row = 0; row < at.rows; ++row) {
        const int bottom = static_cast<int>(at.blockBottom(row));
        const int next = static_cast<int>(row + 1 < at.rows ? at.blockTop(row + 1) : at.rowBottom(row));
        const int first = static_cast<int>(at.rowTop(row));
        painter.fillRect(QRect(all.left(), bottom, all.width(), next - bottom), theme().background);
        if (row == 0)
            painter.fillRect(
                QRect(all.left(), first, all.width(), static_cast<int>(at.blockTop(0)) - first), theme().background);
    }
}

TimelineBlocks::BlockText TimelineBlocks::blockText(const TimeScale& time, const RowLayout& at) const
{
    BlockText text;
    text.font = chartFont(-1);
    const QString widest_number = QString::number(m_contents.last_microbatch);
    int digits = QFontMetrics(text.font).horizontalAdvance(widest_number);
    const auto room = [&](std::size_t kind) { return m_contents.shortest[kind] * time.pixelsPerUnit() - 3.0; };
    for (std::size_t kind = 0; kind < kOperationKindCount; ++kind) {
        const bool numbered = m_contents.used[kind] && room(kind) + 3.0 >= kNarrowestWithNumber;
        if (numbered && room(kind) < digits) text.font = chartFont(-3);
    }
    const QFontMetrics metrics(text.font);
    digits = metrics.horizontalAdvance(widest_number);
    text.narrowest = std::max(kNarrowestWithNumber, digits + 3.0);
    for (std::size_t kind = 0; kind < kOperationKindCount; ++kind) {
        // The halves of an overlapped block have one letter each.
        const bool halved = static_cast<OperationKind>(kind) == OperationKind::Overlapped;
        const QString letter =
            halved ? operationLetter(OperationKind::Backward) : operationLetter(static_cast<OperationKind>(kind));
        text.letters[kind] = room(kind) >= digits + metrics.horizontalAdvance(letter) + 4;
    }
    // Rounding to pixels makes some rows higher than others; either all rows have numbers or none.
    int height = std::numeric_limits<int>::max();
    for (int row = 0; row < at.rows; ++row)
        height = std::min(height, static_cast<int>(at.blockBottom(row)) - static_cast<int>(at.blockTop(row)));
    text.whole = height >= metrics.ascent();
    text.halves = lowerHalf(QRect(0, 0, 1, height)).height() >= metrics.ascent();
    return text;
}

/// One decision for all blocks of a kind in a row: if rounding decided for each block, numbers would appear at random.
bool TimelineBlocks::numbered(int row, OperationKind kind, const TimeScale& time, const BlockText& text) const
{
    const TimelineContents& contents = m_rows[static_cast<std::size_t>(row)].contents;
    return text.whole && contents.shortest[static_cast<std::size_t>(kind)] * time.pixelsPerUnit() >= text.narrowest;
}

void TimelineBlocks::drawBlocks(
    QCPPainter& painter, const TimeScale& time, const RowLayout& at, int row, const BlockText& text)
{
    const int top = static_cast<int>(at.blockTop(row));
    const int bottom = static_cast<int>(at.blockBottom(row));
    const RankTimeline& all = operations(row);
    const auto visible = visibleOperations(all, time.range);
    const auto place = [&](const TimedOperation& operation) {
        QRect rect = pixelRect(operation.start, operation.end, time, top, bottom);
        // A gap separates neighbours of the same colour.
        if (rect.width() >= 4) rect.setWidth(rect.width() - 1);
        return rect;
    };
    {
        RectBatch batch(painter);
        for (std::size_t i = visible.first; i < visible.last; ++i) {
            const TimedOperation operation = all[i];
            addBlock(batch, place(operation), operation.operation);
        }
    }
    std::array<bool, kOperationKindCount> with_number{};
    for (std::size_t kind = 0; kind < kOperationKindCount; ++kind)
        with_number[kind] = numbered(row, static_cast<OperationKind>(kind), time, text);
    if (std::ranges::find(with_number, true) == with_number.end()) return;
    for (std::size_t i = visible.first; i < visible.last; ++i) {
        const TimedOperation operation = all[i];
        if (with_number[static_cast<std::size_t>(operation.operation.kind)])
            addNumbers(painter, place(operation), operation.operation, text);
    }
}

void TimelineBlocks::addBlock(RectBatch& batch, const QRect& rect, const Operation& operation) const
{
    if (operation.kind != OperationKind::Overlapped) {
        batch.add(rect, fillOf(operation.kind, operation.forwardPass()));
        return;
    }
    batch.add(upperHalf(rect), fillOf(OperationKind::Forward, operation.forwardPass()));
    batch.add(lowerHalf(rect), fillOf(OperationKind::Backward, operation.backwardPass()));
}

void TimelineBlocks::addNumbers(
    QCPPainter& painter, const QRect& rect, const Operation& operation, const BlockText& look)
{
    if (operation.kind != OperationKind::Overlapped) {
        drawNumber(painter, {rect, operation.kind, operation.forwardPass()}, look);
        return;
    }
    if (!look.halves) return;
    drawNumber(painter, {upperHalf(rect), OperationKind::Forward, operation.forwardPass()}, look);
    drawNumber(painter, {lowerHalf(rect), OperationKind::Backward, operation.backwardPass()}, look);
}

void TimelineBlocks::drawNumber(QCPPainter& painter, const Number& number, const BlockText& look)
{
    const QRect& rect = number.rect;
    QString text = QString::number(number.pass.microbatch);
    if (look.letters[static_cast<std::size_t>(number.kind)]) text.prepend(operationLetter(number.kind));
    painter.setPen(inkOn(fillOf(number.kind, number.pass)));
    // QStaticText would be written to a vector file as outlines.
    if (painter.modes().testFlag(QCPPainter::pmNoCaching)) {
        if (painter.fontMetrics().horizontalAdvance(text) <= rect.width())
            painter.drawText(rect, Qt::AlignCenter, text);
        return;
    }
    auto found = m_texts.find(text);
    if (found == m_texts.end() || m_text_font != look.font) {
        if (m_text_font != look.font) m_texts.clear();
        m_text_font = look.font;
        QStaticText laid_out(text);
        laid_out.setTextFormat(Qt::PlainText);
        laid_out.setPerformanceHint(QStaticText::AggressiveCaching);
        laid_out.prepare(QTransform(), look.font);
        found = m_texts.emplace(text, std::move(laid_out)).first;
    }
    const QSizeF size = found->second.size();
    if (size.width() > rect.width()) return;
    const QPoint corner(rect.left() + static_cast<int>(std::lround((rect.width() - size.width()) / 2)),
        rect.top() + static_cast<int>(std::lround((rect.height() - size.height()) / 2)));
    painter.drawStaticText(corner, found->second);
}

ShareImage TimelineBlocks::shareImage(const TimeScale& time, const RowLayout& at, double ratio) const
{
    const auto pixels = [&](double length) { return std::max(1, static_cast<int>(std::lround(length * ratio))); };
    ShareImage image{m_timeline, time.range, at, ratio, {pixels(time.width), pixels(at.height)}, {}};
    for (std::size_t i = 0; i < kOperationKindCount; ++i)
        image.fills[i] = theme().operations[i].rgb();
    return image;
}

void TimelineBlocks::drawAhead()
{
    m_ahead.clear();
    if (isEmpty() || plotRect().isEmpty()) return;
    const std::vector<TimeScale> parts = scale().parts();
    if (!dense(parts)) return;
    for (const TimeScale& part : parts) {
        const ShareImage image = shareImage(part, rows(), mParentPlot->bufferDevicePixelRatio());
        m_ahead.emplace_back(image, QtConcurrent::run(&ShareImage::draw, image));
    }
}

void TimelineBlocks::drawDense(QCPPainter& painter, const TimeScale& time, const RowLayout& at)
{
    if (painter.modes().testFlag(QCPPainter::pmVectorized)) {
        RectBatch batch(painter);
        for (int row = 0; row < at.rows; ++row)
            addShares(batch, time, at, row);
        return;
    }
    const ShareImage image = shareImage(time, at, painter.deviceTransform().m11());
    const auto ahead = std::ranges::find(m_ahead, image, &Ahead::first);
    painter.drawImage(QRectF(time.left, at.top, time.width, at.height),
        ahead != m_ahead.end() ? ahead->second.result() : image.draw());
}

void TimelineBlocks::addShares(RectBatch& batch, const TimeScale& time, const RowLayout& at, int row)
{
    const int bottom = static_cast<int>(at.blockBottom(row));
    const int levels = bottom - static_cast<int>(at.blockTop(row));
    // Columns of two pixels: the difference is not visible, and the file is half as large.
    const int count = std::max(1, static_cast<int>(time.width / 2.0));
    const double width = time.width / count;
    const auto columns = sharesOf(operations(row), time.range, count);
    for (const ShareRun& run : shareRuns(columns, levels)) {
        int y = bottom;
        const auto add = [&](std::size_t kind, int height) {
            y -= height;
            const QRectF rect(time.left + width * run.first, y, width * run.count, height);
            if (height > 0) batch.add(rect, theme().operations[kind]);
        };
        for (std::size_t kind = 0; kind < kOperationKindCount; ++kind) {
            const int lower = kind == kOverlapped ? run.heights[kind] / 2 : 0;
            add(kBackward, lower);
            add(kind, run.heights[kind] - lower);
        }
    }
}

/// Draws activations in flight as a step curve below the blocks, on one scale for all rows.
void TimelineBlocks::drawCurve(QCPPainter& painter, const TimeScale& time, const RowLayout& at, int row)
{
    const std::int32_t highest = highestInFlight();
    if (highest <= 0) return;
    const double base = at.rowBottom(row) - 1.0;
    const double room = base - at.curveTop(row) - 1.0;
    const auto height = [&](std::int32_t count) { return std::round(base - room * count / highest); };
    const int columns = static_cast<int>(time.width);
    const auto counts = inFlightColumns(operations(row), inFlight(row), time.range, columns);

    const QColor fill = mixed(theme().background, theme().curve, 0.22);
    const auto countAt = [&](int column) { return counts[static_cast<std::size_t>(column)]; };
    forEachRun(columns, countAt, [&](int first, int end, std::int32_t count) {
        if (count <= 0) return;
        const double y = height(count);
        painter.fillRect(QRectF(time.left + first, y, end - first, base - y), fill);
        painter.fillRect(QRectF(time.left + first, y, end - first, 1.0), theme().curve);
    });
}

/// A wedge at the top of each row marks the instant of the peak.
void TimelineBlocks::drawMarks(QCPPainter& painter, const TimeScale& time, const RowLayout& at) const
{
    if (!at.hasMarks()) return;
    painter.setAntialiasing(true);
    painter.setPen(QPen(theme().background, 1.0));
    painter.setBrush(theme().over);
    for (std::size_t row = 0; row < m_marks.size() && static_cast<int>(row) < at.rows; ++row) {
        const double x = time.x(m_marks[row]);
        if (x < time.left || x > time.left + time.width) continue;
        const double y = at.blockTop(static_cast<int>(row)) - 1.0;
        painter.drawPolygon(QPolygonF({QPointF(x - 5, y), QPointF(x + 5, y), QPointF(x, y + 7)}));
    }
    painter.setAntialiasing(false);
    painter.setBrush(Qt::NoBrush);
}

void TimelineBlocks::drawFollowed(QCPPainter& painter, const Followed& followed)
{
    if (!m_timeline || m_timeline->ranks.empty() || plotRect().isEmpty()) return;
    constexpr int kNarrowest = 3;
    const TimeScale time = scale();
    const RowLayout at = rows();
    painter.setAntialiasing(false);
    const TimeRange shown = time.times();
    const BlockText text = blockText(time, at);
    painter.setFont(text.font);
    for (int row = 0; row < at.rows; ++row) {
        for (const FollowedOperation& found : operationsOf(followed, operations(row))) {
            const TimedOperation& operation = found.operation;
            if (operation.end <= shown.from || operation.start >= shown.to) continue;
            if (time.hides({operation.start, operation.end})) continue;
            QRect rect = blockRect(row, operation).toRect();
            const bool with_number = numbered(row, operation.operation.kind, time, text);
            if (rect.width() >= 4) rect.setWidth(rect.width() - 1);
            rect.setWidth(std::max(kNarrowest, rect.width()));
            const auto draw = [&](const QRect& part, OperationKind kind, const Pass& pass) {
                painter.fillRect(part, fillOf(kind, pass));
                const bool high = operation.operation.kind == OperationKind::Overlapped ? text.halves : text.whole;
                if (with_number && high) drawNumber(painter, {part, kind, pass}, text);
            };
            const Operation& what = operation.operation;
            if (what.kind != OperationKind::Overlapped) {
                draw(rect, what.kind, what.forwardPass());
                continue;
            }
            if (found.forward) draw(upperHalf(rect), OperationKind::Forward, what.forwardPass());
            if (found.backward) draw(lowerHalf(rect), OperationKind::Backward, what.backwardPass());
        }
    }
}

void TimelineBlocks::drawHighlight(QCPPainter& painter, const RowLayout& at) const
{
    if (!m_highlight || *m_highlight < 0 || *m_highlight >= at.rows) return;
    const QRect area = plotRect();
    const QRectF row(
        area.left(), at.rowTop(*m_highlight), area.width(), at.rowBottom(*m_highlight) - at.rowTop(*m_highlight));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().selection, 2.0));
    painter.drawRect(row.adjusted(1, 1, -1, -1));
}

} // namespace cardfit::ui
