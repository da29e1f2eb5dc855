// SPDX-License-Identifier: GPL-3.0-or-later
// The one rule of the verdict.
#include <QtTest>

#include "core/estimate/estimate.h"
#include "tests/test_program.h"

namespace cardfit::tst_verdict {

/// 100 bytes allocated, `reserve` held back, `context` outside, each with its band.
StageMemory stage(std::int64_t capacity, std::int64_t reserve, Band of_reserve, Band of_context)
{
    StageMemory made;
    made.capacity = Bytes(capacity);
    made.setTerms({{Segment::Weights, "weights", "", 1, Bytes(100), {}},
        {Segment::Reserve, "allocator_reserve", "", 1, Bytes(reserve), of_reserve},
        {Segment::DeviceContext, "device_context", "", 1, Bytes(10), of_context}});
    return made;
}

class TestVerdict : public QObject {
    Q_OBJECT

private slots:
    void theReserveCountsThreePercent()
    {
        const NeededMemory needed = neededMemory(stage(1000, 20, {}, {}));
        QCOMPARE(needed.least, Bytes(113));
        QCOMPARE(needed.most, Bytes(113));
        // A small one counts as it is, with its band below the limit.
        const NeededMemory small = neededMemory(stage(1000, 2, {Bytes(1), Bytes(8)}, {}));
        QCOMPARE(small.least, Bytes(111));
        QCOMPARE(small.most, Bytes(113));
    }

    // A segment with a block in use cannot be given back.
    void whatLiesBetweenBlocksCountsWhole()
    {
        StageMemory made = stage(1000, 20, {}, {});
        std::vector<Term> terms = made.terms;
        terms.push_back({Segment::Reserve, "reserve.blocks", "", 1, Bytes(30), {Bytes(25), Bytes(28)}});
        made.setTerms(terms);
        const NeededMemory needed = neededMemory(made);
        QCOMPARE(needed.least, Bytes(118));
        QCOMPARE(needed.most, Bytes(171));
    }

    void overByTheLowEdgeTightByTheHighOne()
    {
        const Band context{Bytes(5), Bytes(7)};
        const auto at = [&](std::int64_t capacity) { return stage(capacity, 20, {}, context); };
        QVERIFY(verdict(at(107)) == Verdict::Over);
        QCOMPARE(overBy(at(107)), Bytes(1));
        QVERIFY(verdict(at(108)) == Verdict::Tight); // 108 to 120
        QCOMPARE(overBy(at(108)), Bytes(0));
        QVERIFY(verdict(at(126)) == Verdict::Tight); // 95 % are 119.7
        QVERIFY(verdict(at(127)) == Verdict::Fits);
        QVERIFY(isFit(Verdict::Fits) && isFit(Verdict::Tight) && !isFit(Verdict::Refused) && !isFit(Verdict::Over));
    }

    void aServerWithoutRoomForOneSequenceIsRefused()
    {
        StageMemory server = stage(1000, 0, {}, {});
        server.server_lacks = Bytes(3);
        QVERIFY(verdict(server) == Verdict::Refused);
        QCOMPARE(overBy(server), Bytes(3));
        server.capacity = Bytes(50);
        QVERIFY(verdict(server) == Verdict::Over);
    }

    void theWordsOfJson()
    {
        QCOMPARE(verdictName(Verdict::Fits), "fits");
        QCOMPARE(verdictName(Verdict::Tight), "tight");
        QCOMPARE(verdictName(Verdict::Refused), "refused");
        QCOMPARE(verdictName(Verdict::Over), "over");
        QCOMPARE(verdictName(Verdict::Invalid), "invalid");
    }
};

CARDFIT_TEST(TestVerdict)

} // namespace cardfit::tst_verdict
#include "tst_verdict.moc"
