// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/legal_points.h"

#include <algorithm>

namespace cardfit {

namespace {

/// Most answers remembered per group; larger groups are evaluated every time.
constexpr std::uint64_t kMostRemembered = std::uint64_t{1} << 22;

} // namespace

LegalPoints::LegalPoints(const SearchSpace& space)
    : m_space(space)
    , m_point(space)
{
    const auto& axes = space.axes;
    m_branch_axes = axes.size();
    if (!axes.empty() && axes.back().kind == AxisKind::Recompute) --m_branch_axes;
    m_below.assign(axes.size() + 1, 1);
    for (std::size_t i = axes.size(); i-- > 0;)
        m_below[i] = m_below[i + 1] * axes[i].values.size();
    m_leaves = m_below[m_branch_axes];
    m_branches = m_below[0] / m_leaves;

    std::size_t decided = 0;
    for (std::size_t g = 0; g < kRuleGroupCount; ++g) {
        Group& group = m_groups[g];
        group.rules = static_cast<RuleGroup>(g);
        if (group.rules == RuleGroup::Ranges) {
            findRanges();
        } else {
            for (std::size_t i = 0; i < axes.size(); ++i) {
                if (axes[i].values.size() > 1 && mayRead(group.rules, axes[i].kind, space)) readAxis(group, i);
            }
        }
        if (!group.axes.empty()) decided = std::max(decided, group.axes.back().axis + 1);
        group.decided = decided;
        std::uint64_t answers = 1;
        for (const ReadAxis& read : group.axes)
            answers = std::min(kMostRemembered + 1, answers * read.count);
        if (answers <= kMostRemembered) group.known.assign(static_cast<std::size_t>(answers), 0);
    }
    findAlikeLeaves();
}

void LegalPoints::readAxis(Group& group, std::size_t axis) const
{
    ReadAxis read{axis, toldApart(group.rules, m_space.axes[axis])};
    read.count = std::ranges::max(read.told_apart) + 1;
    group.axes.push_back(std::move(read));
}

/// Every field has its own range: finds the axes that have a value which changes the answer of the range rules.
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
        if (matters) readAxis(m_groups[0], i);
    }
}

void LegalPoints::findAlikeLeaves()
{
    std::map<std::vector<std::size_t>, Leaves> alike;
    for (std::uint64_t leaf = 0; leaf < m_leaves; ++leaf) {
        std::vector<std::size_t> told;
        for (const Group& group : m_groups) {
            if (!group.axes.empty() && group.axes.back().axis >= m_branch_axes)
                told.push_back(group.axes.back().told_apart[static_cast<std::size_t>(leaf)]);
        }
        alike[told].push_back(leaf);
    }
    for (auto& [told, leaves] : alike)
        m_alike_leaves.push_back(std::move(leaves));
    std::ranges::sort(m_alike_leaves); // so that examples are the first points
}

/// The group's answer at the current point, coded as in Group::known.
std::int16_t LegalPoints::ask(Group& group)
{
    std::size_t index = 0;
    if (!group.known.empty()) {
        for (const ReadAxis& read : group.axes)
            index = index * read.count + read.told_apart[m_point.at(read.axis)];
        if (group.known[index] != 0) return group.known[index];
    }
    ++m_asked;
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

std::int16_t LegalPoints::askUntil(std::size_t axes, std::size_t& group)
{
    for (; group < kRuleGroupCount && m_groups[group].decided <= axes; ++group) {
        if (const std::int16_t answer = ask(m_groups[group]); answer != 1) return answer;
    }
    return 1;
}

void LegalPoints::count(std::int16_t answer, std::uint64_t points, std::uint64_t first)
{
    const std::string& rule = m_ids[static_cast<std::size_t>(answer - 2)];
    m_rules[rule] += points;
    m_examples.try_emplace(rule, first);
}

bool LegalPoints::step(std::size_t axis, std::uint64_t number, std::size_t group)
{
    constexpr std::uint64_t kStepsPerLook = 1024;
    if (++m_steps % kStepsPerLook == 0 && m_stop.stop_requested()) return false;
    if (const std::int16_t answer = askUntil(axis, group); answer != 1) {
        count(answer, m_below[axis], number * m_below[axis]);
        return true;
    }
    if (axis == m_branch_axes) {
        visitBranch(number, group);
        return true;
    }
    for (std::size_t value = 0; value < m_space.axes[axis].values.size(); ++value) {
        m_point.set(axis, value);
        if (!step(axis + 1, number * m_space.axes[axis].values.size() + value, group)) return false;
    }
    return true;
}

/// `group`: the first group not yet evaluated, from which on groups read the recomputation.
void LegalPoints::visitBranch(std::uint64_t branch, std::size_t group)
{
    Leaves kept;
    for (const Leaves& alike : m_alike_leaves) {
        if (m_branch_axes < m_space.axes.size()) m_point.set(m_branch_axes, static_cast<std::size_t>(alike.front()));
        std::size_t from = group;
        if (const std::int16_t answer = askUntil(m_space.axes.size(), from); answer != 1)
            count(answer, alike.size(), branch * m_leaves + alike.front());
        else
            kept.insert(kept.end(), alike.begin(), alike.end());
    }
    if (kept.empty()) return;
    std::ranges::sort(kept);
    (*m_visit)(branch, *m_leaf_sets.insert(std::move(kept)).first);
}

bool LegalPoints::walk(const Visit& visit, std::stop_token stop)
{
    m_rules.clear();
    m_examples.clear();
    m_visit = &visit;
    m_stop = std::move(stop);
    return step(0, 0, 0);
}

} // namespace cardfit
