// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/accuracy/measured_runs.h"
#include "core/base/enum_names.h"

namespace cardfit {

/// What two plans of one run differ in. A difference in two degrees counts as the first axis of the list that covers
/// both.
enum class PlanAxis {
    TensorAgainstPipeline,
    Tensor,
    Pipeline,
    VirtualPipeline,
    Context,
    Expert,
    MicroBatch,
    Recompute,
    Recipe,
};
inline constexpr std::size_t kPlanAxisCount = enumeratorCount<PlanAxis>();

[[nodiscard]] std::string_view planAxisName(PlanAxis axis); ///< "tensor_against_pipeline", "micro_batch_size"

/// What two runs of one PlanChoice differ in; none if their plans are equal.
[[nodiscard]] std::optional<PlanAxis> planAxis(const Plan& a, const Plan& b);

/// Two or more runs of one source that differ only in the plan, as the candidates of a search do: same model,
/// sequences, global batch, precision and cards, and the same software release if known.
struct PlanChoice {
    std::string group;
    std::vector<const TimeComparison*> runs;

    /// By how much the run that was predicted to be the fastest was slower than the fastest one: 0.03 is 3 %.
    [[nodiscard]] double regret() const;
};

/// In the order of their first runs, which must outlive the result. Runs without a prediction are left out.
[[nodiscard]] std::vector<PlanChoice> planChoices(std::span<const TimeComparison> comparisons);

/// Plans measured further apart than this should be predicted in the right order; smaller differences may reverse with
/// the next release of a framework.
inline constexpr double kTellApart = 0.05;
/// A choice that costs more than this was a wrong one.
inline constexpr double kRegret = 0.03;

/// Pairs of plans that differ in one axis and were measured more than kTellApart apart.
struct AxisOrder {
    PlanAxis axis = PlanAxis::Tensor;
    std::int64_t pairs = 0;
    std::int64_t right = 0; ///< predicted in the order that was measured
};

struct OrderSummary {
    std::vector<AxisOrder> axes; ///< those with pairs
    std::int64_t pairs = 0, right = 0; ///< of all axes
    std::int64_t choices = 0;
    std::int64_t regretted = 0; ///< choices whose regret() is above kRegret
    double worst_regret = 0.0;
};

[[nodiscard]] OrderSummary summarizeOrder(std::span<const PlanChoice> choices);

} // namespace cardfit
