// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rails/field_habits.h"

#include <utility>

#include <QFocusEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QWheelEvent>

namespace cardfit::ui {

namespace {

class IdleUndoFilter : public QObject {
public:
    explicit IdleUndoFilter(QLineEdit* field)
        : QObject(field)
        , m_field(field)
    {
        field->installEventFilter(this);
        // A combo box passes keys to its line edit directly, past the line edit's event filters.
        if (QWidget* box = field->focusProxy()) box->installEventFilter(this);
    }

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() != QEvent::ShortcutOverride || m_field->isModified())
            return QObject::eventFilter(watched, event);
        const auto* key = static_cast<QKeyEvent*>(event);
        if (!key->matches(QKeySequence::Undo) && !key->matches(QKeySequence::Redo))
            return QObject::eventFilter(watched, event);
        event->ignore();
        return true;
    }

private:
    QLineEdit* m_field;
};

class ClickFilter : public QObject {
public:
    explicit ClickFilter(QLineEdit* field)
        : QObject(field)
        , m_field(field)
    {
        field->installEventFilter(this);
    }

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::FocusIn)
            m_comes = static_cast<QFocusEvent*>(event)->reason() == Qt::MouseFocusReason;
        // With the release, since the press sets the cursor; who has dragged over a part of the text wants that part.
        if (event->type() == QEvent::MouseButtonRelease && std::exchange(m_comes, false) && !m_field->hasSelectedText())
            m_field->selectAll();
        return QObject::eventFilter(watched, event);
    }

private:
    QLineEdit* m_field;
    bool m_comes = false; ///< the focus has come with a press that lasts
};

} // namespace

void leaveIdleUndo(QLineEdit* field) { new IdleUndoFilter(field); }
void selectOnClick(QLineEdit* field) { new ClickFilter(field); }

void WheelFocus::focusIn(Qt::FocusReason reason)
{
    // Focus that returns from a menu, a popup list or another window changes nothing.
    if (reason == Qt::PopupFocusReason || reason == Qt::ActiveWindowFocusReason || reason == Qt::MenuBarFocusReason)
        return;
    m_by_keys = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
}

bool WheelFocus::means(const QWheelEvent& event, bool has_focus) const
{
    return (has_focus && m_by_keys) || (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier)) != 0;
}

int WheelFocus::turned(const QWheelEvent& event)
{
    const QPoint delta = event.angleDelta();
    return delta.y() == 0 && (event.modifiers() & Qt::AltModifier) != 0 ? delta.x() : delta.y();
}

} // namespace cardfit::ui
