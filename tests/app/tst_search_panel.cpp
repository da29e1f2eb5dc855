// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <QCheckBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include "app/document/plan_document.h"
#include "app/panels/search_panel.h"
#include "app/panels/table_view.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"
#include "widgets/search/plan_scatter.h"

using namespace cardfit;
using namespace cardfit::app;

namespace {

constexpr int kPatience = 60000;

/// Leaves free what a test needs: tensor and micro-batch alone make a space that is searched at once.
void leaveFree(SearchPanel& panel, const QStringList& names)
{
    for (auto* box : panel.findChildren<QCheckBox*>()) {
        if (!box->objectName().isEmpty()) box->setChecked(names.contains(box->objectName()));
    }
}

} // namespace

class TestSearchPanel : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )"))); }

    void showsWhatTheCoreFinds()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        SearchPanel panel(document, state);
        leaveFree(panel, {QStringLiteral("tensor"), QStringLiteral("pipeline"), QStringLiteral("micro_batch_size")});
        panel.searchButton()->click();
        QVERIFY(panel.isSearching());
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kPatience);
        QVERIFY(panel.result().has_value());
        QVERIFY(panel.result()->proven);
        QVERIFY(!panel.result()->top.empty());
        QCOMPARE(panel.table().table().rows.size(), panel.rows().size());
        QCOMPARE(panel.chart().points().size(), panel.rows().size());
        // What is offered is what the estimate says of that plan, and no slower than the plan as it is.
        const FoundPlan& best = panel.rows().front();
        QCOMPARE(estimate(best.plan).step.seconds.value(), best.step.value());
        QVERIFY(best.step.value() <= estimate(samplePlan()).step.seconds.value());
    }

    void takingARowIsOneUndoStep()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        SearchPanel panel(document, state);
        leaveFree(panel, {QStringLiteral("tensor"), QStringLiteral("micro_batch_size")});
        QVERIFY(!panel.useButton()->isEnabled());
        panel.search();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kPatience);
        const auto& rows = panel.rows();
        const auto other = std::ranges::find_if(rows, [](const FoundPlan& row) { return !(row.plan == samplePlan()); });
        QVERIFY(other != rows.end());
        const int row = static_cast<int>(other - rows.begin());
        const Plan wanted = other->plan;
        panel.table().selectRow(row);
        QVERIFY(panel.useButton()->isEnabled());
        panel.useButton()->click();
        QVERIFY(document.plan() == wanted);
        QCOMPARE(document.undoStack()->count(), 1);
        document.undoStack()->undo();
        QVERIFY(document.plan() == samplePlan());
    }

    void aPointOfTheChartSelectsItsRow()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        SearchPanel panel(document, state);
        leaveFree(panel, {QStringLiteral("tensor"), QStringLiteral("micro_batch_size")});
        panel.search();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kPatience);
        emit panel.chart().pointChosen(0);
        QCOMPARE(panel.table().currentIndex().row(), 0);
    }

    void aStoppedSearchSaysSo()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        SearchPanel panel(document, state);
        panel.search();
        panel.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kPatience);
        const SearchResult& result = *panel.result();
        QCOMPARE(result.proven, result.counts.undecided == 0);
        QCOMPARE(result.counts.decided() + result.counts.undecided, result.plans);
    }

    void nothingThatFitsShowsTheNearest()
    {
        Plan plan = samplePlan();
        plan.cluster.nodes = 1;
        plan.parallelism.data.reset();
        PlanDocument document(plan);
        ViewState state;
        SearchPanel panel(document, state);
        leaveFree(panel, {QStringLiteral("micro_batch_size")});
        panel.search();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kPatience);
        QVERIFY(panel.result()->top.empty());
        if (panel.result()->nearest) {
            QCOMPARE(panel.rows().size(), std::size_t(1));
            QVERIFY(!panel.rows().front().fits);
        }
    }
};

CARDFIT_WINDOW_TEST(TestSearchPanel)
#include "tst_search_panel.moc"
