// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/inplace_vector.h"
#include "core/plan/tables.h"

namespace cardfit {

/// A class of measured runs. A member without a value does not restrict the class.
struct RunClass {
    std::optional<bool> experts{}; ///< mixtures of experts, or dense models
    std::optional<bool> launch_bound{}; ///< layers wait for the host to launch their kernels
    std::optional<bool> long_sequence{}; ///< sequences of 16k tokens and more
    std::optional<Generation> card{};
    std::optional<MatrixFormat> format{};
    std::optional<bool> recurrent{}; ///< some layers have a state instead of keys and values; no value: no such layers
    bool calibrated = false; ///< predicted after calibration with another run of the same source, card, class and model
    std::optional<bool> adapters{}; ///< only adapters are trained; no value: all weights are

    friend auto operator<=>(const RunClass&, const RunClass&) = default;
};

/// How far measured step times of one class of runs are from predicted ones. Eight runs in ten take between 1 + below
/// and 1 + above times the predicted time. If all predictions of a class err on one side, both have the same sign.
struct ErrorBand {
    double below = 0.0; ///< a fraction: -0.08 is 8 % faster than predicted
    double above = 0.0;
    std::int64_t cases = 0; ///< runs that the band is based on; 0: no similar run was measured, and there is no band
    std::string_view of; ///< the class in words: "dense Hopper fp8"; the text of a Phrase

    bool operator==(const ErrorBand&) const = default;
};

/// One row of the table of bands.
struct ClassBand {
    RunClass runs;
    ErrorBand band; ///< of the runs of exactly this class
    std::int64_t sources = 0; ///< number of sources that measured these runs
};

/// Fewest runs for which a class gets a band of its own.
inline constexpr std::size_t kFewestBandCases = 5;

/// The classes that a run of the plan belongs to, the most specific first: its own class, the same with any format,
/// then with any card, then all runs of dense models (or of mixtures of experts), then all runs. Models with recurrent
/// layers and runs of adapters have classes of their own. Empty where no run was measured: inference, images.
[[nodiscard]] InplaceVector<RunClass, 5> runClasses(const Plan& plan, const OperatorTables& tables);

/// The class of a plan whose step time is calibrated with a measured run.
[[nodiscard]] RunClass calibratedClass(const Plan& plan);

/// Every class with a band. The test tests/validation/tst_measured_time computes them from the measured runs.
[[nodiscard]] std::span<const ClassBand> errorBands();

/// The band to expect for a run from a new source: that of the first of `classes` that has one in `bands`. Runs of one
/// source resemble each other, so a class measured by a single source is widened to include the bands of the following
/// classes, up to the first with several sources. The band of k sources is then made 1 + 1/k times as wide: a new
/// source is as likely as any of the k to lie outside the others, for which conformal prediction multiplies the share
/// by 1 + 1/k (Dunn, Wasserman and Ramdas 2022, arXiv:1809.07441). No band (0 cases) if no class has one.
[[nodiscard]] ErrorBand bandFrom(std::span<const RunClass> classes, std::span<const ClassBand> bands);

/// How far a plan is from what was measured, as a part of its band's width by which each side moves out: settings that
/// none of the runs behind the bands has (weights on the host, instances of a sharded optimizer, shards over PCIe or
/// Ethernet, a ring outside TransformerEngine, a framework on a generation on which nobody published runs of it, …) and
/// software of any time. Families of runs (tests/validation/families.json) are off the more the more of them they have.
[[nodiscard]] double distanceFromMeasured(const Plan& plan);

/// The band of a plan at such a distance.
[[nodiscard]] ErrorBand widened(ErrorBand band, double distance);

/// bandFrom() of the plan's runClasses(), widened() for what none of the runs has. If the plan's time is calibrated,
/// the band of calibratedClass() if that is narrower: calibrating never makes a prediction less certain. Widened to
/// include the predicted time if all predictions of the class erred on one side. No band (0 cases) if runClasses() is
/// empty.
[[nodiscard]] ErrorBand errorBand(const Plan& plan, const OperatorTables& tables);

} // namespace cardfit
