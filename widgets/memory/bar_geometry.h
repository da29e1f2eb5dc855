// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include <QPointF>
#include <QRectF>

#include "core/estimate.h"
#include "core/io/report/reports.h"

/// From an Estimate to rectangles, without painting.
namespace cardfit::ui {

/// One stage's bar, in units of the value axis (GB or GiB).
struct StageBar {
    std::array<double, kSegmentCount> parts{}; ///< heights of the segments, bottom to top
    double total = 0.0;
    double peak = 0.0; ///< the total at the stage's worst instant; equals `total` unless an instant is shown
    double capacity = 0.0;
    double cell = 0.0; ///< activations of one micro-batch; 0 if unknown
    double low = 0.0; ///< the total where every doubtful amount is at its least, and at its most
    double high = 0.0;

    [[nodiscard]] double free() const { return capacity - total; }
    /// What stands highest of this bar.
    [[nodiscard]] double upper() const;
    bool operator==(const StageBar&) const = default;
};

struct BarPicture {
    std::vector<StageBar> bars;
    std::size_t worst = 0; ///< the bar with the least free memory
    double highest = 0.0; ///< what has to be in view: the highest bar, peak, band or capacity
    double lowest_capacity = 0.0;
    double highest_capacity = 0.0;

    bool operator==(const BarPicture&) const = default;
};

/// Bars of a complete estimate. With `live`, one entry per stage, activations are those of an instant, and what only
/// single operations need (temporary) is left out.
[[nodiscard]] BarPicture reduceToBars(
    const Estimate& estimate, ByteUnit unit, const std::optional<std::vector<Bytes>>& live);

/// Where the bars stand: pixels of a plot area `area` showing `stages` bars and values from 0 to `top`. Edges lie on
/// whole pixels, so that neighbouring rectangles neither overlap nor leave a seam.
struct BarLayout {
    QRectF area;
    int stages = 0;
    double top = 1.0;

    [[nodiscard]] double pitch() const { return stages > 0 ? area.width() / stages : 0.0; }
    [[nodiscard]] double y(double value) const;
    /// Left and right edge as a rectangle of full height; never narrower than a pixel.
    [[nodiscard]] QRectF column(int stage) const;
    /// The stage's share of the width, gaps included.
    [[nodiscard]] QRectF slot(int stage) const;
    [[nodiscard]] QRectF part(int stage, double bottom, double upper) const;
    /// None outside the plot area; gaps belong to the nearest bar.
    [[nodiscard]] std::optional<int> stageAt(QPointF position) const;
    /// None above the bar.
    [[nodiscard]] std::optional<Segment> segmentAt(const StageBar& bar, QPointF position) const;
};

/// Every how many stages a label of `label_width` pixels fits: 1, 2, 5, 10, 20, 50 …
[[nodiscard]] int labelStep(double pitch, double label_width);

} // namespace cardfit::ui
