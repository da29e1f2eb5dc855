// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace cardfit::app {

/// A menu's text without its mnemonic: "&Save" becomes "Save", "A && B" becomes "A & B".
[[nodiscard]] QString withoutMnemonic(QString text);

} // namespace cardfit::app
