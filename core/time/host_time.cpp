// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/host_time.h"

#include <algorithm>

namespace cardfit {

namespace {

/// Share of a layer's launches that CUDA graphs leave to the host.
double launchedShare(const Plan& plan, LayerKind kind)
{
    const Constants& constants = plan.constants;
    const double attention = constants[Constant::AttentionLaunches];
    const double replayed = constants[Constant::GraphLaunch];
    const bool follows = kind.mlp != LayerMlp::None;
    const double mixer = kind.mixer == TokenMixer::None ? 0.0 : follows ? attention : 1.0;
    const double router =
        !kind.experts() ? 0.0 : constants[Constant::RouterLaunches] / (mixer > 0.0 ? 1.0 : 1.0 - attention);
    switch (plan.recipe.cuda_graph) {
    case CudaGraph::None: break;
    case CudaGraph::Attention: return std::max(replayed, 1.0 - mixer);
    case CudaGraph::Router: return 1.0 - router;
    case CudaGraph::AttentionRouter: return std::max(replayed, 1.0 - mixer - router);
    case CudaGraph::Layer: return kind.experts() ? 1.0 - mixer - router : replayed;
    case CudaGraph::FullIteration: return replayed;
    }
    return 1.0;
}

/// Launches of a whole layer (attention and MLP or experts), as a factor.
double launchShare(const Plan& plan, bool experts)
{
    const Constants& constants = plan.constants;
    const double more = experts ? constants[Constant::ExpertsOverDense] : 1.0;
    switch (plan.recipe.kernels) {
    case Kernels::MegatronLocal: break;
    case Kernels::TransformerEngine:
        if (experts) return constants[Constant::ExpertModules];
        return constants[isNarrow(plan.recipe.precision) ? Constant::NarrowModules : Constant::LargeModules];
    case Kernels::Eager: return more * constants[Constant::LargeModules];
    case Kernels::Compiled: return more * constants[Constant::CompiledModules];
    }
    return more;
}

/// Launches of the steps of an attention ring, each direction: merges in plain PyTorch are kernels of their own.
Seconds ringLaunches(const Plan& plan, LayerKind kind)
{
    const Recipe& recipe = plan.recipe;
    const bool eager = recipe.kernels == Kernels::Eager || recipe.kernels == Kernels::Compiled;
    const bool ring = plan.parallelism.context > 1 && recipe.context_communication == ContextCommunication::P2p;
    if (!eager || !ring || kind.mixer == TokenMixer::None || kind.recurrent()) return {};
    return computeFactor(plan) * static_cast<double>(plan.parallelism.context)
        * Seconds(plan.constants[Constant::ChunkLaunch]);
}

} // namespace

HostTime hostTime(const Plan& plan, LayerKind kind)
{
    const Constants& constants = plan.constants;
    double part = 1.0;
    if (kind.mlp == LayerMlp::None)
        part = constants[Constant::MixerLaunches];
    else if (kind.mixer == TokenMixer::None)
        part = 1.0 - constants[kind.experts() ? Constant::AttentionLaunches : Constant::MixerLaunches];
    const double share = computeFactor(plan) * part * launchShare(plan, kind.experts()) * launchedShare(plan, kind);
    HostTime host{
        share * Seconds(constants[Constant::LocalForward]), share * Seconds(constants[Constant::LocalBackward])};
    const Seconds chunks = ringLaunches(plan, kind);
    host.forward += chunks;
    host.backward += chunks;
    return host;
}

Seconds deviceWait(const Plan& plan)
{
    const ExpertRecipe& recipe = plan.recipe.moe;
    const auto& moe = plan.model.architecture.moe;
    const bool waits = moe && !moe->capacity_factor && recipe.dispatcher == Dispatcher::AllToAll
        && plan.parallelism.expert > 1 && !recipe.expert_overlap && plan.recipe.framework == Framework::Megatron
        && plan.workload.task != Task::Inference;
    return waits ? computeFactor(plan) * Seconds(plan.constants[Constant::CountsWait]) : Seconds(0.0);
}

} // namespace cardfit
