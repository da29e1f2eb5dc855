// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/microbatch_trace.h"

#include "widgets/timeline_blocks.h"

namespace cardfit::ui {

MicrobatchTrace::MicrobatchTrace(QCustomPlot* plot, TimelineBlocks& blocks)
    : QCPLayerable(plot, QString::fromLatin1(kLayerName))
    , m_blocks(blocks)
{
}

void MicrobatchTrace::follow(const std::optional<Followed>& followed)
{
    if (followed == m_followed) return;
    m_followed = followed;
    layer()->replot();
}

void MicrobatchTrace::applyDefaultAntialiasingHint(QCPPainter* painter) const { painter->setAntialiasing(false); }

void MicrobatchTrace::draw(QCPPainter* painter)
{
    if (m_followed) m_blocks.drawFollowed(*painter, *m_followed);
}

} // namespace cardfit::ui
