// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <functional>

#include "core/plan/choices.h"
#include "core/rules/remedies.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_setting_checks {

using Change = std::function<void(Plan&)>;

/// A model with 8 experts in mxfp8 on 8 Blackwell cards, HybridEP between them: a plan that may have every setting on.
Plan experts()
{
    Plan plan = samples::llama13BOnEightCards();
    plan.cluster.accelerator.generation = Generation::Blackwell;
    plan.cluster.accelerator.name = "NVIDIA B200";
    plan.cluster.accelerator.tflops.fp8 = Teraflops(4500);
    plan.cluster.accelerator.tflops.fp4 = Teraflops(9000);
    plan.recipe.precision = Precision::Mxfp8;
    plan.model.architecture.moe = MixtureOfExperts{};
    plan.model.architecture.moe->num_experts = 8;
    plan.model.architecture.moe->num_experts_per_tok = 2;
    plan.model.architecture.moe->moe_intermediate_size = 4096;
    plan.parallelism.pipeline = 1;
    plan.parallelism.expert = 8;
    plan.parallelism.data = 8;
    plan.recipe.moe.dispatcher = Dispatcher::HybridEp;
    plan.recipe.moe.fused_grouped_mlp = true;
    return plan;
}

const Check* find(const std::vector<Check>& checks, std::string_view id)
{
    const auto found = std::ranges::find(checks, id, &Check::id);
    return found == checks.end() ? nullptr : &*found;
}

QByteArray idsOf(const std::vector<Check>& checks)
{
    QByteArray all;
    for (const Check& broken : checks)
        all += broken.id + ": " + broken.message.english() + "\n";
    return all;
}

class TestSettingChecks : public QObject {
    Q_OBJECT

private slots:
    /// As Megatron-Bridge's recipes for Blackwell have them (perf_recipes/deepseek/gb300): all at once.
    void allSettingsTogetherBreakNothing()
    {
        Plan plan = experts();
        plan.recipe.cuda_graph = CudaGraph::FullIteration;
        plan.recipe.fp8_attention = plan.recipe.fp8_param_gather = plan.recipe.fp8_activation_input = true;
        plan.recipe.moment_precision = MomentPrecision::Bf16;
        QVERIFY2(check(plan).empty(), idsOf(check(plan)).constData());
        plan.recipe.precision = Precision::Nvfp4;
        plan.recipe.fp8_param_gather = false;
        plan.recipe.fp4_param_gather = true;
        QVERIFY2(check(plan).empty(), idsOf(check(plan)).constData());
    }

    /// What each framework refuses, the words that say why, and a button that ends it.
    void refusals_data()
    {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<Change>("change");
        QTest::addColumn<QByteArray>("reason");
        const auto row = [](const char* id, const char* reason, const Change& change) {
            QTest::addRow("%s: %s", id, reason) << QByteArray(id) << change << QByteArray(reason);
        };
        const auto graph = [](CudaGraph scope, const Change& change = {}) {
            return [scope, change](Plan& p) {
                p.recipe.cuda_graph = scope;
                if (change) change(p);
            };
        };
        row("CUDA-GRAPH", "no router", graph(CudaGraph::Router, [](Plan& p) {
            p.model.architecture.moe.reset();
            p.parallelism.expert = 1;
        }));
        row("CUDA-GRAPH", "no fixed shapes", graph(CudaGraph::Layer));
        row("CUDA-GRAPH", "only hybridep",
            graph(CudaGraph::FullIteration, [](Plan& p) { p.recipe.moe.dispatcher = Dispatcher::AllToAll; }));
        row("CUDA-GRAPH", "unless their MLP is fused",
            graph(CudaGraph::FullIteration, [](Plan& p) { p.recipe.moe.fused_grouped_mlp = false; }));
        row("CUDA-GRAPH", "full recomputation",
            graph(CudaGraph::Attention, [](Plan& p) { p.recipe.recompute.granularity = RecomputeGranularity::Full; }));
        row("CUDA-GRAPH", "the router is part of them", graph(CudaGraph::AttentionRouter, [](Plan& p) {
            p.recipe.recompute = {RecomputeGranularity::Selective, {RecomputeModule::Moe}, RecomputeMethod::Uniform, 1};
        }));
        row("CUDA-GRAPH", "random numbers", graph(CudaGraph::Attention, [](Plan& p) {
            p.recipe.recompute.granularity = RecomputeGranularity::Selective;
            p.recipe.dropout.attention = 0.1;
        }));
        row("CUDA-GRAPH", "activations on the host",
            graph(CudaGraph::Attention, [](Plan& p) { p.recipe.offload.activations = 0.5; }));
        row("CUDA-GRAPH", "DeepSpeed records no graphs",
            graph(CudaGraph::Attention, [](Plan& p) { p.recipe.framework = Framework::DeepSpeed; }));
        row("CUDA-GRAPH", "whole steps only", graph(CudaGraph::Attention, [](Plan& p) {
            p.recipe.framework = Framework::Fsdp;
            p.recipe.sharding = Sharding::Zero3;
        }));
        row("FP8-ATTENTION", "the precision is bf16", [](Plan& p) {
            p.recipe.fp8_attention = true;
            p.recipe.precision = Precision::Bf16;
        });
        row("FP8-ATTENTION", "multiplies in 16 bits", [](Plan& p) {
            p.recipe.fp8_attention = true;
            p.recipe.attention = Attention::Flash2;
        });
        row("FP8-ATTENTION", "Hopper and Blackwell", [](Plan& p) {
            p.recipe.fp8_attention = true;
            p.cluster.accelerator.generation = Generation::Ada;
        });
        row("FP8-ATTENTION", "TransformerEngine", [](Plan& p) {
            p.recipe.fp8_attention = true;
            p.recipe.kernels = Kernels::MegatronLocal;
        });
        row("FP8-PARAM-GATHER", "the precision is bf16", [](Plan& p) {
            p.recipe.fp8_param_gather = true;
            p.recipe.precision = Precision::Bf16;
        });
        row("FP8-PARAM-GATHER", "nothing is gathered", [](Plan& p) {
            p.recipe.fp8_param_gather = true;
            p.recipe.sharding = Sharding::None;
        });
        row("FP8-PARAM-GATHER", "it requires precision fp8", [](Plan& p) {
            p.recipe.fp8_param_gather = true;
            p.recipe.offload.optimizer = 1.0;
        });
        row("FP8-PARAM-GATHER", "DeepSpeed gathers weights in 16 bits", [](Plan& p) {
            p.recipe.fp8_param_gather = true;
            p.recipe.framework = Framework::DeepSpeed;
        });
        row("FP4-PARAM-GATHER", "the precision is mxfp8", [](Plan& p) { p.recipe.fp4_param_gather = true; });
        row("MOMENTS", "optimizer lion", [](Plan& p) {
            p.recipe.moment_precision = MomentPrecision::Bf16;
            p.recipe.optimizer = Optimizer::Lion;
        });
        row("MOMENTS", "zero1", [](Plan& p) {
            p.recipe.moment_precision = MomentPrecision::Bf16;
            p.recipe.sharding = Sharding::None;
        });
        row("MOMENTS", "DeepSpeed keeps", [](Plan& p) {
            p.recipe.moment_precision = MomentPrecision::Bf16;
            p.recipe.framework = Framework::DeepSpeed;
            p.recipe.moe.dispatcher = Dispatcher::AllToAll;
        });
        row("DISPATCHER", "no tokens are sent", [](Plan& p) {
            p.recipe.moe.dispatcher = Dispatcher::DeepEp;
            p.parallelism.expert = 1;
        });
        row("DISPATCHER", "not of 6", [](Plan& p) {
            p.recipe.moe.dispatcher = Dispatcher::DeepEp;
            p.parallelism.expert = p.model.architecture.moe->num_experts = 6;
            p.parallelism.data = p.cluster.cards_per_node = 6;
        });
        row("DISPATCHER", "capacity", [](Plan& p) {
            p.recipe.moe.dispatcher = Dispatcher::DeepEp;
            p.model.architecture.moe->capacity_factor = 1.0;
        });
        row("DISPATCHER", "alltoall only", [](Plan& p) { p.recipe.framework = Framework::DeepSpeed; });
        row("FP8-ACTIVATION", "SwiGLU only", [](Plan& p) {
            p.recipe.fp8_activation_input = true;
            p.model.architecture.hidden_act = "gelu";
        });
        row("FP8-ACTIVATION", "only Megatron-Core", [](Plan& p) {
            p.recipe.fp8_activation_input = true;
            p.recipe.framework = Framework::DeepSpeed;
        });
        row("FUSED-EXPERTS", "have to be grouped", [](Plan& p) { p.recipe.moe.grouped_gemm = false; });
        row("RECOMPUTE-STREAMS", "not whole layers", [](Plan& p) {
            p.model.architecture.hc_mult = 4;
            p.recipe.recompute = {RecomputeGranularity::Full, {}, RecomputeMethod::Uniform, 1};
        });
        row("RECOMPUTE-STREAMS", "not both", [](Plan& p) {
            p.model.architecture.hc_mult = 4;
            p.recipe.recompute = {RecomputeGranularity::Selective, {RecomputeModule::Mhc, RecomputeModule::Mlp},
                RecomputeMethod::Uniform, 1};
        });
        row("RECOMPUTE-STREAMS", "one stream", [](Plan& p) {
            p.recipe.recompute = {RecomputeGranularity::Selective, {RecomputeModule::Mhc}, RecomputeMethod::Uniform, 1};
        });
        row("LOSS-PARALLEL", "divided logits", [](Plan& p) {
            p.recipe.loss_parallel = false;
            p.parallelism.tensor = 2;
            p.parallelism.expert = p.parallelism.data.emplace(4);
        });
    }
    void refusals()
    {
        QFETCH(QByteArray, id);
        QFETCH(Change, change);
        QFETCH(QByteArray, reason);
        Plan plan = experts();
        change(plan);
        const auto checks = check(plan);
        const Check* found = find(checks, id.toStdString());
        QVERIFY2(found != nullptr, idsOf(checks).constData());
        QCOMPARE(found->severity, Severity::Error);
        QVERIFY2(QByteArray::fromStdString(found->message.english()).contains(reason), idsOf(checks).constData());
        QVERIFY(!found->prevents_estimate);
        const auto offered = remedies(plan, *found);
        QVERIFY2(!offered.empty(), "no remedy");
        for (const Remedy& remedy : offered) {
            const auto after = check(withRemedy(plan, remedy));
            QVERIFY2(find(after, id.toStdString()) == nullptr, remedy.label.english().c_str());
        }
    }

    /// Settings that a card makes useless are legal, with a remark.
    void cardsWithoutKernelsAreWarnedOf()
    {
        Plan plan = experts();
        plan.cluster.accelerator.generation = Generation::Hopper;
        const auto hopper = check(plan);
        const Check* fused = find(hopper, "FUSED-EXPERTS-CARD");
        QVERIFY(fused != nullptr && fused->severity == Severity::Warning);
        QVERIFY(find(hopper, "DISPATCHER-CARD") == nullptr);
        plan.cluster.accelerator.generation = Generation::Ada;
        const auto ada = check(plan);
        const Check* sent = find(ada, "DISPATCHER-CARD");
        QVERIFY(sent != nullptr && sent->severity == Severity::Warning);
        plan.recipe.moe.dispatcher = Dispatcher::AllToAll;
        QVERIFY(find(check(plan), "DISPATCHER-CARD") == nullptr);
    }

    /// torchtitan gathers its float8 weights, and records steps without a pipeline.
    void pytorchHasTwoOfThem()
    {
        Plan plan = experts();
        plan.model.architecture.moe.reset();
        plan.recipe.moe = {};
        plan.parallelism.expert = 1;
        plan.recipe.framework = Framework::Fsdp;
        plan.recipe.kernels = Kernels::Compiled;
        plan.recipe.sharding = Sharding::Zero3;
        plan.recipe.precision = Precision::Fp8;
        plan.recipe.fp8_param_gather = true;
        plan.recipe.cuda_graph = CudaGraph::FullIteration;
        QVERIFY2(check(plan).empty(), idsOf(check(plan)).constData());
        plan.recipe.precision = Precision::Mxfp8;
        QVERIFY(find(check(plan), "FP8-PARAM-GATHER") != nullptr);
        plan.parallelism.pipeline = 2;
        plan.parallelism.data = 4;
        QVERIFY(find(check(plan), "CUDA-GRAPH") != nullptr);
    }

    /// What trains nothing has none of the rules of training.
    void servedPlansAreNotAsked()
    {
        Plan plan = experts();
        plan.recipe.cuda_graph = CudaGraph::Layer;
        plan.workload.task = Task::Inference;
        QVERIFY(find(check(plan), "CUDA-GRAPH") == nullptr);
    }
};

CARDFIT_TEST(TestSettingChecks)

} // namespace cardfit::tst_setting_checks
#include "tst_setting_checks.moc"
