// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/stages.h"

#include "core/count_product.h"
#include "core/pipeline/placement.h"

namespace cardfit {

namespace {

/// Layers of one of `stages` stages. Where they do not divide, the embedding and the head count as a layer each, as
/// with Megatron-LM's --account-for-embedding-in-pipeline-split and --account-for-loss-in-pipeline-split, and what is
/// left over goes to the stages in the middle.
std::int64_t shareOf(std::int64_t layers, std::int64_t stages, std::int64_t stage)
{
    if (layers % stages == 0) return layers / stages;
    const std::int64_t units = layers + 2;
    const std::int64_t rest = units % stages;
    const std::int64_t first_larger = (stages - rest) / 2;
    const bool larger = stage >= first_larger && stage < first_larger + rest;
    const std::int64_t ends = (stage == 0 ? 1 : 0) + (stage == stages - 1 ? 1 : 0);
    return units / stages + (larger ? 1 : 0) - ends;
}

/// Layers of every stage in the order in which a micro-batch visits them.
std::vector<LayerRange> layersInOrder(const Plan& plan, const Pipe& pipe)
{
    const auto& given = plan.parallelism.layers_per_stage;
    const auto stages = static_cast<std::int64_t>(pipe.size());
    const std::int64_t chunks = stages / plan.parallelism.pipeline;
    const auto layersOf = [&](std::size_t stage) {
        if (!given) return shareOf(plan.model.architecture.num_hidden_layers, stages, static_cast<std::int64_t>(stage));
        if (static_cast<std::int64_t>(given->size()) == stages) return given->at(stage);
        return given->at(pipe[stage].rank) / chunks;
    };
    std::vector<LayerRange> layers;
    std::int64_t next = 0;
    for (std::size_t stage = 0; stage < pipe.size(); ++stage) {
        const std::int64_t count = layersOf(stage);
        layers.push_back({next, next + count});
        next += count;
    }
    return layers;
}

} // namespace

std::int64_t chunksInPipe(const Plan& plan)
{
    const bool copies = placementOf(plan.recipe.schedule) == Placement::Bidirectional;
    return copies ? 1 : plan.parallelism.virtual_pipeline;
}

std::int64_t stagesInPipe(const Plan& plan) { return product(plan.parallelism.pipeline, chunksInPipe(plan)); }

std::vector<StageLayers> stageLayers(const Plan& plan)
{
    const auto ranks = static_cast<std::size_t>(plan.parallelism.pipeline);
    const auto chunks = static_cast<std::size_t>(plan.parallelism.virtual_pipeline);
    std::vector<StageLayers> stages(ranks, StageLayers{std::vector<ModelChunk>(chunks)});
    for (const Pipe& pipe : pipes(placementOf(plan.recipe.schedule), ranks, chunks)) {
        const auto layers = layersInOrder(plan, pipe);
        for (std::size_t i = 0; i < pipe.size(); ++i)
            stages[pipe[i].rank].chunks[pipe[i].chunk] = {layers[i], i == 0, i + 1 == pipe.size()};
    }
    return stages;
}

} // namespace cardfit
