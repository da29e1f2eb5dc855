// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include <QPointF>
#include <QRectF>

#include "core/estimate/estimate.h"
#include "core/report/reports.h"

/// Computes rectangles from an Estimate, without painting.
namespace cardfit::ui {

/// One stage's bar, in units of the value axis (GB or GiB).
struct StageBar {
    std::array<double, kSegmentCount> parts{}; ///< heights of the segments, bottom to top
    double total = 0.0;
    double peak = 0.0; ///< the total at the peak; equals `total` unless an instant is shown
    double capacity = 0.0;
    double refused = 0.0; ///< what a server that does not start lacks; 0 for others and at an instant
    double cell = 0.0; ///< activations of one micro-batch; 0 if unknown
    double low = 0.0; ///< the total with every uncertain amount at its minimum, and at its maximum
    double high = 0.0;
    bool over = false; ///< the verdict says so; at an instant: more is held than the card can use

    /// As StageMemory::free(), of what the bar shows.
    [[nodiscard]] double free() const;
    /// The highest of total, peak and band.
    [[nodiscard]] double upper() const;
    bool operator==(const StageBar&) const = default;
};

struct BarPicture {
    std::vector<StageBar> bars;
    std::size_t fullest = 0; ///< the bar with the least free memory
    double highest = 0.0; ///< what the axis must cover: the highest bar, peak, band or capacity
    double lowest_capacity = 0.0;
    double highest_capacity = 0.0;

    bool operator==(const BarPicture&) const = default;
};

/// What the cards hold at one instant, by stage.
using InstantMemory = std::vector<SegmentBytes>;

/// Bars of a complete estimate; with `instant`, one entry per stage, of what is held then.
[[nodiscard]] BarPicture reduceToBars(
    const Estimate& estimate, ByteUnit unit, const std::optional<InstantMemory>& instant);

/// One stage of the plan, the pin, or both.
struct StageDifference {
    bool in_plan = false; ///< whether each plan has the stage; a difference exists only if both have it
    bool in_pin = false;
    std::array<Bytes, kSegmentCount> parts{}; ///< plan minus pin

    [[nodiscard]] bool compared() const { return in_plan && in_pin; }
    [[nodiscard]] Bytes total() const;
    [[nodiscard]] Bytes grown() const; ///< sum of the parts above zero
    [[nodiscard]] Bytes shrunk() const; ///< sum of the parts below zero; not positive
    bool operator==(const StageDifference&) const = default;
};

/// Differences of the segments, plan minus pin.
struct DifferencePicture {
    std::vector<StageDifference> stages; ///< as many as the longer of the two plans has
    Bytes highest, lowest; ///< what the axis must cover: the largest grown() and the least shrunk()

    bool operator==(const DifferencePicture&) const = default;
};

/// Both estimates must be complete.
[[nodiscard]] DifferencePicture differencePicture(const Estimate& plan, const Estimate& pin);

/// Where the bars are drawn: `area` is the plot area in pixels, which shows `stages` bars and values from 0 to `top`.
/// Edges lie on whole pixels, so that neighbouring rectangles neither overlap nor leave a gap.
struct BarLayout {
    QRectF area;
    int stages = 0;
    double top = 1.0;

    [[nodiscard]] double pitch() const { return stages > 0 ? area.width() / stages : 0.0; }
    [[nodiscard]] double y(double value) const;
    /// The bar's column over the full height; at least one pixel wide.
    [[nodiscard]] QRectF column(int stage) const;
    /// The stage's share of the width, gaps included.
    [[nodiscard]] QRectF slot(int stage) const;
    [[nodiscard]] QRectF part(int stage, double bottom, double upper) const;
    /// nullopt outside the plot area; a gap belongs to the nearest bar.
    [[nodiscard]] std::optional<int> stageAt(QPointF position) const;
    /// nullopt above the bar.
    [[nodiscard]] std::optional<Segment> segmentAt(const StageBar& bar, QPointF position) const;
};

} // namespace cardfit::ui
