// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <ctime>

#include "core/files/foreign_text.h"
#include "core/files/plan_file.h"
#include "core/launch/launch.h"
#include "core/pipeline/orders/schedules.h"
#include "core/pipeline/simulation/simulator.h"
#include "core/report/explanation_text.h"
#include "core/report/json_text.h"
#include "core/report/planning_document.h"
#include "core/traces/schedule_csv.h"
#include "core/traces/training_log.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_foreign_text {

/// Seconds of processor time, the least of three runs.
template <class Work> double timeOf(Work work)
{
    double least = 1e9;
    for (int i = 0; i < 3; ++i) {
        const std::clock_t start = std::clock();
        work();
        least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return least;
}

std::string planWithZeros(std::size_t count)
{
    std::string text = planText(samples::llama13BOnEightCards());
    std::string list = "  \"x\": [0";
    for (std::size_t i = 1; i < count; ++i)
        list += ",0";
    return text.insert(2, list + "],\n");
}

class TestForeignText : public QObject {
    Q_OBJECT

private slots:
    void controlCharactersAreShownAsEscapes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("plain") << QByteArray("Llama 3, 模型 🂡 é") << QByteArray("Llama 3, 模型 🂡 é");
        QTest::newRow("escape") << QByteArray("\x1b]0;x\x07") << QByteArray("\\u001b]0;x\\u0007");
        QTest::newRow("line break") << QByteArray("a\nb\tc\r") << QByteArray("a\\u000ab\\u0009c\\u000d");
        QTest::newRow("delete") << QByteArray("\x7f") << QByteArray("\\u007f");
        QTest::newRow("C1") << QByteArray("\xc2\x9b"
                                          "31m")
                            << QByteArray("\\u009b31m");
        QTest::newRow("direction") << QByteArray("\xe2\x80\xae") << QByteArray("\\u202e");
        QTest::newRow("no UTF-8") << QByteArray("a\xff\xc3") << QByteArray("a\\xff\\xc3");
        QTest::newRow("overlong") << QByteArray("\xc0\x9b\xe0\x82\x9b") << QByteArray("\\xc0\\x9b\\xe0\\x82\\x9b");
        QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << QByteArray("\\xed\\xa0\\x80");
        QTest::newRow("beyond Unicode") << QByteArray("\xf4\x90\x80\x80") << QByteArray("\\xf4\\x90\\x80\\x80");
    }
    void controlCharactersAreShownAsEscapes()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, shown);
        QCOMPARE(QByteArray::fromStdString(printable(text.toStdString())), shown);
        QCOMPARE(printable("a\nb\tc\x1b", LineBreaks::Kept), std::string("a\nb\tc\\u001b"));
    }

    void markdownHoldsNamesAsText()
    {
        QCOMPARE(markdownText("a|b\n# Heading ![x](http://evil/x.png) <script> `c` *d* _e_ f_g"),
            std::string(
                "a\\|b\\\\u000a\\# Heading \\!\\[x\\](http\\://evil/x.png) \\<script\\> \\`c\\` \\*d\\* \\_e\\_ "
                "f_g"));
        Plan plan = samples::llama13BOnEightCards();
        plan.name = plan.model.name = plan.cluster.accelerator.name = "a|b\n# Forged\n![x](http://evil/x.png)";
        const Estimate result = estimate(plan);
        const std::string report = documentMarkdown(planningDocument({plan, result}));
        QVERIFY(report.find("\n# Forged") == std::string::npos);
        QVERIFY(report.find("![x]") == std::string::npos);
        QVERIFY(report.find("a|b") == std::string::npos);
        plan.name = "<script>alert(1)</script>\"";
        const std::string page = documentHtml(planningDocument({plan, result}));
        QVERIFY(page.find("<script>") == std::string::npos);
        QVERIFY(page.find("<h1>&lt;script&gt;alert(1)&lt;/script&gt;&quot;</h1>") != std::string::npos);
    }

    void sourcesOfFilesAreTextInMarkdownAndLatex()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.cluster.accelerator.source = "\\input{/etc/passwd} ![x](http://evil)";
        const Estimate result = estimate(plan);
        const auto explanation = explain(plan, result, "stage0.capacity");
        QVERIFY(explanation);
        const std::string latex = explanationLatex(*explanation, ByteUnit::GB);
        QVERIFY(latex.find("evil") != std::string::npos);
        QVERIFY(latex.find("\\input") == std::string::npos);
        QVERIFY(explanationMarkdown(*explanation, ByteUnit::GB).find("![x]") == std::string::npos);
    }

    void launchersHoldNamesInOneComment()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.name = "a\nrm -rf /\x1b[31m\xff";
        for (const Launcher launcher : {Launcher::Megatron, Launcher::Torchtitan}) {
            const auto exported = exportLaunch(launcher, plan);
            QVERIFY(exported);
            QVERIFY(exported->text.find("# a\\u000arm -rf /\\u001b[31m\\xff\n") != std::string::npos);
        }
    }

    // What follows the byte would be accepted unread.
    void aNulByteIsRefused()
    {
        using namespace std::string_view_literals;
        const std::string plan = planText(samples::llama13BOnEightCards());
        const auto refused = parsePlan(plan + std::string("\0 garbage {{{"sv), Presets{});
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::NotJson);
        QVERIFY(refused.error().message.english().find("NUL") != std::string::npos);
        QVERIFY(!readTrainingLog("elapsed time per iteration (ms): 5.0\0 more"sv));
        QVERIFY(!parseScheduleCsv("0F0,0B0\0junk"sv));
        for (const LauncherTraits& traits : launchers()) {
            const auto imported =
                importLaunch(traits.value, "{\"hidden_size\": 8}\0x"sv, samples::llama13BOnEightCards(), Presets{});
            QVERIFY(!imported && imported.error().message.english().find("NUL") != std::string::npos);
        }
    }

    // Sixteen times as much takes sixteen times as long, where a quadratic reader takes 256 times.
    void listsAreReadAndWrittenInLinearTime()
    {
        constexpr std::size_t kFew = 10'000;
        const auto reading = [](std::size_t count) {
            const std::string text = planWithZeros(count);
            return timeOf([&] { QVERIFY(parsePlan(text, Presets{})); });
        };
        const double short_list = reading(kFew);
        const double long_list = reading(16 * kFew);
        QVERIFY2(long_list < 64 * short_list, qPrintable(QString::number(long_list / short_list)));

        const auto writing = [](std::int64_t microbatches) {
            ScheduleRequest request;
            request.schedule = Schedule::OneFOneB;
            request.stages = 1;
            request.microbatches = microbatches;
            const auto timeline = simulate(request, {{Durations{}}}, {});
            return timeOf([&] { QVERIFY(!scheduleJson(request, *timeline).empty()); });
        };
        const double few = writing(1'000);
        const double many = writing(16'000);
        QVERIFY2(many < 64 * few, qPrintable(QString::number(many / few)));
    }
};

CARDFIT_TEST(TestForeignText)

} // namespace cardfit::tst_foreign_text
#include "tst_foreign_text.moc"
