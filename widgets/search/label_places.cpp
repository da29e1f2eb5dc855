// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/search/label_places.h"

#include <algorithm>
#include <array>

namespace cardfit::ui {

std::vector<std::optional<QRectF>> labelPlaces(const std::vector<NamedSpot>& spots, const QRectF& room)
{
    constexpr double kGap = 2.0;
    std::vector<std::optional<QRectF>> places;
    for (const NamedSpot& spot : spots) {
        const QRectF& mark = spot.mark;
        const QPointF middle = mark.center() - QPointF(spot.name.width() / 2, spot.name.height() / 2);
        const std::array<QPointF, 4> corners{QPointF(mark.right() + kGap, middle.y()),
            QPointF(mark.left() - kGap - spot.name.width(), middle.y()),
            QPointF(middle.x(), mark.top() - spot.name.height()), QPointF(middle.x(), mark.bottom())};
        const auto isFree = [&](QPointF corner) {
            const QRectF place(corner, spot.name);
            return room.contains(place)
                && std::ranges::none_of(spots, [&](const NamedSpot& other) { return other.mark.intersects(place); })
                && std::ranges::none_of(
                    places, [&](const std::optional<QRectF>& other) { return other && other->intersects(place); });
        };
        const auto* const corner = std::ranges::find_if(corners, isFree);
        places.push_back(corner == corners.end() ? std::nullopt : std::optional(QRectF(*corner, spot.name)));
    }
    return places;
}

} // namespace cardfit::ui
