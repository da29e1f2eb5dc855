// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace cardfit::ui {

/// A text for places that guess whether they were given HTML, such as tool tips and message boxes: every character
/// shows as it is. Names and values of files must go through it, because "<img src=…>" in one would be loaded.
[[nodiscard]] QString asPlain(const QString& text);

/// Sets a tool tip that is no fixed text, of a widget or an action.
template <class Target> void setTip(Target* target, const QString& text) { target->setToolTip(asPlain(text)); }

} // namespace cardfit::ui
