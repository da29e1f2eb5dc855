// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "core/search/space.h"

namespace cardfit {

/// The points of a space that break no rule, found by branches: points that differ in their recomputation only, which
/// no rule reads but those of overlapped experts (a branch is a single point then). point = branch x leaves + leaf.
class LegalPoints {
public:
    /// Requires a space that outlives this.
    explicit LegalPoints(const SearchSpace& space);

    [[nodiscard]] std::uint64_t branches() const { return m_branches; }
    [[nodiscard]] std::uint64_t leaves() const { return m_leaves; }

    /// Calls `visit(branch)` for every branch that breaks no rule, in their order, and counts the points of the others
    /// by the first error of check(). A group of rules is asked once for all points that are alike in what the
    /// group reads. False if it was stopped: then the counts are those of a part of the space.
    bool walk(const std::function<void(std::uint64_t branch)>& visit, std::stop_token stop);

    /// By rule, after walk().
    [[nodiscard]] const std::map<std::string, std::uint64_t>& rules() const { return m_rules; }
    /// The first point that breaks each of them.
    [[nodiscard]] const std::map<std::string, std::uint64_t>& examples() const { return m_examples; }

private:
    struct Group {
        RuleGroup rules{};
        std::vector<std::size_t> axes; ///< that it reads
        std::size_t decided = 0; ///< axes that have to be set before it and all groups before it are asked
        std::vector<std::int16_t> known; ///< by the values of `axes`: 0 not asked, 1 kept, else 2 + index into m_ids
    };

    void findRanges();
    [[nodiscard]] std::int16_t ask(Group& group);
    bool step(std::size_t axis, std::uint64_t number, std::size_t group);

    const SearchSpace& m_space;
    SpacePoint m_point;
    std::size_t m_branch_axes = 0;
    std::uint64_t m_branches = 1;
    std::uint64_t m_leaves = 1;
    std::array<Group, kRuleGroupCount> m_groups;
    std::vector<std::uint64_t> m_below; ///< points below a choice of the first n axes
    std::vector<std::string> m_ids;
    std::map<std::string, std::uint64_t> m_rules;
    std::map<std::string, std::uint64_t> m_examples;
    std::uint64_t m_steps = 0;
    const std::function<void(std::uint64_t)>* m_visit = nullptr;
    std::stop_token m_stop;
};

} // namespace cardfit
