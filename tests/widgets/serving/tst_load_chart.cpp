// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QtTest>

#include "tests/test_program.h"
#include "tests/widgets/sample_estimate.h"
#include "tests/widgets/shown_chart.h"
#include "widgets/serving/load_chart.h"

namespace cardfit::tst_load_chart {

using namespace cardfit::ui;

Plan servedPlan()
{
    Plan plan = samples::gptPlan(1, 1);
    plan.workload.task = Task::Inference;
    plan.recipe.kernels = Kernels::Compiled;
    plan.workload.sequence_length = 4096;
    plan.workload.input_tokens = 1000;
    plan.workload.output_tokens = 500;
    plan.workload.concurrency = 4;
    plan.workload.limits = ServingLimits{80.0, {}};
    return plan;
}

struct Shown : samples::ShownChart<LoadChart> {
    ServingCurve curve = *servingCurve(servedPlan());

    Shown()
    {
        chart.setCurve(curve);
        show({800, 300});
    }
};

class TestLoadChart : public QObject {
    Q_OBJECT

private slots:
    void init() { samples::failOnAnyWarning(); }

    /// More users wait longer, and together get more tokens; what is drawn is what servers answer.
    void waitsGrowWithUsers()
    {
        const ServingCurve curve = *servingCurve(servedPlan());
        QCOMPARE(curve.points.size(), std::size_t(40));
        QCOMPARE(curve.points.front().users, 1.0);
        QCOMPARE(curve.plan.users, 4.0);
        for (std::size_t i = 1; i < curve.points.size(); ++i) {
            QVERIFY(curve.points[i].tpot() >= curve.points[i - 1].tpot());
            QVERIFY(curve.points[i].ttft_burst >= curve.points[i - 1].ttft_burst);
        }
        const Estimate made = estimate(servedPlan());
        QCOMPARE(curve.plan.tpot().value(), made.server->pace->pace.tpot().value());
        QCOMPARE(curve.plan.output_tokens_per_second, made.server->pace->output_tokens_per_second);
        Plan trained = samples::gptPlan(1, 1);
        QVERIFY(!servingCurve(trained));
    }

    void theMarkerMovesUsers()
    {
        Shown shown;
        const QPoint marker = shown.chart.marker().toPoint();
        QCOMPARE(shown.chart.gripAt(marker), LoadChart::Grip::Users);
        QCOMPARE(shown.chart.gripAt(marker + QPoint(60, 0)), LoadChart::Grip::None);
        const QSignalSpy users(&shown.chart, &LoadChart::usersDragged);
        const QSignalSpy released(&shown.chart, &LoadChart::released);
        QTest::mousePress(shown.chart.plot(), Qt::LeftButton, {}, marker);
        QTest::mouseMove(shown.chart.plot(), marker + QPoint(80, 0));
        QTest::mouseRelease(shown.chart.plot(), Qt::LeftButton, {}, marker + QPoint(80, 0));
        QVERIFY(!users.isEmpty());
        QVERIFY(users.last().front().toLongLong() > 4);
        QCOMPARE(released.size(), 1);
    }

    void limitsMoveToo()
    {
        Shown shown;
        const double y = shown.chart.plot()->yAxis->coordToPixel(0.08);
        const QPoint on(qRound(shown.chart.marker().x()) + 100, qRound(y));
        QCOMPARE(shown.chart.gripAt(on), LoadChart::Grip::TokenLimit);
        const QSignalSpy limits(&shown.chart, &LoadChart::tokenLimitDragged);
        QTest::mousePress(shown.chart.plot(), Qt::LeftButton, {}, on);
        QTest::mouseMove(shown.chart.plot(), on + QPoint(0, 20));
        QTest::mouseRelease(shown.chart.plot(), Qt::LeftButton, {}, on + QPoint(0, 20));
        QVERIFY(!limits.isEmpty());
        QVERIFY(limits.last().front().toDouble() < 80.0);
    }

    void theTableHasEveryPoint()
    {
        const Shown shown;
        QCOMPARE(shown.chart.table().rows.size(), shown.curve.points.size());
        QVERIFY(shown.chart.facts().contains(QStringLiteral("4 users")));
        LoadChart none;
        QVERIFY(none.isEmpty() && none.table().rows.empty());
    }
};

CARDFIT_WINDOW_TEST(TestLoadChart)

} // namespace cardfit::tst_load_chart
#include "tst_load_chart.moc"
