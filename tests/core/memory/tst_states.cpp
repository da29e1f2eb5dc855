// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/estimate/estimate.h"
#include "core/memory/overheads.h"
#include "core/memory/states.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_states {

using Change = std::function<void(Plan&)>;

/// Weights, gradients and optimizer states of the only stage over its parameters.
double bytesPerParameter(const Plan& plan)
{
    const Estimate result = estimate(plan);
    const StageMemory& stage = result.stages.at(0);
    const Bytes states = stage[Segment::Weights] + stage[Segment::Gradients] + stage[Segment::Optimizer];
    return static_cast<double>(states.value()) / static_cast<double>(result.parameters.total);
}

Bytes termBytes(const StageMemory& stage, std::string_view id)
{
    for (const Term& term : stage.terms) {
        if (term.id == id) return term.bytes;
    }
    return {};
}

class TestStates : public QObject {
    Q_OBJECT

private slots:
    // Bytes per parameter as the frameworks' documents and the optimizers' papers state them; four replicas.
    void bytesPerParameterMatchPublished_data()
    {
        QTest::addColumn<Change>("change");
        QTest::addColumn<double>("expected");
        const auto row = [](const char* name, double expected, const Change& change) {
            QTest::newRow(name) << change << expected;
        };
        const auto megatron = [](const Change& change) {
            return [change](Plan& p) {
                p.recipe.sharding = Sharding::None;
                change(p);
            };
        };
        const auto deepspeed = [](Sharding sharding) {
            return [sharding](Plan& p) {
                p.recipe.framework = Framework::DeepSpeed;
                p.recipe.sharding = sharding;
            };
        };
        row("Megatron bf16", 18.0, megatron([](Plan&) {}));
        row("Megatron distributed optimizer, 6 + 12/d", 9.0, [](Plan&) {});
        row("Megatron fp16 gradients", 16.0,
            megatron([](Plan& p) { p.recipe.gradient_precision = GradientPrecision::Fp16; }));
        row("fp32 Adam", 16.0, megatron([](Plan& p) { p.recipe.precision = Precision::Fp32; }));
        row("pure bf16 Adam", 8.0, megatron([](Plan& p) { p.recipe.precision = Precision::Bf16Pure; }));
        row("ZeRO-0", 16.0, deepspeed(Sharding::None));
        row("ZeRO-1, 4 + 12/N", 7.0, deepspeed(Sharding::Zero1));
        row("ZeRO-2, 2 + 14/N", 5.5, deepspeed(Sharding::Zero2));
        row("ZeRO-3, 16/N", 4.0, deepspeed(Sharding::Zero3));
        row("FSDP, 16/N", 4.0, [](Plan& p) {
            p.recipe.framework = Framework::Fsdp;
            p.recipe.sharding = Sharding::Zero3;
        });
        row("SGD", 10.0, megatron([](Plan& p) { p.recipe.optimizer = Optimizer::Sgd; }));
        row("momentum", 14.0, megatron([](Plan& p) { p.recipe.optimizer = Optimizer::Momentum; }));
        row("Lion", 14.0, megatron([](Plan& p) { p.recipe.optimizer = Optimizer::Lion; }));
        row("8-bit Adam", 12.0 + 8.0 / 2048.0, megatron([](Plan& p) { p.recipe.optimizer = Optimizer::AdamW8Bit; }));
    }
    void bytesPerParameterMatchPublished()
    {
        QFETCH(Change, change);
        QFETCH(double, expected);
        Plan plan = samples::llama13BOnEightCards();
        plan.cluster.cards_per_node = 4;
        plan.parallelism = {};
        change(plan);
        const double found = bytesPerParameter(plan);
        QVERIFY2(std::abs(found - expected) < 1e-3, QByteArray::number(found).constData());
    }

    // Muon keeps one moment of a layer's matrices and Adam's two of everything else.
    void muonTreatsMatricesApart()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism = {};
        plan.recipe.sharding = Sharding::None;
        plan.recipe.optimizer = Optimizer::Muon;
        const double embeddings = 2.0 * 32000 * 5120;
        const double norms = 81.0 * 5120;
        const double total = 13'015'864'320.0;
        const double expected = 4.0 * (total - embeddings - norms) + 8.0 * (embeddings + norms);
        QCOMPARE(static_cast<double>(termBytes(estimate(plan).stages[0], "optimizer.moments").value()), expected);
    }

    // Shazeer and Stern 2018, arXiv:1804.04235: one fp32 value per row and per column of a matrix.
    void adafactorKeepsRowsAndColumns()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism = {};
        plan.recipe.sharding = Sharding::None;
        plan.recipe.optimizer = Optimizer::Adafactor;
        const std::int64_t h = 5120;
        const std::int64_t f = 13824;
        const std::int64_t layer = (3 * h + h) + (h + h) + (2 * f + h) + (h + f) + 2 * h;
        const std::int64_t expected = 4 * (40 * layer + 2 * (32000 + h) + h);
        QCOMPARE(termBytes(estimate(plan).stages[0], "optimizer.moments").value(), expected);
    }

    // The first step reaches its peak before the optimizer has made its moments: 8/d bytes per parameter less.
    void firstStepLacksMoments()
    {
        const Plan plan = samples::llama13BOnEightCards();
        const StageMemory stage = estimate(plan).stages[0];
        QCOMPARE(stage.allocated() - stage.firstStepAllocated(), termBytes(stage, "optimizer.moments"));
        QVERIFY(stage.firstStepAllocated() < stage.allocated());
    }

    // Hu et al. 2021, arXiv:2106.09685: only r (in + out) values per adapted product learn. Dettmers et al. 2023,
    // arXiv:2305.14314: layers' matrices take 4 bits and scales, everything else stays in 16.
    void adapters()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism = {};
        plan.cluster.cards_per_node = 1;
        plan.workload.task = Task::Lora;
        plan.recipe.adapter = Adapter{8, {AdapterTarget::LinearProj}};
        const Estimate lora = estimate(plan);
        QCOMPARE(lora.parameters.trainable, std::int64_t{40 * 8 * 2 * 5120});
        const StageMemory& stage = lora.stages[0];
        QCOMPARE(stage[Segment::Gradients].value(), 2 * lora.parameters.trainable);
        QCOMPARE(stage[Segment::Optimizer].value(), 12 * lora.parameters.trainable);
        QCOMPARE(stage[Segment::Weights].value(), 2 * (lora.parameters.total + lora.parameters.trainable));

        plan.workload.task = Task::Qlora;
        const double rest = 2.0 * 32000 * 5120 + 81.0 * 5120;
        const double matrices = static_cast<double>(lora.parameters.total) - rest;
        const Estimate qlora = estimate(plan);
        QCOMPARE(termBytes(qlora.stages[0], "weights.frozen"), roundToBytes(0.516 * matrices + 2.0 * rest));
        QVERIFY(qlora.stages[0].allocated() < stage.allocated());
        // bitsandbytes: two bytes and two fp32 scales per 256 values beside the fp32 copy; paged ones are elsewhere.
        const auto trained = static_cast<double>(lora.parameters.trainable);
        plan.recipe.optimizer = Optimizer::Adam8Bit;
        QCOMPARE(termBytes(estimate(plan).stages[0], "optimizer.adapter"), roundToBytes(6.03125 * trained));
        plan.recipe.optimizer = Optimizer::PagedAdam8Bit;
        QCOMPARE(termBytes(estimate(plan).stages[0], "optimizer.adapter"), roundToBytes(4.0 * trained));
    }

    // Frozen products keep no input; what the attention kernel and the activation function keep stays.
    void unadaptedProductsKeepNoInput()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.workload.task = Task::Lora;
        plan.recipe.adapter = Adapter{8, {AdapterTarget::LinearProj}};
        const StageMemory one = estimate(plan).stages[0];
        QCOMPARE(termBytes(one, "mlp.activation_output"), Bytes(0));
        QCOMPARE(termBytes(one, "norm.output"), Bytes(0));
        QVERIFY(termBytes(one, "mlp.up_output") > Bytes(0));
        plan.recipe.adapter = Adapter{};
        const StageMemory all = estimate(plan).stages[0];
        plan.workload.task = Task::Finetune;
        plan.recipe.adapter.reset();
        const StageMemory full = estimate(plan).stages[0];
        QCOMPARE(termBytes(all, "mlp.activation_output"), termBytes(full, "mlp.activation_output"));
        QCOMPARE(termBytes(all, "norm.output"), termBytes(full, "norm.output"));
    }

    // Megatron-LM, --fp8-param-gather: "Keep the compute param in fp8 (do not use any other intermediate dtype)". The
    // 16-bit matrices go, two bytes each; the quantized ones, embedding, output layer and norms stay.
    void narrowGathersKeepNoWideMatrices_data()
    {
        QTest::addColumn<int>("precision");
        QTest::addColumn<double>("gathered");
        QTest::newRow("fp8") << int(Precision::Fp8) << 1.0;
        QTest::newRow("mxfp8") << int(Precision::Mxfp8)
                               << 2.0; // param_and_grad_buffer.py: bf16 in the gradients' buffer
        QTest::newRow("nvfp4") << int(Precision::Nvfp4) << 0.5625;
    }
    void narrowGathersKeepNoWideMatrices()
    {
        QFETCH(int, precision);
        QFETCH(double, gathered);
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism = {};
        plan.cluster.accelerator.generation = Generation::Blackwell;
        plan.recipe.precision = static_cast<Precision>(precision);
        const StageMemory wide = estimate(plan).stages[0];
        QCOMPARE(stateLayout(plan).gathered, 2.0);
        (plan.recipe.precision == Precision::Nvfp4 ? plan.recipe.fp4_param_gather : plan.recipe.fp8_param_gather) =
            true;
        const StageMemory narrow = estimate(plan).stages[0];
        const std::int64_t h = 5120;
        const std::int64_t matrices = 40 * (4 * h * h + 3 * h * 13824);
        QCOMPARE((wide[Segment::Weights] - narrow[Segment::Weights]).value(), 2 * matrices);
        QCOMPARE(termBytes(narrow, "weights").value(), 2 * (2 * 32000 * h + 81 * h));
        QCOMPARE(termBytes(narrow, "weights.quantized"), termBytes(wide, "weights.quantized"));
        QCOMPARE(wide[Segment::Optimizer], narrow[Segment::Optimizer]);
        QCOMPARE(stateLayout(plan).gathered, gathered);
    }

    // torchao, enable_fsdp_float8_all_gather: shards stay in fp32, what is gathered has one byte a value.
    void fsdpGathersInFp8()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism = {};
        plan.parallelism.data = 8;
        plan.recipe.framework = Framework::Fsdp;
        plan.recipe.kernels = Kernels::Compiled;
        plan.recipe.sharding = Sharding::Zero3;
        plan.recipe.precision = Precision::Fp8;
        const StageMemory wide = estimate(plan).stages[0];
        plan.recipe.fp8_param_gather = true;
        const StageMemory narrow = estimate(plan).stages[0];
        const std::int64_t h = 5120;
        const std::int64_t layer = 4 * h * h + 3 * h * 13824 + 2 * h;
        QCOMPARE(termBytes(wide, "buffer.gathered_layers").value(), 2 * 2 * layer);
        QCOMPARE(termBytes(narrow, "buffer.gathered_layers").value(), 2 * layer);
        QCOMPARE(wide[Segment::Weights], narrow[Segment::Weights]);
    }

    // DeepSeek-V3, arXiv:2412.19437, section 3.3.3: moments in BF16, master weights and gradients in FP32.
    void momentsInOtherFormats()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism = {};
        const std::int64_t total = 13'015'864'320;
        for (const auto& [format, bytes] : {std::pair{MomentPrecision::Fp32, 8}, std::pair{MomentPrecision::Bf16, 4},
                 std::pair{MomentPrecision::Fp16, 4}, std::pair{MomentPrecision::Fp8, 2}}) {
            plan.recipe.moment_precision = format;
            const StageMemory stage = estimate(plan).stages[0];
            QCOMPARE(termBytes(stage, "optimizer.moments").value(), bytes * total / 8);
            QCOMPARE(termBytes(stage, "optimizer.master").value(), 4 * total / 8);
        }
    }

    // Megatron-Core, activation_func_fp8_input_store: "Store the input of MLP activation function in FP8 for backprop".
    // One byte of the two of each of gate's and up's values.
    void activationInputsInFp8()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism = {};
        const auto kept = [&] { return termBytes(estimate(plan).stages[0], "mlp.up_output").value(); };
        const std::int64_t wide = kept();
        QCOMPARE(wide, 2LL * 2 * 4096 * 13824 * 40);
        plan.recipe.fp8_activation_input = true;
        QCOMPARE(kept(), wide / 2);
        plan.model.architecture.gated_mlp = false;
        QCOMPARE(kept(), 2LL * 4096 * 13824 * 40); // for SwiGLU only
    }

    // Megatron-LM, attention.py and shared_experts.py, set_save_original_input: the output projection and the shared
    // experts quantize again what is kept in 16 bits anyway; DeepSpeed with TransformerEngine's layers does not ask for
    // that.
    void quantizedInputsAreNotKeptTwice()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism = {};
        plan.cluster.accelerator.generation = Generation::Hopper;
        plan.recipe.precision = Precision::Fp8;
        const StageMemory megatron = estimate(plan).stages[0];
        QCOMPARE(termBytes(megatron, "projection.input"), Bytes(0));
        QCOMPARE(termBytes(megatron, "attention.output").value(), 2LL * 4096 * 5120 * 40);
        plan.recipe.framework = Framework::DeepSpeed;
        QCOMPARE(termBytes(estimate(plan).stages[0], "projection.input").value(), 4096LL * 5120 * 40);
    }

    // torchtitan with --parallelism.disable_loss_parallel: every tensor-parallel card has all logits.
    void logitsAreGatheredWithoutLossParallel()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism = {};
        plan.parallelism.tensor = 4;
        plan.parallelism.data = 2;
        plan.recipe.framework = Framework::Fsdp;
        plan.recipe.sharding = Sharding::Zero3;
        plan.recipe.loss = Loss::Compiled;
        const StageMemory divided = estimate(plan).stages[0];
        plan.recipe.loss_parallel = false;
        const StageMemory whole = estimate(plan).stages[0];
        const std::int64_t logits = 2 * 4096 * 32256; // 32,000 padded to a multiple of 128 x 4
        QCOMPARE(termBytes(divided, "logits").value(), logits / 4);
        QCOMPARE(termBytes(whole, "logits").value(), logits);
    }

    // DeepEP dd758ca, csrc/legacy/config.hpp: what get_nvl_buffer_size_hint and get_rdma_buffer_size_hint give for 8
    // and 64 ranks, 20 multiprocessors and DeepSeek-V3's 7,168 bf16 values, less a few kilobytes of counters.
    void dispatchBuffersOfDeepEp()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.model.architecture.hidden_size = 7168;
        plan.model.architecture.moe = MixtureOfExperts{};
        plan.model.architecture.moe->num_experts = 256;
        plan.recipe.moe.dispatcher = Dispatcher::DeepEp;
        plan.parallelism.expert = 8;
        QCOMPARE(dispatchBuffers(plan).value(), 10LL * 8 * 256 * (14336 + 8 + 128 * 16));
        plan.parallelism.expert = 64;
        QCOMPARE(dispatchBuffers(plan).value(),
            10LL * 8 * 288 * (14336 + 8 + 128 * 16) + 10LL * 8 * 128 * 2 * (14336 + 8 + 128 * 16 + 16));
        plan.recipe.moe.dispatcher = Dispatcher::AllToAll;
        QCOMPARE(dispatchBuffers(plan), Bytes(0));
    }

    // TransformerEngine before Blackwell keeps an fp8 copy and a transposed one of each layer's matrices.
    void quantizedCopies_data()
    {
        QTest::addColumn<QString>("architecture");
        QTest::addColumn<int>("precision");
        QTest::addColumn<double>("expected");
        QTest::newRow("fp8 on Hopper") << "hopper" << int(Precision::Fp8) << 2.0;
        QTest::newRow("fp8 on Blackwell") << "blackwell" << int(Precision::Fp8) << 1.0;
        QTest::newRow("mxfp8") << "blackwell" << int(Precision::Mxfp8) << 2.0625;
        QTest::newRow("nvfp4") << "blackwell" << int(Precision::Nvfp4) << 1.125;
        QTest::newRow("bf16") << "hopper" << int(Precision::Bf16) << 0.0;
    }
    void quantizedCopies()
    {
        QFETCH(QString, architecture);
        QFETCH(int, precision);
        QFETCH(double, expected);
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism = {};
        plan.cluster.accelerator.generation = *fromName<Generation>(architecture.toStdString());
        plan.recipe.precision = static_cast<Precision>(precision);
        const double matrices = 13'015'864'320.0 - 2.0 * 32000 * 5120 - 81.0 * 5120;
        QCOMPARE(
            static_cast<double>(termBytes(estimate(plan).stages[0], "weights.quantized").value()) / matrices, expected);
    }

    void offloadedOptimizerLeavesTheCard()
    {
        Plan plan = samples::llama13BOnEightCards();
        const Bytes all = estimate(plan).stages[0][Segment::Optimizer];
        plan.recipe.offload.optimizer = 1.0;
        QCOMPARE(estimate(plan).stages[0][Segment::Optimizer], Bytes(0));
        plan.recipe.offload.optimizer = 0.75;
        QCOMPARE(estimate(plan).stages[0][Segment::Optimizer].value(), all.value() / 4);
    }
};

CARDFIT_TEST(TestStates)

} // namespace cardfit::tst_states
#include "tst_states.moc"
