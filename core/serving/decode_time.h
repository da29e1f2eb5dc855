// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/sentence.h"
#include "core/base/units.h"
#include "core/memory/plan_context.h"
#include "core/time/collectives.h"

namespace cardfit {

/// What one iteration of a serving engine spends its time on, on the cards of one replica.
struct DecodeParts {
    Seconds weights; ///< reading dense weights
    Seconds experts; ///< reading the experts that are touched
    Seconds cache; ///< reading keys, values and recurrent states
    Seconds products; ///< arithmetic that reading does not hide
    Seconds all_reduce; ///< sums over tensor ranks, and exchanges with experts on other ranks
    Seconds layers; ///< launches and small kernels
    Seconds prompts; ///< the prompts of others that ride along
    Seconds pipeline; ///< uneven stages and transfers between them

    [[nodiscard]] Seconds total() const
    {
        return weights + experts + cache + products + all_reduce + layers + prompts + pipeline;
    }
    DecodeParts& operator+=(const DecodeParts& other);
    friend DecodeParts operator*(double factor, const DecodeParts& parts);

    bool operator==(const DecodeParts&) const = default;
};

/// A part, by its key in JSON.
struct DecodePart {
    std::string_view name;
    Phrase label;
    Seconds DecodeParts::*time;
};
inline constexpr auto kDecodeParts = std::to_array<DecodePart>({
    {"weights", Sentence::tr("weights"), &DecodeParts::weights},
    {"experts", Sentence::tr("experts"), &DecodeParts::experts},
    {"cache", Sentence::tr("cache"), &DecodeParts::cache},
    {"products", Sentence::tr("products"), &DecodeParts::products},
    {"all_reduce", Sentence::tr("all-reduce"), &DecodeParts::all_reduce},
    {"layers", Sentence::tr("layers"), &DecodeParts::layers},
    {"prompts", Sentence::tr("prompts"), &DecodeParts::prompts},
    {"pipeline", Sentence::tr("pipeline"), &DecodeParts::pipeline},
});

/// What the cards of a stage do in an iteration.
enum class DecodeWork : std::uint8_t {
    Mixer, ///< products of attention, or of what stands in its place
    Mlp,
    Experts,
    Head,
    Cache,
    DecodedScores, ///< attention of new tokens to the cache
    PromptScores, ///< attention inside prompts
    Sums, ///< over tensor ranks
    Exchanges, ///< with the cards of experts
    Launches, ///< the least time of a layer
    ExpertLaunches,
    RecurrentLaunches,
    IndexerLaunches,
    Sequences, ///< what each sequence takes beside its layers
};

/// An addend of a part.
struct DecodeTerm {
    DecodeWork work = DecodeWork::Mixer;
    Seconds DecodeParts::*part = nullptr;
    Seconds time; ///< of all `count`
    LayerKind kind = {}; ///< of the products
    double count = 1.0; ///< layers, sums or exchanges, sequences
    double bytes = 0.0; ///< that a card reads, or passes on in one exchange
    std::int64_t ranks = 1; ///< that exchange
};

/// What a replica works on in one iteration.
struct DecodeLoad {
    double sequences = 0.0; ///< each adds one token
    double context = 0.0; ///< tokens that each of them attends to, in the mean
    double prompt = 0.0; ///< tokens of prompts that ride along
    double prompt_length = 0.0; ///< of the prompts that they belong to
};

/// Time of one iteration of a serving engine, from the operator table that also estimates training. With M tokens (B
/// sequences and P tokens of prompts):
///
/// - Products of one class (mixer, MLP, experts, output layer) take the fourth root of the sum of fourth powers of two
///   times: their weights over the bandwidth that kernels reach, and their arithmetic, 2 M N K / (peak x efficiency) x
///   [1 + inner / K + conversions x columns / N]. Below some hundred rows products wait for their weights, so
///   training's half-rates at few rows do not hold; a conversion costs M K, so it is added instead of multiplied.
///   Grouped products of experts start anew with each expert that is touched, as long as `grouped-rows` of its rows
///   take.
/// - Of E experts with k chosen per token M tokens touch E (1 - (1 - k / E)^M): only these are read.
/// - The cache is read once per sequence: keys and values at the sequence's length, replicated where there are fewer
///   heads than tensor ranks, latents whole on every rank, windows and chosen tokens at most as many as there are.
///   Recurrent states are read and written.
/// - All-reduces follow the curves of core/time/collectives.h; between an engine's kernels they start later than alone.
/// - Every layer takes a least time, whatever it computes.
/// - Stages of a pipeline work on B / p sequences each.
///
/// The terms are linear in M or constant, so the clock sums them over the layers once, and an iteration costs little.
/// Constants: rows decode.* of `cardfit constants`.
class DecodeClock {
public:
    explicit DecodeClock(const PlanContext& context);

    [[nodiscard]] DecodeParts iteration(const DecodeLoad& load) const;
    /// The same as it looks on a card of each stage, which waits for others where they take longer: every card's parts
    /// sum to the whole iteration.
    [[nodiscard]] std::vector<DecodeParts> cards(const DecodeLoad& load) const;
    /// The addends of a stage's share of an iteration. Over all stages they sum to its parts, but for the pipeline's.
    [[nodiscard]] std::vector<DecodeTerm> terms(std::size_t stage, const DecodeLoad& load) const;

    /// Bytes of the cache that a sequence of this many tokens takes on a card of a stage.
    [[nodiscard]] double cacheBytes(std::size_t stage, double tokens) const;

private:
    /// Products of one class in all layers of a kind on a stage.
    struct Products {
        DecodeWork work = DecodeWork::Mixer;
        LayerKind kind;
        double layers = 1.0;
        double bytes = 0.0; ///< of the weights; of experts, all of them
        double read = 0.0; ///< seconds to read them
        double per_row = 0.0; ///< seconds of arithmetic per token
        double start = 0.0; ///< the same that does not depend on the tokens
    };
    /// A sum or an exchange over ranks.
    struct Exchange {
        DecodeWork work = DecodeWork::Sums;
        Collective collective = Collective::AllReduce;
        RankGroup group;
        double per_row = 0.0; ///< bytes per token
        double times = 0.0;
    };
    /// Launches and small kernels of layers.
    struct Floor {
        DecodeWork work = DecodeWork::Launches;
        double layers = 0.0;
        double seconds = 0.0; ///< of all of them
    };
    struct Stage {
        std::vector<Products> products;
        std::vector<Exchange> exchanges;
        std::vector<Floor> floors;
        double per_token = 0.0; ///< bytes of cache per token of a sequence, in layers that keep all
        double windowed = 0.0; ///< the same in layers with a window
        double compressed = 0.0; ///< the same in layers that keep compressed entries
        double indexed = 0.0; ///< the same of the indexer, which reads all of its own keys
        double states = 0.0; ///< bytes of recurrent states per sequence
        double decoded_flops = 0.0; ///< of attention per pair of tokens, in layers that attend to all
        double prompt_flops = 0.0; ///< the same of prompts
        double windowed_decoded_flops = 0.0;
        double windowed_prompt_flops = 0.0;
    };

    [[nodiscard]] Stage stageOf(const PlanContext& context, const StageLayers& layers) const;
    /// One stage's share of what a replica works on.
    [[nodiscard]] DecodeLoad stageLoad(const DecodeLoad& load) const;
    template <class Add> void eachTerm(const Stage& stage, const DecodeLoad& load, Add add) const;
    [[nodiscard]] DecodeParts stageTime(const Stage& stage, const DecodeLoad& load) const;
    [[nodiscard]] double exchangeTime(const Exchange& exchange, double rows) const;

    const Plan& m_plan; ///< outlives this
    std::vector<Stage> m_stages;
    double m_untouched = 0.0; ///< 1 - k / E
    double m_token_ranks = 1.0; ///< ranks whose tokens reach the same experts
    double m_busiest = 1.0;
    double m_window = 0.0;
    double m_chosen = 0.0; ///< tokens that sparse attention reads; 0: all
    double m_reached = 1.0; ///< bytes a second of weights
    double m_read_cache = 0.0; ///< seconds to read a byte of the cache
    double m_per_sequence = 0.0; ///< seconds of an iteration for each of its sequences
    double m_score_rate = 1.0; ///< FLOP a second of attention
};

} // namespace cardfit
