// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/report/reports.h"
#include "widgets/chart/pins.h"
#include "widgets/memory/bar_geometry.h"

class QPainter;

namespace cardfit::ui {

/// Outlines of pinned plans over the bars of the same stages.
class PinOutlines {
public:
    void setPins(const std::vector<PinnedEstimate>& pins, ByteUnit unit);

    /// The highest outline over the first `stages` bars, in the bars' unit; 0 without pins.
    [[nodiscard]] double highest(std::size_t stages) const;
    void draw(QPainter& painter, const BarLayout& at, const Theme& theme) const;

private:
    struct Outline {
        int slot = 0;
        QChar letter;
        std::vector<double> totals; ///< by stage, in the unit
    };

    static void drawOutlines(QPainter& painter, const BarLayout& at, const Outline& outline, const Theme& theme);
    static void drawSkyline(QPainter& painter, const BarLayout& at, const Outline& outline, const Theme& theme);

    std::vector<Outline> m_outlines;
};

} // namespace cardfit::ui
