// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QObject>
#include <QPointer>

class QMenu;
class QWidget;

namespace cardfit::app {

/// F6 and Shift+F6 move the focus from one pane of the window to the next; within a pane it returns to the widget that
/// had it last.
class PaneCycle : public QObject {
    Q_OBJECT

public:
    /// `panes` in their order on the screen; hidden ones are skipped.
    PaneCycle(std::vector<QWidget*> panes, QWidget* window);

    void fill(QMenu* menu);
    /// The pane with the focus; null if none has it.
    [[nodiscard]] QWidget* current() const;
    void move(int by);
    /// Moves the focus to a pane that is visible.
    void goTo(const QWidget* pane);

private:
    struct Pane {
        QPointer<QWidget> widget; ///< may be deleted before this object when the window closes
        QPointer<QWidget> last; ///< the widget that had the focus last
    };

    /// Whether it takes the focus.
    static bool enter(const Pane& pane);
    void remember(QWidget* focused);
    [[nodiscard]] int indexOf(const QWidget* widget) const;

    std::vector<Pane> m_panes;
};

} // namespace cardfit::app
