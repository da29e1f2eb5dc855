// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/report/validation_report.h"
#include "tests/test_program.h"

namespace cardfit::tst_validation_report {

MemoryComparison comparison(std::string id, Trust trust, std::int64_t allocated, std::optional<std::int64_t> predicted)
{
    MemoryComparison made;
    made.measured.id = std::move(id);
    made.measured.group = "ci";
    made.measured.source = "source";
    made.measured.trust = trust;
    made.measured.peak = Bytes(allocated);
    if (predicted)
        made.predicted = Bytes(*predicted);
    else
        made.refusal = "PP-LAYERS: 3 layers";
    return made;
}

const std::vector<MeasuredGroup> kGroups{{"ci", "Test jobs"}};

std::vector<MemoryComparison> threeCases()
{
    return {comparison("near", Trust::High, 1'000'000'000, 1'001'234'000),
        comparison("far", Trust::Medium, 1'000'000'000, 875'000'000),
        comparison("none", Trust::Medium, 2'000'000'000, std::nullopt)};
}

class TestValidationReport : public QObject {
    Q_OBJECT

private slots:
    void markdownIsTheTableByGroup()
    {
        const std::string expected =
            "| group | layers | trust | cases | median error | within 3 % | within 10 % | worst |\n"
            "|---|---|---|---:|---:|---:|---:|---:|\n"
            "| Test jobs | dense | all | 3 | 6.3 % | 1 | 1 | 12.5 % |\n"
            "| Test jobs | dense | high | 1 | 0.12 % | 1 | 1 | 0.12 % |\n"
            "| Test jobs | dense | medium | 2 | 12.5 % | 0 | 0 | 12.5 % |\n";
        QCOMPARE(memoryValidationMarkdown(kGroups, threeCases()), expected);
    }

    void smallAndMissingErrors()
    {
        const auto exact = memoryValidationMarkdown({}, std::vector{comparison("a", Trust::High, 100, 100)});
        QVERIFY(exact.ends_with("| ci | dense | all | 1 | < 0.01 % | 1 | 1 | < 0.01 % |\n"));
        const auto none = memoryValidationMarkdown({}, std::vector{comparison("a", Trust::High, 100, std::nullopt)});
        QVERIFY(none.ends_with("| ci | dense | all | 1 | - | 0 | 0 | - |\n"));
    }

    void textHoldsEveryCaseWorstFirst()
    {
        const std::string text = memoryValidationText(kGroups, threeCases(), ByteUnit::GB);
        const auto at = [&](std::string_view line) { return text.find(line); };
        const auto none = at("none  medium             -       2.00 GB  PP-LAYERS: 3 layers\n");
        const auto far = at("far   medium       0.88 GB       1.00 GB    -12.50 %\n");
        const auto near = at("near  high         1.00 GB       1.00 GB     +0.12 %\n");
        QVERIFY2(none != std::string::npos, text.c_str());
        QVERIFY2(far != std::string::npos, text.c_str());
        QVERIFY2(near != std::string::npos, text.c_str());
        QVERIFY(none < far && far < near);
        QVERIFY(at("\nTest jobs, dense\n") < none);
        QVERIFY(at("1 without a prediction") != std::string::npos);
        QVERIFY(at("Above 0\nCardfit expects more than the run used") != std::string::npos);
    }

    void jsonHoldsGroupsAndCases()
    {
        const auto document =
            QJsonDocument::fromJson(QByteArray::fromStdString(memoryValidationJson(kGroups, threeCases())));
        QCOMPARE(document["format"].toString(), QStringLiteral("cardfit/validation"));
        QCOMPARE(document["version"].toInt(), 1);
        const QJsonArray groups = document["groups"].toArray();
        QCOMPARE(groups.size(), 3);
        QCOMPARE(groups[0]["name"].toString(), QStringLiteral("Test jobs"));
        QVERIFY(groups[0]["trust"].isNull());
        QCOMPARE(groups[0]["cases"].toInt(), 3);
        QCOMPARE(groups[0]["answered"].toInt(), 2);
        QCOMPARE(groups[0]["worst_error"].toDouble(), 0.125);
        QCOMPARE(groups[2]["trust"].toString(), QStringLiteral("medium"));

        const QJsonArray cases = document["cases"].toArray();
        QCOMPARE(cases.size(), 3);
        QCOMPARE(cases[1]["id"].toString(), QStringLiteral("far"));
        QCOMPARE(cases[1]["predicted_bytes"].toDouble(), 875e6);
        QCOMPARE(cases[1]["measured_bytes"].toDouble(), 1e9);
        QCOMPARE(cases[1]["error"].toDouble(), -0.125);
        QVERIFY(cases[2]["predicted_bytes"].isNull() && cases[2]["error"].isNull());
        QCOMPARE(cases[2]["refusal"].toString(), QStringLiteral("PP-LAYERS: 3 layers"));
    }
};

CARDFIT_TEST(TestValidationReport)

} // namespace cardfit::tst_validation_report
#include "tst_validation_report.moc"
