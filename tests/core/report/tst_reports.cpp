// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <limits>
#include <memory>

#include "core/files/json_reader.h"
#include "core/pipeline/simulation/simulator.h"
#include "core/report/json_text.h"
#include "core/report/planning_document.h"
#include "core/report/reports.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_reports {

StageMemory stage(std::int64_t index, std::int64_t capacity)
{
    StageMemory made;
    made.stage = index;
    made.chunks = {{20 * index, 20 * (index + 1)}};
    made.cards = 4;
    made.peak_chunks = 2 - index;
    made.in_flight = static_cast<double>(made.peak_chunks);
    made.capacity = Bytes(capacity);
    const auto add = [&](Segment segment, std::string_view id, std::int64_t bytes) {
        made.terms.push_back({segment, id, "", 1, Bytes(bytes), {}});
        made.bytes[static_cast<std::size_t>(segment)] += Bytes(bytes);
    };
    add(Segment::Weights, "attention.qkv", 6'000'000'000);
    add(Segment::Weights, "mlp.up", 4'000'000'000);
    add(Segment::Gradients, "attention.qkv", 20'000'000'000);
    add(Segment::Optimizer, "adam", 30'000'000'000);
    add(Segment::Activations, "mlp.input", 20'000'000'000 - index * 10'000'000'000);
    add(Segment::Temporary, "logits", 5'000'000'000);
    add(Segment::Communication, "nccl", 1'000'000'000);
    add(Segment::DeviceContext, "context", 1'500'000'000);
    add(Segment::Reserve, "reserve", 5'000'000'000);
    made.peak_time = 0.25;
    return made;
}

/// Two stages; the first holds 92.5 GB, the second 82.5 GB.
Estimate twoStages(std::int64_t capacity = 85'899'345'920)
{
    Estimate made;
    made.plan = "Two stages";
    made.parameters = {13'015'864'320, 13'015'864'320};
    made.stages = {stage(0, capacity), stage(1, capacity)};
    made.timeline = std::make_shared<const Timeline>();
    made.pipeline = {8, 0.125, 0.142857};
    made.step.seconds = Seconds(3.5);
    made.step.parts.compute = Seconds(3.0);
    made.step.parts.bubble = Seconds(0.5);
    made.step.tokens_per_second = 10000.0;
    made.step.tokens_per_second_per_card = 1250.0;
    made.step.model_tflops_per_card = Teraflops(140.4);
    made.step.mfu = 0.45;
    made.step.hfu = 0.5;
    made.checks = {{"TP-HEADS", Severity::Error, Sentence::tr("40 heads do not divide into 3"), "/parallelism/tensor",
                       {2, 4}, false},
        {"SEQ-PAR", Severity::Warning, Sentence::tr("sequence parallelism needs tensor parallelism"), "", {}, false}};
    return made;
}

/// Work that makes round rates at 1,250 tokens per second and card; the other conventions do not define any.
TokenWorks works()
{
    TokenWorks made;
    made[0] = {Flops(80e9), Flops(100e9)};
    made[2].model = Flops(88e9);
    made[4].executed = Flops(120e9);
    return made;
}

Estimate incomplete()
{
    Estimate made;
    made.plan = "Broken";
    made.checks = {
        {"PP-LAYERS", Severity::Error, Sentence::tr("40 layers on 7 stages"), "/parallelism/pipeline", {5, 8}, true}};
    return made;
}

QJsonObject json(const std::string& text)
{
    QJsonParseError error;
    const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(text), &error);
    if (error.error != QJsonParseError::NoError) qWarning("%s", qPrintable(error.errorString()));
    return document.object();
}

QByteArray golden(const std::string& text) { return QByteArray::fromStdString(text); }

Estimate keepingRules(Estimate estimate)
{
    estimate.checks.clear();
    return estimate;
}

class TestReports : public QObject {
    Q_OBJECT

private slots:
    /// A budget of 1.48e13 tokens was "1.48e+04 billion tokens".
    void numbersHaveNoPowersOfTen()
    {
        QCOMPARE(inDigits(14800.0, 4), std::string("14800"));
        QCOMPARE(inDigits(3444.4, 3), std::string("3444"));
        QCOMPARE(inDigits(0.1066, 3), std::string("0.107"));
        RunCost run;
        run.tokens = 1.48e13;
        QVERIFY(runText(run).starts_with("14800 billion tokens"));
    }

    void formatBytes_data()
    {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<bool>("gib");
        QTest::addColumn<int>("decimals");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("article") << qint64{67'108'864'000} << false << 2 << QByteArray("67.11 GB");
        QTest::newRow("the same in GiB") << qint64{67'108'864'000} << true << 2 << QByteArray("62.50 GiB");
        QTest::newRow("nothing") << qint64{0} << false << 1 << QByteArray("0.0 GB");
        QTest::newRow("less than nothing") << qint64{-6'600'000'000} << false << 2 << QByteArray("-6.60 GB");
        QTest::newRow("no decimals") << qint64{85'899'345'920} << true << 0 << QByteArray("80 GiB");
    }
    void formatBytes()
    {
        QFETCH(qint64, bytes);
        QFETCH(bool, gib);
        QFETCH(int, decimals);
        const auto text = cardfit::formatBytes(Bytes(bytes), gib ? ByteUnit::GiB : ByteUnit::GB, decimals);
        QTEST(golden(text), "text");
    }

    // ---- Verdict

    void verdicts_data()
    {
        QTest::addColumn<qint64>("capacity");
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("over") << qint64{85'899'345'920}
                              << QByteArray("OVER stage 0: 92.50 of 85.90 GB (6.60 GB too much)");
        // Of the reserve of 5 GB count 3 % of the 85 GB that are allocated, 2.55: 90.05 GB are needed.
        QTest::newRow("a byte over") << qint64{90'049'999'999}
                                     << QByteArray("OVER stage 0: 92.50 of 90.05 GB (2.45 GB too much)");
        QTest::newRow("without the reserve that does not count") << qint64{
            90'050'000'000} << QByteArray("TIGHT stage 0: 92.50 of 90.05 GB (2.45 GB too much, but not for certain)");
        QTest::newRow("exactly full") << qint64{92'500'000'000}
                                      << QByteArray("TIGHT stage 0: 92.50 of 92.50 GB (0.00 GB free)");
        QTest::newRow("needs less than 95 %")
            << qint64{100'000'000'000} << QByteArray("FITS stage 0: 92.50 of 100.00 GB (7.50 GB free)");
        QTest::newRow("a fifth free") << qint64{115'625'000'000}
                                      << QByteArray("FITS stage 0: 92.50 of 115.62 GB (23.12 GB free)");
    }
    void verdicts()
    {
        QFETCH(qint64, capacity);
        QTEST(golden(verdictLine(keepingRules(twoStages(capacity)))), "line");
    }

    void aPlanThatBreaksARuleDoesNotFit()
    {
        QCOMPARE(golden(verdictLine(twoStages(115'625'000'000))),
            QByteArray("INVALID, breaks TP-HEADS; stage 0: 92.50 of 115.62 GB"));
    }

    void theVerdictFollowsTheUnit()
    {
        QCOMPARE(golden(verdictLine(keepingRules(twoStages()), ByteUnit::GiB)),
            QByteArray("OVER stage 0: 86.15 of 80.00 GiB (6.15 GiB too much)"));
    }

    void aBrokenPlanHasNoVerdict()
    {
        QCOMPARE(golden(verdictLine(incomplete())), QByteArray("NO ESTIMATE: a broken rule prevents it"));
    }

    // ---- Text

    void textReport()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.model.name = "Llama 13B";
        Estimate result = twoStages();
        result.step.utilization = utilizations(works(), {{"bf16", Teraflops(312)}}, 1250.0);
        result.step.run = RunCost{2e12, 476837.2, 2314.8, 444444.4, 795555.6, std::nullopt};
        QCOMPARE(golden(cardfit::textReport(plan, result)), QByteArray(R"(Llama 13B, 8 x A100
INVALID, breaks TP-HEADS; stage 0: 92.50 of 85.90 GB

Model       Llama 13B, 13.02 billion parameters
Cards       8 x NVIDIA A100 SXM 80 GB, 1 node of 8, each 81920 MiB, all counted as usable (the card does not say)
Parallel    tensor 1, pipeline 4, context 1, data 2
Batch       1024 sequences of 4096 tokens per step, in 512 micro-batches of 1 on each replica
Recipe      megatron, bf16, adam, sharding zero1, recompute none
Checks
  error   TP-HEADS: 40 heads do not divide into 3 (would do: 2, 4)
  warning SEQ-PAR: sequence parallelism needs tensor parallelism

Memory per card at each stage's peak, GB (10^9 bytes)
stage  layers  cards  in flight  weights  gradients  optimizer  activations  temporary  communication  context  reserve  allocated  reserved  device  capacity   free
    0    0-19      4          2    10.00      20.00      30.00        20.00       5.00           1.00     1.50     5.00      85.00     90.00   92.50     85.90  -6.60
    1   20-39      4          1    10.00      20.00      30.00        10.00       5.00           1.00     1.50     5.00      75.00     80.00   82.50     85.90   3.40

Pipeline    1f1b, 8 micro-batches, bubble 12.5 % of the step's time (14.3 % on top of the work)
Step        3.500 s = compute 3.000 (85.7 %) + bubble 0.500 (14.3 %)
Throughput  10000 tokens/s, 1250.0 tokens/s per card, 0.864 billion tokens a day
Utilization MFU 45.0 %, HFU 50.0 %, 140.4 TFLOP/s per card
Whole run   2000 billion tokens in 2314.8 days: 476837 steps, 444444 card-hours, 795556 USD, energy unknown (the power of the card is not given)

Utilization of each card by what publications count as work (peaks dense, in TFLOP/s)
 work counted by      peak  model TFLOP/s     MFU  hardware TFLOP/s     HFU
Causal attention  bf16 312          100.0  32.1 %             125.0  40.1 %
            PaLM  bf16 312          110.0  35.3 %                 -       -
  Narayanan 2021  bf16 312              -       -             150.0  48.1 %
)"));
    }

    void theErrorStandsBelowTheStep()
    {
        Estimate estimate = twoStages();
        estimate.step.band = {-0.08, 0.12, 36, "dense Hopper fp8"};
        Plan plan = samples::llama13BOnEightCards();
        const QByteArray expected =
            "\nError       step 3.5 s, -8 % to +12 % on 36 measured runs of dense Hopper fp8\nThroughput";
        QVERIFY(golden(cardfit::textReport(plan, estimate)).contains(expected));
        const QJsonObject band = json(estimateJson(estimate))["step"].toObject()["band"].toObject();
        QCOMPARE(band, (QJsonObject{{"below", -0.08}, {"above", 0.12}, {"cases", 36}, {"of", "dense Hopper fp8"}}));
        QVERIFY(json(estimateJson(twoStages()))["step"].toObject()["band"].isNull());

        plan.calibration = Calibration{};
        plan.calibration->measured.step = Seconds(3.5);
        plan.calibration->measured.source = "run 17";
        plan.calibration->compute_factor = 1.25;
        plan.calibration->residual = Bytes(-1'500'000'000);
        QVERIFY(
            golden(cardfit::textReport(plan, estimate))
                .contains("\nCalibrated  computation takes 1.250 times the predicted time, -1.50 GB allocated on every "
                          "card (a step of 3.5 s measured; run 17)\n"));
    }

    void aBrokenPlansReportEndsWithItsChecks()
    {
        const std::string text = cardfit::textReport(samples::llama13BOnEightCards(), incomplete());
        QVERIFY(text.ends_with("Checks\n  error   PP-LAYERS: 40 layers on 7 stages (would do: 5, 8)\n"));
        QVERIFY(text.find("stage 0") == std::string::npos);
    }

    void memoryCsv()
    {
        QCOMPARE(golden(cardfit::memoryCsv(twoStages())),
            QByteArray(
                R"(stage,layers_first,layers_end,cards,in_flight,weights_bytes,gradients_bytes,optimizer_bytes,activations_bytes,temporary_bytes,communication_bytes,device_context_bytes,reserve_bytes,allocated_bytes,reserved_bytes,device_bytes,capacity_bytes
0,0,20,4,2,10000000000,20000000000,30000000000,20000000000,5000000000,1000000000,1500000000,5000000000,85000000000,90000000000,92500000000,85899345920
1,20,40,4,1,10000000000,20000000000,30000000000,10000000000,5000000000,1000000000,1500000000,5000000000,75000000000,80000000000,82500000000,85899345920
)"));
    }

    void memoryMarkdown()
    {
        QCOMPARE(golden(cardfit::memoryMarkdown(twoStages(), ByteUnit::GiB)),
            QByteArray(
                R"(| stage | layers | cards | in flight | weights (GiB) | gradients (GiB) | optimizer (GiB) | activations (GiB) | temporary (GiB) | communication (GiB) | context (GiB) | reserve (GiB) | allocated (GiB) | reserved (GiB) | device (GiB) | capacity (GiB) | free (GiB) |
|  ---: |   ---: |  ---: |      ---: |          ---: |            ---: |            ---: |              ---: |            ---: |                ---: |          ---: |          ---: |            ---: |           ---: |         ---: |           ---: |       ---: |
|     0 |   0-19 |     4 |         2 |          9.31 |           18.63 |           27.94 |             18.63 |            4.66 |                0.93 |          1.40 |          4.66 |           79.16 |          83.82 |        86.15 |          80.00 |      -6.15 |
|     1 |  20-39 |     4 |         1 |          9.31 |           18.63 |           27.94 |              9.31 |            4.66 |                0.93 |          1.40 |          4.66 |           69.85 |          74.51 |        76.83 |          80.00 |       3.17 |
)"));
    }

    void whatAnImportAssumedIsInEveryReport()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.assumed = {"cards 1 x 8: not in <the> file"};
        const Estimate result = estimate(plan);
        QVERIFY(golden(cardfit::textReport(plan, result)).contains("\nAssumed\n  cards 1 x 8: not in <the> file\n"));
        const std::string report = documentMarkdown(planningDocument({plan, result}));
        QVERIFY(report.find("### What the import assumed\n\n* cards 1 x 8: ") != std::string::npos);
        QCOMPARE(json(estimateJson(result))["assumed"].toArray(), QJsonArray{"cards 1 x 8: not in <the> file"});
    }

    // ---- Estimate as JSON

    void estimateJsonHasTheContractsKeys()
    {
        const auto keys = [](const QJsonObject& object) { return object.keys().join(u' '); };
        const QJsonObject root = json(estimateJson(twoStages()));
        QCOMPARE(keys(root),
            QStringLiteral(
                "assumed checks fits format hosts parameters pipeline placement plan stages step verdict version"));
        QCOMPARE(root["format"].toString(), QStringLiteral("cardfit/estimate"));
        QCOMPARE(root["version"].toInt(), 1);
        QCOMPARE(root["plan"].toString(), QStringLiteral("Two stages"));
        QCOMPARE(root["fits"].toBool(true), false);
        QCOMPARE(root["parameters"].toObject()["total"].toInteger(), 13'015'864'320);

        const QJsonObject check = root["checks"].toArray()[0].toObject();
        QCOMPARE(keys(check), QStringLiteral("field id message severity valid"));
        QCOMPARE(check["severity"].toString(), QStringLiteral("error"));
        QCOMPARE(check["valid"].toArray(), (QJsonArray{2, 4}));
        QVERIFY(root["checks"].toArray()[1].toObject()["field"].isNull());

        const QJsonObject second = root["stages"].toArray()[1].toObject();
        QCOMPARE(keys(second),
            QStringLiteral("allocated_bytes bytes capacity_bytes cards chunks device_bytes device_range_bytes "
                           "first_step_allocated_bytes in_flight in_flight_chunks layers peak_event peak_seconds "
                           "reserved_bytes stage terms"));
        QCOMPARE(second["layers"].toArray(), (QJsonArray{20, 40}));
        QCOMPARE(second["in_flight"].toInteger(), 1);
        QCOMPARE(second["in_flight_chunks"].toInteger(), 1);
        QCOMPARE(second["peak_seconds"].toDouble(), 0.25);
        QCOMPARE(keys(second["bytes"].toObject()),
            QStringLiteral("activations communication device_context gradients optimizer reserve temporary weights"));
        QCOMPARE(second["device_bytes"].toInteger(), 82'500'000'000);
        const QJsonObject term = second["terms"].toArray()[1].toObject();
        QCOMPARE(term,
            (QJsonObject{{"segment", "weights"}, {"id", "mlp.up"}, {"bytes", qint64{4'000'000'000}}, {"count", 1},
                {"formula", ""}}));
        QCOMPARE(second["device_range_bytes"].toArray(), (QJsonArray{qint64{82'500'000'000}, qint64{82'500'000'000}}));

        QCOMPARE(keys(root["pipeline"].toObject()),
            QStringLiteral("bubble_fraction bubble_over_ideal micro_batches schedule"));
        const QJsonObject step = root["step"].toObject();
        QCOMPARE(keys(step),
            QStringLiteral("band band_seconds hfu mfu model_tflops_per_card parts_seconds run seconds tokens_per_day "
                           "tokens_per_second "
                           "tokens_per_second_per_card utilization"));
        QCOMPARE(keys(step["parts_seconds"].toObject()),
            QStringLiteral("bubble compute context data expert optimizer pipeline tensor"));
    }

    void theStepStatesUtilizationAndRun()
    {
        Estimate result = twoStages();
        QJsonObject step = json(estimateJson(result))["step"].toObject();
        QVERIFY(step["run"].isNull() && step["utilization"].toArray().isEmpty());
        QCOMPARE(step["tokens_per_day"].toDouble(), 864e6);
        result.step.utilization = utilizations(works(), {{"bf16", Teraflops(312)}}, 1250.0);
        result.step.run = RunCost{2e12, 476837.0, 2314.5, 444444.0, std::nullopt, 1000.5};
        step = json(estimateJson(result))["step"].toObject();
        QCOMPARE(step["run"].toObject(),
            (QJsonObject{{"tokens", 2e12}, {"steps", 476837}, {"days", 2314.5}, {"card_hours", 444444},
                {"cost_usd", QJsonValue::Null}, {"energy_kwh", 1000.5}}));
        QCOMPARE(step["utilization"].toArray().size(), qsizetype{5});
        QCOMPARE(step["utilization"].toArray()[4].toObject(),
            (QJsonObject{{"definition", "narayanan"}, {"model_tflops_per_card", QJsonValue::Null},
                {"hardware_tflops_per_card", 150}, {"mfu", QJsonValue::Null}, {"hfu", 150.0 / 312.0}, {"peak", "bf16"},
                {"peak_tflops", 312}}));
    }

    void doubtfulTermsHaveABand()
    {
        const Estimate result = estimate(samples::llama13BOnEightCards());
        const QJsonObject root = json(estimateJson(result));
        QCOMPARE(root["parameters"].toObject()["trainable"].toInteger(), result.parameters.trainable);
        const QJsonObject stage = root["stages"].toArray()[0].toObject();
        qint64 low = stage["device_bytes"].toInteger();
        qint64 high = low;
        for (const auto& value : stage["terms"].toArray()) {
            const QJsonObject term = value.toObject();
            QVERIFY(!term["formula"].toString().isEmpty());
            QVERIFY(term["count"].toInteger() >= 1);
            low -= term["below_bytes"].toInteger();
            high += term["above_bytes"].toInteger();
        }
        QVERIFY(low < high);
        QCOMPARE(stage["device_range_bytes"].toArray(), (QJsonArray{low, high}));
        QVERIFY(stage["first_step_allocated_bytes"].toInteger() < stage["allocated_bytes"].toInteger());
        QCOMPARE(stage["peak_event"].toString(),
            QString::fromUtf8(
                result.stages[0].peak_event.data(), static_cast<int>(result.stages[0].peak_event.size())));
    }

    void theReportSaysHowSureItIs()
    {
        const Plan plan = samples::llama13BOnEightCards();
        const Estimate result = estimate(plan);
        const StageMemory& worst = result.stages[result.worstStage()];
        const double low = static_cast<double>((worst.device() - worst.band().below).value()) / 1e9;
        const auto text = QString::fromStdString(cardfit::textReport(plan, result));
        QVERIFY(text.contains(QString("takes between %1 and ").arg(low, 0, 'f', 2)));
        QVERIFY(!QString::fromStdString(cardfit::textReport(plan, twoStages())).contains("Range"));
    }

    void theTotalsAreTheSumsOfTheTerms()
    {
        for (const auto& value : json(estimateJson(twoStages()))["stages"].toArray()) {
            const QJsonObject object = value.toObject();
            qint64 terms = 0;
            qint64 segments = 0;
            for (const auto& term : object["terms"].toArray())
                terms += term.toObject()["bytes"].toInteger();
            for (const auto& bytes : object["bytes"].toObject())
                segments += bytes.toInteger();
            QCOMPARE(terms, object["device_bytes"].toInteger());
            QCOMPARE(segments, object["device_bytes"].toInteger());
        }
    }

    void keysStandInTheContractsOrder()
    {
        const std::string text = estimateJson(twoStages());
        std::size_t last = 0;
        for (const auto* key :
            {"format", "version", "plan", "fits", "checks", "assumed", "parameters", "stages", "layers", "in_flight",
                "capacity_bytes", "bytes", "weights", "reserve", "allocated_bytes", "reserved_bytes", "device_bytes",
                "pipeline", "micro_batches", "step", "seconds", "parts_seconds", "compute"}) {
            const std::size_t at = text.find("\"" + std::string(key) + "\":", last);
            QVERIFY2(at != std::string::npos, key);
            last = at;
        }
    }

    void severalChunksAreListed()
    {
        Estimate estimate = twoStages();
        estimate.stages.front().chunks = {{0, 10}, {20, 30}};
        estimate.stages.front().in_flight = 2.5;
        const QJsonObject first = json(estimateJson(estimate))["stages"].toArray()[0].toObject();
        QCOMPARE(first["layers"].toArray(), (QJsonArray{0, 30}));
        QCOMPARE(first["chunks"].toArray(), (QJsonArray{QJsonArray{0, 10}, QJsonArray{20, 30}}));
        QCOMPARE(first["in_flight"].toDouble(), 2.5);
    }

    void wholeNumbersStayWhole()
    {
        const std::string text = estimateJson(twoStages(), true);
        QVERIFY(text.find("\"in_flight\":2,") != std::string::npos);
        QVERIFY(text.find("\"seconds\":3.5,") != std::string::npos);
        QVERIFY(text.find('\n') == std::string::npos);
    }

    void theTextIsWhatTheJsonLibraryWrites()
    {
        Estimate odd = twoStages();
        odd.plan = "tab\t, quote\", backslash\\, \xc3\xa4 and no UTF-8: \xff";
        odd.step.seconds = Seconds(1e22);
        odd.stages.front().peak_time = 1e-7;
        odd.step.mfu = std::numeric_limits<double>::quiet_NaN();
        for (const Estimate& estimate : {twoStages(), incomplete(), odd}) {
            const auto text = estimateJson(estimate);
            const auto parsed = parseJson(text);
            QVERIFY(parsed.has_value());
            QCOMPARE(text, indentedJson(*parsed));
            QCOMPARE(estimateJson(estimate, true), compactJson(*parsed));
        }
    }

    void singleFieldsAreThoseOfTheWhole()
    {
        const Estimate estimate = twoStages();
        const std::vector<std::string> fields{
            "worst.device_bytes", "step.seconds", "stages.1.bytes.weights", "server.cards"};
        const QJsonObject all = json(estimateJson(estimate));
        const QJsonObject some = json(estimateFieldsJson(estimate, fields));
        QCOMPARE(some.keys().size(), 4);
        QCOMPARE(some["step.seconds"], all["step"].toObject()["seconds"]);
        const QJsonArray stages = all["stages"].toArray();
        QCOMPARE(some["worst.device_bytes"],
            stages[static_cast<qsizetype>(estimate.worstStage())].toObject()["device_bytes"]);
        QCOMPARE(some["stages.1.bytes.weights"], stages[1].toObject()["bytes"].toObject()["weights"]);
        QVERIFY(some["server.cards"].isNull());
        QVERIFY(json(estimateFieldsJson(incomplete(), fields))["step.seconds"].isNull());
        for (const std::string& field : fields)
            QVERIFY2(isEstimateField(field), field.c_str());
        QVERIFY(isEstimateField("stages.17.terms.3.above_bytes"));
        for (const auto* none : {"", "step", "step.second", "stages.device_bytes", "worst.", "stages.0"})
            QVERIFY2(!isEstimateField(none), none);
    }

    void aBrokenPlansEstimateIsEmpty()
    {
        const QJsonObject root = json(estimateJson(incomplete()));
        QCOMPARE(root["fits"].toBool(true), false);
        QVERIFY(root["stages"].isArray() && root["stages"].toArray().isEmpty());
        QVERIFY(root["pipeline"].isNull());
        QVERIFY(root["step"].isNull());
        QCOMPARE(root["checks"].toArray().size(), 1);
    }

    void checksJson()
    {
        const QJsonObject root = json(cardfit::checksJson(twoStages().checks));
        QCOMPARE(root["checks"].toArray()[1].toObject()["id"].toString(), QStringLiteral("SEQ-PAR"));
    }

    void errorJson()
    {
        const Error error{ErrorCode::WrongType, "a.json", Sentence::verbatim("/model"),
            Sentence::verbatim("expected an object, found \"x\"\n")};
        const std::string text = cardfit::errorJson(error);
        QVERIFY(text.find('\n') == std::string::npos);
        const QJsonObject object = json(text)["error"].toObject();
        QCOMPARE(object["code"].toString(), QStringLiteral("wrong-type"));
        QCOMPARE(object["file"].toString(), QStringLiteral("a.json"));
        QCOMPARE(object["where"].toString(), QStringLiteral("/model"));
        QCOMPARE(object["message"].toString(), QStringLiteral("expected an object, found \"x\"\n"));
    }

    // ---- Schedules as JSON

    void scheduleJson()
    {
        const ScheduleRequest request{Schedule::OneFOneB, 4, 8, 1, std::nullopt};
        const std::vector durations(4, std::vector<Durations>(1));
        const auto timeline = simulate(programs(request), placementOf(request.schedule), durations);
        QVERIFY(timeline.has_value());
        const QJsonObject root = json(cardfit::scheduleJson(request, *timeline));
        QCOMPARE(root.keys().join(u' '),
            QStringLiteral("bubble_fraction bubble_over_ideal chunks makespan microbatches rank_span ranks refused_by "
                           "schedule stages"));
        QCOMPARE(root["schedule"].toString(), QStringLiteral("1f1b"));
        QCOMPARE(root["makespan"].toDouble(), 33.0);
        QVERIFY(qAbs(root["bubble_fraction"].toDouble() - 3.0 / 11.0) < 1e-12);
        QVERIFY(qAbs(root["bubble_over_ideal"].toDouble() - 3.0 / 8.0) < 1e-12);

        const QJsonObject rank = root["ranks"].toArray()[1].toObject();
        QCOMPARE(rank["peak_in_flight"].toInt(), 3);
        QCOMPARE(rank["busy"].toDouble(), 24.0);
        QCOMPARE(rank["idle"].toDouble(), 9.0);
        QCOMPARE(rank["idle_by_cause"].toObject(),
            (QJsonObject{{"fill", 1.0}, {"activations", 0.0}, {"gradient", 6.0}, {"transfer", 0.0}, {"drain", 2.0}}));
        // The path leads down with micro-batch 0, stays on the last rank, and comes back up.
        const QJsonArray operations = rank["operations"].toArray();
        QCOMPARE(operations[0].toObject(),
            (QJsonObject{
                {"kind", "F"}, {"microbatch", 0}, {"chunk", 0}, {"start", 1.0}, {"end", 2.0}, {"critical", true}}));
        QCOMPARE(operations[1].toObject(),
            (QJsonObject{{"kind", "F"}, {"microbatch", 1}, {"chunk", 0}, {"start", 2.0}, {"end", 3.0}}));
        QCOMPARE(root["rank_span"].toDouble(), 33.0);
    }

    void operationKindsHaveShortNames()
    {
        Timeline timeline;
        timeline.makespan = 6.0;
        timeline.ranks.resize(1);
        for (const auto kind : {OperationKind::Forward, OperationKind::Backward, OperationKind::BackwardInput,
                 OperationKind::BackwardWeight, OperationKind::Overlapped, OperationKind::Update}) {
            const auto start = static_cast<double>(timeline.ranks[0].size());
            timeline.ranks[0].push_back({{kind, 1, 2}, start, start + 1.0});
        }
        const ScheduleRequest request{Schedule::ZbV, 1, 1, 2, std::nullopt};
        const QJsonArray operations =
            json(cardfit::scheduleJson(request, timeline))["ranks"].toArray()[0].toObject()["operations"].toArray();
        QStringList kinds;
        for (const auto& operation : operations)
            kinds << operation.toObject()["kind"].toString();
        QCOMPARE(kinds.join(u' '), QStringLiteral("F B I W FB U"));
    }
};

CARDFIT_TEST(TestReports)

} // namespace cardfit::tst_reports
#include "tst_reports.moc"
