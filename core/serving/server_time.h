// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/serving/decode_time.h"

namespace cardfit {

/// Mean lengths of a served plan's requests. Where one of the two is not given, it is what the other leaves of
/// sequence_length. Where neither is: decoding is timed at sequence_length, and nothing is known of prompts.
struct ServedLengths {
    double input = 0.0; ///< tokens of a prompt
    double output = 0.0; ///< tokens of an answer; 0: not known

    [[nodiscard]] bool known() const { return output > 0.0; }
    [[nodiscard]] double longest() const { return input + output; }
    /// Tokens that a sequence attends to, in the mean over its answer.
    [[nodiscard]] double context() const { return input + 0.5 * output; }

    bool operator==(const ServedLengths&) const = default;
};
[[nodiscard]] ServedLengths servedLengths(const Plan& plan);

/// Sequences that one replica can run at once.
struct ServingRoom {
    double cached = 0.0; ///< that its cache holds at the requests' mean length; infinite if nothing is cached
    double admitted = 0.0; ///< that its engine admits

    [[nodiscard]] double sequences() const { return cached < admitted ? cached : admitted; }

    bool operator==(const ServingRoom&) const = default;
};

/// What keeps a server from more users.
enum class ServingBound : std::uint8_t { Tpot, Ttft, Cache, Engine };
inline constexpr std::array<std::string_view, 4> kServingBounds{"tpot", "ttft", "cache", "engine"};
[[nodiscard]] constexpr std::string_view wordOf(ServingBound bound)
{
    return kServingBounds[static_cast<std::size_t>(bound)];
}

/// Times of requests at one concurrency.
struct ServingPace {
    DecodeParts parts; ///< sum to the time per token
    Seconds iteration; ///< mean over all iterations, those with prompts included
    Seconds ttft_alone, ttft_burst;

    [[nodiscard]] Seconds tpot() const { return parts.total(); }

    bool operator==(const ServingPace&) const = default;
};

/// Most users whose requests keep the limits.
struct ServedUsers {
    std::int64_t users = 0; ///< in all replicas
    ServingBound binds = ServingBound::Cache;

    bool operator==(const ServedUsers&) const = default;
};

/// How a server answers many requests, from the time of one iteration. Of one replica with B sequences:
///
/// - Prompts arrive as fast as answers end: B I / O tokens per iteration. The engine feeds them beside decoding, in
///   mixed iterations of at most `chunk` tokens (chunked prefill: Agrawal et al. 2024, arXiv:2403.02310; vLLM's
///   max_num_batched_tokens), which are f = min(1, B I / (O chunk)) of all. A mean iteration takes
///   (1 - f) t(B, 0) + f t(B, B I / (O f)). The throughput is B tokens per mean iteration.
/// - A user sees the prompts of the other B - 1; a part of that wait falls before the first token.
/// - N requests that wait for B slots make floor(N / B) full waves and one of the rest.
/// - The first token of a request alone takes its prompt's own pass; of a burst of B requests, (B + 1) / 2 passes in
///   the mean, and the server's host.
class ServerClock {
public:
    ServerClock(const PlanContext& context, const ServedLengths& lengths);

    [[nodiscard]] const DecodeClock& decoding() const { return m_clock; }
    /// At a concurrency of one replica, at least 1.
    [[nodiscard]] ServingPace pace(double sequences) const;
    /// The time per token on a card of each stage: every card's parts sum to it. `pace`: at that concurrency.
    [[nodiscard]] std::vector<DecodeParts> cards(double sequences, const ServingPace& pace) const;
    /// What an iteration without prompts works on.
    [[nodiscard]] DecodeLoad decoding(double sequences) const;
    /// How a user waits for the prompts of others.
    struct Interference {
        double share = 0.0; ///< of iterations that take prompts along
        Seconds decoding, mixed; ///< an iteration without and one with them
        double before_first_token = 0.0; ///< share of that wait
    };
    [[nodiscard]] Interference interference(double sequences) const;
    /// Passes that a prompt's tokens take.
    struct Prefill {
        double passes = 0.0;
        Seconds pass;
        Seconds host; ///< before them
    };
    [[nodiscard]] Prefill prefill(double prompts) const;
    /// Output tokens a second of one replica with so many slots. `queue`: requests that wait for them; 0: endless.
    [[nodiscard]] double throughput(double slots, double queue) const;
    /// Sequences of one replica at which its throughput reaches a rate; `most` if it never does.
    [[nodiscard]] double sequencesAt(double output_tokens_per_second, double most) const;
    /// Over `replicas` replicas. Requires room for a sequence.
    [[nodiscard]] ServedUsers usersWithin(const ServingLimits& limits, const ServingRoom& room, double replicas) const;

private:
    /// Mean iteration of a replica that decodes B sequences, with the prompts of `others` sequences.
    [[nodiscard]] Seconds mixed(double sequences, double others, Seconds decoding) const;
    [[nodiscard]] Interference interference(double sequences, double others, Seconds decoding) const;
    /// Of a batch of prompts that the engine feeds in chunks.
    [[nodiscard]] Seconds promptTime(double prompts) const;

    DecodeClock m_clock;
    ServedLengths m_lengths;
    double m_chunk = 0.0; ///< tokens of an iteration
    double m_in_first_token = 0.0; ///< share of the others' prompts that a user waits for before the first token
    Seconds m_host; ///< before the first token of a loaded server
};

} // namespace cardfit
