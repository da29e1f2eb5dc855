// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "widgets/chart/overlay_part.h"
#include "widgets/timeline/timeline_geometry.h"

namespace cardfit::ui {

class TimelineBlocks;

/// One micro-batch in full colour and everything else pale.
class MicrobatchTrace : public OverlayPart {
    Q_OBJECT

public:
    /// `measured` lies below `planned` in the same rows; either may be without a timeline.
    MicrobatchTrace(QCustomPlot* plot, TimelineBlocks& planned, TimelineBlocks& measured);

    void follow(const std::optional<Followed>& followed);
    [[nodiscard]] const std::optional<Followed>& followed() const { return m_followed; }

protected:
    void draw(QCPPainter* painter) override;

private:
    TimelineBlocks& m_planned;
    TimelineBlocks& m_measured;
    std::optional<Followed> m_followed;
};

} // namespace cardfit::ui
