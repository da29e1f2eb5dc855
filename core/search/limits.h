// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/sentence.h"
#include "core/search/suggestions.h"
#include "core/search/trial.h"

namespace cardfit {

/// Quantities whose limit a planner may ask for.
enum class LimitOf {
    ModelSize, ///< parameters, counted
    SequenceLength, ///< tokens
    MicroBatchSize, ///< sequences; training plans only
    ServedSequences, ///< at once, all replicas together; serving plans only
    Cards, ///< the fewest, with the plan's degrees
    CardsAnyDegrees, ///< the fewest, with any tensor and pipeline degree
};

/// The limits that make sense for a plan's task, in the order in which they are answered.
[[nodiscard]] std::span<const LimitOf> limitsOf(const Plan& plan);

/// The word of JSON and command line: "model_size", "cards_any_degrees".
[[nodiscard]] std::string_view limitName(LimitOf quantity);

/// Why no value of a quantity fits, shown by the memory of the least demanding plan.
struct Impossibility {
    Trial least; ///< the least demanding value and its fullest stage
    Bytes states; ///< weights, gradients and optimizer states of that stage
    Bytes outside; ///< communication libraries and device context, at least
    Bytes held_back; ///< what the allocator holds back for the states alone, as far as it counts in a verdict
    /// states + outside + held_back exceed the capacity, so no workload fits, however small.
    bool states_alone = false;
    /// Single changes of the least demanding plan, as suggest() orders them.
    std::vector<Suggestion> remedies;

    bool operator==(const Impossibility&) const = default;
};

/// The extreme value of one quantity at which a plan fits, all else unchanged.
struct Limit {
    LimitOf quantity = LimitOf::SequenceLength;
    std::int64_t now = 0; ///< the plan's own value
    Sentence held; ///< what stays, what adjusts and which values count
    std::optional<Trial> fits; ///< the most (cards: the fewest) that fits; none: nothing does
    std::optional<Trial> misses; ///< the next value that counts; it does not fit. None: see `end`
    Sentence end; ///< why no value, or none beyond `fits`, was tried: the rule with its numbers
    std::optional<Impossibility> impossible; ///< if values were tried and none fits
    std::int64_t estimates = 0; ///< number of estimates made for the answer

    bool operator==(const Limit&) const = default;
};

/// The limit of one quantity. A value counts only if it breaks no kind of rule that the plan itself keeps.
///
/// * Sequence length: multiples of 128 tokens that context and sequence parallelism can split. The global batch stays
///   the same number of sequences.
/// * Micro-batch size: divisors of the sequences per replica, global batch / data. Both stay the same; the number of
///   micro-batches adjusts.
/// * Served sequences: multiples of micro-batch x data, with all their caches resident.
/// * Model size: shapes of the model's family (of the nearest one if it belongs to none) with its vocabulary and kinds
///   of layers, and with depths that pipeline x virtual pipeline divides. Models with experts or latent attention, for
///   which no family is known, keep their width and change their depth.
/// * Cards: whole nodes, or cards of one node; data adjusts and must divide the batch. With any degrees: the fewest
///   cards over tensor (within a node), pipeline and data; the fastest if several plans use the fewest.
///
/// Found by bisection: if memory does not grow with every value, this is the first limit met from the plan's own value.
[[nodiscard]] Limit limitOf(const Plan& plan, LimitOf quantity, Profile profile = Profile::AsPlanned);

} // namespace cardfit
