// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/units.h"
#include "core/plan/plan.h"
#include "core/serving/decode_time.h"

namespace cardfit {

/// A served plan's times at one number of users.
struct ServingPoint {
    double users = 0.0; ///< at once, over all replicas
    DecodeParts parts; ///< of the time per token
    Seconds ttft_alone, ttft_burst;
    double output_tokens_per_second = 0.0;

    [[nodiscard]] Seconds tpot() const { return parts.total(); }
    bool operator==(const ServingPoint&) const = default;
};

/// How the times of a served plan grow with its users.
struct ServingCurve {
    /// In equal steps of the logarithm of users, from one for each replica to twice as many as there is room for.
    std::vector<ServingPoint> points;
    double room = 0.0; ///< users that the caches hold and the engine admits
    bool cache_binds = true; ///< false: the engine admits fewer than the caches hold
    bool prompts_known = false; ///< false: the plan gives no lengths, so no prompts are timed
    ServingLimits limits;
    ServingPoint plan; ///< at the plan's own number of users
    double error = 0.0; ///< see servingError()

    bool operator==(const ServingCurve&) const = default;
};

/// None for a plan that trains, whose estimate a check prevents, or whose server holds no sequence.
[[nodiscard]] std::optional<ServingCurve> servingCurve(const Plan& plan, std::size_t points = 40);

/// As many sequences of full length as the caches of all replicas hold and the engine admits; at least one for each,
/// also where a check prevents the estimate.
[[nodiscard]] std::int64_t servedBatch(const Plan& plan);

} // namespace cardfit
