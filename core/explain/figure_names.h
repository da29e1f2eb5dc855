// SPDX-License-Identifier: GPL-3.0-or-later
// The meaning of the parts of a figure's name; see explain().
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/estimate/estimate.h"
#include "core/explain/figures.h"

namespace cardfit {

/// "stage0" and "activations"; a name without a dot is only a scope.
struct FigureName {
    std::string_view scope;
    std::string_view rest;
};
[[nodiscard]] FigureName splitName(std::string_view figure);

/// The stage that a scope names; nullopt if there is no such stage.
[[nodiscard]] std::optional<std::size_t> stageNamed(std::string_view scope, const Estimate& estimate);
[[nodiscard]] std::optional<Segment> segmentNamed(std::string_view name);
[[nodiscard]] std::string_view nameOf(Segment segment);
/// device, reserved, allocated, peak, in_flight, capacity.
[[nodiscard]] bool namesTotal(std::string_view name);
[[nodiscard]] std::optional<StepPart> stepPartNamed(std::string_view name);
/// A server's time per token; the figures of its parts begin with it.
inline constexpr std::string_view kTokenTimeFigure = "server.tpot";
/// Whether a figure tells how fast a server answers, so that a server with room for no request lacks it.
[[nodiscard]] bool isPaceFigure(std::string_view figure);
/// A part of a server's time per token by its figure: "server.tpot.weights"; null if there is none.
[[nodiscard]] const DecodePart* decodePartNamed(std::string_view figure);

/// A figure of the whole plan that is a single number in the estimate.
struct WholeFigure {
    std::string_view name; ///< "step.mfu"
    FigureUnit unit;
    double (*value)(const Estimate& estimate); ///< requires a complete one; for "server.", of a served plan
    std::string_view formula = {}; ///< in the symbols that explain() adds; empty if there is no short one
};
/// Null if there is none. Parts of the step and utilisations have functions of their own.
[[nodiscard]] const WholeFigure* wholeFigureNamed(std::string_view name);

/// The name of a term's figure within its stage; a segment of the same name takes precedence.
[[nodiscard]] std::string termFigure(const Term& term);
/// The terms of a stage with this figure name.
[[nodiscard]] std::vector<Term> termsNamed(const StageMemory& stage, std::string_view name);

/// A utilisation other than the default one, by its name: "step.mfu.palm", "step.hfu.causal.fp8".
struct UtilizationFigure {
    std::string name;
    const Utilization* made = nullptr; ///< of the step estimate
    bool hardware = false;

    [[nodiscard]] double value() const { return hardware ? *made->hfu : *made->mfu; }
};
[[nodiscard]] std::vector<UtilizationFigure> utilizationFigures(const StepEstimate& step);
[[nodiscard]] std::optional<UtilizationFigure> utilizationNamed(const StepEstimate& step, std::string_view figure);

} // namespace cardfit
