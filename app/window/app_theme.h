// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QApplication;

namespace cardfit::app {

enum class ThemeChoice { System, Light, Dark };

/// To be called once, before any window: remembers what the desktop asked for and sets the style.
void setUpTheme(QApplication& application);
/// Colours of every window, at once.
void applyTheme(ThemeChoice choice);

/// As chosen in an earlier run.
[[nodiscard]] ThemeChoice savedTheme();
void saveTheme(ThemeChoice choice);

} // namespace cardfit::app
