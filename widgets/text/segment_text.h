// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include "widgets/chart/theme.h"

namespace cardfit::ui {

/// A letter, with the value where there is room for it, in the middle of a part of a stacked bar; nothing in one that
/// is too small.
void drawSegmentText(QCPPainter& painter, const QRectF& rect, const SegmentStyle& style, const QString& text);

} // namespace cardfit::ui
