// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>

#include <rapidcheck.h>

#include "core/io/launch/launch.h"
#include "core/io/measured_cases.h"
#include "core/io/plan_file.h"
#include "core/plan/stages.h"
#include "tests/core/io/random_plans.h"
#include "tests/core/sample_plans.h"

using namespace cardfit;

namespace {

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

/// Two ways to write the same run are one: what counts for nothing is taken away, and what has a default gets it.
Plan significant(Plan plan)
{
    plan.name.clear();
    Model anonymous;
    anonymous.architecture = plan.model.architecture;
    plan.model = std::move(anonymous);
    plan.cluster.id.clear(); // a number of cards beside the preset's makes it another cluster
    plan.cluster.name.clear();
    plan.overheads = {};
    plan.calibration.reset();
    plan.parallelism.data = dataParallel(plan);
    Architecture& shape = plan.model.architecture;
    shape.attention_output_bias = shape.attention_output_bias.value_or(shape.attention_bias);
    if (shape.sliding_window && shape.sliding_window->full_every == 2)
        *shape.sliding_window = {shape.sliding_window->size, 2, 0};
    if (shape.sliding_window && shape.sliding_window->full_every > 0) shape.sliding_window->every = 1;
    if (!shape.moe) plan.recipe.moe = {};
    Recompute& recompute = plan.recipe.recompute;
    if (recompute.granularity != RecomputeGranularity::Selective) recompute.modules.clear();
    if (recompute.granularity != RecomputeGranularity::Full)
        recompute = {recompute.granularity, recompute.modules, {}, 1};
    return plan;
}

/// JSON pointers of all values.
void flatten(const QJsonValue& value, const QString& pointer, QMap<QString, QJsonValue>& all)
{
    if (!value.isObject()) {
        all[pointer] = value;
        return;
    }
    const QJsonObject object = value.toObject();
    for (auto it = object.begin(); it != object.end(); ++it)
        flatten(it.value(), pointer + u'/' + it.key(), all);
}

QMap<QString, QJsonValue> valuesOf(const Plan& plan)
{
    QMap<QString, QJsonValue> all;
    flatten(QJsonDocument::fromJson(QByteArray::fromStdString(planText(plan))).object(), {}, all);
    return all;
}

/// Fields in which the plan came back differently although no note says that it would.
QStringList lost(const Plan& plan, const Plan& back, const std::vector<LaunchNote>& notes)
{
    const auto before = valuesOf(significant(plan));
    const auto after = valuesOf(significant(back));
    QSet<QString> pointers(before.keyBegin(), before.keyEnd());
    pointers.unite(QSet<QString>(after.keyBegin(), after.keyEnd()));
    QStringList fields;
    for (const QString& pointer : pointers) {
        if (before.value(pointer) == after.value(pointer)) continue;
        const bool noted = std::ranges::any_of(
            notes, [&](const LaunchNote& note) { return pointer.startsWith(QString::fromStdString(note.what)); });
        if (!noted) {
            fields << QStringLiteral("%1: %2 -> %3")
                          .arg(pointer, before.value(pointer).toVariant().toString(),
                              after.value(pointer).toVariant().toString());
        }
    }
    return fields;
}

/// Fields that are lost on the way to options and back; then the second round must find nothing left to change.
QStringList roundTrip(const Plan& plan)
{
    const auto exported = exportLaunch(Launcher::Megatron, plan);
    if (!exported) return {QString::fromStdString(describe(exported.error()))};
    const auto back = import(exported->text, plan);
    if (!back) return {QString::fromStdString(describe(back.error()) + "\n" + exported->text)};
    QStringList fields = lost(plan, back->plan, exported->notes);
    const auto again = exportLaunch(Launcher::Megatron, back->plan);
    const auto twice = again ? import(again->text, plan) : back;
    if (!again || !twice) return fields << QStringLiteral("the second round failed");
    return fields + lost(back->plan, twice->plan, {});
}

} // namespace

class TestMegatron : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("RC_PARAMS", "seed=20261122 max_success=100"); }

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
            if (plan.recipe.framework != Framework::Megatron) continue;
            ++tried;
            const QStringList fields = roundTrip(plan);
            QVERIFY2(fields.isEmpty(), qPrintable(QString::fromStdString(plan.name) + u'\n' + fields.join(u'\n')));
        }
        QVERIFY(tried > 100);
    }

    void shippedPlansComeBack()
    {
        for (const PlanPreset& preset : presets().plans) {
            if (preset.plan.workload.task == Task::Inference) continue;
            const QStringList fields = roundTrip(preset.plan);
            QVERIFY2(fields.isEmpty(), qPrintable(QString::fromStdString(preset.id) + u'\n' + fields.join(u'\n')));
        }
    }

    void anyPlanComesBack()
    {
        QVERIFY(rc::check([] {
            Plan plan = random::plan({""}, {""}, {""});
            if (plan.workload.task == Task::Inference) plan.workload.task = Task::Pretrain;
            const QStringList fields = roundTrip(plan);
            if (!fields.isEmpty()) RC_FAIL(fields.join(u'\n').toStdString());
        }));
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

QTEST_APPLESS_MAIN(TestMegatron)
#include "tst_megatron.moc"
