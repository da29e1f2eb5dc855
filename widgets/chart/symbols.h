// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>

class QColor;

namespace cardfit::ui {

/// Icons for buttons, drawn in the text's colour, so that they suit both themes and every scale.
enum class Symbol {
    LockClosed,
    LockOpen,
    Reset,
    Undo,
    Redo,
    Copy,
    CriticalPath,
    Bars, ///< the Plan room
    Lens, ///< the Find room
    TwoSheets, ///< the Compare room
    Racks, ///< the Machines room
    Book, ///< the Learn room
};

[[nodiscard]] QIcon symbolIcon(Symbol symbol, const QColor& ink);

} // namespace cardfit::ui
