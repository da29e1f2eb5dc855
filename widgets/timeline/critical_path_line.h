// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <qcustomplot.h>

#include "core/pipeline/critical_path.h"
#include "widgets/chart/theme.h"

namespace cardfit::ui {

class TimelineBlocks;

/// The longest chain of operations as a line from the start of the step to its end, over all the rest of the chart.
class CriticalPathLine : public QCPLayerable {
    Q_OBJECT

public:
    static constexpr auto kLayerName = "critical path";

    CriticalPathLine(QCustomPlot* plot, const TimelineBlocks& blocks);

    void setTheme(const Theme& theme) { m_theme = theme; }
    /// Of the blocks' timeline. Repaints with the next replot.
    void setPath(std::optional<CriticalPath> path) { m_path = std::move(path); }
    [[nodiscard]] const std::optional<CriticalPath>& path() const { return m_path; }
    /// The line in pixels, as far as it is in view.
    [[nodiscard]] QPolygonF line() const;

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;

private:
    const TimelineBlocks& m_blocks;
    Theme m_theme = lightTheme();
    std::optional<CriticalPath> m_path;
};

} // namespace cardfit::ui
