// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "core/articles/articles.h"
#include "core/articles/rules_of_thumb.h"
#include "core/base/formula.h"
#include "core/pipeline/analysis/residency.h"
#include "core/pipeline/simulation/simulator.h"
#include "tests/test_program.h"

namespace cardfit::tst_rules_of_thumb {

using Verdict = ArticleRow::Verdict;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// 13 billion parameters, activations as the article rounds them.
constexpr const char* kThirteen = "n = 13e9, s = 4096, b = 1, h = 5120, L = 40, a = 40, A = 34e9";

/// The value of a formula; not a number where it has none.
double reckoned(std::string_view formula, const std::string& given = kThirteen)
{
    return reckon(formula, given).value_or(kNone);
}

const std::vector<ArticleRow>& rows()
{
    static const auto all = articleRows();
    return all;
}

/// The row with this id, or an empty one.
ArticleRow row(const QString& id)
{
    const auto found = std::ranges::find(rows(), id.toStdString(), &ArticleRow::id);
    return found == rows().end() ? ArticleRow{} : *found;
}

QString text(std::string_view view) { return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size())); }

bool near(double actual, double expected, double tolerance) { return std::abs(actual - expected) <= tolerance; }

QByteArray difference(double actual, double expected)
{
    return QStringLiteral("%1 instead of %2").arg(actual, 0, 'g', 12).arg(expected, 0, 'g', 12).toUtf8();
}

std::vector<std::int64_t> simulatedInFlight(const ScheduleRequest& request)
{
    const auto count = [](std::int64_t value) { return static_cast<std::size_t>(value); };
    const std::vector<std::vector<Durations>> equal(
        count(request.stages), std::vector<Durations>(count(request.chunks)));
    const auto timeline = simulate(programs(request), placementOf(request.schedule), equal);
    std::vector<std::int64_t> held;
    if (timeline) {
        for (const auto& operations : timeline->ranks)
            held.push_back(peakInFlight(operations));
    }
    return held;
}

void compareGb(const std::vector<double>& actual, const std::vector<double>& expected)
{
    QCOMPARE(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        QVERIFY2(near(actual[i], expected[i], 0.005), difference(actual[i], expected[i]));
    }
}

class RulesOfThumbTest : public QObject {
    Q_OBJECT

private slots:
    void everyRowOnceInOrder();
    void rowsAreComplete();
    void verdicts();
    void figures_data();
    void figures();
    void wording_data();
    void wording();
    void slipsDiffer_data();
    void slipsDiffer();
    void agreementIsNumeric();

    void rulesAreComplete();
    void unknownSymbols();
    void values_data();
    void values();
    void articleCardLists_data();
    void articleCardLists();
    void schedules();
};

void RulesOfThumbTest::everyRowOnceInOrder()
{
    std::vector<std::string> expected;
    const std::vector<std::pair<std::string, int>> articles{{"S0", 27}, {"S1", 15}, {"S2", 13}, {"S3", 20}};
    for (const auto& [article, count] : articles) {
        for (int i = 1; i <= count; ++i)
            expected.push_back(article + "-" + std::to_string(i));
    }
    std::vector<std::string> actual;
    for (const auto& entry : rows())
        actual.emplace_back(entry.id);
    QCOMPARE(actual, expected);
}

void RulesOfThumbTest::rowsAreComplete()
{
    std::set<std::string_view> articles;
    for (const auto& entry : rows()) {
        const auto id = text(entry.id).toUtf8();
        articles.insert(entry.article);
        QVERIFY2(!entry.statement.empty() && !entry.theirs.empty() && !entry.ours.empty(), id);
        QVERIFY2(entry.verdict == Verdict::Agrees || !entry.remark.empty(), id);
        QVERIFY2(entry.value.has_value() == !entry.unit.empty(), id);
        QVERIFY2(entry.value || !entry.article_value, id);
    }
    const std::set<std::string_view> expected{
        "13B on 80 GB cards (Zhihu)", "BimAnt guide", "parameters to memory (Zhihu)", "LLM memory interview sheet"};
    QCOMPARE(articles, expected);
}

void RulesOfThumbTest::verdicts()
{
    const std::set<std::string_view> slips{
        "S0-3", "S0-12", "S0-17", "S0-21", "S1-11", "S1-12", "S1-14", "S1-15", "S2-11", "S2-12", "S3-7", "S3-16"};
    const std::set<std::string_view> flags{
        "S0-22", "S0-24", "S0-26", "S1-4", "S1-5", "S1-9", "S2-1", "S2-8", "S3-3", "S3-8", "S3-9", "S3-12"};
    for (const auto& entry : rows()) {
        const auto expected = slips.contains(entry.id) ? "slip" : flags.contains(entry.id) ? "flag" : "agrees";
        QVERIFY2(verdictName(entry.verdict) == expected, text(entry.id).toUtf8());
    }
}

void RulesOfThumbTest::figures_data()
{
    QTest::addColumn<double>("expected");
    QTest::addColumn<double>("article");
    QTest::addColumn<QString>("unit");

    const auto add = [](const char* id, double expected, double article, const char* unit) {
        QTest::newRow(id) << expected << article << QString::fromLatin1(unit);
    };
    add("S0-1", 18, 18, "bytes per parameter");
    add("S0-2", 234, 234, "GB");
    add("S0-3", 3, 4, "cards");
    add("S0-4", 33.554, 34, "GB");
    add("S0-6", 78, kNone, "GB");
    add("S0-7", 4, 4, "stages");
    add("S0-8", 67, 67, "GB");
    add("S0-10", 92.5, kNone, "GB");
    add("S0-11", 84, kNone, "GB");
    add("S0-12", 75.5, kNone, "GB");
    add("S0-13", 67, kNone, "GB");
    add("S0-14", 67, kNone, "GB");
    add("S0-15", 4'194'304, kNone, "tokens");
    add("S0-16", 73, 73, "GB");
    add("S0-17", 64.5, 64, "GB");
    add("S0-18", 56, 56, "GB");
    add("S0-19", 47.5, 47.5, "GB");
    add("S0-20", 63.25, 63.25, "GB");
    add("S0-22", 40.03, 39, "GB");
    add("S0-24", 108, 24, "GB");
    add("S0-25", 13, kNone, "GB");
    add("S0-26", 16, 80, "cards");

    add("S1-2", 2.4, kNone, "GB");
    add("S1-3", 168, kNone, "GB");
    add("S1-4", 2, 2, "times");
    add("S1-5", 20, 20, "GB");
    add("S1-6", 2e6, 2e6, "values");
    add("S1-7", 0, 0, "values");
    add("S1-8", 20, 20, "GB");
    add("S1-9", 100'000, 100'000, "neurons");
    add("S1-10", 6.4, 6.4, "MB");
    add("S1-11", 6.4, 40, "GB");
    add("S1-12", 120, 80, "GB");
    add("S1-13", 160, 160, "GB");
    add("S1-14", 100, 100, "GB");

    add("S2-1", 4, 4, "GB");
    add("S2-2", 1, 1, "times");
    add("S2-4", 16, 16, "GB");
    add("S2-5", 8, 8, "GB");
    add("S2-6", 18, kNone, "bytes per parameter");
    add("S2-7", 25, kNone, "%");
    add("S2-9", 42.86, kNone, "%");

    add("S3-1", 2, 2, "GB");
    add("S3-2", 5, 5, "cards");
    add("S3-4", 32.5, kNone, "GB");
    add("S3-5", 16, 16, "bytes per parameter");
    add("S3-6", 112, 112, "GB");
    add("S3-7", 22.86, 20, "bytes per parameter");
    add("S3-8", 24, 24, "GB");
    add("S3-9", 48, 48, "GB");
    add("S3-10", 1.3, 1.3, "GB");
    add("S3-11", 25.3, 25.3, "GB");
    add("S3-12", 989.855744, 990, "MB");
    add("S3-13", 74.79, kNone, "GB");
    add("S3-14", 32.05, 32.05, "%");
    add("S3-15", 1536, 1536, "tokens/s");
    add("S3-16", 46.55, 46.54, "%");
    add("S3-17", 19, 19, "bits");
}

void RulesOfThumbTest::figures()
{
    QFETCH(double, expected);
    QFETCH(double, article);
    QFETCH(QString, unit);

    const auto entry = row(QString::fromUtf8(QTest::currentDataTag()));
    QVERIFY(entry.value.has_value());
    QVERIFY2(near(*entry.value, expected, 0.01), difference(*entry.value, expected));
    QCOMPARE(entry.article_value.has_value(), !std::isnan(article));
    if (entry.article_value) QCOMPARE(*entry.article_value, article);
    QCOMPARE(text(entry.unit), unit);
}

void RulesOfThumbTest::wording_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("ours"); // a part of it
    QTest::addColumn<QString>("remark"); // a part of it; may be empty

    const auto add = [](const char* id, const char* ours, const char* remark = "") {
        QTest::addRow("%s: %s %s", id, ours, remark)
            << QString::fromLatin1(id) << QString::fromUtf8(ours) << QString::fromUtf8(remark);
    };
    add("S0-3", "3; 4 with activations", "2.925 cards");
    add("S0-3", "", "3.35 cards");
    add("S0-4", "33.554 GB = 31.25 GiB", "28.52 GB");
    add("S0-4", "", "162.7 GB");
    add("S0-5", "6 + 12/d");
    add("S0-6", "no d: 78 GB stay on every card, 46 GB are free");
    add("S0-7", "p >= 4 (3.35");
    add("S0-8", "66.89 GB without rounding");
    add("S0-9", "4, 3, 2, 1");
    add("S0-10", "92.5 GB, exceeds 80 GB");
    add("S0-11", "84 GB, exceeds 80 GB", "78.23 GiB it is below the 80 GiB");
    add("S0-12", "75.5 GB, fits in 80 GB", "58.5 GB + 17 GB");
    add("S0-13", "67 GB, fits in 80 GB");
    add("S0-14", "67 GB on every card, 75 % of the time idle");
    add("S0-15", "4,194,304 tokens per step; with d = 2 it is 512 micro-batches and a bubble of 0.58 %");
    add("S0-16", "73 GB, fits in 80 GB (72.55 GB without rounding)");
    add("S0-17", "64.5 GB", "39 + 25.5 GB");
    add("S0-20", "63.25 GB", "59, 54.75, 50.5, 46.25, 42, 37.75, 33.5 GB");
    add("S0-21", "4 in flight on rank 1; interleaved with v = 2 holds 1.375 times as much, 11 chunks");
    add("S0-22", "13.016 billion parameters: 40.03 GB of states on the first stage, 38.06 GB on the second");
    add("S0-23", "7.46 MB");
    add("S0-24", "12 GB of weights, 108 GB of states", "LoRA");
    add("S0-25", "int8 13 GB, int4 6.5 GB: fits");
    add("S0-26", "15.75 GB and 15.75 GB of states per card; 16 cards");
    add("S0-27", "1.4, 2.8, 6, 7, 13, 16, 34, 52, 56, 65, 70, 100, 130, 170, 220");

    add("S1-1", "4, 2, 2, 1, 0.5", "256");
    add("S1-4", "2 times; 3.65 times");
    add("S1-5", "20 GB; 40 GB");
    add("S1-9", "100,000");
    add("S1-11", "0.64 to 6.39 GB", "3,125 to 6,250 layers");
    add("S1-12", "120 GB: moments 80 GB, fp32 master copy 40 GB");
    add("S1-13", "140 to 160 GB", "160 GB (16 bytes per parameter) or 180 GB");
    add("S1-14", "80 to 100 GB on each card");
    add("S1-15", "33.55 GB (13B, 4096 tokens) to 4.19 GB", "sequence, context and pipeline parallelism");

    add("S2-1", "4 GB = 3.725 GiB and 2 GB = 1.863 GiB");
    add("S2-3", "0, 1, 2");
    add("S2-6", "16 or 18 bytes per parameter", "fp32 takes 16");
    add("S2-8", "states 25 % each; activations of 1F1B with four stages 100 %, 75 %, 50 %, 25 %");
    add("S2-10", "GPipe 4, 4, 4, 4; 1F1B 4, 3, 2, 1");
    add("S2-11", "PipeDream keeps 4, 3, 2, 1 versions of a stage's weights, 1F1B with a flush 1, 1, 1, 1");
    add("S2-12", "all-reduce");
    add("S2-13", "columns, rows");

    add("S3-2", "no, 5 cards: 130 GB in 128 GB", "2 GB short");
    add("S3-2", "", "1040 GB, 33 cards");
    add("S3-3", "Ampere");
    add("S3-7", "22.86n", "20n gives 140 GB, less than the 160 GB");
    add("S3-8", "24 GB and 6 GB", "6.74 billion");
    add("S3-9", "48 GB and 12 GB");
    add("S3-11", "25.3 GB", "97.3 GB");
    add("S3-12", "989.86 MB = 944 MiB");
    add("S3-13", "50 take 74.79 GB; up to 55 fit");
    add("S3-16", "46.55 %", "42.76 % of the peak by itself, so this is 19.9 %");
    add("S3-18", "42 GB");
    add("S3-19", "as it stands");
    add("S3-20", "nvidia-smi topo -m");
}

void RulesOfThumbTest::wording()
{
    QFETCH(QString, id);
    QFETCH(QString, ours);
    QFETCH(QString, remark);

    const auto entry = row(id);
    QVERIFY2(text(entry.ours).contains(ours), entry.ours.c_str());
    QVERIFY2(text(entry.remark).contains(remark), entry.remark.c_str());
}

void RulesOfThumbTest::slipsDiffer_data()
{
    QTest::addColumn<double>("error"); // ours minus theirs

    QTest::newRow("S0-3") << -1.0;
    QTest::newRow("S0-17") << 0.5;
    QTest::newRow("S1-11") << -33.6064;
    QTest::newRow("S1-12") << 40.0;
    QTest::newRow("S1-14") << 0.0; // the number is right; what it is called is not
    QTest::newRow("S3-7") << 2.857143;
    QTest::newRow("S3-16") << 0.0054545;
}

void RulesOfThumbTest::slipsDiffer()
{
    QFETCH(double, error);

    const auto entry = row(QString::fromUtf8(QTest::currentDataTag()));
    QVERIFY(entry.verdict == Verdict::Slip);
    QVERIFY(entry.value && entry.article_value);
    const auto actual = *entry.value - *entry.article_value;
    QVERIFY2(near(actual, error, 1e-6), difference(actual, error));
}

void RulesOfThumbTest::agreementIsNumeric()
{
    for (const auto& entry : rows()) {
        if (entry.verdict != Verdict::Agrees || !entry.value || !entry.article_value) continue;
        // The widest rounding that passes for agreement is 33.554 to 34 GB.
        QVERIFY2(near(*entry.value, *entry.article_value, 0.014 * *entry.article_value), text(entry.id).toUtf8());
    }
}

void RulesOfThumbTest::rulesAreComplete()
{
    std::set<std::string_view> names;
    for (const Rule& rule : rulesOfThumb()) {
        QVERIFY2(names.insert(rule.name).second, text(rule.name).toUtf8());
        QVERIFY2(Formula::parse(rule.formula).has_value(), text(rule.name).toUtf8());
        QVERIFY2(!rule.source.empty(), text(rule.name).toUtf8());
    }
}

void RulesOfThumbTest::unknownSymbols()
{
    QCOMPARE(reckon("2 unheard_of").error().code, ErrorCode::UnknownName);
    QCOMPARE(reckon("zero1 n", "n = 1").error().code, ErrorCode::UnknownName); // d is missing
    QCOMPARE(reckon("1 / d", "d = 0").error().code, ErrorCode::OutOfRange);
    QCOMPARE(reckon("2 +").error().code, ErrorCode::WrongFormat);
    QCOMPARE(reckoned("d", "d = 2, d = 3"), 2.0);
    QCOMPARE(reckoned("d", "d = 2 c, c = 4"), 8.0);
}

void RulesOfThumbTest::values_data()
{
    QTest::addColumn<QByteArray>("formula");
    QTest::addColumn<QByteArray>("given");
    QTest::addColumn<double>("expected");

    const auto add = [](const char* formula, const char* given, double expected) {
        QTest::addRow("%s with %s", formula, given) << QByteArray(formula) << QByteArray(given) << expected;
    };
    add("megatron", "", 18);
    add("mixed", "", 16);
    add("uniform", "w = 4", 16);
    add("uniform", "w = 2", 8);
    add("zero1", "d = 1", 18);
    add("zero1", "d = 2", 12);
    add("zero1", "d = 12", 7);
    add("mixed n", "n = 7e9", 112e9);
    add("mixed n", "n = 65e9", 1040e9);
    add("least_training n", "n = 7e9", 140e9);
    add("load n", "n = 70e9, Q = 16", 168e9);
    add("load n", "n = 70e9, Q = 4", 42e9);
    add("uniform n + context", "n = 6e9, w = 1", 25.3e9);
    add("uniform n + context", "n = 6e9, w = 4", 97.3e9);

    add("llama", "h = 4096, f = 11008, L = 32, V = 32000", 6'738'415'616);
    add("llama", "h = 5120, f = 13824, L = 40, V = 32000", 13'015'864'320);
    add("llama_norms", "h = 5120, L = 40", 414'720);

    add("activations", kThirteen, 33'554'432'000);
    add("fused", kThirteen, 28'521'267'200);
    add("unfused", kThirteen, 162'738'995'200);
    add("activations", "s = 4096, b = 2, h = 5120, L = 40", 67'108'864'000);
    add("sample", "s = 2048, h = 4096, f = 11008, L = 32, w = 1", 989'855'744);
    add("layer_activations", "n = 10e9, b = 32, w = 2", 6'400'000);
    add("sequence_parallel", "A = 33554432000, t = 8", 4'194'304'000);
    add("model_parallel", "S = 120e9, A = 40e9, k = 2", 100e9);

    add("in_flight", "p = 4, i = 1, m = 1024", 4);
    add("chunks_in_flight", "p = 4, i = 1, v = 2", 11);
    add("interleaved", "p = 4, v = 2", 1.375);
    add("bubble", "p = 4, m = 1", 0.75);
    add("bubble", "p = 4, m = 4", 3.0 / 7.0);
    add("bubble", "p = 4, m = 512", 3.0 / 515.0);
    add("busy", "p = 4", 0.25);
    add("zero3_traffic", "n = 7e9", 42e9);
}

void RulesOfThumbTest::values()
{
    QFETCH(QByteArray, formula);
    QFETCH(QByteArray, given);
    QFETCH(double, expected);
    QCOMPARE(reckoned(formula.constData(), given.toStdString()), expected);
    // 3300 tokens/s of a 7B model on an A100.
    const double published = reckoned("model_flops", "n = 6738415616, R = 3300, F = 312e12");
    QVERIFY2(near(published, 0.428, 0.0005), difference(published, 0.428));
}

void RulesOfThumbTest::articleCardLists_data()
{
    QTest::addColumn<int>("pipeline");
    QTest::addColumn<int>("data");
    QTest::addColumn<int>("microbatches");
    QTest::addColumn<std::vector<double>>("rounded"); // GB of every card with the article's 34 GB
    QTest::addColumn<std::vector<double>>("exact"); // with 33.554 GB

    using List = std::vector<double>;
    QTest::newRow("four stages") << 4 << 1 << 1024 << List{92.5, 84, 75.5, 67} << List{92.05, 83.67, 75.28, 66.89};
    QTest::newRow("four stages, batch of one")
        << 4 << 1 << 1 << List{67, 67, 67, 67} << List{66.89, 66.89, 66.89, 66.89};
    QTest::newRow("four stages, ZeRO-1 over two replicas")
        << 4 << 2 << 512 << List{73, 73, 64.5, 64.5, 56, 56, 47.5, 47.5}
        << List{72.55, 72.55, 64.17, 64.17, 55.78, 55.78, 47.39, 47.39};
    QTest::newRow("eight stages") << 8 << 1 << 1024 << List{63.25, 59, 54.75, 50.5, 46.25, 42, 37.75, 33.5}
                                  << List{62.80, 58.61, 54.42, 50.22, 46.03, 41.83, 37.64, 33.44};
}

void RulesOfThumbTest::articleCardLists()
{
    QFETCH(int, pipeline);
    QFETCH(int, data);
    QFETCH(int, microbatches);
    QFETCH(std::vector<double>, rounded);
    QFETCH(std::vector<double>, exact);

    const auto totals = [&](const char* rule) {
        std::vector<double> sums;
        for (int card = 0; card < pipeline * data; ++card) {
            const std::string layout = "p = " + std::to_string(pipeline) + ", d = " + std::to_string(data)
                + ", m = " + std::to_string(microbatches) + ", i = " + std::to_string(card / data + 1);
            sums.push_back(reckoned(rule, layout + ", " + kThirteen) / 1e9);
        }
        return sums;
    };
    compareGb(totals("card"), rounded);
    compareGb(totals("exact_card"), exact);
}

void RulesOfThumbTest::schedules()
{
    const auto byRule = [](const char* rule, std::int64_t microbatches) {
        std::vector<std::int64_t> held;
        for (int rank = 1; rank <= 4; ++rank) {
            const std::string given =
                "p = 4, v = 2, i = " + std::to_string(rank) + ", m = " + std::to_string(microbatches);
            held.push_back(std::llround(reckoned(rule, given)));
        }
        return held;
    };
    // S0-9, S0-14 and S2-10 by rule and by simulation.
    for (const std::int64_t microbatches : {1, 2, 4, 8, 1024})
        QCOMPARE(simulatedInFlight({Schedule::OneFOneB, 4, microbatches, 1, {}}), byRule("in_flight", microbatches));
    QCOMPARE(simulatedInFlight({Schedule::GPipe, 4, 4, 1, {}}), std::vector<std::int64_t>(4, 4));

    // S0-21
    QCOMPARE(byRule("chunks_in_flight", 8), (std::vector<std::int64_t>{11, 9, 7, 5}));
    QCOMPARE(simulatedInFlight({Schedule::InterleavedOneFOneB, 4, 8, 2, {}}), byRule("chunks_in_flight", 8));
}

CARDFIT_TEST(RulesOfThumbTest)

} // namespace cardfit::tst_rules_of_thumb
#include "tst_rules_of_thumb.moc"
