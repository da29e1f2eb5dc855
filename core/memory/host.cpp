// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/host.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/enum_names.h"

namespace cardfit {

namespace {

constexpr double kDeepSpeedBuffers = 0.5; ///< additional_buffer_factor of its estimators, 1.5
/// Bytes of a rank's process: interpreter, the libraries of PyTorch, CUDA and NCCL, and a loader that reads ahead; a
/// usual value, not published.
constexpr double kProcess = 3e9;
constexpr double kReadFile = 5e9; ///< bytes of one file of a checkpoint (Hugging Face, max_shard_size)

Bytes& part(HostBytes& bytes, HostPart of) { return bytes[static_cast<std::size_t>(of)]; }

/// What one card of a stage has on its node.
struct CardOnHost {
    HostBytes bytes{};
    Bytes pinned;
};

Bytes ofSegment(const std::vector<Term>& terms, Segment segment)
{
    Bytes sum;
    for (const Term& term : terms) {
        if (term.segment == segment) sum += term.bytes;
    }
    return sum;
}

/// Parameters of one card whose states the host updates.
double updatedOnHost(const Plan& plan, const StageParameters& parameters)
{
    const double learned = trainsAdapters(plan)
        ? parameters.adapter / denseShards(plan)
        : parameters.dense.all / denseShards(plan) + parameters.expert.all / expertShards(plan);
    return plan.recipe.offload.optimizer * learned;
}

/// Bytes of a gradient that an optimizer on the host reads, beyond the gradients that are offloaded themselves.
double gradientCopy(const Plan& plan)
{
    constexpr double kFp32 = 4.0;
    const double own = stateLayout(plan).gradients;
    switch (plan.recipe.framework) {
    case Framework::DeepSpeed:
        // ZeRO-3 keeps the 16-bit partition as well; before, they are written into the fp32 ones.
        if (plan.recipe.sharding == Sharding::Zero3) return kFp32;
        return std::max(0.0, kFp32 - own * (offloadedGradients(plan) > 0.0 ? 1.0 : 0.0));
    case Framework::Megatron: return own;
    case Framework::Fsdp: break;
    }
    return 0.0;
}

CardOnHost onHost(const PlanContext& context, const StageMemory& memory, std::size_t stage)
{
    const Plan& plan = context.plan;
    CardOnHost card;
    part(card.bytes, HostPart::Processes) = roundToBytes(kProcess);
    if (plan.workload.task == Task::Inference) return card;
    const StageParameters& parameters = context.parameters[stage];
    for (const Term& term : memory.terms) {
        if (term.id == "activations.offloaded") part(card.bytes, HostPart::Activations) -= term.bytes;
    }
    card.pinned += part(card.bytes, HostPart::Activations);
    const double paged = checkpointLayout(plan).moments - stateLayout(plan).moments;
    if (paged > 0.0 && !trainsAdapters(plan)) {
        part(card.bytes, HostPart::Optimizer) += roundToBytes(
            paged * (parameters.dense.all / denseShards(plan) + parameters.expert.all / expertShards(plan)));
    }
    const Offload& offload = plan.recipe.offload;
    if (offload.optimizer == 0.0 && offload.parameters == 0.0 && offloadedGradients(plan) == 0.0) return card;
    Plan resident = plan;
    resident.recipe.offload = {};
    const auto whole = stateTerms(resident, parameters, 1);
    const auto kept = stateTerms(plan, parameters, 1);
    const auto offloaded = [&](Segment segment) {
        return std::max(Bytes(0), ofSegment(whole, segment) - ofSegment(kept, segment));
    };
    part(card.bytes, HostPart::Weights) = offloaded(Segment::Weights);
    part(card.bytes, HostPart::Gradients) =
        offloaded(Segment::Gradients) + roundToBytes(gradientCopy(plan) * updatedOnHost(plan, parameters));
    part(card.bytes, HostPart::Optimizer) += offloaded(Segment::Optimizer);
    card.pinned +=
        part(card.bytes, HostPart::Weights) + part(card.bytes, HostPart::Gradients) + offloaded(Segment::Optimizer);
    return card;
}

/// Parameters of the whole model, from what the cards of all stages hold.
double wholeModel(const PlanContext& context)
{
    const Plan& plan = context.plan;
    double all = 0.0;
    for (const StageParameters& stage : context.parameters) {
        all += stage.dense.all * static_cast<double>(plan.parallelism.tensor);
        all += stage.expert.all * static_cast<double>(plan.parallelism.expert * expertTensor(plan));
    }
    return all;
}

/// Bytes of a checkpoint that a trainer reads as a whole; none are read so by Megatron-Core, in pretraining and by
/// servers.
double wholeCheckpoint(const PlanContext& context)
{
    constexpr double kStored = 2.0; // of a parameter
    const Task task = context.plan.workload.task;
    const bool in_parts =
        task == Task::Pretrain || task == Task::Inference || context.plan.recipe.framework == Framework::Megatron;
    return in_parts ? 0.0 : kStored * wholeModel(context);
}

/// What a node's ranks hold of the checkpoint while they read it, as launched by Hugging Face's trainers.
/// `model`: wholeCheckpoint().
Bytes whileLoading(const Plan& plan, double model, std::int64_t node, std::int64_t cards)
{
    if (plan.recipe.framework == Framework::Fsdp) return node == 0 ? roundToBytes(2.0 * model) : Bytes(0);
    if (replicaCards(plan.parallelism) > 1) return {}; // pipelines and tensor parallelism read their own parts
    const double read = plan.recipe.sharding == Sharding::Zero3 ? std::min(model, kReadFile) : model;
    return roundToBytes(static_cast<double>(cards) * read);
}

} // namespace

std::string_view hostPartName(HostPart part)
{
    constexpr auto kNames =
        textFor<HostPart>({"weights", "gradients", "optimizer", "activations", "processes", "loading"});
    return kNames[static_cast<std::size_t>(part)];
}

Bytes HostMemory::running() const
{
    return std::accumulate(bytes.begin(), bytes.end(), Bytes(0)) - (*this)[HostPart::Loading];
}

Bytes HostMemory::loading() const
{
    return (*this)[HostPart::Loading] + (*this)[HostPart::Weights] + (*this)[HostPart::Processes];
}

Bytes HostMemory::most() const
{
    const Bytes buffers = roundToBytes(kDeepSpeedBuffers * static_cast<double>(pinned.value()));
    return (*this)[HostPart::Loading] > Bytes(0) ? std::max(running() + buffers, loading()) : running() + buffers;
}

bool HostMemory::offloads() const { return running() > (*this)[HostPart::Processes]; }

Bytes HostMemory::missing() const { return capacity ? std::max(Bytes(0), running() - *capacity) : Bytes(0); }

std::vector<HostMemory> hostMemory(const PlanContext& context, const std::vector<StageMemory>& stages)
{
    const Cluster& cluster = context.plan.cluster;
    std::vector<CardOnHost> cards;
    std::vector<std::int64_t> ends; // the first card after each stage
    std::int64_t placed = 0;
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        const bool same =
            stage > 0 && context.likeTheOneBefore(stage) && stages[stage].peak_passes == stages[stage - 1].peak_passes;
        cards.push_back(same ? cards.back() : onHost(context, stages[stage], stage));
        ends.push_back(placed += stages[stage].cards);
    }
    // Nodes differ only where a stage begins or ends.
    const std::int64_t size = cluster.cards_per_node;
    std::vector<std::int64_t> nodes{0};
    for (const std::int64_t end : ends) {
        for (const std::int64_t node : {(end - 1) / size, end / size, end / size + 1}) {
            if (node * size < placed) nodes.push_back(node);
        }
    }
    nodes.push_back(1); // the first may read the checkpoint alone
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    std::erase_if(nodes, [&](std::int64_t node) { return node * size >= placed; });

    const double model = wholeCheckpoint(context);
    std::vector<HostMemory> hosts;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        HostMemory host;
        host.node = nodes[i];
        host.nodes = (i + 1 < nodes.size() ? nodes[i + 1] : (placed + size - 1) / size) - host.node;
        if (cluster.host_memory_gb) host.capacity = roundToBytes(1e9 * *cluster.host_memory_gb);
        const std::int64_t first = host.node * size;
        const std::int64_t last = std::min(first + size, placed);
        std::int64_t begin = 0;
        for (std::size_t stage = 0; stage < cards.size(); begin = ends[stage++]) {
            const std::int64_t shared = std::min(last, ends[stage]) - std::max(first, begin);
            if (shared <= 0) continue;
            host.cards += shared;
            for (std::size_t of = 0; of < kHostPartCount; ++of)
                host.bytes[of] += shared * cards[stage].bytes[of];
            host.pinned += shared * cards[stage].pinned;
        }
        part(host.bytes, HostPart::Loading) = whileLoading(context.plan, model, host.node, host.cards);
        const bool same = !hosts.empty() && hosts.back().bytes == host.bytes && hosts.back().cards == host.cards;
        if (same)
            hosts.back().nodes += host.nodes;
        else
            hosts.push_back(host);
    }
    return hosts;
}

} // namespace cardfit
