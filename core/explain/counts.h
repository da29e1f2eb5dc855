// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/estimate.h"
#include "core/memory/activations.h"

namespace cardfit {

/// Says in words what the copies of a term are: "20 layers x 4 micro-batches in flight".
class CountMeaning {
public:
    CountMeaning(const Plan& plan, const StageMemory& stage);

    /// Empty where the count needs no words.
    [[nodiscard]] std::string of(const Term& term) const;

private:
    [[nodiscard]] std::string activations(const Term& term) const;
    [[nodiscard]] std::string perPass(std::size_t chunk, const NamedBytes& tensor) const;

    const Plan& m_plan;
    OperatorTables m_tables;
    StageLayers m_layers;
    std::vector<ChunkActivations> m_chunks; ///< empty at inference
};

} // namespace cardfit
