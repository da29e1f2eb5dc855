// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/layer_balance.h"

#include <algorithm>
#include <numeric>

#include <QtTest>
#include <rapidcheck.h>

#include "core/estimate/estimate.h"
#include "core/layers/layer_split.h"
#include "core/pipeline/orders/schedules.h"
#include "core/plan/edits.h"
#include "core/traces/measured_cases.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_layer_balance {

std::int64_t sum(const StageCounts& layers) { return std::accumulate(layers.begin(), layers.end(), std::int64_t{0}); }

std::vector<std::string> layerRules(const Plan& plan)
{
    std::vector<std::string> broken;
    for (const Check& check : check(plan)) {
        if (check.id == "PP-LAYERS" || check.id == "VP-LAYERS" || check.id.starts_with("LAYOUT-"))
            broken.push_back(check.id);
    }
    return broken;
}

double slowest(const Plan& plan, const StageCounts& layers)
{
    return std::ranges::max(rankBurdens(plan, plan.parallelism.layer_balance, layers));
}

/// A model of any shape on a pipeline of any schedule, with as many layers as it takes at least.
Plan anyPipeline()
{
    Plan plan = samples::llama13BOnEightCards();
    Architecture& model = plan.model.architecture;
    model.vocab_size = *rc::gen::element<std::int64_t>(1000, 32000, 256000);
    model.mtp_layers = *rc::gen::inRange(0, 3);
    if (*rc::gen::arbitrary<bool>()) {
        MixtureOfExperts moe;
        moe.num_experts = 8;
        moe.num_experts_per_tok = *rc::gen::inRange<std::int64_t>(1, 8);
        moe.moe_intermediate_size = *rc::gen::element<std::int64_t>(1024, 8192);
        moe.first_dense_layers = *rc::gen::inRange<std::int64_t>(0, 5);
        moe.layer_frequency = *rc::gen::inRange<std::int64_t>(1, 3);
        model.moe = moe;
    }
    plan.recipe.framework = *rc::gen::element(Framework::Megatron, Framework::Fsdp, Framework::DeepSpeed);
    plan.recipe.precision = *rc::gen::element(Precision::Bf16, Precision::Fp8);
    plan.parallelism.layer_balance = *rc::gen::element(LayerBalance::Time, LayerBalance::Memory);
    plan.parallelism.pipeline = *rc::gen::inRange<std::int64_t>(1, 9);
    plan.parallelism.virtual_pipeline = *rc::gen::inRange<std::int64_t>(1, 5);
    plan = withSchedule(plan, static_cast<Schedule>(*rc::gen::inRange<std::size_t>(0, kScheduleCount)));
    if (plan.recipe.schedule == Schedule::DualPipe) plan.parallelism.pipeline *= 2;
    plan.cluster.nodes = plan.parallelism.pipeline;
    plan.parallelism.data.reset();
    model.num_hidden_layers = std::max<std::int64_t>(1, leastLayers(plan)) + *rc::gen::inRange<std::int64_t>(0, 70);
    return plan;
}

class TestLayerBalance : public QObject {
    Q_OBJECT

private slots:
    /// However long the prompts are and whatever framework the plan was trained with.
    void aServedModelIsSplitAsVllmDoes()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.workload.task = Task::Inference;
        plan.workload.global_batch_size = 1;
        plan.parallelism = {};
        plan.parallelism.pipeline = 3;
        plan.cluster.cards_per_node = 3;
        plan.model.architecture.num_hidden_layers = 64;
        plan.model.architecture.max_position_embeddings = 65536;
        for (const Framework framework : {Framework::Megatron, Framework::Fsdp, Framework::DeepSpeed}) {
            for (const std::int64_t tokens : {512, 8192, 32768}) {
                plan.recipe.framework = framework;
                plan.workload.sequence_length = tokens;
                QVERIFY(*layerSplit(plan) == (StageCounts{21, 22, 21}));
            }
        }
        QCOMPARE(splitRule(plan), SplitRule::Vllm);
        plan.parallelism.layers_per_stage = StageCounts{22, 21, 21};
        QVERIFY(*layerSplit(plan) == (StageCounts{22, 21, 21}));
    }

    void everyScheduleGetsAllLayersOfAnyModel()
    {
        QVERIFY(rc::check("any pipeline", [] {
            const Plan plan = anyPipeline();
            const StageCounts layers = automaticLayers(plan);
            RC_ASSERT(static_cast<std::int64_t>(layers.size()) == stagesInPipe(plan));
            RC_ASSERT(sum(layers) == plan.model.architecture.num_hidden_layers);
            // Only the first stage may be the embedding alone, and the last the head.
            RC_ASSERT(layers.front() >= 0);
            RC_ASSERT(layers.back() >= 0);
            for (std::size_t stage = 1; stage + 1 < layers.size(); ++stage)
                RC_ASSERT(layers[stage] >= 1);
            RC_ASSERT(layerRules(plan).empty());
            // The same again, and as a list.
            RC_ASSERT(automaticLayers(plan) == layers);
            const Plan listed = withLayerSplit(plan, layers);
            RC_ASSERT(layerRules(listed).empty());
            RC_ASSERT(stageLayers(listed) == stageLayers(plan));
        }));
    }

    void aBalancedSplitIsNoWorseThanAnEvenOneNorThanOneWithALayerMoved()
    {
        QVERIFY(rc::check("any pipeline", [] {
            Plan plan = anyPipeline();
            const SplitRule rule = splitRule(plan);
            RC_PRE(rule == SplitRule::Time || rule == SplitRule::Memory);
            const auto stages = static_cast<std::size_t>(stagesInPipe(plan));
            const StageCounts layers = automaticLayers(plan);
            const double most = slowest(plan, layers);
            const std::int64_t all = plan.model.architecture.num_hidden_layers;
            if (all % static_cast<std::int64_t>(stages) == 0)
                RC_ASSERT(most <= slowest(plan, StageCounts(stages, all / static_cast<std::int64_t>(stages))));
            RC_PRE(!plan.model.architecture.moe);
            constexpr double kRounding = 1e-9;
            for (std::size_t from = 0; from < stages; ++from) {
                const bool is_end = from == 0 || from + 1 == stages;
                if (layers[from] < (is_end ? 1 : 2)) continue;
                for (std::size_t to = 0; to < stages; ++to) {
                    StageCounts moved = layers;
                    --moved[from];
                    ++moved[to];
                    RC_ASSERT(slowest(plan, moved) >= most * (1.0 - kRounding));
                }
            }
        }));
    }

    void megatronSplitsEvenlyWhereItCan()
    {
        Plan plan = samples::llama13BOnEightCards(); // 40 layers on 4 stages
        QVERIFY(*layerSplit(plan) == (StageCounts{10, 10, 10, 10}));
        QCOMPARE(splitRule(plan), SplitRule::Even);
        plan.model.architecture.num_hidden_layers = 42;
        QCOMPARE(splitRule(plan), SplitRule::Time);
        // The head takes the time of a part of a layer, so its stage has no more than the others.
        QVERIFY(*layerSplit(plan) == (StageCounts{10, 11, 11, 10}));
        QVERIFY(estimate(plan).complete());
    }

    /// The example of torchtitan's own documentation, which counts embedding and head as two layers each; and its 405B
    /// recipe's 126 layers on 8 stages.
    void torchtitanSplitsAsItsOwnCodeDoes()
    {
        QVERIFY(torchtitanLayers(3, 2, 2, 2) == (StageCounts{2, 1}));
        QVERIFY(torchtitanLayers(126, 8) == (StageCounts{15, 16, 16, 16, 16, 16, 16, 15}));
        QVERIFY(torchtitanLayers(32, 4) == (StageCounts{8, 9, 8, 7}));
        // vLLM, tests/distributed/test_pipeline_partition.py: 5 layers on 3 stages, 4 on 3, 22 on 4, 3 on 2.
        QVERIFY(vllmLayers(5, 3) == (StageCounts{2, 2, 1}));
        QVERIFY(vllmLayers(4, 3) == (StageCounts{1, 2, 1}));
        QVERIFY(vllmLayers(22, 4) == (StageCounts{5, 6, 6, 5}));
        QVERIFY(vllmLayers(3, 2) == (StageCounts{2, 1}));
        QVERIFY(vllmLayers(64, 3) == (StageCounts{21, 22, 21}));
        QVERIFY(vllmLayers(32, 3) == (StageCounts{11, 11, 10}));
        QVERIFY(vllmLayers(61, 8) == (StageCounts{7, 7, 8, 8, 8, 8, 8, 7}));
        QVERIFY(vllmLayers(2, 4) == (StageCounts{0, 1, 1, 0}));
        Plan plan = samples::llama13BOnEightCards();
        plan.recipe.framework = Framework::Fsdp;
        QVERIFY(*layerSplit(plan) == (StageCounts{10, 11, 10, 9}));
    }

    /// What DeepSpeed's partition_balanced (edaa7221) answers for the parameters of these layers.
    void deepSpeedSplitsAsItsOwnCodeDoes()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.recipe.framework = Framework::DeepSpeed;
        plan.cluster.nodes = 8;
        plan.parallelism.data.reset();
        const auto split = [&](std::int64_t layers, std::int64_t stages) {
            plan.model.architecture.num_hidden_layers = layers;
            plan.parallelism.pipeline = stages;
            return layerSplit(plan).value_or(StageCounts());
        };
        QVERIFY(split(40, 4) == (StageCounts{10, 10, 10, 10}));
        QVERIFY(split(40, 3) == (StageCounts{13, 14, 13}));
        QVERIFY(split(40, 8) == (StageCounts{5, 5, 5, 5, 5, 5, 5, 5}));
        QVERIFY(split(42, 3) == (StageCounts{14, 14, 14}));
        QVERIFY(split(42, 4) == (StageCounts{10, 11, 11, 10}));
        QVERIFY(split(42, 8) == (StageCounts{5, 6, 6, 5, 5, 5, 5, 5}));
        Architecture& model = plan.model.architecture; // Llama 3 70B
        model.hidden_size = 8192;
        model.num_attention_heads = 64;
        model.num_key_value_heads = 8;
        model.intermediate_size = 28672;
        model.vocab_size = 128256;
        QVERIFY(split(80, 4) == (StageCounts{19, 21, 21, 19}));
        QVERIFY(split(80, 8) == (StageCounts{9, 11, 11, 10, 10, 10, 10, 9}));
    }

    void evenMemoryNeedsASmallerCardThanEvenLayers()
    {
        Plan plan = samples::llama13BOnEightCards();
        const Estimate even = estimate(plan);
        plan.parallelism.layer_balance = LayerBalance::Memory;
        const Estimate balanced = estimate(plan);
        QVERIFY(balanced.complete());
        QVERIFY(balanced.stages[balanced.worstStage()].device() < even.stages[even.worstStage()].device());
        // The first stage keeps the most micro-batches.
        QVERIFY(layerSplit(plan)->front() < 10);
    }

    /// Published plans: DeepSeek-V3's 61 layers on 16 stages, Qwen3 235B's 94 on 8, Llama 3.1 405B's 126 on 16 x 8.
    void publishedDepthsAreLegal_data()
    {
        QTest::addColumn<int>("layers");
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("chunks");
        QTest::newRow("61 on 16") << 61 << 16 << 1;
        QTest::newRow("94 on 8") << 94 << 8 << 1;
        QTest::newRow("126 on 16") << 126 << 16 << 1;
        QTest::newRow("126 on 16 x 8") << 126 << 16 << 8;
        QTest::newRow("61 on 4 x 4") << 61 << 4 << 4;
    }
    void publishedDepthsAreLegal()
    {
        QFETCH(const int, layers);
        QFETCH(const int, stages);
        QFETCH(const int, chunks);
        Plan plan = samples::llama13BOnEightCards();
        plan.model.architecture.num_hidden_layers = layers;
        plan.parallelism.pipeline = stages;
        plan.cluster.nodes = stages;
        plan.parallelism.data.reset();
        plan = withChunks(plan, chunks);
        QVERIFY(layerRules(plan).empty());
        QVERIFY(estimate(plan).complete());
        // On one stage more than layers, embedding and head there is no layout.
        plan.parallelism.pipeline = layers + 3;
        QVERIFY(layerRules(plan) == std::vector<std::string>{"PP-LAYERS"});
    }

    /// Every published run that is shipped with a list splits by itself as well.
    void publishedPlansWithoutTheirListsAreLegal()
    {
        const Presets presets = loadPresets(std::vector<std::filesystem::path>{CARDFIT_PRESET_DIR});
        const auto runs = readMeasuredTime(CARDFIT_CASES "/time.json", presets);
        QVERIFY(runs);
        int listed = 0;
        for (const auto& run : runs->cases) {
            Plan plan = run.plan;
            if (!plan.parallelism.layers_per_stage) continue;
            ++listed;
            const StageCounts published = *layerSplit(plan);
            plan.parallelism.layers_per_stage.reset();
            QVERIFY2(layerRules(plan).empty(), plan.name.c_str());
            const StageCounts layers = *layerSplit(plan);
            QCOMPARE(sum(layers), sum(published));
            if (splitRule(plan) == SplitRule::Time)
                QVERIFY2(slowest(plan, layers) <= slowest(plan, published) * (1.0 + 1e-9), plan.name.c_str());
        }
        QVERIFY(listed >= 67);
    }

    void aListPerStageIsSharedByChunksThatDoNotDivideIt()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism.virtual_pipeline = 2;
        plan.recipe.schedule = Schedule::InterleavedOneFOneB;
        plan.parallelism.layers_per_stage = StageCounts{9, 11, 11, 9};
        QVERIFY(layerRules(plan).empty());
        // The chunks of the embedding and of the head have the smaller half.
        QVERIFY(*layerSplit(plan) == (StageCounts{4, 5, 5, 5, 5, 6, 6, 4}));
        plan.parallelism.virtual_pipeline = 4;
        plan.parallelism.layers_per_stage = StageCounts{17, 2, 2, 19};
        QVERIFY(layerRules(plan) == std::vector<std::string>{"VP-LAYERS"});
    }
};

CARDFIT_TEST(TestLayerBalance)

} // namespace cardfit::tst_layer_balance
#include "tst_layer_balance.moc"
