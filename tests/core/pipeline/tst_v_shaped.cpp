// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

#include <rapidcheck.h>

#include "core/pipeline/orders/v_shaped.h"
#include "tests/test_program.h"

namespace cardfit::tst_v_shaped {

/// Chunks whose activations a rank holds at most, from F until W. The fullest rank does hold as many from
/// vShapedSteadyFrom() micro-batches on; others may hold less. V-Half: p+2 where p is even, p+1 where it is odd.
/// V-Min: 2 x ceil((p+2)/3).
constexpr std::int64_t vShapedPeak(VShape shape, std::int64_t stages)
{
    return shape == VShape::Half ? stages / 2 * 2 + 2 : (stages + 4) / 3 * 2;
}

using Programs = std::vector<std::vector<Operation>>;

constexpr std::array kShapes = {VShape::Half, VShape::Min};
constexpr std::array kFillings = {GapFilling::ZeroBubble, GapFilling::Primus};

void holds(const char* name, const std::function<void()>& check) { QVERIFY2(rc::check(name, check), name); }

QByteArray text(const std::vector<Operation>& program)
{
    QByteArrayList words;
    for (const Operation& operation : program) {
        const std::string_view letters = operationLetters(operation.kind);
        words << QByteArray(letters.data(), static_cast<qsizetype>(letters.size()))
                + QByteArray::number(operation.microbatch) + 'c' + QByteArray::number(operation.chunk);
    }
    return words.join(' ');
}

QByteArray where(VShape shape, GapFilling filling, std::int64_t stages, std::int64_t microbatches)
{
    return QByteArray(shape == VShape::Half ? "V-Half" : "V-Min")
        + (filling == GapFilling::Primus ? ", Primus" : ", ZeroBubble") + ", p " + QByteArray::number(qint64(stages))
        + ", m " + QByteArray::number(qint64(microbatches));
}

/// Last end if every operation takes 1 and starts as soon as its rank and its inputs allow; -1 if the ranks wait for
/// each other.
std::int64_t makespan(const Programs& programs, std::int64_t microbatches)
{
    const std::size_t ranks = programs.size();
    constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
    const std::vector none(2 * ranks, std::vector(static_cast<std::size_t>(microbatches), never));
    std::array<std::vector<std::vector<std::int64_t>>, 2> done = {none, none}; // F and I by stage and micro-batch
    std::vector<std::size_t> next(ranks, 0);
    std::vector<std::int64_t> clock(ranks, 0);
    for (bool progress = true; progress;) {
        progress = false;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            for (; next[rank] < programs[rank].size(); ++next[rank]) {
                const Operation& operation = programs[rank][next[rank]];
                const std::size_t stage = operation.chunk == 0 ? rank : 2 * ranks - 1 - rank;
                const auto microbatch = static_cast<std::size_t>(operation.microbatch);
                const bool forward = operation.kind == OperationKind::Forward;
                std::int64_t ready = 0;
                if (forward && stage > 0) ready = done[0][stage - 1][microbatch];
                if (operation.kind == OperationKind::BackwardInput) {
                    ready = done[0][stage][microbatch];
                    if (stage + 1 < 2 * ranks) ready = std::max(ready, done[1][stage + 1][microbatch]);
                }
                if (operation.kind == OperationKind::BackwardWeight) ready = done[1][stage][microbatch];
                if (ready == never) break;
                clock[rank] = std::max(clock[rank], ready) + 1;
                if (operation.kind != OperationKind::BackwardWeight)
                    done[forward ? 0 : 1][stage][microbatch] = clock[rank];
                progress = true;
            }
        }
    }
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        if (next[rank] < programs[rank].size()) return -1;
    }
    return *std::max_element(clock.begin(), clock.end());
}

/// Chunks held from F until W, at most.
std::int64_t peak(const std::vector<Operation>& program)
{
    std::int64_t held = 0, most = 0;
    for (const Operation& operation : program) {
        held += operation.kind == OperationKind::Forward ? 1 : operation.kind == OperationKind::BackwardWeight ? -1 : 0;
        most = std::max(most, held);
    }
    return most;
}

std::int64_t peak(const Programs& programs)
{
    std::int64_t most = 0;
    for (const auto& program : programs)
        most = std::max(most, peak(program));
    return most;
}

/// Slots beyond six per micro-batch in the steady state, as the header promises.
std::int64_t overhead(VShape shape, GapFilling filling, std::int64_t stages)
{
    if (shape == VShape::Half) return 3 * stages - (stages % 2 == 0 ? 7 : 4);
    if (stages % 3 == 0) return 4 * stages - 7;
    return 4 * stages - (stages % 3 == 2 && filling == GapFilling::Primus ? 6 : 5);
}

std::vector<Operation> shifted(std::vector<Operation> operations, std::int32_t microbatches)
{
    for (Operation& operation : operations)
        operation.microbatch += microbatches;
    return operations;
}

/// Where a rank runs six operations more when there is one micro-batch more, and everything after them is shifted; as
/// early as possible, but with six operations before. 0: nowhere.
std::size_t blockEnd(const std::vector<Operation>& fewer, const std::vector<Operation>& more)
{
    const std::vector<Operation> later = shifted(fewer, 1);
    const auto same_end = static_cast<std::size_t>(
        std::mismatch(later.rbegin(), later.rend(), more.rbegin(), more.rend()).first - later.rbegin());
    const auto same_start = static_cast<std::size_t>(
        std::mismatch(fewer.begin(), fewer.end(), more.begin(), more.end()).first - fewer.begin());
    const std::size_t end = std::max<std::size_t>(6, fewer.size() + 6 - std::min(same_end, fewer.size()));
    const bool repeats = end <= same_start
        && std::equal(later.begin() + static_cast<std::ptrdiff_t>(end) - 6,
            later.begin() + static_cast<std::ptrdiff_t>(end), more.begin() + static_cast<std::ptrdiff_t>(end));
    return repeats ? end : 0;
}

class TestVShaped : public QObject {
    Q_OBJECT

private slots:
    void recordedOrders()
    {
        QFile file(CARDFIT_TEST_DATA "/pipeline/v_shaped_orders.txt");
        QVERIFY(file.open(QIODevice::ReadOnly | QIODevice::Text));
        QByteArrayList lines = file.readAll().split('\n');
        lines.removeIf([](const QByteArray& line) { return line.isEmpty() || line.startsWith('#'); });
        int orders = 0;
        for (qsizetype at = 0; at < lines.size(); ++orders) {
            const QByteArrayList header = lines[at++].split(' ');
            QCOMPARE(header.size(), 4);
            QVERIFY(header[0] == "zerobubble" || header[0] == "primus");
            QVERIFY(header[1] == "half" || header[1] == "min");
            const GapFilling filling = header[0] == "primus" ? GapFilling::Primus : GapFilling::ZeroBubble;
            const VShape shape = header[1] == "half" ? VShape::Half : VShape::Min;
            const Programs programs = vShapedPrograms(shape, filling, header[2].toLongLong(), header[3].toLongLong());
            QCOMPARE(static_cast<qlonglong>(programs.size()), header[2].toLongLong());
            for (const auto& program : programs) {
                QVERIFY(at < lines.size());
                QCOMPARE(text(program), lines[at++]);
            }
        }
        QCOMPARE(orders, 10);
    }

    // In operations, and chunks on the fullest rank, as the schedulers themselves give them; 8x32 is Primus' simulation
    // figure.
    void makespansAndPeaks_data()
    {
        QTest::addColumn<int>("shape");
        QTest::addColumn<int>("filling");
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("microbatches");
        QTest::addColumn<int>("time");
        QTest::addColumn<int>("peak_chunks");
        const int half = static_cast<int>(VShape::Half), min = static_cast<int>(VShape::Min);
        const int zero_bubble = static_cast<int>(GapFilling::ZeroBubble), primus = static_cast<int>(GapFilling::Primus);
        QTest::newRow("V-Half 4x8") << half << zero_bubble << 4 << 8 << 53 << 6;
        QTest::newRow("V-Half 4x8 Primus") << half << primus << 4 << 8 << 53 << 6;
        QTest::newRow("V-Half 8x16") << half << zero_bubble << 8 << 16 << 113 << 10;
        QTest::newRow("V-Half 8x16 Primus") << half << primus << 8 << 16 << 113 << 10;
        QTest::newRow("V-Half 8x32 Primus") << half << primus << 8 << 32 << 209 << 10;
        QTest::newRow("V-Min 4x8") << min << zero_bubble << 4 << 8 << 59 << 4;
        QTest::newRow("V-Min 6x12") << min << zero_bubble << 6 << 12 << 89 << 6;
        QTest::newRow("V-Min 8x16") << min << zero_bubble << 8 << 16 << 123 << 8;
        QTest::newRow("V-Min 8x32 Primus") << min << primus << 8 << 32 << 218 << 8;
    }
    void makespansAndPeaks()
    {
        QFETCH(int, shape);
        QFETCH(int, filling);
        QFETCH(int, stages);
        QFETCH(int, microbatches);
        QFETCH(int, time);
        QFETCH(int, peak_chunks);
        const Programs programs =
            vShapedPrograms(static_cast<VShape>(shape), static_cast<GapFilling>(filling), stages, microbatches);
        QCOMPARE(makespan(programs, microbatches), time);
        QCOMPARE(peak(programs), peak_chunks);
    }

    void everyOperationRunsOnceAndInOrder()
    {
        for (const VShape shape : kShapes) {
            for (const GapFilling filling : kFillings) {
                for (std::int64_t stages = 1; stages <= 12; ++stages) {
                    for (std::int64_t microbatches = 1; microbatches <= 40; ++microbatches) {
                        for (const auto& program : vShapedPrograms(shape, filling, stages, microbatches)) {
                            // Every chunk and micro-batch goes from 0 to 3, in steps of one.
                            std::vector<int> seen(static_cast<std::size_t>(2 * microbatches), 0);
                            bool in_order = program.size() == static_cast<std::size_t>(6 * microbatches);
                            for (const Operation& operation : program) {
                                const int step = operation.kind == OperationKind::Forward ? 0
                                    : operation.kind == OperationKind::BackwardInput      ? 1
                                    : operation.kind == OperationKind::BackwardWeight     ? 2
                                                                                          : -1;
                                const std::int64_t of = 2 * std::int64_t{operation.microbatch} + operation.chunk;
                                in_order = in_order && of >= 0 && of < 2 * microbatches && operation.chunk < 2
                                    && seen[static_cast<std::size_t>(of)]++ == step;
                                if (!in_order) break;
                            }
                            QVERIFY2(in_order, where(shape, filling, stages, microbatches));
                        }
                    }
                }
            }
        }
    }

    void runsWithinItsMemoryAndTime()
    {
        for (const VShape shape : kShapes) {
            for (std::int64_t stages = 1; stages <= 12; ++stages) {
                for (std::int64_t microbatches = 1; microbatches <= 40; ++microbatches) {
                    std::array<std::int64_t, 2> times = {};
                    for (const GapFilling filling : kFillings) {
                        const Programs programs = vShapedPrograms(shape, filling, stages, microbatches);
                        const QByteArray at = where(shape, filling, stages, microbatches);
                        const std::int64_t took = makespan(programs, microbatches);
                        QVERIFY2(took >= 6 * microbatches, at);
                        QVERIFY2(peak(programs) <= vShapedPeak(shape, stages), at);
                        if (microbatches >= vShapedSteadyFrom(stages)) {
                            QVERIFY2(peak(programs) == std::min(2 * microbatches, vShapedPeak(shape, stages)), at);
                            if (stages >= 3) QVERIFY2(took == 6 * microbatches + overhead(shape, filling, stages), at);
                        }
                        times[filling == GapFilling::Primus ? 1 : 0] = took;
                    }
                    QVERIFY2(times[1] <= times[0], where(shape, GapFilling::Primus, stages, microbatches));
                }
            }
        }
    }

    /// What those rely on who generate few micro-batches and repeat the block.
    void oneMoreMicrobatchRepeatsABlock()
    {
        holds("folded orders are the orders", [] {
            const VShape shape = *rc::gen::elementOf(kShapes);
            const GapFilling filling = *rc::gen::elementOf(kFillings);
            const auto stages = *rc::gen::inRange<std::int64_t>(1, 25);
            const auto more = *rc::gen::inRange<std::int32_t>(1, 60);
            const std::int64_t few = vShapedSteadyFrom(stages);
            const Programs folded = vShapedPrograms(shape, filling, stages, few);
            const Programs one_more = vShapedPrograms(shape, filling, stages, few + 1);
            const Programs all = vShapedPrograms(shape, filling, stages, few + more);
            for (std::size_t rank = 0; rank < folded.size(); ++rank) {
                const std::size_t end = blockEnd(folded[rank], one_more[rank]);
                RC_ASSERT(end >= 6U);
                const auto tail = folded[rank].begin() + static_cast<std::ptrdiff_t>(end);
                std::vector<Operation> program(folded[rank].begin(), tail);
                for (std::int32_t i = 1; i <= more; ++i) {
                    const std::vector<Operation> block = shifted({tail - 6, tail}, i);
                    program.insert(program.end(), block.begin(), block.end());
                }
                const std::vector<Operation> rest = shifted({tail, folded[rank].end()}, more);
                program.insert(program.end(), rest.begin(), rest.end());
                RC_ASSERT(program == all[rank]);
            }
        });
    }
};

CARDFIT_TEST(TestVShaped)

} // namespace cardfit::tst_v_shaped
#include "tst_v_shaped.moc"
