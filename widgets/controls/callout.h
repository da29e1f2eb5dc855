// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QWidget>

class QLabel;
class QPushButton;
class QShortcut;

namespace cardfit::ui {

/// The line from a note to its target, and a frame around the target; drawn over everything, and does not block input.
class Leader : public QWidget {
public:
    explicit Leader(QWidget* window);

    /// Window coordinates. Draws nothing if the target is empty.
    void connectTo(const QRect& note, const QRect& target);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QRect m_note;
    QRect m_target;
};

/// A note that points at widgets of its window, one after the other. Everything else stays usable: the note takes only
/// its own clicks. Its position stays the same meanwhile, so that its buttons stay under the mouse.
class Callout : public QWidget {
    Q_OBJECT

public:
    struct Texts {
        QString title;
        QString text;
        QString progress;
    };

    explicit Callout(QWidget* window);

    /// All targets it will point at and all texts it will show: it is placed where it covers no target and is large
    /// enough for every text.
    void prepare(std::vector<QWidget*> targets, const std::vector<Texts>& texts);
    void pointAt(QWidget* target);
    void setTexts(const Texts& texts);
    void setLast(bool last);
    [[nodiscard]] QPushButton& nextButton() { return *m_next; }

signals:
    void nextAsked();
    void closeAsked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// The visible part of a widget, in the window's coordinates.
    [[nodiscard]] QRect shownPart(const QWidget* widget) const;
    [[nodiscard]] QPoint bestCorner() const;
    void place();

    std::vector<QWidget*> m_targets;
    QWidget* m_target = nullptr;
    Leader* m_leader;
    QLabel* m_title;
    QLabel* m_text;
    QLabel* m_progress;
    QPushButton* m_next;
    QPushButton* m_close;
    QShortcut* m_escape;
};

} // namespace cardfit::ui
