// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QLayout>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTest>
#include <QToolButton>

#include "app/controls/collapsible_group.h"
#include "app/document/plan_document.h"
#include "app/panels/advice_column.h"
#include "app/panels/advice_panel.h"
#include "app/panels/checks_panel.h"
#include "app/panels/explain_panel.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"
#include "widgets/explain_view.h"

namespace cardfit::tst_advice_panel {

using namespace cardfit::app;

constexpr int kPatience = 20000;

/// A plan for four cards that does not fit because of its activations only.
Plan overfullPlan() { return *shippedPresets().plan("llama-13b-4-cards"); }

QString textOf(const QWidget& widget)
{
    QStringList texts;
    for (const auto* label : widget.findChildren<QLabel*>())
        texts << label->text();
    return texts.join(u'\n');
}

QPushButton* buttonFor(const QWidget& widget, const QString& what)
{
    for (auto* button : widget.findChildren<QPushButton*>()) {
        if (button->accessibleName().contains(what)) return button;
    }
    return nullptr;
}

class TestAdvicePanel : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )"))); }

    void nothingIsComputedWhileNobodySeesIt()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        AdvicePanel panel(document, state);
        document.edit(overfullPlan(), QStringLiteral("other"));
        QVERIFY(!panel.isWaiting());
        QVERIFY(!panel.shown());
        panel.setSeen(true);
        QVERIFY(panel.isWaiting());
        QTRY_VERIFY_WITH_TIMEOUT(panel.isCurrent(), kPatience);
        panel.setSeen(false);
        document.undoStack()->undo();
        QVERIFY(!panel.isWaiting());
        QVERIFY(!panel.isCurrent());
        panel.setSeen(true);
        QTRY_VERIFY_WITH_TIMEOUT(panel.isCurrent(), kPatience);
        QCOMPARE(panel.shown()->estimate.plan, samplePlan().name);
    }

    void showsWhatTheCoreAnswers()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        AdvicePanel panel(document, state);
        panel.setSeen(true);
        QTRY_VERIFY_WITH_TIMEOUT(panel.isCurrent(), kPatience);
        const Advice expected = adviceFor(samplePlan());
        QCOMPARE(panel.shown()->limits.size(), expected.limits.size());
        for (std::size_t i = 0; i < expected.limits.size(); ++i)
            QVERIFY(panel.shown()->limits[i] == expected.limits[i]);
        QVERIFY(panel.shown()->suggestions == expected.suggestions);
        const QString text = textOf(panel);
        QVERIFY2(text.contains(QStringLiteral("Largest micro-batch: 2 (now 1)")), qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("Recompute Nothing → Whole layers (uniform, 1)")));
        QVERIFY(text.contains(QStringLiteral("with Data parallel 2 → 1")));
        for (const auto* button : panel.findChildren<QPushButton*>())
            QVERIFY(button->accessibleName().startsWith(QStringLiteral("Apply: ")));
    }

    void applyingIsOneUndoStep()
    {
        PlanDocument document(overfullPlan());
        ViewState state;
        AdvicePanel panel(document, state);
        panel.setSeen(true);
        QTRY_VERIFY_WITH_TIMEOUT(panel.isCurrent(), kPatience);
        QVERIFY(!document.isModified());
        panel.showAll();
        auto* button = buttonFor(panel, QStringLiteral("Recompute Nothing → Whole layers (uniform, 1)"));
        QVERIFY(button != nullptr && button->isEnabled());
        button->click();
        QCOMPARE(document.plan().recipe.recompute.granularity, RecomputeGranularity::Full);
        QCOMPARE(document.undoStack()->count(), 1);
        QCOMPARE(document.undoStack()->undoText(), QStringLiteral("Recompute Nothing → Whole layers (uniform, 1)"));
        QVERIFY(estimate(document.plan()).fits());
        QTRY_VERIFY_WITH_TIMEOUT(panel.isCurrent(), kPatience);
        QVERIFY(panel.shown()->estimate.fits());
        document.undoStack()->undo();
        QVERIFY(document.plan() == overfullPlan());
    }

    void aLimitIsAppliedToo()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        AdvicePanel panel(document, state);
        panel.setSeen(true);
        QTRY_VERIFY_WITH_TIMEOUT(panel.isCurrent(), kPatience);
        buttonFor(panel, QStringLiteral("Largest micro-batch"))->click();
        QCOMPARE(document.plan().workload.micro_batch_size, 2);
        QCOMPARE(document.plan().workload.global_batch_size, samplePlan().workload.global_batch_size);
    }

    void buttonsOfAnotherPlanDoNotWork()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        AdvicePanel panel(document, state);
        panel.setSeen(true);
        QTRY_VERIFY_WITH_TIMEOUT(panel.isCurrent(), kPatience);
        document.edit(overfullPlan(), QStringLiteral("other"));
        QVERIFY(!panel.isCurrent());
        for (const auto* button : panel.findChildren<QPushButton*>())
            QVERIFY(!button->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(panel.isCurrent(), kPatience);
        QCOMPARE(panel.shown()->estimate.plan, overfullPlan().name);
    }

    void impossibilityIsProven()
    {
        Plan plan = overfullPlan();
        plan.parallelism.pipeline = 1;
        plan.parallelism.data.reset();
        PlanDocument document(plan);
        ViewState state;
        AdvicePanel panel(document, state);
        panel.setSeen(true);
        QTRY_VERIFY_WITH_TIMEOUT(panel.isCurrent(), kPatience);
        panel.showAll();
        const QString text = textOf(panel);
        QVERIFY2(text.contains(QStringLiteral("Longest sequence: none fits")), qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("Weights, gradients and optimizer states of stage 0 are ")));
        state.setUnit(ByteUnit::GiB);
        QVERIFY(textOf(panel).contains(QStringLiteral(" GiB")));
    }

    /// For a plan that does not fit, the three best changes with their prices; the others are asked for.
    void theBestChangesAreEnoughAtFirst()
    {
        PlanDocument document(overfullPlan());
        ViewState state;
        AdvicePanel panel(document, state);
        panel.setSeen(true);
        QTRY_VERIFY_WITH_TIMEOUT(panel.isCurrent(), kPatience);
        QCOMPARE(panel.findChildren<QPushButton*>().size(), 3);
        QVERIFY(panel.shown()->suggestions.size() > 3);
        QVERIFY(!textOf(panel).contains(QStringLiteral("Limits")));
        panel.findChild<QToolButton*>()->click();
        QVERIFY(panel.findChildren<QPushButton*>().size() > 3);
        QVERIFY(textOf(panel).contains(QStringLiteral("Limits")));
    }

    /// Checks, a line of advice that nobody needs, the explanation. A plan that does not fit begins with advice.
    void theColumnIsOrderedByWeight()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        AdviceColumn column({document, shippedPresets(), state});
        column.resize(392, 600);
        column.show();
        column.setSeen(true);
        document.recomputeNow();
        auto& advice = *column.findChild<AdvicePanel*>();
        const auto topOf = [&](QWidget* card) { return card->mapTo(column.widget(), QPoint()).y(); };
        const auto inOrder = [&](QWidget* first, QWidget* second, QWidget* third) {
            column.widget()->layout()->activate();
            return topOf(first) < topOf(second) && topOf(second) < topOf(third);
        };
        auto* checks = column.findChild<ChecksPanel*>();
        auto* explain = column.findChild<ExplainPanel*>();
        auto* group = column.findChild<CollapsibleGroup*>();
        QVERIFY(inOrder(checks, group, explain));
        QVERIFY(!advice.isVisible() && !advice.isWaiting()); // folded, so nothing is computed
        // The explanation is as high as its text: the column scrolls.
        QTRY_VERIFY(explain->view().explanation().has_value());
        QTRY_VERIFY(explain->view().height() > 300 && column.verticalScrollBar()->maximum() > 0);
        QVERIFY(explain->view().verticalScrollBar()->maximum() == 0);

        document.reset(overfullPlan());
        document.recomputeNow();
        QVERIFY(inOrder(group, checks, explain));
        QVERIFY(group->findChild<QToolButton*>()->text().endsWith(QStringLiteral("13.9 GB missing")));
        QTRY_VERIFY_WITH_TIMEOUT(advice.isVisible() && advice.isCurrent(), kPatience);
        Plan broken = samplePlan();
        broken.parallelism.tensor = 3;
        document.reset(broken);
        document.recomputeNow();
        QVERIFY(inOrder(checks, group, explain));
        QTRY_VERIFY(checks->findChildren<QPushButton*>().size() > 2);
        for (const auto* button : checks->findChildren<QPushButton*>())
            QTRY_VERIFY(column.rect().contains(QRect(button->mapTo(&column, QPoint()), button->size())));
    }

    void aBrokenPlanSaysSo()
    {
        Plan plan = samplePlan();
        plan.parallelism.tensor = 3;
        PlanDocument document(plan);
        ViewState state;
        AdvicePanel panel(document, state);
        panel.setSeen(true);
        QTRY_VERIFY_WITH_TIMEOUT(panel.isCurrent(), kPatience);
        QVERIFY(textOf(panel).contains(QStringLiteral("A broken rule prevents the estimate")));
    }
};

CARDFIT_WINDOW_TEST(TestAdvicePanel)

} // namespace cardfit::tst_advice_panel
#include "tst_advice_panel.moc"
