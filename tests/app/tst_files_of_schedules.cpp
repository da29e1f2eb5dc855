// SPDX-License-Identifier: GPL-3.0-or-later
// `cardfit schedule` and `cardfit export` with files that they read and write.
#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include "tests/app/program.h"
#include "tests/test_program.h"

namespace cardfit::tst_files_of_schedules {

using cardfit::samples::Answer;
using cardfit::samples::runCardfit;

const QStringList kPlan{"export", "llama-3-70b-64-h100"};
const QStringList kInterleaved{
    "schedule", "--schedule", "interleaved-1f1b", "--stages", "4", "--microbatches", "8", "--chunks", "2"};

class TestFilesOfSchedules : public QObject {
    Q_OBJECT

private slots:
    void anOrderGoesOutAndComesIn()
    {
        const Answer planned = runCardfit(kInterleaved + QStringList{"--json", "--csv", place("a.csv")});
        QCOMPARE(planned.code, 0);
        QVERIFY(read("a.csv").startsWith("0F0,0F1,0F2,0F3,4F0,"));
        const Answer imported =
            runCardfit({"schedule", "--order", place("a.csv"), "--json", "--csv", place("b.csv"), "--transfer", "0"});
        QCOMPARE(imported.code, 0);
        QCOMPARE(read("b.csv"), read("a.csv"));
        QJsonObject expected = QJsonDocument::fromJson(planned.output).object();
        expected["schedule"] = "imported";
        expected["refused_by"] = QJsonArray();
        QCOMPARE(QJsonDocument::fromJson(imported.output).object(), expected);
        // The same order with other durations.
        const Answer slow = runCardfit({"schedule", "--order", place("a.csv"), "--json", "--forward", "2"});
        QVERIFY(QJsonDocument::fromJson(slow.output)["makespan"].toDouble() > expected["makespan"].toDouble());
        QVERIFY(runCardfit({"schedule", "--order", place("a.csv")}).output.startsWith("imported: makespan 57 "));
    }

    void aTraceOfPlainTimes()
    {
        QCOMPARE(runCardfit(kInterleaved + QStringList{"--trace", place("a.json")}).code, 0);
        const QJsonDocument trace = QJsonDocument::fromJson(read("a.json"));
        QCOMPARE(trace["otherData"]["schedule"].toString(), QString("interleaved-1f1b"));
        double last = 0.0;
        for (const auto& event : trace["traceEvents"].toArray())
            last = std::max(last, event.toObject()["ts"].toDouble() + event.toObject()["dur"].toDouble());
        QCOMPARE(last, 57'000.0);
    }

    void aTraceOfAPlan()
    {
        QCOMPARE(runCardfit(kPlan + QStringList{"--trace", place("plan.json")}).code, 0);
        const QJsonDocument trace = QJsonDocument::fromJson(read("plan.json"));
        QCOMPARE(trace["otherData"]["plan"].toString(), QString("Llama 3 70B, 64 x H100"));
        QVERIFY(!trace["otherData"]["version"].toString().isEmpty());
        QVERIFY(read("plan.json").contains("memory (bytes)"));
    }

    void aPartOfTheTimeline()
    {
        const QStringList chart = kPlan + QStringList{"--chart", "timeline", "--output"};
        QCOMPARE(runCardfit(chart + QStringList{place("whole.svg")}).code, 0);
        QCOMPARE(runCardfit(chart + QStringList{place("part.svg"), "--from", "0.5", "--to", "1.25"}).code, 0);
        QVERIFY(read("part.svg") != read("whole.svg"));
        QVERIFY(read("part.svg").contains("<text"));
        QCOMPARE(runCardfit(chart + QStringList{place("same.svg"), "--from", "0"}).code, 0);
        // A chart of the whole step omits its repeated part; a chart of a range is drawn to scale, even if the range is
        // the step.
        QVERIFY(read("same.svg") != read("whole.svg"));
        QCOMPARE(runCardfit(chart + QStringList{place("again.svg"), "--from", "0"}).code, 0);
        QCOMPARE(read("same.svg"), read("again.svg"));

        const Answer beyond = runCardfit(chart + QStringList{place("no.svg"), "--to", "1000"});
        QCOMPARE(beyond.code, 64);
        QVERIFY2(beyond.complaint.contains("beyond the end"), beyond.complaint.constData());
        QCOMPARE(runCardfit(chart + QStringList{place("no.svg"), "--from", "2", "--to", "1"}).code, 64);
        QCOMPARE(runCardfit(chart + QStringList{place("no.svg"), "--from", "1", "--to", "1.000000001"}).code, 64);
        QVERIFY(!QFile::exists(place("no.svg")));
    }

    void whatCannotBeIsRefused_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("complaint");
        const auto row = [](const char* name, const QStringList& arguments, int code, const char* complaint) {
            QTest::newRow(name) << arguments << code << QByteArray(complaint);
        };
        row("nothing to run", {"schedule"}, 64, "--schedule");
        row("no micro-batches", {"schedule", "--schedule", "1f1b", "--stages", "2"}, 64, "--microbatches");
        row("two orders", {"schedule", "--schedule", "1f1b", "--order", "a.csv"}, 64, "--order");
        row("no such file", {"schedule", "--order", "/nowhere/a.csv"}, 3, "/nowhere/a.csv: cannot be read");
        row("nowhere to write", kInterleaved + QStringList{"--trace", "/nowhere/a.json"}, 3, "/nowhere/a.json");
        row("no such format",
            {"schedule", "--schedule", "dualpipe", "--stages", "4", "--microbatches", "8", "--csv", "/nowhere/a.csv"},
            2, "two copies of every stage");
        row("no chart", kPlan + QStringList{"--from", "1", "--table", "a.csv"}, 64, "--chart");
        row("another chart", kPlan + QStringList{"--from", "1", "--chart", "memory", "--output", "a.svg"}, 64,
            "--chart timeline");
        row("nothing to export", kPlan, 64, "--trace");
    }
    void whatCannotBeIsRefused()
    {
        QFETCH(const QStringList, arguments);
        QFETCH(const int, code);
        QFETCH(const QByteArray, complaint);
        const Answer answer = runCardfit(arguments);
        QVERIFY2(answer.complaint.contains(complaint), answer.complaint.constData());
        QCOMPARE(answer.code, code);
    }

    void anOrderThatIsNoneIsNamed()
    {
        write("bad.csv", "0F0,0B0\n0F1,0B1\n");
        const Answer bad = runCardfit({"schedule", "--order", place("bad.csv"), "--json"});
        QCOMPARE(bad.code, 3);
        QVERIFY2(
            bad.complaint.contains("bad.csv: line 2, column 1: 0F1: stage 0 is on rank 0"), bad.complaint.constData());
        QCOMPARE(QJsonDocument::fromJson(bad.output)["error"]["where"].toString(), QString("line 2, column 1"));

        // Deadlock: rank 1 runs micro-batch 1 first, rank 0 waits for the gradient of micro-batch 0.
        write("cycle.csv", "0F0,0B0,0F1,0B1\n1F1,1B1,1F0,1B0\n");
        const Answer cycle = runCardfit({"schedule", "--order", place("cycle.csv")});
        QCOMPARE(cycle.code, 2);
        QVERIFY2(cycle.complaint.contains("cycle.csv"), cycle.complaint.constData());
    }

private:
    [[nodiscard]] QString place(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    [[nodiscard]] QByteArray read(const char* name) const
    {
        QFile file(place(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void write(const char* name, const QByteArray& text) const
    {
        QFile file(place(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    QTemporaryDir m_folder;
};

CARDFIT_TEST(TestFilesOfSchedules)

} // namespace cardfit::tst_files_of_schedules
#include "tst_files_of_schedules.moc"
