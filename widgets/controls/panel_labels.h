// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include <QLabel>

class QLayout;

#include "widgets/chart/theme.h"

namespace cardfit::ui {

/// A label of wrapped plain text that can be selected and copied.
[[nodiscard]] QLabel* wrappedLabel(const QString& text, QWidget* parent);
/// The same in the colour for notes.
[[nodiscard]] QLabel* noteLabel(const QString& text, QWidget* parent);

/// Writes a label of this file in a colour of the theme, and in that of the other theme once it is chosen.
void setInk(QLabel* label, QColor Theme::*ink);
void setBold(QWidget* widget);

/// Shows a form's message, with a cross before it if it is an error; an empty message hides the label.
void setMessage(QLabel* label, const QString& message, bool is_error);

/// Puts `next` in the place of `old`, which may be null. An old button may be handling its click now, so it is deleted
/// by the event loop.
void replaceWidget(QLayout& layout, QWidget* old, QWidget* next);

/// "19 20 20 21"
[[nodiscard]] QString numberListText(const std::vector<std::int64_t>& numbers);

} // namespace cardfit::ui
