// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

#include "widgets/rails/field_habits.h"

namespace cardfit::ui {

/// A combo box for scrolling panels: it uses the wheel only under the same conditions as a rail.
class QuietComboBox : public QComboBox {
    Q_OBJECT

public:
    explicit QuietComboBox(QWidget* parent = nullptr);

    void showPopup() override;

signals:
    void aboutToOpen();

protected:
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    WheelFocus m_wheel_focus;
};

/// A long list in which one chooses by typing any part of a name. Typing alone chooses nothing.
class SearchComboBox : public QuietComboBox {
    Q_OBJECT

public:
    struct Entry {
        QString id;
        QString name;
        QString help = {}; ///< tool tip with its special properties; may be empty

        bool operator==(const Entry&) const = default;
    };

    explicit SearchComboBox(QWidget* parent = nullptr);

    void setEntries(const QList<Entry>& entries);
    /// The entry in use; it need not be in the list.
    void setCurrent(const QString& id, const QString& name);

signals:
    void picked(const QString& id);

protected:
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void showCurrent();
    void pick(int index);
    /// Chooses the first entry that contains the typed text.
    void pickTyped();

    QList<Entry> m_entries;
    QString m_id;
    QString m_name;
};

} // namespace cardfit::ui
