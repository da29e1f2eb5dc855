// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cardfit::ui {

/// Makes every RailTrack a slider to assistive technology: value, range, and setting it. Does its work once.
void installRailAccessibility();

} // namespace cardfit::ui
