// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMainWindow;
class QMenu;

namespace cardfit::app {

/// Adds "Reduce motion" to a menu and saves the choice: docks, menus and lists then appear at once instead of sliding.
/// Before the user chooses, the desktop's setting counts. Charts are never animated.
void addReducedMotion(QMenu& menu, QMainWindow& window);

} // namespace cardfit::app
