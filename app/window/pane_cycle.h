// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QObject>
#include <QPointer>

class QMenu;
class QWidget;

namespace cardfit::app {

/// F6 and Shift+F6 move the keyboard from one part of the window to the next; each part takes it where it had it last.
class PaneCycle : public QObject {
    Q_OBJECT

public:
    /// `panes` in their order on the screen; those that are hidden are passed over.
    PaneCycle(std::vector<QWidget*> panes, QWidget* window);

    void fill(QMenu* menu);
    /// The pane that has the keyboard; null if none has.
    [[nodiscard]] QWidget* current() const;
    void move(int by);

private:
    struct Pane {
        QPointer<QWidget> widget; ///< goes before this does as the window ends
        QPointer<QWidget> last; ///< that had the keyboard
    };

    void remember(QWidget* focused);
    [[nodiscard]] int indexOf(const QWidget* widget) const;

    std::vector<Pane> m_panes;
};

} // namespace cardfit::app
