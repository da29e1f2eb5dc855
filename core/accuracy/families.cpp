// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/families.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/accuracy/error_summary.h"
#include "core/accuracy/plan_order.h"

namespace cardfit {

namespace {

using Runs = std::vector<const TimeComparison*>;

/// What is counted of families before medians are taken.
struct Counts {
    std::int64_t runs = 0, pairs = 0, right = 0;
    std::vector<double> ratios, levels;

    void add(const Runs& family)
    {
        for (auto a = family.begin(); a != family.end(); ++a) {
            ++runs;
            levels.push_back(*(*a)->error());
            for (auto b = a + 1; b != family.end(); ++b)
                addPair(**a, **b);
        }
    }

    [[nodiscard]] FamilyOrder order(std::string group, std::string axis) const
    {
        return {std::move(group), std::move(axis), runs, pairs, right, median(ratios), median(levels)};
    }

private:
    void addPair(const TimeComparison& a, const TimeComparison& b)
    {
        const double measured = a.measured.tokens_per_second_per_card / b.measured.tokens_per_second_per_card;
        const double predicted = *a.predicted / *b.predicted;
        // As far off whichever of the two comes first.
        ratios.push_back(std::exp(std::abs(std::log(predicted / measured))) - 1.0);
        if (std::max(measured, 1.0 / measured) - 1.0 <= kTellApart) return;
        ++pairs;
        if ((measured > 1.0) == (predicted > 1.0) && predicted != 1.0) ++right;
    }
};

} // namespace

std::vector<FamilyOrder> familyOrders(std::span<const TimeComparison> comparisons)
{
    std::vector<std::pair<std::string, Runs>> families;
    for (const TimeComparison& one : comparisons) {
        if (!one.predicted) continue;
        const auto found = std::ranges::find(families, one.measured.group, &std::pair<std::string, Runs>::first);
        if (found == families.end())
            families.emplace_back(one.measured.group, Runs{&one});
        else
            found->second.push_back(&one);
    }
    std::vector<FamilyOrder> orders;
    std::vector<std::pair<std::string, Counts>> axes;
    Counts all;
    for (const auto& [group, runs] : families) {
        const std::string& axis = runs.front()->measured.axis;
        Counts counts;
        counts.add(runs);
        orders.push_back(counts.order(group, axis));
        all.add(runs);
        const auto found = std::ranges::find(axes, axis, &std::pair<std::string, Counts>::first);
        Counts& of_axis = found == axes.end() ? axes.emplace_back(axis, Counts{}).second : found->second;
        of_axis.add(runs);
    }
    for (const auto& [axis, counts] : axes)
        orders.push_back(counts.order({}, axis));
    if (!families.empty()) orders.push_back(all.order({}, {}));
    return orders;
}

} // namespace cardfit
