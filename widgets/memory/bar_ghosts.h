// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QPen>

#include "widgets/chart/theme.h"
#include "widgets/memory/bar_geometry.h"
#include "widgets/memory/pinned_estimate.h"

class QPainter;

namespace cardfit::ui {

/// The line of a pin's outline: long dashes, dots, dash and dot for A, B and C, so that they differ without colour.
[[nodiscard]] QPen ghostPen(int slot, const Theme& theme);

/// A pin's letter on a small ground, centred. Leaves the painter's pen and font changed.
void drawGhostLetter(QPainter& painter, QPointF centre, QChar letter, const Theme& theme);

/// Outlines of pinned plans over the bars of the same stages. What is drawn is worked out when a plan is pinned, not
/// when the plan changes.
class BarGhosts {
public:
    void setPins(const std::vector<PinnedEstimate>& pins, ByteUnit unit);

    /// The highest outline over the first `stages` bars, in the unit; 0 without pins.
    [[nodiscard]] double highest(std::size_t stages) const;
    void draw(QPainter& painter, const BarLayout& at, const Theme& theme) const;

private:
    struct Ghost {
        int slot = 0;
        QChar letter;
        std::vector<double> totals; ///< by stage, in the unit
    };

    static void drawOutlines(QPainter& painter, const BarLayout& at, const Ghost& ghost, const Theme& theme);
    static void drawSkyline(QPainter& painter, const BarLayout& at, const Ghost& ghost, const Theme& theme);

    std::vector<Ghost> m_ghosts;
};

} // namespace cardfit::ui
