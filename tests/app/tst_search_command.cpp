// SPDX-License-Identifier: GPL-3.0-or-later
// `cardfit search` and `cardfit sweep`, run as a program: the output that outside tools rely on.
#include <csignal>

#include <QtTest>

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include "tests/app/program.h"
#include "tests/test_program.h"

namespace cardfit::tst_search_command {

using cardfit::samples::Answer;
using cardfit::samples::runCardfit;

QJsonObject objectOf(const QByteArray& text) { return QJsonDocument::fromJson(text).object(); }

QString written(const QTemporaryDir& folder, const QString& name, const QByteArray& text)
{
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(text);
    return file.fileName();
}

class TestSearchCommand : public QObject {
    Q_OBJECT

private slots:
    void jsonHasTheContractsKeys()
    {
        const Answer answer = runCardfit({"search", "llama-3-8b-8-h100", "--json"});
        QCOMPARE(answer.code, 0);
        QCOMPARE(answer.complaint, QByteArray());
        const QJsonObject json = objectOf(answer.output);
        QCOMPARE(json["format"].toString(), QStringLiteral("cardfit/search"));
        QCOMPARE(json["version"].toInt(), 1);
        QCOMPARE(json["objective"].toString(), QStringLiteral("days"));
        QCOMPARE(json["proven"].toBool(), true);
        const QJsonObject decided = json["decided"].toObject();
        double sum = 0.0;
        for (const char* bucket : {"evaluated", "over_memory", "slower", "limited", "undecided"}) {
            QVERIFY2(decided[QLatin1String(bucket)].isDouble(), bucket);
            sum += decided[QLatin1String(bucket)].toDouble();
        }
        for (const QJsonValue& count : decided["rules"].toObject())
            sum += count.toDouble();
        QCOMPARE(sum, json["space"]["plans"].toDouble());
        QVERIFY(json["space"]["degrees"].toDouble() > 0.0);
        QVERIFY(json["seconds"].isDouble());
        QVERIFY(json["robust"].isDouble());
        QCOMPARE(json["pareto"]["figures"].toArray(), (QJsonArray{"memory", "days"}));
        QVERIFY(!json["pareto"]["plans"].toArray().isEmpty());
        QCOMPARE(json["top"].toArray().size(), 5);
        double before = 0.0;
        for (const QJsonValue& row : json["top"].toArray()) {
            for (const char* key : {"set", "plan", "fits", "tie", "step_seconds", "tokens_per_second", "days",
                     "cost_usd", "cards", "worst_device_bytes", "bubble_fraction"}) {
                QVERIFY2(row.toObject().contains(QLatin1String(key)), key);
            }
            QVERIFY(row["step_seconds"].toDouble() >= before);
            before = row["step_seconds"].toDouble();
        }
    }

    /// The plan of a row, and the searched plan with the row's settings, are estimated to the row's figures.
    void rowsAreEstimatesOfTheirPlans()
    {
        const QTemporaryDir folder;
        const QJsonObject json = objectOf(runCardfit({"search", "llama-3-8b-8-h100", "--json"}).output);
        for (const QJsonValue& row : json["top"].toArray()) {
            const QString file = written(folder, "plan.json", QJsonDocument(row["plan"].toObject()).toJson());
            QStringList set{"estimate", "llama-3-8b-8-h100", "--json"};
            const QJsonObject settings = row["set"].toObject();
            for (auto one = settings.begin(); one != settings.end(); ++one) {
                const QByteArray list = QJsonDocument(QJsonArray{one.value()}).toJson(QJsonDocument::Compact);
                const QString value =
                    one->isString() ? one->toString() : QString::fromUtf8(list.mid(1, list.size() - 2));
                set << "--set" << one.key() + "=" + value;
            }
            for (const QStringList& command : {QStringList{"estimate", file, "--json"}, set}) {
                const QJsonObject estimate = objectOf(runCardfit(command).output);
                QCOMPARE(estimate["fits"].toBool(), row["fits"].toBool());
                QCOMPARE(estimate["step"]["seconds"].toDouble(), row["step_seconds"].toDouble());
                double worst = 0.0;
                for (const QJsonValue& stage : estimate["stages"].toArray())
                    worst = std::max(worst, stage["device_bytes"].toDouble());
                QCOMPARE(worst, row["worst_device_bytes"].toDouble());
            }
        }
    }

    void textAndCsv()
    {
        const Answer text = runCardfit({"search", "llama-3-8b-8-h100", "--why"});
        QCOMPARE(text.code, 0);
        for (const char* part : {"Best by days:", "worst card", "Pareto front, memory against days",
                 "The plan as given:", "over memory", "break CARDS", "Why not:"}) {
            QVERIFY2(text.output.contains(part), part);
        }
        const Answer csv = runCardfit({"search", "llama-3-8b-8-h100", "--csv", "--top", "2"});
        QCOMPARE(csv.output.count('\n'), 3);
        QVERIFY(csv.output.startsWith("rank,/parallelism/tensor,"));
        QCOMPARE(csv.output.split('\n')[0].count(','), csv.output.split('\n')[1].count(','));
    }

    void nothingFits()
    {
        const Answer answer = runCardfit(
            {"search", "llama-3.1-405b-1024-h100", "--cards", "8", "--set", "/parallelism/data=none", "--json"});
        QCOMPARE(answer.code, 1);
        const QJsonObject json = objectOf(answer.output);
        QVERIFY(json["top"].toArray().isEmpty());
        QVERIFY(json["nearest"]["over_bytes"].toDouble() > 0.0);
        QVERIFY(json["nearest"]["stage"].isDouble());
        QCOMPARE(json["nearest"]["fits"].toBool(), false);
        // Suggested changes are verified first: no plan for this model fits on one node.
        const Answer text =
            runCardfit({"search", "llama-3.1-405b-1024-h100", "--cards", "8", "--set", "/parallelism/data=none"});
        QVERIFY(text.output.contains("Nothing fits. The least deficit is "));
        QVERIFY2(
            text.output.contains("No single change of that plan makes it fit. What frees most:\n  /"), text.output);
        QVERIFY(text.output.contains(" over, step "));
    }

    void limitsAndOtherStarts()
    {
        QCOMPARE(runCardfit({"search", "llama-3-8b-8-h100", "--limit", "step<1e-9"}).code, 1);
        // What fits and misses a limit: the best plan without it is named.
        const QJsonObject limited =
            objectOf(runCardfit({"search", "llama-3-8b-8-h100", "--limit", "step<1e-9", "--json"}).output);
        const QJsonObject free = objectOf(runCardfit({"search", "llama-3-8b-8-h100", "--json"}).output);
        QCOMPARE(limited["nearest"]["plan"], free["top"][0]["plan"]);
        QCOMPARE(runCardfit({"search", "llama-3-8b-8-h100", "--pin", "tensor=3"}).code, 2);
        const QTemporaryDir folder;
        const QString config = written(folder, "config.json", R"({"model_type": "llama", "hidden_size": 2048,
            "num_hidden_layers": 16, "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 8192,
            "vocab_size": 128256})");
        const Answer answer = runCardfit({"search", config, "--cards", "16", "--json"});
        QCOMPARE(answer.code, 0);
        QCOMPARE(objectOf(answer.output)["top"][0]["cards"].toInt(), 16);
    }

    /// A signal while a command works leaves the file that it was to write as it was. A search says what it has found;
    /// other commands just end.
    void interruptsLeaveTheFile_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<int>("signal");
        const QStringList search{"search", "deepseek-v3-2048-h800", "--objective", "memory", "--cards", "256..16384"};
        const QStringList sweep{
            "sweep", "deepseek-v3-2048-h800", "--best", "--x", "/workload/sequence_length=1024..65536"};
        for (const int signal : {SIGINT, SIGTERM}) {
            QTest::addRow("search %d", signal) << search << signal;
            QTest::addRow("sweep %d", signal) << sweep << signal;
        }
    }
    void interruptsLeaveTheFile()
    {
        QFETCH(const QStringList, command);
        QFETCH(const int, signal);
        const QTemporaryDir folder;
        const QString file = written(folder, "s.json", "an earlier answer\n");
        QProcess process;
        process.start(QStringLiteral(CARDFIT_PROGRAM), QStringList(command) << "--output" << file);
        QVERIFY(process.waitForStarted());
        QTest::qWait(1500); // the handler stands, and the work is not nearly done
        QCOMPARE(process.state(), QProcess::Running);
        ::kill(static_cast<pid_t>(process.processId()), signal);
        QVERIFY(process.waitForFinished());
        QFile kept(file);
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(kept.readAll(), QByteArray("an earlier answer\n"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
        if (command.front() != "search") {
            QCOMPARE(process.exitStatus(), QProcess::CrashExit); // which a shell reports as 128 + signal
            QCOMPARE(process.exitCode(), signal);
            return;
        }
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 128 + signal);
        QVERIFY(process.readAllStandardOutput().contains("stopped: not all decided"));
        QVERIFY(process.readAllStandardError().contains("is left as it was"));
    }

    void servedPlans()
    {
        const Answer answer = runCardfit({"search", "llama-3-70b-serving-dgx-h100"});
        QCOMPARE(answer.code, 0);
        QVERIFY2(answer.output.contains("Best by sequences held per card:"), answer.output);
        for (const char* part : {"1f1b", "virtual pipeline", "robust", "  -  "})
            QVERIFY2(!answer.output.contains(part), answer.output);
        QCOMPARE(runCardfit({"search", "llama-3-70b-serving-dgx-h100", "--free", "schedule"}).code, 64);
        const QJsonObject json = objectOf(runCardfit({"search", "llama-3-70b-serving-dgx-h100", "--json"}).output);
        QVERIFY(json["robust"].isNull());
        QVERIFY(json["top"][0]["sequences"].toDouble() >= json["top"][1]["sequences"].toDouble());
    }

    void wrongUsage()
    {
        const auto refused = [](const QStringList& arguments) {
            const Answer answer = runCardfit(QStringList{"search", "llama-3-8b-8-h100"} + arguments);
            // The message names the option that was given, not an equivalent one.
            return answer.code == 64 && answer.complaint.contains(arguments.front().toUtf8());
        };
        QVERIFY(refused({"--pin", "tensor=two"}));
        QVERIFY(refused({"--values", "tensor=1,two"}));
        QVERIFY(refused({"--pareto", "days,speed"}));
        QVERIFY(refused({"--pin", "tensr=2"}));
        QCOMPARE(runCardfit({"search", "llama-3-8b-8-h100", "--pin", "tensor=2", "--values", "tensor=1,2"}).code, 64);
        QVERIFY(refused({"--values", "tensor="}));
        QVERIFY(refused({"--cards", "7"}));
        QVERIFY(refused({"--objective", "speed"}));
        QVERIFY(refused({"--limit", "cost"}));
        QVERIFY(refused({"--limit", "cost<nan"}));
        // Without a number of tokens the days would be those of one.
        QCOMPARE(
            runCardfit({"search", "llama-3-8b-8-h100", "--limit", "days<3", "--set", "/workload/tokens=null"}).code,
            64);
        QVERIFY(refused({"--output", ""}));
        QVERIFY(refused({"--pareto", "days"}));
        QVERIFY(refused({"--accelerator", "h1000"}));
        QCOMPARE(runCardfit({"search", "no-such-plan"}).code, 3);
    }

    void sweeps()
    {
        const QTemporaryDir folder;
        const QString map = folder.filePath("map.svg");
        const Answer answer = runCardfit({"sweep", "llama-3-8b-8-h100", "--x", "/parallelism/tensor=1,2,3", "--y",
            "micro_batch_size=1..4", "--figure", "step", "--json", "--output", map});
        QCOMPARE(answer.code, 0);
        const QJsonObject json = objectOf(answer.output);
        QCOMPARE(json["format"].toString(), QStringLiteral("cardfit/sweep"));
        QCOMPARE(json["x"]["pointer"].toString(), QStringLiteral("/parallelism/tensor"));
        QCOMPARE(json["x"]["values"].toArray(), (QJsonArray{1, 2, 3}));
        QCOMPARE(json["y"]["values"].toArray(), (QJsonArray{1, 2, 4}));
        const QJsonArray cells = json["cells"].toArray();
        QCOMPARE(cells.size(), 9);
        for (int i = 0; i < 9; ++i) {
            QCOMPARE(cells[i]["x"].toInt(), i % 3 + 1);
            for (const char* key : {"x", "y", "verdict", "figure", "over_bytes", "rules"})
                QVERIFY2(cells[i].toObject().contains(QLatin1String(key)), key);
        }
        QCOMPARE(cells[2]["verdict"].toString(), QStringLiteral("invalid"));
        QVERIFY(cells[2]["rules"].toArray().contains("TP-HEADS"));
        QFile svg(map);
        QVERIFY(svg.open(QIODevice::ReadOnly) && svg.readAll().startsWith("<svg"));
        QCOMPARE(runCardfit({"sweep", "llama-3-8b-8-h100", "--x", "tensor=1,2", "--output", "map.bmp"}).code, 64);
        QVERIFY(runCardfit({"sweep", "llama-3-8b-8-h100", "--x", "tensor=1,2", "--best"}).output.contains("days"));
    }
};

CARDFIT_TEST(TestSearchCommand)

} // namespace cardfit::tst_search_command
#include "tst_search_command.moc"
