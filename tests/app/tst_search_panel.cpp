// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <filesystem>

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include <qcustomplot.h>

#include "app/document/plan_document.h"
#include "app/search/cluster_tab.h"
#include "app/search/map_tab.h"
#include "app/search/plans_tab.h"
#include "app/search/search_panel.h"
#include "app/search/why_tab.h"
#include "core/files/search_words.h"
#include "core/report/search_answer.h"
#include "core/report/search_rows.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"
#include "widgets/controls/table_view.h"
#include "widgets/search/plan_map.h"
#include "widgets/search/plan_scatter.h"
#include "widgets/text/translated.h"

namespace cardfit::tst_search_panel {

using namespace cardfit::app;

constexpr int kPatience = 60000;

/// Leaves only these axes free: tensor and micro-batch alone make a space that is searched at once.
void leaveFree(SearchPanel& panel, const QStringList& names)
{
    for (auto* box : panel.findChildren<QCheckBox*>()) {
        if (!box->objectName().isEmpty()) box->setChecked(names.contains(box->objectName()));
    }
}

class TestSearchPanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("CARDFIT_VALIDATION", CARDFIT_CASES); }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )"))); }

    void showsWhatTheCoreFinds()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        SearchPanel panel(document, shippedPresets(), state);
        leaveFree(panel, {QStringLiteral("tensor"), QStringLiteral("pipeline"), QStringLiteral("micro_batch_size")});
        panel.searchButton()->click();
        QVERIFY(panel.isSearching());
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kPatience);
        QVERIFY(panel.result() != nullptr);
        QVERIFY(panel.result()->proven);
        QVERIFY(!panel.result()->top.empty());
        QCOMPARE(panel.table().table().rows.size(), panel.rows().size());
        QCOMPARE(panel.chart().points().size(), panel.rows().size());
        // The first row matches the estimate of its plan, and is not slower than the current plan.
        const FoundPlan& best = panel.rows().front();
        QCOMPARE(estimate(best.plan).step.seconds.value(), best.step.value());
        QVERIFY(best.step.value() <= estimate(samplePlan()).step.seconds.value());
    }

    /// The window and `cardfit search` offer the same plans, keep the same margin, and say the same of their evidence.
    void agreesWithTheCommandLine()
    {
        const Plan plan = samplePlan();
        PlanDocument document(plan);
        ViewState state;
        SearchPanel panel(document, shippedPresets(), state);
        panel.search();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kPatience);
        const auto asked = answerSearch(plan, {}, shippedPresets(), std::filesystem::path(CARDFIT_CASES) / "time.json");
        QVERIFY(asked && asked->ground);
        const SearchResult& told = asked->result;
        QVERIFY(panel.result()->counts == told.counts);
        QCOMPARE(panel.result()->top.size(), told.top.size());
        const auto& table = panel.table().table();
        bool any = false;
        for (std::size_t i = 0; i < told.top.size(); ++i) {
            QVERIFY(panel.result()->top[i].plan == told.top[i].plan);
            const Evidence evidence = asked->ground->of(told.top[i].plan, asked->request.space);
            QCOMPARE(table.rows[i].last(), ui::translated(nearestRunSentence(evidence)));
            const QString remark = table.rows[i][table.columns.indexOf(QStringLiteral("Remark"))];
            QCOMPARE(remark.contains(QStringLiteral("beyond what was measured")), !evidence.measured);
            if (evidence.measured && !any) {
                QVERIFY(remark.contains(QStringLiteral("best within what was measured")));
                QVERIFY(panel.status().contains(QStringLiteral("row %1.").arg(i + 1)));
            }
            any = any || evidence.measured;
        }
        QCOMPARE(panel.status().contains(QStringLiteral("None of the best plans is within")), !any);
    }

    /// Margin, deadline and budget mean what --margin, --deadline and --budget mean.
    void limitsAreThoseOfTheCommandLine()
    {
        Plan plan = samplePlan();
        plan.workload.tokens = 1'000'000'000'000;
        PlanDocument document(plan);
        ViewState state;
        SearchPanel panel(document, shippedPresets(), state);
        const QStringList free{QStringLiteral("tensor"), QStringLiteral("micro_batch_size")};
        leaveFree(panel, free);
        state.setGoals({90.0, 300e3, 40.0});
        panel.search();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kPatience);
        SearchWords words;
        words.space.pins = {
            "pipeline", "context", "virtual_pipeline", "schedule", "expert", "expert_tensor", "recompute"};
        words.margin = 40.0;
        words.deadline = 90.0;
        words.budget = 300e3;
        const auto told = findPlans(*searchFrom(plan, words, shippedPresets()));
        QVERIFY(panel.result()->counts == told.counts);
        QCOMPARE(panel.result()->top.size(), told.top.size());
        for (std::size_t i = 0; i < told.top.size(); ++i)
            QVERIFY(panel.result()->top[i].plan == told.top[i].plan);
        state.setGoals({0.1, 300e3, 40.0});
        panel.search();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kPatience);
        QVERIFY2(panel.status().startsWith(QStringLiteral("No plan that fits keeps every limit.")),
            qPrintable(panel.status()));
    }

    /// A result for another model must not bring that model back.
    void resultsOfAnotherPlanCannotBeUsed()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        SearchPanel panel(document, shippedPresets(), state);
        panel.setSeen(true);
        leaveFree(panel, {QStringLiteral("tensor"), QStringLiteral("micro_batch_size")});
        panel.search();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kPatience);
        panel.table().selectRow(0);
        QVERIFY(panel.useButton()->isEnabled());
        Plan freed = samplePlan(); // within what the search varied
        freed.parallelism.tensor = 1;
        document.edit(freed, QStringLiteral("tensor"));
        QVERIFY(panel.useButton()->isEnabled());
        Plan other = samplePlan();
        other.workload.sequence_length /= 2;
        document.edit(other, QStringLiteral("shorter"));
        QVERIFY(!panel.useButton()->isEnabled() && !panel.table().isEnabled());
        panel.plansTab().use(0);
        QVERIFY(document.plan() == other);
        document.undoStack()->undo();
        QVERIFY(panel.useButton()->isEnabled());
    }

    void takingARowMakesATab()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        SearchPanel panel(document, shippedPresets(), state);
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
        QVERIFY(document.isModified()); // it is in no file
        QCOMPARE(document.count(), 2);
        QVERIFY(document.tab(0).plan == samplePlan());
    }

    void aPointOfTheChartSelectsItsRow()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        SearchPanel panel(document, shippedPresets(), state);
        leaveFree(panel, {QStringLiteral("tensor"), QStringLiteral("micro_batch_size")});
        panel.search();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kPatience);
        emit panel.chart().pointChosen(0);
        QCOMPARE(panel.table().currentIndex().row(), 0);
    }

    // Other axes show another front. A rectangle over the chart filters the rows; the selected row is outlined until it
    // is used.
    void axesBrushAndOutline()
    {
        Plan plan = samplePlan();
        plan.workload.tokens = 1'000'000'000'000;
        PlanDocument document(plan);
        ViewState state;
        SearchPanel panel(document, shippedPresets(), state);
        panel.resize(500, 700);
        panel.show();
        leaveFree(panel, {QStringLiteral("tensor"), QStringLiteral("pipeline"), QStringLiteral("micro_batch_size")});
        panel.search();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kPatience);
        PlansTab& tab = panel.plansTab();
        QCOMPARE(tab.axes(), (std::array{SearchFigure::Memory, SearchFigure::Days}));
        const auto shades = [&] {
            std::vector<double> all;
            for (const ui::PlanPoint& point : panel.chart().points())
                all.push_back(point.shade.value_or(-1.0));
            return all;
        };
        QVERIFY(std::ranges::all_of(shades(), [](double shade) { return shade >= 0.0 && shade <= 1.0; }));

        tab.yBox()->setCurrentIndex(tab.yBox()->findData(static_cast<int>(SearchFigure::Step)));
        emit tab.yBox()->activated(tab.yBox()->currentIndex());
        QVERIFY(panel.isSearching());
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kPatience);
        QCOMPARE(tab.axes()[1], SearchFigure::Step);
        for (std::size_t i = 0; i < panel.rows().size(); ++i)
            QCOMPARE(panel.chart().points()[i].y, panel.rows()[i].step.value());

        // From the corner with the least memory and time to the middle of the plot.
        ui::PlanScatter& chart = panel.chart();
        auto* plot = chart.findChild<QCustomPlot*>();
        const QRect area = plot->axisRect()->rect();
        QTest::mousePress(plot, Qt::LeftButton, {}, area.bottomLeft() + QPoint(1, -1));
        QTest::mouseMove(plot, area.center());
        QTest::mouseRelease(plot, Qt::LeftButton, {}, area.center());
        QVERIFY(chart.hasBrush());
        int shown = 0;
        for (int row = 0; row < static_cast<int>(panel.rows().size()); ++row) {
            QCOMPARE(panel.table().isRowHidden(row), !chart.isBrushed(row));
            shown += chart.isBrushed(row) ? 1 : 0;
        }
        QVERIFY(shown < static_cast<int>(panel.rows().size()));
        QTest::keyClick(&chart, Qt::Key_Escape);
        QVERIFY(!chart.hasBrush());
        QVERIFY(!panel.table().isRowHidden(static_cast<int>(panel.rows().size()) - 1));

        const auto other =
            std::ranges::find_if(panel.rows(), [&](const FoundPlan& row) { return !(row.plan == plan); });
        QVERIFY(other != panel.rows().end());
        panel.table().selectRow(static_cast<int>(other - panel.rows().begin()));
        QVERIFY(state.preview().has_value());
        QCOMPARE(state.preview()->estimate->step.seconds.value(), other->step.value());
        // After another search the outline is that of the row selected now.
        leaveFree(panel, {QStringLiteral("tensor"), QStringLiteral("pipeline")});
        panel.search();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kPatience);
        const int row = panel.table().currentIndex().row();
        const bool outlined = row >= 0 && !(panel.rows()[static_cast<std::size_t>(row)].plan == plan);
        QCOMPARE(state.preview().has_value(), outlined);
        if (outlined)
            QCOMPARE(state.preview()->estimate->step.seconds.value(),
                panel.rows()[static_cast<std::size_t>(row)].step.value());
        panel.table().selectRow(row >= 0 ? row : 0);
        panel.useButton()->click();
        QVERIFY(!state.preview());
    }

    void plansThatDoNotFitAreShownOnDemand()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        SearchPanel panel(document, shippedPresets(), state);
        panel.search();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kPatience);
        const auto missing = [&] { return std::ranges::count(panel.chart().points(), true, &ui::PlanPoint::misses); };
        QCOMPARE(missing(), 0);
        QVERIFY(!panel.result()->over.empty());
        panel.plansTab().overBox()->setChecked(true);
        QCOMPARE(missing(), std::ssize(panel.result()->over));
        // Plans that do not fit have no rows: a click on one selects nothing.
        QCOMPARE(panel.chart().points().size(), panel.rows().size() + panel.result()->over.size());
        emit panel.chart().pointChosen(static_cast<int>(panel.rows().size()));
        QVERIFY(!panel.table().currentIndex().isValid());
        panel.plansTab().overBox()->setChecked(false);
        QCOMPARE(missing(), 0);
    }

    void aStoppedSearchSaysSo()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        SearchPanel panel(document, shippedPresets(), state);
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
        SearchPanel panel(document, shippedPresets(), state);
        leaveFree(panel, {QStringLiteral("micro_batch_size")});
        panel.search();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kPatience);
        QVERIFY(panel.result()->top.empty());
        if (panel.result()->nearest) {
            QCOMPARE(panel.rows().size(), std::size_t(1));
            QVERIFY(!panel.rows().front().fits);
        }
    }

    /// Every bucket and every rule is a row with its count and an example; the counts add up to the space.
    void everyReasonIsCounted()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        SearchPanel panel(document, shippedPresets(), state);
        leaveFree(panel, {QStringLiteral("tensor"), QStringLiteral("pipeline"), QStringLiteral("micro_batch_size")});
        WhyTab& tab = panel.whyTab();
        QVERIFY(tab.table().table().rows.empty());
        panel.search();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kPatience);
        const ui::ChartTable& table = tab.table().table();
        std::uint64_t sum = 0;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            sum += QString(table.rows[row][1]).remove(u',').toULongLong();
            tab.table().selectRow(static_cast<int>(row));
            QVERIFY2(tab.example().contains(u':'), qPrintable(table.rows[row][0]));
        }
        QCOMPARE(sum, panel.result()->plans);
        QVERIFY(table.rows.size() > 3);
    }

    /// Degrees typed in, and the plan on the rails, get the same reason as from the core.
    void anyDegreesHaveAReason()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        SearchPanel panel(document, shippedPresets(), state);
        leaveFree(panel, {QStringLiteral("tensor"), QStringLiteral("pipeline"), QStringLiteral("micro_batch_size")});
        panel.tabs()->setCurrentWidget(&panel.whyTab());
        panel.setSeen(true);
        panel.search();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kPatience);
        WhyTab& tab = panel.whyTab();
        QTRY_VERIFY(tab.presentAnswer().contains(QStringLiteral("times the best"))
            || tab.presentAnswer().contains(QStringLiteral("the best")));
        const auto asked = [&](const QString& tensor, const QString& pipeline) {
            tab.degreeField(QStringLiteral("tensor"))->setText(tensor);
            tab.degreeField(QStringLiteral("pipeline"))->setText(pipeline);
            QTest::keyClick(tab.degreeField(QStringLiteral("pipeline")), Qt::Key_Return);
        };
        asked(QStringLiteral("3"), QStringLiteral("4"));
        QTRY_VERIFY2(
            tab.answer().contains(QStringLiteral("CARDS")) || tab.answer().contains(QStringLiteral("TP-HEADS")),
            qPrintable(tab.answer()));
        QVERIFY(tab.answer().contains(QStringLiteral("not in the space")));
        asked(QStringLiteral("1"), QStringLiteral("1"));
        QTRY_VERIFY2(tab.answer().contains(QStringLiteral("over by")), qPrintable(tab.answer()));
        const FoundPlan best = panel.rows().front();
        asked(QString::number(best.plan.parallelism.tensor), QString::number(best.plan.parallelism.pipeline));
        QTRY_COMPARE(tab.answer(), QStringLiteral("the best"));
        asked(QStringLiteral("many"), QStringLiteral("1"));
        QVERIFY(tab.answer().contains(QStringLiteral("whole number")));
        // A rail moved to a plan that breaks a rule: the reason is that rule.
        Plan plan = samplePlan();
        plan.parallelism.tensor = 7;
        document.edit(plan, QStringLiteral("tensor 7"));
        QTRY_VERIFY2(tab.presentAnswer().contains(QStringLiteral("CARDS")), qPrintable(tab.presentAnswer()));
        plan.workload.sequence_length *= 2;
        document.edit(plan, QStringLiteral("longer"));
        QTRY_VERIFY(tab.presentAnswer().contains(QStringLiteral("search again")));
    }

    void aMapShowsEveryPair()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        SearchPanel panel(document, shippedPresets(), state);
        panel.resize(500, 500);
        panel.tabs()->setCurrentWidget(&panel.mapTab());
        panel.setSeen(true);
        MapTab& tab = panel.mapTab();
        QTRY_VERIFY_WITH_TIMEOUT(!tab.isComputing() && !tab.cells().empty(), kPatience);
        const auto& cells = tab.chart().cells();
        QCOMPARE(cells.size(), tab.cells().size());
        int kinds[4]{};
        for (std::size_t i = 0; i < cells.size(); ++i) {
            ++kinds[static_cast<int>(cells[i].kind)];
            const SweepCell& cell = tab.cells()[i];
            if (isFit(cell.verdict))
                QCOMPARE(cell.found->step.value(), estimate(cell.found->plan).step.seconds.value());
            if (cells[i].kind == ui::MapCell::Kind::Over) QVERIFY(cells[i].label.startsWith(u'+'));
        }
        QCOMPARE(kinds[0], 0);
        QVERIFY(kinds[1] > 0 && kinds[2] > 0 && kinds[3] > 0);
        // A click opens the plan of the cell in a tab; the map follows.
        const auto fits = std::ranges::find_if(tab.cells(),
            [](const SweepCell& cell) { return isFit(cell.verdict) && !(cell.found->plan == samplePlan()); });
        QVERIFY(fits != tab.cells().end());
        const Plan wanted = fits->found->plan;
        emit tab.chart().cellChosen(static_cast<int>(fits - tab.cells().begin()));
        QVERIFY(document.plan() == wanted);
        QCOMPARE(document.count(), 2);
        QVERIFY(document.tab(0).plan == samplePlan());
    }

    void aMapOfBestPlansLeavesWithItsSettings()
    {
        Plan plan = samplePlan();
        PlanDocument document(plan);
        ViewState state;
        SearchPanel panel(document, shippedPresets(), state);
        panel.tabs()->setCurrentWidget(&panel.mapTab());
        MapTab& tab = panel.mapTab();
        tab.setFields(QStringLiteral("/parallelism/context"), QStringLiteral("/workload/micro_batch_size"));
        tab.bestBox()->setChecked(true);
        panel.setSeen(true);
        QTRY_VERIFY_WITH_TIMEOUT(tab.isComputing(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!tab.isComputing(), kPatience);
        for (const SweepCell& cell : tab.cells())
            QVERIFY(cell.decided);
        const QTemporaryDir folder;
        for (const char* name : {"map.png", "map.svg", "map.csv"}) {
            const QString file = folder.filePath(QString::fromLatin1(name));
            QVERIFY2(tab.exportTo(file).has_value(), name);
            QFile written(file);
            QVERIFY(written.open(QIODevice::ReadOnly));
            const QByteArray content = written.readAll();
            QVERIFY2(content.size() > 100, name);
            if (file.endsWith(QStringLiteral(".csv")))
                QVERIFY(content.startsWith("# ") && content.contains("all else free"));
            if (file.endsWith(QStringLiteral(".svg"))) QVERIFY(content.contains("all else free"));
        }
        QVERIFY(!tab.exportTo(folder.filePath(QStringLiteral("map.bmp"))));
    }

    void theCheapestClusterIsNamed()
    {
        Plan plan = samplePlan();
        plan.workload.tokens.reset();
        PlanDocument document(plan);
        ViewState state;
        SearchPanel panel(document, shippedPresets(), state);
        ClusterTab& tab = panel.clusterTab();
        QVERIFY(!tab.compareButton()->isEnabled());
        QVERIFY(tab.sentence().contains(QStringLiteral("number of tokens")));
        plan.workload.tokens = 2e11;
        plan.cluster.nodes = 2;
        plan.parallelism.data = 1;
        plan.parallelism.tensor = 8;
        plan.parallelism.pipeline = 2;
        document.edit(plan, QStringLiteral("tokens"));
        for (auto* box : panel.clusterTab().findChildren<QCheckBox*>())
            box->setChecked(QStringList({"dgx-h100", "dgx-h200", "8x-h800"}).contains(box->objectName()));
        tab.compareButton()->click();
        QVERIFY(tab.isComparing());
        QTRY_VERIFY_WITH_TIMEOUT(!tab.isComparing(), 3 * kPatience);
        const auto cheapest = cheapestWithin(tab.cells(), {});
        QVERIFY(cheapest.has_value());
        QVERIFY2(tab.sentence().startsWith(QStringLiteral("The cheapest: ")), qPrintable(tab.sentence()));
        QVERIFY(tab.sentence().contains(QStringLiteral("No price is known for ")));
        // A deadline before the cheapest plan's end gives another plan, and finally none.
        const double days = *tab.cells()[*cheapest].found->days;
        state.setGoals({.days = 0.9 * days});
        QVERIFY(!tab.sentence().startsWith(QStringLiteral("The cheapest: ")));
        state.setGoals({.days = 0.1});
        QVERIFY2(tab.sentence().startsWith(QStringLiteral("None meets the deadline")), qPrintable(tab.sentence()));
        const auto& table = tab.table().table();
        int row = 0;
        while (table.rows[static_cast<std::size_t>(row)][2].isEmpty())
            ++row;
        tab.table().selectRow(row);
        tab.use(row);
        QCOMPARE(document.count(), 2);
        QVERIFY(document.plan().cluster.accelerator.id != plan.cluster.accelerator.id
            || document.plan().cluster.nodes != plan.cluster.nodes || !(document.plan() == plan));
    }

    /// While a rail moves, the newest plan's front is shown from the plans of the last result, long before it is
    /// proven.
    void theFrontFollowsARail()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        SearchPanel panel(document, shippedPresets(), state);
        panel.setSeen(true);
        panel.search();
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kPatience);
        panel.followBox()->setChecked(true);
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching(), kPatience);
        std::vector<qint64> waits;
        for (int move = 1; move <= 9; ++move) {
            Plan plan = samplePlan();
            plan.workload.sequence_length += 512 * move;
            QSignalSpy answered(&panel, &SearchPanel::answered);
            QElapsedTimer timer;
            timer.start();
            document.edit(plan, QStringLiteral("drag"), QStringLiteral("sequence"), ui::EditPhase::Dragging);
            // Results of the previous search may still arrive first.
            const auto follows = [&] {
                const auto& rows = panel.rows();
                return !rows.empty() && rows.front().plan.workload.sequence_length == plan.workload.sequence_length;
            };
            while (!follows() && timer.elapsed() < kPatience)
                QVERIFY(answered.wait(kPatience));
            waits.push_back(timer.elapsed());
            QVERIFY(follows());
            QVERIFY(panel.rows().size() > 1);
        }
        std::ranges::sort(waits);
        qInfo("the front follows in %lld ms (median), %lld ms at most", static_cast<long long>(waits[waits.size() / 2]),
            static_cast<long long>(waits.back()));
        // 100 ms on an idle machine; bench_search measures it.
        QVERIFY(waits[waits.size() / 2] < 1000);
    }
};

CARDFIT_WINDOW_TEST(TestSearchPanel)

} // namespace cardfit::tst_search_panel
#include "tst_search_panel.moc"
