// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run_comparison.h"

#include <utility>

#include "core/time/calibration.h"

namespace cardfit {

Result<Measurement> withSpeed(Measurement measured, const Plan& plan, const MeasuredFigure& figure)
{
    const auto speed = measuredSpeed(plan, tokenWorks(plan), figure, 0.0);
    if (!speed) return tl::unexpected<Error>(speed.error());
    measured.step.reset();
    measured.tokens_per_second_per_card.reset();
    if (figure.quantity == MeasuredQuantity::StepSeconds)
        measured.step = speed->step;
    else
        measured.tokens_per_second_per_card = speed->tokens_per_second_per_card;
    return measured;
}

Result<RunComparison> compareWithRun(Plan plan, const Measurement& measured, std::optional<double> published)
{
    RunComparison comparison;
    plan.calibration.reset();
    comparison.predicted = estimate(plan);
    const auto calibration = calibrate(plan, measured);
    if (!calibration) return tl::unexpected<Error>(calibration.error());
    if (const auto step = measuredStep(plan, measured)) {
        auto speed = measuredSpeed(plan, tokenWorks(plan),
            {MeasuredQuantity::StepSeconds, step->value(), WorkDefinition::Causal, published},
            comparison.predicted.step.tokens_per_second_per_card);
        if (!speed) return tl::unexpected<Error>(speed.error());
        comparison.speed = *std::move(speed);
    }
    plan.calibration = *calibration;
    comparison.calibrated = estimate(plan);
    comparison.plan = std::move(plan);
    return comparison;
}

} // namespace cardfit
