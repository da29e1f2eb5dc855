// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/search/space.h"

namespace cardfit {

/// Finds the points of a space that break no rule, branch by branch. A branch is a set of points that differ only in
/// recomputation, which few rules read. point = branch x leaves + leaf.
class LegalPoints {
public:
    /// Requires a space that outlives this.
    explicit LegalPoints(const SearchSpace& space);

    [[nodiscard]] std::uint64_t branches() const { return m_branches; }
    [[nodiscard]] std::uint64_t leaves() const { return m_leaves; }

    /// Leaves of one branch that break no rule, ascending.
    using Leaves = std::vector<std::uint64_t>;
    /// The reference to `leaves` stays valid as long as this object: branches share few different sets.
    using Visit = std::function<void(std::uint64_t branch, const Leaves& leaves)>;

    /// Calls `visit` in order for every branch that has legal leaves, and counts all other points by the first error of
    /// check(). Evaluates a group of rules once for all points that are alike in what the group reads. False if
    /// stopped; the counts then cover only a part of the space.
    bool walk(const Visit& visit, std::stop_token stop);

    /// How often walk() evaluated a group of rules instead of reusing an answer.
    [[nodiscard]] std::uint64_t asked() const { return m_asked; }

    /// Counts by rule, after walk().
    [[nodiscard]] const std::map<std::string, std::uint64_t>& rules() const { return m_rules; }
    /// The first point that breaks each of them.
    [[nodiscard]] const std::map<std::string, std::uint64_t>& examples() const { return m_examples; }

private:
    struct ReadAxis {
        std::size_t axis = 0;
        std::vector<std::size_t> told_apart; ///< see toldApart()
        std::size_t count = 0; ///< of them
    };
    struct Group {
        RuleGroup rules{};
        std::vector<ReadAxis> axes; ///< those that the group reads
        std::size_t decided = 0; ///< axes that must be set before this and all earlier groups can be evaluated
        std::vector<std::int16_t> known; ///< by the values of `axes`: 0 not asked, 1 kept, else 2 + index into m_ids
    };

    void readAxis(Group& group, std::size_t axis) const;
    void findRanges();
    void findAlikeLeaves();
    [[nodiscard]] std::int16_t ask(Group& group);
    /// The first answer other than 1 among the groups from `group` on that can be evaluated once `axes` axes are set.
    [[nodiscard]] std::int16_t askUntil(std::size_t axes, std::size_t& group);
    void count(std::int16_t answer, std::uint64_t points, std::uint64_t first);
    bool step(std::size_t axis, std::uint64_t number, std::size_t group);
    void visitBranch(std::uint64_t branch, std::size_t group);

    const SearchSpace& m_space;
    SpacePoint m_point;
    std::size_t m_branch_axes = 0;
    std::uint64_t m_branches = 1;
    std::uint64_t m_leaves = 1;
    std::array<Group, kRuleGroupCount> m_groups;
    std::vector<std::uint64_t> m_below; ///< number of points for each choice of the first n axes
    std::vector<Leaves> m_alike_leaves; ///< sets of leaves that no rule tells apart
    std::set<Leaves> m_leaf_sets; ///< sets of leaves handed to `visit`
    std::vector<std::string> m_ids;
    std::map<std::string, std::uint64_t> m_rules;
    std::map<std::string, std::uint64_t> m_examples;
    std::uint64_t m_steps = 0;
    std::uint64_t m_asked = 0;
    const Visit* m_visit = nullptr;
    std::stop_token m_stop;
};

} // namespace cardfit
