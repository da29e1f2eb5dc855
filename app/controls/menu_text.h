// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace cardfit::app {

/// Name of an action's property with other words by which the palette finds it.
inline constexpr const char* kPaletteKeywords = "palette_keywords";
/// Property of an action that the palette leaves out.
inline constexpr const char* kNotInPalette = "not_in_palette";

/// A menu's text without its mnemonic: "&Save" becomes "Save", "A && B" becomes "A & B".
[[nodiscard]] QString withoutMnemonic(QString text);

/// A name as part of a menu's text: "A & B" stays "A & B", and a long one does not make the menu as wide as the screen.
[[nodiscard]] QString inMenu(QString name);

} // namespace cardfit::app
