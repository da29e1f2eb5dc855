// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>

#include <QWidget>

#include "core/estimate/estimate.h"

class QAbstractButton;

namespace cardfit::ui {

/// What the user wants of every plan: a deadline, a budget, and memory that stays free. A chip each says by colour,
/// symbol and words whether the plan keeps it; a click asks for another goal.
class GoalChips : public QWidget {
    Q_OBJECT

public:
    enum Goal { Deadline, Budget, Margin };
    Q_ENUM(Goal)
    static constexpr int kCount = 3;

    explicit GoalChips(QWidget* parent = nullptr);

    void setEstimate(std::shared_ptr<const Estimate> estimate);
    /// Days, US dollars, per cent of a card; 0: no goal.
    [[nodiscard]] double goal(Goal goal) const { return m_goals[static_cast<std::size_t>(goal)]; }
    void setGoal(Goal goal, double value);
    [[nodiscard]] QAbstractButton* chip(Goal goal) const;

signals:
    /// The user has set it.
    void goalChosen(cardfit::ui::GoalChips::Goal goal, double value);

private:
    void ask(Goal goal);
    void refresh();

    class Chip;
    std::shared_ptr<const Estimate> m_estimate; ///< null before the first
    std::array<Chip*, kCount> m_chips{};
    std::array<double, kCount> m_goals{0.0, 0.0, 5.0};
};

} // namespace cardfit::ui
