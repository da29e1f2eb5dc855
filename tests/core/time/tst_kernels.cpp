// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <filesystem>

#include <rapidcheck.h>

#include "core/files/presets.h"
#include "core/time/kernels.h"
#include "tests/core/explain/runnable_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_kernels {

void holds(const char* name, const std::function<void()>& check) { QVERIFY2(rc::check(name, check), name); }

Plan planOn(const char* card, Precision precision = Precision::Bf16)
{
    static const Presets kPresets = loadPresets(std::vector<std::filesystem::path>{CARDFIT_PRESET_DIR});
    Plan plan = samples::llama13BOnEightCards();
    plan.cluster.accelerator = *kPresets.accelerator(card);
    plan.recipe.precision = precision;
    return plan;
}

constexpr std::array kCards{"a100-sxm-80", "h100-sxm-80", "b200-sxm", "rtx-4090", "mi300x"};
constexpr std::array kMeasured{"a100-sxm-80", "h100-sxm-80", "b200-sxm"};
const char* anyCard() { return *rc::gen::elementOf(kCards); }

Operator product(double rows, double inner, double columns)
{
    Operator made{"product"};
    made.products = {{rows, inner, columns}};
    return made;
}

Operator anyProduct()
{
    const auto size = [] { return static_cast<double>(64 * *rc::gen::inRange(1, 400)); };
    const double rows = size();
    const double inner = size();
    return product(rows, inner, size());
}

/// Causal attention of one sequence, `heads` of 128 values.
Operator attention(double sequence, double heads = 32.0)
{
    Operator made{"core_attention"};
    const double whole = 4.0 * sequence * sequence * heads * 128.0;
    made.attention = {{1.0, Flops(whole / 2.0), Flops(whole), heads * sequence * sequence, sequence, 128.0}};
    made.run_again_by = RecomputeSet::CoreAttention;
    return made;
}

KernelTimes times(const Plan& plan, const Operator& step, RecomputeSet again = RecomputeSet::None)
{
    return KernelClock(plan).of(step, again);
}

/// What mixes the tokens of a layer of the kind.
KernelTimes recurrence(const Architecture& model, LayerKind kind, std::string_view id, const char* card,
    std::int64_t sequence, std::int64_t samples)
{
    CardShare share;
    share.sequence = sequence;
    share.micro_batch = samples;
    const auto operators = layerOperators(model, share, {}, kind);
    return times(planOn(card), *std::ranges::find(operators, id, &Operator::id));
}

bool near(double actual, double expected, double tolerance)
{
    return std::abs(actual - expected) <= tolerance * std::abs(expected);
}

class TestKernels : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("RC_PARAMS", "seed=20261156 max_success=300 max_size=300"); }

    void noProductBeatsTheSustainedRate()
    {
        holds("all three products of a pass take at least their work at the sustained rate", [] {
            const Plan plan = planOn(anyCard());
            const Operator step = anyProduct();
            const double efficiency = plan.cluster.accelerator.gemm_efficiency.bf16.value_or(0.6);
            const Seconds least = step.products.front().work() / (efficiency * referencePeak(plan));
            const KernelTimes made = times(plan, step);
            const Seconds almost = (1.0 - 1e-12) * least;
            RC_ASSERT(made.forward >= almost);
            RC_ASSERT(made.input >= almost);
            RC_ASSERT(made.weight >= almost);
        });
    }

    void largeProductsComeClose()
    {
        for (const char* card : kCards) {
            const Plan plan = planOn(card);
            const double efficiency = plan.cluster.accelerator.gemm_efficiency.bf16.value_or(0.6);
            const Operator step = product(32768, 32768, 32768);
            const Seconds least = step.products.front().work() / (efficiency * referencePeak(plan));
            QVERIFY2(times(plan, step).forward < 1.02 * least, card);
        }
    }

    void timeGrowsWithTheShape()
    {
        holds("more rows, inner features or columns take longer, but never twice as long for twice as many", [] {
            const Plan plan = planOn(anyCard());
            const Operator step = anyProduct();
            const Seconds before = times(plan, step).forward;
            for (auto MatrixProduct::*size : {&MatrixProduct::rows, &MatrixProduct::inner, &MatrixProduct::columns}) {
                Operator larger = step;
                larger.products.front().*size *= 2.0;
                const Seconds after = times(plan, larger).forward;
                RC_ASSERT(after > before);
                RC_ASSERT(after <= (2.0 + 1e-12) * before);
            }
        });
    }

    // Grouped kernels: half their rate at 200 rows per expert (SimuMax's and aiconfigurator's tables).
    void groupedProductsNeedRows()
    {
        Plan plan = planOn("b200-sxm");
        plan.recipe.kernels = Kernels::Compiled;
        const auto rate = [&](double rows) {
            Operator step = product(rows, 7168, 4096);
            step.products.front().copies = 64.0;
            step.products.front().expert = true;
            return step.products.front().work().value() / times(plan, step).forward.value();
        };
        const double most = rate(1e6);
        QVERIFY(near(rate(200.0) / most, 0.5, 0.02));
        QVERIFY(near(rate(600.0) / most, 0.75, 0.02));
    }

    // TransformerEngine launches the products of experts one by one: 64 experts on a card start 63 times more often
    // than one of 64 times as many rows. Compiled code and a fused grouped MLP have one kernel for all of them.
    void eachExpertsProductHasItsOwnStart()
    {
        Operator experts = product(4096, 1024, 2688);
        experts.products.front().copies = 64.0;
        experts.products.front().expert = true;
        const auto startsOf = [&](const Plan& plan) {
            Operator one = experts;
            one.products.front().copies = 1.0;
            const Seconds start = toSeconds(plan.cluster.accelerator.matrix_curves.fp8->start);
            return 64.0 - (64.0 * times(plan, one).forward - times(plan, experts).forward) / start;
        };
        Plan plan = planOn("b200-sxm", Precision::Mxfp8);
        QVERIFY(near(startsOf(plan), 64.0, 1e-6));
        plan.recipe.moe.fused_grouped_mlp = true;
        QVERIFY(near(startsOf(plan), 1.0, 1e-6));
        plan.recipe.moe.fused_grouped_mlp = false;
        plan.recipe.kernels = Kernels::Compiled;
        QVERIFY(near(startsOf(plan), 1.0, 1e-6));
    }

    void narrowFormatsCoverOnlyTheLayersProducts()
    {
        const Plan wide = planOn("h100-sxm-80");
        const Plan narrow = planOn("h100-sxm-80", Precision::Fp8);
        Operator step = product(8192, 8192, 28672);
        const double gain = times(wide, step).forward / times(narrow, step).forward;
        // Less than the sustained rates promise: the input is converted first.
        const SustainedEfficiency& sustained = wide.cluster.accelerator.gemm_efficiency;
        const PeakRates& peak = wide.cluster.accelerator.tflops;
        const double promised = *sustained.fp8 / *sustained.bf16 * (*peak.fp8 / *peak.bf16);
        QVERIFY2(gain > 1.3 && gain < 0.95 * promised, qPrintable(QString::number(gain)));
        step.products.front().wide = true; // router and output layer
        QCOMPARE(times(narrow, step).forward, times(wide, step).forward);
        QCOMPARE(times(narrow, attention(8192)).forward, times(wide, attention(8192)).forward);
        // The input is converted once for a product with few columns too, so those gain little or nothing.
        const Operator thin = product(8192, 8192, 1024);
        QVERIFY(times(wide, thin).forward / times(narrow, thin).forward < 0.8 * gain);
        // A card without the format gains nothing by it.
        QVERIFY(
            times(planOn("a100-sxm-80", Precision::Fp8), thin).forward >= times(planOn("a100-sxm-80"), thin).forward);
    }

    void memoryBoundWorkMovesBytes()
    {
        Operator norm{"norm"};
        norm.moved = Bytes(1'000'000'000);
        const Plan plan = planOn("h100-sxm-80");
        const KernelTimes made = times(plan, norm);
        // 80 % of 3.35 TB/s, 1.4 times the traffic of ideal fusion, twice as much backward.
        QVERIFY(near(made.forward.value(), 1.4e9 / (0.8 * 3.35e12), 1e-9));
        QVERIFY(near(made.input.value(), 2.0 * made.forward.value(), 1e-12));
        QCOMPARE(made.weight, Seconds(0.0));
        Plan eager = plan;
        eager.recipe.kernels = Kernels::Eager;
        QVERIFY(times(eager, norm).forward > made.forward);
    }

    // ---- Attention

    // FlashAttention's backward pass: 5 products instead of 2 at 0.8 of the rate.
    void fusedAttentionComputesItsScoresAgain()
    {
        const Plan plan = planOn("h100-sxm-80");
        const KernelTimes made = times(plan, attention(65536));
        QVERIFY(near(made.input / made.forward, 2.5 / 0.8, 0.01));
    }

    void longSequencesApproachTheCurve()
    {
        holds("attention is never faster than its curve's rate, and comes close for long sequences", [] {
            const Plan plan = planOn(*rc::gen::elementOf(kMeasured));
            const double efficiency = plan.cluster.accelerator.attention_curve->efficiency;
            const double sequence = 1024.0 * static_cast<double>(runnable::power(0, 7));
            const Operator step = attention(sequence);
            const Seconds least = step.attention.front().visible / (efficiency * referencePeak(plan));
            const Seconds made = times(plan, step).forward;
            RC_ASSERT(made > least);
            if (sequence >= 65536.0) RC_ASSERT(made < 1.05 * least);
        });
    }

    // FlashAttention-2 reaches 0.16 to 0.33 of the peak of an H100 (arXiv:2307.08691; ml-engineering's tables).
    void flash2StaysSlowOnHopper()
    {
        Plan plan = planOn("h100-sxm-80");
        const Seconds newer = times(plan, attention(16384)).forward;
        plan.recipe.attention = Attention::Flash2;
        const Operator step = attention(16384);
        const double share = step.attention.front().visible / referencePeak(plan) / times(plan, step).forward;
        QVERIFY2(share > 0.16 && share <= 0.33, qPrintable(QString::number(share)));
        QVERIFY(times(plan, step).forward > newer);
        Plan ampere = planOn("a100-sxm-80");
        const Seconds fused = times(ampere, step).forward;
        ampere.recipe.attention = Attention::Flash2;
        QCOMPARE(times(ampere, step).forward, fused); // what it was written for
    }

    // PyTorch has a kernel for LayerNorm and GELU, not for RMSNorm and gated activations.
    void plainModulesAreRowsOfKernels()
    {
        Operator moves{"norm"};
        moves.moved = Bytes(1'000'000'000);
        Plan plan = planOn("a100-sxm-80");
        const auto forward = [&] { return times(plan, moves).forward; };
        plan.recipe.kernels = Kernels::TransformerEngine;
        const Seconds fused = forward();
        plan.recipe.kernels = Kernels::Eager;
        plan.model.architecture.norm = Norm::LayerNorm;
        plan.model.architecture.gated_mlp = false;
        QVERIFY(forward() == fused);
        plan.model.architecture.gated_mlp = true;
        QVERIFY(std::abs(forward() / fused - 2.0 / 1.4) < 1e-9);
        plan.model.architecture.gated_mlp = false;
        plan.model.architecture.norm = Norm::RmsNorm;
        QVERIFY(std::abs(forward() / fused - 2.0 / 1.4) < 1e-9);
    }

    // Plain modules with no kernel named run what PyTorch takes: FlashAttention-1 until its release 2.2, then the
    // second.
    void olderAttentionIsSlower()
    {
        Plan plan = planOn("a100-sxm-80");
        plan.recipe.kernels = Kernels::Eager;
        plan.recipe.attention = Attention::Flash2;
        const KernelTimes second = times(plan, attention(65536.0));
        plan.recipe.attention = Attention::Fused;
        QVERIFY(times(plan, attention(65536.0)).forward == second.forward);
        plan.recipe.software = "2023-10";
        const KernelTimes first = times(plan, attention(65536.0));
        QVERIFY(std::abs(first.forward / second.forward - 1.3) < 0.01);
        QVERIFY(std::abs(first.input / second.input - 1.3) < 0.01);
        plan.recipe.kernels = Kernels::TransformerEngine;
        QVERIFY(times(plan, attention(65536.0)).forward < first.forward);
    }

    // TransformerEngine and a compiler leave a part of the conversions to kernels of their own.
    void fusedConversionsCostLess()
    {
        const auto forward = [](Kernels kernels, double columns) {
            Plan plan = planOn("h100-sxm-80", Precision::Fp8);
            plan.recipe.kernels = kernels;
            return times(plan, product(8192.0, 8192.0, columns)).forward;
        };
        const double columns = planOn("h100-sxm-80").cluster.accelerator.matrix_curves.fp8->columns;
        // 1 + c / n apart, 1 + 0.4 c / n fused.
        const double ratio = forward(Kernels::Eager, columns) / forward(Kernels::TransformerEngine, columns);
        QVERIFY2(std::abs(ratio - 2.0 / (1.0 + shipped(Constant::ConversionsAlone))) < 0.02,
            qPrintable(QString::number(ratio)));
        QVERIFY(forward(Kernels::Compiled, columns) == forward(Kernels::TransformerEngine, columns));
    }

    void widenedWeightsConvertNothing()
    {
        // A100 multiplies no fp8: a server widens the weights, and kernels that could fuse conversions have none to
        // fuse.
        Plan served = planOn("a100-sxm-80", Precision::Fp8);
        served.workload.task = Task::Inference;
        Plan wide = served;
        wide.recipe.precision = Precision::Bf16;
        for (const Kernels kernels : {Kernels::TransformerEngine, Kernels::Compiled, Kernels::Eager}) {
            served.recipe.kernels = wide.recipe.kernels = kernels;
            const Operator step = product(4096, 8192, 1024);
            QCOMPARE(times(served, step).forward, times(wide, step).forward);
        }
    }

    void unfusedAttentionStreamsItsScores()
    {
        for (const double sequence : {2048.0, 8192.0, 32768.0}) {
            Plan plan = planOn("a100-sxm-80");
            const Operator step = attention(sequence);
            const KernelTimes fused = times(plan, step);
            plan.recipe.attention = Attention::Unfused;
            const KernelTimes unfused = times(plan, step);
            QVERIFY(unfused.forward > 2.0 * fused.forward);
            QVERIFY(unfused.input > fused.input);
        }
    }

    /// On an A100 that reaches 80 % of 2,039 GB/s a pass of 32 matrices of 2,048 x 2,048 takes 0.165 ms.
    void scoresPassThroughMemoryAsOftenAsTheirKernelsMoveThem()
    {
        const double pass = 2.0 * 32.0 * 2048.0 * 2048.0 / (0.8 * 2039e9);
        const auto passes = [&](Kernels kernels, int tensor, double dropout) {
            Plan plan = planOn("a100-sxm-80");
            plan.recipe.attention = Attention::Unfused;
            plan.recipe.kernels = kernels;
            plan.recipe.dropout.attention = dropout;
            plan.workload.sequence_length = 2048;
            plan.workload.micro_batch_size = 1;
            plan.model.architecture.num_attention_heads = 16;
            plan.parallelism.tensor = tensor;
            return times(plan, attention(2048)).forward.value() / pass;
        };
        const double fused = passes(Kernels::MegatronLocal, 4, 0.0);
        // Two heads a card: the fused softmax takes multiples of four only. Mask and softmax apart: 4 passes, not 1.5.
        QVERIFY(near(passes(Kernels::MegatronLocal, 8, 0.0) - fused, 2.5, 1e-6));
        // Dropout reads and writes scores and writes a mask of a byte each.
        QVERIFY(near(passes(Kernels::MegatronLocal, 4, 0.1) - fused, 2.5, 1e-6));
        QVERIFY(near(passes(Kernels::Eager, 4, 0.0) - fused, 8.5, 1e-6));
    }

    // ---- What runs again, what is frozen

    void recomputationRunsWhatItNames()
    {
        const Plan plan = planOn("h100-sxm-80");
        Operator step = attention(8192);
        step.moved = Bytes(100'000'000);
        QCOMPARE(times(plan, step).again, Seconds(0.0));
        const KernelTimes made = times(plan, step, RecomputeSet::CoreAttention);
        QVERIFY(near(made.again.value(), made.forward.value(), 1e-12));
        QCOMPARE(times(plan, step, RecomputeSet::Mlp).again, Seconds(0.0));
        Operator up = product(8192, 8192, 8192);
        up.products.front().run_again_by = RecomputeSet::Mlp;
        const KernelTimes again = times(plan, up, RecomputeSet::Mlp | RecomputeSet::CoreAttention);
        QCOMPARE(again.again, again.forward);
    }

    void frozenMatricesHaveNoGradients()
    {
        Plan plan = planOn("h100-sxm-80");
        const Operator step = product(8192, 8192, 8192);
        const KernelTimes learned = times(plan, step);
        plan.workload.task = Task::Lora;
        const KernelTimes frozen = times(plan, step);
        QCOMPARE(frozen.weight, Seconds(0.0));
        QVERIFY(learned.weight > Seconds(0.0));
        QCOMPARE(frozen.forward, learned.forward);
        QCOMPARE(frozen.input, learned.input);
    }

    /// Qwen3.5-397B's heads on 8 tensor ranks, flash-linear-attention's kernels on B200 (flashinfer-ai/flashinfer, pull
    /// request 3902): 16 samples of 8,192 tokens in 1.71 ms; one of 65,536 waits from chunk to chunk, 1.86 ms.
    void deltaRulesTakeAsLongAsMeasured()
    {
        Architecture model;
        model.hidden_size = 4096;
        model.linear_attention = LinearAttention{LinearAttentionRule::GatedDeltaNet, 2, 8, 128, 128, 4};
        const auto forward = [&](std::int64_t sequence, std::int64_t samples) {
            return recurrence(
                model, {TokenMixer::GatedDeltaNet, LayerMlp::None}, "delta.rule", "b200-sxm", sequence, samples)
                .forward.value();
        };
        QVERIFY(near(forward(8192, 16), 1.71e-3, 0.15));
        QVERIFY(near(forward(65536, 1), 1.86e-3, 0.05));
    }

    /// Granite 4.0's heads on H100: 0.65 ms for the scan alone with chunks of 256 (vllm-project/vllm, pull request
    /// 27299); the layer's convolution, gate and norm come on top, and chunks of 128 have twice the states. Blackwell
    /// gains no more than bandwidth, 8,000 over 3,350 GB/s. Nemotron 3 Nano's scan takes 0.37 ms there
    /// (NVIDIA/Megatron-LM, pull request 5829); convolution and norm move another 45 kB a token.
    void scansTakeAsLongAsMeasured()
    {
        Architecture model;
        model.hidden_size = 4096;
        model.mamba = Mamba{128, 64, 1, 128, 4};
        const auto scan = [&](const char* card) {
            return recurrence(model, {TokenMixer::Mamba, LayerMlp::None}, "mamba.scan", card, 8192, 1);
        };
        const KernelTimes hopper = scan("h100-sxm-80");
        QVERIFY(hopper.forward > Seconds(0.65e-3));
        QVERIFY(hopper.forward < Seconds(1.8 * 0.65e-3));
        QVERIFY(hopper.input > 2.0 * hopper.forward);
        const KernelTimes blackwell = scan("b200-sxm");
        QVERIFY(blackwell.forward < hopper.forward);
        QVERIFY(blackwell.forward > (3350.0 / 8000.0) * hopper.forward);

        model.hidden_size = 2688;
        model.mamba = Mamba{64, 64, 8, 128, 4};
        const Seconds around = roundToBytes(8192.0 * 45e3) / (0.8 * GigabytesPerSecond(8000.0));
        QVERIFY(near((scan("b200-sxm").forward - around).value(), 0.37e-3, 0.03));
    }

    /// Formats that a norm or an activation does not make itself cost kernels of their own, TransformerEngine's fp4
    /// more of them than fp8, so that its products start as late.
    void conversionsToFp4StandAlone()
    {
        const Operator step = product(32768, 8192, 1024);
        const auto forward = [&](Precision precision, Kernels kernels) {
            Plan plan = planOn("b200-sxm", precision);
            plan.recipe.kernels = kernels;
            return times(plan, step).forward;
        };
        const auto fused = [&](Precision precision) { return forward(precision, Kernels::TransformerEngine); };
        const auto alone = [&](Precision precision) { return forward(precision, Kernels::Eager); };
        QVERIFY(alone(Precision::Mxfp8) / fused(Precision::Mxfp8) > 1.2);
        const MatrixCurves curves = planOn("b200-sxm").cluster.accelerator.matrix_curves;
        const Seconds later = toSeconds(curves.fp8->start - curves.fp4->start);
        QVERIFY(near((fused(Precision::Nvfp4) - later) / alone(Precision::Nvfp4), 1.0, 1e-9));
    }
};

CARDFIT_TEST(TestKernels)

} // namespace cardfit::tst_kernels
#include "tst_kernels.moc"
