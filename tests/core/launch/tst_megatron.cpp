// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <rapidcheck.h>

#include "core/launch/launch.h"
#include "core/plan/edits.h"
#include "core/traces/measured_cases.h"
#include "tests/core/files/random_plans.h"
#include "tests/core/launch/round_trip.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_megatron {

const Presets& presets()
{
    static const Presets kPresets = loadPresets(std::vector<std::filesystem::path>{CARDFIT_PRESET_DIR});
    return kPresets;
}

/// The least that a command needs.
const std::string kShape = "--num-layers 8 --hidden-size 1024 --num-attention-heads 16 --vocab-size 32000 "
                           "--seq-length 2048 --micro-batch-size 1 --global-batch-size 64 ";

Result<ImportedPlan> import(const std::string& text, const Plan& base = Plan{})
{
    return importLaunch(Launcher::Megatron, text, base, presets());
}

Plan imported(const std::string& flags)
{
    auto plan = import(kShape + flags);
    if (!plan) qFatal("%s", describe(plan.error()).c_str());
    return std::move(plan->plan);
}

bool isNoted(const ImportedPlan& plan, std::string_view what)
{
    return std::ranges::any_of(plan.notes, [&](const LaunchNote& note) { return note.what == what; });
}

class TestMegatron : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("RC_PARAMS", "seed=20261122 max_success=100"); }

    /// What the text leaves open stands first.
    void whatIsNotKnownIsNotedFirst()
    {
        const auto plan = import("source args.sh\ntorchrun pretrain_gpt.py $COMMON " + kShape
            + "--bf16 --save $OUT --lr $LR\nif [ \"$1\" = x ]; then TP=2; fi\n");
        QVERIFY2(plan, plan ? "" : describe(plan.error()).c_str());
        QCOMPARE(plan->notes[0].what, std::string("COMMON"));
        QCOMPARE(plan->notes[1].what, std::string("args.sh"));
        QVERIFY(!isNoted(*plan, "OUT") && !isNoted(*plan, "LR")); // a plan does not depend on them
        const auto branch = import("TP=1\nif [ \"$1\" = x ]; then TP=2; OUT=a; fi\ntorchrun pretrain_gpt.py " + kShape
            + "--tensor-model-parallel-size $TP --save $OUT\n");
        QVERIFY2(branch, branch ? "" : describe(branch.error()).c_str());
        QCOMPARE(branch->plan.parallelism.tensor, 1);
        QCOMPARE(branch->notes[0].what, std::string("if [ $1 = x ]"));
        QVERIFY(describe(branch->notes[0]).find("--tensor-model-parallel-size") != std::string::npos);
        QVERIFY(describe(branch->notes[0]).find("--save") == std::string::npos);
        const auto missing = import("torchrun pretrain_gpt.py $COMMON --num-layers 2 --hidden-size 64 "
                                    "--num-attention-heads 4 --vocab-size 128");
        QVERIFY(!missing && describe(missing.error()).find("COMMON") != std::string::npos);
        const auto loop = import(
            "for TP in 1 2; do\n torchrun pretrain_gpt.py " + kShape + " --tensor-model-parallel-size $TP\ndone");
        QVERIFY(loop && loop->plan.parallelism.tensor == 2 && loop->notes[0].what == "for TP");
    }

    void aModelWithoutARunKeepsTheStartingPlan()
    {
        Plan base = *presets().plan("torchtitan-llama-3-8b-8-h100");
        const auto plan = import("MODEL_ARGS=\"--num-layers 36 --hidden-size 4096 --num-attention-heads 32\"\n", base);
        QVERIFY2(plan, plan ? "" : describe(plan.error()).c_str());
        QCOMPARE(plan->plan.model.architecture.num_hidden_layers, 36);
        QCOMPARE(plan->plan.workload, base.workload);
        QCOMPARE(plan->plan.recipe, base.recipe);
        QVERIFY(isNoted(*plan, "run"));
    }

    void serversAreReadAsServers()
    {
        for (const char* program :
            {"tools/run_text_generation_server.py", "examples/inference/gpt_static_inference.py"}) {
            const auto plan = import("torchrun " + std::string(program)
                + " --num-layers 8 --hidden-size 1024 --num-attention-heads 16 --vocab-size 32000 --seq-length 2048 "
                  "--tensor-model-parallel-size 2 --bf16 --max-batch-size 4");
            QVERIFY2(plan, plan ? "" : describe(plan.error()).c_str());
            QCOMPARE(plan->plan.workload.task, Task::Inference);
            QCOMPARE(plan->plan.parallelism.tensor, 2);
            QCOMPARE(plan->plan.recipe.max_num_seqs, std::optional<std::int64_t>(4));
            QVERIFY(isNoted(*plan, "task"));
        }
    }

    void theLanguageModelSeesTheDecodersLength()
    {
        const auto plan = import("torchrun examples/multimodal/train.py --num-layers 8 --hidden-size 1024 "
                                 "--num-attention-heads 16 --vocab-size 32000 --micro-batch-size 1 --seq-length 576 "
                                 "--decoder-seq-length 4096 --vision-model-type clip");
        QVERIFY2(plan, plan ? "" : describe(plan.error()).c_str());
        QCOMPARE(plan->plan.workload.sequence_length, 4096);
        QVERIFY(isNoted(*plan, "--vision-model-type"));
    }

    void otherProgramsAreRefusedByName_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("named");
        const auto row = [](const char* command, const char* named) {
            QTest::newRow(command) << QString(command) << QString(named);
        };
        row("torchrun pretrain_bert.py", "BERT");
        row("torchrun pretrain_t5.py", "T5");
        row("torchrun pretrain_vision_classify.py", "pictures");
        row("torchrun tools/checkpoint/convert.py", "converts");
        row("torchrun tools/preprocess_data.py", "prepares data");
        row("torchrun tasks/main.py", "evaluation");
        row("python -m verl.trainer.main_ppo a.b=1", "verl");
        row("python -m sglang.launch_server --model-path x", "SGLang");
        row("megatron sft", "ms-swift");
        row("A=1 vllm serve x", "vLLM");
        row("./configure --with-x", "--with-x");
    }
    void otherProgramsAreRefusedByName()
    {
        QFETCH(QString, command);
        QFETCH(QString, named);
        const bool options = !command.contains("--") && !command.contains("verl");
        const auto plan = import(command.toStdString() + (options ? " " + kShape : std::string()));
        QVERIFY(!plan);
        QVERIFY2(QString::fromStdString(describe(plan.error())).contains(named), describe(plan.error()).c_str());
    }

    void defaults()
    {
        const Plan plan = imported("");
        const Architecture& shape = plan.model.architecture;
        QCOMPARE(shape.num_hidden_layers, 8);
        QCOMPARE(shape.num_key_value_heads, 16);
        QCOMPARE(shape.head_dim, 64);
        QCOMPARE(shape.intermediate_size, 4096);
        QVERIFY(!shape.gated_mlp && shape.mlp_bias && shape.attention_bias && shape.tie_word_embeddings);
        QCOMPARE(shape.norm, Norm::LayerNorm);
        QCOMPARE(shape.position_embedding, PositionEmbedding::Learned);
        QCOMPARE(shape.max_position_embeddings, 2048);
        QCOMPARE(plan.recipe.precision, Precision::Fp32);
        QCOMPARE(plan.recipe.sharding, Sharding::None);
        QCOMPARE(plan.recipe.loss, Loss::Unfused);
        QCOMPARE(plan.recipe.dropout, (Dropout{0.1, 0.1}));
        QCOMPARE(plan.recipe.schedule, Schedule::OneFOneB);
        QVERIFY(plan.recipe.attention_mask_in_dataloader);
        QVERIFY(!plan.recipe.overlap.gradients);
    }

    void shapes()
    {
        QCOMPARE(imported("--swiglu").model.architecture.intermediate_size, 2688); // 2730.67 in whole tiles of 64
        const auto grouped =
            imported("--group-query-attention --num-query-groups 4 --kv-channels 128").model.architecture;
        QCOMPARE(grouped.num_key_value_heads, 4);
        QCOMPARE(grouped.head_dim, 128);
        QCOMPARE(imported("--tokenizer-type NullTokenizer").model.architecture.vocab_size, 32001);
        const auto qkv = imported("--disable-bias-linear --add-qkv-bias").model.architecture;
        QVERIFY(qkv.attention_bias && !qkv.mlp_bias && qkv.attention_output_bias == false);
        QCOMPARE(imported("--window-size 127,0 --window-attn-skip-freq 6").model.architecture.sliding_window,
            (SlidingWindow{128, 1, 6}));
        QCOMPARE(imported("--use-rotary-position-embeddings").model.architecture.position_embedding,
            PositionEmbedding::Rope);
    }

    void experts()
    {
        const auto moe = *imported("--num-experts 8 --moe-layer-freq ([0]*3+[1]*5) --moe-ffn-hidden-size 512 "
                                   "--moe-shared-expert-intermediate-size 256 --moe-router-topk 4")
                              .model.architecture.moe;
        QCOMPARE(moe.first_dense_layers, 3);
        QCOMPARE(moe.num_experts_per_tok, 4);
        QCOMPARE(moe.moe_intermediate_size, 512);
        QCOMPARE(moe.shared_intermediate_size, 256);
        QCOMPARE(moe.num_shared_experts, 1);
        const Plan plain = imported("--num-experts 4");
        QCOMPARE(plain.model.architecture.moe->num_experts_per_tok, 2);
        QCOMPARE(plain.recipe.moe.dispatcher, Dispatcher::AllGather);
        QVERIFY(!plain.recipe.moe.grouped_gemm);
        QCOMPARE(imported("--num-experts 4 --moe-layer-freq [1,0,1,0,1,0,1,0]").model.architecture.moe->layers.size(),
            std::size_t{8});
    }

    void aDenseModelHasNoExpertsToSplit()
    {
        const Plan plan = imported("--tensor-model-parallel-size 2 ");
        QVERIFY(!plan.parallelism.expert_tensor);
        const auto exported = exportLaunch(Launcher::Megatron, plan);
        QVERIFY(exported && exported->text.find("--expert-tensor-parallel-size") == std::string::npos);
    }

    void formatsAndStates()
    {
        QCOMPARE(imported("--bf16").recipe.gradient_precision, GradientPrecision::Fp32);
        QCOMPARE(imported("--bf16 --grad-reduce-in-bf16").recipe.gradient_precision, GradientPrecision::Bf16);
        QCOMPARE(imported("--fp16").recipe.gradient_precision, GradientPrecision::Fp16);
        QCOMPARE(imported("--bf16 --fp8-format hybrid").recipe.precision, Precision::Fp8);
        QCOMPARE(imported("--bf16 --fp8-format e4m3 --fp8-recipe mxfp8").recipe.precision, Precision::Mxfp8);
        QCOMPARE(imported("--optimizer sgd").recipe.optimizer, Optimizer::Momentum);
        QCOMPARE(imported("--use-megatron-fsdp --data-parallel-sharding-strategy optim_grads").recipe.sharding,
            Sharding::Zero2);
        QCOMPARE(imported("--optimizer-cpu-offload --optimizer-offload-fraction 0.5").recipe.offload.optimizer, 0.5);
        QCOMPARE(imported("--recompute-activations").recipe.recompute.granularity, RecomputeGranularity::Selective);
        QCOMPARE(import("export CUBLAS_WORKSPACE_CONFIG=:4096:8\npython x.py " + kShape)->plan.recipe.cublas_workspace,
            Mebibytes(32));
    }

    /// Megatron-LM d98e8a64, docs/user-guide/features/cuda_graph.md: what was --cuda-graph-scope is
    /// --cuda-graph-modules.
    void cudaGraphs()
    {
        const std::string dense;
        const std::string experts = "--num-experts 4 ";
        const auto graph = [](const std::string& flags) { return imported(flags).recipe.cuda_graph; };
        QCOMPARE(graph(dense), CudaGraph::None);
        QCOMPARE(graph("--cuda-graph-modules attn"), CudaGraph::None); // no effect without an implementation
        QCOMPARE(graph("--cuda-graph-impl transformer_engine"), CudaGraph::Layer);
        QCOMPARE(graph("--cuda-graph-impl local --cuda-graph-modules attn mlp"), CudaGraph::Layer);
        QCOMPARE(graph("--cuda-graph-impl local --cuda-graph-modules attn"), CudaGraph::Attention);
        QCOMPARE(
            graph("--cuda-graph-impl full_iteration --no-check-for-nan-in-loss-and-grad"), CudaGraph::FullIteration);
        QCOMPARE(graph("--cuda-graph-impl local --cuda-graph-scope full_iteration"), CudaGraph::FullIteration);
        QCOMPARE(graph("--enable-cuda-graph"), CudaGraph::Layer);
        QCOMPARE(graph("--external-cuda-graph --cuda-graph-scope attn"), CudaGraph::Attention);
        QCOMPARE(
            graph(experts + "--cuda-graph-impl transformer_engine --cuda-graph-modules attn moe_router moe_preprocess"),
            CudaGraph::AttentionRouter);
        QCOMPARE(
            graph(experts + "--cuda-graph-impl transformer_engine --cuda-graph-modules moe_router"), CudaGraph::Router);
        const auto mlp = import(kShape + "--cuda-graph-impl transformer_engine --cuda-graph-modules mlp");
        QVERIFY(isNoted(*mlp, "--cuda-graph-modules"));
        QCOMPARE(mlp->plan.recipe.cuda_graph, CudaGraph::None);
    }

    void dispatchers()
    {
        const auto recipe = [](const std::string& flags) { return imported("--num-experts 4 " + flags).recipe.moe; };
        const std::string flex = "--moe-token-dispatcher-type flex ";
        QCOMPARE(recipe("--moe-token-dispatcher-type alltoall").dispatcher, Dispatcher::AllToAll);
        QCOMPARE(recipe(flex).dispatcher, Dispatcher::DeepEp);
        QCOMPARE(recipe(flex + "--moe-enable-deepep").dispatcher, Dispatcher::DeepEp);
        QCOMPARE(recipe(flex + "--moe-flex-dispatcher-backend hybridep").dispatcher, Dispatcher::HybridEp);
        QCOMPARE(recipe("--moe-flex-dispatcher-backend hybridep").dispatcher, Dispatcher::AllGather); // needs flex
        QVERIFY(isNoted(*import(kShape + "--num-experts 4 " + flex + "--moe-flex-dispatcher-backend ncclep"),
            "--moe-flex-dispatcher-backend"));
        QVERIFY(!import(kShape + "--num-experts 4 --moe-token-dispatcher-type pigeon"));
        QVERIFY(recipe("--moe-grouped-gemm --use-transformer-engine-op-fuser").fused_grouped_mlp);
        QVERIFY(!recipe("--moe-grouped-gemm").fused_grouped_mlp);
    }

    void gathersAndMoments()
    {
        const std::string fp8 = "--bf16 --fp8-format e4m3 --fp8-recipe mxfp8 --use-distributed-optimizer ";
        QVERIFY(!imported(fp8).recipe.fp8_param_gather);
        const auto gathered = import(kShape + fp8 + "--fp8-param-gather --reuse-grad-buf-for-mxfp8-param-ag");
        QVERIFY(gathered && gathered->plan.recipe.fp8_param_gather);
        QVERIFY(
            !isNoted(*gathered, "--fp8-param-gather") && !isNoted(*gathered, "--reuse-grad-buf-for-mxfp8-param-ag"));
        QVERIFY(imported("--bf16 --fp4-format e2m1 --fp4-param-gather").recipe.fp4_param_gather);
        const std::string aware = "--bf16 --use-distributed-optimizer --use-precision-aware-optimizer ";
        QVERIFY(!imported(aware).recipe.moment_precision);
        QCOMPARE(imported(aware + "--exp-avg-dtype bf16 --exp-avg-sq-dtype bf16").recipe.moment_precision,
            std::optional(MomentPrecision::Bf16));
        const auto unlike = import(kShape + aware + "--exp-avg-dtype fp8 --exp-avg-sq-dtype bf16");
        QCOMPARE(unlike->plan.recipe.moment_precision, std::optional(MomentPrecision::Bf16));
        QVERIFY(isNoted(*unlike, "--exp-avg-dtype"));
    }

    /// Every value of every setting comes back from the script that says it, and nothing has to be noted.
    void settingsComeBack()
    {
        Plan base = imported("--num-experts 4 --expert-model-parallel-size 4 --bf16 --use-distributed-optimizer "
                             "--attention-backend fused --moe-grouped-gemm");
        base.cluster.cards_per_node = 8;
        std::vector<Plan> plans;
        for (const auto& entry : names<CudaGraph>())
            plans.emplace_back(base).recipe.cuda_graph = entry.value;
        for (const auto& entry : names<Dispatcher>())
            plans.emplace_back(base).recipe.moe.dispatcher = entry.value;
        for (const auto& entry : names<MomentPrecision>())
            plans.emplace_back(base).recipe.moment_precision = entry.value;
        plans.emplace_back(base).recipe.moe.fused_grouped_mlp = true;
        for (const Precision precision : {Precision::Fp8, Precision::Mxfp8}) {
            Plan& plan = plans.emplace_back(base);
            plan.recipe.precision = precision;
            plan.recipe.fp8_param_gather = true;
        }
        Plan& fp4 = plans.emplace_back(base);
        fp4.recipe.precision = Precision::Nvfp4;
        fp4.recipe.fp4_param_gather = true;
        for (const Plan& plan : plans) {
            const auto exported = exportLaunch(Launcher::Megatron, plan);
            QVERIFY(exported);
            QVERIFY2(exported->notes.empty(), exported->notes.empty() ? "" : exported->notes.front().what.c_str());
            const auto back = importLaunch(Launcher::Megatron, exported->text, Plan{}, presets());
            QVERIFY(back);
            QVERIFY2(back->plan.recipe == plan.recipe, exported->text.c_str());
        }
        // Megatron-LM has no option for it, and says so.
        base.recipe.fp8_attention = true;
        const auto told = exportLaunch(Launcher::Megatron, base);
        QVERIFY(told && std::ranges::any_of(told->notes, [](const LaunchNote& note) {
            return note.what == "/recipe/fp8_attention";
        }));
    }

    void pipelines()
    {
        const Plan deep =
            imported("--pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 1 --sequence-parallel");
        QCOMPARE(deep.parallelism.virtual_pipeline, 2);
        QCOMPARE(deep.recipe.schedule, Schedule::InterleavedOneFOneB);
        QVERIFY(!deep.parallelism.sequence); // Megatron-LM switches it off without tensor ranks
        using Layers = std::vector<std::int64_t>;
        QCOMPARE(*imported("--pipeline-model-parallel-size 4 --decoder-first-pipeline-num-layers 1 "
                           "--decoder-last-pipeline-num-layers 3")
                      .parallelism.layers_per_stage,
            (Layers{1, 2, 2, 3}));
        QCOMPARE(*imported("--pipeline-model-parallel-size 2 --pipeline-model-parallel-layout 'Et*3|ttt|t|tL'")
                      .parallelism.layers_per_stage,
            (Layers{3, 3, 1, 1}));
        QCOMPARE(*imported("--pipeline-model-parallel-size 3 --account-for-embedding-in-pipeline-split")
                      .parallelism.layers_per_stage,
            (Layers{2, 3, 3}));
        // With virtual stages too: 8 layers and both ends are 10, 1 for each of 10 chunks.
        QCOMPARE(*imported("--pipeline-model-parallel-size 5 --num-virtual-stages-per-pipeline-rank 2 "
                           "--account-for-embedding-in-pipeline-split --account-for-loss-in-pipeline-split")
                      .parallelism.layers_per_stage,
            (Layers{0, 1, 1, 1, 1, 1, 1, 1, 1, 0}));
    }

    /// Without a layout Megatron-LM refuses layers that do not divide; a plan splits them.
    void layersThatMegatronRefusesAreNoted()
    {
        const auto refused = import(kShape + "--pipeline-model-parallel-size 3");
        QVERIFY(isNoted(*refused, "--num-layers"));
        QVERIFY(!refused->plan.parallelism.layers_per_stage);
        QVERIFY(isNoted(*import(kShape + "--pipeline-model-parallel-size 4 --num-virtual-stages-per-pipeline-rank 4"),
            "--num-layers"));
        QVERIFY(!isNoted(*import(kShape + "--pipeline-model-parallel-size 4"), "--num-layers"));
        QVERIFY(!isNoted(*import(kShape + "--pipeline-model-parallel-size 3 --account-for-embedding-in-pipeline-split"),
            "--num-layers"));
    }

    /// What splits by itself is written as the layout that it is, and read back as that.
    void automaticLayersAreWrittenAsALayout()
    {
        for (const int chunks : {1, 2, 4}) {
            Plan plan = withChunks(samples::llama13BOnEightCards(), chunks);
            plan.model.architecture.num_hidden_layers = 43;
            const auto exported = exportLaunch(Launcher::Megatron, plan);
            QVERIFY(exported);
            QVERIFY(exported->text.find("--pipeline-model-parallel-layout 'E") != std::string::npos);
            QVERIFY(std::ranges::none_of(
                exported->notes, [](const LaunchNote& note) { return note.what == "/parallelism/layers_per_stage"; }));
            const auto back = importLaunch(Launcher::Megatron, exported->text, plan, presets());
            QVERIFY(back);
            QVERIFY(layerSplit(plan).has_value());
            QVERIFY(layerSplit(back->plan) == layerSplit(plan));
            QCOMPARE(back->plan.parallelism.virtual_pipeline, chunks);
            // Where Megatron-LM splits evenly by itself, nothing is written.
            plan.model.architecture.num_hidden_layers = 48;
            const auto even = exportLaunch(Launcher::Megatron, plan);
            QVERIFY(even && even->text.find("layout") == std::string::npos);
        }
    }

    void cards()
    {
        Plan base;
        base.cluster.nodes = 3;
        base.cluster.cards_per_node = 4;
        const auto told = import("torchrun --nnodes 2 --nproc-per-node 8 pretrain_gpt.py " + kShape, base);
        QCOMPARE(told->plan.cluster.nodes, 2);
        QCOMPARE(told->plan.cluster.cards_per_node, 8);
        QVERIFY(!isNoted(*told, "cards"));
        const auto silent = import(kShape, base);
        QCOMPARE(silent->plan.cluster.nodes, 3);
        QVERIFY(isNoted(*silent, "cards"));
        QCOMPARE(import("torchrun --nproc-per-node 8 --nnodes $N x.py " + kShape, base)->plan.cluster.nodes, 1);
        QCOMPARE(import("torchrun --nproc-per-node 4 x.py --num-layers 8 --hidden-size 64 --num-attention-heads 4 "
                        "--vocab-size 9 --seq-length 8 --micro-batch-size 3")
                     ->plan.workload.global_batch_size,
            12);
    }

    void whatIsNotMappedIsListed()
    {
        const auto plan = import(kShape
            + "--lr 1e-4 --save /x --tp-comm-overlap-cfg tp.yaml --optimizer soap --train-iters 10 "
              "--recompute-granularity selective --recompute-modules core_attn router");
        QVERIFY(isNoted(*plan, "--tp-comm-overlap-cfg"));
        QVERIFY(isNoted(*plan, "--optimizer"));
        QVERIFY(isNoted(*plan, "--recompute-modules"));
        QVERIFY(!isNoted(*plan, "--lr"));
        QVERIFY(!isNoted(*plan, "--save"));
        QVERIFY(!isNoted(*plan, "--train-iters"));
        QCOMPARE(plan->plan.workload.tokens, 10.0 * 64 * 2048);
        QVERIFY(isNoted(*import(kShape + "--micro-batch-size 2"), "--micro-batch-size"));
    }

    /// What the options leave open is kept as Plan::assumed.
    void assumptionsAreKept()
    {
        const auto isAssumed = [](const std::string& text, std::string_view what) {
            const auto plan = import(text);
            if (!plan) qFatal("%s", describe(plan.error()).c_str());
            return std::ranges::any_of(
                plan->notes, [&](const LaunchNote& note) { return note.assumed && note.what == what; });
        };
        for (const char* what : {"cards", "--attention-backend"})
            QVERIFY2(isAssumed(kShape, what), what);
        QVERIFY(!isAssumed(kShape + "--attention-backend flash", "--attention-backend"));
        QVERIFY(isAssumed(kShape + "--recompute-granularity full", "--recompute-method"));
        QVERIFY(isAssumed(kShape + "--use-checkpoint-args", "--use-checkpoint-args"));
        Plan base;
        base.model.architecture.vocab_size = 1000;
        const auto without = import("--num-layers 8 --hidden-size 1024 --num-attention-heads 16 --seq-length 2048 "
                                    "--micro-batch-size 1 --tokenizer-type HuggingFaceTokenizer",
            base);
        QVERIFY2(without, without ? "" : describe(without.error()).c_str());
        QVERIFY(std::ranges::any_of(
            without->plan.assumed, [](const std::string& one) { return one.starts_with("vocabulary 1000"); }));
        const std::string branch = "TP=1\nif [ \"$1\" = x ]; then TP=2; fi\ntorchrun pretrain_gpt.py " + kShape
            + "--tensor-model-parallel-size $TP\n";
        QVERIFY(isAssumed(branch, "if [ $1 = x ]"));
    }

    /// mamba_hybrid_layer_allocation.py: without ratios all layers are Mamba.
    void hybridModelsWithoutAPattern()
    {
        for (const std::string& start : {"torchrun pretrain_mamba.py " + kShape,
                 kShape + "--spec megatron.core.models.mamba.mamba_layer_specs mamba_stack_spec "}) {
            const auto plan = import(start);
            QVERIFY2(plan, plan ? "" : describe(plan.error()).c_str());
            QCOMPARE(plan->plan.model.architecture.hybrid_layer_pattern, std::string(8, 'M'));
            QVERIFY(plan->plan.model.architecture.mamba);
            QVERIFY(isNoted(*plan, "--hybrid-layer-pattern"));
            QVERIFY(!isNoted(*import(start + "--hybrid-layer-pattern M*M-M*M-"), "--hybrid-layer-pattern"));
        }
        QVERIFY(!imported("").model.architecture.mamba);
    }

    void errors_data()
    {
        QTest::addColumn<QString>("flags");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("where");
        const auto row = [](const char* flags, ErrorCode code, const char* where) {
            QTest::newRow(flags) << flags << static_cast<int>(code) << where;
        };
        row("--tensor-model-parallel-size two", ErrorCode::WrongType, "line 1, --tensor-model-parallel-size");
        row("--tensor-model-parallel-size 0", ErrorCode::OutOfRange, "line 1, --tensor-model-parallel-size");
        row("--tensor-model-parallel-size", ErrorCode::WrongType, "line 1, --tensor-model-parallel-size");
        row("--normalization BatchNorm", ErrorCode::UnknownName, "line 1, --normalization");
        row("--hidden-dropout 1.5", ErrorCode::OutOfRange, "line 1, --hidden-dropout");
        row("--hidden-dropout nan", ErrorCode::WrongType, "line 1, --hidden-dropout");
        row("--num-experts 2 --moe-layer-freq [1", ErrorCode::WrongFormat, "line 1, --moe-layer-freq");
        row("--num-experts 2 --moe-layer-freq ([0]*1+[1]*31)", ErrorCode::OutOfRange, "line 1, --moe-layer-freq");
        row("--swiglu --squared-relu", ErrorCode::OutOfRange, "line 1, --squared-relu");
        row("--pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 3", ErrorCode::OutOfRange,
            "line 1, --num-layers-per-virtual-pipeline-stage");
        row("--pipeline-model-parallel-size 2 --pipeline-model-parallel-layout 'EtL|t'", ErrorCode::WrongFormat,
            "line 1, --pipeline-model-parallel-layout");
        row("--pipeline-model-parallel-size 3 --decoder-first-pipeline-num-layers 7", ErrorCode::OutOfRange,
            "line 1, --decoder-first-pipeline-num-layers");
    }
    void errors()
    {
        QFETCH(QString, flags);
        QFETCH(int, code);
        QFETCH(QString, where);
        const auto plan = import(kShape + flags.toStdString());
        QVERIFY(!plan);
        QCOMPARE(static_cast<int>(plan.error().code), code);
        QCOMPARE(QString::fromStdString(plan.error().where.english()), where);
        QVERIFY(plan.error().message.english().starts_with("expected "));
    }

    void aModelNeedsItsShape()
    {
        const auto half = import("--num-layers 8 --seq-length 2048 --micro-batch-size 1");
        QVERIFY(!half);
        QCOMPARE(half.error().code, ErrorCode::MissingKey);
        Plan base;
        base.model.architecture.vocab_size = 1000;
        base.model.architecture.num_hidden_layers = 5;
        const auto none = import("--seq-length 2048 --micro-batch-size 1", base);
        QVERIFY(none && isNoted(*none, "model"));
        QCOMPARE(none->plan.model.architecture.num_hidden_layers, 5);
        const auto vocabulary =
            import("--num-layers 8 --hidden-size 64 --num-attention-heads 4 --seq-length 8 --micro-batch-size 1", base);
        QVERIFY(vocabulary && isNoted(*vocabulary, "vocabulary"));
        QCOMPARE(vocabulary->plan.model.architecture.vocab_size, 1000);
    }

    /// Every published run of Megatron-LM comes back as the plan that it is.
    void measuredPlansComeBack_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("memory") << "memory.json";
        QTest::newRow("time") << "time.json";
    }
    void measuredPlansComeBack()
    {
        QFETCH(QString, file);
        const std::string path = std::string(CARDFIT_CASES "/") + file.toStdString();
        std::vector<Plan> plans;
        if (file == "memory.json") {
            const auto read = readMeasuredMemory(path, presets());
            QVERIFY(read);
            for (const auto& measured : read->cases)
                plans.push_back(measured.plan);
        } else {
            const auto read = readMeasuredTime(path, presets());
            QVERIFY(read);
            for (const auto& measured : read->cases)
                plans.push_back(measured.plan);
        }
        int tried = 0;
        for (const Plan& plan : plans) {
            if (plan.recipe.framework != Framework::Megatron || plan.workload.task == Task::Inference) continue;
            ++tried;
            const QStringList fields = roundTrip(Launcher::Megatron, plan, presets());
            QVERIFY2(fields.isEmpty(), qPrintable(QString::fromStdString(plan.name) + u'\n' + fields.join(u'\n')));
        }
        QVERIFY(tried > 100);
    }

    /// Where the maintainers' plans of measured runs (validation/memory.json) and the importer differ, what the options
    /// mean at the commit that was measured, d98e8a64. The plans have 1408 for the MLP of these sizes, fp32 gradients
    /// beside bf16 for --fp16, adam for muon, no overlap of transfers between virtual stages, a fused bias without one,
    /// no group of micro-batches, and flash attention on Blackwell where nothing is said; the memory that was measured
    /// tells few of these apart: fp16 on H100 and GB200 with tensor parallelism alone comes within 0.2 % (2.2 % above
    /// as bf16), other fp16 jobs fit bf16 as well or better; muon is predicted 2 to 11 % low, and adam's states would
    /// fit three of its seven jobs within 1 %: what the memory model lacks there is not known.
    void optionsOfMeasuredRuns()
    {
        const std::string small = "--num-layers 12 --hidden-size 512 --num-attention-heads 8 --seq-length 1024 "
                                  "--max-position-embeddings 1024 --micro-batch-size 4 --global-batch-size 32 "
                                  "--vocab-size 50257 ";
        const auto plan = [&](const std::string& flags) { return import(small + flags).value().plan; };
        QCOMPARE(plan("--swiglu").model.architecture.intermediate_size, 1344); // arguments.py, validate_args
        QCOMPARE(plan("").model.architecture.intermediate_size, 2048);
        const Recipe half = plan("--fp16 --transformer-impl local").recipe;
        QCOMPARE(half.precision, Precision::Fp16);
        QCOMPARE(half.gradient_precision, GradientPrecision::Fp16);
        const Recipe muon = plan("--bf16 --optimizer muon").recipe;
        QCOMPARE(muon.optimizer, Optimizer::Muon);
        QCOMPARE(muon.sharding, Sharding::None);
        QCOMPARE(plan("--bf16 --optimizer dist_muon").recipe.sharding, Sharding::Zero1);
        QCOMPARE(plan("--bf16 --optimizer muon --use-distributed-optimizer").recipe.sharding, Sharding::Zero1);
        QVERIFY(!plan("--disable-bias-linear").recipe.activation_fusion);
        QVERIFY(plan("").recipe.activation_fusion);
        const std::string squared = "--squared-relu --disable-bias-linear --num-experts 4 ";
        QVERIFY(!plan(squared).recipe.activation_fusion);
        QVERIFY(plan(squared + "--use-fused-weighted-squared-relu").recipe.activation_fusion);
        const std::string virtual_stages =
            "--pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 1 ";
        QVERIFY(plan(virtual_stages).recipe.overlap.pipeline);
        QVERIFY(!plan(virtual_stages + "--no-overlap-p2p-communication").recipe.overlap.pipeline);
        QVERIFY(!plan("--pipeline-model-parallel-size 4").recipe.overlap.pipeline);
        QCOMPARE(plan(virtual_stages + "--microbatch-group-size-per-virtual-pipeline-stage 5").recipe.microbatch_group,
            std::optional<std::int64_t>(5));
        // The ring between the groups of a hierarchy is what was measured: within 0.1 %, with heads exchanged 0.5 %.
        QCOMPARE(plan("--context-parallel-size 4 --cp-comm-type a2a+p2p").recipe.context_communication,
            ContextCommunication::P2p);
    }

    /// TransformerEngine's choice where nothing is said: cuDNN from Hopper on, but not on Blackwell if runs must
    /// repeat.
    void attentionOfTransformerEngine()
    {
        const auto kernel = [](std::string_view card, const std::string& before, const std::string& flags = {}) {
            Plan base;
            base.cluster = *presets().cluster(card);
            const auto plan = import(before + "\npretrain_gpt.py " + kShape + flags, base);
            if (!plan) qFatal("%s", describe(plan.error()).c_str());
            return plan->plan.recipe.attention;
        };
        const std::string repeats = "export NVTE_ALLOW_NONDETERMINISTIC_ALGO=0";
        QCOMPARE(kernel("dgx-a100", {}), Attention::Flash2);
        QCOMPARE(kernel("dgx-h100", {}), Attention::Fused);
        QCOMPARE(kernel("dgx-h100", repeats), Attention::Fused);
        QCOMPARE(kernel("dgx-b200", {}), Attention::Fused);
        QCOMPARE(kernel("dgx-b200", repeats), Attention::Flash2);
        QCOMPARE(kernel("dgx-b200", {}, "--deterministic-mode"), Attention::Flash2);
        QCOMPARE(kernel("dgx-h100", "export NVTE_FUSED_ATTN=0"), Attention::Flash2);
        QCOMPARE(kernel("dgx-a100", "export NVTE_FLASH_ATTN=0"), Attention::Fused);
        QCOMPARE(kernel("dgx-h100", "export NVTE_FUSED_ATTN=0 NVTE_FLASH_ATTN=0"), Attention::Unfused);
        QCOMPARE(kernel("dgx-h100", "export NVTE_FUSED_ATTN=0", "--attention-backend fused"), Attention::Fused);
    }

    void windowsOfSomeLayers()
    {
        const auto window = [](const std::string& skip) {
            return imported("--window-size 127,0 --window-attn-skip-freq " + skip).model.architecture.sliding_window;
        };
        QCOMPARE(window("6"), (SlidingWindow{128, 1, 6}));
        QCOMPARE(window("2"), (SlidingWindow{128, 2}));
        QCOMPARE(window("'([1]*3+[0]*1)*2'"), (SlidingWindow{128, 1, 4}));
        QCOMPARE(window("[1,0,1,0,1,0,1,0]"), (SlidingWindow{128, 2}));
        QVERIFY(!window("[0,0,0,0,0,0,0,0]"));
        QVERIFY(isNoted(import(kShape + "--window-size 127,0 --window-attn-skip-freq [1,1,0,0,0,0,0,0]").value(),
            "--window-attn-skip-freq"));
        QVERIFY(!import(kShape + "--window-size 127,0 --window-attn-skip-freq [1,2]"));
    }

    void limitedLayersComeBack()
    {
        Plan plan = imported("--window-size 127,0 --window-attn-skip-freq 6");
        for (const SlidingWindow window : {SlidingWindow{128}, SlidingWindow{128, 2}, SlidingWindow{128, 4},
                 SlidingWindow{128, 8}, SlidingWindow{128, 1, 4}}) {
            plan.model.architecture.sliding_window = window;
            const auto exported = exportLaunch(Launcher::Megatron, plan);
            QVERIFY(exported && exported->notes.empty());
            QCOMPARE(import(exported->text).value().plan.model.architecture.sliding_window, window);
        }
    }

    void gradientFormats()
    {
        const auto gradients = [](const std::string& flags) { return imported(flags).recipe.gradient_precision; };
        QCOMPARE(gradients("--bf16"), GradientPrecision::Fp32);
        QCOMPARE(gradients("--bf16 --grad-reduce-in-bf16"), GradientPrecision::Bf16);
        QCOMPARE(gradients("--bf16 --use-precision-aware-optimizer --main-grads-dtype bf16"), GradientPrecision::Bf16);
        QCOMPARE(gradients("--bf16 --use-precision-aware-optimizer --main-grads-dtype fp32"), GradientPrecision::Fp32);
        QCOMPARE(gradients("--fp16 --accumulate-allreduce-grads-in-fp32"), GradientPrecision::Fp32);
        QCOMPARE(gradients("--bf16 --use-megatron-fsdp"), GradientPrecision::Bf16);
        QCOMPARE(
            gradients("--bf16 --use-megatron-fsdp --megatron-fsdp-main-grads-dtype fp32"), GradientPrecision::Fp32);
        QCOMPARE(gradients("--use-megatron-fsdp"), GradientPrecision::Fp32);
        QVERIFY(isNoted(import(kShape + "--bf16 --use-megatron-fsdp").value(), "--megatron-fsdp-main-grads-dtype"));
        QVERIFY(!import(kShape + "--bf16 --use-megatron-fsdp --megatron-fsdp-main-grads-dtype fp8"));
    }

    void fsdp2KeepsWeights()
    {
        QCOMPARE(imported("--use-torch-fsdp2").recipe.sharding, Sharding::Zero3);
        QCOMPARE(imported("--use-torch-fsdp2 --torch-fsdp2-no-reshard-after-forward").recipe.sharding, Sharding::Zero2);
    }

    /// Megatron-LM takes the number of layers and the pipeline's stages from the pattern of a hybrid model
    /// (megatron/training/arguments.py; tests/functional_tests/test_cases/hybrid, tp1_pp2_vpp2).
    void patternTellsLayersAndStages()
    {
        const std::string rest = "--hidden-size 1024 --num-attention-heads 16 --vocab-size 32000 --seq-length 2048 "
                                 "--micro-batch-size 1 --global-batch-size 64 --pipeline-model-parallel-size 2 "
                                 "--hybrid-layer-pattern ";
        const auto found = import(rest + "'M-M-M*|M-M-M-|M*-|M-M-M'");
        QVERIFY2(found, found ? "" : describe(found.error()).c_str());
        QCOMPARE(found->plan.model.architecture.num_hidden_layers, 20);
        QCOMPARE(found->plan.model.architecture.hybrid_layer_pattern, std::string("M-M-M*M-M-M-M*-M-M-M"));
        QCOMPARE(found->plan.parallelism.virtual_pipeline, 2);
        QCOMPARE(found->plan.parallelism.layers_per_stage, (std::vector<std::int64_t>{6, 6, 3, 5}));
        QCOMPARE(found->plan.recipe.schedule, Schedule::InterleavedOneFOneB);
        const auto exported = exportLaunch(Launcher::Megatron, found->plan);
        QVERIFY(exported && exported->text.find("'M-M-M*|M-M-M-|M*-|M-M-M'") != std::string::npos);
        for (const char* refused : {"--pipeline-model-parallel-layout", "--num-virtual-stages-per-pipeline-rank"})
            QVERIFY2(exported->text.find(refused) == std::string::npos, refused);

        const auto other = import("--num-layers 50 " + rest + "'M-M*'");
        QVERIFY(other && isNoted(*other, "--num-layers"));
        QCOMPARE(other->plan.model.architecture.num_hidden_layers, 4);
        QVERIFY(!import(rest + "'M-|M*|M-'")); // three stages on two ranks
    }

    void linearAttentionHadAnotherName()
    {
        const std::string heads = "--linear-num-key-heads 16 --linear-num-value-heads 32 --linear-key-head-dim 64 "
                                  "--linear-value-head-dim 64 --linear-attention-freq 4 ";
        QCOMPARE(imported(heads + "--linear-attention-type gated_delta_net").model.architecture,
            imported(heads + "--experimental-attention-variant gated_delta_net").model.architecture);
        const auto other = import(kShape + "--linear-attention-type rwkv");
        QVERIFY(!other && other.error().where.english().find("--linear-attention-type") != std::string::npos);
    }

    void otherModelsAreRefused_data()
    {
        QTest::addColumn<QString>("flags");
        QTest::newRow("a share of Mamba") << "--hybrid-attention-ratio 0.1";
        QTest::newRow("layers that differ") << "--heterogeneous-layers-config-path layers.json";
        QTest::newRow("T5") << "--encoder-num-layers 12";
    }
    void otherModelsAreRefused()
    {
        QFETCH(QString, flags);
        const auto found = import("--seq-length 2048 --micro-batch-size 1 " + flags.toStdString());
        QVERIFY(!found);
        QCOMPARE(found.error().code, ErrorCode::OutOfRange);
        QVERIFY2(found.error().where.english().find(flags.section(u' ', 0, 0).toStdString()) != std::string::npos,
            found.error().where.english().c_str());
    }

    /// Nothing is allocated, or compared pair by pair, for numbers of this size.
    void hugeNumbersAreRefusedAtOnce()
    {
        const std::string shape = "--hidden-size 64 --num-attention-heads 1 --seq-length 8 --micro-batch-size 1 "
                                  "--vocab-size 100 --num-layers ";
        const auto stages = import(shape
            + "1099511627774 --pipeline-model-parallel-size 65536 --num-virtual-stages-per-pipeline-rank 16777216 "
              "--account-for-embedding-in-pipeline-split --account-for-loss-in-pipeline-split");
        QVERIFY(!stages);
        QVERIFY(stages.error().message.english().find("at most 65536 stages") != std::string::npos);
        std::string many = shape + "2";
        for (int i = 0; i < 100'000; ++i)
            many += " --a" + std::to_string(i) + " $B" + std::to_string(i);
        const auto read = import(many);
        QVERIFY2(read, read ? "" : describe(read.error()).c_str());
        // A head of no width: more heads than the model is wide.
        const auto heads = importLaunch(Launcher::Megatron,
            "--num-layers 2 --hidden-size 4 --num-attention-heads 8 --seq-length 8 --micro-batch-size 1 --vocab-size "
            "100",
            *presets().plan("llama-3-8b-8-h100"), presets());
        QVERIFY(!heads);
        QCOMPARE(heads.error().where.english(), std::string("/model/head_dim"));
    }

    void nothingLaunchesInference()
    {
        Plan plan;
        plan.workload.task = Task::Inference;
        const auto exported = exportLaunch(Launcher::Megatron, plan);
        QVERIFY(!exported);
        QCOMPARE(exported.error().code, ErrorCode::OutOfRange);
        QVERIFY(!exportLaunch(Launcher::HuggingFace, Plan{}));
    }
};

CARDFIT_TEST(TestMegatron)

} // namespace cardfit::tst_megatron
#include "tst_megatron.moc"
