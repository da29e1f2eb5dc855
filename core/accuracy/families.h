// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/accuracy/measured_runs.h"

/// Runs of one source that differ in one setting or a few: what a search decides by. Averages over single runs hide
/// whether the model sees what the setting costs.
namespace cardfit {

/// How the runs of a family, or of all families that vary the same, come out against each other.
struct FamilyOrder {
    std::string group; ///< the family; empty: all that vary the axis
    std::string axis; ///< "context", "tensor, pipeline, cards"; empty: all families
    std::int64_t runs = 0; ///< with a prediction
    std::int64_t pairs = 0; ///< of runs measured more than kTellApart apart
    std::int64_t right = 0; ///< of these: predicted in the order that was measured
    double ratio = 0.0; ///< median over all pairs of |predicted / measured ratio of the two throughputs - 1|
    double level = 0.0; ///< median over the runs of predicted / measured time of a step - 1, with its sign
};

/// One row per family, in the order of the file; then one per axis; then one of all.
[[nodiscard]] std::vector<FamilyOrder> familyOrders(std::span<const TimeComparison> comparisons);

} // namespace cardfit
