// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <array>
#include <filesystem>
#include <limits>

#include <rapidcheck.h>

#include "core/estimate/estimate.h"
#include "core/explain/rows.h"
#include "core/files/presets.h"
#include "core/time/collectives.h"
#include "core/time/kernels.h"
#include "core/time/passes.h"
#include "core/time/replicas.h"
#include "core/time/slowdown.h"
#include "core/time/step.h"
#include "core/time/utilization.h"
#include "tests/core/explain/runnable_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_step {

constexpr ModelPart kDense{ModelPart::Place::Layer, kDenseLayer};
constexpr ModelPart kExperts{ModelPart::Place::Layer, kExpertLayer};
constexpr ModelPart kRecomputedDense{ModelPart::Place::RecomputedLayer, kDenseLayer};
constexpr ModelPart kRecomputedExperts{ModelPart::Place::RecomputedLayer, kExpertLayer};
constexpr ModelPart kEmbedding{ModelPart::Place::Embedding};
constexpr ModelPart kHead{ModelPart::Place::Head};

void holds(const char* name, const std::function<void()>& check) { QVERIFY2(rc::check(name, check), name); }

bool near(Seconds actual, Seconds expected)
{
    return std::abs(actual.value() - expected.value()) <= 1e-9 * std::abs(expected.value()) + 1e-15;
}

PartCost sum(const std::vector<OperatorCost>& costs)
{
    PartCost all;
    for (const OperatorCost& one : costs)
        all += one.cost;
    return all;
}

bool same(const PassCost& a, const PassCost& b)
{
    return near(a.compute, b.compute) && near(a.tensor, b.tensor) && near(a.context, b.context)
        && near(a.expert, b.expert) && near(a.data, b.data);
}

bool same(const PartCost& a, const PartCost& b)
{
    return same(a.forward, b.forward) && same(a.input, b.input) && same(a.weight, b.weight);
}

class TestStep : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("RC_PARAMS", "seed=20261157 max_success=200 max_size=200"); }

    /// Checkpoints are those of layers: embedding and output layer cost the same whatever is recomputed (torchtitan,
    /// distributed/activation_checkpoint.py, apply_ac(): the blocks of model.layers).
    void whatIsNoLayerIsNotRecomputed()
    {
        for (const Framework framework : {Framework::Megatron, Framework::Fsdp, Framework::DeepSpeed}) {
            Plan kept = samples::llama13BOnEightCards();
            kept.recipe.framework = framework;
            Plan again = kept;
            again.recipe.recompute.granularity = RecomputeGranularity::Selective;
            again.recipe.recompute.modules = {RecomputeModule::LayerNorm, RecomputeModule::Mlp};
            for (const ModelPart& part : {kEmbedding, kHead}) {
                QVERIFY(same(sum(operatorCosts(kept, operatorTables(kept), part)),
                    sum(operatorCosts(again, operatorTables(again), part))));
            }
            QVERIFY(!same(sum(operatorCosts(kept, operatorTables(kept), kDense)),
                sum(operatorCosts(again, operatorTables(again), kDense))));
        }
    }

    void partsAddUpToTheStep()
    {
        holds("exactly", [] {
            const Estimate result = estimate(runnable::plan());
            RC_PRE(result.complete());
            const StepParts& parts = result.step.parts;
            RC_ASSERT(parts.total() == result.step.seconds);
            for (const Seconds part : {parts.compute, parts.tensor, parts.pipeline, parts.bubble, parts.data,
                     parts.expert, parts.context, parts.optimizer})
                RC_ASSERT(part >= Seconds(-1e-12));
            RC_ASSERT(parts.compute > Seconds(0.0));
            RC_ASSERT(result.step.seconds >= Seconds(result.timeline->makespan) - Seconds(1e-12));
        });
    }

    void operatorsAddUpToTheirPart()
    {
        holds("addends of a part's cost are its cost", [] {
            const Plan plan = runnable::plan();
            const OperatorTables tables = operatorTables(plan);
            const PartCosts costs = partCosts(plan, tables);
            RC_ASSERT(same(sum(operatorCosts(plan, tables, kDense)), costs.layers.of(kDenseLayer)));
            RC_ASSERT(same(sum(operatorCosts(plan, tables, kExperts)), costs.layers.of(kExpertLayer)));
            RC_ASSERT(same(sum(operatorCosts(plan, tables, kEmbedding)), costs.embedding));
            RC_ASSERT(same(sum(operatorCosts(plan, tables, kHead)), costs.head));
            if (plan.recipe.recompute.granularity != RecomputeGranularity::Full) return;
            RC_ASSERT(
                same(sum(operatorCosts(plan, tables, kRecomputedDense)), costs.recomputed_layers.of(kDenseLayer)));
            RC_ASSERT(
                same(sum(operatorCosts(plan, tables, kRecomputedExperts)), costs.recomputed_layers.of(kExpertLayer)));
        });
    }

    void collectivesAreExposedAtMostWhole()
    {
        holds("what is exposed is a part of a collective's time", [] {
            const Plan plan = runnable::plan();
            const OperatorTables tables = operatorTables(plan);
            for (const ModelPart part : {kDense, kExperts, kHead}) {
                for (const OperatorCost& one : operatorCosts(plan, tables, part)) {
                    for (const SentCost& sent : one.sent) {
                        RC_ASSERT(sent.exposed >= Seconds(0.0) && sent.exposed <= sent.time);
                        RC_ASSERT(sent.group.ranks > 1 && sent.sent.payload > Bytes(0));
                    }
                }
            }
        });
    }

    // Without parallelism that hides or shares anything the rows need no factor.
    void rowsOfTheStepAreItsOperators()
    {
        const Plan plan = samples::llama13BOnEightCards();
        const Estimate result = estimate(plan);
        Seconds rows;
        for (const ExplanationRow& row : stepRows(plan, result, "compute")) {
            QVERIFY(!row.title.empty() && row.sentence.english().ends_with('.'));
            const auto formula = Formula::parse(row.formula);
            QVERIFY(formula);
            const double value = *formula->evaluate([](std::string_view) { return std::optional<double>(); });
            QVERIFY2(std::abs(value / row.value.number - 1.0) < 1e-4, row.formula.c_str());
            rows += Seconds(row.value.number);
        }
        QVERIFY(near(rows, result.step.parts.compute));
        QVERIFY(stepRows(plan, result, "tensor").empty());
        QVERIFY(!stepRows(plan, result, "data").empty());
        QCOMPARE(stepRows(plan, result, "optimizer").size(), std::size_t{2});
    }

    void tensorRowsNameTheirCollectives()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism.pipeline = 1;
        plan.parallelism.tensor = 4;
        const Estimate result = estimate(plan);
        const auto rows = stepRows(plan, result, "tensor");
        QVERIFY(!rows.empty());
        // 4,096 tokens of 5,120 16-bit values.
        for (const ExplanationRow& row : rows)
            QVERIFY2(row.sentence.english().find("over 4 cards, 4 in a node") != std::string::npos,
                row.sentence.english().c_str());
        QVERIFY(rows.front().sentence.english().find("all-reduce of 41.9 MB") != std::string::npos);
    }

    // A pipeline of PyTorch's gathers its weights once a step, DeepSpeed's ZeRO-3 for every micro-batch.
    void pipelinesGatherOnce()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism = {};
        plan.parallelism.pipeline = 2;
        plan.parallelism.data = 4;
        plan.workload.global_batch_size = 64;
        plan.recipe.sharding = Sharding::Zero2;
        plan.recipe.framework = Framework::Fsdp;
        const auto gathered = [&] {
            const auto costs = operatorCosts(plan, operatorTables(plan), kDense);
            const auto found = std::ranges::find(costs, kShardedWeights, &OperatorCost::id);
            return found == costs.end() ? PartCost{} : found->cost;
        };
        StageParameters parameters;
        parameters.dense.all = 6.5e9;
        const auto exchanges = [&] { return replicaExchanges(plan, parameters, {PartCost{}}); };
        QVERIFY(gathered().forward.data == Seconds(0.0));
        QCOMPARE(exchanges().size(), std::size_t{2});
        for (const ReplicaExchange& one : exchanges()) {
            QCOMPARE(one.times, 1.0);
            QVERIFY(one.exposed == one.time); // no pass to hide behind
        }
        // ZeRO-3 gives weights back after every pass; gradients still wait for the last micro-batch.
        plan.recipe.sharding = Sharding::Zero3;
        QVERIFY(gathered().forward.data > Seconds(0.0) && gathered().input.data > Seconds(0.0));
        QCOMPARE(exchanges().size(), std::size_t{1});
        QVERIFY(exchanges().front().collective == Collective::ReduceScatter);
        plan.recipe.framework = Framework::DeepSpeed;
        QVERIFY(gathered().forward.data > Seconds(0.0) && gathered().input.data > gathered().forward.data);
        QVERIFY(exchanges().empty());
    }

    // PyTorch's checkpoints stop before the last product, Megatron-LM's run the whole layer again.
    void checkpointsStopEarly()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.recipe.recompute = {RecomputeGranularity::Full, {}, RecomputeMethod::Uniform, 1};
        const auto again = [&](std::string_view id) {
            const auto tables = operatorTables(plan);
            const auto input = [&](ModelPart part) {
                const auto costs = operatorCosts(plan, tables, part);
                return std::ranges::find(costs, id, &OperatorCost::id)->cost.input.compute;
            };
            return input(kRecomputedDense) - input(kDense);
        };
        const std::string_view last = operatorTables(plan).layers.of(kDenseLayer).back().id;
        QVERIFY(again(last) > Seconds(0.0) && again("qkv") > Seconds(0.0));
        plan.recipe.framework = Framework::Fsdp;
        QVERIFY(again(last) == Seconds(0.0) && again("qkv") > Seconds(0.0));
    }

    // What a product does not sum itself is read, added and written: 2 + 4 + 4 bytes of each weight.
    void gradientsAreSummedInMemory()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.recipe.gradient_accumulation_fusion = true;
        const auto summed = [&] {
            const auto costs = operatorCosts(plan, operatorTables(plan), kDense);
            const auto found = std::ranges::find(costs, kSummedGradients, &OperatorCost::id);
            return found == costs.end() ? Seconds(0.0) : found->cost.weight.compute;
        };
        QVERIFY(summed() == Seconds(0.0));
        plan.recipe.gradient_accumulation_fusion = false;
        const auto weights = static_cast<double>(countElements(operatorTables(plan).layers.of(kDenseLayer)).dense);
        const double bandwidth = reachedBandwidth(plan).value() * 1e9;
        QVERIFY(std::abs(summed().value() / (10.0 * weights / bandwidth) - 1.0) < 1e-6);
        plan.recipe.gradient_precision = GradientPrecision::Bf16;
        QVERIFY(std::abs(summed().value() / (6.0 * weights / bandwidth) - 1.0) < 1e-6);
    }

    // The gradients of a chunk wait for its last backward pass and for those of the chunk before, and are hidden behind
    // what the rank still runs: a queue.
    void chunksReduceOneAfterTheOther()
    {
        holds("as a queue", [] {
            Plan plan = samples::llama13BOnEightCards();
            plan.cluster.nodes = 64;
            plan.recipe.sharding = Sharding::Zero1;
            plan.recipe.schedule = Schedule::InterleavedOneFOneB;
            plan.recipe.overlap.gradients = true;
            plan.parallelism.pipeline = 4;
            plan.parallelism.virtual_pipeline = *rc::gen::inRange<std::int64_t>(2, 9);
            const auto groups = *rc::gen::inRange<std::int64_t>(1, 5);
            plan.workload.global_batch_size = groups * 4 * dataParallel(plan) * plan.workload.micro_batch_size;
            PartCost pass;
            pass.input.compute = Seconds(1e-4 * *rc::gen::inRange(1, 1000));
            const auto chunks = static_cast<std::size_t>(plan.parallelism.virtual_pipeline);
            StageParameters parameters;
            parameters.dense.all = 1e9;
            const ReplicaExchange reduced =
                replicaExchanges(plan, parameters, std::vector<PartCost>(chunks, pass)).front();
            RC_ASSERT(reduced.collective == Collective::ReduceScatter);
            const double each = reduced.time.value() / static_cast<double>(chunks);
            double done = -1e9; // 0 is the end of the last pass
            for (std::size_t chunk = chunks; chunk-- > 0;) {
                const double passes_left = 4.0 * static_cast<double>(chunk) + 1.0;
                done = std::max(done, -shipped(Constant::HidingShare) * passes_left * pass.backward().value()) + each;
            }
            // The bucket that is complete last has nothing to hide behind.
            const double bucket =
                std::max(shipped(Constant::BucketParameters), 1e6 * static_cast<double>(replicas(plan).ranks));
            const double bare = std::min(1.0, bucket / parameters.dense.all);
            const double late = std::max(done, bare * reduced.time.value());
            RC_ASSERT(
                near(reduced.exposed, Seconds(late + shipped(Constant::Contention) * (reduced.time.value() - late))));
        });
    }

    // Half of 34 s b h bytes and more a layer, each way over PCIe: hidden while that is faster than the layer.
    void offloadedActivationsTakeTheirWay()
    {
        Plan plan = samples::llama13BOnEightCards();
        const auto moved = [&](double pcie) {
            plan.cluster.accelerator.pcie = GigabytesPerSecond(pcie);
            const auto costs = operatorCosts(plan, operatorTables(plan), kDense);
            const auto found = std::ranges::find(costs, kOffloadedActivations, &OperatorCost::id);
            return found == costs.end() ? PartCost{} : found->cost;
        };
        QVERIFY(moved(25.0).forward.total() == Seconds(0.0));
        plan.recipe.offload.activations = 0.5;
        Bytes kept;
        const OperatorTables tables = operatorTables(plan);
        for (const Operator& step : tables.layers.of(kDenseLayer)) {
            for (const SavedTensor& tensor : step.saved)
                kept += tensor.bytes;
        }
        // A slow link: what it takes beyond the layer itself.
        const double seconds = 0.5 * static_cast<double>(kept.value()) / (0.8 * 1e9);
        const PartCost slow = moved(1.0);
        QVERIFY(slow.forward.compute > Seconds(0.5 * seconds) && slow.forward.compute < Seconds(seconds));
        QVERIFY(slow.input.compute > Seconds(0.0) && slow.input.compute < slow.forward.compute);
        // A fast one is hidden but for the contention.
        const double fast = 0.5 * static_cast<double>(kept.value()) / (0.8 * 1e13);
        QVERIFY(std::abs(moved(1e4).forward.compute.value() / fast - 0.126) < 0.02);
        // Recomputed layers keep one residual stream.
        plan.recipe.recompute = {RecomputeGranularity::Full, {}, RecomputeMethod::Uniform, 1};
        const auto again = operatorCosts(plan, operatorTables(plan), kRecomputedDense);
        const auto found = std::ranges::find(again, kOffloadedActivations, &OperatorCost::id);
        QVERIFY(found != again.end() && found->cost.forward.compute < moved(1e4).forward.compute);
    }

    // The mean of the largest of n normal values: 1 / sqrt(pi) of two, 3 / (2 sqrt(pi)) of three.
    void allWaitForTheSlowestCard()
    {
        const double root = std::sqrt(std::acos(-1.0));
        QCOMPARE(slowestOf(Constants(), 1), 1.0);
        QVERIFY(std::abs((slowestOf(Constants(), 2) - 1.0) / shipped(Constant::CardSpread) - 1.0 / root) < 1e-3);
        QVERIFY(std::abs((slowestOf(Constants(), 3) - 1.0) / shipped(Constant::CardSpread) - 1.5 / root) < 0.02);
        holds("more cards, a slower one among them", [] {
            const auto cards = *rc::gen::inRange<std::int64_t>(1, 1 << 20);
            RC_ASSERT(slowestOf(Constants(), cards + 1) > slowestOf(Constants(), cards));
        });
        Plan plan = samples::llama13BOnEightCards();
        const auto forward = [&] {
            return partCosts(plan, operatorTables(plan)).layers.of(kDenseLayer).forward.compute;
        };
        const Seconds few = forward();
        const std::int64_t cards = cardsUsed(plan);
        plan.cluster.nodes *= 64;
        plan.parallelism.data.reset();
        QVERIFY(cardsUsed(plan) > cards);
        QVERIFY(
            std::abs(forward() / few - slowestOf(Constants(), cardsUsed(plan)) / slowestOf(Constants(), cards)) < 1e-9);
    }

    /// Where the host's launches bound a layer, its exchange passes meanwhile, and no block of two passes hides it
    /// again: a faster link made such steps longer.
    void whatLaunchesCoverIsNotHiddenTwice()
    {
        const Presets presets = loadPresets(std::array{std::filesystem::path(CARDFIT_PRESET_DIR)});
        Plan plan;
        plan.model = *presets.model("mixtral-8x7b");
        plan.cluster = *presets.cluster("azure-nd-gb200-v6");
        plan.cluster.nodes = 4;
        plan.workload.sequence_length = 512;
        plan.workload.global_batch_size = 256;
        plan.parallelism.tensor = 4;
        plan.parallelism.sequence = true;
        plan.parallelism.pipeline = plan.parallelism.virtual_pipeline = 2;
        plan.parallelism.expert_tensor = 8;
        plan.recipe.kernels = Kernels::Compiled;
        plan.recipe.schedule = Schedule::DualPipeV;
        Seconds before(std::numeric_limits<double>::max());
        for (const double rate : {100.0, 400.0, 800.0, 1800.0, 3600.0}) {
            plan.cluster.intra_node = Link{GigabytesPerSecond(rate), Microseconds(3.0)};
            const Estimate made = estimate(plan);
            QVERIFY(made.complete() && made.step.seconds <= before);
            before = made.step.seconds;
        }
    }
};

CARDFIT_TEST(TestStep)

} // namespace cardfit::tst_step
#include "tst_step.moc"
