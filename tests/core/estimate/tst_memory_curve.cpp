// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <array>
#include <cmath>
#include <filesystem>

#include <rapidcheck.h>

#include "core/estimate/memory_curve.h"
#include "core/estimate/profiles.h"
#include "core/files/preset_library.h"
#include "core/plan/choices.h"
#include "tests/core/live_activations.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_memory_curve {

void holds(const char* name, const std::function<void()>& check) { QVERIFY2(rc::check(name, check), name); }

bool isInterleaved(Schedule schedule)
{
    return schedule == Schedule::InterleavedOneFOneB || schedule == Schedule::LoopedBfs
        || schedule == Schedule::InterleavedZb;
}

/// Any schedule on a plan that suits it, with events and masks that make transients differ from pass to pass.
Estimate anyEstimate()
{
    Plan plan = samples::llama13BOnEightCards();
    plan.recipe.schedule = *rc::gen::element(Schedule::Naive, Schedule::GPipe, Schedule::GPipeLifo, Schedule::OneFOneB,
        Schedule::EagerOneFOneB, Schedule::PipeDream, Schedule::InterleavedOneFOneB, Schedule::LoopedBfs,
        Schedule::ZbH1, Schedule::ZbH2, Schedule::InterleavedZb, Schedule::ZbV, Schedule::VHalf, Schedule::VMin,
        Schedule::DualPipe, Schedule::DualPipeV);
    const std::int64_t stages = *rc::gen::element<std::int64_t>(2, 4, 6);
    plan.parallelism.pipeline = stages;
    plan.parallelism.virtual_pipeline = isInterleaved(plan.recipe.schedule) ? *rc::gen::inRange<std::int64_t>(2, 4)
        : placementOf(plan.recipe.schedule) == Placement::Loop              ? 1
                                                                            : 2;
    plan.parallelism.data = 1;
    plan.cluster.nodes = stages;
    plan.cluster.cards_per_node = 1;
    plan.model.architecture.num_hidden_layers = 12 * stages;
    plan.workload.micro_batch_size = 1;
    plan.workload.global_batch_size = stages * *rc::gen::inRange<std::int64_t>(2, 60);
    plan.recipe.attention_mask_in_dataloader = *rc::gen::arbitrary<bool>();
    plan.recipe.loss = *rc::gen::element(Loss::Fused, Loss::Unfused);
    plan.recipe.optimizer = *rc::gen::element(Optimizer::Adam, Optimizer::Muon);
    plan.recipe.recompute.granularity = *rc::gen::element(RecomputeGranularity::None, RecomputeGranularity::Full);
    const bool takes_pairs = plan.parallelism.virtual_pipeline > 1 && plan.recipe.schedule != Schedule::LoopedBfs
        && plan.recipe.schedule != Schedule::InterleavedZb;
    if (takes_pairs && *rc::gen::arbitrary<bool>()) {
        MixtureOfExperts experts;
        experts.num_experts = 8;
        experts.num_experts_per_tok = 2;
        experts.moe_intermediate_size = 1024;
        plan.model.architecture.moe = experts;
        plan.parallelism.data = 2;
        plan.parallelism.expert = 2;
        plan.cluster.nodes *= 2;
        plan.workload.global_batch_size *= 2;
        plan.recipe.moe.expert_overlap = true;
    }
    const Profile profile = *rc::gen::element(Profile::AsPlanned, Profile::AsPlanned, Profile::Article);
    Estimate result = estimateUnder(plan, profile);
    RC_ASSERT(result.complete());
    return result;
}

void include(std::optional<MemorySpan>& span, Bytes held)
{
    if (!span) span = {held, held};
    span->lowest = std::min(span->lowest, held);
    span->highest = std::max(span->highest, held);
}

/// What an operation makes of what is held: while it runs and once it is over.
struct Walked {
    std::vector<Bytes> during;
    Bytes after;
};
Walked run(const Operation& operation, Bytes held, const PassingMemory& passing, bool pipe_each, bool backward_seen)
{
    const auto& chunks = passing.chunks;
    const Pass forward = operation.forwardPass();
    const Pass backward = operation.backwardPass();
    const auto mask = [&](const Pass& pass) {
        return pass.chunk == 0 || pipe_each ? passing.per_microbatch : Bytes(0);
    };
    const auto saved = [&](const Pass& pass) { return chunks[pass.chunk].holding.saved + mask(pass); };
    const Transient& of_forward = backward_seen ? chunks[forward.chunk].forward : chunks[forward.chunk].first_forward;
    const Transient& of_backward = chunks[backward.chunk].backward;
    switch (operation.kind) {
    case OperationKind::Forward: {
        held += saved(forward);
        return {{held, held + of_forward.net()}, held};
    }
    case OperationKind::Backward: return {{held, held + of_backward.net()}, held - saved(backward)};
    case OperationKind::BackwardInput: {
        const Bytes left = held - saved(backward) + chunks[backward.chunk].holding.for_weights;
        const Bytes worst = std::max(held + of_backward.net(), left + chunks[backward.chunk].input_half.net());
        return {{held, worst}, left};
    }
    case OperationKind::BackwardWeight: return {{held}, held - chunks[backward.chunk].holding.for_weights};
    case OperationKind::Update: return {{held}, held};
    case OperationKind::Overlapped: break;
    }
    if (!chunks[forward.chunk].holding.by_layers) {
        const Bytes both = held + saved(forward);
        return {{both, both + of_forward.net() + of_backward.net()}, both - saved(backward)};
    }
    const Bytes over = held + saved(forward) - saved(backward);
    const LayerwisePasses& front = chunks[forward.chunk].in_block;
    const LayerwisePasses& back = chunks[backward.chunk].in_block;
    const Bytes begun = held + mask(forward) + front.forward_begun.net() + back.backward_begun.net();
    const Bytes layer = held + mask(forward) + front.forward_layer.net() + back.backward_layer.net();
    return {{over, std::max({begun, layer, over + chunks[forward.chunk].forward.net()})}, over};
}

/// By walking all operations, one by one, and the waits between them.
MemorySpan walked(const Estimate& estimate, std::size_t stage, double from, double to)
{
    const StageMemory& memory = estimate.stages[stage];
    const bool pipe_each = estimate.timeline->placement == Placement::Bidirectional;
    std::optional<MemorySpan> span;
    Bytes held = memory.lasting();
    bool backward_seen = false;
    double waits_from = -HUGE_VAL;
    const auto touches = [&](double begin, double end) { return begin <= to && end >= from; };
    for (const TimedOperation& timed : estimate.timeline->ranks[stage]) {
        if (touches(waits_from, timed.start)) include(span, held);
        const Walked walk = run(timed.operation, held, memory.passing, pipe_each, backward_seen);
        backward_seen = backward_seen || makesInputGradient(timed.operation.kind);
        if (touches(timed.start, timed.end)) {
            for (const Bytes during : walk.during)
                include(span, during);
        }
        held = walk.after;
        waits_from = timed.end;
    }
    if (touches(waits_from, HUGE_VAL)) include(span, held);
    if (to >= estimate.timeline->makespan) include(span, memory.lasting() + memory.passing.update);
    return *span;
}

class TestMemoryCurve : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("RC_PARAMS", "seed=20261122 max_success=200"); }

    void equalsAWalkOverAllOperations()
    {
        holds("any stretch of any rank of any schedule", [] {
            const Estimate result = anyEstimate();
            const auto stage = *rc::gen::inRange<std::size_t>(0, result.stages.size());
            const double makespan = result.timeline->makespan;
            const double width = makespan * *rc::gen::element(1.0, 0.3, 0.03, 0.001);
            const double from = (makespan - width) * 0.01 * *rc::gen::inRange(0, 101);
            const int columns = *rc::gen::element(1, 7, 100);
            const auto spans = MemoryCurve(result, stage).over(from, from + width, columns);
            RC_ASSERT(spans.size() == static_cast<std::size_t>(columns));
            for (int i = 0; i < columns; ++i) {
                const double left = from + i * (width / columns);
                const double right = i + 1 == columns ? from + width : from + (i + 1) * (width / columns);
                RC_ASSERT(spans[static_cast<std::size_t>(i)] == walked(result, stage, left, right));
            }
        });
    }

    // Ends of operations are where both neighbours count.
    void equalsAWalkAtTheEndsOfOperations()
    {
        holds("at and between ends of operations", [] {
            const Estimate result = anyEstimate();
            const auto stage = *rc::gen::inRange<std::size_t>(0, result.stages.size());
            const RankTimeline& rank = result.timeline->ranks[stage];
            const MemoryCurve curve(result, stage);
            const auto a = *rc::gen::inRange<std::size_t>(0, rank.size());
            const auto b = *rc::gen::inRange<std::size_t>(a, rank.size());
            RC_ASSERT(curve.at(rank[a].start) == walked(result, stage, rank[a].start, rank[a].start));
            RC_ASSERT(curve.at(rank[a].end) == walked(result, stage, rank[a].end, rank[a].end));
            RC_ASSERT(curve.during(rank[a].end, rank[b].end) == walked(result, stage, rank[a].end, rank[b].end));
            RC_ASSERT(
                curve.during(rank[a].start, rank[b].start) == walked(result, stage, rank[a].start, rank[b].start));
        });
    }

    void highestIsThePeakOfTheStage()
    {
        holds("highest is device(), reached at peak_time; what is left is what lasts", [] {
            const Estimate result = anyEstimate();
            const double makespan = result.timeline->makespan;
            for (std::size_t stage = 0; stage < result.stages.size(); ++stage) {
                const StageMemory& memory = result.stages[stage];
                const MemoryCurve curve(result, stage);
                RC_ASSERT(curve.during(0.0, makespan).highest == memory.device());
                RC_ASSERT(curve.during(0.0, makespan).lowest >= memory.lasting());
                RC_ASSERT(curve.at(makespan).lowest == memory.lasting());
                RC_ASSERT(memory.lasting() >= Bytes(0));
                const bool is_article = memory.terms.front().id == "article.weights";
                if (!is_article) RC_ASSERT(curve.at(memory.peak_time).highest == memory.device());
            }
        });
    }

    // Terms are made apart from the walk over the operations; buffers and workspaces are temporary by segment, but
    // stay.
    void whatLastsIsTheOtherTerms()
    {
        holds("device() less activations and what the operation at the peak needs", [] {
            const Estimate result = anyEstimate();
            for (const StageMemory& stage : result.stages) {
                if (stage.terms.front().id == "article.weights") return; // rounds its activations
                Bytes passing;
                for (const Term& term : stage.terms) {
                    const bool stays = term.id.starts_with("buffer.") || term.id.starts_with("workspace.");
                    const bool comes_and_goes =
                        term.segment == Segment::Activations || (term.segment == Segment::Temporary && !stays);
                    if (comes_and_goes) passing += term.bytes;
                }
                RC_ASSERT(passing > Bytes(0));
                RC_ASSERT(stage.lasting() == stage.device() - passing);
            }
        });
    }

    void anInstantIsTheCurvesHighest()
    {
        holds("the memory at any instant is the highest of the curve, at the peak the peak, segment by segment", [] {
            const Estimate result = anyEstimate();
            const double makespan = result.timeline->makespan;
            for (std::size_t stage = 0; stage < result.stages.size(); ++stage) {
                const StageMemory& memory = result.stages[stage];
                const RankTimeline& rank = result.timeline->ranks[stage];
                const MemoryCurve curve(result, stage);
                const TimedOperation any = rank[*rc::gen::inRange<std::size_t>(0, rank.size())];
                for (const double instant :
                    {-1.0, any.start, 0.5 * (any.start + any.end), any.end, makespan, memory.peak_time, 2 * makespan})
                    RC_ASSERT(total(memoryAt(result, stage, instant)) == curve.at(instant).highest);
                RC_ASSERT(memoryAt(result, stage, memory.peak_time) == memory.bytes);
            }
        });
    }

    void theShippedPlansPeakAtTheirPeaks()
    {
        const std::array<std::filesystem::path, 1> directories{CARDFIT_PRESET_DIR};
        for (const PlanPreset& preset : loadPresets(directories).plans) {
            const Estimate result = estimate(preset.plan);
            QVERIFY2(result.complete(), preset.id.c_str());
            for (std::size_t stage = 0; stage < result.stages.size(); ++stage) {
                const StageMemory& memory = result.stages[stage];
                QVERIFY2(memoryAt(result, stage, memory.peak_time) == memory.bytes, preset.id.c_str());
            }
        }
    }

    void agreesWithLiveActivations()
    {
        const Estimate result = estimate(samples::llama13BOnEightCards());
        for (std::size_t stage = 0; stage < result.stages.size(); ++stage) {
            const MemoryCurve curve(result, stage);
            for (int i = 1; i < 500; ++i) {
                const double instant = result.timeline->makespan * i / 500.0 + 1e-7;
                const Bytes held = result.stages[stage].lasting() + samples::savedAt(result, stage, instant);
                QCOMPARE(curve.at(instant).lowest.value(), held.value());
            }
        }
    }

    void servingHoldsOnlyWhatPassesNeed()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.workload.task = Task::Inference;
        const Estimate result = estimate(plan);
        QVERIFY(result.complete());
        const MemoryCurve curve(result, 0);
        QCOMPARE(curve.during(0.0, result.timeline->makespan).highest, result.stages[0].device());
        QCOMPARE(curve.during(0.0, result.timeline->makespan).lowest, result.stages[0].lasting());
    }
};

CARDFIT_TEST(TestMemoryCurve)

} // namespace cardfit::tst_memory_curve
#include "tst_memory_curve.moc"
