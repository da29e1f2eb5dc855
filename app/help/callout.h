// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QShortcut;

namespace cardfit::app {

/// A note that points at a widget of its window and leaves everything else usable. It stays beside the widget while the
/// window changes its size; it takes no clicks but its own.
class Callout : public QWidget {
    Q_OBJECT

public:
    explicit Callout(QWidget* window);

    /// Points at a part of the target, in the target's coordinates; all of it if the part is empty.
    void pointAt(QWidget* target, const QRect& part = {});
    void setTexts(const QString& title, const QString& text, const QString& progress);
    void setLast(bool last);

signals:
    void nextAsked();
    void closeAsked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    QWidget* m_target = nullptr;
    QRect m_part;
    QPoint m_tip; ///< of the arrow, in this widget's coordinates
    QLabel* m_title;
    QLabel* m_text;
    QLabel* m_progress;
    QPushButton* m_next;
    QPushButton* m_close;
    QShortcut* m_escape;
};

} // namespace cardfit::app
