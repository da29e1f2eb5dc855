// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/accuracy/measured_runs.h"
#include "core/base/constants.h"

/// What published runs say about constants of the time model.
namespace cardfit {

/// Median of the magnitudes of the errors of each source's step times. A source counts once, however many runs it has.
using SourceErrors = std::map<std::string, double, std::less<>>;
[[nodiscard]] double meanOf(const SourceErrors& errors);

/// What the runs would have one constant be, the others as they ship.
struct ConstantFit {
    Constant constant{};
    double value = 0.0; ///< with the least mean over sources of the median error, to three digits
    bool at_bound = false; ///< half or twice of what ships, beyond which none is tried
    SourceErrors errors; ///< with that value
    double growth = 0.0; ///< of the mean, where the constant is a tenth off from what ships, to the better side
    std::int64_t cases = 0; ///< that depend on it
    std::int64_t sources = 0;

    /// Whether a value would be fitted to more than one source.
    [[nodiscard]] bool told() const { return sources > 1; }
};

struct ConstantFits {
    SourceErrors shipped;
    std::vector<ConstantFit> fits;
    SourceErrors together; ///< with all values at once that more than one source bears on
};

/// Fits every constant with ConstantRow::asked, one at a time: nine values between half and twice of what ships, then
/// by golden section around the best of them; of values that are equally good the nearest to what ships. Runs of models
/// with recurrent layers are left out: nothing is fitted to them (tests/validation/README.md). Some 20 estimates of
/// every run for each constant, on all cores.
[[nodiscard]] ConstantFits fitConstants(std::span<const MeasuredTime> cases);
/// The same of these constants.
[[nodiscard]] ConstantFits fitConstants(std::span<const MeasuredTime> cases, std::span<const Constant> asked);

} // namespace cardfit
