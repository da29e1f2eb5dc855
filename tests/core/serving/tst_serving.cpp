// SPDX-License-Identifier: GPL-3.0-or-later
// Decode time and what a server makes of it.
#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "core/estimate/estimate.h"
#include "core/files/presets.h"
#include "core/layers/layer_split.h"
#include "core/memory/inference.h"
#include "core/report/server_text.h"
#include "core/serving/server_time.h"
#include "tests/test_program.h"

namespace cardfit::tst_serving {

class TestServing : public QObject {
    Q_OBJECT

    const Presets m_presets = loadPresets(std::array{std::filesystem::path(CARDFIT_PRESET_DIR)});

    Plan served(const char* model, const char* card, std::int64_t tensor, Precision precision) const
    {
        Plan plan = *m_presets.plan("vllm-llama-3-8b-one-h100");
        plan.model = *m_presets.model(model);
        plan.cluster.accelerator = *m_presets.accelerator(card);
        plan.cluster.cards_per_node = plan.parallelism.tensor = tensor;
        plan.recipe.precision = precision;
        plan.workload.sequence_length = 4096;
        plan.workload.global_batch_size = 1;
        plan.workload.input_tokens = 1024;
        plan.workload.output_tokens = 1024;
        return plan;
    }

    static ServerPace paceOf(const Plan& plan) { return *estimate(plan).server->pace; }

private slots:
    // aiconfigurator's silicon sample: 20.1 to 20.8 ms at a concurrency of 4, 70.6 GB over 0.8 x 4.8 TB/s being 18.4.
    void llama70BOnOneH200()
    {
        Plan plan = served("llama-3-70b", "h200-sxm", 1, Precision::Fp8);
        plan.workload.concurrency = 4;
        const double seconds = paceOf(plan).pace.tpot().value();
        QVERIFY2(seconds > 0.93 * 20.1e-3 && seconds < 1.1 * 20.8e-3, std::to_string(seconds).c_str());
    }

    // TensorRT-LLM 0.9 with two A100: 160.9 ms for a prompt of 2,048 tokens; training's grouped products would take
    // twice as long.
    void promptsOfExperts()
    {
        Plan plan = served("mixtral-8x7b", "a100-sxm-80", 2, Precision::Fp16);
        plan.workload.sequence_length = 2048;
        plan.workload.input_tokens.reset();
        plan.workload.output_tokens.reset();
        const Estimate result = estimate(plan);
        const double prefill = result.step.seconds.value();
        QVERIFY2(std::abs(prefill / 0.1609 - 1.0) < 0.2, std::to_string(prefill).c_str());
    }

    void partsAddUpToTheTimePerToken()
    {
        for (const char* model : {"llama-3-8b", "mixtral-8x7b", "deepseek-v3", "nemotron-h-8b"}) {
            Plan plan = served(model, "b200-sxm", 8, Precision::Fp8);
            const ServerPace pace = paceOf(plan);
            Seconds sum;
            for (const DecodePart& part : kDecodeParts)
                sum += pace.pace.parts.*part.time;
            QVERIFY(std::abs(sum / pace.pace.tpot() - 1.0) < 1e-12);
            QVERIFY(pace.tpot_alone <= pace.pace.tpot());
            QCOMPARE(pace.pace.parts.experts > Seconds(0.0), plan.model.architecture.moe.has_value());
        }
    }

    /// What every stage's cards do takes the whole time per token; over the stages it is the replica's in the mean.
    void cardsOfEveryStage()
    {
        for (const std::int64_t stages : {1, 4}) {
            Plan plan = served("llama-3-70b", "h200-sxm", 8, Precision::Fp8);
            plan.parallelism.tensor = 8 / stages;
            plan.parallelism.pipeline = stages;
            const ServerPace pace = paceOf(plan);
            QCOMPARE(pace.cards.size(), static_cast<std::size_t>(stages));
            DecodeParts mean;
            for (const DecodeParts& card : pace.cards) {
                QVERIFY(std::abs(card.total() / pace.pace.tpot() - 1.0) < 1e-9);
                mean += 1.0 / static_cast<double>(stages) * card;
            }
            for (const DecodePart& part : kDecodeParts)
                QVERIFY(std::abs((mean.*part.time - pace.pace.parts.*part.time).value()) < 1e-9);
        }
    }

    // One token visits k of E experts; enough tokens visit all of them.
    void expertsThatAreTouched()
    {
        const Plan plan = served("mixtral-8x7b", "h100-sxm-80", 2, Precision::Fp16);
        const PlanContext context = planContext(plan);
        const DecodeClock clock(context);
        const double one = clock.iteration({1.0, 100.0, 0.0, 0.0}).experts.value();
        const double all = clock.iteration({4096.0, 100.0, 0.0, 0.0}).experts.value();
        QVERIFY(std::abs(one / all - 0.25) < 1e-6);
        const double two = clock.iteration({2.0, 100.0, 0.0, 0.0}).experts.value();
        QVERIFY(std::abs(two / all - (1.0 - 0.75 * 0.75)) < 1e-6);
    }

    // The cache that is read is the cache that is kept, whatever the model keeps.
    void theCacheIsThatOfMemory()
    {
        for (const char* model :
            {"llama-3-8b", "gemma-3-27b", "gpt-oss-120b", "deepseek-v3", "nemotron-h-8b", "qwen3-next-80b-a3b"}) {
            for (const std::int64_t tensor : {1, 8}) {
                Plan plan = served(model, "b200-sxm", tensor, Precision::Fp8);
                plan.workload.global_batch_size = 1;
                const PlanContext context = planContext(plan);
                double kept = 0.0;
                for (const Term& term : keyValueCache(plan, context.stages.front()))
                    kept += static_cast<double>(term.bytes.value());
                const double read =
                    DecodeClock(context).cacheBytes(0, static_cast<double>(plan.workload.sequence_length));
                QVERIFY2(std::abs(read / kept - 1.0) < 1e-6, fmt::format("{} {} {}", model, read, kept).c_str());
            }
        }
    }

    // Where there are fewer key/value heads than ranks, each has a whole one; a latent is on every rank.
    void replicatedHeadsAndLatents()
    {
        const auto cached = [&](const char* model, std::int64_t tensor) {
            const Plan plan = served(model, "b200-sxm", tensor, Precision::Fp8);
            const PlanContext context = planContext(plan);
            return DecodeClock(context).iteration({64.0, 4096.0, 0.0, 0.0}).cache.value();
        };
        QVERIFY(std::abs(cached("llama-3-70b", 8) / cached("llama-3-70b", 1) - 1.0 / 8.0) < 1e-6);
        QVERIFY(std::abs(cached("deepseek-v3", 8) / cached("deepseek-v3", 1) - 1.0) < 1e-6);
    }

    void timeGrowsWithTheLoad()
    {
        for (const char* model : {"llama-3-8b", "mixtral-8x7b", "deepseek-v3"}) {
            const Plan plan = served(model, "h200-sxm", 8, Precision::Fp8);
            const PlanContext context = planContext(plan);
            const ServerClock clock(context, servedLengths(plan));
            Seconds before;
            double rate = 0.0;
            for (double sequences = 1.0; sequences <= 1024.0; sequences *= 2.0) {
                const Seconds now = clock.pace(sequences).tpot();
                QVERIFY(now > before);
                before = now;
                const double throughput = clock.throughput(sequences, 0.0);
                QVERIFY(throughput > rate);
                rate = throughput;
            }
        }
    }

    // A queue of as many requests as there are slots is one full wave; the rest of another one runs emptier.
    void wavesOfAQueue()
    {
        const Plan plan = served("llama-3-8b", "h100-sxm-80", 1, Precision::Bf16);
        const PlanContext context = planContext(plan);
        const ServerClock clock(context, servedLengths(plan));
        const double endless = clock.throughput(100.0, 0.0);
        QVERIFY(std::abs(clock.throughput(100.0, 300.0) / endless - 1.0) < 1e-9);
        QVERIFY(clock.throughput(100.0, 310.0) < endless);
        QVERIFY(clock.throughput(100.0, 101.0) < clock.throughput(100.0, 199.0));
    }

    // The answer by halving is the one that trying every number of users finds, and the limit is kept.
    void usersWithinLimits()
    {
        Plan plan = served("llama-3.3-70b", "h100-sxm-80", 4, Precision::Fp8);
        const auto users = [&](std::optional<double> tpot, std::optional<double> ttft) {
            plan.workload.limits = ServingLimits{tpot, ttft};
            return paceOf(plan).users;
        };
        const ServedUsers free = users({}, {});
        QVERIFY(free.binds == ServingBound::Cache || free.binds == ServingBound::Engine);
        const ServedUsers slow = users(25.0, {});
        QCOMPARE(slow.binds, ServingBound::Tpot);
        QVERIFY(slow.users > 0 && slow.users < free.users);
        std::int64_t tried = 0;
        for (std::int64_t one = 1; one <= free.users; ++one) {
            plan.workload.concurrency = one;
            if (paceOf(plan).pace.tpot() > Seconds(0.025)) break;
            tried = one;
        }
        QCOMPARE(slow.users, tried);
        plan.workload.concurrency.reset();
        QCOMPARE(users({}, 0.5).binds, ServingBound::Ttft);
        const ServedUsers none = users(0.1, {});
        QCOMPARE(none.users, 0);
        QCOMPARE(none.binds, ServingBound::Tpot);
    }

    // Requests a second and concurrency are two words for one load.
    void aLoadInRequests()
    {
        Plan plan = served("llama-3-8b", "h100-sxm-80", 1, Precision::Bf16);
        plan.workload.concurrency = 32;
        const ServerPace given = paceOf(plan);
        plan.workload.concurrency.reset();
        plan.workload.requests_per_second = given.requests_per_second;
        const ServerPace found = paceOf(plan);
        QVERIFY(std::abs(found.concurrency - 32.0) < 0.01);
        QVERIFY(!found.overloaded);
        plan.workload.requests_per_second = 1e4;
        QVERIFY(paceOf(plan).overloaded);
    }

    // A file from before there were lengths: tokens are decoded at the full sequence length, without prompts.
    void aPlanWithoutLengths()
    {
        Plan plan = served("llama-3-8b", "h100-sxm-80", 1, Precision::Bf16);
        plan.workload.input_tokens.reset();
        plan.workload.output_tokens.reset();
        const ServerPace pace = paceOf(plan);
        QCOMPARE(pace.lengths, (ServedLengths{4096.0, 0.0}));
        QVERIFY(!pace.requests_per_second);
        QCOMPARE(pace.pace.parts.prompts, Seconds(0.0));
        plan.workload.output_tokens = 96;
        QCOMPARE(paceOf(plan).lengths, (ServedLengths{4000.0, 96.0}));
    }

    // Attention data parallelism: all ranks' tokens reach the experts, and the concurrency counts all ranks.
    void attentionDataParallelism()
    {
        Plan plan = served("deepseek-v3", "b200-sxm", 1, Precision::Fp8);
        plan.cluster.cards_per_node = plan.parallelism.data.emplace(8);
        plan.parallelism.expert = 8;
        plan.workload.global_batch_size = 8;
        plan.workload.concurrency = 64;
        const ServerPace pace = paceOf(plan);
        QCOMPARE(pace.concurrency, 64.0);
        QVERIFY(pace.pace.parts.all_reduce > Seconds(0.0));
        QVERIFY(std::abs(8.0 * pace.output_tokens_per_second_per_card / pace.output_tokens_per_second - 1.0) < 1e-12);
    }

    void shortTimesInMilliseconds()
    {
        QCOMPARE(shortTime(Seconds(0.0082)), "8.2 ms");
        QCOMPARE(shortTime(Seconds(0.0421)), "42.1 ms");
        QCOMPARE(shortTime(Seconds(0.3341)), "334 ms");
        QCOMPARE(shortTime(Seconds(1.254)), "1.25 s");
    }
};

CARDFIT_TEST(TestServing)

} // namespace cardfit::tst_serving
#include "tst_serving.moc"
