// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parallel.h"
#include "core/explain/explain.h"

namespace cardfit {

std::vector<Constant> constantsBehind(
    const Plan& plan, const Estimate& estimate, std::string_view figure, Profile profile)
{
    const auto before = figureValue(estimate, figure);
    if (!before) return {};
    constexpr double kSlightly = 1.01;
    std::array<bool, kConstantCount> moves{};
    forEachInParallel(kConstantCount, [&](std::size_t i) {
        const auto constant = static_cast<Constant>(i);
        Plan changed = plan;
        changed.constants.set(constant, kSlightly * plan.constants[constant]);
        const auto after = figureValue(estimateUnder(changed, profile), figure);
        moves[i] = !after || after->bytes != before->bytes || after->number != before->number;
    });
    std::vector<Constant> behind;
    for (const ConstantRow& row : constantRows()) {
        if (moves[static_cast<std::size_t>(row.value)]) behind.push_back(row.value);
    }
    return behind;
}

} // namespace cardfit
