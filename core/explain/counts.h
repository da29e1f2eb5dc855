// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/memory/activations.h"

namespace cardfit {

/// Says what the count of a term multiplies: "20 layers x 4 micro-batches in flight", "20 layers x (3 micro-batches in
/// flight + 1 pass awaiting its weight half)".
class CountMeaning {
public:
    CountMeaning(const Plan& plan, const StageMemory& stage);

    /// Empty if the count needs no words.
    [[nodiscard]] Sentence of(const Term& term) const;

private:
    [[nodiscard]] Sentence activations(const Term& term) const;
    /// How many passes hold the tensor, over all chunks, and how often each holds it.
    struct Holders {
        std::int64_t passes = 0;
        std::int64_t per_pass = 0;
        Sentence words; ///< describes per_pass; empty for 1
        bool differ = false; ///< per_pass differs between chunks
    };
    [[nodiscard]] Holders holders(const Term& term, bool for_weights) const;
    [[nodiscard]] Sentence perPass(std::size_t chunk, const NamedBytes& tensor, bool for_weights) const;

    const Plan& m_plan;
    PlanContext m_context;
    const StageLayers& m_layers;
    std::vector<ChunkActivations> m_chunks; ///< empty at inference
    std::vector<HeldPasses> m_passes; ///< of each chunk
};

} // namespace cardfit
