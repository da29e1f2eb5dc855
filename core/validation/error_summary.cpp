// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/error_summary.h"

#include <algorithm>
#include <cmath>

namespace cardfit {

ErrorSummary summarizeErrors(std::vector<double> errors, double close_error)
{
    if (errors.empty()) return {};
    for (double& error : errors)
        error = std::abs(error);
    std::ranges::sort(errors);
    const std::size_t middle = errors.size() / 2;
    const double median = errors.size() % 2 == 1 ? errors[middle] : 0.5 * (errors[middle - 1] + errors[middle]);
    const auto close = std::ranges::count_if(errors, [&](double error) { return error <= close_error; });
    return {static_cast<std::int64_t>(errors.size()), median, errors.back(), close};
}

} // namespace cardfit
