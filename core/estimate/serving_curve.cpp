// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/serving_curve.h"

#include <algorithm>
#include <cmath>

#include "core/base/count_product.h"
#include "core/estimate/server.h"
#include "core/layers/layer_split.h"
#include "core/memory/inference.h"
#include "core/rules/checks.h"

namespace cardfit {

std::optional<ServingCurve> servingCurve(const Plan& plan, std::size_t points)
{
    if (plan.workload.task != Task::Inference) return std::nullopt;
    if (std::ranges::any_of(check(plan), &Check::prevents_estimate)) return std::nullopt;
    const PlanContext context = planContext(plan);
    const ServerCapacity capacity = serverCapacity(context);
    const auto pace = serverPace(context, capacity);
    if (!pace) return std::nullopt;

    const ServerClock clock(context, pace->lengths);
    const ServingRoom room = servingRoom(context, capacity, clock);
    const auto replicas = static_cast<double>(std::max<std::int64_t>(dataParallel(plan), 1));
    const auto at = [&](double sequences) {
        const ServingPace one = clock.pace(sequences);
        return ServingPoint{sequences * replicas, one.parts, one.ttft_alone, one.ttft_burst,
            replicas * clock.throughput(sequences, 0.0)};
    };
    ServingCurve curve;
    curve.room = std::floor(room.sequences()) * replicas;
    curve.cache_binds = room.cached < room.admitted;
    curve.prompts_known = pace->lengths.known();
    curve.limits = plan.workload.limits.value_or(ServingLimits());
    curve.error = pace->error;
    curve.plan = at(std::max(pace->concurrency / replicas, 1.0));
    const double most = 2.0 * std::max(curve.room / replicas, 1.0);
    for (std::size_t i = 0; i < points; ++i)
        curve.points.push_back(at(std::pow(most, static_cast<double>(i) / static_cast<double>(points - 1))));
    return curve;
}

std::int64_t servedBatch(const Plan& plan)
{
    Plan one = plan;
    const std::int64_t replicas = std::max<std::int64_t>(dataParallel(plan), 1);
    one.workload.global_batch_size = replicas;
    if (std::ranges::any_of(check(one), &Check::prevents_estimate)) return replicas;
    const auto most = static_cast<double>(std::max<std::int64_t>(admittedSequences(one), 1));
    const double room = serverCapacity(planContext(one)).sequences;
    const auto held = static_cast<std::int64_t>(std::clamp(std::floor(room), 1.0, most));
    return countProduct({held, replicas}).value_or(replicas);
}

} // namespace cardfit
