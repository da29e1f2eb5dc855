// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/verdict_strip.h"

#include <QSignalSpy>
#include <QTest>

#include "tests/test_program.h"
#include "tests/widgets/sample_estimate.h"
#include "widgets/chart/labels.h"

namespace cardfit::tst_verdict_strip {

using namespace cardfit::ui;

const Plan kPlan = samples::llama13BOnEightCards();

/// Every card's capacity is `factor` times what the fullest needs.
std::shared_ptr<const Estimate> withCapacity(double factor)
{
    auto result = estimate(kPlan);
    const Bytes used = result.stages[result.worstStage()].device();
    for (auto& stage : result.stages)
        stage.capacity = roundToBytes(factor * static_cast<double>(used.value()));
    return std::make_shared<const Estimate>(std::move(result));
}

class TestVerdictStrip : public QObject {
    Q_OBJECT

private slots:
    void init() { samples::failOnAnyWarning(); }

    void saysTheVerdict_data()
    {
        QTest::addColumn<double>("capacity");
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("sign");
        QTest::newRow("over") << 0.9 << "OVER"
                              << "(−";
        QTest::newRow("tight") << 1.02 << "TIGHT"
                               << "(+";
        QTest::newRow("fits") << 1.5 << "FITS"
                              << "(+";
    }
    void saysTheVerdict()
    {
        QFETCH(double, capacity);
        QFETCH(QString, word);
        QFETCH(QString, sign);
        const auto estimate = withCapacity(capacity);
        VerdictStrip strip;
        strip.setEstimate(kPlan, estimate, {ByteUnit::GB}, 1.23);
        const QString text = strip.accessibleName();
        QVERIFY2(text.startsWith(word), qPrintable(text));
        QVERIFY2(text.contains(sign), qPrintable(text));
        const StageMemory& worst = estimate->stages[estimate->worstStage()];
        QVERIFY2(text.contains(bytesNumber(worst.device(), ByteUnit::GB)), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("512 micro-batches")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("data 2")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("1.23 ms")), qPrintable(text));
        const Bytes free = worst.free();
        const QString lead = free < Bytes(0) ? bytesText(Bytes(0) - free, ByteUnit::GB, 1) + QStringLiteral(" missing")
                                             : bytesText(free, ByteUnit::GB, 1) + QStringLiteral(" free");
        QCOMPARE(strip.text().figure, lead);
    }

    void saysWhatTheRunTakes()
    {
        Plan plan = kPlan;
        plan.workload.tokens = 1e12;
        VerdictStrip strip;
        strip.setEstimate(plan, std::make_shared<const Estimate>(estimate(plan)), {ByteUnit::GB}, 0.1);
        const auto& facts = strip.text().facts;
        QCOMPARE(facts[1].figure, QStringLiteral("no price"));
        plan.cluster.accelerator.price_per_hour_usd = 2.0;
        strip.setEstimate(plan, std::make_shared<const Estimate>(estimate(plan)), {ByteUnit::GB}, 0.1);
        QVERIFY2(facts[0].figure.endsWith(QStringLiteral(" days")), qPrintable(facts[0].figure));
        // Eight of ten such runs take this long, and cost this much.
        QVERIFY2(
            facts[0].note.contains(u'…') && facts[0].note.endsWith(QStringLiteral(" days")), qPrintable(facts[0].note));
        QVERIFY2(facts[1].figure.startsWith(u'$') && facts[1].note.count(u'$') == 2, qPrintable(facts[1].note));
        QVERIFY2(strip.accessibleName().contains(QStringLiteral("1 T tokens")), qPrintable(strip.accessibleName()));
    }

    void saysWhereNothingIsKnownOfTheError()
    {
        Plan plan = kPlan;
        plan.workload.task = Task::Inference;
        VerdictStrip strip;
        strip.setEstimate(plan, std::make_shared<const Estimate>(estimate(plan)), {ByteUnit::GB}, 0.1);
        QVERIFY2(strip.accessibleName().contains(QStringLiteral("not validated")), qPrintable(strip.accessibleName()));
    }

    void namesTheBrokenRule()
    {
        const auto broken = samples::brokenEstimate();
        VerdictStrip strip;
        strip.setEstimate(kPlan, broken, {ByteUnit::GB}, 0.1);
        QVERIFY(strip.accessibleName().startsWith(QStringLiteral("INVALID")));
        QVERIFY(strip.accessibleName().contains(QString::fromStdString(broken->checks.front().message.english())));
    }

    void dropsTheLeastImportantFactsFirst()
    {
        VerdictStrip strip;
        strip.setEstimate(kPlan, withCapacity(0.9), {ByteUnit::GB}, 1.23);
        strip.resize(strip.sizeHint());
        QCOMPARE(strip.shownFacts().size(), strip.text().facts.size());
        strip.resize(strip.sizeHint().width() - 10, strip.height());
        QCOMPARE(strip.shownFacts().size(), strip.text().facts.size() - 1);
        for (const auto& fact : strip.shownFacts())
            QVERIFY(!fact.figure.contains(QStringLiteral("1.23 ms")));
        strip.resize(strip.minimumSizeHint());
        QVERIFY(strip.shownFacts().empty());
    }

    void theBadgeHasTheVerdictsColour()
    {
        VerdictStrip strip;
        strip.setTheme(lightTheme());
        strip.setEstimate(kPlan, withCapacity(0.9), {ByteUnit::GB}, 1.23);
        strip.resize(strip.sizeHint());
        const QImage image = strip.grab().toImage();
        QCOMPARE(image.pixelColor(9, strip.height() / 2).name(), lightTheme().over_badge.name());
    }

    void canBeClickedAndPressed()
    {
        VerdictStrip strip;
        const QSignalSpy clicked(&strip, &VerdictStrip::clicked);
        QTest::mouseClick(&strip, Qt::LeftButton);
        QTest::keyClick(&strip, Qt::Key_Return);
        QCOMPARE(clicked.size(), 2);
    }
};

CARDFIT_WINDOW_TEST(TestVerdictStrip)

} // namespace cardfit::tst_verdict_strip
#include "tst_verdict_strip.moc"
