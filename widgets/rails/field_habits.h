// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

class QLineEdit;
class QWheelEvent;

/// Behaviour that fields and rails of a panel share.
namespace cardfit::ui {

/// A line edit handles undo and redo itself. With this, they reach the plan's undo while nothing has been typed.
void leaveIdleUndo(QLineEdit* field);

/// The click that brings the focus selects the whole text, so that what is typed next replaces it; a second click sets
/// the cursor.
void selectOnClick(QLineEdit* field);

/// Whether a wheel event is meant for a control inside a scrolling panel: with Ctrl or Alt, or if the control got the
/// focus by Tab. A click gives the focus, too, but users who turn the wheel after a click want to scroll.
class WheelFocus {
public:
    void focusIn(Qt::FocusReason reason);
    void pressed() { m_by_keys = false; }
    [[nodiscard]] bool means(const QWheelEvent& event, bool has_focus) const;
    /// Wheel movement in eighths of a degree; also with Alt, for which Qt reports it as horizontal.
    [[nodiscard]] static int turned(const QWheelEvent& event);

private:
    bool m_by_keys = false;
};

} // namespace cardfit::ui
