// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/units.h"
#include "core/plan/plan.h"

/// How much of a run's time is left for training after failures and checkpoints.
namespace cardfit {

/// 419 unplanned stops in 54 days on 16,384 H100: Llama Team 2024, "The Llama 3 Herd of Models" (arXiv:2407.21783),
/// section 3.3.4. One in 50,677 card-hours.
inline constexpr double kLlama3StopsPerCardHour = 419.0 / (54.0 * 24.0 * 16384.0);

/// How a cluster fails and recovers. A member without a value is unknown.
struct Reliability {
    std::optional<double> write_bandwidth; ///< bytes per second into storage that survives a stop, all cards together
    std::optional<Seconds> restart; ///< from a stop to the next step, if a spare machine is ready
    std::optional<double> stops_per_card_hour; ///< unplanned ones
    std::optional<double> repair_hours; ///< until a failed machine is back; unknown: spares do not matter
    std::int64_t spares = 0; ///< machines of `cards_per_node` cards on standby

    bool operator==(const Reliability&) const = default;
};

/// Bytes of a checkpoint from which training can resume: weights, fp32 copies and optimizer states of all trained
/// parameters, each once, as the framework stores them. Gradients, copies in narrower formats and frozen weights are
/// not included. 0 for inference. BLOOM-176B: 2.3 TB (Le Scao et al. 2022, arXiv:2211.05100;
/// bigscience/tr11-176B-logs).
[[nodiscard]] Bytes checkpointBytes(const Plan& plan);

/// Mean time between unplanned stops of a run on `cards` cards.
[[nodiscard]] Seconds timeBetweenStops(double stops_per_card_hour, std::int64_t cards);

/// Best seconds of training between two checkpoints, sqrt(2 w M) with w = `write` and M = `between`: Young 1974, "A
/// first order approximation to the optimum checkpoint interval", CACM 17(9).
[[nodiscard]] Seconds youngInterval(Seconds write, Seconds between);

/// The same after Daly 2006, "A higher order estimate of the optimum checkpoint interval for restart dumps", FGCS
/// 22(3), equation 37: sqrt(2 w M) (1 + sqrt(w / 2M) / 3 + (w / 2M) / 9) - w if w < 2M, else M.
[[nodiscard]] Seconds dalyInterval(Seconds write, Seconds between);

/// Share of the time that is training: the time of the work over the expected time of the run, tau / (M e^(R/M)
/// (e^((tau + w)/M) - 1)), with tau = `interval` and R = `restart` (Daly 2006, equation 20).
[[nodiscard]] double trainingShare(Seconds interval, Seconds write, Seconds restart, Seconds between);

/// Mean time that a stop costs: the restart, plus the wait for the first repaired machine if all spares are under
/// repair too. The number of machines under repair is Poisson distributed, its mean the stops per hour times the hours
/// of a repair (Palm 1943: an M/G/infinity queue); the first of n repairs ends after 1/n of the repair time.
[[nodiscard]] Seconds meanRestart(const Reliability& known, Seconds between);

/// Goodput with the best checkpoint interval. Requires a known bandwidth, restart time and rate of stops.
struct Goodput {
    Bytes checkpoint;
    Seconds write; ///< of one checkpoint
    Seconds between; ///< mean time between unplanned stops
    Seconds restart; ///< including the wait for a machine
    Seconds young, daly; ///< best intervals
    double share = 0.0; ///< of the time that is training, at Daly's interval

    bool operator==(const Goodput&) const = default;
};
/// None if something it needs is unknown or nothing is trained.
[[nodiscard]] std::optional<Goodput> goodput(const Plan& plan, const Reliability& known);

/// Expected number of unplanned stops in a run that trains for `days` on `cards` cards. `share` is the training share
/// of the time: below 1 the run is longer by its stops and checkpoints.
[[nodiscard]] double expectedStops(double stops_per_card_hour, double days, std::int64_t cards, double share = 1.0);

/// The longest time of writing a checkpoint with which `share` of the time is still training; none if even instant
/// writing leaves less.
[[nodiscard]] std::optional<Seconds> slowestWrite(double share, Seconds restart, Seconds between);

} // namespace cardfit
