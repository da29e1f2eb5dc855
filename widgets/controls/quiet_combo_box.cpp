// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/quiet_combo_box.h"
#include "widgets/text/tool_tip.h"

#include <algorithm>

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QWheelEvent>

namespace cardfit::ui {

QuietComboBox::QuietComboBox(QWidget* parent)
    : QComboBox(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
}

void QuietComboBox::showPopup()
{
    emit aboutToOpen();
    QComboBox::showPopup();
}

void QuietComboBox::wheelEvent(QWheelEvent* event)
{
    if (m_wheel_focus.means(*event, hasFocus()))
        QComboBox::wheelEvent(event);
    else
        event->ignore();
}

void QuietComboBox::focusInEvent(QFocusEvent* event)
{
    m_wheel_focus.focusIn(event->reason());
    QComboBox::focusInEvent(event);
}

void QuietComboBox::mousePressEvent(QMouseEvent* event)
{
    m_wheel_focus.pressed();
    QComboBox::mousePressEvent(event);
}

SearchComboBox::SearchComboBox(QWidget* parent)
    : QuietComboBox(parent)
{
    setEditable(true);
    leaveIdleUndo(lineEdit());
    setInsertPolicy(QComboBox::NoInsert);
    completer()->setCompletionMode(QCompleter::PopupCompletion);
    completer()->setFilterMode(Qt::MatchContains);
    completer()->setCaseSensitivity(Qt::CaseInsensitive);
    setMaxVisibleItems(24);
    connect(this, &QComboBox::activated, this, &SearchComboBox::pick);
    connect(lineEdit(), &QLineEdit::returnPressed, this, &SearchComboBox::pickTyped);
}

void SearchComboBox::setEntries(const QList<Entry>& entries)
{
    if (entries == m_entries) return;
    m_entries = entries;
    clear();
    for (const Entry& entry : entries) {
        addItem(entry.name, entry.id);
        setItemData(count() - 1, asPlain(entry.help), Qt::ToolTipRole);
    }
    // The list is as wide as its names even if the box is narrower.
    view()->setMinimumWidth(view()->sizeHintForColumn(0) + 30);
    showCurrent();
}

void SearchComboBox::setCurrent(const QString& id, const QString& name)
{
    if (id == m_id && name == m_name && !lineEdit()->isModified()) return; // most edits change neither
    m_id = id;
    m_name = name;
    if (!lineEdit()->hasFocus() || !lineEdit()->isModified()) showCurrent();
}

void SearchComboBox::showCurrent()
{
    setCurrentIndex(m_id.isEmpty() ? -1 : findData(m_id));
    setEditText(m_name);
    lineEdit()->setCursorPosition(0);
    lineEdit()->setModified(false);
    setTip(this, m_name);
}

void SearchComboBox::pick(int index)
{
    // Return in the text also activates the index that was current before the user typed.
    const bool is_meant = index >= 0 && index < m_entries.size() && currentText() == m_entries[index].name;
    if (!is_meant) return;
    const QString id = m_entries[index].id;
    lineEdit()->setModified(false);
    if (id != m_id) emit picked(id);
    showCurrent();
}

void SearchComboBox::pickTyped()
{
    if (!lineEdit()->isModified()) return;
    const QString typed = currentText().trimmed();
    const auto found = std::ranges::find_if(
        m_entries, [&](const Entry& entry) { return entry.name.contains(typed, Qt::CaseInsensitive); });
    if (typed.isEmpty() || found == m_entries.end()) return showCurrent();
    setEditText(found->name);
    pick(static_cast<int>(found - m_entries.begin()));
}

void SearchComboBox::focusOutEvent(QFocusEvent* event)
{
    {
        // On losing the focus Qt activates the entry equal to the text, even if it is only displayed: leaving a list
        // must choose nothing.
        const QSignalBlocker quiet(this);
        QuietComboBox::focusOutEvent(event);
    }
    if (event->reason() != Qt::PopupFocusReason) showCurrent();
}

void SearchComboBox::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && lineEdit()->isModified()) {
        showCurrent();
        lineEdit()->selectAll();
        return;
    }
    QuietComboBox::keyPressEvent(event);
}

} // namespace cardfit::ui
