// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "widgets/chart/labels.h"
#include "widgets/chart/overlay_part.h"
#include "widgets/chart/theme.h"

namespace cardfit::ui {

/// The vertical line at the instant that is looked at.
class TimeCursor : public OverlayPart {
    Q_OBJECT

public:
    TimeCursor(QCustomPlot* plot, QCPAxis* time_axis);

    void setTheme(const Theme& theme) { m_theme = theme; }
    void setTime(std::optional<double> seconds);
    /// Writes the time in the axis' unit, with as many decimals as pixels tell apart.
    void setUnit(const TimeUnit& unit) { m_unit = unit; }

protected:
    void draw(QCPPainter* painter) override;

private:
    QCPAxis* m_axis;
    Theme m_theme = lightTheme();
    TimeUnit m_unit{1.0, QStringLiteral("s")};
    std::optional<double> m_time;
};

} // namespace cardfit::ui
