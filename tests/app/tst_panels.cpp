// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include "app/controls/collapsible_group.h"
#include "app/document/choice_words.h"
#include "app/menus/plan_pickers.h"
#include "app/panels/checks_panel.h"
#include "app/panels/layers_field.h"
#include "app/panels/recipe_panel.h"
#include "app/panels/stage_table.h"
#include "app/panels/table_panel.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"
#include "widgets/controls/quiet_combo_box.h"

namespace cardfit::tst_panels {

using namespace cardfit::app;

std::shared_ptr<const Estimate> sampleEstimate(std::int64_t pipeline = 4)
{
    Plan plan = samplePlan();
    plan.parallelism.pipeline = pipeline;
    plan.parallelism.data.reset();
    return std::make_shared<const Estimate>(estimate(plan));
}

QString textOf(const QWidget& widget)
{
    QStringList texts;
    for (const auto* label : widget.findChildren<QLabel*>())
        texts << label->text();
    return texts.join(u'\n');
}

/// All sections of the recipe, as in the inputs panel.
class WholeRecipe : public QWidget {
public:
    explicit WholeRecipe(PlanDocument& document)
    {
        for (const RecipePart part :
            {RecipePart::Adapters, RecipePart::First, RecipePart::Training, RecipePart::Kernels})
            m_parts.push_back(new RecipePanel(document, part, this));
    }
    void refresh()
    {
        for (RecipePanel* part : m_parts)
            part->refresh();
    }

private:
    std::vector<RecipePanel*> m_parts;
};

class TestPanels : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )"))); }

    void checksListReasonsAndOfferValues()
    {
        Plan plan = samplePlan();
        plan.parallelism.pipeline = 3;
        PlanDocument document(plan);
        ChecksPanel panel(document, shippedPresets());
        document.recomputeNow();
        QVERIFY2(textOf(panel).contains(QStringLiteral("tensor 8 x pipeline 3")), qPrintable(textOf(panel)));
        // Remedies are searched in another thread.
        QTRY_VERIFY(!panel.findChildren<QPushButton*>().isEmpty());
        for (const auto* button : panel.findChildren<QPushButton*>())
            QVERIFY(!button->accessibleName().isEmpty());
        panel.findChildren<QPushButton*>().first()->click();
        document.recomputeNow();
        QVERIFY(check(document.plan()).empty());
        QCOMPARE(document.undoStack()->count(), 1);

        document.edit(samplePlan(), QStringLiteral("mended"));
        document.recomputeNow();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(panel.findChildren<QPushButton*>().isEmpty());
        QVERIFY(textOf(panel).contains(QStringLiteral("keeps every rule")));
    }

    /// In a narrow panel what tells two remedies apart stays readable.
    void remediesCanBeToldApart()
    {
        Plan plan = samplePlan();
        plan.parallelism.pipeline = 3;
        plan.parallelism.tensor = 3;
        PlanDocument document(plan);
        ChecksPanel panel(document, shippedPresets());
        panel.resize(332, 400);
        panel.show();
        document.recomputeNow();
        QTRY_VERIFY(panel.findChildren<QPushButton*>().size() > 3);
        QCoreApplication::processEvents();
        QHash<QString, QString> meant; // by what is shown
        for (const auto* button : panel.findChildren<QPushButton*>()) {
            QVERIFY(button->fontMetrics().horizontalAdvance(button->text()) < button->width());
            QCOMPARE(button->toolTip(), button->accessibleName());
            QCOMPARE(meant.value(button->text(), button->accessibleName()), button->accessibleName());
            meant[button->text()] = button->accessibleName();
        }
    }

    // Settings of training are hidden for a served model, and return with a training task.
    void theRecipeOfAServedModelHasNoTraining()
    {
        PlanDocument document(samplePlan());
        WholeRecipe panel(document);
        const auto shown = [&](const QString& text) {
            for (const auto* label : panel.findChildren<QLabel*>())
                if (label->text() == text && !label->isHidden()) return true;
            for (const auto* box : panel.findChildren<QCheckBox*>())
                if (box->text() == text && !box->isHidden()) return true;
            return false;
        };
        const QStringList training{QStringLiteral("Gradients"), QStringLiteral("Optimizer"), QStringLiteral("Sharding"),
            QStringLiteral("Schedule"), QStringLiteral("Loss"), QStringLiteral("Recompute"),
            QStringLiteral("Overlap gradient reduction"), QStringLiteral("Attention mask from the data loader")};
        panel.refresh();
        for (const QString& text : training)
            QVERIFY2(shown(text), qPrintable(text));
        Plan plan = samplePlan();
        plan.workload.task = Task::Inference;
        plan.recipe.schedule = Schedule::OneFOneB;
        plan.parallelism.virtual_pipeline = 1;
        plan.recipe.sharding = Sharding::Zero1;
        document.edit(plan, QStringLiteral("served"));
        panel.refresh();
        for (const QString& text : training)
            QVERIFY2(!shown(text), qPrintable(text));
        QVERIFY(shown(QStringLiteral("Precision")));
        // Engines stand where training has its framework.
        plan.recipe.engine = Engine::Sglang;
        document.edit(plan, QStringLiteral("an engine"));
        panel.refresh();
        QStringList frameworks;
        for (const auto* box : panel.findChildren<QComboBox*>())
            if (box->accessibleName() == QStringLiteral("Framework") && !box->isHidden())
                frameworks << box->currentText();
        QCOMPARE(frameworks, QStringList{QStringLiteral("SGLang")});
        plan.recipe.schedule = Schedule::ZbV; // does not run, so the setting that repairs it is shown
        document.edit(plan, QStringLiteral("another schedule"));
        panel.refresh();
        QVERIFY(shown(QStringLiteral("Schedule")));
        document.edit(samplePlan(), QStringLiteral("trained"));
        panel.refresh();
        for (const QString& text : training)
            QVERIFY2(shown(text), qPrintable(text));
    }

    void theStageTableNamesTheCache()
    {
        Plan plan = samplePlan();
        plan.workload.task = Task::Inference;
        const Estimate served = estimate(plan);
        StageTable table;
        table.setEstimate(&served, ByteUnit::GB);
        QStringList names;
        for (int i = 0; i < table.rowCount(); ++i)
            names << table.headerData(i, Qt::Vertical, Qt::DisplayRole).toString();
        QVERIFY(names.contains(QStringLiteral("KV cache")));
        QVERIFY(!names.contains(QStringLiteral("Activations")));
        // No rows of training; cells below the missing rows still have the right explanations.
        QVERIFY(!names.contains(QStringLiteral("Gradients")));
        QVERIFY(!names.contains(QStringLiteral("Optimizer")));
        const auto figure = [&](const QString& name) {
            return table.figureAt(table.index(static_cast<int>(names.indexOf(name)), 0));
        };
        QCOMPARE(figure(QStringLiteral("KV cache")), QStringLiteral("stage0.activations"));
        QCOMPARE(figure(QStringLiteral("Device")), QStringLiteral("stage0.device"));
    }

    void theStageTableShowsWhatTheBarsShow()
    {
        StageTable table;
        const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto sample = sampleEstimate();
        table.setEstimate(sample.get(), ByteUnit::GB);
        QCOMPARE(table.columnCount(), 4);
        const auto row = [&](const QString& name) {
            for (int i = 0; i < table.rowCount(); ++i) {
                if (table.headerData(i, Qt::Vertical, Qt::DisplayRole).toString() == name) return i;
            }
            return -1;
        };
        const auto cell = [&](const QString& name, int stage) {
            return table.index(row(name), stage).data().toString();
        };
        const StageMemory& first = sample->stages.front();
        QCOMPARE(cell(QStringLiteral("Layers"), 0), QStringLiteral("20"));
        QCOMPARE(cell(QStringLiteral("In flight"), 0), QStringLiteral("4"));
        QCOMPARE(cell(QStringLiteral("Device"), 0),
            QString::number(static_cast<double>(first.device().value()) / 1e9, 'f', 2));
        table.setEstimate(sample.get(), ByteUnit::GiB);
        QCOMPARE(cell(QStringLiteral("Device"), 0),
            QString::number(static_cast<double>(first.device().value()) / 1073741824.0, 'f', 2));
        table.setEstimate(sampleEstimate(8).get(), ByteUnit::GB);
        QCOMPARE(table.columnCount(), 8);
        table.setEstimate(nullptr, ByteUnit::GB);
        QCOMPARE(table.rowCount(), 0);
    }

    void settingsAreNamedAsTheChoicesAre()
    {
        QCOMPARE(valueLabel("/recipe/schedule", "interleaved-1f1b"), choiceLabel(Schedule::InterleavedOneFOneB));
        QCOMPARE(valueLabel("/recipe/recompute", "none"), choiceLabel(RecomputeGranularity::None));
        QCOMPARE(valueLabel("/recipe/recompute", "full (block, 1/2)"),
            choiceLabel(RecomputeGranularity::Full) + QStringLiteral(" (block, 1/2)"));
        QCOMPARE(valueLabel("/parallelism/tensor", "8"), QStringLiteral("8"));
    }

    void theTableIsCopiedWithTabs()
    {
        PlanDocument document(samplePlan());
        ViewState state;
        TablePanel panel(document, state);
        document.recomputeNow();
        const QStringList lines = panel.selectedText().split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), panel.model()->rowCount() + 1);
        QCOMPARE(lines.first(), QStringLiteral("\t0\t1\t2\t3"));
        for (const QString& line : lines)
            QCOMPARE(line.count(u'\t'), 4);
    }

    void theTableSaysWhatAServersCacheHolds()
    {
        Plan plan = samplePlan();
        PlanDocument document(plan);
        ViewState state;
        TablePanel panel(document, state);
        document.recomputeNow();
        const auto said = [&] {
            QString text;
            for (const auto* label : panel.findChildren<QLabel*>()) {
                if (!label->isHidden()) text += label->text();
            }
            return text;
        };
        QVERIFY(!said().contains(QStringLiteral("Longest context")));
        plan.workload.task = Task::Inference;
        document.edit(plan, QStringLiteral("serve"));
        document.recomputeNow();
        const std::int64_t tokens = document.lastComplete()->server->capacity.tokens();
        QVERIFY(said().contains(QStringLiteral("Longest context")));
        QVERIFY(said().contains(QLocale(QLocale::English).toString(qlonglong{tokens})));
    }

    void everyWordOfTheRecipeCanBeChosen()
    {
        PlanDocument document(samplePlan());
        WholeRecipe panel(document);
        panel.refresh();
        int changed = 0;
        for (auto* box : panel.findChildren<ui::QuietComboBox*>()) {
            for (int index = 0; index < box->count(); ++index) {
                const Plan before = document.plan();
                box->setCurrentIndex(index);
                emit box->activated(index);
                panel.refresh();
                QCOMPARE(box->currentIndex(), index);
                if (!(document.plan() == before)) ++changed;
            }
        }
        QVERIFY(changed > 30);
        for (auto* box : panel.findChildren<QCheckBox*>()) {
            if (!box->isEnabled()) continue;
            const bool before = box->isChecked();
            box->click();
            panel.refresh();
            QCOMPARE(box->isChecked(), !before);
        }
        while (document.undoStack()->canUndo())
            document.undoStack()->undo();
        QVERIFY(document.plan() == samplePlan());
    }

    void aWordThatBreaksARuleSaysWhy()
    {
        Plan plan = samplePlan();
        plan.recipe.framework = Framework::DeepSpeed;
        plan.parallelism.pipeline = 2; // whose engine divides no gradients
        PlanDocument document(plan);
        WholeRecipe panel(document);
        panel.refresh();
        for (auto* box : panel.findChildren<ui::QuietComboBox*>()) {
            const int zero2 = box->findText(QStringLiteral("ZeRO-2"));
            if (zero2 < 0) continue;
            emit box->aboutToOpen();
            QVERIFY(box->itemData(zero2, Qt::ToolTipRole).toString().contains(QStringLiteral("DeepSpeed")));
            QCOMPARE(box->itemData(box->findText(QStringLiteral("ZeRO-1")), Qt::ToolTipRole).toString(),
                choiceHelp(Sharding::Zero1));
            return;
        }
        QFAIL("the recipe has no sharding");
    }

    void layersPerStageAreTyped()
    {
        PlanDocument document(samplePlan());
        LayersField field(document);
        auto* text = field.findChild<QLineEdit*>();
        const auto type = [&](const QString& words) {
            text->clear();
            QTest::keyClicks(text, words);
            QTest::keyClick(text, Qt::Key_Return);
        };
        type(QStringLiteral("19, 20 20;21"));
        const std::vector<std::int64_t> expected{19, 20, 20, 21};
        QVERIFY(document.plan().parallelism.layers_per_stage == expected);
        QCOMPARE(text->text(), QStringLiteral("19 20 20 21"));
        type(QStringLiteral("19 twenty"));
        QVERIFY(textOf(field).contains(QStringLiteral("“twenty”")));
        QCOMPARE(text->text(), QStringLiteral("19 twenty"));
        QVERIFY(document.plan().parallelism.layers_per_stage == expected);
        type(QStringLiteral("Et*18|(t*20|)*2t*22L"));
        QVERIFY((document.plan().parallelism.layers_per_stage == std::vector<std::int64_t>{18, 20, 20, 22}));
        type(QStringLiteral("Et*18|tx"));
        QVERIFY2(textOf(field).contains(QStringLiteral("column 8")), qPrintable(textOf(field)));
        text->clear();
        QTest::keyClick(text, Qt::Key_Space);
        QTest::keyClick(text, Qt::Key_Return);
        QVERIFY(!document.plan().parallelism.layers_per_stage);
        field.refresh();
        QCOMPARE(text->placeholderText(), QStringLiteral("automatic: 20 20 20 20"));
    }

    void aSearchBoxPicksByPartOfAName()
    {
        ui::SearchComboBox box;
        box.setEntries({{QStringLiteral("a"), QStringLiteral("Llama 2 7B")},
            {QStringLiteral("b"), QStringLiteral("Llama 3 70B")}});
        box.setCurrent(QStringLiteral("x"), QStringLiteral("my own"));
        QCOMPARE(box.currentText(), QStringLiteral("my own"));
        QSignalSpy picked(&box, &ui::SearchComboBox::picked);
        box.show();
        QVERIFY(QTest::qWaitForWindowExposed(&box));
        const auto type = [&](const QString& text) {
            box.lineEdit()->setFocus();
            box.lineEdit()->selectAll();
            QTest::keyClicks(box.lineEdit(), text);
            QTest::keyClick(box.lineEdit(), Qt::Key_Return);
        };
        type(QStringLiteral("3 70"));
        QCOMPARE(picked.size(), 1);
        QCOMPARE(picked[0][0].toString(), QStringLiteral("b"));
        // The owner, not the box, decides which name is shown as current.
        QCOMPARE(box.currentText(), QStringLiteral("my own"));
        type(QStringLiteral("falcon"));
        QCOMPARE(picked.size(), 1);
        QCOMPARE(box.currentText(), QStringLiteral("my own"));
        box.setCurrent(QStringLiteral("b"), QStringLiteral("Llama 3 70B"));
        QTest::keyClick(box.lineEdit(), Qt::Key_Return);
        QCOMPARE(picked.size(), 1);
    }

    void aGroupStaysOpen()
    {
        QSettings().remove(QStringLiteral("groups"));
        {
            CollapsibleGroup group(QStringLiteral("test"), QStringLiteral("Test"));
            QVERIFY(!group.isOpen());
            group.findChild<QAbstractButton*>()->click();
            QVERIFY(group.isOpen());
        }
        const CollapsibleGroup again(QStringLiteral("test"), QStringLiteral("Test"));
        QVERIFY(again.isOpen());
        QSettings().remove(QStringLiteral("groups"));
    }

    void aClusterKeepsTheCards()
    {
        const Cluster& dgx = *shippedPresets().cluster("dgx-a100");
        QCOMPARE(clusterKeepingCards(dgx, 64).nodes, 8);
        QCOMPARE(clusterKeepingCards(dgx, 12).nodes, dgx.nodes);
        const Cluster& one = *shippedPresets().cluster("one-rtx-4090");
        QCOMPARE(cardCount(clusterKeepingCards(one, 64)), 1);
    }
};

CARDFIT_WINDOW_TEST(TestPanels)

} // namespace cardfit::tst_panels
#include "tst_panels.moc"
