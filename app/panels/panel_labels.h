// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QLabel>

namespace cardfit::app {

/// A label of plain text that wraps, and from which text can be copied.
[[nodiscard]] QLabel* wrappedLabel(const QString& text, QWidget* parent);

void setInk(QLabel* label, const QColor& colour);

} // namespace cardfit::app
