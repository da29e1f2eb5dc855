// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QToolButton;
class QVBoxLayout;

namespace cardfit::app {

/// A titled part of a panel that can be folded. Its state is saved between runs under `id`.
class CollapsibleGroup : public QWidget {
    Q_OBJECT

public:
    /// `open`: state in the first run.
    CollapsibleGroup(const QString& id, const QString& title, QWidget* parent = nullptr, bool open = false);

    void add(QWidget* widget);
    void setOpen(bool open);
    [[nodiscard]] bool isOpen() const;
    /// Said beside the title: what changed inside, or is broken.
    void setMark(const QString& mark);

signals:
    void toggled(bool open);

private:
    QString m_id;
    QString m_title;
    QToolButton* m_head;
    QWidget* m_body;
    QVBoxLayout* m_rows;
};

} // namespace cardfit::app
