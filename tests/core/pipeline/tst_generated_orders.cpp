// SPDX-License-Identifier: GPL-3.0-or-later
// Programs of schedules against what the public generators write, over a grid of sizes; and whose rules refuse which.
#include <QtTest>

#include <set>
#include <string>

#include "core/pipeline/orders/v_shaped.h"
#include "core/pipeline/simulation/simulator.h"
#include "core/plan/choices.h"
#include "tests/core/pipeline/asked_schedules.h"
#include "tests/core/pipeline/order_text.h"
#include "tests/test_program.h"

namespace cardfit::tst_generated_orders {

using samples::asked;
using samples::equalStages;

/// FNV-1a of 64 bits.
class Fingerprint {
public:
    void add(std::string_view text)
    {
        for (const char letter : text) {
            m_hash ^= static_cast<unsigned char>(letter);
            m_hash *= 0x100000001b3ULL;
        }
    }
    [[nodiscard]] QByteArray text() const { return QByteArray::number(qulonglong(m_hash), 16).rightJustified(16, '0'); }

private:
    std::uint64_t m_hash = 0xcbf29ce484222325ULL;
};

/// What the generator would write; of the V shapes, which the two forks fill differently, by its own rules.
std::vector<std::vector<Operation>> ordersOf(const QByteArray& generator, const ScheduleRequest& request)
{
    const bool half = request.schedule == Schedule::VHalf;
    if (!half && request.schedule != Schedule::VMin) return programs(request);
    return vShapedPrograms(half ? VShape::Half : VShape::Min,
        generator == "primus" ? GapFilling::Primus : GapFilling::ZeroBubble, request.stages, request.microbatches);
}

ScheduleRequest under(Framework framework, ScheduleRequest request)
{
    request.framework = framework;
    return request;
}

class TestGeneratedOrders : public QObject {
    Q_OBJECT

private slots:
    void equalThoseOfTheGenerators_data()
    {
        QTest::addColumn<QByteArrayList>("row");
        QFile file(CARDFIT_TEST_DATA "/pipeline/generated_orders.txt");
        QVERIFY(file.open(QIODevice::ReadOnly | QIODevice::Text));
        int rows = 0;
        for (const QByteArray& line : file.readAll().split('\n')) {
            if (line.isEmpty() || line.startsWith('#')) continue;
            const QByteArrayList row = line.split(' ');
            QCOMPARE(row.size(), 7);
            QTest::newRow(row.first(4).join(' ').constData()) << row;
            ++rows;
        }
        QCOMPARE(rows, 198);
    }
    void equalThoseOfTheGenerators()
    {
        QFETCH(QByteArrayList, row);
        const auto schedule = fromName<Schedule>(row[1].toStdString());
        QVERIFY(schedule);
        std::set<std::int64_t> left_out;
        for (const QByteArray& count : row[6].split(','))
            if (count != "-") left_out.insert(count.toLongLong());
        const bool pytorch = row[0] == "pytorch";
        const Framework framework = pytorch ? Framework::Fsdp : Framework::Megatron;
        Fingerprint written;
        for (std::int64_t microbatches = 1; microbatches <= row[4].toLongLong(); ++microbatches) {
            const ScheduleRequest request =
                under(framework, asked(*schedule, row[3].toLongLong(), microbatches, row[2].toLongLong()));
            const bool refused = refusalBy(framework, request).has_value();
            if (pytorch) QCOMPARE(refused, left_out.contains(microbatches));
            if (left_out.contains(microbatches)) continue;
            QVERIFY(!refused);
            written.add(std::to_string(microbatches) + "\n");
            const auto orders = ordersOf(row[0], request);
            for (const auto& order : orders)
                written.add(samples::orderText(order, true) + "\n");
            // Without a framework the same numbers run, if PyTorch's rules alone allow them too.
            QVERIFY(!refusal(asked(*schedule, request.stages, microbatches, request.chunks)));
            if (!simulate(orders, placementOf(*schedule), equalStages(request))) QFAIL("ranks wait for each other");
        }
        QCOMPARE(written.text(), row[5]);
    }

    /// V-Half is written as Primus does it and V-Min as sail-sg does: see recordedFilling().
    void vShapesAreThoseOfOneFork()
    {
        for (const std::int64_t stages : {2, 3, 4, 6}) {
            const auto half = asked(Schedule::VHalf, stages, 3 * stages, 2);
            QCOMPARE(programs(half), ordersOf("primus", half));
            const auto min = asked(Schedule::VMin, stages, 3 * stages, 2);
            QCOMPARE(programs(min), ordersOf("sail-sg", min));
        }
    }

    void eachRefusalSaysWhoseRuleItIs()
    {
        // Rounds of 5: PyTorch runs them, in groups of 4 Megatron-LM would wait for itself.
        const auto rounds = asked(Schedule::InterleavedOneFOneB, 4, 10, 2);
        QVERIFY(!refusal(rounds));
        QVERIFY(!refusalBy(Framework::Fsdp, rounds));
        const auto megatron = refusalBy(Framework::Megatron, rounds);
        QVERIFY(megatron && megatron->rule_of == Framework::Megatron);
        QVERIFY(megatron->said().english().find("Megatron-Core") != std::string::npos);
        QCOMPARE(programs(rounds), programs(under(Framework::Fsdp, rounds)));

        // 9 in two rounds: neither.
        const auto neither = asked(Schedule::InterleavedOneFOneB, 4, 9, 2);
        QVERIFY(refusal(neither));
        const auto pytorch = refusalBy(Framework::Fsdp, neither);
        QVERIFY(pytorch && pytorch->rule_of == Framework::Fsdp);
        for (const std::int64_t valid : pytorch->valid)
            QVERIFY(!refusalBy(Framework::Fsdp, asked(Schedule::InterleavedOneFOneB, 4, valid, 2)));

        // Fewer micro-batches than stages: 1F1B does without, PyTorch's does not.
        const auto few = asked(Schedule::OneFOneB, 4, 2);
        QVERIFY(!refusal(few) && !refusalBy(Framework::Megatron, few) && !refusalBy(Framework::DeepSpeed, few));
        QVERIFY(refusalBy(Framework::Fsdp, few));
        QVERIFY(!refusalBy(Framework::Fsdp, asked(Schedule::GPipe, 4, 2)));
        QVERIFY(!refusalBy(Framework::Fsdp, asked(Schedule::InterleavedOneFOneB, 4, 2, 2)));

        // A group is Megatron-LM's choice, PyTorch reckons its own.
        auto group = asked(Schedule::InterleavedOneFOneB, 4, 16, 2);
        group.group = 8;
        QVERIFY(!refusalBy(Framework::Megatron, group));
        const auto reckoned = refusalBy(Framework::Fsdp, group);
        QVERIFY(reckoned && reckoned->field == ScheduleRefusal::Field::Group);
        QCOMPARE(reckoned->valid, (std::vector<std::int64_t>{4}));
    }

    /// Every value that a refusal offers is one that can be asked for, and is offered once.
    void refusalsOfferValues()
    {
        int offered = 0;
        for (const auto& entry : names<Schedule>()) {
            for (std::int64_t stages = 1; stages <= 5; ++stages) {
                for (std::int64_t microbatches = 1; microbatches <= 11; ++microbatches) {
                    const auto refused = refusal(asked(entry.value, stages, microbatches, 2));
                    if (!refused) continue;
                    const auto& valid = refused->valid;
                    QVERIFY2(std::ranges::adjacent_find(valid, std::ranges::greater_equal()) == valid.end(),
                        entry.name.data());
                    QVERIFY2(valid.empty() || valid.front() >= 1, entry.name.data());
                    offered += static_cast<int>(valid.size());
                }
            }
        }
        QVERIFY(offered > 100);
    }

    void frameworksThatDoNotRunAScheduleAreNamed()
    {
        const auto names = [](const ScheduleRequest& request) {
            QByteArrayList list;
            for (const FrameworkRefusal& refused : refusingFrameworks(request))
                list << QByteArray(name(refused.framework).data());
            return list.join(' ');
        };
        QCOMPARE(names(asked(Schedule::OneFOneB, 4, 8)), QByteArray());
        QCOMPARE(names(asked(Schedule::OneFOneB, 4, 2)), QByteArray("fsdp"));
        QCOMPARE(names(asked(Schedule::InterleavedOneFOneB, 4, 8, 2)), QByteArray("deepspeed"));
        QCOMPARE(names(asked(Schedule::InterleavedOneFOneB, 4, 10, 2)), QByteArray("megatron deepspeed"));
        QCOMPARE(names(asked(Schedule::VHalf, 4, 8, 2)), QByteArray("deepspeed fsdp")); // forks of Megatron-Core run it
        QCOMPARE(names(asked(Schedule::Naive, 4, 8)), QByteArray("megatron deepspeed fsdp"));
    }
};

CARDFIT_TEST(TestGeneratedOrders)

} // namespace cardfit::tst_generated_orders
#include "tst_generated_orders.moc"
