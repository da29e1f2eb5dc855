// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QChar>
#include <QString>

#include "core/estimate/estimate.h"

class QPainter;
class QPen;
class QPointF;
class QPolygonF;
class QRectF;

/// Pinned plans: their names in charts and how they are drawn.
namespace cardfit::ui {

struct LegendEntry;
struct Theme;

/// The slot of a plan that is only previewed.
inline constexpr int kPreviewSlot = 3;

struct PinnedEstimate {
    int slot = 0; ///< 0, 1, 2, kPreviewSlot: decides how its outline is dashed, and how far it is moved aside
    QChar letter; ///< 'A', 'B', 'C', …
    QString name; ///< name of the plan
    std::shared_ptr<const Estimate> estimate; ///< complete, never null

    bool operator==(const PinnedEstimate&) const = default;
};

/// "A: Llama 3 70B"
[[nodiscard]] QString pinTitle(const PinnedEstimate& pin);
/// A legend entry with the pin's letter and line pattern.
[[nodiscard]] LegendEntry pinEntry(const PinnedEstimate& pin, const Theme& theme);

/// Draws a pin's outline: long dashes, dots, and dash and dot for A, B and C, so that they can be told apart without
/// colour; on an edge in the background colour, so that it is visible on every fill.
void drawPinLine(QPainter& painter, const QPolygonF& line, int slot, const Theme& theme);
/// Draws where a pin's bar along the time ends, `there`, and, where it is longer than the plan's, which ends at `end`,
/// a line up to it. Each pin lies a little further in than the previous one, so that equal ones do not hide each other.
void drawPinEnd(
    QPainter& painter, const QRectF& area, double end, double there, const PinnedEstimate& pin, const Theme& theme);
/// Draws a pin's letter on a small plate, centred. Leaves the painter's pen and font changed.
void drawPinLetter(QPainter& painter, QPointF centre, QChar letter, const Theme& theme);

} // namespace cardfit::ui
