// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

class QLineEdit;
class QWheelEvent;

/// What fields and rails of a panel have in common, beside the values they set.
namespace cardfit::ui {

/// A line edit claims undo and redo for its own text. In this one they are the plan's while nothing has been typed.
void leaveIdleUndo(QLineEdit* field);

/// Whether the wheel is meant for a control in a panel that scrolls: with Ctrl or Alt, or once the keyboard has come to
/// it by Tab. A click brings the keyboard, too, but whoever turns the wheel after it wants to scroll on.
class WheelFocus {
public:
    void focusIn(Qt::FocusReason reason);
    void pressed() { m_by_keys = false; }
    [[nodiscard]] bool means(const QWheelEvent& event, bool has_focus) const;
    /// Eighths of a degree, also with Alt, for which Qt turns them sideways.
    [[nodiscard]] static int turned(const QWheelEvent& event);

private:
    bool m_by_keys = false;
};

} // namespace cardfit::ui
