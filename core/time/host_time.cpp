// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/host_time.h"

#include <algorithm>

namespace cardfit {

namespace {

/// Launch times of Megatron's own Python layers.
constexpr Seconds kLocalForward{0.96e-3};
constexpr Seconds kLocalBackward{1.55e-3};
/// Factors on the times above.
constexpr double kLargeModules = 0.5;
constexpr double kCompiled = 0.25;
constexpr double kNarrowModules = 2.0;
constexpr double kExpertModules = 3.6;
/// Router and permutation add as many kernels as an MLP has.
constexpr double kExpertsOverDense = 1.5;

constexpr double kAttentionLaunches = 0.4; ///< share of a layer's launches
constexpr double kRouterLaunches = 0.27;
constexpr double kGraphLaunch = 0.05; ///< of the launches that it replays

constexpr Seconds kCountsWait{2e-3};

/// Share of a layer's launches that CUDA graphs leave to the host.
double launchedShare(CudaGraph graph, LayerKind kind)
{
    const bool follows = kind.mlp != LayerMlp::None;
    const double mixer = kind.mixer == TokenMixer::None ? 0.0 : follows ? kAttentionLaunches : 1.0;
    const double router = !kind.experts() ? 0.0 : kRouterLaunches / (mixer > 0.0 ? 1.0 : 1.0 - kAttentionLaunches);
    switch (graph) {
    case CudaGraph::None: break;
    case CudaGraph::Attention: return std::max(kGraphLaunch, 1.0 - mixer);
    case CudaGraph::Router: return 1.0 - router;
    case CudaGraph::AttentionRouter: return std::max(kGraphLaunch, 1.0 - mixer - router);
    case CudaGraph::Layer: return kind.experts() ? 1.0 - mixer - router : kGraphLaunch;
    case CudaGraph::FullIteration: return kGraphLaunch;
    }
    return 1.0;
}

/// Launches of a whole layer (attention and MLP or experts), as a factor.
double launchShare(const Plan& plan, bool experts)
{
    const double more = experts ? kExpertsOverDense : 1.0;
    switch (plan.recipe.kernels) {
    case Kernels::MegatronLocal: break;
    case Kernels::TransformerEngine:
        if (experts) return kExpertModules;
        return isNarrow(plan.recipe.precision) ? kNarrowModules : kLargeModules;
    case Kernels::Eager: return more * kLargeModules;
    case Kernels::Compiled: return more * kCompiled;
    }
    return more;
}

} // namespace

HostTime hostTime(const Plan& plan, LayerKind kind)
{
    constexpr double kHalf = 0.5; // half of a dense layer's launches belong to the token mixer
    double part = 1.0;
    if (kind.mlp == LayerMlp::None)
        part = kHalf;
    else if (kind.mixer == TokenMixer::None)
        part = kind.experts() ? 1.0 - kAttentionLaunches : kHalf;
    const double share =
        computeFactor(plan) * part * launchShare(plan, kind.experts()) * launchedShare(plan.recipe.cuda_graph, kind);
    return {share * kLocalForward, share * kLocalBackward};
}

Seconds deviceWait(const Plan& plan)
{
    const ExpertRecipe& recipe = plan.recipe.moe;
    const auto& moe = plan.model.architecture.moe;
    const bool waits = moe && !moe->capacity_factor && recipe.dispatcher == Dispatcher::AllToAll
        && plan.parallelism.expert > 1 && !recipe.expert_overlap && plan.recipe.framework == Framework::Megatron
        && plan.workload.task != Task::Inference;
    return waits ? computeFactor(plan) * kCountsWait : Seconds(0.0);
}

} // namespace cardfit
