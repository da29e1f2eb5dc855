// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/stages.h"

#include "core/base/count_product.h"
#include "core/pipeline/orders/placement.h"

namespace cardfit {

namespace {

std::vector<Pipe> pipesOf(const Plan& plan)
{
    return pipes(placementOf(plan.recipe.schedule), static_cast<std::size_t>(plan.parallelism.pipeline),
        static_cast<std::size_t>(plan.parallelism.virtual_pipeline));
}

} // namespace

std::int64_t chunksInPipe(const Plan& plan)
{
    const bool copies = placementOf(plan.recipe.schedule) == Placement::Bidirectional;
    return copies ? 1 : plan.parallelism.virtual_pipeline;
}

std::int64_t stagesInPipe(const Plan& plan) { return product(plan.parallelism.pipeline, chunksInPipe(plan)); }

std::int64_t leastLayers(const Plan& plan) { return stagesInPipe(plan) - 2; }

std::vector<std::int64_t> listedLayers(const Plan& plan)
{
    const auto& list = *plan.parallelism.layers_per_stage;
    const auto chunks = static_cast<std::size_t>(chunksInPipe(plan));
    if (chunks == 1 || list.size() == static_cast<std::size_t>(stagesInPipe(plan))) return list;
    const Pipe pipe = pipesOf(plan).front();
    std::vector<std::int64_t> layers(pipe.size());
    for (std::size_t rank = 0; rank < list.size(); ++rank) {
        const auto each = list[rank] / static_cast<std::int64_t>(chunks);
        std::int64_t rest = list[rank] % static_cast<std::int64_t>(chunks);
        // The remainder goes to the last stages first, which keep the fewest micro-batches, and to the two ends last.
        for (const bool ends : {false, true}) {
            for (std::size_t stage = pipe.size(); stage-- > 0;) {
                const bool is_end = stage == 0 || stage + 1 == pipe.size();
                if (pipe[stage].rank != rank || is_end != ends) continue;
                layers[stage] = each + (rest > 0 ? 1 : 0);
                rest -= rest > 0 ? 1 : 0;
            }
        }
    }
    return layers;
}

std::vector<StageLayers> stagesWith(const Plan& plan, const std::vector<std::int64_t>& layers)
{
    const auto ranks = static_cast<std::size_t>(plan.parallelism.pipeline);
    const auto chunks = static_cast<std::size_t>(plan.parallelism.virtual_pipeline);
    std::vector<StageLayers> stages(ranks, StageLayers{std::vector<ModelChunk>(chunks)});
    for (const Pipe& pipe : pipesOf(plan)) {
        std::int64_t next = 0;
        for (std::size_t i = 0; i < pipe.size(); ++i) {
            const LayerRange range{next, next + layers[i]};
            stages[pipe[i].rank].chunks[pipe[i].chunk] = {range, i == 0, i + 1 == pipe.size()};
            next = range.end;
        }
    }
    return stages;
}

} // namespace cardfit
