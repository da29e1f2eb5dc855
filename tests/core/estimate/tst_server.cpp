// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>

#include "core/estimate/estimate.h"
#include "core/estimate/server.h"
#include "core/explain/explain.h"
#include "core/files/json_reader.h"
#include "core/files/presets.h"
#include "core/layers/layer_split.h"
#include "core/memory/inference.h"
#include "core/plan/stages.h"
#include "core/report/comparison_text.h"
#include "core/report/json_text.h"
#include "core/report/planning_document.h"
#include "core/report/reports.h"
#include "core/search/found_plan.h"
#include "core/search/suggestions.h"
#include "tests/test_program.h"

namespace cardfit::tst_server {

std::optional<ServerAnswers> answersOf(const Plan& plan) { return estimate(plan).server; }

class TestServer : public QObject {
    Q_OBJECT

    const Presets m_presets = loadPresets(std::array{std::filesystem::path(CARDFIT_PRESET_DIR)});

    Plan onH100(const char* model, std::int64_t cards, std::int64_t length) const
    {
        Plan plan = *m_presets.plan("vllm-llama-3-8b-one-h100");
        plan.model = *m_presets.model(model);
        plan.cluster.cards_per_node = plan.parallelism.tensor = cards;
        plan.workload.sequence_length = length;
        plan.workload.global_batch_size = 1;
        return plan;
    }

private slots:
    // vLLM multiplies CUDA's total, here 79.22 GiB of an H100: 0.9 of it is what PR 10511 prints (14.96 + 1.26 + 1.79 +
    // 53.29 GiB).
    void theBudgetIsAShareOfWhatIsUsable()
    {
        Plan plan = onH100("llama-3-8b", 1, 8192);
        plan.cluster.accelerator.usable = Mebibytes(81121);
        const double gib = static_cast<double>(answersOf(plan)->capacity.budget.value()) / 0x1p30;
        QVERIFY2(std::abs(gib - 71.30) < 0.01, std::to_string(gib).c_str());
    }

    // A server whose cache does not hold one sequence refuses to start: refused wherever a verdict is given,
    // although most of the card is free.
    void aServerThatRefusesIsToldSo()
    {
        Plan plan = onH100("llama-3-8b", 1, 8192);
        const auto utilizationFor = [&](double sequences) {
            const ServerCapacity server = answersOf(plan)->capacity;
            const Bytes wanted = server.budget - server.cache
                + roundToBytes(sequences * static_cast<double>(server.per_sequence.value()));
            return wanted / usableMemory(plan.cluster.accelerator);
        };
        const double enough = utilizationFor(1.01);
        const double too_little = utilizationFor(0.91);
        const double no_cache = utilizationFor(-3.0);
        plan.recipe.gpu_memory_utilization = enough;
        const Estimate starts = estimate(plan);
        QVERIFY(starts.fits() && isFit(verdict(starts)));
        QCOMPARE(starts.server->capacity.missing, Bytes(0));

        for (const double utilization : {too_little, no_cache}) {
            plan.recipe.gpu_memory_utilization = utilization;
            const Estimate refuses = estimate(plan);
            const ServerCapacity& server = refuses.server->capacity;
            const StageMemory& stage = refuses.stages.front();
            QVERIFY(stage.device() < stage.capacity); // the card has room, the server's share has not
            QVERIFY(server.cache >= Bytes(0) && server.sequences < 1.0);
            QVERIFY(!refuses.server->pace && starts.server->pace);
            QCOMPARE(stage.free(), Bytes(0) - server.missing);
            QVERIFY(!refuses.fits() && verdict(refuses) == Verdict::Refused);
            QVERIFY(verdictLine(refuses, ByteUnit::GB).find("REFUSED stage 0: the server does not start") == 0);
            QVERIFY(planWarnings(refuses).size() == 1);
            const Json json = Json::parse(estimateJson(refuses));
            QCOMPARE(json.at("fits").get<bool>(), false);
            QVERIFY(json.at("server").at("cache_bytes").get<std::int64_t>() >= 0);
            QCOMPARE(json.at("server").at("missing_bytes").get<std::int64_t>(), server.missing.value());
            const auto row = rowOf(plan, SearchFigure::Memory);
            QVERIFY(row && !row->fits && row->over == server.missing);
            // The search gives the same verdict, and the advice finds what starts the server.
            const std::vector<Suggestion> found = suggest(plan, Profile::AsPlanned);
            QVERIFY(std::ranges::any_of(found, [](const Suggestion& one) {
                return one.fits && one.change.edit.field == "/recipe/gpu_memory_utilization";
            }));
            QVERIFY(explain(plan, refuses, "server.cache"));
            const auto device = explain(plan, refuses, "stage0.device");
            QVERIFY(device && device->sentence.english().find("does not start") != std::string::npos);
        }
    }

    void whatAServerDoesNotDoIsWarnedOf()
    {
        Plan plan = onH100("llama-3-8b", 1, 8192);
        plan.workload.input_tokens = 2000;
        plan.workload.output_tokens = 500;
        const auto warned = [&](std::string_view rule) {
            const Estimate made = estimate(plan);
            return std::ranges::count_if(made.checks,
                [&](const Check& check) { return check.id == rule && check.severity == Severity::Warning; });
        };
        QCOMPARE(warned("SERVED-USERS"), 0);
        const std::int64_t most = answersOf(plan)->pace->users.users;
        plan.workload.concurrency = most;
        QCOMPARE(warned("SERVED-USERS"), 0);
        plan.workload.concurrency = most + 1;
        QCOMPARE(warned("SERVED-USERS"), 1);
        plan.workload.queue = most; // no more than so many come
        QCOMPARE(warned("SERVED-USERS"), 0);
        plan.workload.queue.reset();

        // Limits alone ask how many keep them; with a number of users they may be missed.
        plan.workload.concurrency.reset();
        plan.workload.limits = ServingLimits{std::nullopt, 1.0};
        const ServedUsers kept = answersOf(plan)->pace->users;
        QVERIFY(kept.users > 0 && kept.users < most && kept.binds == ServingBound::Ttft);
        QCOMPARE(warned("SERVED-USERS"), 0);
        plan.workload.concurrency = kept.users;
        QCOMPARE(warned("SERVED-USERS"), 0);
        const Estimate within = estimate(plan);
        plan.workload.concurrency = kept.users + 1;
        QCOMPARE(warned("SERVED-USERS"), 1);
        const std::string compared = comparisonText({plan, within}, {plan, estimate(plan)}, ByteUnit::GB);
        QVERIFY(compared.find("\ntime per token ") != std::string::npos);
        QVERIFY(compared.find("\nusers within limits ") != std::string::npos);

        QCOMPARE(warned("SERVED-ANSWERS"), 0);
        plan.workload.output_tokens = 1;
        QCOMPARE(warned("SERVED-ANSWERS"), 1);
    }

    // Tokens that vLLM printed for its cache, and the GiB it had for them: llm-d-planner,
    // docs/empirical-vllm-memory-results.md (e50305af), and vllm-project/vllm PR 10511, whose older profile run sampled
    // less and counted the device context.
    void tokensMatchWhatVllmPrinted_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("cards");
        QTest::addColumn<double>("gib");
        QTest::addColumn<double>("tokens");
        QTest::newRow("Llama 3.1 8B") << "llama-3-8b" << 1 << 51.38 << 420'905.0;
        QTest::newRow("Qwen3 32B on two cards") << "qwen3-32b" << 2 << 34.49 << 282'542.0;
        QTest::newRow("PR 10511") << "llama-3-8b" << 1 << 53.29 << 436'552.0;
    }
    void tokensMatchWhatVllmPrinted()
    {
        QFETCH(QString, model);
        QFETCH(int, cards);
        QFETCH(double, gib);
        QFETCH(double, tokens);
        const auto answers = answersOf(onH100(model.toUtf8().constData(), cards, 8192));
        QVERIFY(answers);
        const ServerCapacity& server = answers->capacity;
        const double cache = static_cast<double>(server.cache.value()) / 0x1p30;
        const std::string found = std::to_string(cache) + " GiB, " + std::to_string(server.tokens()) + " tokens";
        QVERIFY2(std::abs(cache / gib - 1.0) < 0.05, found.c_str());
        QVERIFY2(std::abs(static_cast<double>(server.tokens()) / tokens - 1.0) < 0.05, found.c_str());
        // What is measured is one arithmetic: bytes over tokens are the engine's.
        QVERIFY(
            std::abs(static_cast<double>(server.per_sequence.value()) / 8192.0 / (gib * 0x1p30 / tokens) - 1.0) < 1e-3);
    }

    void partsAddUpToTheBudget()
    {
        for (const PlanPreset& preset : m_presets.plans) {
            const auto answers = answersOf(preset.plan);
            QCOMPARE(answers.has_value(), preset.plan.workload.task == Task::Inference);
            if (!answers) continue;
            const ServerCapacity& server = answers->capacity;
            QCOMPARE(server.weights + server.activations + server.outside + server.cache, server.budget);
            QCOMPARE(server.missing, Bytes(0));
            QVERIFY(server.tokens() > 0 && server.longestContext() >= server.tokens());
            const Estimate result = estimate(preset.plan);
            QVERIFY(result.server == answers);
            for (const char* figure :
                {"server.cache", "server.cache_tokens", "server.sequences", "server.longest_context"})
                QVERIFY(explain(preset.plan, result, figure));
            QVERIFY(textReport(preset.plan, result).find("Longest context") != std::string::npos);
        }
    }

    // A sequence takes whole blocks, and one token more than the longest does not fit.
    void theLongestContextIsTheLast()
    {
        const Plan plan = onH100("llama-3-8b", 1, 100);
        const ServerCapacity server = answersOf(plan)->capacity;
        Plan one = plan;
        const StageLayers stage = stageLayers(plan).front();
        const auto bytes = [&](std::int64_t tokens) {
            one.workload.sequence_length = tokens;
            Bytes sum;
            for (const Term& term : keyValueCache(one, stage))
                sum += term.bytes;
            return sum;
        };
        QVERIFY(bytes(server.longestContext()) <= server.cache);
        QVERIFY(bytes(server.longestContext() + kCacheBlock) > server.cache);
        QCOMPARE(server.per_sequence, bytes(112));
        QVERIFY(server.sequences * 112.0 >= static_cast<double>(server.tokens()));
    }

    // Latent caches are not divided over tensor ranks (arXiv:2405.04434), so a second card frees weights only; heads
    // are.
    void aSecondCardBuysMoreThanTwice()
    {
        const auto answers = answersOf(onH100("llama-3-8b", 1, 8192));
        QVERIFY(answers->larger);
        QCOMPARE(answers->larger->tensor, 2);
        QCOMPARE(answers->larger->cards, 2);
        QVERIFY(answers->larger->capacity.tokens() > 2 * answers->capacity.tokens());
        Plan latent = onH100("deepseek-v2-lite", 1, 8192);
        const auto of_latent = answersOf(latent);
        QVERIFY(of_latent->larger && of_latent->larger->capacity.per_sequence == of_latent->capacity.per_sequence);
        latent.parallelism.tensor = 3; // breaks rules of its own, for which a degree is not to blame
        QVERIFY(!answersOf(latent) || !answersOf(latent)->larger);
    }

    // What only keeps a window or a state holds a long sequence where full attention does not.
    void windowsAndStatesHoldLonger()
    {
        Plan plan = onH100("llama-3-8b", 1, 8192);
        const ServerCapacity full = answersOf(plan)->capacity;
        plan.model.architecture.sliding_window = SlidingWindow{4096, 2, 0};
        const ServerCapacity half = answersOf(plan)->capacity;
        QVERIFY(half.longestContext() > 19 * full.longestContext() / 10);
        QVERIFY(half.bounded && half.sequences > full.sequences);
        plan.model.architecture.sliding_window = SlidingWindow{4096, 1, 0};
        QVERIFY(!answersOf(plan)->capacity.bounded);
    }

    void settingsMoveTheCache()
    {
        Plan plan = onH100("llama-3-8b", 1, 8192);
        const ServerCapacity usual = answersOf(plan)->capacity;
        QCOMPARE(usual.utilization, 0.9);
        plan.recipe.gpu_memory_utilization = 0.95;
        const ServerCapacity more = answersOf(plan)->capacity;
        QCOMPARE(more.cache - usual.cache, more.budget - usual.budget);
        plan.recipe.max_num_seqs = 64;
        QVERIFY(answersOf(plan)->capacity.cache > more.cache); // samples for fewer
        QCOMPARE(answersOf(plan)->admitted, 64);
        plan.recipe.gpu_memory_utilization = 0.1;
        const auto none = answersOf(plan);
        QCOMPARE(none->capacity.cache, Bytes(0));
        QVERIFY(none->capacity.rest() < Bytes(0));
        QCOMPARE(none->capacity.missing, none->capacity.per_sequence - none->capacity.rest());
        QCOMPARE(none->capacity.tokens(), 0);
        QCOMPARE(none->capacity.longestContext(), 0);
    }
};

CARDFIT_TEST(TestServer)

} // namespace cardfit::tst_server
#include "tst_server.moc"
