// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/parallel.h"
#include "core/layers/layer_split.h"
#include "core/pipeline/analysis/residency.h"
#include "core/pipeline/simulation/simulator.h"
#include "core/plan/field_table.h"
#include "core/plan/plan_schedule.h"
#include "core/rules/rules.h"
#include "core/time/step.h"

namespace cardfit {

namespace {

std::vector<StageMemory> memoryOfStages(const PlanContext& context, const Timeline& timeline)
{
    std::vector<StageMemory> memory(context.stages.size());
    const StageContents contents(context);
    std::size_t stored = 0;
    for (const RankTimeline& rank : timeline.ranks)
        stored += rank.storedSize();
    forEachStage(memory.size(), stored,
        [&](std::size_t stage) { memory[stage] = stageMemory(context, contents, stage, timeline); });
    return memory;
}

/// Seconds, some 30,000 years: no step takes longer, and sums of such durations are still finite.
constexpr double kLongestStep = 1e12;

bool areNumbers(const std::vector<std::vector<Durations>>& durations, const Transfers& transfers)
{
    return transfers.time <= kLongestStep && std::ranges::all_of(durations, [](const std::vector<Durations>& rank) {
        return std::ranges::all_of(rank, [](const Durations& chunk) {
            return chunk.forward + chunk.backward() + chunk.overlapped.value_or(0.0) + chunk.update <= kLongestStep;
        });
    });
}

bool areNumbers(const StepEstimate& step)
{
    const auto& run = step.run;
    return step.seconds <= Seconds(kLongestStep)
        && (!run
            || std::isfinite(
                run->days + run->card_hours + run->cost_usd.value_or(0.0) + run->energy_kwh.value_or(0.0)));
}

Check outOfProportion()
{
    return {RuleId("MAGNITUDE"), Severity::Error,
        Sentence::tr("the step would take more than 10^12 seconds, or the cost of the run is too large to compute; "
                     "check the rates, efficiencies, latencies, price and number of tokens"),
        std::string(pointerOf<&Plan::cluster>), {}, true};
}

/// A stage of which the calibration leaves nothing: the plan is not the one that was measured.
std::optional<Check> overcorrected(const Plan& plan, const std::vector<StageMemory>& stages)
{
    const auto emptied =
        std::ranges::find_if(stages, [](const StageMemory& stage) { return stage.allocated() <= Bytes(0); });
    if (emptied == stages.end() || !plan.calibration) return std::nullopt;
    return Check{RuleId("MAGNITUDE"), Severity::Error,
        Sentence::tr(
            "the calibration takes {} bytes off every card, all that stage {} holds and more: measure this plan",
            {-plan.calibration->residual.value(), emptied - stages.begin()}),
        std::string(pointerOf<&Calibration::residual>), {}, true};
}

/// The offload of which a node holds most.
std::string_view heldMost(const HostMemory& host)
{
    const auto states = host[HostPart::Optimizer] + host[HostPart::Gradients];
    const Bytes most = std::max({states, host[HostPart::Weights], host[HostPart::Activations]});
    if (most == states) return pointerOf<&Offload::optimizer>;
    return most == host[HostPart::Weights] ? pointerOf<&Offload::parameters> : pointerOf<&Offload::activations>;
}

/// An error if a node's memory does not hold what is offloaded to it; a warning if it may not, if it is not known
/// whether it does, or if it does not hold a checkpoint that is read as a whole.
std::optional<Check> hostLacks(const Estimate& result)
{
    if (result.hosts.empty()) return std::nullopt;
    const HostMemory& host = result.hosts[result.fullestHost()];
    const auto gigabytes = [](Bytes bytes) { return fmt::format("{:.0f}", static_cast<double>(bytes.value()) / 1e9); };
    const std::string field(heldMost(host));
    if (!host.capacity) {
        if (!host.offloads()) return std::nullopt;
        return Check{RuleId("HOST-MEMORY"), Severity::Warning,
            Sentence::tr(
                "what is offloaded takes {} GB of a node's memory, up to {} GB with pinned buffers; how much a "
                "node has is not known (host_memory_gb)",
                {gigabytes(host.running()), gigabytes(host.most())}),
            field, {}};
    }
    if (host.missing() > Bytes(0)) {
        return Check{RuleId("HOST-MEMORY"), Severity::Error,
            Sentence::tr("what is offloaded takes {} GB of a node's memory ({} GB optimizer, {} GB gradients, {} GB "
                         "weights, {} GB activations, {} GB processes), which has {} GB: offload less, or divide the "
                         "states over more nodes",
                {gigabytes(host.running()), gigabytes(host[HostPart::Optimizer]), gigabytes(host[HostPart::Gradients]),
                    gigabytes(host[HostPart::Weights]), gigabytes(host[HostPart::Activations]),
                    gigabytes(host[HostPart::Processes]), gigabytes(*host.capacity)}),
            field, {}};
    }
    if (host.loading() > *host.capacity)
        return Check{RuleId("HOST-MEMORY"), Severity::Warning,
            Sentence::tr("a trainer that reads the whole checkpoint takes {} GB of a node's memory, which has {} GB: "
                         "read it in parts",
                {gigabytes(host.loading()), gigabytes(*host.capacity)}),
            std::string(pointerOf<&Cluster::host_memory_gb>), {}};
    if (host.most() > *host.capacity && host.offloads())
        return Check{RuleId("HOST-MEMORY"), Severity::Warning,
            Sentence::tr(
                "what is offloaded takes {} GB of a node's {} GB, but up to {} GB if pinned buffers are rounded "
                "up",
                {gigabytes(host.running()), gigabytes(*host.capacity), gigabytes(host.most())}),
            field, {}};
    return std::nullopt;
}

/// A warning if experts exchange tokens over the slow network and that costs 1 % of the step's time or more.
std::optional<Check> acrossDomains(const Plan& plan, const Estimate& result)
{
    constexpr double kWorthSaying = 0.01;
    const auto experts = std::ranges::find(result.placement, CardGroup::Expert, &GroupPlacement::group);
    if (experts == result.placement.end() || experts->level != NetworkLevel::Network) return std::nullopt;
    const Seconds price = experts->price.value_or(Seconds(0.0));
    if (price < kWorthSaying * result.step.seconds) return std::nullopt;
    const std::int64_t near = cardsPerDomain(plan.cluster);
    const std::string more = fmt::format("{:.3f}", price.value());
    const std::string step = fmt::format("{:.3f}", result.step.seconds.value());
    const Sentence message = plan.cluster.nodes_per_domain > 1
        ? Sentence::tr("expert {}: tokens are sent between domains of {} cards, over the slow network; this costs {} s "
                       "of the step's {} s",
            {experts->ranks, near, more, step})
        : Sentence::tr("expert {}: tokens are sent between nodes of {} cards, over the slow network; this costs {} s "
                       "of the step's {} s",
            {experts->ranks, near, more, step});
    return Check{RuleId("EP-DOMAIN"), Severity::Warning, message, std::string(pointerOf<&Parallelism::expert>), {}};
}

/// What a server does not do of what is asked of it.
std::vector<Check> servedOtherwise(const Plan& plan, const ServerPace& pace)
{
    const Workload& work = plan.workload;
    std::vector<Check> found;
    const bool asks = work.concurrency || work.requests_per_second;
    const auto at_once = static_cast<std::int64_t>(std::floor(pace.concurrency));
    const std::int64_t users = work.concurrency.value_or(0);
    const std::int64_t asked = std::min(users, work.queue.value_or(users));
    if (asked > at_once)
        found.push_back({RuleId("SERVED-USERS"), Severity::Warning,
            Sentence::tr(
                "{} requests are asked for at once; the server runs {} of them, the others wait", {asked, at_once}),
            std::string(pointerOf<&Workload::concurrency>), {}});
    if (asks && work.limits && at_once > pace.users.users)
        found.push_back({RuleId("SERVED-USERS"), Severity::Warning,
            pace.users.binds == ServingBound::Ttft
                ? Sentence::tr("{} requests at once miss the limit to the first token; {} would keep all limits",
                    {at_once, pace.users.users})
                : Sentence::tr("{} requests at once miss the limit per token; {} would keep all limits",
                    {at_once, pace.users.users}),
            std::string(
                work.concurrency ? pointerOf<&Workload::concurrency> : pointerOf<&Workload::requests_per_second>),
            {}});
    if (pace.lengths.known() && pace.lengths.output <= 1.0)
        found.push_back({RuleId("SERVED-ANSWERS"), Severity::Warning,
            Sentence::tr("answers of one token end with their first: a time per further token means nothing"),
            std::string(pointerOf<&Workload::output_tokens>), {}});
    return found;
}

/// Adds the figures. If the schedule deadlocks, or a figure is too large to be computed, adds a check that says so
/// instead.
void addFigures(const PlanContext& context, const ChunkCosts& costs, const ModelWork& model, Estimate& result)
{
    result.parameters = model.parameters;
    const auto durations = stageDurations(context.plan, costs);
    const Transfers transfers = stageTransfers(context.plan);
    if (!areNumbers(durations, transfers)) return result.checks.push_back(outOfProportion());
    auto simulated = simulate(context.request, durations, transfers);
    if (!simulated) {
        result.checks.push_back({RuleId("SCHEDULE"), Severity::Error, simulated.error().message,
            std::string(pointerOf<&Recipe::schedule>), {}, true});
        return;
    }
    auto timeline = std::make_shared<const Timeline>(std::move(*simulated));
    StepEstimate step = stepEstimate(context, costs, *timeline, model);
    if (!areNumbers(step)) return result.checks.push_back(outOfProportion());
    auto stages = memoryOfStages(context, *timeline);
    assert(!stages.empty() && stages.size() == timeline->ranks.size());
    if (auto check = overcorrected(context.plan, stages)) return result.checks.push_back(*std::move(check));
    result.timeline = std::move(timeline);
    result.step = std::move(step);
    result.stages = std::move(stages);
    result.hosts = hostMemory(context, result.stages);
    if (auto check = hostLacks(result)) result.checks.push_back(*std::move(check));
    const BubbleFractions bubble = bubbleFractions(*result.timeline);
    result.pipeline = {context.request.microbatches, bubble.of_total, bubble.over_ideal};
    if (result.isServed()) {
        for (std::size_t stage = 0; stage < result.stages.size(); ++stage)
            result.stages[stage].server_lacks = serverLacks(context, stage);
    }
}

Estimate named(const Plan& plan)
{
    Estimate result;
    result.plan = plan.name;
    result.schedule = plan.recipe.schedule;
    result.task = plan.workload.task;
    return result;
}

} // namespace

std::size_t Estimate::worstStage() const
{
    return static_cast<std::size_t>(std::ranges::min_element(stages, {}, &StageMemory::free) - stages.begin());
}

std::size_t Estimate::fullestHost() const
{
    const auto room = [](const HostMemory& host) { return host.capacity.value_or(Bytes(0)) - host.running(); };
    return static_cast<std::size_t>(std::ranges::min_element(hosts, {}, room) - hosts.begin());
}

Estimate estimate(const Plan& plan)
{
    Estimate result = named(plan);
    result.assumed = plan.assumed;
    result.checks = check(plan);
    if (std::ranges::any_of(result.checks, &Check::prevents_estimate)) return result;
    const PlanContext context = planContext(plan);
    const ChunkCosts costs = chunkCosts(context, partCosts(plan, context.tables));
    addFigures(context, costs, modelWork(plan), result);
    assert(result.complete() || std::ranges::any_of(result.checks, &Check::prevents_estimate));
    if (!result.complete()) return result;
    const std::size_t busiest = busiestRank(*result.timeline);
    result.placement = pricedPlacements(context, costs[busiest], busiest, result.step.parts);
    if (auto check = acrossDomains(plan, result)) result.checks.push_back(std::move(*check));
    result.server = serverAnswers(context);
    if (result.server && result.server->pace)
        std::ranges::move(servedOtherwise(plan, *result.server->pace), std::back_inserter(result.checks));
    return result;
}

Estimate estimate(const Plan& plan, const Constants& constants)
{
    Plan changed = plan;
    changed.constants = constants;
    return estimate(changed);
}

Estimate figuresOf(const Plan& plan, const KnownCosts& known)
{
    Estimate result = named(plan);
    const PlanContext context = planContext(plan, known);
    const ChunkCosts costs = known.parts != nullptr ? chunkCosts(context, *known.parts)
                                                    : chunkCosts(context, partCosts(plan, context.tables));
    addFigures(context, costs, *modelOf(plan, known), result);
    return result;
}

SegmentBytes memoryAt(const Estimate& estimate, std::size_t stage, double instant)
{
    const StageMemory& memory = estimate.stages[stage];
    const PassingMemory& passing = memory.passing;
    SegmentBytes bytes = memory.bytes;
    if (passing.update > Bytes(0) && instant >= estimate.timeline->makespan) return bytes;
    for (std::size_t segment = 0; segment < kSegmentCount; ++segment)
        bytes[segment] -= passing.at_peak[segment];
    const RankMemory rank(passing.chunks, passing.per_microbatch, estimate.timeline->placement);
    const PassingBytes held = mostHeldAt(estimate.timeline->ranks[stage], rank, instant);
    amountOf(bytes, Segment::Activations) += held.saved;
    amountOf(bytes, Segment::Temporary) += held.temporary;
    return bytes;
}

TokenWorks tokenWorks(const Plan& plan) { return tokenWorks(plan, stageLayers(plan), modelWork(plan)); }

} // namespace cardfit
