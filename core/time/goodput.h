// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/plan/plan.h"
#include "core/units.h"

/// What failures and checkpoints leave of a run's time.
namespace cardfit {

/// 419 unplanned stops in 54 days on 16,384 H100: Llama Team 2024, "The Llama 3 Herd of Models" (arXiv:2407.21783),
/// section 3.3.4. One in 50,677 card-hours.
inline constexpr double kLlama3StopsPerCardHour = 419.0 / (54.0 * 24.0 * 16384.0);

/// How a cluster fails and recovers. What is not known stays unknown.
struct Reliability {
    std::optional<double> write_bandwidth; ///< bytes per second, of all cards together, into what survives a stop
    std::optional<Seconds> restart; ///< from a stop to the first step after it, a machine standing by
    std::optional<double> stops_per_card_hour; ///< unplanned ones
    std::optional<double> repair_hours; ///< until a failed machine is back; with it spares matter
    std::int64_t spares = 0; ///< machines that stand by

    bool operator==(const Reliability&) const = default;
};

/// Bytes of a checkpoint from which training goes on: weights, fp32 copies and optimizer states as the framework stores
/// them, of all trained parameters, each once; gradients, copies in narrower formats and frozen weights are not in it.
/// 0 for inference. BLOOM-176B: 2.3 TB (Le Scao et al. 2022, arXiv:2211.05100; bigscience/tr11-176B-logs).
[[nodiscard]] Bytes checkpointBytes(const Plan& plan);

/// Mean time between unplanned stops of so many cards.
[[nodiscard]] Seconds timeBetweenStops(double stops_per_card_hour, std::int64_t cards);

/// sqrt(2 w M): Young 1974, "A first order approximation to the optimum checkpoint interval", CACM 17(9). Seconds of
/// training between two checkpoints; `write`: w, `between`: M.
[[nodiscard]] Seconds youngInterval(Seconds write, Seconds between);

/// Daly 2006, "A higher order estimate of the optimum checkpoint interval for restart dumps", FGCS 22(3), equation 37:
/// sqrt(2 w M) (1 + sqrt(w / 2M) / 3 + (w / 2M) / 9) - w below w = 2M, else M.
[[nodiscard]] Seconds dalyInterval(Seconds write, Seconds between);

/// Share of the time that is training: of Daly 2006, equation 20, the time of the work over the expected time of the
/// run, tau / (M e^(R/M) (e^((tau + w)/M) - 1)), with tau between checkpoints, R for a restart.
[[nodiscard]] double trainingShare(Seconds interval, Seconds write, Seconds restart, Seconds between);

/// What a stop costs where so many machines of `cards_per_node` stand by: the restart, and where all of them are under
/// repair as well the wait for the first that comes back. Machines under repair: Poisson, with a mean of stops per hour
/// times hours of a repair (Palm 1943: a queue M/G/infinity), which the first of n repairs leaves after 1/n of its
/// time.
[[nodiscard]] Seconds meanRestart(const Reliability& known, Seconds between);

/// With the best interval. Requires all that Goodput needs: bandwidth, restart and stops.
struct Goodput {
    Bytes checkpoint;
    Seconds write; ///< of one checkpoint
    Seconds between; ///< unplanned stops
    Seconds restart; ///< with the wait for machines
    Seconds young, daly; ///< best intervals
    double share = 0.0; ///< of the time that is training, at Daly's

    bool operator==(const Goodput&) const = default;
};
/// None where something is not known or nothing is trained.
[[nodiscard]] std::optional<Goodput> goodput(const Plan& plan, const Reliability& known);

/// Unplanned stops to expect in a run that trains for so many days on so many cards, at that rate. With `share`, the
/// time of stops and checkpoints is part of the run.
[[nodiscard]] double expectedStops(double stops_per_card_hour, double days, std::int64_t cards, double share = 1.0);

/// The slowest writing of a checkpoint with which `share` of the time is training; none if even instant writing leaves
/// less.
[[nodiscard]] std::optional<Seconds> slowestWrite(double share, Seconds restart, Seconds between);

} // namespace cardfit
