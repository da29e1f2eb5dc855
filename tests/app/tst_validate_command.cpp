// SPDX-License-Identifier: GPL-3.0-or-later
// `cardfit validate`, run as a program.
#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include "tests/app/program.h"
#include "tests/test_program.h"

namespace cardfit::tst_validate_command {

using cardfit::samples::Answer;
using cardfit::samples::runCardfit;

class TestValidateCommand : public QObject {
    Q_OBJECT

private slots:
    void everyShippedCaseIsShown()
    {
        const Answer json = runCardfit({"validate", "memory", "--json"});
        QCOMPARE(json.code, 0);
        const QJsonArray cases = QJsonDocument::fromJson(json.output)["cases"].toArray();
        QVERIFY(cases.size() > 150);

        const Answer text = runCardfit({"validate", "memory"});
        QCOMPARE(text.code, 0);
        QCOMPARE(text.complaint, QByteArray());
        for (const QJsonValue& one : cases) {
            QVERIFY(one["predicted_bytes"].toDouble() > 0.0);
            const QByteArray line = "\n" + one["id"].toString().toUtf8() + " ";
            QVERIFY2(text.output.contains(line), line.constData());
        }
        QCOMPARE(runCardfit({"validate"}).output, text.output);
    }

    void markdownIsWhatTheReadmeShows()
    {
        const Answer markdown = runCardfit({"validate", "memory", "--markdown"});
        QCOMPARE(markdown.code, 0);
        QFile readme(QStringLiteral(CARDFIT_README));
        QVERIFY(readme.open(QIODevice::ReadOnly));
        QVERIFY2(readme.readAll().contains("--markdown -->\n" + markdown.output + "<!--"), markdown.output.constData());
    }

    void timeIsComparedLikewise()
    {
        const Answer markdown = runCardfit({"validate", "time", "--markdown"});
        QCOMPARE(markdown.code, 0);
        QFile readme(QStringLiteral(CARDFIT_README));
        QVERIFY(readme.open(QIODevice::ReadOnly));
        QVERIFY2(readme.readAll().contains("--markdown -->\n" + markdown.output + "<!--"), markdown.output.constData());

        const Answer json = runCardfit({"validate", "time", "--json"});
        QCOMPARE(json.code, 0);
        const QJsonObject all = QJsonDocument::fromJson(json.output).object();
        QCOMPARE(all["figure"].toString(), QStringLiteral("tokens_per_second_per_card"));
        const QJsonObject first = all["cases"].toArray()[0].toObject();
        const double ratio = first["measured"].toDouble() / first["predicted"].toDouble();
        QVERIFY(std::abs(ratio - 1.0 - first["error"].toDouble()) < 1e-9); // error of the time
        const Answer text = runCardfit({"validate", "time"});
        QVERIFY2(text.output.contains(first["id"].toString().toUtf8() + " "), text.output.constData());
    }

    void otherCases()
    {
        // The second plan's heads cannot be divided: its row and the exit code report it.
        const Answer answer = runCardfit({"validate", "memory", "--cases", cases(R"("tensor": 3)")});
        QCOMPARE(answer.code, 2);
        QVERIFY2(answer.output.contains("2 cases of "), answer.output.constData());
        QVERIFY2(answer.output.contains("\nfirst "), answer.output.constData());
        QVERIFY2(answer.output.contains("\nsecond "), answer.output.constData());
        QVERIFY2(answer.output.contains("TP-HEADS: "), answer.output.constData());
        QCOMPARE(runCardfit({"validate", "memory", "--cases", cases(R"("pipeline": 1)")}).code, 0);
    }

    void unreadableFiles()
    {
        const Answer missing = runCardfit({"validate", "memory", "--cases", "/no/such/cases.json"});
        QCOMPARE(missing.code, 3);
        QCOMPARE(missing.output, QByteArray());
        QVERIFY2(missing.complaint.contains("/no/such/cases.json: "), missing.complaint.constData());

        const QString file = cases(R"("pipeline": "three")");
        const Answer broken = runCardfit({"validate", "memory", "--cases", file});
        QCOMPARE(broken.code, 3);
        const QByteArray place = file.toUtf8() + ": /cases/1/plan/parallelism/pipeline: expected a whole number";
        QVERIFY2(broken.complaint.contains(place), broken.complaint.constData());
    }

    void wrongUsage()
    {
        QCOMPARE(runCardfit({"validate", "energy"}).code, 64);
        QCOMPARE(runCardfit({"validate", "memory", "--json", "--markdown"}).code, 64);
    }

private:
    /// A file with two cases; the second has this entry in its plan's "parallelism".
    QString cases(const char* parallelism)
    {
        const auto one = [](const char* id, const char* entry) {
            return QStringLiteral(R"({"id": "%1", "group": "g", "trust": "high", "source": "made up",
                "plan": {"format": "cardfit/plan", "version": 1, "model": {"preset": "llama-7b"},
                         "cluster": {"preset": "dgx-a100", "nodes": 1}, "parallelism": {%2},
                         "workload": {"global_batch_size": 64}},
                "measured": {"stage": 0, "allocated_bytes": 50000000000}})")
                .arg(QString::fromUtf8(id), QString::fromUtf8(entry));
        };
        const QString file = m_directory.filePath(QStringLiteral("cases-%1.json").arg(++m_files));
        QFile out(file);
        if (!out.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(file));
        out.write(QStringLiteral(R"({"cases": [%1, %2]})").arg(one("first", ""), one("second", parallelism)).toUtf8());
        return file;
    }

    QTemporaryDir m_directory;
    int m_files = 0;
};

CARDFIT_TEST(TestValidateCommand)

} // namespace cardfit::tst_validate_command
#include "tst_validate_command.moc"
