// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/server.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/layers/layer_split.h"
#include "core/memory/inference.h"
#include "core/memory/overheads.h"
#include "core/plan/engines.h"
#include "core/rules/checks.h"

namespace cardfit {

namespace {

constexpr std::int64_t kMostTensor = 64;
constexpr std::int64_t kMostBlocks = (std::int64_t{1} << 32) / kCacheBlock; ///< more than any cache holds

/// Whether an engine serves the model; otherwise a PyTorch loop does.
bool hasEngine(const Plan& plan) { return plan.recipe.kernels == Kernels::Compiled; }
bool isVllm(const Plan& plan) { return hasEngine(plan) && !traits(engineOf(plan)).shares_what_is_left; }

Bytes sum(const std::vector<Term>& terms)
{
    Bytes bytes;
    for (const Term& term : terms)
        bytes += term.bytes;
    return bytes;
}

/// The plan as one replica that serves a single sequence of this many tokens.
Plan servingOne(Plan plan, std::int64_t tokens)
{
    plan.workload.sequence_length = tokens;
    plan.workload.micro_batch_size = 1;
    plan.workload.global_batch_size = dataParallel(plan);
    return plan;
}

/// Bytes that one sequence of this many blocks takes in the cache, on a card of a stage. `one`: servingOne().
Bytes sequenceBytes(Plan& one, const StageLayers& stage, std::int64_t blocks)
{
    one.workload.sequence_length = blocks * kCacheBlock;
    return sum(keyValueCache(one, stage));
}

/// The most that a forward pass holds besides weights and cache: for the largest batch of tokens, whatever the plan's
/// prompts are.
Bytes forwardPeak(const Plan& plan, const StageLayers& stage)
{
    constexpr std::int64_t kMostTokens = std::int64_t{1} << 32;
    const std::int64_t tokens = hasEngine(plan) ? kMostTokens : plan.workload.sequence_length;
    Bytes peak;
    for (const ChunkActivations& chunk : prefillActivations(servingOne(plan, tokens), stage))
        peak = std::max(peak, chunk.memory.forward.net());
    return peak;
}

std::int64_t blocksOf(std::int64_t tokens) { return (tokens + kCacheBlock - 1) / kCacheBlock; }

/// The server's share of a stage's card and what it is filled with, without what the cache holds.
ServerCapacity shareOf(const PlanContext& context, std::size_t stage)
{
    const Plan& plan = context.plan;
    const StageLayers& layers = context.stages[stage];
    ServerCapacity server;
    server.stage = static_cast<std::int64_t>(stage);
    const Bytes card = usableMemory(plan.cluster.accelerator);
    server.weights = sum(servedWeights(plan, context.parameters[stage]));
    server.activations =
        forwardPeak(plan, layers) + sum(fixedTerms(plan, context.tables, layers, context.parameters[stage]));
    for (const Term& term : deviceTerms(plan)) {
        if (term.segment == Segment::Communication || !isVllm(plan)) server.outside += term.bytes;
    }
    if (isVllm(plan)) server.outside += mebibytes(plan, Constant::OutsideAllocator);
    const auto& given = plan.recipe.gpu_memory_utilization;
    if (hasEngine(plan) && !isVllm(plan)) {
        const Bytes used = server.weights + server.activations + server.outside;
        const double share = given.value_or(plan.constants[Constant::FreeShare]);
        server.budget =
            std::min(used + roundToBytes(share * static_cast<double>(std::max(card - used, Bytes(0)).value())), card);
        server.utilization = server.budget / card;
    } else {
        server.utilization = given.value_or(isVllm(plan) ? plan.constants[Constant::ServerShare] : 1.0);
        server.budget = roundToBytes(server.utilization * static_cast<double>(card.value()));
    }
    server.cache = std::max(server.rest(), Bytes(0));
    Plan one = servingOne(plan, plan.workload.sequence_length);
    server.per_sequence = sequenceBytes(one, layers, blocksOf(plan.workload.sequence_length));
    server.missing = std::max(server.per_sequence - server.rest(), Bytes(0));
    return server;
}

ServerCapacity capacityOf(const PlanContext& context, std::size_t stage)
{
    const Plan& plan = context.plan;
    ServerCapacity server = shareOf(context, stage);
    const auto length = blocksOf(plan.workload.sequence_length);
    Plan one = servingOne(plan, plan.workload.sequence_length);
    const auto holds = [&](std::int64_t blocks) {
        return sequenceBytes(one, context.stages[stage], blocks) <= server.cache;
    };
    if (server.per_sequence > Bytes(0)) {
        server.sequences = server.cache / server.per_sequence;
        server.blocks = static_cast<std::int64_t>(
            std::min(std::floor(server.sequences * static_cast<double>(length)), static_cast<double>(kMostBlocks)));
    }
    server.bounded = !holds(kMostBlocks);
    std::int64_t misses = kMostBlocks;
    while (server.bounded && misses - server.longest_blocks > 1) {
        const std::int64_t middle = server.longest_blocks + (misses - server.longest_blocks) / 2;
        (holds(middle) ? server.longest_blocks : misses) = middle;
    }
    if (!server.bounded) server.longest_blocks = kMostBlocks;
    return server;
}

/// Sequences that a card has room for; negative where its share does not hold the rest, unbounded if none of its layers
/// caches anything.
double roomFor(const ServerCapacity& server)
{
    if (server.per_sequence > Bytes(0)) return server.rest() / server.per_sequence;
    return server.rest() < Bytes(0) ? -1.0 : std::numeric_limits<double>::infinity();
}

/// The plan with a larger tensor degree, the same number of replicas, and the cards for them.
Plan withTensor(Plan plan, std::int64_t tensor)
{
    const std::int64_t replicas = std::max<std::int64_t>(dataParallel(plan), 1);
    plan.parallelism.tensor = tensor;
    plan.parallelism.data = replicas;
    const std::int64_t needed = replicas * replicaCards(plan.parallelism);
    Cluster& cluster = plan.cluster;
    if (cluster.nodes == 1)
        cluster.cards_per_node = std::max(cluster.cards_per_node, needed);
    else
        cluster.nodes = std::max(cluster.nodes, (needed + cluster.cards_per_node - 1) / cluster.cards_per_node);
    return plan;
}

std::optional<LargerServer> largerServer(const Plan& plan)
{
    if (breaksRule(check(plan))) return std::nullopt; // degrees would be blamed for it
    const std::int64_t now = plan.parallelism.tensor;
    for (std::int64_t tensor = now + 1; tensor <= std::max(kMostTensor, 2 * now); ++tensor) {
        const Plan larger = withTensor(plan, tensor);
        if (breaksRule(check(larger))) continue;
        return LargerServer{tensor, replicaCards(larger.parallelism), serverCapacity(planContext(larger))};
    }
    return std::nullopt;
}

} // namespace

ServerCapacity serverCapacity(const PlanContext& context)
{
    ServerCapacity least = capacityOf(context, 0);
    for (std::size_t stage = 1; stage < context.stages.size(); ++stage) {
        ServerCapacity one = capacityOf(context, stage);
        const bool bounded = least.bounded || one.bounded;
        const std::int64_t longest = std::min(least.longest_blocks, one.longest_blocks);
        const Bytes missing = std::max(least.missing, one.missing);
        if (roomFor(one) < roomFor(least)) least = one;
        least.longest_blocks = longest;
        least.missing = missing;
        least.bounded = bounded;
    }
    return least;
}

Bytes serverLacks(const PlanContext& context, std::size_t stage) { return shareOf(context, stage).missing; }

double servingError(const Plan& plan)
{
    constexpr double kDense = 0.15;
    constexpr double kExperts = 0.25;
    return plan.model.architecture.moe ? kExperts : kDense;
}

ServingRoom servingRoom(const PlanContext& context, const ServerCapacity& capacity, const ServerClock& clock)
{
    const double most = static_cast<double>(kMostBlocks);
    const auto stage = static_cast<std::size_t>(capacity.stage);
    const double bytes = clock.decoding().cacheBytes(stage, servedLengths(context.plan).longest());
    const double cached = bytes > 0.0 ? static_cast<double>(capacity.cache.value()) / bytes : most;
    const std::int64_t admitted = admittedSequences(context.plan);
    return {std::min(cached, most), admitted > 0 ? static_cast<double>(admitted) : most};
}

std::optional<ServerPace> serverPace(const PlanContext& context, const ServerCapacity& capacity)
{
    const Plan& plan = context.plan;
    const Workload& work = plan.workload;
    if (capacity.missing > Bytes(0)) return std::nullopt; // the server does not start
    ServerPace answer;
    answer.lengths = servedLengths(plan);
    answer.error = servingError(plan);
    const ServerClock clock(context, answer.lengths);
    const ServingRoom room = servingRoom(context, capacity, clock);
    if (room.sequences() < 1.0) return std::nullopt;
    const double replicas = static_cast<double>(std::max<std::int64_t>(dataParallel(plan), 1));
    const double cards = replicas * static_cast<double>(replicaCards(plan.parallelism));

    // A small cache is what a small error of memory leaves of it (tests/validation/README.md, servers).
    constexpr Bytes kUncertain(std::int64_t{1} << 30);
    constexpr double kWorthSaying = 0.1;
    const auto holds = [&](Bytes cache) {
        return std::floor(std::min(room.cached * (cache / capacity.cache), room.admitted)) * replicas;
    };
    const auto range =
        std::pair(holds(std::max(capacity.cache - kUncertain, Bytes(0))), holds(capacity.cache + kUncertain));
    if (capacity.cache > Bytes(0) && !work.concurrency && !work.requests_per_second
        && range.second - range.first > 2.0 * kWorthSaying * room.sequences() * replicas)
        answer.concurrency_range = range;

    double slots = std::floor(room.sequences());
    if (work.concurrency) slots = std::min(slots, static_cast<double>(*work.concurrency) / replicas);
    if (work.requests_per_second && answer.lengths.known()) {
        const double rate = *work.requests_per_second * answer.lengths.output / replicas;
        answer.overloaded = clock.throughput(slots, 0.0) < rate;
        slots = clock.sequencesAt(rate, slots);
    }
    const double queue = work.queue ? static_cast<double>(*work.queue) / replicas : 0.0;
    if (queue > 0.0) slots = std::min(slots, queue);
    answer.concurrency = slots * replicas;
    answer.sequences = std::max(slots, 1.0);
    answer.queue = queue;
    answer.pace = clock.pace(answer.sequences);
    answer.cards = clock.cards(answer.sequences, answer.pace);
    answer.tpot_alone = clock.pace(1.0).tpot();
    answer.output_tokens_per_second = replicas * clock.throughput(slots, queue);
    answer.output_tokens_per_second_per_card = answer.output_tokens_per_second / cards;
    if (answer.lengths.known()) answer.requests_per_second = answer.output_tokens_per_second / answer.lengths.output;
    answer.users = clock.usersWithin(work.limits.value_or(ServingLimits()), room, replicas);
    constexpr double kHour = 3600.0;
    constexpr double kMillion = 1e6;
    const Accelerator& card = plan.cluster.accelerator;
    if (card.price_per_hour_usd)
        answer.usd_per_million_tokens =
            kMillion * *card.price_per_hour_usd / kHour / answer.output_tokens_per_second_per_card;
    if (card.power_w) answer.joules_per_token = *card.power_w / answer.output_tokens_per_second_per_card;
    return answer;
}

ServedLoad servedLoad(const PlanContext& context, const ServerCapacity& capacity)
{
    const Plan& plan = context.plan;
    const Workload& work = plan.workload;
    const ServedLengths lengths = servedLengths(plan);
    const ServerClock clock(context, lengths);
    const ServingRoom room = servingRoom(context, capacity, clock);
    ServedLoad load;
    load.kept = !work.concurrency && !work.requests_per_second && !work.limits;
    if (room.sequences() < 1.0) return load;
    const auto replicas = static_cast<double>(std::max<std::int64_t>(dataParallel(plan), 1));
    const auto most =
        static_cast<double>(clock.usersWithin(work.limits.value_or(ServingLimits()), room, replicas).users);
    double wanted = work.concurrency ? static_cast<double>(*work.concurrency) : most;
    bool answered = true;
    if (work.requests_per_second && lengths.known()) {
        const double rate = *work.requests_per_second * lengths.output / replicas;
        answered = clock.throughput(room.sequences(), 0.0) >= rate;
        wanted = replicas * clock.sequencesAt(rate, room.sequences());
    }
    load.kept = load.kept || (answered && most >= 1.0 && wanted <= most);
    load.users = std::clamp(wanted, 1.0, replicas * room.sequences());
    const double slots = std::max(load.users / replicas, 1.0);
    load.output_tokens_per_second = load.users / slots * clock.throughput(slots, 0.0);
    load.tpot = clock.pace(slots).tpot();
    return load;
}

std::optional<ServerAnswers> serverAnswers(const PlanContext& context)
{
    const Plan& plan = context.plan;
    if (plan.workload.task != Task::Inference) return std::nullopt;
    ServerAnswers answers;
    answers.length = plan.workload.sequence_length;
    answers.cards = replicaCards(plan.parallelism);
    answers.admitted = admittedSequences(plan);
    answers.made_for = plan.model.architecture.max_position_embeddings;
    answers.capacity = serverCapacity(context);
    answers.pace = serverPace(context, answers.capacity);
    answers.larger = largerServer(plan);
    return answers;
}

} // namespace cardfit
