// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QChar>
#include <QString>

#include "core/estimate.h"

class QPainter;
class QPen;
class QPointF;
class QPolygonF;

/// Pinned plans: how charts name them and draw them.
namespace cardfit::ui {

struct LegendEntry;
struct Theme;

/// The slot of a plan that is only looked at.
inline constexpr int kPreviewSlot = 3;

struct PinnedEstimate {
    int slot = 0; ///< 0, 1, 2, kPreviewSlot: decides how its outline is dashed
    QChar letter; ///< 'A', 'B', 'C'
    QString name; ///< of its plan
    std::shared_ptr<const Estimate> estimate; ///< complete, never null

    bool operator==(const PinnedEstimate&) const = default;
};

/// "A: Llama 3 70B"
[[nodiscard]] QString pinTitle(const PinnedEstimate& pin);
/// The dashes of its outline and its letter, for a legend.
[[nodiscard]] LegendEntry pinEntry(const PinnedEstimate& pin, const Theme& theme);

/// The line of a pin's outline: long dashes, dots, dash and dot for A, B and C, so that they differ without colour; on
/// an edge of background, so that it reads on every fill.
void drawPinLine(QPainter& painter, const QPolygonF& line, int slot, const Theme& theme);
/// A pin's letter on a small ground, centred. Leaves the painter's pen and font changed.
void drawPinLetter(QPainter& painter, QPointF centre, QChar letter, const Theme& theme);

} // namespace cardfit::ui
