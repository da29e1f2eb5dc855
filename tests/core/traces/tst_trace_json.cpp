// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <locale>
#include <map>
#include <set>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/files/file.h"
#include "core/pipeline/simulation/simulator.h"
#include "core/traces/trace_json.h"
#include "tests/core/live_activations.h"
#include "tests/core/pipeline/asked_schedules.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_trace_json {

using samples::asked;

/// A slice of one thread, in nanoseconds.
struct Slice {
    QString name;
    QString category;
    qint64 start = 0;
    qint64 end = 0;
    QJsonObject args;
    double ts = 0.0; ///< as the file has them
    double dur = 0.0;

    [[nodiscard]] bool contains(qint64 instant) const
    {
        return start == end ? instant == start : instant >= start && instant < end;
    }
};

struct ArrowEnd {
    int rank = 0;
    QString name;
    qint64 instant = 0;
    Slice slice; ///< that it is bound to
};

struct Counter {
    qint64 instant = 0;
    QJsonObject values;
};

/// A trace file, read by the rules of the Trace Event Format; `problem` says which one is broken.
struct ReadTrace {
    QString problem;
    QJsonObject other_data;
    std::map<std::pair<int, int>, std::vector<Slice>> threads; ///< by rank and thread, in order of time
    std::map<qint64, ArrowEnd> starts; ///< by id
    std::map<qint64, ArrowEnd> ends;
    std::map<std::pair<int, QString>, std::vector<Counter>> counters;
    std::map<int, QString> process_names;
    std::map<std::pair<int, int>, QString> thread_names;

    [[nodiscard]] std::size_t slicesOf(int thread) const
    {
        std::size_t count = 0;
        for (const auto& [place, slices] : threads)
            count += place.second == thread ? slices.size() : 0;
        return count;
    }
};

class Reader {
public:
    ReadTrace read(const std::string& text)
    {
        QJsonParseError error;
        const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(text), &error);
        if (error.error != QJsonParseError::NoError) return {error.errorString(), {}, {}, {}, {}, {}, {}, {}};
        const QJsonObject top = document.object();
        require(top.keys() == QStringList({"displayTimeUnit", "otherData", "traceEvents"}), "keys of the file");
        require(top["displayTimeUnit"] == "ms", "displayTimeUnit");
        m_trace.other_data = top["otherData"].toObject();
        const QJsonArray events = top["traceEvents"].toArray();
        for (const auto& event : events)
            readEvent(event.toObject());
        for (auto& thread : m_trace.threads)
            sortThread(thread.second);
        for (const auto& arrow : m_arrows)
            bind(arrow);
        for (const auto& [id, start] : m_trace.starts)
            require(m_trace.ends.count(id) == 1 && m_trace.ends[id].name == start.name, "an arrow has two ends");
        require(m_trace.starts.size() == m_trace.ends.size(), "an arrow has two ends");
        for (const auto& [place, slices] : m_trace.threads)
            require(m_trace.thread_names.count(place) == 1, "every thread has a name");
        return m_trace;
    }

private:
    void require(bool kept, const QString& rule)
    {
        if (!kept && m_trace.problem.isEmpty()) m_trace.problem = rule;
    }
    int number(const QJsonObject& event, const char* key)
    {
        const QJsonValue value = event[QLatin1String(key)];
        require(value.isDouble() && value.toInteger(-1) >= 0, QString("%1 is a whole number").arg(key));
        return static_cast<int>(value.toInteger());
    }
    /// Microseconds with three digits.
    qint64 time(const QJsonObject& event, const char* key)
    {
        const QJsonValue value = event[QLatin1String(key)];
        const double nanoseconds = value.toDouble(-1.0) * 1000.0;
        require(value.isDouble() && nanoseconds >= 0.0, QString("%1 is a time").arg(key));
        require(std::abs(nanoseconds - std::round(nanoseconds)) < 1e-3, QString("%1 is whole nanoseconds").arg(key));
        return std::llround(nanoseconds);
    }

    void readEvent(const QJsonObject& event)
    {
        const QString phase = event["ph"].toString();
        const int rank = number(event, "pid");
        const QString name = event["name"].toString();
        require(!name.isEmpty(), "every event has a name");
        const QJsonObject args = event["args"].toObject();
        if (phase == "M") {
            require(event.contains("args"), "metadata has args");
            if (name == "process_name") m_trace.process_names[rank] = args["name"].toString();
            if (name == "thread_name") m_trace.thread_names[{rank, number(event, "tid")}] = args["name"].toString();
            if (name.endsWith("sort_index")) require(args["sort_index"].isDouble(), "a sort index is a number");
        } else if (phase == "X") {
            const qint64 start = time(event, "ts");
            require(!event["cat"].toString().isEmpty(), "a slice has a category");
            m_trace.threads[{rank, number(event, "tid")}].push_back({name, event["cat"].toString(), start,
                start + time(event, "dur"), args, event["ts"].toDouble(), event["dur"].toDouble()});
        } else if (phase == "s" || phase == "f") {
            require(event["cat"] == "p2p", "category of an arrow");
            require((phase == "f") == (event["bp"] == "e"), "an arrow ends at the slice around it");
            m_arrows.push_back(event);
        } else if (phase == "C") {
            auto& counter = m_trace.counters[{rank, name}];
            const qint64 instant = time(event, "ts");
            require(counter.empty() || counter.back().instant < instant, "a counter has one value at a time");
            for (const auto& value : args)
                require(value.isDouble(), "counters are numbers");
            counter.push_back({instant, args});
        } else {
            require(false, "phase " + phase);
        }
    }

    void sortThread(std::vector<Slice>& slices)
    {
        std::ranges::stable_sort(slices, {}, &Slice::start);
        // Nor for a reader that computes with fractions of microseconds, or with those rounded down to nanoseconds.
        const auto rounded = [](double microseconds) { return static_cast<qint64>(microseconds * 1000.0); };
        for (std::size_t i = 1; i < slices.size(); ++i) {
            const Slice& one = slices[i - 1];
            const Slice& next = slices[i];
            require(one.end <= next.start, "slices of a thread do not overlap");
            require(one.ts + one.dur <= next.ts, "slices of a thread do not overlap in microseconds");
            require(rounded(one.ts) + rounded(one.dur) <= rounded(next.ts),
                "slices of a thread do not overlap in nanoseconds");
        }
    }

    void bind(const QJsonObject& event)
    {
        const int rank = number(event, "pid");
        const qint64 instant = time(event, "ts");
        for (const Slice& slice : m_trace.threads[{rank, number(event, "tid")}]) {
            if (!slice.contains(instant)) continue;
            auto& ends = event["ph"] == "s" ? m_trace.starts : m_trace.ends;
            const bool added =
                ends.emplace(number(event, "id"), ArrowEnd{rank, event["name"].toString(), instant, slice}).second;
            return require(added, "an id belongs to one arrow");
        }
        require(false, "an arrow is bound to a slice");
    }

    ReadTrace m_trace;
    std::vector<QJsonObject> m_arrows;
};

ReadTrace readTrace(const Trace& trace)
{
    const auto text = traceJson(trace);
    if (!text) return {QString::fromStdString(describe(text.error())), {}, {}, {}, {}, {}, {}, {}};
    return Reader().read(*text);
}

Timeline simulated(const ScheduleRequest& request, Transfers transfers = {})
{
    const Durations times{1.0, 1.25, 0.75, std::nullopt, 0.25};
    return *simulate(request, samples::equalStages(request, times), transfers);
}

Trace plain(const Timeline& timeline) { return {timeline, {}, "test", "1", kSecondsPerPlainUnit, {}}; }

/// Values that go from one rank to another: activations and as many gradients.
std::size_t crossings(const Timeline& timeline, std::size_t chunks, std::size_t microbatches)
{
    std::size_t edges = 0;
    const auto all = pipes(timeline.placement, timeline.ranks.size(), chunks);
    for (const Pipe& pipe : all) {
        for (std::size_t i = 1; i < pipe.size(); ++i)
            edges += pipe[i].rank != pipe[i - 1].rank ? 1 : 0;
    }
    return 2 * edges * microbatches / all.size();
}

/// German numbers for everybody who asks.
struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

class TestTraceJson : public QObject {
    Q_OBJECT

private slots:
    void keepsTheRulesOfTheFormat_data()
    {
        QTest::addColumn<int>("schedule");
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("microbatches");
        QTest::addColumn<int>("chunks");
        QTest::addColumn<double>("transfer");
        const auto row = [](const char* name, Schedule schedule, int stages, int microbatches, int chunks,
                             double transfer = 0.0) {
            QTest::newRow(name) << static_cast<int>(schedule) << stages << microbatches << chunks << transfer;
        };
        row("one card", Schedule::OneFOneB, 1, 3, 1);
        row("1F1B, folded", Schedule::OneFOneB, 4, 100, 1);
        row("interleaved: a ring", Schedule::InterleavedOneFOneB, 4, 16, 3, 0.25);
        row("transfers that overtake operations", Schedule::GPipe, 3, 12, 1, 5.5);
        row("split backwards", Schedule::ZbH1, 4, 12, 1, 0.5);
        row("there and back", Schedule::ZbV, 4, 12, 2, 0.125);
        row("overlapped blocks", Schedule::DualPipeV, 3, 10, 2, 0.125);
        row("two pipes", Schedule::DualPipe, 4, 12, 2, 0.125);
        row("weight updates", Schedule::PipeDream, 3, 6, 1);
    }
    void keepsTheRulesOfTheFormat()
    {
        QFETCH(int, schedule);
        QFETCH(int, stages);
        QFETCH(int, microbatches);
        QFETCH(int, chunks);
        QFETCH(double, transfer);
        ScheduleRequest request = asked(static_cast<Schedule>(schedule), stages, microbatches, chunks);
        QVERIFY(!refusalUnfolded(request));
        const Timeline timeline = simulated(request, {TransferModel::Latency, transfer});
        const ReadTrace trace = readTrace(plain(timeline));
        QCOMPARE(trace.problem, QString());

        std::size_t operations = 0;
        for (const RankTimeline& rank : timeline.ranks)
            operations += rank.size();
        QCOMPARE(trace.slicesOf(0), operations);
        QCOMPARE(trace.process_names.size(), timeline.ranks.size());
        const std::size_t values =
            crossings(timeline, static_cast<std::size_t>(chunks), static_cast<std::size_t>(microbatches));
        QCOMPARE(trace.starts.size(), values);

        // An arrow goes from a stage to its neighbour, with the same micro-batch, and never back in time.
        std::size_t sent = 0;
        for (const auto& [id, start] : trace.starts) {
            const ArrowEnd& end = trace.ends.at(id);
            QVERIFY(start.rank != end.rank);
            const bool gradient = start.name == "grad";
            const auto half = [&](const ArrowEnd& arrow, const char* what) {
                const bool of_block = gradient && arrow.slice.name == "F&B";
                return arrow.slice.args[QLatin1String(of_block ? "backward_" : "") + QLatin1String(what)].toInt(-1);
            };
            QCOMPARE(half(start, "mb"), half(end, "mb"));
            QCOMPARE(half(end, "stage") - half(start, "stage"), gradient ? -1 : 1);
            QVERIFY(end.slice.start >= start.slice.end + std::llround(transfer * 1e6));
        }
        for (const auto& [place, slices] : trace.threads)
            sent += place.second > 0 ? slices.size() : 0;
        QCOMPARE(sent, transfer > 0.0 ? values : 0);
        for (int rank = 0; rank < stages; ++rank) {
            const auto& in_flight = trace.counters.at({rank, QString("in flight")});
            QCOMPARE(in_flight.back().values["forward passes"].toInt(-1), 0);
            int most = 0;
            for (const Counter& counter : in_flight)
                most = std::max(most, counter.values["forward passes"].toInt());
            QCOMPARE(most, static_cast<int>(peakInFlight(timeline.ranks[static_cast<std::size_t>(rank)])));
        }
    }

    /// No binary fraction of a microsecond is the end of such an operation.
    void slicesMeetForEveryReader()
    {
        const ScheduleRequest request = asked(Schedule::GPipe, 2, 700, 1);
        const Durations odd{98.47731, 193.51573, 0.0, std::nullopt, 0.0};
        const auto timeline =
            simulate(request, samples::equalStages(request, odd), {TransferModel::Latency, 98.47731 / 3.0});
        QVERIFY(timeline.has_value());
        const ReadTrace trace = readTrace(plain(*timeline));
        QCOMPARE(trace.problem, QString());
        // Nothing is lost but a nanosecond.
        const auto& slices = trace.threads.at({0, 0});
        QCOMPARE(slices.size(), std::size_t(1400));
        for (std::size_t i = 0; i < 700; ++i) {
            const double missing = static_cast<double>(i + 1) * 98.47731e6 - static_cast<double>(slices[i].end);
            QVERIFY2(std::abs(missing) < 1.6, qPrintable(QString::number(missing)));
        }
    }

    void aSliceSaysWhatAndWhen()
    {
        const Timeline timeline = simulated(asked(Schedule::InterleavedOneFOneB, 2, 2, 2));
        const ReadTrace trace = readTrace(plain(timeline));
        QCOMPARE(trace.process_names.at(1), QString("rank 1 (stages 1, 3)"));
        QCOMPARE(trace.thread_names.at({1, 0}), QString("compute"));
        const auto& slices = trace.threads.at({1, 0});
        QCOMPARE(slices.front().name, QString("F"));
        QCOMPARE(slices.front().category, QString("fwd"));
        // One unit of a timeline without a unit is a millisecond.
        QCOMPARE(slices.front().start, 1'000'000);
        QCOMPARE(slices.front().end, 2'000'000);
        QCOMPARE(slices.back().name, QString("B"));
        QJsonObject args = slices.back().args;
        args.remove("slack_us");
        args.remove("critical");
        QCOMPARE(args, QJsonObject({{"mb", 1}, {"chunk", 0}, {"stage", 1}}));
    }

    void anOverlappedBlockNamesBothHalves()
    {
        Timeline timeline;
        timeline.ranks = {RankTimeline{{{OperationKind::Forward, 0, 0}, 0.0, 1.0},
            {overlapped({0, 1}, {0, 0}), 1.0, 3.0}, {{OperationKind::Backward, 0, 1}, 3.0, 5.0}}};
        timeline.makespan = 5.0;
        const ReadTrace trace = readTrace(plain(timeline));
        QCOMPARE(trace.problem, QString());
        const Slice& block = trace.threads.at({0, 0})[1];
        QCOMPARE(block.name, QString("F&B"));
        QCOMPARE(block.category, QString("overlap"));
        QCOMPARE(block.args,
            QJsonObject({{"mb", 1}, {"chunk", 0}, {"stage", 0}, {"backward_mb", 0}, {"backward_chunk", 0},
                {"backward_stage", 0}, {"critical", true}, {"slack_us", 0.0}}));
    }

    void operationsSayHowLateTheyMayBe()
    {
        // Rank 1 is twice as fast, so only it has time to spare.
        const std::vector<std::vector<Durations>> durations{{Durations{2.0, 2.0, 2.0}}, {Durations{1.0, 1.0, 1.0}}};
        const Timeline timeline = *simulate(asked(Schedule::GPipe, 2, 3, 1), durations, {});
        const ReadTrace trace = readTrace(plain(timeline));
        QCOMPARE(trace.problem, QString());
        QVERIFY(!trace.other_data.contains("slack_us"));
        int critical = 0;
        for (const auto& [place, slices] : trace.threads) {
            for (const Slice& slice : slices) {
                const double slack = slice.args["slack_us"].toDouble(-1.0);
                QVERIFY(slack >= 0.0);
                if (place.first == 0) QCOMPARE(slack, 0.0);
                critical += slice.args["critical"].toBool() ? 1 : 0;
                if (slice.args["critical"].toBool()) QCOMPARE(slack, 0.0);
            }
        }
        // The first forward pass of rank 1 ends at 3. It may end at 5, as the second may at 6, where the third begins.
        QCOMPARE(trace.threads.at({1, 0}).front().args["slack_us"].toDouble(), 2000.0);
        QCOMPARE(critical, 8);

        // Pairs of two passes, with transfers that take no time between them.
        const ScheduleRequest eager = asked(Schedule::EagerOneFOneB, 2, 4, 1);
        const Timeline hidden =
            *simulate(eager, samples::equalStages(eager, {2.0, 1.0, 2.0}), {TransferModel::Serialized, 0.0});
        QVERIFY(readTrace(plain(hidden)).other_data["critical"].toString().startsWith("not known: "));
    }

    void theSecondStageOfABidirectionalRankIsNamed()
    {
        const Timeline timeline = simulated(asked(Schedule::DualPipe, 4, 8, 2));
        QCOMPARE(readTrace(plain(timeline)).process_names.at(1), QString("rank 1 (stages 1, reverse 2)"));
    }

    void memoryIsThatOfTheEstimate()
    {
        const Estimate result = estimate(samples::llama13BOnEightCards());
        QVERIFY(result.complete());
        const ReadTrace trace = readTrace(traceOf(result, "9.9"));
        QCOMPARE(trace.problem, QString());
        QCOMPARE(trace.other_data["plan"].toString(), QString::fromStdString(result.plan));
        QCOMPARE(trace.other_data["schedule"].toString(), QString("1f1b"));
        QCOMPARE(trace.other_data["version"].toString(), QString("9.9"));
        for (std::size_t stage = 0; stage < result.stages.size(); ++stage) {
            const auto& counters = trace.counters.at({static_cast<int>(stage), QString("memory (bytes)")});
            const auto expected = samples::activationsOverTime(result, stage);
            qint64 most = 0;
            for (const Counter& counter : counters) {
                const qint64 held = counter.values["activations"].toInteger(-1);
                // Half a nanosecond later: the file's times are rounded.
                QCOMPARE(held, expected.at(static_cast<double>(counter.instant) * 1e-9 + 0.6e-9).value());
                most = std::max(most, held);
            }
            QCOMPARE(most, std::ranges::max(expected.live).value());
            QCOMPARE(counters.front().instant, 0);
            QCOMPARE(counters.back().values["activations"].toInteger(-1), 0);
            const StageMemory& memory = result.stages[stage];
            const Bytes constant =
                memory.device() - memory[Segment::Activations] - memory[Segment::Temporary] - memory[Segment::Reserve];
            QCOMPARE(counters.front().values["static"].toInteger(), constant.value());
        }
        // Seconds: the last slice ends with the step, but for a nanosecond.
        qint64 last = 0;
        for (const auto& [place, slices] : trace.threads)
            last = std::max(last, slices.back().end);
        QVERIFY(std::abs(static_cast<double>(last) - result.timeline->makespan * 1e9) < 1.6);
    }

    void shortOperationsKeepTheirArrows()
    {
        // A unit of a millionth of a second, and operations of 0 to 3 ns.
        const Durations times{0.003, 0.001, 0.0};
        const std::vector durations(3, std::vector(1, times));
        const Timeline timeline = *simulate(asked(Schedule::OneFOneB, 3, 5, 1), durations, {});
        Trace trace = plain(timeline);
        trace.seconds_per_unit = 1e-6;
        const ReadTrace read = readTrace(trace);
        QCOMPARE(read.problem, QString());
        QCOMPARE(read.starts.size(), std::size_t{2 * 2 * 5});
    }

    void numbersDoNotFollowTheLocale()
    {
        const Timeline timeline = simulated(asked(Schedule::ZbH1, 3, 6, 1), {TransferModel::Latency, 0.125});
        const auto before = traceJson(plain(timeline));
        const std::locale old = std::locale::global(std::locale(std::locale::classic(), new Comma));
        const auto after = traceJson(plain(timeline));
        std::locale::global(old);
        QCOMPARE(*after, *before);
        QVERIFY(before->find("\"ts\":125.000") != std::string::npos
            || before->find("\"ts\":1125.000") != std::string::npos);
    }

    void textsAreEscaped()
    {
        const Timeline timeline = simulated(asked(Schedule::OneFOneB, 1, 1, 1));
        Trace trace = plain(timeline);
        trace.plan = "a \"plan\"\n\\ {}";
        const ReadTrace read = readTrace(trace);
        QCOMPARE(read.problem, QString());
        QCOMPARE(read.other_data["plan"].toString(), QString("a \"plan\"\n\\ {}"));
    }

    void aFileIsTheSameText()
    {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("run.json").toStdString();
        // Long enough for several parts.
        const Timeline timeline = simulated(asked(Schedule::OneFOneB, 4, 512, 1));
        QVERIFY(writeTrace(file, plain(timeline)));
        const auto text = readFile(file);
        QVERIFY(text);
        QVERIFY(text->size() > 200'000);
        QCOMPARE(*text, *traceJson(plain(timeline)));

        const auto written = writeTrace(folder.filePath("no/run.json").toStdString(), plain(timeline));
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::CannotWrite);
    }

    void whatDoesNotFitIsRefused()
    {
        Timeline timeline = simulated(asked(Schedule::OneFOneB, 64, 1 << 20, 1));
        const auto refused = traceJson(plain(timeline));
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::OutOfRange);
        QVERIFY(refused.error().message.english().find("67108864") != std::string::npos);

        timeline = simulated(asked(Schedule::OneFOneB, 2, 2, 1));
        Trace trace = plain(timeline);
        trace.seconds_per_unit = 1e10;
        QCOMPARE(traceJson(trace).error().code, ErrorCode::OutOfRange);
        QTemporaryDir folder;
        const auto file = folder.filePath("run.json").toStdString();
        QCOMPARE(writeTrace(file, trace).error().file, file);
        QVERIFY(!std::filesystem::exists(file));
    }
};

CARDFIT_TEST(TestTraceJson)

} // namespace cardfit::tst_trace_json
#include "tst_trace_json.moc"
