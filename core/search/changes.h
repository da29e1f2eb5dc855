// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/plan/edit.h"
#include "core/search/trial.h"

namespace cardfit {

/// One decision and what it brings with it.
struct Change {
    Edit edit;
    std::vector<Edit> follows; ///< values that had to go along: data for the same cards, the schedule for chunks
    Plan plan; ///< with all of it

    bool operator==(const Change&) const = default;
};

/// Every single change of how the plan is trained that keeps the rules: the next valid tensor (within a node),
/// pipeline, context and micro-batch below and above, the next numbers of model chunks, the framework's other sharding
/// stages, sequence parallelism, other recomputation, and half or all of the optimizer on the host. Model, sequence,
/// global batch and cards stay; data follows. Nothing is estimated.
[[nodiscard]] std::vector<Change> singleChanges(const Plan& plan, const Trials& trials);

/// The plan with other recomputation, as a change.
[[nodiscard]] Change withRecompute(const Plan& plan, const Recompute& recompute);

/// "none", "selective (core_attn)", "full (block, 4)".
[[nodiscard]] std::string recomputeWords(const Recompute& recompute);

} // namespace cardfit
