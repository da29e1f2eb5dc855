// SPDX-License-Identifier: GPL-3.0-or-later
#include <numeric>

#include <QtTest>
#include <rapidcheck.h>

#include "core/estimate/estimate.h"
#include "core/layers/layer_split.h"
#include "core/pipeline/simulation/simulator.h"
#include "core/plan/stages.h"
#include "core/rules/checks.h"
#include "core/search/even_layers.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_layer_split {

using Layers = std::vector<std::int64_t>;

/// 40 layers on 4 stages.
Plan fourStages() { return samples::llama13BOnEightCards(); }

std::int64_t sum(const Layers& layers) { return std::accumulate(layers.begin(), layers.end(), std::int64_t{0}); }

Bytes fullest(const Plan& plan)
{
    const Estimate result = estimate(plan);
    return result.stages[result.worstStage()].device();
}

/// What its fullest card cannot do without.
Bytes least(const Plan& plan)
{
    const Estimate result = estimate(plan);
    return neededMemory(result.stages[result.worstStage()]).least;
}

double slowest(const Plan& plan)
{
    const Estimate result = estimate(plan);
    double most = 0.0;
    for (std::size_t rank = 0; rank < result.stages.size(); ++rank)
        most = std::max(most, busyTime(*result.timeline, rank));
    return most;
}

class TestLayerSplit : public QObject {
    Q_OBJECT

private slots:
    void aPlanWithoutAListHasTheSplitThatItIsEstimatedWith()
    {
        Plan plan = fourStages();
        QVERIFY(*layerSplit(plan) == (Layers{10, 10, 10, 10}));
        plan.model.architecture.num_hidden_layers = 42; // the head takes a part of a layer's time
        QVERIFY(*layerSplit(plan) == (Layers{10, 11, 11, 10}));
        plan.parallelism.layers_per_stage = Layers{9, 11, 11, 11};
        QVERIFY(*layerSplit(plan) == (Layers{9, 11, 11, 11}));
    }

    void aListThatDoesNotAddUpLeavesItUnknown()
    {
        Plan plan = fourStages();
        plan.parallelism.layers_per_stage = Layers{9, 11, 11, 11};
        QVERIFY(!layerSplit(plan));
        plan.parallelism.layers_per_stage = Layers{20, 20};
        QVERIFY(!layerSplit(plan));
        // A rule about something else does not.
        plan = fourStages();
        plan.parallelism.tensor = 7;
        QVERIFY(std::ranges::any_of(check(plan), &Check::prevents_estimate));
        QVERIFY(layerSplit(plan).has_value());
    }

    void aListPerRankIsSharedByItsChunks()
    {
        Plan plan = fourStages();
        plan.parallelism.virtual_pipeline = 2;
        plan.recipe.schedule = Schedule::InterleavedOneFOneB;
        plan.parallelism.layers_per_stage = Layers{8, 12, 12, 8};
        QVERIFY(*layerSplit(plan) == (Layers{4, 6, 6, 4, 4, 6, 6, 4}));
        QVERIFY(stagesOfRank(plan, 1) == (std::vector<std::size_t>{1, 5}));
        const Plan listed = withLayerSplit(plan, *layerSplit(plan));
        QVERIFY(stageLayers(listed) == stageLayers(plan));
    }

    void stagesLieAsTheScheduleHasThem()
    {
        Plan plan = fourStages();
        plan.parallelism.virtual_pipeline = 2;
        plan.recipe.schedule = Schedule::ZbV;
        QVERIFY(stagesOfRank(plan, 0) == (std::vector<std::size_t>{0, 7}));
        plan.recipe.schedule = Schedule::DualPipe; // one stage of each copy
        QCOMPARE(layerSplit(plan)->size(), std::size_t(4));
        QVERIFY(stagesOfRank(plan, 0) == (std::vector<std::size_t>{0, 3}));
    }

    void aBoundaryStopsAtItsNeighbours()
    {
        QVERIFY(withBoundaryMoved({10, 10, 10}, 0, 3) == (Layers{13, 7, 10}));
        QVERIFY(withBoundaryMoved({10, 10, 10}, 1, -3) == (Layers{10, 7, 13}));
        QVERIFY(withBoundaryMoved({10, 10, 10}, 0, 99) == (Layers{20, 0, 10}));
        QVERIFY(withBoundaryMoved({10, 10, 10}, 1, -99) == (Layers{10, 0, 20}));
    }

    void movingBoundariesLosesNoLayer()
    {
        QVERIFY(rc::check("any moves", [] {
            auto layers = *rc::gen::container<Layers>(
                *rc::gen::inRange<std::size_t>(2, 9), rc::gen::inRange<std::int64_t>(0, 20));
            const std::int64_t all = sum(layers);
            for (const int by : *rc::gen::container<std::vector<int>>(20, rc::gen::inRange(-30, 31))) {
                const auto boundary = *rc::gen::inRange<std::size_t>(0, layers.size() - 1);
                layers = withBoundaryMoved(layers, boundary, by);
                RC_ASSERT(sum(layers) == all);
                RC_ASSERT(std::ranges::all_of(layers, [](std::int64_t n) { return n >= 0; }));
            }
        }));
    }

    void evenMemoryIsLowerAndNoSingleMoveLowersIt_data()
    {
        QTest::addColumn<int>("chunks");
        QTest::addColumn<int>("schedule");
        QTest::newRow("1F1B") << 1 << static_cast<int>(Schedule::OneFOneB);
        QTest::newRow("interleaved") << 2 << static_cast<int>(Schedule::InterleavedOneFOneB);
        QTest::newRow("V") << 2 << static_cast<int>(Schedule::ZbV);
    }
    void evenMemoryIsLowerAndNoSingleMoveLowersIt()
    {
        QFETCH(const int, chunks);
        QFETCH(const int, schedule);
        Plan plan = fourStages();
        plan.parallelism.virtual_pipeline = chunks;
        plan.recipe.schedule = static_cast<Schedule>(schedule);
        QVERIFY(estimate(plan).complete());
        // From a split that is bad for every schedule.
        auto layers = *layerSplit(plan);
        layers = withBoundaryMoved(layers, 0, 3);
        plan = withLayerSplit(plan, layers);
        const EvenedLayers even = evenOutLayers(plan, EvenGoal::Memory);
        QVERIFY(even.moved > 0);
        QVERIFY(!even.exhausted);
        QVERIFY(fullest(even.plan) < fullest(plan));
        QCOMPARE(sum(*layerSplit(even.plan)), sum(layers));
        Plan automatic = plan;
        automatic.parallelism.layers_per_stage.reset();
        const Seconds before = estimate(plan).step.seconds;
        const Seconds longest =
            std::max(before, (1.0 + kMostEvenSlowdown) * std::min(before, estimate(automatic).step.seconds));
        QVERIFY(estimate(even.plan).step.seconds <= longest);
        const auto best = *layerSplit(even.plan);
        for (std::size_t from = 0; from < best.size(); ++from) {
            for (std::size_t to = 0; to < best.size(); ++to) {
                if (from == to || best[from] == 0) continue;
                auto moved = best;
                --moved[from];
                ++moved[to];
                const Plan variant = withLayerSplit(even.plan, moved);
                QVERIFY(fullest(variant) >= fullest(even.plan) || estimate(variant).step.seconds > longest);
            }
        }
        // Again changes nothing.
        const EvenedLayers again = evenOutLayers(even.plan, EvenGoal::Memory);
        QCOMPARE(again.moved, 0);
        QVERIFY(again.plan == even.plan);
    }

    /// Memory that nobody needs is not bought with time; memory that is missing is.
    void evenMemoryCostsTimeOnlyWhereItIsMissing()
    {
        Plan plan = fourStages();
        plan.workload.global_batch_size *= 4;
        const Estimate before = estimate(plan);
        QVERIFY(before.fits());
        const EvenedLayers cheap = evenOutLayers(plan, EvenGoal::Memory);
        const Estimate after = estimate(cheap.plan);
        QVERIFY(cheap.step_change <= kMostEvenSlowdown);
        QCOMPARE(cheap.step_change, after.step.seconds / before.step.seconds - 1.0);
        QCOMPARE(cheap.memory_change, fullest(cheap.plan) - fullest(plan));
        // On cards on which nothing fits, every move that frees memory is taken.
        Plan over = plan;
        over.cluster.accelerator.memory = Mebibytes(1024);
        const EvenedLayers dear = evenOutLayers(over, EvenGoal::Memory);
        QVERIFY(fullest(dear.plan) < fullest(cheap.plan));
        QVERIFY(dear.step_change > kMostEvenSlowdown);
        // Where some splits fit, it goes on until one does.
        const Bytes both = least(dear.plan) + least(cheap.plan);
        over.cluster.accelerator.memory = Mebibytes(both.value() / 2 / (1 << 20));
        const EvenedLayers until = evenOutLayers(over, EvenGoal::Memory);
        QVERIFY(!estimate(over).fits() && estimate(until.plan).fits());
        QVERIFY(until.moved < dear.moved);
    }

    void evenTimeShortensTheStep()
    {
        Plan plan = withLayerSplit(fourStages(), {16, 8, 8, 8});
        const EvenedLayers even = evenOutLayers(plan, EvenGoal::Time);
        QVERIFY(even.moved > 0);
        QVERIFY(slowest(even.plan) < slowest(plan));
        QVERIFY(estimate(even.plan).step.seconds < estimate(plan).step.seconds);
        QVERIFY(layerSplit(even.plan)->front() < 16);
    }

    void aPlanWithoutFiguresOrStagesStaysAsItIs()
    {
        Plan broken = withLayerSplit(fourStages(), {1, 2});
        QVERIFY(evenOutLayers(broken, EvenGoal::Memory).plan == broken);
        Plan alone = fourStages();
        alone.parallelism.pipeline = 1;
        alone.parallelism.data.reset();
        const EvenedLayers even = evenOutLayers(alone, EvenGoal::Time);
        QVERIFY(even.plan == alone);
        QCOMPARE(even.moved, 0);
    }
};

CARDFIT_TEST(TestLayerSplit)

} // namespace cardfit::tst_layer_split
#include "tst_layer_split.moc"
