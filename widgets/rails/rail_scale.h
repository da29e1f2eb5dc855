// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QString>

#include "core/estimate/verdict.h"

/// The arithmetic of a value rail: which stops there are, where they are drawn, and which one comes next.
namespace cardfit::ui {

enum class ScaleKind {
    Linear,
    Logarithmic,
    Ordinal, ///< equal distances between stops, whatever their values
};

enum class StopState {
    Valid,
    Warned, ///< allowed, with a remark
    Invalid, ///< breaks a rule; dragging skips it
};

/// A value that the handle stops at.
struct Stop {
    double value = 0.0;
    QString text; ///< label at the tick; empty: tick without a label
    StopState state = StopState::Valid;
    QString reason; ///< why it is warned or invalid

    bool operator==(const Stop&) const = default;
};

/// Whether the plan would fit with a stop's value, everything else unchanged.
enum class StopVerdict { Unknown, Fits, Tight, Over, Invalid };
[[nodiscard]] StopVerdict stopVerdict(Verdict verdict); ///< a server that refuses is over

/// Which stops a movement may end at.
enum class StopChoice {
    Allowed, ///< those that are not invalid
    PowersOfTwo, ///< of the allowed stops, powers of two; if there is none, all allowed stops
};

/// Ascending stops on a scale from 0 (left) to 1 (right). Values between stops have positions, too.
class RailScale {
public:
    RailScale() = default;
    RailScale(ScaleKind kind, std::vector<Stop> stops);

    [[nodiscard]] const std::vector<Stop>& stops() const { return m_stops; }
    [[nodiscard]] ScaleKind kind() const { return m_kind; }

    /// Position of a value, within [0, 1]; values beyond the outermost stops are placed at the ends.
    [[nodiscard]] double place(double value) const;
    /// The value at a position: the inverse of place().
    [[nodiscard]] double valueAt(double place) const;
    /// Index of the stop that is nearest to a position.
    [[nodiscard]] std::optional<std::size_t> nearest(double place) const;
    /// The same among stops that are not invalid.
    [[nodiscard]] std::optional<std::size_t> nearestAllowed(
        double place, StopChoice choice = StopChoice::Allowed) const;

    /// Value of the next stop above or below that is not invalid; nullopt at the end.
    [[nodiscard]] std::optional<double> next(
        double value, int direction, StopChoice choice = StopChoice::Allowed) const;
    /// The allowed stop nearest to `factor` x value, but at least one stop further.
    [[nodiscard]] std::optional<double> scaled(double value, double factor) const;
    [[nodiscard]] std::optional<double> firstAllowed() const;
    [[nodiscard]] std::optional<double> lastAllowed() const;
    /// Index of the stop with exactly this value.
    [[nodiscard]] std::optional<std::size_t> stopOf(double value) const;

private:
    [[nodiscard]] double axis(double value) const;
    /// Whether a stop may be chosen: it is not invalid. If every stop is invalid all are allowed, so that the value can
    /// still be changed.
    [[nodiscard]] bool isAllowed(const Stop& stop, StopChoice choice = StopChoice::Allowed) const;

    ScaleKind m_kind = ScaleKind::Ordinal;
    std::vector<Stop> m_stops;
    bool m_all_invalid = false;
    bool m_has_powers = false; ///< whether an allowed stop is a power of two
};

} // namespace cardfit::ui
