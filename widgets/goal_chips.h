// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>

#include <QWidget>

#include "core/accuracy/memory_margin.h"
#include "core/estimate/estimate.h"

class QAbstractButton;

namespace cardfit::ui {

/// What the user wants of every plan.
struct Goals {
    double days = 0.0; ///< a deadline; 0: none, and so below
    double cost_usd = 0.0;
    double free_percent = memoryMargin(); ///< of the fullest card

    bool operator==(const Goals&) const = default;
};

/// The goals: a chip each says by colour, symbol and words whether the plan keeps it; a click asks for another one.
class GoalChips : public QWidget {
    Q_OBJECT

public:
    enum Goal { Deadline, Budget, Margin };
    static constexpr int kCount = 3;

    explicit GoalChips(QWidget* parent = nullptr);

    void setEstimate(std::shared_ptr<const Estimate> estimate);
    [[nodiscard]] const Goals& goals() const { return m_goals; }
    void setGoals(const Goals& goals);
    [[nodiscard]] QAbstractButton* chip(Goal goal) const;

signals:
    /// The user has set one.
    void goalsChosen(const cardfit::ui::Goals& goals);

private:
    void ask(Goal goal);
    void refresh();

    class Chip;
    std::shared_ptr<const Estimate> m_estimate; ///< null before the first
    std::array<Chip*, kCount> m_chips{};
    Goals m_goals;
};

} // namespace cardfit::ui
