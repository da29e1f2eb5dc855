// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart/overlay_part.h"
#include "widgets/chart/theme.h"

namespace cardfit::ui {

class TimeNavigator;

/// A measured stretch of time, as a band across all rows of the plot with its start, end and length.
class TimeSpan : public OverlayPart {
    Q_OBJECT

public:
    /// Follows the navigator's span.
    TimeSpan(QCustomPlot* plot, const TimeNavigator& navigator);

    void setTheme(const Theme& theme) { m_theme = theme; }
    /// Seconds that the span is told in parts of; none are told of 0.
    void setStep(double seconds) { m_step = seconds; }
    /// "132 ms, 4.2 % of the 3.10 s step" and "from 0.450 s to 0.582 s"; empty while nothing is measured.
    [[nodiscard]] QStringList text() const;

protected:
    void draw(QCPPainter* painter) override;

private:
    [[nodiscard]] QRect area() const;
    void drawText(QCPPainter& painter, const QRect& band, const QRect& area) const;

    const TimeNavigator& m_navigator;
    Theme m_theme = lightTheme();
    double m_step = 0.0;
};

} // namespace cardfit::ui
