// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>

#include <QObject>

#include "app/document/pins.h"
#include "app/document/view_state.h"

class QAction;
class QActionGroup;
class QMenu;
class QToolBar;
class QToolButton;

namespace cardfit::app {

/// The Compare menu and the toolbar's buttons A, B and C: a click on a free slot pins the plan, a click on a taken one
/// opens its menu.
class PinActions : public QObject {
    Q_OBJECT

public:
    PinActions(Pins& pins, ViewState& state, QWidget* window);

    void fill(QMenu* menu);
    void addTo(QToolBar& toolbar);

    [[nodiscard]] QToolButton* button(int slot) const { return m_places[static_cast<std::size_t>(slot)].button; }

private:
    struct Place {
        QAction* pin = nullptr;
        QAction* recall = nullptr;
        QAction* swap = nullptr;
        QAction* unpin = nullptr;
        QAction* difference = nullptr;
        QToolButton* button = nullptr;
    };

    void buildPlace(int slot);
    void buildDifferences();
    void update();
    void updatePlace(int slot);
    void updateDifference();
    void openMenu(int slot);
    [[nodiscard]] const Place& place(int slot) const { return m_places[static_cast<std::size_t>(slot)]; }

    Pins& m_pins;
    ViewState& m_state;
    QWidget* m_window;
    std::array<Place, Pins::kCount> m_places;
    QActionGroup* m_differences = nullptr;
    QAction* m_no_difference = nullptr;
    QAction* m_outlines = nullptr;
};

} // namespace cardfit::app
