// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/menus/pin_actions.h"
#include "app/controls/menu_text.h"
#include "widgets/text/tool_tip.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QToolBar>
#include <QToolButton>

namespace cardfit::app {

PinActions::PinActions(Pins& pins, ViewState& state, QWidget* window)
    : QObject(window)
    , m_pins(pins)
    , m_state(state)
    , m_window(window)
{
    for (int slot = 0; slot < Pins::kCount; ++slot)
        buildPlace(slot);
    buildDifferences();
    m_outlines = new QAction(tr("&Outlines of pins in the charts"), this);
    m_outlines->setCheckable(true);
    connect(m_outlines, &QAction::triggered, this, [this](bool outlined) {
        if (outlined) m_pins.adopt();
        m_state.setOutlinesPins(outlined);
        updateDifference();
    });
    connect(&m_state, &ViewState::pinsShownChanged, this, &PinActions::updateDifference);
    connect(&m_pins, &Pins::changed, this, &PinActions::update);
    update();
}

void PinActions::buildPlace(int slot)
{
    Place& place = m_places[static_cast<std::size_t>(slot)];
    const auto key = static_cast<Qt::Key>(Qt::Key_1 + slot);
    const auto add = [this](const QString& text, const QKeySequence& keys, auto&& act) {
        auto* action = new QAction(text, this);
        action->setShortcut(keys);
        connect(action, &QAction::triggered, this, act);
        return action;
    };
    const QChar letter = Pins::letter(slot);
    place.pin = add(tr("Pin the plan as &%1").arg(letter), QKeySequence(Qt::CTRL | Qt::SHIFT | key),
        [this, slot] { m_pins.pin(slot); });
    place.recall = add({}, QKeySequence(Qt::CTRL | key), [this, slot] { m_pins.recall(slot); });
    place.swap = add(tr("Swap the plan with %1").arg(letter), {}, [this, slot] { m_pins.swap(slot); });
    place.unpin = add(tr("Unpin %1").arg(letter), {}, [this, slot] { m_pins.unpin(slot); });
}

void PinActions::buildDifferences()
{
    m_differences = new QActionGroup(this);
    const auto add = [this](const QString& text, std::optional<int> slot) {
        auto* action = m_differences->addAction(text);
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, [this, slot] { m_state.setDifference(slot); });
        return action;
    };
    m_no_difference = add(tr("Bars: &memory per card"), std::nullopt);
    for (int slot = 0; slot < Pins::kCount; ++slot)
        m_places[static_cast<std::size_t>(slot)].difference =
            add(tr("Bars: difference to %1").arg(Pins::letter(slot)), slot);
}

void PinActions::fill(QMenu* menu)
{
    for (QAction* Place::*action : {&Place::pin, &Place::recall, &Place::swap, &Place::unpin}) {
        for (const Place& place : m_places)
            menu->addAction(place.*action);
        menu->addSeparator();
    }
    menu->addActions(m_differences->actions());
    menu->addSeparator();
    menu->addAction(m_outlines);
}

void PinActions::addTo(QToolBar& toolbar)
{
    for (int slot = 0; slot < Pins::kCount; ++slot) {
        auto* button = new QToolButton(&toolbar);
        button->setText(Pins::letter(slot));
        button->setFocusPolicy(Qt::TabFocus);
        connect(button, &QToolButton::clicked, this, [this, slot] {
            // A click toggles a checkable button, but its state must show whether the slot is taken.
            updatePlace(slot);
            if (m_pins[slot].isFree())
                m_pins.pin(slot);
            else
                openMenu(slot);
        });
        toolbar.addWidget(button);
        m_places[static_cast<std::size_t>(slot)].button = button;
        updatePlace(slot);
    }
}

void PinActions::openMenu(int slot)
{
    auto* menu = new QMenu(m_window);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const Place& at = place(slot);
    menu->addActions({at.recall, at.swap, at.pin, at.unpin});
    menu->addSeparator();
    menu->addActions({at.difference, m_no_difference});
    menu->popup(at.button->mapToGlobal(QPoint(0, at.button->height())));
}

void PinActions::update()
{
    for (int slot = 0; slot < Pins::kCount; ++slot)
        updatePlace(slot);
    updateDifference();
}

/// A difference needs a pin with figures.
void PinActions::updateDifference()
{
    const auto slot = m_state.difference();
    if (slot && !m_pins[*slot].hasFigures()) return m_state.setDifference(std::nullopt);
    (slot ? place(*slot).difference : m_no_difference)->setChecked(true);
    bool all = m_state.outlinesPins();
    for (int each = 0; each < Pins::kCount; ++each)
        all = all && !m_pins[each].is_of_other_plan;
    m_outlines->setChecked(all);
}

void PinActions::updatePlace(int slot)
{
    const Place& at = place(slot);
    const Pin& pin = m_pins[slot];
    const QChar letter = Pins::letter(slot);
    const bool unreadable = !pin.problem.isEmpty();
    const QString& name = m_pins.name(slot);
    at.recall->setEnabled(pin.plan.has_value());
    at.swap->setEnabled(pin.plan.has_value());
    at.unpin->setEnabled(!pin.isFree());
    at.difference->setEnabled(pin.hasFigures());
    if (pin.plan)
        at.recall->setText(tr("Recall %1: %2").arg(letter).arg(inMenu(name)));
    else
        at.recall->setText(unreadable ? tr("%1 cannot be read").arg(letter) : tr("Recall %1").arg(letter));
    ui::setTip(at.recall, unreadable ? pin.problem : at.recall->text());
    at.recall->setStatusTip(pin.problem);
    if (at.button == nullptr) return;
    QString tip = tr("Pin the plan as %1 (%2)").arg(letter).arg(at.pin->shortcut().toString(QKeySequence::NativeText));
    if (pin.plan) tip = tr("Pin %1: %2").arg(letter).arg(name);
    if (pin.is_of_other_plan) tip = tr("Pin %1: %2. Not outlined: it is of another plan.").arg(letter).arg(name);
    if (unreadable) tip = tr("Pin %1 cannot be read: %2").arg(letter).arg(pin.problem);
    at.button->setText(unreadable ? QString(letter) + u'!' : QString(letter));
    // Otherwise a button that is no longer checkable would stay painted as checked.
    at.button->setCheckable(true);
    at.button->setChecked(!pin.isFree());
    at.button->setCheckable(!pin.isFree());
    ui::setTip(at.button, tip);
    at.button->setAccessibleName(tr("Pin %1").arg(letter));
    at.button->setAccessibleDescription(tip);
}

} // namespace cardfit::app
