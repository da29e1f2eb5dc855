// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QRectF>
#include <QSizeF>

namespace cardfit::ui {

/// A point of a chart with a name that is written beside it.
struct NamedSpot {
    QRectF mark; ///< what is drawn at the point
    QSizeF name;
};

/// Where the names go: to the right of their marks, or else to the left, above or below, inside `room`, over no mark
/// and no name that has its place. None for a name for which there is no such place. The first have the choice.
[[nodiscard]] std::vector<std::optional<QRectF>> labelPlaces(const std::vector<NamedSpot>& spots, const QRectF& room);

} // namespace cardfit::ui
