// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <vector>

#include <QImage>

#include "widgets/timeline/timeline_geometry.h"

/// Where operations are too narrow to be drawn one by one, each pixel column of a row shows how its time is divided.
namespace cardfit::ui {

/// `columns` equal columns over the range, evened.
[[nodiscard]] std::vector<ColumnShares> sharesOf(const RankTimeline& operations, TimeRange range, int columns);

/// What an image of all rows of a timeline shows.
struct ShareImage {
    std::shared_ptr<const Timeline> timeline;
    TimeRange range; ///< over the whole width
    RowLayout rows;
    double ratio = 1.0; ///< device pixels per pixel
    QSize size; ///< in device pixels
    std::array<QRgb, kOperationKindCount> fills{};

    bool operator==(const ShareImage&) const = default;

    /// Transparent where ranks idle. May be called in any thread.
    [[nodiscard]] QImage draw() const;
};

} // namespace cardfit::ui
