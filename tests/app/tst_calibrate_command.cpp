// SPDX-License-Identifier: GPL-3.0-or-later
// `cardfit calibrate`, run as a program.
#include <QtTest>

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include "tests/app/program.h"
#include "tests/test_program.h"

namespace cardfit::tst_calibrate_command {

using cardfit::samples::Answer;
using cardfit::samples::runCardfit;

const QString kPlan = QStringLiteral("llama-13b-8-cards");

QJsonObject stepOf(const QString& plan)
{
    const Answer answer = runCardfit({"estimate", plan, "--json"});
    return QJsonDocument::fromJson(answer.output)["step"].toObject();
}

QByteArray contents(const QString& file)
{
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

class TestCalibrateCommand : public QObject {
    Q_OBJECT

private slots:
    void init() { QVERIFY(m_directory.isValid()); }

    void aCalibratedPlanIsPredictedAsMeasured()
    {
        const double predicted = stepOf(kPlan)["seconds"].toDouble();
        QVERIFY(predicted > 0.0);
        const QString saved = m_directory.filePath("calibrated.json");
        const double measured = 1.2 * predicted;
        const Answer answer = runCardfit({"calibrate", kPlan, "--step-seconds", QString::number(measured, 'g', 17),
            "--allocated-bytes", "61000000000", "--stage", "1", "--source", "run 17", "--output", saved});
        QCOMPARE(answer.complaint, QByteArray());
        QCOMPARE(answer.code, 0);
        QVERIFY2(answer.output.contains("+20.0 %"), answer.output.constData());
        QVERIFY(answer.output.contains("Computation"));
        QVERIFY(answer.output.contains("61.00 GB"));

        const Answer estimated = runCardfit({"estimate", saved, "--json"});
        const QJsonDocument json = QJsonDocument::fromJson(estimated.output);
        QVERIFY(qAbs(json["step"]["seconds"].toDouble() / measured - 1.0) < 0.005);
        QCOMPARE(json["stages"][1]["allocated_bytes"].toDouble(), 61e9);
        // The band is the narrower one of those for such plans and for calibrated plans.
        const auto widthOf = [](const QJsonDocument& answered) {
            const auto band = answered["step"]["band"];
            return band["above"].toDouble() - band["below"].toDouble();
        };
        const QJsonDocument before = QJsonDocument::fromJson(runCardfit({"estimate", kPlan, "--json"}).output);
        QVERIFY(widthOf(before) > 0.0);
        QVERIFY(widthOf(json) <= widthOf(before));

        const Answer text = runCardfit({"estimate", saved});
        QVERIFY2(text.output.contains("\nCalibrated  computation takes 1."), text.output.constData());
        QVERIFY(text.output.contains("run 17"));
    }

    void jsonSaysWhereItWent()
    {
        const double predicted = stepOf(kPlan)["tokens_per_second_per_card"].toDouble();
        const Answer answer = runCardfit(
            {"calibrate", kPlan, "--tokens-per-second-per-card", QString::number(predicted / 1.1, 'g', 17), "--json"});
        QCOMPARE(answer.code, 0);
        const QJsonDocument json = QJsonDocument::fromJson(answer.output);
        QCOMPARE(json["format"].toString(), QStringLiteral("cardfit/calibration"));
        QVERIFY(json["compute_factor"].toDouble() > 1.05);
        const QJsonObject parts = json["added_seconds"].toObject();
        double added = 0.0;
        for (const QJsonValue& part : parts)
            added += part.toDouble();
        const double difference =
            json["measured"]["step_seconds"].toDouble() - json["predicted"]["step_seconds"].toDouble();
        QVERIFY(difference > 0.0);
        QVERIFY(qAbs(added / difference - 1.0) < 1e-3);
    }

    /// Four ways to state the same speed, and both methods of the articles: share of the peak, share of a published
    /// throughput.
    void speedInAnyUnit()
    {
        const QJsonObject step = stepOf(kPlan);
        const double rate = step["tokens_per_second_per_card"].toDouble() / 1.1;
        const double tflops = step["model_tflops_per_card"].toDouble() / 1.1;
        const auto measured = [&](const QStringList& speed) {
            const Answer answer = runCardfit(QStringList{"calibrate", kPlan, "--json"} + speed);
            return QJsonDocument::fromJson(answer.output)["measured"].toObject();
        };
        const auto exact = [](double value) { return QString::number(value, 'g', 17); };
        const QJsonObject tokens = measured(
            {"--tokens-per-second-per-card", exact(rate), "--published-tokens-per-second-per-card", exact(2.0 * rate)});
        QVERIFY(qAbs(tokens["over_published"].toDouble() - 0.5) < 1e-12);
        const QJsonObject causal = tokens["utilization"].toArray().first().toObject();
        QCOMPARE(causal["definition"].toString(), QStringLiteral("causal"));
        QVERIFY(qAbs(causal["model_tflops_per_card"].toDouble() / tflops - 1.0) < 1e-9);
        const QJsonObject flops = measured({"--tflops-per-card", exact(tflops)});
        QVERIFY(qAbs(flops["step_seconds"].toDouble() / tokens["step_seconds"].toDouble() - 1.0) < 1e-9);
        const QJsonObject palm = measured({"--tflops-per-card", exact(tflops), "--work", "palm"});
        QVERIFY(palm["step_seconds"].toDouble() > flops["step_seconds"].toDouble());
        QVERIFY(measured({"--work", "palm"}).isEmpty());
    }

    void aLogIsRead()
    {
        const double predicted = stepOf(kPlan)["seconds"].toDouble();
        const QString log = m_directory.filePath("train.log");
        QFile file(log);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("hello\n");
        for (int i = 0; i < 5; ++i) {
            const double milliseconds = (i < 2 ? 5000.0 : 900.0) * predicted;
            file.write(
                " iteration 1/ 9 | elapsed time per iteration (ms): " + QByteArray::number(milliseconds) + " |\n");
        }
        file.close();
        const Answer answer = runCardfit({"calibrate", kPlan, "--log", log});
        QCOMPARE(answer.code, 0);
        QVERIFY2(answer.complaint.contains("median of 3 lines after the first 2"), answer.complaint.constData());
        QVERIFY(answer.complaint.contains("not understood: line 1: hello"));
        QVERIFY2(answer.output.contains("-10.0 %"), answer.output.constData());
    }

    void removing()
    {
        const QString plain = m_directory.filePath("plain.json");
        const QString calibrated = m_directory.filePath("with.json");
        const QString again = m_directory.filePath("without.json");
        QCOMPARE(runCardfit({"calibrate", kPlan, "--remove", "--output", plain}).code, 0);
        const double predicted = stepOf(kPlan)["seconds"].toDouble();
        QCOMPARE(
            runCardfit({"calibrate", plain, "--step-seconds", QString::number(0.9 * predicted), "--output", calibrated})
                .code,
            0);
        QVERIFY(contents(calibrated).contains("\"compute_factor\""));
        QCOMPARE(runCardfit({"calibrate", calibrated, "--remove", "--output", again}).code, 0);
        QVERIFY(!contents(plain).isEmpty());
        QCOMPARE(contents(again), contents(plain));
        QCOMPARE(runCardfit({"calibrate", calibrated, "--remove"}).output, contents(plain));
    }

    void refusals()
    {
        QCOMPARE(runCardfit({"calibrate", kPlan}).code, 64);
        QCOMPARE(runCardfit({"calibrate", kPlan, "--step-seconds", "1", "--tokens-per-second-per-card", "1"}).code, 64);
        QCOMPARE(runCardfit({"calibrate", kPlan, "--step-seconds", "-1"}).code, 64);
        QCOMPARE(runCardfit({"calibrate", kPlan, "--remove", "--step-seconds", "1"}).code, 64);
        QCOMPARE(runCardfit({"calibrate", "no-such-plan", "--step-seconds", "1"}).code, 3);
        QCOMPARE(runCardfit({"calibrate", kPlan, "--log", "no-such-log"}).code, 3);

        const QString saved = m_directory.filePath("never.json");
        const Answer far = runCardfit({"calibrate", kPlan, "--step-seconds", "1e7", "--output", saved});
        QCOMPARE(far.code, 64);
        QVERIFY2(far.complaint.contains("does not fit this plan"), far.complaint.constData());
        QVERIFY(!QFile::exists(saved));
    }

private:
    QTemporaryDir m_directory;
};

CARDFIT_TEST(TestCalibrateCommand)

} // namespace cardfit::tst_calibrate_command
#include "tst_calibrate_command.moc"
