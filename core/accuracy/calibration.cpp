// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/calibration.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "core/plan/field_rows.h"

namespace cardfit {

namespace {

constexpr double kStepTolerance = 1e-6;

Estimate estimateWith(Plan plan, const Calibration& calibration)
{
    plan.calibration = calibration;
    return estimate(plan);
}

tl::unexpected<Error> refuse(std::string_view key, Sentence message)
{
    return fail(ErrorCode::OutOfRange, fmt::format("/calibration/{}", key), std::move(message));
}

/// The argument at which a growing function reaches `target`, which lies between its values at `low` and `high`. False
/// position with the Illinois rule (halve the weight of an end that stays), as steps are nearly linear in either
/// factor.
double reach(double target, double low, double high, const std::function<double(double)>& value)
{
    double below = value(low) - target;
    double above = value(high) - target;
    double best = low;
    int stays = 0;
    constexpr int kMostSteps = 100;
    for (int i = 0; i < kMostSteps && above > below; ++i) {
        best = low + (high - low) * (-below / (above - below));
        const double off = value(best) - target;
        if (std::abs(off) <= kStepTolerance * target) break;
        if (off < 0.0) {
            low = best;
            below = off;
            if (stays == -1) above *= 0.5;
            stays = -1;
        } else {
            high = best;
            above = off;
            if (stays == 1) below *= 0.5;
            stays = 1;
        }
    }
    return best;
}

Result<void> explainStep(const Plan& plan, Seconds measured, Calibration& calibration)
{
    const double target = measured.value();
    const auto stepAt = [&](double compute, double communication) {
        Calibration trial = calibration;
        trial.compute_factor = compute;
        trial.communication_factor = communication;
        return estimateWith(plan, trial).step.seconds.value();
    };
    const bool faster = target < stepAt(1.0, 1.0);
    const double compute = faster ? kLeastComputeFactor : kMostComputeFactor;
    const double communication = faster ? kLeastCommunicationFactor : kMostCommunicationFactor;
    const auto beyond = [&](double step) { return faster ? target < step : target > step; };
    if (!beyond(stepAt(compute, 1.0))) {
        calibration.compute_factor =
            reach(target, kLeastComputeFactor, kMostComputeFactor, [&](double factor) { return stepAt(factor, 1.0); });
        return {};
    }
    calibration.compute_factor = compute;
    if (const double farthest = stepAt(compute, communication); beyond(farthest)) {
        return refuse(calibration.measured.step ? "step_seconds" : "tokens_per_second_per_card",
            faster ? Sentence::tr(
                "a step of {} s does not fit this plan: with kernels twice and communication ten times as fast as "
                "predicted it takes {} s; was another run measured?",
                {fmt::format("{:.4g}", target), fmt::format("{:.4g}", farthest)})
                   : Sentence::tr(
                       "a step of {} s does not fit this plan: with kernels half and communication a tenth as fast as "
                       "predicted it takes {} s; was another run measured?",
                       {fmt::format("{:.4g}", target), fmt::format("{:.4g}", farthest)}));
    }
    calibration.communication_factor = reach(target, kLeastCommunicationFactor, kMostCommunicationFactor,
        [&](double factor) { return stepAt(compute, factor); });
    return {};
}

/// Whether so many bytes can be those of the plan, whose parts are well known: not a tenth of what they add up to.
Result<void> fitsPlan(Bytes measured, Bytes predicted)
{
    if (measured >= Bytes(predicted.value() / 10)) return {};
    return refuse("allocated_bytes",
        Sentence::tr("{} bytes do not fit this plan, which holds {}; was another run measured?",
            {measured.value(), predicted.value()}));
}

bool positive(double number) { return std::isfinite(number) && number > 0.0; }

} // namespace

std::optional<Seconds> measuredStep(const Plan& plan, const Measurement& measured)
{
    if (measured.step) return measured.step;
    if (!measured.tokens_per_second_per_card) return std::nullopt;
    // Counted as in stepEstimate(): whole micro-batches, and the cards that the degrees use.
    const double tokens_per_card = static_cast<double>(microBatches(plan))
        * static_cast<double>(plan.workload.micro_batch_size * plan.workload.sequence_length)
        / static_cast<double>(plan.parallelism.tensor * plan.parallelism.pipeline * plan.parallelism.context);
    return Seconds(tokens_per_card / *measured.tokens_per_second_per_card);
}

Result<Calibration> calibrate(const Plan& plan, const Measurement& measured)
{
    if (measured.step && measured.tokens_per_second_per_card) {
        return refuse("step_seconds", Sentence::tr("expected a step time or a throughput, found both"));
    }
    if (measured.step && !positive(measured.step->value())) {
        return refuse("step_seconds",
            Sentence::tr("expected a time above 0, found {}", {fmt::format("{}", measured.step->value())}));
    }
    if (const auto& rate = measured.tokens_per_second_per_card; rate && !positive(*rate)) {
        return refuse("tokens_per_second_per_card",
            Sentence::tr("expected a number above 0, found {}", {fmt::format("{}", *rate)}));
    }
    if (measured.allocated && *measured.allocated <= Bytes(0)) {
        return refuse(
            "allocated_bytes", Sentence::tr("expected bytes above 0, found {}", {measured.allocated->value()}));
    }
    constexpr auto kMostBytes = static_cast<std::int64_t>(fields::kAnyBytes.most); // that a plan file holds
    if (measured.allocated && *measured.allocated > Bytes(kMostBytes)) {
        return refuse("allocated_bytes",
            Sentence::tr("expected at most {} bytes, found {}", {kMostBytes, measured.allocated->value()}));
    }
    const auto step = measuredStep(plan, measured);
    if (!step && !measured.allocated) {
        return fail(ErrorCode::MissingKey, "/calibration",
            Sentence::tr("expected a measured step time, throughput or allocated memory, found none of them"));
    }
    Calibration calibration;
    calibration.measured = measured;
    const Estimate predicted = estimateWith(plan, calibration);
    if (!predicted.complete()) {
        return fail(ErrorCode::OutOfRange, {},
            Sentence::tr("the plan cannot be compared with a measurement: a broken rule prevents its estimate"));
    }
    const auto stages = static_cast<std::int64_t>(predicted.stages.size());
    if (measured.allocated && (measured.stage < 0 || measured.stage >= stages)) {
        return refuse("stage", Sentence::tr("expected a stage from 0 to {}, found {}", {stages - 1, measured.stage}));
    }
    if (step) {
        if (auto explained = explainStep(plan, *step, calibration); !explained)
            return tl::unexpected(explained.error());
    }
    if (measured.allocated) {
        const Estimate timed = estimateWith(plan, calibration);
        const Bytes held = timed.stages[static_cast<std::size_t>(measured.stage)].allocated();
        if (auto fits = fitsPlan(*measured.allocated, held); !fits) return tl::unexpected(std::move(fits.error()));
        calibration.residual = *measured.allocated - held;
    }
    return calibration;
}

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

Result<RunComparison> compareWithTrace(const Plan& plan, const Timeline& trace, std::string source)
{
    Plan bare = plan;
    bare.calibration.reset();
    const Estimate predicted = estimate(bare);
    if (predicted.complete()) {
        std::int64_t passes = 0;
        for (const TimedOperation& timed : trace.ranks.front())
            passes = std::max<std::int64_t>(passes, timed.operation.microbatch + std::int64_t{1});
        const auto ranks = predicted.timeline->ranks.size();
        if (trace.ranks.size() != ranks || passes != predicted.pipeline.micro_batches) {
            return fail(ErrorCode::OutOfRange, {},
                Sentence::tr("the run has {} ranks and {} micro-batches, the plan {} and {}",
                    {trace.ranks.size(), passes, ranks, predicted.pipeline.micro_batches}));
        }
    }
    Measurement measured = plan.calibration ? plan.calibration->measured : Measurement();
    measured.tokens_per_second_per_card.reset();
    measured.source = std::move(source);
    const auto besides = [](const Estimate& estimate) {
        return estimate.complete() ? estimate.step.seconds - Seconds(estimate.timeline->makespan) : Seconds();
    };
    Seconds rest = besides(predicted);
    // The factors that follow from the step change what it has besides its passes, which is little.
    constexpr int kMostRounds = 20;
    for (int round = 0;; ++round) {
        measured.step = Seconds(trace.makespan) + rest;
        auto comparison = compareWithRun(bare, measured);
        if (!comparison) return comparison;
        const Seconds after = besides(comparison->calibrated);
        const bool settled = std::abs((after - rest).value()) <= kStepTolerance * trace.makespan;
        if (settled || round == kMostRounds) return comparison;
        rest = after;
    }
}

} // namespace cardfit
