// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "app/document/pins.h"
#include "app/menus/pin_actions.h"

namespace cardfit::ui {
class MemoryBars;
class MemoryDifference;
class StepBar;
} // namespace cardfit::ui

namespace cardfit::app {

/// Lays pins over the charts: outlines, and the bars' difference to one of them. Works as pins change, never as the
/// plan does.
class PinnedCharts : public QObject {
    Q_OBJECT

public:
    struct Charts {
        ui::MemoryBars& bars;
        ui::MemoryDifference& difference;
        ui::StepBar& step;
    };

    PinnedCharts(Pins& pins, PinActions& actions, const Charts& charts, QObject* parent = nullptr);

    /// Whether the difference is to stand where the bars do.
    [[nodiscard]] bool showsDifference() const { return m_actions.difference().has_value(); }

signals:
    void barsSwitched();

private:
    void update();

    Pins& m_pins;
    PinActions& m_actions;
    Charts m_charts;
};

} // namespace cardfit::app
