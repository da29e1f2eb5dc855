// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/goodput.h"

#include <algorithm>
#include <cmath>

#include "core/memory/states.h"
#include "core/plan/stages.h"
#include "core/plan/tables.h"
#include "core/time/utilization.h"

namespace cardfit {

namespace {

constexpr double kHourSeconds = 3600.0;

} // namespace

Bytes checkpointBytes(const Plan& plan)
{
    if (plan.workload.task == Task::Inference) return {};
    // The whole model on one card: every parameter once.
    Plan whole = plan;
    whole.parallelism = {};
    const StageParameters held = stageParameters(
        whole, operatorTables(whole), stagesWith(whole, {whole.model.architecture.num_hidden_layers}).front());
    const StateLayout layout = checkpointLayout(plan);
    constexpr double kAdapterWeight = 2.0;
    if (trainsAdapters(plan)) return roundToBytes((kAdapterWeight + adapterStateBytes(plan, layout)) * held.adapter);
    double bytes = 0.0;
    for (const ParameterSet& set : {held.dense, held.expert}) {
        bytes += (layout.weights + layout.master) * set.all;
        bytes += layout.factored ? layout.moments * set.factors
                                 : layout.moments * set.matrices + layout.moments_of_rest * (set.all - set.matrices);
    }
    return roundToBytes(bytes);
}

Seconds timeBetweenStops(double stops_per_card_hour, std::int64_t cards)
{
    return Seconds(kHourSeconds / (stops_per_card_hour * static_cast<double>(cards)));
}

Seconds youngInterval(Seconds write, Seconds between)
{
    return Seconds(std::sqrt(2.0 * write.value() * between.value()));
}

Seconds dalyInterval(Seconds write, Seconds between)
{
    const double half = write.value() / (2.0 * between.value());
    if (half >= 1.0) return between;
    return Seconds(youngInterval(write, between).value() * (1.0 + std::sqrt(half) / 3.0 + half / 9.0) - write.value());
}

double trainingShare(Seconds interval, Seconds write, Seconds restart, Seconds between)
{
    const double mean = between.value();
    // expm1 stays accurate when the interval is tiny against the time between stops (a second against a year).
    return interval.value() / (mean * std::exp(restart.value() / mean) * std::expm1((interval + write).value() / mean));
}

Seconds meanRestart(const Reliability& known, Seconds between)
{
    const Seconds restart = known.restart.value_or(Seconds(0.0));
    if (!known.repair_hours) return restart;
    const double repair = *known.repair_hours * kHourSeconds;
    const double mean = repair / between.value();
    double exactly = std::exp(-mean); // probability that exactly `count` machines are under repair
    double fewer = 0.0;
    for (std::int64_t count = 0; count < known.spares; ++count) {
        fewer += exactly;
        exactly *= mean / static_cast<double>(count + 1);
    }
    return restart + Seconds((1.0 - fewer) * repair / static_cast<double>(known.spares + 1));
}

std::optional<Goodput> goodput(const Plan& plan, const Reliability& known)
{
    Goodput made;
    made.checkpoint = checkpointBytes(plan);
    if (made.checkpoint <= Bytes(0) || !known.write_bandwidth || !known.restart || !known.stops_per_card_hour)
        return std::nullopt;
    made.write = Seconds(static_cast<double>(made.checkpoint.value()) / *known.write_bandwidth);
    made.between = timeBetweenStops(*known.stops_per_card_hour, cardsUsed(plan));
    made.restart = meanRestart(known, made.between);
    made.young = youngInterval(made.write, made.between);
    made.daly = dalyInterval(made.write, made.between);
    made.share = trainingShare(made.daly, made.write, made.restart, made.between);
    return made;
}

double expectedStops(double stops_per_card_hour, double days, std::int64_t cards, double share)
{
    return stops_per_card_hour * 24.0 * days / share * static_cast<double>(cards);
}

std::optional<Seconds> slowestWrite(double share, Seconds restart, Seconds between)
{
    const auto shareAt = [&](double write) {
        return trainingShare(dalyInterval(Seconds(write), between), Seconds(write), restart, between);
    };
    // Nearly instant checkpoints: the best share that is possible.
    double fast = 1e-9 * between.value();
    if (shareAt(fast) < share) return std::nullopt;
    double slow = 2.0 * between.value();
    for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (fast + slow);
        (shareAt(middle) < share ? slow : fast) = middle;
    }
    return Seconds(fast);
}

} // namespace cardfit
