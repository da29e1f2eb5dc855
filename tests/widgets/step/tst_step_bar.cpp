// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/test_program.h"
#include "tests/widgets/sample_estimate.h"
#include "tests/widgets/shown_chart.h"
#include "widgets/chart/chart_header.h"
#include "widgets/chart/labels.h"
#include "widgets/step/step_bar.h"
#include "widgets/text/quantity_text.h"

namespace cardfit::tst_step_bar {

using namespace cardfit::ui;

struct Shown : samples::ShownChart<StepBar> {
    samples::SharedEstimate estimate = samples::estimated(samples::gptPlan(4, 16));

    Shown()
    {
        chart.setEstimate(estimate);
        show({800, 110});
    }
    QPoint middleOf(StepPart part) const { return chart.rect(part).center().toPoint(); }
};

StepPart partOf(std::size_t index) { return static_cast<StepPart>(index); }

class TestStepBar : public QObject {
    Q_OBJECT

private slots:
    void init() { samples::failOnAnyWarning(); }

    void partsJoinAndFillTheAxis()
    {
        const Shown shown;
        double end = shown.chart.rect(StepPart::Compute).left();
        for (std::size_t i = 0; i < kStepPartCount; ++i) {
            const QRectF rect = shown.chart.rect(partOf(i));
            QCOMPARE(rect.left(), end);
            end = rect.right();
        }
        const QRect area = shown.chart.plot()->axisRect()->rect();
        QCOMPARE_LE(std::abs(end - area.right()), 2.0);
    }

    // Of a served model the time is that of the prompts.
    void aServedStepIsThePrefill()
    {
        Plan plan = samples::gptPlan(4, 16);
        plan.workload.task = Task::Inference;
        Shown shown;
        shown.chart.setEstimate(samples::estimated(plan));
        QVERIFY(shown.chart.table().title.contains(QStringLiteral("Prefill")));
        QVERIFY(shown.chart.facts().contains(QStringLiteral("prompt tokens/s per card")));
    }

    void widthsAreTimes()
    {
        const Shown shown;
        const StepEstimate& step = shown.estimate->step;
        const double whole = shown.chart.plot()->axisRect()->rect().width();
        for (const StepPart part : {StepPart::Compute, StepPart::Tensor, StepPart::Bubble}) {
            const double expected = whole * (step.parts[part] / step.seconds);
            QCOMPARE_GT(expected, 0.0);
            QCOMPARE_LE(std::abs(shown.chart.rect(part).width() - expected), 2.0);
        }
    }

    void theCardSaysWhatThePartIs()
    {
        Shown shown;
        samples::movePointer(*shown.chart.plot(), shown.middleOf(StepPart::Tensor));
        const QString text = shown.chart.hoverText();
        QVERIFY2(text.contains(stepPartLabel(StepPart::Tensor)), qPrintable(text));
        QVERIFY2(text.contains(timeText(shown.estimate->step.parts.tensor.value())), qPrintable(text));
        samples::movePointer(*shown.chart.plot(), QPoint(2, 2));
        QVERIFY(shown.chart.hoverText().isEmpty());
    }

    void clickAndKeysChooseAPart()
    {
        Shown shown;
        QSignalSpy clicked(&shown.chart, &StepBar::figureClicked);
        QTest::mouseClick(shown.chart.plot(), Qt::LeftButton, {}, shown.middleOf(StepPart::Tensor));
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(clicked.takeFirst()[0].toString(), QStringLiteral("step.tensor"));
        // Parts without time are passed over: context and expert parallelism are not in this plan.
        QTest::keyClick(&shown.chart, Qt::Key_Right);
        QTest::keyClick(&shown.chart, Qt::Key_Right);
        QTest::keyClick(&shown.chart, Qt::Key_Right);
        QTest::keyClick(&shown.chart, Qt::Key_Return);
        QCOMPARE(clicked.size(), 1);
        const QString chosen = clicked.takeFirst()[0].toString();
        QVERIFY2(
            chosen == QStringLiteral("step.pipeline") || chosen == QStringLiteral("step.bubble"), qPrintable(chosen));
    }

    void factsAndDescription()
    {
        const Shown shown;
        const StepEstimate& step = shown.estimate->step;
        QVERIFY(shown.chart.facts().startsWith(timeText(step.seconds.value())));
        QVERIFY(shown.chart.facts().contains(percentText(step.mfu)));
        QVERIFY(shown.chart.accessibleDescription().contains(timeText(step.parts.tensor.value())));
        QVERIFY(!shown.chart.accessibleDescription().contains(stepPartLabel(StepPart::Expert)));
    }

    /// What cards wait for the busiest stage is a slice of its own; with its own waits it is the bubble of all card
    /// time.
    void unevenStagesAreASlice()
    {
        samples::ShownChart<StepBar> shown;
        Plan plan = samples::gptPlan(4, 16);
        plan.parallelism.layers_per_stage = {{12, 12, 28, 12}};
        const auto estimate = samples::estimated(plan);
        QVERIFY(estimate->complete());
        shown.chart.setEstimate(estimate);
        shown.show({900, 120});
        QCOMPARE(busiestRank(*estimate->timeline), std::size_t{2});
        const StepParts& parts = estimate->step.parts;
        const double pixels = shown.chart.plot()->axisRect()->rect().width() / parts.total().value();
        const QRectF wait = shown.chart.waitRect();
        QVERIFY(std::abs(wait.right() - shown.chart.rect(StepPart::Pipeline).left()) <= 1.0);
        const double idle = estimate->pipeline.bubble_fraction * estimate->timeline->makespan;
        QVERIFY(std::abs(wait.width() - pixels * (idle - (parts.bubble + parts.pipeline).value())) <= 2.0);
        samples::movePointer(*shown.chart.plot(), wait.center().toPoint());
        QVERIFY(shown.chart.hoverText().contains(QStringLiteral("Waiting for stage 2")));
        QVERIFY(shown.chart.hoverText().contains(percentText(estimate->pipeline.bubble_fraction)));
        QVERIFY(shown.chart.accessibleDescription().contains(QStringLiteral("Waiting for stage 2")));
        // Both bubbles are named.
        QVERIFY(shown.chart.facts().contains(QStringLiteral("on stage 2, the busiest")));
        QVERIFY(shown.chart.facts().contains(percentText(estimate->pipeline.bubble_fraction)));
        // Even stages have none.
        shown.chart.setEstimate(samples::estimated(samples::gptPlan(1, 16)));
        QVERIFY(shown.chart.waitRect().isEmpty());
    }

    /// Where there is little room, entries say at least a letter, and a fact is said as a whole or not at all.
    void whatHasNoRoomIsLeftOutAsAWhole()
    {
        samples::ShownChart<StepBar> shown;
        Plan plan = samples::gptPlan(4, 16);
        plan.parallelism.layers_per_stage = {{12, 12, 28, 12}};
        shown.chart.setEstimate(samples::estimated(plan));
        shown.show({1600, 120});
        const auto* header = qobject_cast<ChartHeader*>(shown.chart.plot()->plotLayout()->element(0, 0));
        QVERIFY(header != nullptr);
        QCOMPARE(header->drawnDetail(), shown.chart.facts());
        const QStringList all = header->drawnWords();
        QCOMPARE(all.last(), QStringLiteral("Waiting"));
        const QStringList facts = shown.chart.facts().split(QStringLiteral(" · "));
        for (const int width : {700, 500, 420}) {
            shown.chart.resize(width, 120);
            shown.replot();
            // It has no letter.
            QCOMPARE(header->drawnWords().last(), all.last());
            QStringList drawn = header->drawnDetail().split(QStringLiteral(" · "));
            QVERIFY(drawn.size() < facts.size());
            QVERIFY(drawn.last().endsWith(QStringLiteral(" …")));
            drawn.last().chop(2);
            QCOMPARE(drawn, facts.first(drawn.size()));
        }
        QVERIFY(header->drawnWords().size() < all.size());
        // Nor has the line of a pin.
        shown.chart.setPins({{1, u'B', QStringLiteral("other"), samples::estimated(plan)}});
        shown.replot();
        QCOMPARE(header->drawnWords().last(), QStringLiteral("B"));
    }

    /// The reason why a picture is old takes the legend's place, where there is little.
    void aBannerDoesNotLieOverTheBar()
    {
        Shown shown;
        shown.chart.resize(420, shown.chart.minimumSizeHint().height());
        shown.chart.setEstimate(samples::brokenEstimate());
        shown.replot();
        const auto* layout = shown.chart.plot()->plotLayout();
        QVERIFY(!shown.chart.outdated().isEmpty());
        QVERIFY(layout->element(0, 0)->outerRect().bottom() <= shown.chart.plot()->axisRect()->rect().top());
        QVERIFY(shown.chart.rect(StepPart::Compute).height() >= 12.0);
    }

    void aPinnedStepIsOutlinedAndNamed()
    {
        Shown shown;
        const QRectF alone = shown.chart.rect(StepPart::Tensor);
        const auto longer = samples::estimated(samples::gptPlan(4, 32));
        shown.chart.setPins({{1, u'B', QStringLiteral("longer"), longer}});
        shown.replot();
        // Both steps are in view: the plan's own is drawn shorter.
        const double share = shown.estimate->step.seconds / longer->step.seconds;
        QVERIFY(share < 1.0);
        QVERIFY(std::abs(shown.chart.rect(StepPart::Tensor).width() - share * alone.width()) <= 2.0);
        samples::movePointer(*shown.chart.plot(), shown.middleOf(StepPart::Tensor));
        const QString text = shown.chart.hoverText();
        QVERIFY2(text.contains(QStringLiteral("B: longer")), qPrintable(text));
        QVERIFY2(text.contains(timeText(longer->step.parts.tensor.value())), qPrintable(text));
        QVERIFY(shown.chart.accessibleDescription().contains(timeText(longer->step.seconds.value())));
        shown.chart.setPins({});
        shown.replot();
        QCOMPARE(shown.chart.rect(StepPart::Tensor), alone);
    }

    void aBrokenPlanLeavesTheLastPicture()
    {
        Shown shown;
        const QRectF before = shown.chart.rect(StepPart::Tensor);
        shown.chart.setEstimate(samples::brokenEstimate());
        QVERIFY(!shown.chart.outdated().isEmpty());
        QCOMPARE(shown.chart.rect(StepPart::Tensor), before);
        shown.chart.setEstimate(shown.estimate);
        QVERIFY(shown.chart.outdated().isEmpty());
        shown.chart.setEstimate(nullptr);
        QVERIFY(shown.chart.rect(StepPart::Tensor).isEmpty());
    }
};

CARDFIT_WINDOW_TEST(TestStepBar)

} // namespace cardfit::tst_step_bar
#include "tst_step_bar.moc"
