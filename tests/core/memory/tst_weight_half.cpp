// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <rapidcheck.h>

#include "core/layers/layer_split.h"
#include "core/memory/activations.h"
#include "core/pipeline/simulation/simulator.h"
#include "core/plan/choices.h"
#include "tests/core/live_activations.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_weight_half {

void holds(const char* name, const std::function<void()>& check) { QVERIFY2(rc::check(name, check), name); }

/// GPT layers with dropout and unfused attention, as zero-bubble's authors count them, on 4 stages of 2 layers.
Plan gptPlan()
{
    Plan plan = samples::llama13BOnEightCards();
    plan.model.architecture = samples::gpt(1024, 16, 8);
    plan.workload.sequence_length = 1024;
    plan.workload.micro_batch_size = 2;
    plan.workload.global_batch_size = 64;
    plan.recipe.kernels = Kernels::MegatronLocal;
    plan.recipe.attention = Attention::Unfused;
    plan.recipe.dropout = {0.1, 0.1};
    plan.recipe.schedule = Schedule::ZbH1;
    return plan;
}

void addExperts(Plan& plan, std::int64_t shared)
{
    MixtureOfExperts moe;
    moe.num_experts = 8;
    moe.num_experts_per_tok = 2;
    moe.moe_intermediate_size = 512;
    moe.num_shared_experts = shared;
    moe.shared_intermediate_size = shared * 512;
    plan.model.architecture.moe = moe;
}

ChunkActivations chunkOf(const Plan& plan, std::size_t rank)
{
    return chunkActivations(plan, operatorTables(plan), stageLayers(plan)[rank]).front();
}

/// Values of the residual stream of one micro-batch on all tensor ranks, T h.
double streamValues(const Plan& plan)
{
    return cardShare(plan).tokens() * static_cast<double>(plan.model.architecture.hidden_size);
}

/// Bytes that one layer of a middle stage leaves for its weight half, in units of T h.
double perLayer(const Plan& plan)
{
    const ChunkActivations chunk = chunkOf(plan, 1);
    const auto layers = static_cast<double>(plan.model.architecture.num_hidden_layers / plan.parallelism.pipeline);
    return static_cast<double>(chunk.memory.holding.for_weights.value()) / (layers * streamValues(plan));
}

/// Of an expert layer's rows.
double rowBytes(const Plan& plan, double per_row)
{
    return expertRows(*plan.model.architecture.moe, cardShare(plan)) * per_row / streamValues(plan);
}

ChunkMemory chunkMemory(std::int64_t saved, std::int64_t for_weights)
{
    ChunkMemory chunk;
    chunk.holding = {Bytes(saved), Bytes(for_weights)};
    chunk.first_forward = chunk.forward = {"forward", Bytes(0), Bytes(0)};
    chunk.backward = {"backward", Bytes(0), Bytes(0)};
    chunk.input_half = {"input half", Bytes(0), Bytes(0)};
    return chunk;
}

Timeline run(const ScheduleRequest& request)
{
    const std::vector<std::vector<Durations>> durations(
        static_cast<std::size_t>(request.stages), std::vector<Durations>(static_cast<std::size_t>(request.chunks)));
    auto timeline = simulate(request, durations);
    if (!timeline) qFatal("%s", timeline.error().message.english().c_str());
    return *timeline;
}

/// The most that is saved at any start or end of an operation.
Bytes mostHeld(const RankTimeline& operations, const std::vector<ChunkHolding>& chunks)
{
    Bytes most;
    for (const TimedOperation& timed : operations) {
        most = std::max(most, samples::savedAt(operations, chunks, timed.start));
        most = std::max(most, samples::savedAt(operations, chunks, timed.end));
    }
    return most;
}

class TestWeightHalf : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("RC_PARAMS", "seed=20261207 max_success=200"); }

    // Zero-bubble pipeline parallelism, arXiv:2401.10241, section 4: of 34 s b h + 5 a b s^2 bytes that a GPT layer
    // saves, the weight half needs 32 s b h (with output gradients); the repository's scheduler has the same numbers.
    void gptLayerLeavesThirtyTwo()
    {
        const Plan plan = gptPlan();
        const ChunkActivations chunk = chunkOf(plan, 1);
        QCOMPARE(perLayer(plan), 32.0);
        const auto& model = plan.model.architecture;
        const double scores = 5.0 * static_cast<double>(model.num_attention_heads * plan.workload.sequence_length)
            / static_cast<double>(model.hidden_size);
        const double statistics = 2.0 * 8.0 / static_cast<double>(model.hidden_size);
        const double saved = static_cast<double>(chunk.memory.holding.saved.value()) / (2.0 * streamValues(plan));
        QCOMPARE(saved, 34.0 + scores + statistics);

        double inputs = 0.0;
        for (const NamedBytes& tensor : chunk.for_weights) {
            if (!tensor.id.ends_with("output_gradient")) inputs += static_cast<double>(tensor.bytes.value());
        }
        QCOMPARE(inputs / (2.0 * streamValues(plan)), 14.0);
        QCOMPARE(sum(chunk.for_weights), chunk.memory.holding.for_weights);
    }

    // Inputs: both norms' outputs 2 + 2, attention's output 2, activation 8. Output gradients: qkv 6, projection 2,
    // MLP 8 and 2. Tensor parallelism of 2 halves all but the norms' outputs and the row-parallel gradients.
    void shards_data()
    {
        QTest::addColumn<int>("tensor");
        QTest::addColumn<bool>("sequence");
        QTest::addColumn<int>("kernels");
        QTest::addColumn<int>("precision");
        QTest::addColumn<QByteArray>("card");
        QTest::addColumn<double>("expected");
        const int local = int(Kernels::MegatronLocal);
        const int engine = int(Kernels::TransformerEngine);
        const int bf16 = int(Precision::Bf16);
        const int fp8 = int(Precision::Fp8);
        QTest::newRow("one card") << 1 << false << local << bf16 << QByteArray("ampere") << 32.0;
        QTest::newRow("TransformerEngine") << 1 << false << engine << bf16 << QByteArray("ampere") << 32.0;
        QTest::newRow("fp32") << 1 << false << local << int(Precision::Fp32) << QByteArray("ampere") << 64.0;
        QTest::newRow("tensor 2") << 2 << false << local << bf16 << QByteArray("ampere") << 4 + 5 + 7 + 4.0;
        QTest::newRow("sequence, gathered again")
            << 2 << true << local << bf16 << QByteArray("ampere") << 2 + 5 + 7 + 4.0;
        QTest::newRow("sequence, kept gathered")
            << 2 << true << engine << bf16 << QByteArray("ampere") << 4 + 5 + 7 + 4.0;
        // Inputs in one byte, but for the attention's output, which is quantized again; gradients in both directions'
        // copies before Blackwell.
        QTest::newRow("fp8, Hopper") << 1 << false << engine << fp8 << QByteArray("hopper") << 6 + 2 + 18.0;
        QTest::newRow("fp8, Blackwell") << 1 << false << engine << fp8 << QByteArray("blackwell") << 6 + 2 + 9.0;
        QTest::newRow("mxfp8") << 1 << false << engine << int(Precision::Mxfp8) << QByteArray("blackwell")
                               << 2 + (6 + 18.0) * (1 + 1.0 / 32);
        QTest::newRow("fp8 outside TransformerEngine") << 1 << false << local << fp8 << QByteArray("hopper") << 32.0;
    }
    void shards()
    {
        QFETCH(int, tensor);
        QFETCH(bool, sequence);
        QFETCH(int, kernels);
        QFETCH(int, precision);
        QFETCH(QByteArray, card);
        QFETCH(double, expected);
        Plan plan = gptPlan();
        plan.parallelism.tensor = tensor;
        plan.parallelism.sequence = sequence;
        plan.recipe.kernels = static_cast<Kernels>(kernels);
        plan.recipe.precision = static_cast<Precision>(precision);
        plan.cluster.accelerator.generation = *fromName<Generation>(card.toStdString());
        QCOMPARE(perLayer(plan), expected);
    }

    // The router's gradient is made at once, so the norm's output before it is needed only where shared experts read
    // it.
    void expertLayers()
    {
        Plan plan = gptPlan();
        addExperts(plan, 0);
        const double attention = 2 + 2 + 6 + 2;
        const double routed = rowBytes(plan, 2.0 * (1024 + 512 + 512 + 1024));
        QCOMPARE(perLayer(plan), attention + routed);
        addExperts(plan, 1);
        const double shared = 2 + 2.0 * (512 + 512 + 1024) / 1024;
        QCOMPARE(perLayer(plan), attention + routed + shared);
    }

    // DeepSeek-V2's attention: the normalized latents are inputs, the norms' own inputs are not.
    void latentAttention()
    {
        Plan plan = gptPlan();
        plan.recipe.attention = Attention::Fused;
        plan.model.architecture.mla = LatentAttention{512, 256, 64, 32, 64};
        const double heads = 16;
        const double inputs = 1024 + 512 + 256 + heads * 64 + 1024 + 4096;
        const double gradients = 512 + heads * 96 + (256 + 32) + heads * 128 + 1024 + 4096 + 1024;
        QCOMPARE(perLayer(plan), 2.0 * (inputs + gradients) / 1024);
    }

    void recomputationChangesNothing()
    {
        Plan plan = gptPlan();
        const Bytes before = chunkOf(plan, 1).memory.holding.for_weights;
        plan.recipe.recompute = {RecomputeGranularity::Selective,
            {RecomputeModule::CoreAttn, RecomputeModule::LayerNorm, RecomputeModule::Mlp}, RecomputeMethod::Uniform, 1};
        QCOMPARE(chunkOf(plan, 1).memory.holding.for_weights, before);
        plan.recipe.recompute = {RecomputeGranularity::Full, {}, RecomputeMethod::Uniform, 1};
        const ChunkActivations chunk = chunkOf(plan, 1);
        QCOMPARE(chunk.memory.holding.for_weights, before);
        QCOMPARE(chunk.memory.holding.saved, 2 * residualStream(plan));
        // The first layer is rebuilt while the second has left its 32 s b h: at the end of the input half a card holds
        // more than at its start.
        const ChunkMemory& memory = chunk.memory;
        const Bytes at_start = memory.holding.saved + memory.backward.net();
        const Bytes at_end = memory.holding.for_weights + memory.input_half.net();
        QVERIFY(at_end > at_start);
        QCOMPARE(at_end - at_start, Bytes(before.value() / 2) - residualStream(plan));
        QCOMPARE(std::string(memory.input_half.id), std::string("first_layer.backward"));
    }

    // The output layer is a product as well; the embedding's rows are added at once. A chunked loss makes the output
    // layer's gradients by itself, and each further prediction hands it another gradient.
    void headAndEmbedding()
    {
        Plan plan = gptPlan();
        const auto forWeights = [](const Plan& of, std::size_t rank) {
            return chunkOf(of, rank).memory.holding.for_weights;
        };
        const Bytes middle = forWeights(plan, 1);
        QCOMPARE(forWeights(plan, 0), middle);
        const CardShare share = cardShare(plan);
        const Bytes head = roundToBytes(2.0 * share.tokens() * static_cast<double>(1024 + share.vocabulary));
        QCOMPARE(forWeights(plan, 3), middle + head);
        Plan chunked = plan;
        chunked.recipe.loss = Loss::ChunkedHidden;
        QCOMPARE(forWeights(chunked, 3), middle);
        Plan predicting = plan;
        predicting.model.architecture.mtp_layers = 1;
        const Bytes joined = roundToBytes(2.0 * 3.0 * streamValues(plan));
        QCOMPARE(forWeights(predicting, 3), middle + 2 * head + Bytes(middle.value() / 2) + joined);
    }

    void frozenWeightsNeedNothing()
    {
        Plan plan = gptPlan();
        plan.workload.task = Task::Lora;
        for (std::size_t rank = 0; rank < 4; ++rank)
            QCOMPARE(chunkOf(plan, rank).memory.holding.for_weights, Bytes(0));
    }

    // ZB-H1 holds (p - r) whole passes on rank r and r that wait, ZB-H2 2 (p - r) - 1 and 2 r: as much as 1F1B's first
    // rank, and twice that, where a waiting pass is no larger than a whole one.
    void zeroBubbleHoldsByRank()
    {
        const std::vector chunks{chunkMemory(100, 30)};
        const std::vector holding{chunks.front().holding};
        for (const std::int64_t p : {2, 3, 4, 8}) {
            for (const std::int64_t m : {2 * p, 5 * p, 1000 * p}) {
                const Timeline h1 = run({Schedule::ZbH1, p, m, 1, {}});
                const Timeline h2 = run({Schedule::ZbH2, p, m, 1, {}});
                for (std::int64_t r = 0; r < p; ++r) {
                    const auto rank = static_cast<std::size_t>(r);
                    const MemoryPeak first = memoryPeak(h1.ranks[rank], chunks, Bytes(0));
                    QCOMPARE(first.bytes.value(), 100 * (p - r) + 30 * r);
                    QCOMPARE(first.passes.front().in_flight, p - r);
                    QCOMPARE(first.passes.front().awaiting_weights, r);
                    QCOMPARE(samples::savedAt(h1.ranks[rank], holding, first.time), first.bytes);
                    const MemoryPeak second = memoryPeak(h2.ranks[rank], chunks, Bytes(0));
                    QCOMPARE(second.bytes.value(), 100 * (2 * (p - r) - 1) + 30 * std::min(2 * r, m));
                    QCOMPARE(samples::savedAt(h2.ranks[rank], holding, second.time), second.bytes);
                }
            }
        }
    }

    // Also where what waits is larger than what was saved, as after recomputation.
    void peakIsTheMostThatIsHeld()
    {
        holds("the peak without transients is the maximum of what is held, and all of it is given back", [] {
            const auto all = names<Schedule>();
            ScheduleRequest request;
            request.schedule = all[*rc::gen::inRange<std::size_t>(0, all.size())].value;
            request.stages = 2 * *rc::gen::inRange<std::int64_t>(1, 4);
            request.microbatches = 2 * request.stages * *rc::gen::inRange<std::int64_t>(1, 4);
            request.chunks = fixedChunks(request.schedule).value_or(*rc::gen::inRange<std::int64_t>(2, 4));
            RC_PRE(!refusal(request));
            std::vector<ChunkMemory> chunks;
            std::vector<ChunkHolding> holding;
            for (std::int64_t i = 0; i < request.chunks; ++i) {
                chunks.push_back(
                    chunkMemory(*rc::gen::inRange<std::int64_t>(1, 50), *rc::gen::inRange<std::int64_t>(0, 80)));
                holding.push_back(chunks.back().holding);
            }
            const Timeline timeline = run(request);
            for (const RankTimeline& rank : timeline.ranks) {
                RC_ASSERT(memoryPeak(rank, chunks, Bytes(0)).bytes == mostHeld(rank, holding));
                RC_ASSERT(samples::savedAt(rank, holding, 1.0 + timeline.makespan) == Bytes(0));
            }
        });
    }

    // Megatron-LM's block frees layer L - 1 - i of one pass as it saves layer i of the other.
    void blocksByLayersHoldOnePass()
    {
        ChunkMemory chunk = chunkMemory(100, 0);
        chunk.holding.by_layers = true;
        chunk.forward.extra = Bytes(7);
        chunk.in_block = {{"forward.begun", Bytes(1), Bytes(0)}, {"forward.layer", Bytes(10), Bytes(0)},
            {"backward.begun", Bytes(5), Bytes(0)}, {"backward.layer", Bytes(9), Bytes(20)}};
        const auto peak = [&] {
            ScheduleRequest request{Schedule::OneFOneB, 1, 8, 1, {}};
            request.paired = true;
            const Timeline timeline = run(request);
            const std::vector holding{chunk.holding};
            // The picture over time knows no instants inside an operation.
            if (mostHeld(timeline.ranks[0], holding) != Bytes(100)) qFatal("a block holds two passes");
            if (samples::savedAt(timeline.ranks[0], holding, 1.0 + timeline.makespan) != Bytes(0))
                qFatal("something is left");
            return memoryPeak(timeline.ranks[0], std::vector{chunk}, Bytes(1000));
        };
        // As it begins, with both micro-batches' masks; while the first pair of layers runs; at its end.
        QCOMPARE(peak().bytes, Bytes(100 + 2 * 1000 + 1 + 5));
        QCOMPARE(peak().microbatches, 2);
        chunk.in_block.backward_layer.extra = Bytes(40);
        QCOMPARE(peak().bytes, Bytes(100 + 2 * 1000 + 10 + 20));
        QCOMPARE(std::string(peak().backward->id), std::string("backward.layer"));
        chunk.forward.extra = Bytes(5000);
        QCOMPARE(peak().bytes, Bytes(100 + 1000 + 5000));
        QVERIFY(!peak().backward);
    }

    // Micro-batches of a bidirectional schedule enter a rank by either of its chunks; elsewhere all enter by the first.
    void everyPipeBringsItsMicroBatches()
    {
        const std::vector chunks{chunkMemory(100, 30), chunkMemory(100, 30)};
        const Timeline timeline = run({Schedule::DualPipe, 4, 16, 2, {}});
        for (const RankTimeline& rank : timeline.ranks) {
            const MemoryPeak both = memoryPeak(rank, chunks, Bytes(1), Placement::Bidirectional);
            QCOMPARE(both.microbatches, both.passes[0].in_flight + both.passes[1].in_flight);
            const MemoryPeak first = memoryPeak(rank, chunks, Bytes(1), Placement::V);
            QCOMPARE(first.microbatches, first.passes[0].in_flight);
        }
    }
};

CARDFIT_TEST(TestWeightHalf)

} // namespace cardfit::tst_weight_half
#include "tst_weight_half.moc"
