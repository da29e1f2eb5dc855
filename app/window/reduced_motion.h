// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMainWindow;
class QMenu;

namespace cardfit::app {

/// Adds "Reduce motion" to a menu, which is kept from run to run: docks, menus and lists then appear at once instead of
/// sliding. Until it is chosen, what the desktop says holds. Charts never move by themselves.
void addReducedMotion(QMenu& menu, QMainWindow& window);

} // namespace cardfit::app
