// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QRectF>
#include <QSizeF>

namespace cardfit::ui {

/// A point of a chart whose name is written beside it.
struct NamedSpot {
    QRectF mark; ///< the rectangle that is drawn at the point
    QSizeF name;
};

/// Places the names: to the right of their marks, or else to the left, above or below, inside `room`, so that no name
/// covers a mark or a name placed earlier. nullopt for a name that fits nowhere. Earlier names have priority.
[[nodiscard]] std::vector<std::optional<QRectF>> labelPlaces(const std::vector<NamedSpot>& spots, const QRectF& room);

} // namespace cardfit::ui
