// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QApplication;

namespace cardfit::app {

enum class ThemeChoice { System, Light, Dark };

/// Remembers the desktop's theme and sets the style. Call it once, before any window exists.
void setUpTheme(QApplication& application);
/// Changes the colours of all windows at once.
void applyTheme(ThemeChoice choice);

/// The choice of an earlier run.
[[nodiscard]] ThemeChoice savedTheme();
void saveTheme(ThemeChoice choice);

} // namespace cardfit::app
