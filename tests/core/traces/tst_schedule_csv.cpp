// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <rapidcheck.h>

#include "core/traces/schedule_csv.h"
#include "tests/core/pipeline/asked_schedules.h"
#include "tests/test_program.h"

namespace cardfit::tst_schedule_csv {

using samples::asked;

using K = OperationKind;

Result<Timeline> simulated(const ScheduleRequest& request) { return simulate(request, samples::equalStages(request)); }

ScheduleOrder order(const ScheduleRequest& request)
{
    return {programs(request), placementOf(request.schedule), request.chunks, request.microbatches};
}

QString message(const Error& error) { return QString::fromStdString(describe(error)); }

class TestScheduleCsv : public QObject {
    Q_OBJECT

private slots:
    void writesWhatPyTorchReads()
    {
        // Its test_schedule.py: two ranks, two micro-batches.
        QCOMPARE(*scheduleCsv(*simulated(asked(Schedule::OneFOneB, 2, 2, 1))), "0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n");
    }

    void stagesAreThoseOfTheWholeModel()
    {
        const std::string loop = *scheduleCsv(*simulated(asked(Schedule::InterleavedOneFOneB, 2, 2, 2)));
        QCOMPARE(loop, "0F0,0F1,2F0,2F1,2B0,2B1,0B0,0B1\n1F0,1F1,3F0,3B0,3F1,3B1,1B0,1B1\n");
        const std::string there_and_back = *scheduleCsv(*simulated(asked(Schedule::ZbV, 2, 3, 2)));
        QVERIFY(there_and_back.starts_with("0F0,0F1,0F2,3F0,3I0,3W0,"));
        QVERIFY(there_and_back.find("\n1F0,2F0,") != std::string::npos);
    }

    void blocksHaveTwoHalves()
    {
        const std::string text = *scheduleCsv(*simulated(asked(Schedule::DualPipeV, 4, 10, 2)));
        QVERIFY(text.find(",(0F7;7B3)OVERLAP_F_B,(7F4;0B0)OVERLAP_F_B,") != std::string::npos);
    }

    void readsBackWhatItWrote_data()
    {
        QTest::addColumn<int>("schedule");
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("microbatches");
        QTest::addColumn<int>("chunks");
        const auto row = [](const char* name, Schedule schedule, int stages, int microbatches, int chunks) {
            QTest::newRow(name) << static_cast<int>(schedule) << stages << microbatches << chunks;
        };
        row("one rank", Schedule::GPipe, 1, 3, 1);
        row("1f1b", Schedule::OneFOneB, 4, 40, 1);
        row("interleaved", Schedule::InterleavedOneFOneB, 4, 8, 3);
        row("zb-h1", Schedule::ZbH1, 4, 9, 1);
        row("zb-v", Schedule::ZbV, 4, 12, 2);
        row("v-half", Schedule::VHalf, 4, 12, 2);
        row("dualpipe-v", Schedule::DualPipeV, 4, 10, 2);
    }
    void readsBackWhatItWrote()
    {
        QFETCH(int, schedule);
        QFETCH(int, stages);
        QFETCH(int, microbatches);
        QFETCH(int, chunks);
        const ScheduleRequest request = asked(static_cast<Schedule>(schedule), stages, microbatches, chunks);
        const Timeline timeline = *simulated(request);
        const auto read = parseScheduleCsv(*scheduleCsv(timeline));
        QVERIFY2(read, qPrintable(read ? QString() : message(read.error())));
        QCOMPARE(read->ranks, order(request).ranks);
        QCOMPARE(*read, order(request));
        // What was read runs as what was written.
        QCOMPARE(simulate(read->ranks, read->placement, samples::equalStages(request))->makespan, timeline.makespan);
    }

    void readsWhatOthersWrite()
    {
        // Empty cells, lines that end as on Windows, halves in either order, no end of the last line.
        const auto read = parseScheduleCsv(" 0F0,,0F1 ,(0B0;0F2)OVERLAP_F_B,0I1,0B2,0W1,,\r\n"
                                           ",1F0,1F1,1B0,1I1,1W1,,1F2,1B2");
        QVERIFY2(read, qPrintable(read ? QString() : message(read.error())));
        QCOMPARE(read->microbatches, 3);
        QCOMPARE(read->chunks, 1);
        QCOMPARE(read->placement, Placement::Loop);
        const std::vector<Operation> first = {{K::Forward, 0, 0}, {K::Forward, 0, 1}, overlapped({0, 2}, {0, 0}),
            {K::BackwardInput, 0, 1}, {K::Backward, 0, 2}, {K::BackwardWeight, 0, 1}};
        QCOMPARE(read->ranks.front(), first);
    }

    void stagesLieRoundOrThereAndBack()
    {
        QCOMPARE(parseScheduleCsv("0F0,2F0,2B0,0B0\n1F0,3F0,3B0,1B0\n")->placement, Placement::Loop);
        const auto bent = parseScheduleCsv("0F0,3F0,3B0,0B0\n1F0,2F0,2B0,1B0\n");
        QCOMPARE(bent->placement, Placement::V);
        QCOMPARE(bent->ranks.front()[1], (Operation{K::Forward, 1, 0}));
    }

    void errorsNameThePlace_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* text, const char* expected) {
            QTest::newRow(name) << text << expected;
        };
        row("empty", "", "expected one line per rank, found an empty file");
        row("no operation", "0F0,hello,0B0\n",
            "line 1, column 2: expected stage, F, B, I or W, and micro-batch, as in 3F5, found \"hello\"");
        row("no micro-batch", "0F\n",
            "line 1, column 1: expected stage, F, B, I or W, and micro-batch, as in 3F5, found \"0F\"");
        row("more than an operation", "0F0x\n",
            "line 1, column 1: expected stage, F, B, I or W, and micro-batch, as in 3F5, found \"0F0x\"");
        row("beyond every number", "0F99999999999\n",
            "line 1, column 1: expected stage, F, B, I or W, and micro-batch, as in 3F5, found \"0F99999999999\"");
        row("communication", "0F0,0SEND_F0\n",
            "line 1, column 2: expected an operation that computes (a schedule in the compute-only format), found "
            "\"0SEND_F0\"");
        row("half a block", "(0F0)OVERLAP_F_B\n",
            "line 1, column 1: expected a forward and a whole backward pass, as in (0F7;7B3)OVERLAP_F_B, found "
            "\"(0F0)OVERLAP_F_B\"");
        row("a block of two forwards", "0F0,(0F1;0F2)OVERLAP_F_B\n",
            "line 1, column 2: expected a forward and a whole backward pass, as in (0F7;7B3)OVERLAP_F_B, found "
            "\"(0F1;0F2)OVERLAP_F_B\"");
        row("twice", "0F0,0B0,0F0\n", "line 1, column 3: 0F0: this forward pass runs twice");
        row("backward twice", "0F0,0B0,0B0\n", "line 1, column 3: 0B0: this backward pass runs twice");
        row("backward first", "0B0,0F0\n",
            "line 1, column 1: 0B0: expected the forward pass of this micro-batch before it");
        row("backward in the block of its own forward", "(0F0;0B0)OVERLAP_F_B\n",
            "line 1, column 1: 0B0: expected the forward pass of this micro-batch before it");
        row("weights first", "0F0,0W0,0I0\n", "line 1, column 2: 0W0: expected I of this micro-batch before it");
        row("weights after a whole backward", "0F0,0B0,0W0\n",
            "line 1, column 3: 0W0: the weight gradient is made twice: B is the whole backward pass, I its first half");
        row("a stage on two ranks", "0F0,0B0\n0F1,0B1\n",
            "line 2, column 1: 0F1: stage 0 is on rank 0, by line 1, column 1");
        row("a rank without a stage", "0F0,0B0\n,,\n", "line 2: expected the operations of rank 1, found none");
        row("a pass too few", "0F0,0F1,0B0,0B1\n1F0,1B0\n",
            "line 2: expected the forward pass of micro-batch 1 in stage 1, found none");
        row("no backward", "0F0,0F1,0B1\n",
            "line 1: expected the backward pass of micro-batch 0 in stage 0, found none");
        row("no weights", "0F0,0I0\n",
            "line 1: expected the weight gradient W of micro-batch 0 in stage 0, found none");
        row("a gap", "0F0,0B0\n2F0,2B0\n",
            "line 2, column 1: expected the stages from 0 on without a gap; stage 1 is on no rank");
        row("a stage too many", "0F0,0B0,2F0,2B0\n1F0,1B0\n",
            "expected the same number of stages on every rank, up to 255; these are 3 stages on 2 ranks");
        row("elsewhere", "0F0,1F0,1B0,0B0\n2F0,3F0,3B0,2B0\n",
            "line 1, column 2: stage 1 is on rank 0: expected stages that go round the ranks (here rank 1) or there "
            "and "
            "back (rank 1); no other placement is known");
    }
    void errorsNameThePlace()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const auto read = parseScheduleCsv(text.toStdString());
        QVERIFY(!read);
        QCOMPARE(message(read.error()), expected);
    }

    void aFileIsNamedInItsErrors()
    {
        QTemporaryDir folder;
        const auto file = folder.filePath("order.csv");
        QCOMPARE(readScheduleCsv(file.toStdString()).error().code, ErrorCode::CannotRead);
        QFile made(file);
        QVERIFY(made.open(QIODevice::WriteOnly));
        made.write("0F0,0F0");
        made.close();
        QCOMPARE(message(readScheduleCsv(file.toStdString()).error()),
            file + ": line 1, column 2: 0F0: this forward pass runs twice");
    }

    void whatTheFormatCannotSayIsRefused()
    {
        QCOMPARE(scheduleCsv(*simulated(asked(Schedule::DualPipe, 4, 8, 2))).error().code, ErrorCode::OutOfRange);
        QVERIFY(message(scheduleCsv(*simulated(asked(Schedule::PipeDream, 2, 4, 1))).error())
                    .contains("updates the weights"));
        ScheduleRequest request = asked(Schedule::OneFOneB, 2, 4, 1);
        request.forward_only = true;
        QVERIFY(message(scheduleCsv(*simulated(request)).error()).contains("forward passes only"));
        QVERIFY(
            message(scheduleCsv(*simulated(asked(Schedule::OneFOneB, 64, 1 << 20, 1))).error()).contains("67108864"));
    }

    void anyTextIsAnsweredNotCrashedOn()
    {
        QVERIFY(rc::check("text made of the format's own characters", [] {
            const auto text =
                *rc::gen::container<std::string>(rc::gen::elementOf(std::string("0123FBIW,;()\n OVERLAP_")));
            const auto read = parseScheduleCsv(text);
            RC_ASSERT(read.has_value() || !read.error().message.empty());
        }));
    }

    void aPassLeftOutIsMissed()
    {
        QVERIFY(rc::check("any operation of a schedule, left out", [] {
            const ScheduleRequest request = asked(Schedule::ZbV, 3, 6, 2);
            static const std::string kText = *scheduleCsv(*simulated(request));
            std::vector<std::size_t> commas;
            for (std::size_t i = 0; i < kText.size(); ++i) {
                if (kText[i] == ',') commas.push_back(i);
            }
            const std::size_t comma = *rc::gen::elementOf(commas);
            std::string text = kText;
            text.erase(comma, std::min(text.find(',', comma + 1), text.find('\n', comma)) - comma);
            RC_ASSERT(!parseScheduleCsv(text));
        }));
    }
};

CARDFIT_TEST(TestScheduleCsv)

} // namespace cardfit::tst_schedule_csv
#include "tst_schedule_csv.moc"
