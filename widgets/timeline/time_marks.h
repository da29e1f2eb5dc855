// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "widgets/chart/chart_parts.h"
#include "widgets/chart/labels.h"

namespace cardfit::ui {

class TimeNavigator;

/// The time cursor: a vertical line.
class TimeCursor : public OverlayPart {
    Q_OBJECT

public:
    TimeCursor(QCustomPlot* plot, const Theme& theme, const TimeNavigator& navigator);

    void setTime(std::optional<double> seconds);
    /// Writes the time in the axis' unit, with as many decimals as distinguish neighbouring pixels.
    void setUnit(const TimeUnit& unit) { m_unit = unit; }

protected:
    [[nodiscard]] bool isShown() const override { return m_time.has_value(); }
    void draw(QCPPainter* painter) override;

private:
    const TimeNavigator& m_navigator;
    TimeUnit m_unit{1.0, QStringLiteral("s")};
    std::optional<double> m_time;
};

/// Shows where a time axis is broken: draws the gap in the background colour, between two torn edges.
class AxisBreakMarks : public QCPLayerable {
    Q_OBJECT

public:
    AxisBreakMarks(QCustomPlot* plot, const Theme& theme, const TimeNavigator& navigator);

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(true); }
    void draw(QCPPainter* painter) override;

private:
    const Theme& m_theme;
    const TimeNavigator& m_navigator;
};

/// A measured span of time, as a band across all rows of the plot with its start, end and length.
class TimeSpan : public OverlayPart {
    Q_OBJECT

public:
    /// Follows the navigator's span.
    TimeSpan(QCustomPlot* plot, const Theme& theme, const TimeNavigator& navigator);

    /// The step's seconds, of which the span is shown as a share; 0: no share.
    void setStep(double seconds) { m_step = seconds; }
    /// "132 ms, 4.2 % of the 3.10 s step" and "from 0.450 s to 0.582 s"; empty while nothing is measured.
    [[nodiscard]] QStringList text() const;

protected:
    [[nodiscard]] bool isShown() const override;
    void draw(QCPPainter* painter) override;

private:
    void drawText(QCPPainter& painter, const QRect& band, const QRect& within) const;

    const TimeNavigator& m_navigator;
    double m_step = 0.0;
};

} // namespace cardfit::ui
