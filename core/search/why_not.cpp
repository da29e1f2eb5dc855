// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/why_not.h"

#include <algorithm>
#include <tuple>

#include "core/estimate/estimate.h"

namespace cardfit {

std::optional<Check> brokenRule(const Plan& plan)
{
    const Estimate made = estimate(plan);
    const Check* broken = firstErrorOf(made.checks);
    return broken == nullptr ? std::nullopt : std::optional(*broken);
}

std::pair<std::optional<Check>, std::uint64_t> furthestRule(const SearchSpace& space, std::uint64_t tuple)
{
    std::vector<std::size_t> others;
    SpacePoint point(space);
    for (std::size_t i = space.axes.size(); i-- > 0;) {
        const std::uint64_t size = space.axes[i].values.size();
        if (isDegree(space.axes[i].kind)) {
            point.set(i, static_cast<std::size_t>(tuple % size));
            tuple /= size;
        } else {
            point.set(i, 0);
            others.insert(others.begin(), i);
        }
    }
    std::pair<std::optional<Check>, std::uint64_t> found{std::nullopt, point.number()};
    std::size_t furthest = 0;
    const auto look = [&] {
        for (std::size_t group = 0; group < kRuleGroupCount; ++group) {
            auto broken = firstError(point.plan(), static_cast<RuleGroup>(group));
            if (!broken) continue;
            if (!found.first || group > furthest) {
                furthest = group;
                found = {std::move(broken), point.number()};
            }
            return;
        }
    };
    look();
    // Schedule and micro-batch have rules of their own.
    for (const std::size_t axis : others) {
        if (furthest < static_cast<std::size_t>(RuleGroup::Pipeline)) break;
        if (space.axes[axis].kind == AxisKind::Recompute) continue;
        for (std::size_t value = 1; value < space.axes[axis].values.size(); ++value) {
            point.set(axis, value);
            look();
        }
        point.set(axis, 0);
    }
    if (!found.first) {
        point.moveTo(found.second);
        found.first = brokenRule(point.plan());
    }
    return found;
}

SearchSpace partOf(const SearchSpace& space, const std::vector<SearchAxis>& pins)
{
    SearchSpace part = space;
    for (const SearchAxis& pin : pins)
        part.put(pin);
    return part;
}

SearchSpace only(const SearchSpace& space, const Plan& plan)
{
    SearchSpace part = space;
    part.base = plan;
    part.flags.reset();
    for (SearchAxis& axis : part.axes)
        axis.values = {pinnedValue(plan, axis.pointer)};
    return part;
}

std::optional<Standing> standingOf(
    const SearchRequest& request, const SearchResult& answer, SearchSpace part, std::stop_token stop)
{
    Standing standing;
    for (const SearchAxis& axis : part.axes) {
        if (axis.values.size() != 1) continue;
        const SearchAxis* searched = request.space.axis(axis.pointer);
        const std::string& word = axis.values.front().word;
        if (searched != nullptr
            && std::ranges::find(searched->values, word, &AxisValue::word) == searched->values.end())
            standing.outside.emplace_back(axis.pointer, word);
    }
    SearchRequest asked = request;
    asked.space = std::move(part);
    asked.top = 1;
    asked.pareto.clear();
    asked.first.clear();
    SearchResult found = findPlans(asked, {}, stop);
    standing.part = std::move(asked.space);
    if (!found.proven) return std::nullopt;
    DegreesFate& fate = standing.fate;
    if (found.top.empty()) {
        // Report the smallest miss: a limit before memory, memory before a rule.
        if (found.counts.limited > 0 || found.nearest) {
            const bool limited = found.counts.limited > 0;
            fate.kind = limited ? DegreesFate::Kind::Limited : DegreesFate::Kind::Memory;
            if (limited && found.examples.limited) {
                SpacePoint point(standing.part);
                point.moveTo(*found.examples.limited);
                standing.plan = rowOf(point.plan(), request.objective);
                fate.number = *found.examples.limited;
            } else {
                standing.plan = std::move(found.nearest);
                if (standing.plan) fate.number = standing.plan->number;
            }
        } else {
            fate.kind = DegreesFate::Kind::Rule;
            std::tie(fate.rule, fate.number) = furthestRule(standing.part, 0);
            return standing;
        }
    } else {
        standing.plan = std::move(found.top.front());
        fate.number = standing.plan->number;
        const auto same =
            std::ranges::find_if(answer.top, [&](const FoundPlan& one) { return one.plan == standing.plan->plan; });
        if (same != answer.top.end()) standing.offered = static_cast<std::size_t>(same - answer.top.begin());
        const bool best =
            answer.top.empty() || standing.offered == 0 || standing.plan->objective < answer.top.front().objective;
        fate.kind = best ? DegreesFate::Kind::Best : DegreesFate::Kind::Slower;
    }
    if (const auto& plan = standing.plan) {
        fate.over = plan->over;
        fate.stage = plan->worst_stage;
        fate.objective = plan->objective;
    }
    return standing;
}

} // namespace cardfit
