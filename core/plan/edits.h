// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/plan/plan.h"

/// Edits of a plan that keep its other values in step.
namespace cardfit {

/// tensor x pipeline x context x data = nodes x cards per node: which factor is derived when another one changes.
enum class DerivedFactor {
    Data, ///< the cards stay
    Nodes, ///< the replicas stay
};

/// global batch = micro-batch x micro-batches x data: which of them is derived when another one changes.
enum class DerivedBatchFactor {
    MicroBatches, ///< global batch and micro-batch stay
    MicroBatch, ///< global batch and the number of micro-batches stay
    GlobalBatch, ///< the micro-batch and their number stay
    Data, ///< all three stay; the nodes follow the replicas, so it excludes DerivedFactor::Data
};

/// Whether the degrees multiply to the number of cards, or data is left to follow from it.
[[nodiscard]] bool cardsAddUp(const Plan& plan);

/// `after`, in which a factor of the cards was changed from `before`, with the derived factor computed again: data from
/// the cards, or nodes for the same replicas. If the cards did not add up before, or no whole number of nodes would do,
/// nothing is derived and the checks say what is wrong.
[[nodiscard]] Plan withDerivedFactor(const Plan& before, Plan after, DerivedFactor derived);

/// Whether the replicas share the global batch in whole micro-batches.
[[nodiscard]] bool batchAddsUp(const Plan& plan);

/// `after`, in which a factor of the global batch was changed from `before`, with the derived factor computed again, so
/// that the number of micro-batches stays what it was unless it is the derived one. If the batch did not add up before,
/// or no whole number would do, nothing is derived.
[[nodiscard]] Plan withDerivedBatchFactor(const Plan& before, Plan after, DerivedBatchFactor derived);

/// The plan with so many micro-batches per replica and step: the micro-batch is derived, or data and with it the nodes,
/// or else the global batch. If no whole number would do, the plan stays as it is.
[[nodiscard]] Plan withMicroBatches(Plan plan, std::int64_t micro_batches, DerivedBatchFactor derived);

/// The plan with so many model chunks per pipeline rank. Several chunks need a schedule that interleaves them: plain
/// 1F1B becomes interleaved and back, as in Megatron, where asking for virtual stages is asking for that schedule.
[[nodiscard]] Plan withChunks(Plan plan, std::int64_t chunks);

/// The plan under another schedule, with as many model chunks per pipeline rank as that one runs: 1, 2, or what it had
/// if it takes any number from 2.
[[nodiscard]] Plan withSchedule(Plan plan, Schedule schedule);

/// Takes the preset away from what is no longer the preset's.
void markAsOwn(Model& model);
void markAsOwn(Cluster& cluster);

/// The same for what differs between two plans: the model's shape (how evenly experts are used is no part of it), and
/// the cluster's cards (but for what an hour of them costs) and links. More nodes of the same kind are still the
/// preset's.
void markAsOwn(const Plan& before, Plan& after);

} // namespace cardfit
