// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/files/file.h"
#include "core/files/json_reader.h"
#include "core/pipeline/simulation/simulator.h"
#include "core/traces/measured_trace.h"
#include "core/traces/trace_json.h"
#include "tests/test_program.h"

namespace cardfit::tst_measured_trace {

namespace fs = std::filesystem;

using K = OperationKind;

QString message(const Error& error) { return QString::fromStdString(describe(error)); }

/// Letters and micro-batches of a rank: "F0 F1 B0 B1", with the chunk behind if it is not 0.
std::string words(const RankTimeline& rank)
{
    std::string text;
    for (const TimedOperation& timed : rank) {
        const Operation& operation = timed.operation;
        text += text.empty() ? "" : " ";
        text += std::string(operationLetters(operation.kind)) + std::to_string(operation.microbatch);
        if (operation.kind == K::Overlapped) text += "+" + std::to_string(operation.backward_microbatch);
        if (operation.chunk > 0) text += "c" + std::to_string(operation.chunk);
    }
    return text;
}

class TestMeasuredTrace : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void aFolderOfRanks()
    {
        const fs::path run = twoRanks();
        const auto read = readMeasuredRun({run});
        QVERIFY2(read, qPrintable(read ? QString() : message(read.error())));
        QCOMPARE(read->label, std::string("run, iteration 2"));
        QCOMPARE(read->iterations, (std::vector<std::int64_t>{1, 2}));
        QCOMPARE(read->timeline.ranks.size(), 2U);
        QCOMPARE(words(read->timeline.ranks[0]), "F0 F1 B0 B1");
        QCOMPARE(words(read->timeline.ranks[1]), "F0 B0 F1 B1");
        // Milliseconds become seconds, from the first operation of all on.
        QCOMPARE(read->timeline.ranks[0][0].start, 0.0);
        QCOMPARE(read->timeline.ranks[0][0].end, 0.010);
        QCOMPARE(read->timeline.ranks[1][0].start, 0.011);
        QCOMPARE(read->timeline.makespan, 0.070);
        QCOMPARE(read->timeline.placement, Placement::Loop);
    }

    void theFilesOfAFolderInAnyOrder()
    {
        const fs::path run = twoRanks();
        const auto read = readMeasuredRun({run / "pp_rank_1.json", run / "pp_rank_0.json"}, 1);
        QVERIFY(read);
        QCOMPARE(read->label, std::string("run, iteration 1"));
        QCOMPARE(words(read->timeline.ranks[0]), "F0 B0");
    }

    void passesWithoutNamesAreNumberedAsInterleaved()
    {
        const fs::path run = folder("run");
        put(run / "config.json", R"({"pp_size": 1, "vp_size": 2, "num_mbs": 2})");
        put(run / "pp_rank_0.json",
            R"({"7": {"fwd_start": [0, 10, 20, 30], "fwd_end": [10, 20, 30, 40],
                      "bwd_start": [40, 50, 60, 70], "bwd_end": [50, 60, 70, 80]}})");
        QCOMPARE(words(readMeasuredRun({run})->timeline.ranks[0]), "F0 F0c1 F1 F1c1 B0c1 B0 B1c1 B1");

        put(run / "pp_rank_1.json",
            R"({"7": {"fwd_start": [0, 10, 20, 30], "fwd_end": [10, 20, 30, 40],
                      "bwd_start": [40, 50, 60, 70], "bwd_end": [50, 60, 70, 80]}})");
        QCOMPARE(words(readMeasuredRun({run})->timeline.ranks[1]), "F0 F1 F0c1 F1c1 B0c1 B1c1 B0 B1");
    }

    void passesWithNamesKeepThem()
    {
        const fs::path run = folder("run");
        put(run / "pp_rank_0.json",
            R"({"1": {"fwd_start": [0, 10], "fwd_end": [10, 20], "fwd_minibatch": [4, 5], "fwd_chunk": [1, 0],
                      "bwd_start": [30, 20], "bwd_end": [40, 30], "bwd_minibatch": [5, 4], "bwd_chunk": [0, 1],
                      "wgrad_start": [40], "wgrad_end": [50], "wgrad_minibatch": [5], "wgrad_chunk": [0]}})");
        QCOMPARE(words(readMeasuredRun({run})->timeline.ranks[0]), "F4c1 F5 B4c1 I5 W5");
    }

    void passesOfTheSameTimesAreOneBlock()
    {
        const fs::path run = folder("run");
        put(run / "config.json", R"({"vp_size": 1})");
        put(run / "pp_rank_0.json",
            R"({"1": {"fwd_start": [0, 10], "fwd_end": [10, 30], "bwd_start": [10, 30], "bwd_end": [30, 45]}})");
        QCOMPARE(words(readMeasuredRun({run})->timeline.ranks[0]), "F0 FB1+0 B1");
    }

    void whatCardfitWritesItReads()
    {
        ScheduleRequest request;
        request.schedule = Schedule::DualPipeV;
        request.stages = 3;
        request.microbatches = 8;
        request.chunks = 2;
        const std::vector durations(3, std::vector(2, Durations{0.013, 0.012, 0.011}));
        const Timeline planned = *simulate(request, durations, {TransferModel::Latency, 0.001});
        const fs::path file = path("planned.json");
        QVERIFY(writeTrace(file, {planned, "a plan", "dualpipe-v", "1", 1.0, {}}));
        const auto read = readMeasuredRun({file});
        QVERIFY2(read, qPrintable(read ? QString() : message(read.error())));
        QCOMPARE(read->label, std::string("planned"));
        QVERIFY(read->iterations.empty());
        QCOMPARE(read->timeline.ranks.size(), planned.ranks.size());
        for (std::size_t rank = 0; rank < planned.ranks.size(); ++rank) {
            QCOMPARE(read->timeline.ranks[rank].size(), planned.ranks[rank].size());
            for (std::size_t i = 0; i < planned.ranks[rank].size(); ++i) {
                const TimedOperation ours = planned.ranks[rank][i];
                const TimedOperation theirs = read->timeline.ranks[rank][i];
                QCOMPARE(theirs.operation, ours.operation);
                QVERIFY(std::abs(theirs.start - ours.start) < 1.1e-9);
                QVERIFY(std::abs(theirs.end - ours.end) < 1.1e-9);
            }
        }
    }

    void aBareListOfEventsWillDo()
    {
        // Only the list; kinds by name or category; clocks that start anywhere; other events in between.
        put(path("run.json"), R"( [
            {"ph": "X", "pid": 0, "tid": 1, "name": "forward_step", "cat": "fwd", "ts": 1000020.5, "dur": 10, "args": {"microbatch": 3}},
            {"ph": "X", "pid": 0, "tid": 9, "name": "ncclKernel", "cat": "kernel", "ts": 1000021, "dur": 50},
            {"ph": "X", "pid": 0, "tid": 1, "name": "B", "ts": 1000030, "dur": 20.5, "args": {"mb": 3, "chunk": 0}},
            {"ph": "M", "pid": 0, "name": "process_name", "args": {"name": "F"}}])");
        const auto read = readMeasuredRun({path("run.json")});
        QVERIFY2(read, qPrintable(read ? QString() : message(read.error())));
        QCOMPARE(words(read->timeline.ranks[0]), "F3 B3");
        QCOMPARE(read->timeline.ranks[0][0].start, 0.0);
        // Half a microsecond too early, as rounded times may be: at the end of the one before.
        QCOMPARE(read->timeline.ranks[0][1].start, read->timeline.ranks[0][0].end);
        QVERIFY(std::abs(read->timeline.makespan - 30e-6) < 1e-9);
    }

    /// PyTorch's profiler writes trace.json.gz.
    void aZippedTrace()
    {
        // A forward and a backward pass, written by gzip.
        const std::string zipped =
            QByteArray::fromBase64("H4sIAAAAAAAC/4uuVspLzE1VslJQclPSUVAqyAAxI8DMzBQg2wDIKimGMlJK"
                                   "i4AsQxAzsSgdJFqtlJsEkqyt1VFAGOWE3yhDhFlGWM2KBQDlf4FAlwAAAA==")
                .toStdString();
        put(path("trace.json.gz"), zipped);
        const auto read = readMeasuredRun({path("trace.json.gz")});
        QVERIFY2(read, qPrintable(read ? QString() : message(read.error())));
        QCOMPARE(words(read->timeline.ranks[0]), "F0 B0");
        QCOMPARE(read->label, std::string("trace"));
        QVERIFY(looksMeasured(path("trace.json.gz")));
        put(path("cut.json.gz"), zipped.substr(0, zipped.size() / 2));
        const auto cut = readMeasuredRun({path("cut.json.gz")});
        QVERIFY(!cut && message(cut.error()).contains(QStringLiteral("cut.json.gz: expected a gzip file")));
    }

    /// Of a large document only so much is held; what is passed over does not count.
    void whatIsHeldIsBounded()
    {
        const auto keeps = [](const Json& event) { return event.contains("ph"); };
        const auto parsed = [&](const char* text, std::size_t values) {
            JsonRoom room{values, keeps};
            const auto json = parseJson(text, room);
            return json ? compactJson(*json) : json.error().message.english();
        };
        const char* text = R"({"traceEvents": [{"a": [1, 2, 3]}, {"ph": "X"}, {"b": {"ph": 1}}], "c": {}})";
        QCOMPARE(parsed(text, 100), std::string(R"({"traceEvents":[null,{"ph":"X"},null],"c":{}})"));
        QCOMPARE(parsed(text, 8), std::string(R"({"traceEvents":[null,{"ph":"X"},null],"c":{}})"));
        QCOMPARE(parsed(text, 5), std::string("expected at most 5 values, found more"));
        QCOMPARE(parsed(R"([{"a": 1}, {"ph": 1}])", 9), std::string(R"([null,{"ph":1}])"));
    }

    void errorsNameFileAndPlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* text, const char* expected) {
            QTest::newRow(name) << QByteArray(text) << expected;
        };
        row("no JSON", "{", "run.json: line 1, column 1: ");
        row("no events", R"({"a": 1})",
            "run.json: /traceEvents: expected the list of events of a Chrome trace, found nothing");
        row("no event of a pipeline", R"([{"ph": "X", "name": "kernel"}])",
            "run.json: /traceEvents: expected events X named F, B, I, W, F&B or U with their micro-batch as args.mb "
            "and "
            "the rank as pid, found none");
        row("no micro-batch", R"([{"ph": "X", "pid": 0, "name": "F", "ts": 0, "dur": 1}])",
            "run.json: /traceEvents/0/args/mb: expected a whole number from 0 to 1073741823, found nothing");
        row("half a micro-batch", R"([{"ph": "X", "pid": 0, "name": "F", "ts": 0, "dur": 1, "args": {"mb": 1.5}}])",
            "run.json: /traceEvents/0/args/mb: expected a whole number from 0 to 1073741823, found 1.5");
        row("no time", R"([{"ph": "X", "pid": 0, "name": "F", "ts": "0", "dur": 1, "args": {"mb": 1}}])",
            "run.json: /traceEvents/0/ts: expected microseconds, found \"0\"");
        row("no rank 0", R"([{"ph": "X", "pid": 1, "name": "F", "ts": 0, "dur": 1, "args": {"mb": 1}}])",
            "run.json: /traceEvents/0/pid: expected ranks from 0 without a gap, found 1 but not 0");
        row("two steps",
            R"([{"ph": "X", "pid": 0, "name": "F", "ts": 0, "dur": 1, "args": {"mb": 1}},
                {"ph": "X", "pid": 0, "name": "F", "ts": 5, "dur": 1, "args": {"mb": 1}}])",
            "run.json: /traceEvents/1: expected one step, so each operation once; found F of micro-batch 1 in chunk 0 "
            "again");
        row("two at once",
            R"([{"ph": "X", "pid": 0, "name": "F", "ts": 0, "dur": 10, "args": {"mb": 1}},
                {"ph": "X", "pid": 0, "name": "F", "ts": 5, "dur": 10, "args": {"mb": 2}}])",
            "run.json: /traceEvents/1: expected operations of a rank one after the other, found one from 5e-06 s to "
            "1.5e-05 s after one that ends at 1e-05 s");
        row("backwards in time", R"([{"ph": "X", "pid": 0, "name": "F", "ts": 5, "dur": -1, "args": {"mb": 1}}])",
            "run.json: /traceEvents/0: expected operations of a rank one after the other, found one from 5e-06 s to "
            "4e-06 s after one that ends at 5e-06 s");
    }
    void errorsNameFileAndPlace()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, expected);
        put(path("run.json"), text.toStdString());
        const auto read = readMeasuredRun({path("run.json")});
        QVERIFY(!read);
        const QString found = message(read.error()).remove(m_folder->path() + "/");
        QVERIFY2(found.startsWith(expected), qPrintable(found));
    }

    void errorsInTheFilesOfRanks_data()
    {
        QTest::addColumn<QByteArray>("config");
        QTest::addColumn<QByteArray>("rank");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* config, const char* rank, const char* expected) {
            QTest::newRow(name) << QByteArray(config) << QByteArray(rank) << expected;
        };
        const char* const one = R"({"vp_size": 1})";
        row("no config", "", R"({"1": {"fwd_start": [0], "fwd_end": [1], "bwd_start": [1], "bwd_end": [2]}})",
            "pp_rank_0.json: /1/fwd_start: expected config.json beside the files, or lists that say micro-batch and "
            "chunk of every pass");
        row("chunks in words", R"({"vp_size": "two"})", "{}",
            "config.json: /vp_size: expected the number of chunks per rank, 1 or more, found \"two\"");
        row("no iteration", one, "{}",
            "pp_rank_0.json: expected an iteration in the files of all ranks; they have none in common");
        row("no number", one, R"({"first": {}})",
            "pp_rank_0.json: /first: expected the number of an iteration as the key");
        row("no list", one, R"({"1": {"fwd_start": [0]}})",
            "pp_rank_0.json: /1/fwd_end: expected a list of milliseconds, found nothing");
        row("a word among times", one, R"({"1": {"fwd_start": [0, "x"], "fwd_end": [1, 2]}})",
            "pp_rank_0.json: /1/fwd_start/1: expected milliseconds since the iteration began, found \"x\"");
        row("an end too few", one, R"({"1": {"fwd_start": [0, 1], "fwd_end": [1]}})",
            "pp_rank_0.json: /1/fwd_end: expected as many ends as starts, which are 2, found 1");
        row("a name too few", one, R"({"1": {"fwd_start": [0, 1], "fwd_end": [1, 2], "fwd_minibatch": [0]}})",
            "pp_rank_0.json: /1/fwd_minibatch: expected one number per pass, which are 2, found 1");
        row("a negative name", one, R"({"1": {"fwd_start": [0], "fwd_end": [1], "fwd_minibatch": [-1]}})",
            "pp_rank_0.json: /1/fwd_minibatch/0: expected a whole number from 0 to 1073741823, found -1");
        row("half a group", R"({"vp_size": 2})",
            R"({"1": {"fwd_start": [0, 1, 2], "fwd_end": [1, 2, 3], "bwd_start": [], "bwd_end": []}})",
            "pp_rank_0.json: /1/fwd_start: expected whole groups of 1 micro-batches in 2 chunks, found 3 passes");
        row("nothing ran", one, R"({"1": {"fwd_start": [], "fwd_end": [], "bwd_start": [], "bwd_end": []}})",
            "pp_rank_0.json: /1: expected forward and backward passes, found none");
        row("two at once", one, R"({"1": {"fwd_start": [0, 5], "fwd_end": [10, 15], "bwd_start": [], "bwd_end": []}})",
            "pp_rank_0.json: /1/fwd_start/1: expected operations of a rank one after the other, found one from 0.005 "
            "s");
    }
    void errorsInTheFilesOfRanks()
    {
        QFETCH(QByteArray, config);
        QFETCH(QByteArray, rank);
        QFETCH(QString, expected);
        const fs::path run = folder("run");
        if (!config.isEmpty()) put(run / "config.json", config.toStdString());
        put(run / "pp_rank_0.json", rank.toStdString());
        const auto read = readMeasuredRun({run});
        QVERIFY(!read);
        const QString found = message(read.error()).remove(QString::fromStdString(run.string()) + "/");
        QVERIFY2(found.startsWith(expected), qPrintable(found));
    }

    void filesThatMakeNoRunAreRefused()
    {
        const fs::path run = twoRanks();
        QVERIFY(!readMeasuredRun({}));
        QVERIFY(message(readMeasuredRun({run}, 3).error())
                    .endsWith("expected iteration 3 in the files of all ranks; they have 1, 2"));
        QVERIFY(message(readMeasuredRun({run / "pp_rank_1.json"}).error()).contains("pp_rank_0.json as well"));
        QVERIFY(message(readMeasuredRun({run / "pp_rank_0.json", run / "config.json"}).error())
                    .contains("config.json: expected one trace, or the files"));
        QCOMPARE(readMeasuredRun({run / "none.json"}).error().code, ErrorCode::CannotRead);
        QVERIFY(message(readMeasuredRun({folder("empty")}).error()).contains("in this folder, found none"));
    }

private:
    [[nodiscard]] fs::path path(const char* name) const { return fs::path(m_folder->path().toStdString()) / name; }
    [[nodiscard]] fs::path folder(const char* name) const
    {
        fs::create_directories(path(name));
        return path(name);
    }
    static void put(const fs::path& file, const std::string& text) { QVERIFY(writeFile(file, text)); }

    /// A run of 1F1B on two ranks, with a first iteration of one micro-batch.
    [[nodiscard]] fs::path twoRanks() const
    {
        const fs::path run = folder("run");
        put(run / "config.json", R"({"pp_size": 2, "vp_size": 1, "num_mbs": 2})");
        put(run / "pp_rank_0.json",
            R"({"1": {"fwd_start": [0.0], "fwd_end": [10.0], "bwd_start": [40.0], "bwd_end": [60.0]},
                "2": {"total": 71.0, "memory": 40.5, "fwd_start": [1, 11], "fwd_end": [11, 21], "fwd_minibatch": [],
                      "bwd_start": [31, 51], "bwd_end": [51, 71], "bwd_minibatch": [], "wgrad_start": [],
                      "wgrad_end": []}})");
        put(run / "pp_rank_1.json",
            R"({"1": {"fwd_start": [10.0], "fwd_end": [20.0], "bwd_start": [20.0], "bwd_end": [40.0]},
                "2": {"fwd_start": [12, 31], "fwd_end": [21, 40], "bwd_start": [21, 40], "bwd_end": [31, 50]}})");
        return run;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

CARDFIT_TEST(TestMeasuredTrace)

} // namespace cardfit::tst_measured_trace
#include "tst_measured_trace.moc"
