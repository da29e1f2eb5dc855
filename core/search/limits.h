// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/search/suggestions.h"
#include "core/search/trial.h"
#include "core/sentence.h"

namespace cardfit {

/// What a planner asks for the limit of.
enum class LimitOf {
    ModelSize, ///< parameters, counted
    SequenceLength, ///< tokens
    MicroBatchSize, ///< sequences; of a plan that trains
    ServedSequences, ///< at once, by all replicas together; of a plan that serves
    Cards, ///< the fewest, with the plan's degrees
    CardsAnyDegrees, ///< the fewest, with any tensor and pipeline degree
};

/// The questions that a plan's task leaves open, in the order in which they are answered.
[[nodiscard]] std::span<const LimitOf> limitsOf(const Plan& plan);

/// The word of JSON and command line: "model_size", "cards_any_degrees".
[[nodiscard]] std::string_view limitName(LimitOf quantity);

/// Why no value of a quantity fits, from the terms of the least demanding plan.
struct Impossibility {
    Trial least; ///< the least demanding value and its fullest stage
    Bytes states; ///< weights, gradients and optimizer states of that stage
    Bytes outside; ///< communication libraries and device context
    Bytes held_back; ///< what the allocator holds back for the states alone
    /// states + outside + held_back exceed the capacity: no workload fits, however small.
    bool states_alone = false;
    /// Single changes of the least demanding plan, as suggest() orders them.
    std::vector<Suggestion> remedies;

    bool operator==(const Impossibility&) const = default;
};

/// The extreme value of one quantity at which a plan fits, all else held.
struct Limit {
    LimitOf quantity = LimitOf::SequenceLength;
    std::int64_t now = 0; ///< the plan's own value
    Sentence held; ///< what stays, what follows and which values count
    std::optional<Trial> fits; ///< the most (cards: the fewest) that fits; none: nothing does
    std::optional<Trial> misses; ///< the next value that counts beyond it, which does not fit; none: see `end`
    Sentence end; ///< why no value beyond `fits` was tried, or none at all: the rule with its numbers
    std::optional<Impossibility> impossible; ///< where values were tried and none fits
    std::int64_t estimates = 0; ///< estimates that the answer took

    bool operator==(const Limit&) const = default;
};

/// The limit of one quantity. Only values count that break no rule of another kind than the plan itself breaks.
///
/// * Sequence length: multiples of 128 tokens that context and sequence parallelism can split. The global batch stays
///   the same number of sequences.
/// * Micro-batch size: divisors of the sequences per replica, global batch / data, both held; the number of
///   micro-batches follows.
/// * Served sequences: multiples of micro-batch x data; their caches are all resident.
/// * Model size: shapes of the model's family (of the nearest, where it belongs to none) that keep its vocabulary and
///   kinds of layers, with depths that pipeline x virtual pipeline divide. Models with experts or latent attention, for
///   which no family is known, keep their width and change their depth.
/// * Cards: whole nodes, or cards of one node; data follows and must divide the batch. With any degrees: the fewest
///   cards over tensor within a node, pipeline and data; of several plans with as few, the fastest.
///
/// Found by bisection: where memory does not grow from value to value, the limit met first from the plan's own value.
[[nodiscard]] Limit limitOf(const Plan& plan, LimitOf quantity, Profile profile = Profile::AsPlanned);

} // namespace cardfit
