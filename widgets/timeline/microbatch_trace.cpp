// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/microbatch_trace.h"

#include "widgets/timeline/timeline_blocks.h"

namespace cardfit::ui {

MicrobatchTrace::MicrobatchTrace(QCustomPlot* plot, TimelineBlocks& planned, TimelineBlocks& measured)
    : OverlayPart(plot)
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
    QColor veil = m_planned.theme().background;
    veil.setAlpha(kVeil);
    painter->fillRect(m_planned.keyAxis()->axisRect()->rect(), veil);
    for (TimelineBlocks* blocks : {&m_planned, &m_measured})
        blocks->drawFollowed(*painter, *m_followed);
}

} // namespace cardfit::ui
