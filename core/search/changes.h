// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/plan/edit.h"
#include "core/search/trial.h"

namespace cardfit {

/// One change and what follows from it.
struct Change {
    Edit edit;
    std::vector<Edit> follows; ///< fields that had to change too: data to keep the cards, the schedule for chunks
    Plan plan; ///< with the edit and all that follows

    bool operator==(const Change&) const = default;
};

/// Every single change to how the plan is trained that breaks no rule: the next valid value below and above of tensor
/// (within a node), pipeline, context, expert, expert tensor and micro-batch, the next numbers of model chunks, the
/// framework's other sharding stages, sequence parallelism, other recomputation, and half or all of the optimizer on
/// the host. Where tensor ranks hold copies of experts: also the expert and expert tensor degrees that leave none.
/// Model, sequence length, global batch and cards stay the same; data parallelism adjusts. Estimates nothing.
[[nodiscard]] std::vector<Change> singleChanges(const Plan& plan, const Trials& trials);

/// A change to other recomputation.
[[nodiscard]] Change withRecompute(const Plan& plan, const Recompute& recompute);

/// "none", "selective (core_attn)", "full (block, 4)".
[[nodiscard]] std::string recomputeWords(const Recompute& recompute);

} // namespace cardfit
