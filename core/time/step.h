// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/estimate.h"
#include "core/memory/states.h"
#include "core/pipeline/simulator.h"
#include "core/plan/tables.h"

namespace cardfit {

/// Seconds of the forward and backward pass of every chunk, [rank][chunk], on the plan's accelerator.
/// Matrix products run at the accelerator's sustained share of its dense peak (0.6 where none is published, the middle
/// of the published 0.42 to 0.75); everything else at 80 % of its memory bandwidth. A backward pass is twice a forward
/// pass, split evenly into input and weight gradients; full recomputation adds a forward pass; frozen weights have
/// no gradient, and inference has no backward pass. Multiples of 2^-40
/// seconds, about a picosecond.
[[nodiscard]] std::vector<std::vector<Durations>> stageDurations(
    const Plan& plan, const OperatorTables& tables, const std::vector<StageLayers>& stages);

/// The step from its timeline. Seconds: the makespan plus the optimizer, which reads and writes 36 bytes per parameter
/// of its shard at 80 % of the memory bandwidth. Parts: `compute` is the busiest rank's work, `bubble` the rest of the
/// makespan. Communication is not in the step yet; its parts are zero.
/// Model FLOPs count causal attention once and no recomputation; MFU is theirs over the 16-bit dense peak, HFU includes
/// recomputation (Chowdhery et al. 2022, arXiv:2204.02311, appendix B, defines both).
[[nodiscard]] StepEstimate stepEstimate(const Plan& plan, const OperatorTables& tables,
    const std::vector<StageLayers>& stages, const std::vector<StageParameters>& parameters, const Timeline& timeline);

} // namespace cardfit
