// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/pipeline/analysis/critical_path.h"
#include "widgets/chart/chart_parts.h"
#include "widgets/timeline/timeline_geometry.h"

namespace cardfit::ui {

class TimelineBlocks;

/// The critical path (the longest chain of operations) as a line from the start of the step to its end, over the whole
/// chart.
class CriticalPathLine : public QCPLayerable {
    Q_OBJECT

public:
    static constexpr auto kLayerName = "critical path";

    CriticalPathLine(QCustomPlot* plot, const Theme& theme, const TimelineBlocks& blocks);

    /// The path must be of the blocks' timeline. It is drawn with the next replot.
    void setPath(std::optional<CriticalPath> path) { m_path = std::move(path); }
    [[nodiscard]] const std::optional<CriticalPath>& path() const { return m_path; }
    /// The visible part of the line, in pixels.
    [[nodiscard]] QPolygonF line() const;

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }
    void draw(QCPPainter* painter) override;

private:
    const TimelineBlocks& m_blocks;
    const Theme& m_theme;
    std::optional<CriticalPath> m_path;
};

/// Shows one micro-batch in full colour and everything else pale.
class MicrobatchTrace : public OverlayPart {
    Q_OBJECT

public:
    /// `measured` is drawn below `planned` in the same rows; either may be without a timeline.
    MicrobatchTrace(QCustomPlot* plot, const Theme& theme, TimelineBlocks& planned, TimelineBlocks& measured);

    void follow(const std::optional<Followed>& followed);
    [[nodiscard]] const std::optional<Followed>& followed() const { return m_followed; }

protected:
    [[nodiscard]] bool isShown() const override { return m_followed.has_value(); }
    void draw(QCPPainter* painter) override;

private:
    TimelineBlocks& m_planned;
    TimelineBlocks& m_measured;
    std::optional<Followed> m_followed;
};

} // namespace cardfit::ui
