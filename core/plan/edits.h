// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/plan/plan.h"

/// Edits of a plan that adapt its other values.
namespace cardfit {

/// tensor x pipeline x context x data = nodes x cards per node: which factor is derived when another one changes.
enum class DerivedFactor {
    Data, ///< the number of cards is kept
    Nodes, ///< the number of replicas is kept
};

/// global batch = micro-batch x micro-batches x data: which of them is derived when another one changes.
enum class DerivedBatchFactor {
    MicroBatches, ///< global batch and micro-batch are kept
    MicroBatch, ///< global batch and number of micro-batches are kept
    GlobalBatch, ///< micro-batch and number of micro-batches are kept
    Data, ///< all three are kept; nodes follow the replicas, so it excludes DerivedFactor::Data
};

/// Whether the degrees multiply to the number of cards, or data is not given and can be derived.
[[nodiscard]] bool cardsAddUp(const Plan& plan);

/// `after`, in which a factor of the cards was changed from `before`, with the derived factor computed again: data from
/// the cards, or nodes for the same replicas. If the cards did not add up before, or no whole number of nodes fits,
/// nothing is derived and the checks say what is wrong.
[[nodiscard]] Plan withDerivedFactor(const Plan& before, Plan after, DerivedFactor derived);

/// Whether the global batch divides into whole micro-batches on every replica.
[[nodiscard]] bool batchAddsUp(const Plan& plan);

/// `after`, in which a factor of the global batch was changed from `before`, with the derived factor computed again:
/// the number of micro-batches is kept unless it is the derived one. If the batch did not add up before, or no whole
/// number fits, nothing is derived.
[[nodiscard]] Plan withDerivedBatchFactor(const Plan& before, Plan after, DerivedBatchFactor derived);

/// The plan with this many micro-batches per replica and step. Derives the micro-batch, or data and with it the nodes,
/// or else the global batch. If no whole number fits, the plan is unchanged.
[[nodiscard]] Plan withMicroBatches(Plan plan, std::int64_t micro_batches, DerivedBatchFactor derived);

/// The plan with this many model chunks per pipeline rank. Several chunks need a schedule that interleaves them: plain
/// 1F1B becomes interleaved and back, as in Megatron, where virtual stages select that schedule.
[[nodiscard]] Plan withChunks(Plan plan, std::int64_t chunks);

/// The plan with another schedule, and as many model chunks per pipeline rank as that one runs: 1, 2, or the present
/// number if it takes any from 2.
[[nodiscard]] Plan withSchedule(Plan plan, Schedule schedule);

/// The plan with another model. Degrees of experts are automatic again if the model before had none: they were never
/// chosen for these.
[[nodiscard]] Plan withModel(Plan plan, Model model);

/// Removes the name of the preset from a model or cluster that no longer equals it.
void markAsOwn(Model& model);
void markAsOwn(Cluster& cluster);

/// markAsOwn() for what differs between two plans: the model's shape (not how evenly experts are used), and the
/// cluster's cards (not their price) and links. More nodes of the same kind are still the preset's.
void markAsOwn(const Plan& before, Plan& after);

} // namespace cardfit
