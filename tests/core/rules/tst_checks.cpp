// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>

#include "core/estimate/estimate.h"
#include "core/pipeline/orders/schedules.h"
#include "core/plan/choices.h"
#include "core/plan/edits.h"
#include "core/plan/fields.h"
#include "core/report/rules_text.h"
#include "core/rules/checks.h"
#include "core/rules/rules.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_checks {

using Change = std::function<void(Plan&)>;

const Check* find(const std::vector<Check>& checks, std::string_view id)
{
    const auto found = std::ranges::find(checks, id, &Check::id);
    return found == checks.end() ? nullptr : &*found;
}

void addExperts(Plan& plan)
{
    plan.model.architecture.moe = MixtureOfExperts{};
    plan.model.architecture.moe->num_experts = 8;
    plan.model.architecture.moe->num_experts_per_tok = 2;
    plan.model.architecture.moe->moe_intermediate_size = 4096;
}

class TestChecks : public QObject {
    Q_OBJECT

private slots:
    void aGoodPlanBreaksNothing()
    {
        const auto checks = check(samples::llama13BOnEightCards());
        QVERIFY2(checks.empty(), checks.empty() ? "" : checks.front().message.english().c_str());
    }

    // A schedule that only forks run, or none, is legal with a remark; served plans have no schedule to speak of.
    void schedulesOfOtherFrameworksAreWarnedOf()
    {
        const auto warned = [](const Plan& plan) {
            const auto checks = check(plan);
            const auto found = std::ranges::find(checks, "SCHEDULE-FRAMEWORK", &Check::id);
            if (found == checks.end()) return std::string();
            return found->severity == Severity::Warning && !found->prevents_estimate ? found->message.english() : "?";
        };
        const Plan plan = samples::llama13BOnEightCards();
        QCOMPARE(warned(plan), std::string());
        Plan fork = withSchedule(plan, Schedule::ZbV);
        QVERIFY(warned(fork).find("forks of Megatron-Core") != std::string::npos);
        fork.recipe.framework = Framework::Fsdp;
        QCOMPARE(warned(fork), std::string());
        fork.recipe.framework = Framework::DeepSpeed;
        QVERIFY(warned(fork).find("DeepSpeed does not run it") != std::string::npos);
        fork.workload.task = Task::Inference;
        QCOMPARE(warned(fork), std::string());
    }

    // The same numbers, and whose rule they break: PyTorch interleaves five micro-batches in one round, Megatron-LM not
    // in groups of four.
    void theRulesAreThoseOfThePlansFramework()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.recipe.schedule = Schedule::InterleavedOneFOneB;
        plan.parallelism.virtual_pipeline = 2;
        plan.workload.global_batch_size = 10;
        const auto broken = [&](const char* id) {
            for (const Check& found : check(plan))
                if (found.id == id) return found.message.english();
            return std::string();
        };
        QVERIFY(broken("VP-GROUP").find("Megatron-Core's rule") != std::string::npos);
        plan.recipe.framework = Framework::Fsdp;
        plan.recipe.sharding = Sharding::Zero2;
        QCOMPARE(broken("VP-GROUP"), std::string());
        QVERIFY(estimate(plan).complete());
        plan.workload.global_batch_size = 18;
        QVERIFY(broken("VP-MICROBATCHES").find("PyTorch's rule") != std::string::npos);
        plan = withSchedule(plan, Schedule::OneFOneB);
        plan.workload.global_batch_size = 2;
        QVERIFY(broken("PP-MICROBATCHES").find("PyTorch's rule") != std::string::npos);
    }

    void everyScheduleBringsItsChunks()
    {
        for (const auto& entry : names<Schedule>()) {
            for (const std::int64_t chunks : {1, 2, 5}) {
                Plan plan = samples::llama13BOnEightCards();
                plan.parallelism.virtual_pipeline = chunks;
                plan = withSchedule(std::move(plan), entry.value);
                QCOMPARE(plan.recipe.schedule, entry.value);
                // Whether the framework runs it is another matter.
                for (const Check& found : check(plan))
                    QVERIFY2(found.id == "SCHEDULE-FRAMEWORK", found.message.english().c_str());
                if (!fixedChunks(entry.value))
                    QCOMPARE(plan.parallelism.virtual_pipeline, std::max<std::int64_t>(2, chunks));
            }
        }
    }

    /// Each row breaks one rule; `valid` is what the check must offer among its nearest values.
    void rules_data()
    {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<Change>("change");
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QVector<qint64>>("valid");
        const auto row = [](const char* id, const char* field, QVector<qint64> valid, Change change) {
            QTest::addRow("%s %s", id, field) << QByteArray(id) << change << QByteArray(field) << valid;
        };
        row("RANGE", "/model/num_hidden_layers", {1}, [](Plan& p) { p.model.architecture.num_hidden_layers = 0; });
        row("RANGE", "/workload/sequence_length", {1}, [](Plan& p) { p.workload.sequence_length = -1; });
        row("RANGE", "/cluster/nodes", {1 << 20}, [](Plan& p) { p.cluster.nodes = std::int64_t{1} << 40; });
        row("SIZE", "/model/hidden_size", {}, [](Plan& p) {
            p.model.architecture.hidden_size = 1 << 25;
            p.model.architecture.num_hidden_layers = 1 << 16;
        });
        row("SIZE", "/model/hidden_size", {}, [](Plan& p) {
            p.model.architecture.moe.emplace();
            p.model.architecture.moe->num_experts = 1 << 16;
            p.model.architecture.moe->moe_intermediate_size = 1 << 26;
        });
        row("SIZE", "/model/hidden_size", {}, [](Plan& p) {
            p.model.architecture.mla.emplace();
            p.model.architecture.mla->kv_lora_rank = p.model.architecture.mla->v_head_dim = 1 << 26;
        });
        row("SIZE", "/workload/sequence_length", {}, [](Plan& p) { p.workload.sequence_length = 1 << 28; });
        // Stages that fill and drain with more micro-batches than fit: fewer of those would do.
        row("PP-MICROBATCHES", "/workload/global_batch_size", {2 * 2048}, [](Plan& p) {
            p.parallelism.pipeline = p.model.architecture.num_hidden_layers = 4096;
            p.workload.global_batch_size = 1 << 24;
        });
        row("KV-HEADS", "/model/num_key_value_heads", {5, 8},
            [](Plan& p) { p.model.architecture.num_key_value_heads = 6; });
        row("HIDDEN-HEADS", "/model/num_attention_heads", {32, 40}, [](Plan& p) {
            p.model.architecture.num_attention_heads = p.model.architecture.num_key_value_heads = 36;
            p.model.architecture.head_dim = 5120 / 36;
        });
        row("SEQUENCE-POSITIONS", "/workload/sequence_length", {4096},
            [](Plan& p) { p.workload.sequence_length = 8192; });
        row("CARDS", "/parallelism/data", {2}, [](Plan& p) { p.parallelism.data = 3; });
        row("CARDS", "/parallelism/pipeline", {4, 8}, [](Plan& p) {
            p.parallelism.data.reset();
            p.parallelism.pipeline = 5;
        });
        row("TP-HEADS", "/parallelism/tensor", {2, 4}, [](Plan& p) { p.parallelism.tensor = 3; });
        row("TP-FFN", "/parallelism/tensor", {2, 4}, [](Plan& p) {
            p.parallelism.tensor = 5;
            p.model.architecture.intermediate_size = 13824;
        });
        row("TP-KV-HEADS", "/parallelism/tensor", {4, 8}, [](Plan& p) {
            p.parallelism.tensor = 5;
            p.model.architecture.num_key_value_heads = 8;
            p.model.architecture.intermediate_size = 10240 * 2;
        });
        row("TP-KV-REPLICATED", "/parallelism/tensor", {2}, [](Plan& p) {
            p.parallelism.tensor = 4;
            p.model.architecture.num_key_value_heads = 2;
        });
        row("TP-NODE", "/parallelism/tensor", {4}, [](Plan& p) {
            p.cluster.nodes = 2;
            p.cluster.cards_per_node = 4;
            p.parallelism.tensor = 8;
            p.parallelism.pipeline = 1;
            p.parallelism.data = 1;
        });
        row("VOCAB-PADDING", "/model/vocab_size", {32768}, [](Plan& p) {
            p.model.architecture.vocab_size = 31000;
            p.parallelism.tensor = 8;
            p.parallelism.pipeline = p.parallelism.data.emplace(1);
            p.cluster.cards_per_node = 8;
            p.model.architecture.vocab_size = 31745;
            p.model.architecture.intermediate_size = 13824;
        });
        row("SP-TENSOR", "/parallelism/sequence", {}, [](Plan& p) { p.parallelism.sequence = true; });
        row("SP-SEQUENCE", "/workload/sequence_length", {4088, 4096}, [](Plan& p) {
            p.parallelism.tensor = 8;
            p.parallelism.sequence = true;
            p.workload.sequence_length = 4090;
        });
        row("CP-SEQUENCE", "/parallelism/context", {2, 4}, [](Plan& p) { p.parallelism.context = 3; });
        row("CP-A2A-HEADS", "/parallelism/context", {10, 20}, [](Plan& p) {
            p.parallelism.context = 16;
            p.recipe.context_communication = ContextCommunication::A2a;
        });
        // 40 layers, the embedding and the head fill 42 stages, or 4 x 10 chunks.
        row("PP-LAYERS", "/parallelism/pipeline", {41, 42}, [](Plan& p) { p.parallelism.pipeline = 43; });
        row("VP-LAYERS", "/parallelism/virtual_pipeline", {9, 10}, [](Plan& p) {
            p.recipe.schedule = Schedule::InterleavedOneFOneB;
            p.parallelism.virtual_pipeline = 11;
        });
        row("LAYOUT-STAGES", "/parallelism/layers_per_stage", {}, [](Plan& p) {
            p.parallelism.layers_per_stage = {{20, 20}};
        });
        row("LAYOUT-LAYERS", "/parallelism/layers_per_stage", {}, [](Plan& p) {
            p.parallelism.layers_per_stage = {{10, 10, 10, 11}};
        });
        row("VP-PIPELINE", "/parallelism/virtual_pipeline", {1}, [](Plan& p) {
            p.parallelism.pipeline = 1;
            p.parallelism.data = 8;
            p.parallelism.virtual_pipeline = 2;
        });
        row("VP-SCHEDULE", "/parallelism/virtual_pipeline", {1}, [](Plan& p) { p.parallelism.virtual_pipeline = 2; });
        row("VP-MICROBATCHES", "/workload/global_batch_size", {8}, [](Plan& p) {
            p.recipe.schedule = Schedule::InterleavedOneFOneB;
            p.parallelism.virtual_pipeline = 2;
            p.workload.global_batch_size = 6;
        });
        row("VP-GROUP", "/recipe/microbatch_group", {5}, [](Plan& p) {
            p.recipe.schedule = Schedule::InterleavedOneFOneB;
            p.parallelism.virtual_pipeline = 2;
            p.workload.global_batch_size = 10;
        });
        row("VP-SCHEDULE", "/parallelism/virtual_pipeline", {2},
            [](Plan& p) { p.recipe.schedule = Schedule::DualPipe; });
        row("GBS-DIVIDES", "/workload/global_batch_size", {1022, 1024},
            [](Plan& p) { p.workload.global_batch_size = 1023; });
        row("PP-FILL", "/workload/global_batch_size", {8}, [](Plan& p) { p.workload.global_batch_size = 2; });
        for (const Schedule schedule : {Schedule::ZbV, Schedule::VHalf, Schedule::VMin, Schedule::DualPipeV,
                 Schedule::LoopedBfs, Schedule::InterleavedOneFOneB}) {
            const std::string word(name(schedule));
            QTest::addRow("VP-SCHEDULE %s", word.c_str())
                << QByteArray("VP-SCHEDULE") << Change([schedule](Plan& p) { p.recipe.schedule = schedule; })
                << QByteArray("/parallelism/virtual_pipeline") << QVector<qint64>{2};
        }
        // 2 replicas: an even number of micro-batches, two for every rank.
        for (const auto& [microbatches, valid] : {std::pair{9, QVector<qint64>{16, 20}},
                 std::pair{5, QVector<qint64>{16}}, std::pair{6, QVector<qint64>{16}}}) {
            QTest::addRow("PP-MICROBATCHES dualpipe %d", microbatches) << QByteArray(
                "PP-MICROBATCHES") << Change([count = microbatches](Plan& p) {
                p = withSchedule(p, Schedule::DualPipe);
                p.workload.global_batch_size = 2 * count;
            }) << QByteArray("/workload/global_batch_size") << valid;
        }
        const auto overlapping = [](Plan& p) {
            addExperts(p);
            p = withSchedule(p, Schedule::InterleavedOneFOneB);
            p.parallelism.expert = 2;
            p.recipe.moe.expert_overlap = true;
        };
        row("EP-OVERLAP", "/parallelism/virtual_pipeline", {2}, [=](Plan& p) {
            overlapping(p);
            p = withSchedule(p, Schedule::OneFOneB);
        });
        row("EP-OVERLAP", "/recipe/schedule", {}, [=](Plan& p) {
            overlapping(p);
            p = withSchedule(p, Schedule::ZbV);
        });
        row("EP-OVERLAP", "/parallelism/expert", {}, [=](Plan& p) {
            overlapping(p);
            p.parallelism.expert = 1;
        });
        row("EP-OVERLAP", "/recipe/moe/dispatcher", {}, [=](Plan& p) {
            overlapping(p);
            p.recipe.moe.dispatcher = Dispatcher::AllGather;
        });
        row("EP-OVERLAP", "/recipe/precision", {}, [=](Plan& p) {
            overlapping(p);
            p.recipe.precision = Precision::Fp32;
        });
        row("EP-OVERLAP", "/model/mtp_layers", {1}, [=](Plan& p) {
            overlapping(p);
            p.model.architecture.mtp_layers = 2;
        });
        row("EP-OVERLAP", "/recipe/recompute/granularity", {}, [=](Plan& p) {
            overlapping(p);
            p.recipe.recompute.granularity = RecomputeGranularity::Full;
        });
        row("EP-DENSE", "/parallelism/expert", {1}, [](Plan& p) { p.parallelism.expert = 2; });
        row("EP-EXPERTS", "/parallelism/expert", {2, 4}, [](Plan& p) {
            addExperts(p);
            p.parallelism.expert = 3;
        });
        row("EP-CARDS", "/parallelism/expert", {1, 2}, [](Plan& p) {
            addExperts(p);
            p.parallelism.expert = 4;
        });
        row("MOE-TOPK", "/model/moe/num_experts_per_tok", {8}, [](Plan& p) {
            addExperts(p);
            p.model.architecture.moe->num_experts_per_tok = 9;
        });
        row("MOE-DENSE", "/model/moe/first_dense_layers", {}, [](Plan& p) {
            addExperts(p);
            p.model.architecture.moe->first_dense_layers = p.model.architecture.num_hidden_layers;
        });
        row("MOE-LAYERS-TWICE", "/model/moe/layers", {}, [](Plan& p) {
            addExperts(p);
            p.model.architecture.moe->first_dense_layers = 1;
            p.model.architecture.moe->layers.assign(
                static_cast<std::size_t>(p.model.architecture.num_hidden_layers), 1);
        });
        row("MOE-IMBALANCE", "/model/moe/imbalance", {}, [](Plan& p) {
            addExperts(p);
            p.model.architecture.moe->imbalance = 1.5 * static_cast<double>(p.parallelism.expert);
        });
        row("ETP-FFN", "/parallelism/expert_tensor", {2, 4}, [](Plan& p) {
            addExperts(p);
            p.parallelism.expert_tensor = 3;
        });
        row("EXPERTS-REPLICATED", "/parallelism/expert_tensor", {2}, [](Plan& p) {
            addExperts(p);
            p.parallelism.tensor = 2;
            p.parallelism.sequence = true;
            p.parallelism.data = 1;
            p.parallelism.expert_tensor = 1;
        });
        row("EXPERTS-SEQUENCE", "/parallelism/sequence", {}, [](Plan& p) {
            addExperts(p);
            p.parallelism.tensor = 2;
            p.parallelism.data = 1;
        });
        row("ETP-FFN", "/parallelism/expert_tensor", {4}, [](Plan& p) { // as Megatron-LM divides experts by default
            addExperts(p);
            p.model.architecture.moe->moe_intermediate_size = 4100;
            p.parallelism.tensor = 8;
            p.parallelism.data = p.parallelism.pipeline = 1;
        });
        row("OPT-INSTANCES-EXPERTS", "/recipe/optimizer_instances", {1}, [](Plan& p) {
            addExperts(p);
            p.parallelism.expert = p.recipe.optimizer_instances = 2;
        });
        row("DS-EXPERTS-ZERO3", "/recipe/sharding", {}, [](Plan& p) {
            addExperts(p);
            p.parallelism = {};
            p.parallelism.tensor = p.parallelism.expert = 2;
            p.recipe.framework = Framework::DeepSpeed;
            p.recipe.sharding = Sharding::Zero3;
        });
        row("OVERLAP-PARAMETERS", "/recipe/overlap/parameters", {},
            [](Plan& p) { p.recipe.overlap = {.gradients = false, .parameters = true}; });
        row("OVERLAP-TENSOR", "/recipe/overlap/tensor", {}, [](Plan& p) {
            p.parallelism.tensor = 2;
            p.parallelism.data = 1;
            p.recipe.overlap.tensor = true;
        });
        row("ADAPTER-TASK", "/recipe/adapter", {}, [](Plan& p) { p.recipe.adapter = Adapter{}; });
        row("KV-CACHE-TASK", "/recipe/kv_cache_precision", {},
            [](Plan& p) { p.recipe.kv_cache_precision = Precision::Fp8; });
        row("ENGINE-TASK", "/recipe/framework", {}, [](Plan& p) { p.recipe.engine = Engine::Sglang; });
        row("SERVED-LENGTH", "/workload/sequence_length", {4097}, [](Plan& p) {
            p.workload.task = Task::Inference;
            p.workload.sequence_length = 4096;
            p.workload.input_tokens = 4000;
            p.workload.output_tokens = 97;
        });
        row("SERVED-LOAD", "/workload/requests_per_second", {}, [](Plan& p) {
            p.workload.task = Task::Inference;
            p.workload.output_tokens = 100;
            p.workload.concurrency = 8;
            p.workload.requests_per_second = 1.0;
        });
        row("SERVED-LOAD", "/workload/output_tokens", {}, [](Plan& p) {
            p.workload.task = Task::Inference;
            p.workload.requests_per_second = 1.0;
        });
        row("INFERENCE-SCHEDULE", "/recipe/schedule", {}, [](Plan& p) {
            p.workload.task = Task::Inference;
            p.recipe.schedule = Schedule::Naive;
        });
        row("FP8-BLOCKS", "/parallelism/expert", {}, [](Plan& p) { // Qwen3-235B-A22B on 8 ranks: 1536 / 8 = 192
            addExperts(p);
            p.workload.task = Task::Inference;
            p.recipe.precision = Precision::Fp8;
            p.parallelism = {};
            p.parallelism.tensor = 8;
            p.model.architecture.moe->moe_intermediate_size = 1536;
        });
        row("FP8-BLOCKS", "/parallelism/tensor", {}, [](Plan& p) {
            p.workload.task = Task::Inference;
            p.recipe.precision = Precision::Fp8;
            p.parallelism = {};
            p.parallelism.tensor = 8; // 13824 / 8 = 1728 of llama-13b, 13.5 blocks
        });
        row("MEGATRON-ZERO", "/recipe/sharding", {}, [](Plan& p) { p.recipe.sharding = Sharding::Zero3; });
        row("DS-PIPELINE-ZERO", "/recipe/sharding", {}, [](Plan& p) {
            p.recipe.framework = Framework::DeepSpeed;
            p.recipe.sharding = Sharding::Zero2;
        });
        row("FSDP-ZERO1", "/recipe/sharding", {}, [](Plan& p) { p.recipe.framework = Framework::Fsdp; });
        row("OPT-INSTANCES", "/recipe/optimizer_instances", {2}, [](Plan& p) { p.recipe.optimizer_instances = 3; });
        row("PRECISION-SERVED", "/recipe/precision", {}, [](Plan& p) { p.recipe.precision = Precision::Mxfp4; });
        row("KV-CACHE-FORMAT", "/recipe/kv_cache_precision", {}, [](Plan& p) {
            p.workload.task = Task::Inference;
            p.recipe.kv_cache_precision = Precision::Nf4;
        });
        row("PRECISION-INT8", "/recipe/precision", {}, [](Plan& p) { p.recipe.precision = Precision::Int8; });
        row("CARD-FP8", "/recipe/precision", {}, [](Plan& p) { p.recipe.precision = Precision::Fp8; });
        row("CARD-BF16", "/recipe/precision", {}, [](Plan& p) { p.cluster.accelerator.tflops.bf16.reset(); });
        row("OFFLOAD-ACTIVATIONS", "/recipe/offload/activations", {1},
            [](Plan& p) { p.recipe.offload.activations = 0.5; });
        row("OFFLOAD-PARAMETERS", "/recipe/offload/parameters", {}, [](Plan& p) { p.recipe.offload.parameters = 0.5; });
        row("OFFLOAD-SHARDING", "/recipe/offload/parameters", {}, [](Plan& p) {
            p.recipe.framework = Framework::DeepSpeed;
            p.recipe.offload.parameters = 0.5;
        });
        row("OFFLOAD-GRADIENTS", "/recipe/offload/gradients", {}, [](Plan& p) { p.recipe.offload.gradients = 0.5; });
        row("GRADIENT-SYNC", "/recipe/gradient_sync", {}, [](Plan& p) {
            p.recipe.framework = Framework::DeepSpeed;
            p.recipe.sharding = Sharding::Zero3;
            p.recipe.gradient_sync = GradientSync::Last;
        });
        row("BACKWARD-UPDATE", "/recipe/optimizer_in_backward", {},
            [](Plan& p) { p.recipe.optimizer_in_backward = true; });
        row("UNKNOWN-KEY", "/recipe/novelty", {}, [](Plan& p) { p.unknown.paths = {"/recipe/novelty"}; });
    }
    void rules()
    {
        QFETCH(QByteArray, id);
        QFETCH(Change, change);
        QFETCH(QByteArray, field);
        QFETCH(QVector<qint64>, valid);
        Plan plan = samples::llama13BOnEightCards();
        change(plan);
        const auto checks = check(plan);
        QByteArray all;
        for (const Check& broken : checks)
            all += broken.id + " ";
        const Check* found = find(checks, id.toStdString());
        QVERIFY2(found != nullptr, all.constData());
        QCOMPARE(QByteArray::fromStdString(found->field), field);
        QVERIFY(!found->message.empty());
        for (const qint64 value : valid) {
            QVERIFY2(std::ranges::find(found->valid, value) != found->valid.end(),
                (QByteArray::number(value) + " is not offered").constData());
        }
        QVERIFY(std::ranges::is_sorted(found->valid));
    }

    void everyRuleIsOneRow()
    {
        std::set<std::string_view> ids;
        for (const PlanRule& rule : kRules) {
            QVERIFY2(ids.insert(rule.id).second, rule.id.data());
            QVERIFY2(rule.sentence.ends_with('.'), rule.id.data());
            for (const std::string_view field : rule.mended_by)
                QVERIFY2(field.empty() || fieldAt(field) != nullptr, rule.id.data());
            QVERIFY2(rulesText().find(rule.sentence) != std::string::npos, rule.id.data());
        }
        QVERIFY(ruleOf("NO-RULE") == nullptr);
    }

    /// What keeps blocks of fp8 whole: a smaller degree, expert parallelism over all ranks, or another format.
    void fp8BlocksAreKeptWhole()
    {
        Plan plan = samples::llama13BOnEightCards();
        addExperts(plan);
        plan.workload.task = Task::Inference;
        plan.recipe.precision = Precision::Fp8;
        plan.parallelism = {};
        plan.parallelism.tensor = 8;
        plan.model.architecture.moe->moe_intermediate_size = 1536;
        QVERIFY(find(check(plan), "FP8-BLOCKS") != nullptr);
        for (const Change& change : {Change([](Plan& p) { p.parallelism.expert = 8; }), Change([](Plan& p) {
                                         p.parallelism.tensor = 4;
                                         p.parallelism.expert_tensor = 4;
                                     }), // 384
                 Change([](Plan& p) { p.recipe.precision = Precision::Bf16; }),
                 Change([](Plan& p) { p.workload.task = Task::Pretrain; })}) {
            Plan other = plan;
            change(other);
            QVERIFY(find(check(other), "FP8-BLOCKS") == nullptr);
        }
    }

    /// Numbers that a file may hold and whose product nothing does: the plan is told so, and edits leave it alone.
    void degreesBeyondAnyCluster()
    {
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism.data.reset();
        plan.parallelism.tensor = plan.parallelism.pipeline = std::int64_t{1} << 32; // 2^64 cards
        QCOMPARE(replicaCards(plan.parallelism), kMost);
        QCOMPARE(dataParallel(plan), 0);
        QCOMPARE(microBatches(plan), 0);
        QVERIFY(find(check(plan), "RANGE") != nullptr);
        Plan edited = plan;
        edited.parallelism.context = 2;
        QVERIFY(withDerivedFactor(plan, edited, DerivedFactor::Nodes) == edited);
        plan.cluster.nodes = plan.cluster.cards_per_node = std::int64_t{1} << 40;
        QCOMPARE(cardCount(plan.cluster), kMost);
        QVERIFY(find(check(plan), "RANGE") != nullptr);
    }
};

CARDFIT_TEST(TestChecks)

} // namespace cardfit::tst_checks
#include "tst_checks.moc"
