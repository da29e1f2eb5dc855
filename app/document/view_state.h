// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QObject>
#include <QString>

#include "core/report/reports.h"
#include "widgets/chart/pins.h"
#include "widgets/goal_chips.h"
#include "widgets/text/utilization_text.h"

namespace cardfit::app {

/// What the window is used for; the mode bar leads from one to the other.
enum class Room {
    Plan, ///< rails, charts and panels of one plan
    Find, ///< the search
    Compare, ///< the plan beside those that are ticked
    Machines, ///< cards, networks, clusters and models
    Learn, ///< rules of thumb on the plan's numbers
};

/// What the middle of the Plan room shows.
enum class CentreView {
    Peaks, ///< each card's peak memory above the pipeline
    OverTime, ///< memory over time above the pipeline
    Schedules, ///< pipelines under several schedules
};

/// How a window shows its plan. Panels, charts and menus set it and connect to its signals themselves. The plan and its
/// figures, including the last ones of a plan without any, are in PlanDocument. A signal means that something changed.
class ViewState : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] ByteUnit unit() const { return m_unit; }
    void setUnit(ByteUnit unit) { set(m_unit, unit, &ViewState::unitChanged); }

    /// The convention by which utilisation is stated.
    [[nodiscard]] const ui::UtilizationChoice& utilization() const { return m_utilization; }
    void setUtilization(const ui::UtilizationChoice& choice)
    {
        set(m_utilization, choice, &ViewState::utilizationChanged);
    }

    [[nodiscard]] Room room() const { return m_room; }
    void setRoom(Room room) { set(m_room, room, &ViewState::roomChanged); }

    [[nodiscard]] CentreView centre() const { return m_centre; }
    void setCentre(CentreView centre) { set(m_centre, centre, &ViewState::centreChanged); }
    /// Whether the peaks stay visible above the memory over time.
    [[nodiscard]] bool keepsPeaks() const { return m_keeps_peaks; }
    void setKeepsPeaks(bool keeps) { set(m_keeps_peaks, keeps, &ViewState::centreChanged); }

    /// What every plan is judged by, and what a search keeps.
    [[nodiscard]] const ui::Goals& goals() const { return m_goals; }
    void setGoals(const ui::Goals& goals) { set(m_goals, goals, &ViewState::goalsChanged); }

    /// The time cursor, in seconds from the start of the step.
    [[nodiscard]] std::optional<double> cursor() const { return m_cursor; }
    void setCursor(std::optional<double> seconds) { set(m_cursor, seconds, &ViewState::cursorChanged); }

    /// The stage under the pointer in a chart; -1 for none.
    [[nodiscard]] int hoveredStage() const { return m_hovered_stage; }
    void setHoveredStage(int stage) { set(m_hovered_stage, stage, &ViewState::stageHovered); }

    /// Whether ticked plans are outlined in the charts.
    [[nodiscard]] bool outlinesPins() const { return m_outlines_pins; }
    void setOutlinesPins(bool outlines) { set(m_outlines_pins, outlines, &ViewState::pinsShownChanged); }
    /// The letter (0 for A) of the plan to which the bars show the difference; nullopt while they show memory.
    [[nodiscard]] std::optional<int> difference() const { return m_difference; }
    void setDifference(std::optional<int> slot) { set(m_difference, slot, &ViewState::pinsShownChanged); }

    /// The search result that the user is looking at, outlined in the charts like a pin.
    [[nodiscard]] const std::optional<ui::PinnedEstimate>& preview() const { return m_preview; }
    void setPreview(const std::optional<ui::PinnedEstimate>& preview)
    {
        set(m_preview, preview, &ViewState::pinsShownChanged);
    }

    /// Asks for an explanation of a figure, named as in core/explain: "stage0.activations".
    void explain(const QString& figure) { emit explanationAsked(figure); }

signals:
    void unitChanged();
    void utilizationChanged();
    void roomChanged();
    void goalsChanged();
    void centreChanged();
    void cursorChanged();
    void stageHovered(int stage);
    void pinsShownChanged();
    void explanationAsked(const QString& figure);

private:
    template <class Value, class... Arguments>
    void set(Value& member, const Value& value, void (ViewState::*changed)(Arguments...))
    {
        if (value == member) return;
        member = value;
        if constexpr (sizeof...(Arguments) == 0)
            emit(this->*changed)();
        else
            emit(this->*changed)(value);
    }

    ByteUnit m_unit = ByteUnit::GB;
    ui::UtilizationChoice m_utilization;
    Room m_room = Room::Plan;
    ui::Goals m_goals;
    CentreView m_centre = CentreView::Peaks;
    bool m_keeps_peaks = false;
    std::optional<double> m_cursor;
    int m_hovered_stage = -1;
    bool m_outlines_pins = true;
    std::optional<ui::PinnedEstimate> m_preview;
    std::optional<int> m_difference;
};

} // namespace cardfit::app
