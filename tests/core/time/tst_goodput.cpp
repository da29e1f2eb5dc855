// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints and failures against published figures.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <array>
#include <cmath>
#include <filesystem>

#include "core/files/presets.h"
#include "core/report/goodput_text.h"
#include "core/report/json_text.h"
#include "core/report/search_text.h"
#include "core/time/goodput.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_goodput {

bool isNear(double value, double expected, double tolerance)
{
    return std::abs(value - expected) <= tolerance * std::abs(expected);
}

class TestGoodput : public QObject {
    Q_OBJECT

private slots:
    /// BLOOM-176B, bf16 with fp32 Adam: 2.3 TB a checkpoint, counted in units of 2^30 bytes
    /// (bigscience/tr11-176B-logs).
    void checkpointOfBloom()
    {
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        const Presets presets = loadPresets(directories);
        Plan plan = *presets.plan("gpt-3-175b-1024-a100");
        plan.model = *presets.model("bloom-176b");
        const double gib = static_cast<double>(checkpointBytes(plan).value()) / 0x1p30;
        QVERIFY2(isNear(gib, 2300.0, 0.01), QByteArray::number(gib).constData());
        // However it is divided.
        const Bytes whole = checkpointBytes(plan);
        plan.parallelism.tensor = 1;
        plan.parallelism.pipeline = 1;
        plan.recipe.sharding = Sharding::Zero3;
        QCOMPARE(checkpointBytes(plan).value(), whole.value());
        plan.workload.task = Task::Inference;
        QCOMPARE(checkpointBytes(plan).value(), std::int64_t(0));
    }

    /// Adapters: weights in 2 bytes, an fp32 copy and Adam's moments. Paged moments are written like any other,
    /// wherever they are meanwhile.
    void checkpointsOfOtherOptimizers()
    {
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        const Presets presets = loadPresets(directories);
        Plan plan = *presets.plan("gpt-3-175b-1024-a100");
        const auto with = [&](Optimizer optimizer) {
            plan.recipe.optimizer = optimizer;
            return checkpointBytes(plan).value();
        };
        QCOMPARE(with(Optimizer::PagedAdam), with(Optimizer::Adam));
        QCOMPARE(with(Optimizer::PagedAdam8Bit), with(Optimizer::Adam8Bit));
        QVERIFY(with(Optimizer::Adam8Bit) < with(Optimizer::Adam));
        plan.workload.task = Task::Lora;
        plan.recipe.adapter = Adapter{};
        const std::int64_t adam = with(Optimizer::Adam);
        QCOMPARE(with(Optimizer::PagedAdam), adam);
        QCOMPARE(with(Optimizer::Sgd) * 14, adam * 6);
        QCOMPARE(with(Optimizer::PagedAdam8Bit), with(Optimizer::Adam8Bit));
    }

    /// 419 stops in 54 days on 16,384 cards: one in about three hours (arXiv:2407.21783, section 3.3.4).
    void stopsOfLlama3()
    {
        QVERIFY(isNear(timeBetweenStops(kLlama3StopsPerCardHour, 16384).value() / 3600.0, 54.0 * 24.0 / 419.0, 1e-12));
        QVERIFY(isNear(1.0 / kLlama3StopsPerCardHour, 50677.0, 1e-4));
    }

    /// Daly 2006: the first-order interval is too long by about w, and at w >= 2M one trains for a mean time.
    void intervals()
    {
        const Seconds write(300.0), between(6.0 * 3600.0);
        QCOMPARE(youngInterval(write, between).value(), std::sqrt(2.0 * 300.0 * 21600.0));
        QVERIFY(dalyInterval(write, between) < youngInterval(write, between));
        QCOMPARE(dalyInterval(Seconds(50000.0), Seconds(20000.0)).value(), 20000.0);
    }

    /// Daly's interval is within a thousandth of the best one that trainingShare() knows, Young's too long.
    void dalyIsTheBestInterval()
    {
        for (const double write : {5.0, 60.0, 600.0, 3000.0}) {
            const Seconds w(write), between(10000.0), restart(300.0);
            double best = 0.0;
            for (double interval = 10.0; interval < 40000.0; interval *= 1.01)
                best = std::max(best, trainingShare(Seconds(interval), w, restart, between));
            const double daly = trainingShare(dalyInterval(w, between), w, restart, between);
            QVERIFY(daly <= best * (1.0 + 1e-4));
            QVERIFY2(daly > best * (1.0 - 1e-3), QByteArray::number(write).constData());
            QVERIFY(daly >= trainingShare(youngInterval(w, between), w, restart, between));
        }
    }

    void slowestWriteIsWhereTheAnswerChanges()
    {
        const Seconds restart(600.0), between(3.0 * 3600.0);
        for (const double share : {0.7, 0.8, 0.9}) {
            const auto write = slowestWrite(share, restart, between);
            QVERIFY(write.has_value());
            QVERIFY(isNear(trainingShare(dalyInterval(*write, between), *write, restart, between), share, 1e-6));
        }
        // Restarts alone take more.
        QVERIFY(!slowestWrite(0.99, restart, between));
    }

    /// Without spares every stop waits for the repair, with many for none, and more never hurt.
    void sparesSaveTheWait()
    {
        Reliability known;
        known.restart = Seconds(600.0);
        known.repair_hours = 10.0;
        const Seconds between(5.0 * 3600.0);
        QCOMPARE(meanRestart(known, between).value(), 600.0 + 36000.0);
        double before = meanRestart(known, between).value();
        for (known.spares = 1; known.spares < 20; ++known.spares) {
            const double now = meanRestart(known, between).value();
            QVERIFY(now < before);
            before = now;
        }
        QVERIFY(before - 600.0 < 1.0);
        known.repair_hours.reset();
        QCOMPARE(meanRestart(known, between).value(), 600.0);
    }

    void whatIsUnknownIsNotGuessed()
    {
        const Plan plan = samples::llama13BOnEightCards();
        QVERIFY(!goodput(plan, {}));
        const std::string text = goodputText(plan, estimate(plan));
        for (const char* part : {"A checkpoint holds", "419 stops in 54 days",
                 "Not given: write bandwidth, time of a restart", "99 % if a checkpoint is written within"})
            QVERIFY2(text.find(part) != std::string::npos, (std::string(part) + "\n" + text).c_str());
        Reliability known;
        known.write_bandwidth = 10e9;
        known.restart = Seconds(600.0);
        known.stops_per_card_hour = kLlama3StopsPerCardHour;
        const auto made = goodput(plan, known);
        QVERIFY(made && made->share > 0.9 && made->share < 1.0);
        const std::string answered = goodputText(plan, estimate(plan), known);
        QVERIFY(answered.find("Daly 2006") != std::string::npos && answered.find("Not given") == std::string::npos);
        // A checkpoint or a restart that takes longer than a stop is away is never done.
        Plan run = plan;
        run.workload.tokens = 1'000'000'000'000;
        known.stops_per_card_hour = 5.0;
        for (const auto& [bandwidth, restart] :
            {std::pair{1.0, 600.0}, std::pair{2.3e9, 1e5}, std::pair{2.3e9, 1e12}}) {
            known.write_bandwidth = bandwidth;
            known.restart = Seconds(restart);
            const std::string endless = goodputText(run, estimate(run), known);
            QVERIFY2(endless.find("never ends") != std::string::npos, endless.c_str());
            QVERIFY(endless.find("inf") == std::string::npos);
        }
    }

    /// At Llama 3's rate its own 54 days on 16,384 cards have the 419 stops that were counted.
    void stopsOfARunAreThoseThatWereCounted()
    {
        QVERIFY(isNear(expectedStops(kLlama3StopsPerCardHour, 54.0, 16384), 419.0, 1e-12));
        QVERIFY(isNear(expectedStops(kLlama3StopsPerCardHour, 54.0, 16384, 0.5), 838.0, 1e-12));
    }

    /// In JSON there is a "goodput" where options say something, and null for what they leave unknown.
    void jsonHasWhatIsKnown()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.workload.tokens = 1'000'000'000'000;
        const Estimate result = estimate(plan);
        const auto read = [](const std::string& text) {
            return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
        };
        Reliability known;
        QCOMPARE(estimateJson(plan, result, known), estimateJson(result));
        known.write_bandwidth = 10e9;
        known.stops_per_card_hour = kLlama3StopsPerCardHour;
        QJsonObject json = read(estimateJson(plan, result, known))["goodput"].toObject();
        const double days = result.step.run->days;
        QCOMPARE(json["checkpoint_bytes"].toDouble(), static_cast<double>(checkpointBytes(plan).value()));
        QCOMPARE(json["write_seconds"].toDouble(), static_cast<double>(checkpointBytes(plan).value()) / 10e9);
        QCOMPARE(json["expected_stops"].toDouble(), expectedStops(kLlama3StopsPerCardHour, days, 8));
        for (const char* unknown : {"restart_seconds", "interval_seconds", "training_share", "days"})
            QVERIFY2(json.contains(unknown) && json[unknown].isNull(), unknown);
        known.restart = Seconds(600.0);
        json = read(estimateJson(plan, result, known))["goodput"].toObject();
        const auto made = goodput(plan, known);
        QCOMPARE(json["training_share"].toDouble(), made->share);
        QCOMPARE(json["interval_seconds"].toDouble(), made->daly.value());
        QCOMPARE(json["days"].toDouble(), days / made->share);

        SearchRequest request;
        request.space.base = plan;
        request.space.put({AxisKind::MicroBatch, "/workload/micro_batch_size", {wholeValue(1), wholeValue(2)}});
        const SearchResult found = findPlans(request);
        QVERIFY(!found.top.empty());
        const auto row = [&](const Reliability& options) {
            return read(searchJson(request, found, options))["top"].toArray().first().toObject();
        };
        QVERIFY(!row({}).contains("goodput"));
        QCOMPARE(row(known)["goodput"].toObject()["training_share"].toDouble(),
            goodput(found.top.front().plan, known)->share);
    }
};

CARDFIT_TEST(TestGoodput)

} // namespace cardfit::tst_goodput
#include "tst_goodput.moc"
