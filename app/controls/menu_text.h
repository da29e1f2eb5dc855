// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace cardfit::app {

/// Name of an action's property with other words by which the palette finds it.
inline constexpr const char* kPaletteKeywords = "palette_keywords";

/// A menu's text without its mnemonic: "&Save" becomes "Save", "A && B" becomes "A & B".
[[nodiscard]] QString withoutMnemonic(QString text);

} // namespace cardfit::app
