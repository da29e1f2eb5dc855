// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pinned_charts.h"

#include "widgets/memory/memory_bars.h"
#include "widgets/memory/memory_difference.h"
#include "widgets/step/step_bar.h"

namespace cardfit::app {

PinnedCharts::PinnedCharts(Pins& pins, PinActions& actions, const Charts& charts, QObject* parent)
    : QObject(parent)
    , m_pins(pins)
    , m_actions(actions)
    , m_charts(charts)
{
    connect(&m_pins, &Pins::changed, this, &PinnedCharts::update);
    connect(&m_actions, &PinActions::outlinesToggled, this, &PinnedCharts::update);
    connect(&m_actions, &PinActions::differenceChosen, this, [this] {
        update();
        emit barsSwitched();
    });
    update(); // a window that takes over a session has pins from the start
}

void PinnedCharts::update()
{
    const std::vector<ui::PinnedEstimate> pins = m_pins.estimates();
    const auto outlines = m_actions.areOutlinesShown() ? pins : std::vector<ui::PinnedEstimate>();
    m_charts.bars.setPins(outlines);
    m_charts.step.setPins(outlines);
    std::optional<ui::PinnedEstimate> against;
    for (const ui::PinnedEstimate& pin : pins) {
        if (pin.slot == m_actions.difference()) against = pin;
    }
    m_charts.difference.setPin(std::move(against));
}

} // namespace cardfit::app
