// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/accuracy/measured_runs.h"

namespace cardfit {

/// A prediction that is off by at most this fraction counts as close: memory is predictable to a few percent, the time
/// of a step to about ten (the same configuration changes by 5 % between releases of one framework).
inline constexpr double kCloseMemory = 0.03;
inline constexpr double kCloseTime = 0.2;

inline constexpr double kCloseServing = 0.15; ///< as far apart as two engines with the same set-up (median)

inline constexpr double kNear = 0.1; ///< good enough to choose a card by

/// 0 of no values.
[[nodiscard]] double median(std::vector<double> values);

/// How far predictions are from measurements, ignoring the sign.
struct ErrorSummary {
    std::int64_t cases = 0;
    double median = 0.0; ///< of the magnitudes, as a fraction: 0.01 is one percent
    double worst = 0.0; ///< the largest magnitude
    std::int64_t close = 0; ///< cases that are close
    std::int64_t near = 0; ///< cases that are off by at most kNear

    bool operator==(const ErrorSummary&) const = default;
};

/// `errors`: predicted / measured - 1 of every case; the sign is dropped. All zeros if there are none.
[[nodiscard]] ErrorSummary summarizeErrors(std::vector<double> errors, double close = kCloseMemory);

/// The error of one prediction, of memory or of time.
struct ComparedCase {
    std::string group;
    bool experts = false;
    Trust trust = Trust::Low;
    std::optional<double> error; ///< none: no prediction
};

/// The errors of one group's models with (or without) experts: of all its cases, or of those of one trust.
struct GroupSummary {
    std::string group;
    bool experts = false;
    std::optional<Trust> trust; ///< none: all
    ErrorSummary errors; ///< of the cases that were answered
    std::int64_t unanswered = 0;
};

/// Groups in the order in which they first appear; each without experts first, and all its cases before those of each
/// trust. A group whose cases all have the same trust has one row. `close`: an error of at most this fraction counts as
/// close.
[[nodiscard]] std::vector<GroupSummary> summarizeGroups(const std::vector<ComparedCase>& cases, double close);

/// The figures of servers that are told apart.
enum class ServingClass { TokenTime, Throughput, FirstToken };
[[nodiscard]] constexpr ServingClass classOf(ServingFigure figure)
{
    switch (figure) {
    case ServingFigure::TokenTime:
    case ServingFigure::UserSpeed: break;
    case ServingFigure::Throughput: return ServingClass::Throughput;
    case ServingFigure::FirstToken: return ServingClass::FirstToken;
    }
    return ServingClass::TokenTime;
}

/// The errors of one figure, of models with or without experts.
struct ServingSummary {
    ServingClass figure = ServingClass::TokenTime;
    bool experts = false;
    ErrorSummary errors;
};

/// One row per figure and kind of layers that has counted cases with a prediction.
[[nodiscard]] std::vector<ServingSummary> summarizeServing(std::span<const ServingComparison> comparisons);

} // namespace cardfit
