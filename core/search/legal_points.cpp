// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/legal_points.h"

#include <algorithm>

namespace cardfit {

namespace {

/// Answers of a group that are remembered at most; beyond that it is asked every time.
constexpr std::uint64_t kMostRemembered = std::uint64_t{1} << 22;

} // namespace

LegalPoints::LegalPoints(const SearchSpace& space)
    : m_space(space)
    , m_point(space)
{
    const auto& axes = space.axes;
    m_branch_axes = axes.size();
    if (!axes.empty() && axes.back().kind == AxisKind::Recompute && !mayReadRecompute(space)) --m_branch_axes;
    m_below.assign(axes.size() + 1, 1);
    for (std::size_t i = axes.size(); i-- > 0;)
        m_below[i] = m_below[i + 1] * axes[i].values.size();

    std::size_t decided = 0;
    for (std::size_t g = 0; g < kRuleGroupCount; ++g) {
        Group& group = m_groups[g];
        group.rules = static_cast<RuleGroup>(g);
        if (group.rules == RuleGroup::Ranges) {
            findRanges();
        } else {
            for (std::size_t i = 0; i < axes.size(); ++i) {
                if (axes[i].values.size() > 1 && mayRead(group.rules, axes[i].kind, space)) group.axes.push_back(i);
            }
        }
        if (!group.axes.empty()) decided = std::max(decided, group.axes.back() + 1);
        group.decided = decided;
        std::uint64_t answers = 1;
        for (const std::size_t axis : group.axes)
            answers = std::min(kMostRemembered + 1, answers * axes[axis].values.size());
        if (answers <= kMostRemembered) group.known.assign(static_cast<std::size_t>(answers), 0);
    }
    if (decided > m_branch_axes) m_branch_axes = axes.size();
    m_leaves = m_below[m_branch_axes];
    m_branches = m_below[0] / m_leaves;
}

/// Every field has a range of its own: those axes matter of which some value changes the answer.
void LegalPoints::findRanges()
{
    m_point.moveTo(0);
    const bool kept = !firstError(m_point.plan(), RuleGroup::Ranges);
    for (std::size_t i = 0; i < m_space.axes.size(); ++i) {
        bool matters = false;
        for (std::size_t value = 0; value < m_space.axes[i].values.size(); ++value) {
            m_point.set(i, value);
            matters = matters || firstError(m_point.plan(), RuleGroup::Ranges).has_value() == kept;
        }
        m_point.set(i, 0);
        if (matters) m_groups[0].axes.push_back(i);
    }
}

/// The group's answer at the present point, as in Group::known.
std::int16_t LegalPoints::ask(Group& group)
{
    std::size_t index = 0;
    if (!group.known.empty()) {
        for (const std::size_t axis : group.axes)
            index = index * m_space.axes[axis].values.size() + m_point.at(axis);
        if (group.known[index] != 0) return group.known[index];
    }
    const auto broken = firstError(m_point.plan(), group.rules);
    std::int16_t answer = 1;
    if (broken) {
        const auto found = std::ranges::find(m_ids, broken->id);
        answer = static_cast<std::int16_t>(2 + (found - m_ids.begin()));
        if (found == m_ids.end()) m_ids.push_back(broken->id);
    }
    if (!group.known.empty()) group.known[index] = answer;
    return answer;
}

bool LegalPoints::step(std::size_t axis, std::uint64_t number, std::size_t group)
{
    constexpr std::uint64_t kStepsPerLook = 1024;
    if (++m_steps % kStepsPerLook == 0 && m_stop.stop_requested()) return false;
    for (; group < kRuleGroupCount && m_groups[group].decided <= axis; ++group) {
        const std::int16_t answer = ask(m_groups[group]);
        if (answer == 1) continue;
        const std::string& rule = m_ids[static_cast<std::size_t>(answer - 2)];
        m_rules[rule] += m_below[axis];
        m_examples.try_emplace(rule, number * m_below[axis]);
        return true;
    }
    if (axis == m_branch_axes) {
        (*m_visit)(number);
        return true;
    }
    for (std::size_t value = 0; value < m_space.axes[axis].values.size(); ++value) {
        m_point.set(axis, value);
        if (!step(axis + 1, number * m_space.axes[axis].values.size() + value, group)) return false;
    }
    return true;
}

bool LegalPoints::walk(const std::function<void(std::uint64_t branch)>& visit, std::stop_token stop)
{
    m_rules.clear();
    m_examples.clear();
    m_visit = &visit;
    m_stop = std::move(stop);
    return step(0, 0, 0);
}

} // namespace cardfit
