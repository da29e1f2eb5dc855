// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace cardfit::ui {

/// How far an edit is: a drag sends many values while it lasts and one when it ends.
enum class EditPhase { Dragging, Committed };

/// A widget whose value is moved by pointer and keys. While a key is held down its repeats are one edit, which ends
/// when it is let go or the keyboard goes elsewhere.
class KeyedEditor : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// The tool tip at this place; empty for none.
    [[nodiscard]] virtual QString explanationAt(const QPointF& position) const = 0;
    /// Ends the edit of a held key; nothing if none is held.
    void commitKeys();

protected:
    /// To be called by whoever moves the value on a key.
    void beginKeys() { m_keys_moving = true; }
    /// Reports the value as committed.
    virtual void commitValue() = 0;

    bool event(QEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    bool m_keys_moving = false;
};

} // namespace cardfit::ui
