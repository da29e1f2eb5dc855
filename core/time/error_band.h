// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/plan/tables.h"

namespace cardfit {

/// A class of measured runs. A member without a value: runs of any kind in that respect.
struct RunClass {
    std::optional<bool> experts{}; ///< mixtures of experts, or dense models
    std::optional<bool> launch_bound{}; ///< layers wait for the host to launch their kernels
    std::optional<bool> long_sequence{}; ///< of 16k tokens and more
    std::optional<Generation> card{};
    std::optional<MatrixFormat> format{};
    std::optional<bool> recurrent{}; ///< some layers have a state instead of keys and values; other classes have none
    bool calibrated = false; ///< predicted after another run of the same source, card, class and model

    friend auto operator<=>(const RunClass&, const RunClass&) = default;
};

/// How far measured step times of one class of runs lie from predicted ones. Eight runs in ten take between 1 + below
/// and 1 + above times the predicted time; where all predictions of a class err on one side, both have the same sign.
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
    ErrorBand band; ///< of these very runs
    std::int64_t sources = 0; ///< that measured them
};

/// A class of fewer runs has no band of its own.
inline constexpr std::size_t kFewestBandCases = 5;

/// The classes that a run of the plan belongs to, the most specific first: its own, then any format, then any card,
/// then any run of a dense model or of a mixture of experts, then all runs; runs of models with recurrent layers are
/// classes of their own. Empty for tasks of which no run was measured: inference and adapters.
[[nodiscard]] std::vector<RunClass> runClasses(const Plan& plan, const OperatorTables& tables);

/// The class of a plan whose time is calibrated with a measured run.
[[nodiscard]] RunClass calibratedClass(const Plan& plan);

/// Every class with a band. The test tests/validation/tst_measured_time computes them from the measured runs.
[[nodiscard]] std::span<const ClassBand> errorBands();

/// What `bands` say of a run of a source that they do not have, from the first of its classes that has one. Runs of one
/// source are alike: a class that one source alone measured is as wide as the next wider ones as well. Of k sources the
/// band is shown 1 + 1/k times as wide: a further one is as likely as any of them to lie outside all others, for which
/// conformal prediction asks for 1 + 1/k times the share (Dunn, Wasserman and Ramdas 2022, arXiv:1809.07441). No band
/// (0 cases) where no class has one.
[[nodiscard]] ErrorBand bandFrom(std::span<const RunClass> classes, std::span<const ClassBand> bands);

/// bandFrom() runClasses(), or that of calibratedClass() where the plan's time is calibrated and that one is narrower:
/// a measured run makes nothing less certain. Widened to the predicted time itself where all predictions of the class
/// erred on one side. No band (0 cases) where runClasses() is empty.
[[nodiscard]] ErrorBand errorBand(const Plan& plan, const OperatorTables& tables);

} // namespace cardfit
