// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QList>
#include <QRectF>

#include "widgets/chart/theme.h"

class QColor;
class QPainter;

/// Hatching by lines that end at the rectangle's edge. Pattern brushes would come out as pictures in a vector file, and
/// QSvgGenerator ignores clipping.
namespace cardfit::ui {

/// Lines `spacing` apart, all on one grid through the origin, so that hatches of neighbouring rectangles join.
[[nodiscard]] QList<QLineF> hatchLines(const QRectF& rect, Pattern pattern, double spacing);

void drawHatch(QPainter& painter, const QRectF& rect, Pattern pattern, double spacing, const QColor& colour);

} // namespace cardfit::ui
