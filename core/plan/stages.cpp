// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/stages.h"

namespace cardfit {

std::vector<StageLayers> stageLayers(const Plan& plan)
{
    const std::int64_t ranks = plan.parallelism.pipeline;
    const std::int64_t chunks = plan.parallelism.virtual_pipeline;
    const auto& given = plan.parallelism.layers_per_stage;

    const auto layersOf = [&](std::int64_t chunk, std::int64_t rank) {
        if (!given) return plan.model.architecture.num_hidden_layers / ranks / chunks;
        const bool every_chunk = chunks > 1 && static_cast<std::int64_t>(given->size()) == ranks * chunks;
        if (every_chunk) return given->at(static_cast<std::size_t>(chunk * ranks + rank));
        return given->at(static_cast<std::size_t>(rank)) / chunks;
    };

    std::vector<StageLayers> stages(static_cast<std::size_t>(ranks));
    std::int64_t next = 0;
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
        for (std::int64_t rank = 0; rank < ranks; ++rank) {
            const std::int64_t count = layersOf(chunk, rank);
            stages[static_cast<std::size_t>(rank)].chunks.push_back({next, next + count});
            next += count;
        }
    }
    stages.front().embedding = true;
    stages.back().head = true;
    return stages;
}

} // namespace cardfit
