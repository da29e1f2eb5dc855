// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/block_overlays.h"

#include <algorithm>

#include "widgets/timeline/timeline_blocks.h"

namespace cardfit::ui {

CriticalPathLine::CriticalPathLine(QCustomPlot* plot, const Theme& theme, const TimelineBlocks& blocks)
    : QCPLayerable(plot, QString::fromLatin1(kLayerName))
    , m_blocks(blocks)
    , m_theme(theme)
{
}

namespace {

double middleOf(const RowLayout& rows, int row) { return (rows.blockTop(row) + rows.blockBottom(row)) / 2.0; }

} // namespace

QPolygonF CriticalPathLine::line() const
{
    QPolygonF line;
    const Timeline* timeline = m_blocks.timeline();
    if (!m_path || timeline == nullptr) return line;
    const TimeScale time = m_blocks.scale();
    const TimeRange shown = time.times();
    const RowLayout rows = m_blocks.rows();
    const auto add = [&](double x, double y) {
        // Parts left of the view collapse onto its edge; equal points are dropped.
        const QPointF point(std::clamp(x, time.left, time.left + std::max(time.width, 0.0)), y);
        if (line.isEmpty() || line.back() != point) line << point;
    };
    for (const CriticalPath::Part& part : m_path->parts()) {
        for (std::size_t repeat = 0; repeat < part.repeats; ++repeat) {
            for (const CriticalPath::Step& step : part.steps) {
                const OperationId id = step.at(repeat);
                const TimedOperation operation = timeline->ranks[id.rank][id.index];
                if (operation.end < shown.from || time.hides({operation.start, operation.end})) continue;
                if (operation.start > shown.to) return line;
                const int row = static_cast<int>(id.rank);
                // Along the lower edge of the blocks, because their numbers are in the middle.
                const double y = std::max(rows.blockBottom(row) - 2.0, std::floor(middleOf(rows, row)));
                add(std::floor(time.x(operation.start)), y);
                add(std::floor(time.x(operation.end)), y);
            }
        }
    }
    return line;
}

void CriticalPathLine::draw(QCPPainter* painter)
{
    const QPolygonF path = line();
    if (path.size() < 2) return;
    painter->setClipRect(m_blocks.keyAxis()->axisRect()->rect());
    painter->setBrush(Qt::NoBrush);
    // An edge in the background colour keeps it visible on every fill.
    painter->setPen(QPen(m_theme.background, 4.0, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter->drawPolyline(path);
    painter->setPen(QPen(m_theme.over, 2.0, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter->drawPolyline(path);
}

MicrobatchTrace::MicrobatchTrace(
    QCustomPlot* plot, const Theme& theme, TimelineBlocks& planned, TimelineBlocks& measured)
    : OverlayPart(plot, theme)
    , m_planned(planned)
    , m_measured(measured)
{
}

void MicrobatchTrace::follow(const std::optional<Followed>& followed)
{
    if (followed == m_followed) return;
    m_followed = followed;
    redraw();
}

void MicrobatchTrace::draw(QCPPainter* painter)
{
    if (!m_followed) return;
    constexpr int kVeil = 175;
    QColor veil = theme().background;
    veil.setAlpha(kVeil);
    painter->fillRect(m_planned.keyAxis()->axisRect()->rect(), veil);
    for (TimelineBlocks* blocks : {&m_planned, &m_measured})
        blocks->drawFollowed(*painter, *m_followed);
}

} // namespace cardfit::ui
