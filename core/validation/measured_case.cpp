// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/measured_case.h"

#include <fmt/format.h>

#include "core/estimate.h"

namespace cardfit {

std::string refusalOf(const Estimate& estimate)
{
    for (const Check& check : estimate.checks) {
        if (check.prevents_estimate) return fmt::format("{}: {}", check.id, check.message.english());
    }
    return "the plan was not estimated";
}

} // namespace cardfit
