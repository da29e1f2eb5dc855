// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include <QWidget>

#include "app/document/plan_document.h"

class QAbstractButton;

namespace cardfit::app {

/// What the user wants of every plan: a deadline, a budget, and memory that stays free. A chip each says by colour,
/// symbol and words whether the current plan keeps it; a click sets it. Kept for the next start.
class GoalChips : public QWidget {
    Q_OBJECT

public:
    enum Goal { Deadline, Budget, Margin };
    static constexpr int kCount = 3;

    explicit GoalChips(PlanDocument& document, QWidget* parent = nullptr);

    [[nodiscard]] QAbstractButton* chip(Goal goal) const;
    /// Days, US dollars, per cent of a card; 0: no goal.
    [[nodiscard]] double goal(Goal goal) const { return m_goals[static_cast<std::size_t>(goal)]; }
    void setGoal(Goal goal, double value);

private:
    void ask(Goal goal);
    void refresh();

    class Chip;
    PlanDocument& m_document;
    std::array<Chip*, kCount> m_chips{};
    std::array<double, kCount> m_goals{};
};

} // namespace cardfit::app
