// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace cardfit::ui {

/// State of an edit: a drag sends many values while it lasts, and a final one when it ends.
enum class EditPhase { Dragging, Committed };

/// A widget whose value is changed by pointer and keys. All repeats of a key that is held down are one edit, which ends
/// when the key is released or the focus leaves. Both kinds of edit end when the widget can no longer be told so: it is
/// hidden, disabled or behind a dialog.
class KeyedEditor : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// The tool tip at this place; empty for none.
    [[nodiscard]] virtual QString explanationAt(const QPointF& position) const = 0;
    /// Ends the edit of a held key; does nothing if no key is held.
    void commitKeys();

protected:
    /// Call it when a key changes the value.
    void beginKeys() { m_keys_moving = true; }
    /// Reports the value as committed.
    virtual void commitValue() = 0;
    /// Ends a drag in progress at the value that it has reached.
    virtual void endDrag() = 0;

    bool event(QEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    bool m_keys_moving = false;
};

} // namespace cardfit::ui
