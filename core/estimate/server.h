// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/units.h"
#include "core/memory/plan_context.h"
#include "core/plan/plan.h"
#include "core/serving/server_time.h"

/// How much memory a served plan leaves for the key/value cache, and how many sequences that holds.
namespace cardfit {

/// Tokens of one block of the cache (vLLM, PagedAttention, arXiv:2309.06180; CacheConfig.block_size): every sequence
/// takes whole blocks.
inline constexpr std::int64_t kCacheBlock = 16;

/// The cache of one replica, by the card with the least room for it.
struct ServerCapacity {
    std::int64_t stage = 0; ///< of that card
    double utilization = 0.0; ///< share of the card that the server fills
    Bytes budget; ///< that share
    Bytes weights;
    Bytes activations; ///< what the largest forward pass needs in addition, and buffers of the process
    Bytes outside; ///< outside the allocator, but within the budget
    Bytes cache; ///< what the budget leaves; 0 if it does not even hold these
    Bytes per_sequence; ///< cache of one sequence at the plan's length, in whole blocks
    Bytes missing; ///< what the budget is too small by for one sequence of the plan's length; 0 if it holds one
    std::int64_t blocks = 0; ///< of kCacheBlock tokens each, of sequences at the plan's length
    double sequences = 0.0; ///< of the plan's length at once (vLLM's maximum concurrency); 0 if nothing is cached
    std::int64_t longest_blocks = 0; ///< of the longest sequence that the cache holds alone; 0: none
    bool bounded = true; ///< false: a sequence of any length fits, because no layer keeps all tokens

    /// budget without weights, activations and outside; negative: the budget does not hold them.
    [[nodiscard]] Bytes rest() const { return budget - weights - activations - outside; }
    [[nodiscard]] std::int64_t tokens() const { return blocks * kCacheBlock; }
    [[nodiscard]] std::int64_t longestContext() const { return longest_blocks * kCacheBlock; }

    bool operator==(const ServerCapacity&) const = default;
};

/// The same with more cards for each replica.
struct LargerServer {
    std::int64_t tensor = 1;
    std::int64_t cards = 1; ///< of one replica
    ServerCapacity capacity;

    bool operator==(const LargerServer&) const = default;
};

/// How fast the server answers, at the plan's concurrency.
struct ServerPace {
    ServedLengths lengths;
    double sequences = 1.0; ///< at once in one replica for which times are given, at least 1
    double queue = 0.0; ///< requests that wait for them; 0: endless
    double concurrency = 0.0; ///< sequences decoded at once, in all replicas
    ServingPace pace;
    std::vector<DecodeParts> cards; ///< the time per token on a card of each stage
    Seconds tpot_alone;
    double output_tokens_per_second = 0.0; ///< in the steady state
    double output_tokens_per_second_per_card = 0.0;
    std::optional<double> requests_per_second; ///< none: the length of answers is not known
    /// Sequences at once in all replicas if memory is a gibibyte less or more than counted, where that is a tenth of
    /// them or more; else none.
    std::optional<std::pair<double, double>> concurrency_range;
    bool overloaded = false; ///< the plan's requests a second come faster than they can be answered
    ServedUsers users; ///< that keep the plan's limits
    std::optional<double> usd_per_million_tokens; ///< of output
    std::optional<double> joules_per_token; ///< of output, at the cards' rated power
    double error = 0.0; ///< typical error of the times of such models, as a share: see servingError()

    bool operator==(const ServerPace&) const = default;
};

struct ServerAnswers {
    std::int64_t length = 0; ///< of the plan's sequences, in tokens
    std::int64_t cards = 1; ///< of one replica
    std::int64_t admitted = 0; ///< sequences that the server runs at once at most (max_num_seqs); 0: no bound is known
    std::int64_t made_for = 0; ///< tokens that the model was made for (max_position_embeddings); 0: not said
    ServerCapacity capacity; ///< of each replica
    std::optional<ServerPace> pace; ///< none: the server holds no sequence, or does not start
    std::optional<LargerServer> larger; ///< with the next legal tensor degree; none: there is none

    bool operator==(const ServerAnswers&) const = default;
};

/// How vLLM divides a card (vllm/v1/worker/gpu_worker.py, determine_available_memory): the cache is
/// gpu_memory_utilization x card minus the weights, minus the peak of a forward pass of max_num_batched_tokens with
/// sampling for max_num_seqs, minus what has been allocated outside the allocator since the process began
/// (communication libraries, and 0.13 GiB on one card: llm-d-planner, docs/empirical-vllm-memory-results.md). The
/// device context was there before, in the share of the card that the server does not use. Without compiled kernels the
/// server is a PyTorch loop, which fills the whole card except the context. The card is usableMemory(): the total that
/// CUDA reports. Left out: CUDA graphs. Requires a served plan whose estimate no check prevents.
[[nodiscard]] ServerCapacity serverCapacity(const PlanContext& context);

/// ServerCapacity::missing of one stage. A server that lacks it does not start: vLLM refuses a max_model_len that its
/// cache does not hold (vllm/v1/core/kv_cache_utils.py, _check_enough_kv_cache_memory).
[[nodiscard]] Bytes serverLacks(const PlanContext& context, std::size_t stage);

/// Share by which published runs of such models were off, half of them more and half of them less, rounded up
/// (`cardfit validate serving`): 0.15 of dense models, 0.25 of those with experts, as two engines with the same set-up
/// differ by 0.14.
[[nodiscard]] double servingError(const Plan& plan);

/// Sequences that one replica can run at once, at the mean length of the plan's requests.
[[nodiscard]] ServingRoom servingRoom(
    const PlanContext& context, const ServerCapacity& capacity, const ServerClock& clock);

/// How fast it answers; none if it holds no sequence, or does not start because it lacks room for one of full length.
[[nodiscard]] std::optional<ServerPace> serverPace(const PlanContext& context, const ServerCapacity& capacity);

/// What a server gives to as many users as its plan asks for; where it asks for no number, to as many as keep its
/// limits.
struct ServedLoad {
    double users = 0.0; ///< at once, over all replicas
    double output_tokens_per_second = 0.0;
    Seconds tpot;
    /// Whether there is room for all of them, and they keep the limits; a load in requests a second is answered. True
    /// of a plan that asks for neither.
    bool kept = false;

    bool operator==(const ServedLoad&) const = default;
};
[[nodiscard]] ServedLoad servedLoad(const PlanContext& context, const ServerCapacity& capacity);

/// All answers; none for a plan that trains.
[[nodiscard]] std::optional<ServerAnswers> serverAnswers(const PlanContext& context);

} // namespace cardfit
