// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <numeric>

#include <QTest>

#include "tests/test_program.h"
#include "tests/widgets/sample_estimate.h"
#include "widgets/chart/chart_style.h"
#include "widgets/chart/painting.h"
#include "widgets/memory/bar_geometry.h"
#include "widgets/timeline/timeline_geometry.h"

namespace cardfit::tst_chart_geometry {

using namespace cardfit::ui;

TimedOperation operation(OperationKind kind, int microbatch, double start, double end)
{
    return {{kind, 0, microbatch}, start, end};
}

/// F0 at 0-1, F1 at 1-2, B0 at 4-6, B1 at 6-8.
std::vector<TimedOperation> oneRank()
{
    return {operation(OperationKind::Forward, 0, 0, 1), operation(OperationKind::Forward, 1, 1, 2),
        operation(OperationKind::Backward, 0, 4, 6), operation(OperationKind::Backward, 1, 6, 8)};
}

std::vector<std::int32_t> during(const InFlight& counts, std::size_t operations)
{
    std::vector<std::int32_t> values;
    for (std::size_t i = 0; i < operations; ++i)
        values.push_back(counts.during(i));
    return values;
}

std::vector<std::int32_t> after(const InFlight& counts, std::size_t operations)
{
    std::vector<std::int32_t> values;
    for (std::size_t i = 0; i < operations; ++i)
        values.push_back(counts.after(i));
    return values;
}

bool near(double a, double b) { return std::abs(a - b) < 1e-6; }

bool near(const std::vector<ColumnShares>& a, const std::vector<ColumnShares>& b)
{
    bool same = a.size() == b.size();
    for (std::size_t i = 0; same && i < a.size(); ++i) {
        for (std::size_t kind = 0; kind < kOperationKindCount; ++kind)
            same = same && std::abs(a[i][kind] - b[i][kind]) < 1e-5F;
    }
    return same;
}

std::vector<std::int32_t> microbatches(const std::vector<FollowedOperation>& operations)
{
    std::vector<std::int32_t> numbers;
    for (const FollowedOperation& found : operations) {
        const Operation& operation = found.operation.operation;
        if (found.forward) numbers.push_back(operation.forwardPass().microbatch);
        if (found.backward) numbers.push_back(operation.backwardPass().microbatch);
    }
    return numbers;
}

class TestChartGeometry : public QObject {
    Q_OBJECT

private slots:
    void barsAreTheEstimatesBytes()
    {
        const auto estimate = samples::firstStageOver();
        const BarPicture picture = reduceToBars(*estimate, ByteUnit::GB, {});
        QCOMPARE(picture.bars.size(), estimate->stages.size());
        QCOMPARE(picture.fullest, estimate->worstStage());
        for (std::size_t i = 0; i < picture.bars.size(); ++i) {
            const auto& bar = picture.bars[i];
            QVERIFY(near(bar.total, static_cast<double>(estimate->stages[i].device().value()) / 1e9));
            QCOMPARE(bar.peak, bar.total);
            QCOMPARE_GE(picture.highest, bar.total);
            QCOMPARE_GE(picture.highest, bar.capacity);
        }
        const BarPicture gib = reduceToBars(*estimate, ByteUnit::GiB, {});
        QVERIFY(near(gib.bars[0].total * 1.073741824, picture.bars[0].total));
    }

    void aBandReachesFromTheLeastToTheMost()
    {
        Estimate doubtful = *samples::firstStageOver();
        auto terms = doubtful.stages[0].terms;
        terms.push_back({Segment::Reserve, "allocator_reserve", "rho A", 1, Bytes(4'000'000'000),
            {Bytes(3'000'000'000), Bytes(5'000'000'000)}});
        doubtful.stages[0].setTerms(terms);
        const Band band = doubtful.stages[0].band();
        const BarPicture picture = reduceToBars(doubtful, ByteUnit::GB, {});
        QVERIFY(band.below >= Bytes(3'000'000'000) && band.above >= Bytes(5'000'000'000));
        QVERIFY(near(picture.bars[0].total - picture.bars[0].low, static_cast<double>(band.below.value()) / 1e9));
        QVERIFY(near(picture.bars[0].high - picture.bars[0].total, static_cast<double>(band.above.value()) / 1e9));
        QVERIFY(picture.bars[0].high <= picture.highest);
        const InstantMemory held(doubtful.stages.size());
        const BarPicture instant = reduceToBars(doubtful, ByteUnit::GB, held);
        QCOMPARE(instant.bars[0].low, instant.bars[0].high);
    }

    void anInstantReplacesTheSegments()
    {
        const auto estimate = samples::firstStageOver();
        const BarPicture peak = reduceToBars(*estimate, ByteUnit::GB, {});
        InstantMemory held;
        for (std::size_t stage = 0; stage < estimate->stages.size(); ++stage)
            held.push_back(memoryAt(*estimate, stage, estimate->stages[0].peak_time));
        const BarPicture instant = reduceToBars(*estimate, ByteUnit::GB, held);
        // The first stage is at its peak, others are not.
        QCOMPARE(instant.bars[0].parts, peak.bars[0].parts);
        QCOMPARE(instant.bars[0].total, peak.bars[0].total);
        int lower = 0;
        for (std::size_t i = 1; i < held.size(); ++i) {
            QVERIFY(near(instant.bars[i].total, static_cast<double>(total(held[i]).value()) / 1e9));
            QCOMPARE_LE(instant.bars[i].total, peak.bars[i].total);
            lower += instant.bars[i].total < peak.bars[i].total ? 1 : 0;
            QCOMPARE(instant.bars[i].parts[0], peak.bars[i].parts[0]);
            QCOMPARE(instant.bars[i].peak, peak.bars[i].total);
        }
        QVERIFY(lower > 0);
        // Of another number of stages: not an instant of this estimate.
        const InstantMemory foreign(2);
        QCOMPARE(reduceToBars(*estimate, ByteUnit::GB, foreign), peak);
    }

    void everyBarCanBeFound_data()
    {
        QTest::addColumn<int>("stages");
        QTest::addColumn<double>("width");
        QTest::newRow("one") << 1 << 700.0;
        QTest::newRow("four") << 4 << 700.0;
        QTest::newRow("64 on a laptop") << 64 << 640.0;
        QTest::newRow("64 narrow") << 64 << 250.0;
        QTest::newRow("as many as pixels") << 200 << 200.0;
    }
    void everyBarCanBeFound()
    {
        QFETCH(int, stages);
        QFETCH(double, width);
        const BarLayout at{QRectF(50, 20, width, 200), stages, 100.0};
        for (int stage = 0; stage < stages; ++stage) {
            const QRectF column = at.column(stage);
            QCOMPARE_GE(column.width(), 1.0);
            QCOMPARE(column.left(), std::round(column.left()));
            QCOMPARE(at.stageAt(column.center()), stage);
            QCOMPARE(at.stageAt(QPointF(column.left(), 30)), stage);
            if (stage > 0) QCOMPARE_GE(column.left(), at.column(stage - 1).right());
        }
        QVERIFY(!at.stageAt(QPointF(49, 30)));
        QVERIFY(!at.stageAt(QPointF(60, 300)));
    }

    void segmentsStackWithoutSeamOrOverlap()
    {
        StageBar bar;
        bar.parts = {10.3, 0.0, 20.7, 5.1, 0.01, 3.3, 1.0, 7.7};
        const BarLayout at{QRectF(0, 0, 100, 173), 1, 60.0};
        double bottom = 0.0;
        double last_top = at.y(0.0);
        for (const double part : bar.parts) {
            const QRectF rect = at.part(0, bottom, bottom + part);
            QCOMPARE(rect.bottom(), last_top);
            last_top = rect.top();
            bottom += part;
        }
        QCOMPARE(at.segmentAt(bar, QPointF(50, at.y(5.0))), Segment::Weights);
        QCOMPARE(at.segmentAt(bar, QPointF(50, at.y(15.0))), Segment::Optimizer);
        QCOMPARE(at.segmentAt(bar, QPointF(50, at.y(47.0))), Segment::Reserve);
        QVERIFY(!at.segmentAt(bar, QPointF(50, at.y(55.0))));
    }

    void labelsThinOut()
    {
        QCOMPARE(labelStep(100.0, 20.0), 1);
        QCOMPARE(labelStep(12.0, 20.0), 2);
        QCOMPARE(labelStep(5.0, 20.0), 5);
        QCOMPARE(labelStep(1.0, 20.0), 20);
    }

    void hatchesEndAtTheirRectangle_data()
    {
        QTest::addColumn<int>("pattern");
        QTest::newRow("rising") << static_cast<int>(ui::Pattern::Rising);
        QTest::newRow("falling") << static_cast<int>(ui::Pattern::Falling);
        QTest::newRow("upright") << static_cast<int>(ui::Pattern::Upright);
        QTest::newRow("level") << static_cast<int>(ui::Pattern::Level);
    }
    void hatchesEndAtTheirRectangle()
    {
        QFETCH(int, pattern);
        const QRectF rect(13, 27, 61, 38);
        const auto lines = hatchLines(rect, static_cast<ui::Pattern>(pattern), 6.0);
        QVERIFY(lines.size() >= 5);
        for (const QLineF& line : lines) {
            for (const QPointF point : {line.p1(), line.p2()}) {
                QVERIFY(point.x() >= rect.left() - 1e-9 && point.x() <= rect.right() + 1e-9);
                QVERIFY(point.y() >= rect.top() - 1e-9 && point.y() <= rect.bottom() + 1e-9);
            }
        }
        QVERIFY(hatchLines(QRectF(), static_cast<ui::Pattern>(pattern), 6.0).isEmpty());
    }

    void solidHasNoLines() { QVERIFY(hatchLines(QRectF(0, 0, 50, 50), ui::Pattern::Solid, 6.0).isEmpty()); }

    void theViewStaysInsideTheStep()
    {
        const TimeLimits limits{10.0, 0.01};
        QCOMPARE(clamped({-5, 3}, limits), (TimeRange{0, 8}));
        QCOMPARE(clamped({8, 13}, limits), (TimeRange{5, 10}));
        QCOMPARE(clamped({-3, 30}, limits), (TimeRange{0, 10}));
        QVERIFY(near(clamped({4, 4.0001}, limits).span(), 0.01));
        QCOMPARE(panned({2, 4}, 100, limits), (TimeRange{8, 10}));
    }

    void zoomingKeepsTheAnchorInPlace()
    {
        const TimeLimits limits{10.0, 0.01};
        const TimeRange range{2, 6};
        const TimeRange closer = zoomed(range, 0.5, 3.0, limits);
        QVERIFY(near(closer.span(), 2.0));
        QVERIFY(near((3.0 - closer.from) / closer.span(), (3.0 - range.from) / range.span()));
        // In and out again ends where it began.
        const TimeRange back = zoomed(closer, 2.0, 3.0, limits);
        QVERIFY(near(back.from, range.from) && near(back.to, range.to));
    }

    void theMostToZoomIntoIsHalfAnOperationOfTheBusiestRank()
    {
        Timeline timeline;
        timeline.makespan = 8.0;
        timeline.ranks = {RankTimeline({operation(OperationKind::Forward, 0, 0, 1)}), RankTimeline(oneRank())};
        QCOMPARE(shortestRange(timeline), 1.0);
        // Where nothing runs, as if one operation did.
        timeline.ranks = {RankTimeline()};
        QCOMPARE(shortestRange(timeline), 4.0);
    }

    void revealsAnInstantOutOfView()
    {
        const TimeLimits limits{10.0, 0.01};
        QCOMPARE(revealing({2, 4}, 3, limits), (TimeRange{2, 4}));
        const TimeRange later = revealing({2, 4}, 7, limits);
        QVERIFY(later.from < 7 && later.to > 7);
        QVERIFY(near(later.span(), 2.0));
        QCOMPARE(revealing({2, 4}, 0, limits).from, 0.0);
    }

    void findsWhatIsInView()
    {
        const auto rank = oneRank();
        QCOMPARE(visibleOperations(rank, {0, 8}), (Visible{0, 4}));
        QCOMPARE(visibleOperations(rank, {1.5, 4.5}), (Visible{1, 3}));
        QCOMPARE(visibleOperations(rank, {2.5, 3.5}).count(), 0U);
        QCOMPARE(operationAt(rank, 0.5), std::size_t{0});
        QCOMPARE(operationAt(rank, 1.0), std::size_t{1});
        QVERIFY(!operationAt(rank, 3.0));
        QVERIFY(!operationAt(rank, 8.0));
    }

    void stepsFromEventToEvent()
    {
        Timeline timeline;
        timeline.ranks = {oneRank(), {operation(OperationKind::Forward, 0, 1.5, 3.0)}};
        timeline.makespan = 8.0;
        std::vector<double> forward;
        for (auto at = nextEvent(timeline, 0.0); at; at = nextEvent(timeline, *at))
            forward.push_back(*at);
        QCOMPARE(forward, (std::vector<double>{1, 1.5, 2, 3, 4, 6, 8}));
        std::vector<double> backward;
        for (auto at = previousEvent(timeline, 8.0); at; at = previousEvent(timeline, *at))
            backward.push_back(*at);
        QCOMPARE(backward, (std::vector<double>{6, 4, 3, 2, 1.5, 1, 0}));
    }

    void sharesAddUpToTheTimeSpent()
    {
        const auto estimate = samples::estimated(samples::gptPlan(8, 64));
        const RankTimeline& operations = estimate->timeline->ranks[3];
        const double makespan = estimate->timeline->makespan;
        const TimeRange range{0.13 * makespan, 0.87 * makespan};
        double busy = 0.0;
        for (const auto& entry : operations) {
            busy += std::max(0.0, std::min(entry.end, range.to) - std::max(entry.start, range.from));
        }
        constexpr int kColumns = 37;
        double sum = 0.0;
        for (const auto& column : columnShares(operations, range, kColumns)) {
            const double whole = std::accumulate(column.begin(), column.end(), 0.0);
            QVERIFY(whole <= 1.0 + 1e-5);
            sum += whole;
        }
        QVERIFY(std::abs(sum / kColumns * range.span() / busy - 1.0) < 1e-4);
    }

    void sharesShowWhoRunsWhen()
    {
        const auto shares = columnShares(oneRank(), {0, 8}, 4);
        const auto forward = static_cast<std::size_t>(OperationKind::Forward);
        const auto backward = static_cast<std::size_t>(OperationKind::Backward);
        QCOMPARE(shares[0][forward], 1.0F);
        QCOMPARE(shares[1][forward] + shares[1][backward], 0.0F);
        QCOMPARE(shares[2][backward], 1.0F);
        QCOMPARE(shares[3][backward], 1.0F);
    }

    void smoothingKeepsWhatThereIs()
    {
        std::vector<ColumnShares> columns(21, ColumnShares{});
        for (std::size_t i = 0; i < columns.size(); ++i)
            columns[i][i % 2] = 1.0F;
        const auto smooth = smoothed(columns, 5);
        for (std::size_t i = 2; i + 2 < columns.size(); ++i) {
            QVERIFY(std::abs(smooth[i][0] + smooth[i][1] - 1.0F) < 1e-5F);
            QVERIFY(smooth[i][0] >= 0.39F && smooth[i][0] <= 0.61F);
        }
        QCOMPARE(smoothed(columns, 1), columns);
    }

    void equalColumnsBecomeOneRun()
    {
        const std::vector<ColumnShares> columns(10, ColumnShares{0.5F, 0.25F});
        const auto runs = shareRuns(columns, 8);
        QCOMPARE(runs.size(), 1U);
        QCOMPARE(runs[0], (ShareRun{0, 10, {4, 2, 0, 0, 0, 0}}));
    }

    void heightsNeverExceedTheRow()
    {
        // Each third rounds up on its own; together they fill the row exactly.
        const std::vector<ColumnShares> columns(1, ColumnShares{0.34F, 0.33F, 0.33F});
        const auto runs = shareRuns(columns, 5);
        QCOMPARE(std::accumulate(runs[0].heights.begin(), runs[0].heights.end(), 0), 5);
    }

    void countsForwardPassesInFlight()
    {
        const InFlight counts(oneRank());
        QCOMPARE(during(counts, 4), (std::vector<std::int32_t>{1, 2, 2, 1}));
        QCOMPARE(after(counts, 4), (std::vector<std::int32_t>{1, 2, 1, 0}));
        QCOMPARE(counts.peak(), 2);
        QCOMPARE(counts.highest(0, 1), 1);
        QCOMPARE(counts.highest(2, 2), 0);
        QCOMPARE(inFlightColumns(oneRank(), counts, {0, 8}, 8), (std::vector<std::int32_t>{1, 2, 2, 2, 2, 2, 1, 1}));
        // A view that begins while the rank waits still knows what is held.
        QCOMPARE(inFlightColumns(oneRank(), counts, {2.5, 3.5}, 2), (std::vector<std::int32_t>{2, 2}));
    }

    // What repeats is drawn from its first repeat: the same picture as from every operation.
    void foldedRanksLookTheSame_data()
    {
        QTest::addColumn<int>("schedule");
        QTest::newRow("1f1b") << static_cast<int>(Schedule::OneFOneB);
        QTest::newRow("gpipe") << static_cast<int>(Schedule::GPipe);
        QTest::newRow("interleaved") << static_cast<int>(Schedule::InterleavedOneFOneB);
    }
    void foldedRanksLookTheSame()
    {
        QFETCH(int, schedule);
        const bool chunks = static_cast<Schedule>(schedule) == Schedule::InterleavedOneFOneB;
        Plan plan = samples::gptPlan(4, 200, chunks ? 2 : 1);
        plan.recipe.schedule = static_cast<Schedule>(schedule);
        const auto estimate = samples::estimated(plan);
        const double makespan = estimate->timeline->makespan;
        for (const RankTimeline& folded : estimate->timeline->ranks) {
            const RankTimeline flat(std::vector<TimedOperation>(folded.begin(), folded.end()));
            QVERIFY(folded.storedSize() < flat.storedSize());
            const InFlight counts(folded);
            const InFlight flat_counts(flat);
            const BusyTime busy(folded);
            const BusyTime flat_busy(flat);
            QCOMPARE(contentsOf(folded), contentsOf(flat));
            QCOMPARE(during(counts, folded.size()), during(flat_counts, flat.size()));
            QCOMPARE(after(counts, folded.size()), after(flat_counts, flat.size()));
            QCOMPARE(counts.peak(), flat_counts.peak());
            for (const TimeRange range :
                {TimeRange{0, makespan}, {0.4 * makespan, 0.41 * makespan}, {0.2 * makespan, 0.9 * makespan}}) {
                for (const int columns : {1, 7, 50, 1000}) {
                    QCOMPARE(inFlightColumns(folded, counts, range, columns),
                        inFlightColumns(flat, flat_counts, range, columns));
                    const auto shares = columnShares(flat, range, columns);
                    QVERIFY(near(columnShares(folded, range, columns), shares));
                    QVERIFY(near(columnShares(busy, range, columns), shares));
                    QVERIFY(near(columnShares(flat_busy, range, columns), shares));
                }
            }
        }
    }

    void contentsCountDownwardRepeatsAndBothHalves()
    {
        // Micro-batches 9, 8 … 0, as programs run them that end with the first.
        RankTimeline downward;
        downward.push_back(operation(OperationKind::Forward, 9, 0, 1));
        downward.repeatLast(1, 9, 1.0, -1);
        QCOMPARE(contentsOf(downward).last_microbatch, 9);
        // An overlapped block is the only one with the backward pass of the highest micro-batch and chunk.
        const RankTimeline blocks{{overlapped({0, 3}, {2, 7}), 0, 4}};
        const TimelineContents contents = contentsOf(blocks);
        QCOMPARE(contents.last_microbatch, 7);
        QCOMPARE(contents.chunks, 3);
        QVERIFY(contents.used[static_cast<std::size_t>(OperationKind::Overlapped)]);
        QCOMPARE(contents.shortest[static_cast<std::size_t>(OperationKind::Overlapped)], 4.0);
    }

    void followsAMicrobatchThroughRepeats()
    {
        RankTimeline rank;
        rank.push_back(operation(OperationKind::Forward, 0, 0, 1));
        rank.push_back(operation(OperationKind::Backward, 0, 1, 3));
        rank.repeatLast(2, 99, 3.0, 1);
        const auto found = operationsOf({42, std::nullopt}, rank);
        QCOMPARE(found.size(), 2U);
        QCOMPARE(microbatches(found), (std::vector<std::int32_t>{42, 42}));
        QCOMPARE(found[0].operation, rank[84]);
        QCOMPARE(found[1].operation, rank[85]);
        QVERIFY(found[0].forward && !found[0].backward && found[1].backward && !found[1].forward);
        QVERIFY(operationsOf({100, std::nullopt}, rank).empty());
        QVERIFY(operationsOf({-1, std::nullopt}, rank).empty());
    }

    // A rank has every micro-batch that it runs, and the estimate's own operations say which.
    void followsWhatARankRuns()
    {
        const auto estimate = samples::estimated(samples::gptPlan(4, 40, 2));
        for (const RankTimeline& rank : estimate->timeline->ranks) {
            for (const int followed : {0, 1, 17, 39}) {
                std::vector<TimedOperation> expected;
                for (const TimedOperation& entry : rank) {
                    if (entry.operation.microbatch == followed) expected.push_back(entry);
                }
                std::vector<TimedOperation> found;
                for (const FollowedOperation& entry : operationsOf({followed, std::nullopt}, rank))
                    found.push_back(entry.operation);
                QCOMPARE(found, expected);
            }
        }
    }

    void anOverlappedBlockIsFollowedByHalves()
    {
        const RankTimeline rank{{overlapped({0, 5}, {1, 2}), 0, 4}, {overlapped({1, 2}, {0, 5}), 4, 8}};
        // Bidirectional: micro-batch 5 of chunk 0 and of chunk 1 are different ones.
        const Followed down = followedBy({0, 5}, Placement::Bidirectional);
        const auto found = operationsOf(down, rank);
        QCOMPARE(found.size(), 2U);
        QVERIFY(found[0].forward && !found[0].backward && found[1].backward && !found[1].forward);
        QVERIFY(operationsOf(followedBy({1, 5}, Placement::Bidirectional), rank).empty());
        QCOMPARE(operationsOf(followedBy({1, 5}, Placement::V), rank).size(), 2U);
    }

    void splitBackwardFreesWithTheInputGradient()
    {
        const std::vector<TimedOperation> rank{operation(OperationKind::Forward, 0, 0, 1),
            operation(OperationKind::BackwardInput, 0, 1, 2), operation(OperationKind::BackwardWeight, 0, 2, 3)};
        QCOMPARE(after(InFlight(rank), 3), (std::vector<std::int32_t>{1, 0, 0}));
    }

    void inFlightAgreesWithTheEstimate()
    {
        const auto estimate = samples::estimated(samples::gptPlan(8, 32));
        for (std::size_t i = 0; i < estimate->stages.size(); ++i) {
            QCOMPARE(InFlight(estimate->timeline->ranks[i]).peak(), estimate->stages[i].peak_chunks);
        }
    }

    void rowsCoverThePlot_data()
    {
        QTest::addColumn<int>("rows");
        QTest::newRow("4") << 4;
        QTest::newRow("16") << 16;
        QTest::newRow("64") << 64;
    }
    void rowsCoverThePlot()
    {
        QFETCH(int, rows);
        const RowLayout at{40.0, 300.0, rows};
        for (int row = 0; row < rows; ++row) {
            QCOMPARE_LT(at.blockTop(row), at.blockBottom(row));
            QCOMPARE_LE(at.rowTop(row), at.blockTop(row));
            QCOMPARE_LE(at.blockBottom(row), at.rowBottom(row));
            QCOMPARE(at.rowAt(at.blockTop(row)), row);
        }
        QVERIFY(!at.rowAt(39.0));
        QVERIFY(!at.rowAt(340.0));
    }
};

CARDFIT_TEST(TestChartGeometry)

} // namespace cardfit::tst_chart_geometry
#include "tst_chart_geometry.moc"
