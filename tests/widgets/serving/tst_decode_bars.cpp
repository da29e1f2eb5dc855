// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QtTest>

#include "tests/test_program.h"
#include "tests/widgets/sample_estimate.h"
#include "tests/widgets/shown_chart.h"
#include "widgets/serving/decode_bars.h"

namespace cardfit::tst_decode_bars {

using namespace cardfit::ui;

Plan servedPlan(std::int64_t stages)
{
    Plan plan = samples::gptPlan(stages, 1);
    plan.workload.task = Task::Inference;
    plan.recipe.kernels = Kernels::Compiled;
    plan.workload.sequence_length = 4096;
    plan.workload.input_tokens = 1000;
    plan.workload.output_tokens = 500;
    plan.workload.concurrency = 8;
    return plan;
}

struct Shown : samples::ShownChart<DecodeBars> {
    explicit Shown(const Plan& plan)
    {
        chart.setEstimate(std::make_shared<const Estimate>(estimate(plan)));
        show({800, 160});
    }
};

class TestDecodeBars : public QObject {
    Q_OBJECT

private slots:
    void init() { samples::failOnAnyWarning(); }

    /// Parts lie side by side, and every stage's bar is as long as the time per token.
    void barsAreAsLongAsAToken()
    {
        const Plan plan = servedPlan(2);
        Shown shown(plan);
        const double whole = shown.chart.plot()->axisRect()->width();
        for (std::size_t stage = 0; stage < 2; ++stage) {
            double width = 0.0;
            for (std::size_t part = 0; part < kDecodeParts.size(); ++part)
                width += shown.chart.rect(stage, part).width();
            QVERIFY2(std::abs(width - whole) <= 2.0, qPrintable(QString::number(width)));
        }
        QVERIFY(shown.chart.rect(0, 0).bottom() <= shown.chart.rect(1, 0).top());
        const ChartTable table = shown.chart.table();
        QCOMPARE(table.columns.size(), 3);
        const double total = estimate(plan).server->pace->pace.tpot().value();
        QCOMPARE(table.rows.back().at(1), QString::number(1e3 * total, 'f', 3));
    }

    void aClickExplainsAPart()
    {
        Shown shown(servedPlan(1));
        const QSignalSpy clicked(&shown.chart, &EstimateChart::figureClicked);
        QTest::mouseClick(shown.chart.plot(), Qt::LeftButton, {}, shown.chart.rect(0, 0).center().toPoint());
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(clicked.front().front().toString(), QStringLiteral("server.tpot.weights"));
    }

    void aTrainedPlanHasNone()
    {
        Shown shown(samples::gptPlan(1, 1));
        QVERIFY(shown.chart.isEmpty());
        QVERIFY(shown.chart.table().rows.empty());
    }
};

CARDFIT_WINDOW_TEST(TestDecodeBars)

} // namespace cardfit::tst_decode_bars
#include "tst_decode_bars.moc"
