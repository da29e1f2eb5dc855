// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/plan_view.h"

#include <QAbstractButton>
#include <QAction>
#include <QCheckBox>
#include <QTest>

#include "app/controls/collapsible_group.h"
#include "app/document/choice_words.h"
#include "app/document/plan_document.h"
#include "app/document/plan_quantities.h"
#include "app/panels/inputs_panel.h"
#include "app/window/main_window.h"
#include "core/files/preset_library.h"
#include "core/plan/edit.h"
#include "core/plan/field_table.h"
#include "core/plan/fields.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"
#include "widgets/controls/quiet_combo_box.h"
#include "widgets/timeline/pipeline_timeline.h"
#include "widgets/verdict_strip.h"

namespace cardfit::tst_plan_view {

using namespace cardfit::app;

constexpr std::array kPurposes{Purpose::Pretraining, Purpose::FineTuning, Purpose::Serving};

template <class Enum> void everyChoiceIsSaid()
{
    QStringList labels;
    for (const auto& entry : names<Enum>()) {
        const QString label = choiceLabel(entry.value);
        const QString help = choiceHelp(entry.value);
        QVERIFY2(!label.isEmpty(), entry.name.data());
        QVERIFY2(!labels.contains(label), qPrintable(label)); // labels must be distinct
        QVERIFY2(help.endsWith(u'.') && help.count(u". ") == 0, qPrintable(help)); // one sentence
        labels << label;
    }
}

Plan planFor(Purpose purpose)
{
    Plan plan = defaultPlan(shippedPresets());
    plan.workload.task = usualTask(purpose);
    return plan;
}

/// The texts on rails, sections, lists and switches, and above the charts.
QString wordsOf(const MainWindow& window)
{
    QStringList words;
    for (const auto* child : window.findChildren<QWidget*>()) {
        if (!child->isVisible()) continue;
        if (const auto* rail = qobject_cast<const ui::ValueRail*>(child)) words << rail->name();
        if (const auto* button = qobject_cast<const QAbstractButton*>(child)) words << button->text();
        if (const auto* box = qobject_cast<const QComboBox*>(child))
            words << box->accessibleName() << box->currentText();
    }
    words << window.findChild<ui::PipelineTimeline*>()->facts()
          << window.findChild<ui::VerdictStrip*>()->accessibleName();
    return words.join(u'\n');
}

class TestPlanView : public QObject {
    Q_OBJECT

private slots:
    /// Another task does not begin with the load of a pretraining.
    void anotherTaskBeginsWithItsOwnLoad()
    {
        const Plan plan = samplePlan();
        const Plan tuned = begun(plan, Purpose::FineTuning);
        QCOMPARE(tuned.workload.task, Task::Lora);
        QVERIFY(tuned.workload.global_batch_size < plan.workload.global_batch_size);
        QCOMPARE(tuned.workload.global_batch_size % (tuned.workload.micro_batch_size * dataParallel(tuned)), 0);
        const Plan served = begun(plan, Purpose::Serving);
        QCOMPARE(engineOf(served), Engine::Vllm);
        QVERIFY(estimate(served).fits());
    }

    void everyPurposeHasItsTask()
    {
        for (const Purpose purpose : kPurposes) {
            QCOMPARE(purposeOf(usualTask(purpose)), purpose);
            QVERIFY(!purposeLabel(purpose).isEmpty());
            QVERIFY(!purposeHelp(purpose).isEmpty());
        }
        for (const auto& entry : names<Task>()) {
            Plan plan = defaultPlan(shippedPresets());
            plan.workload.task = entry.value;
            QCOMPARE(shows(plan, kAdapterPart), purposeOf(entry.value) == Purpose::FineTuning);
        }
    }

    /// A row of the table without a matching field would never hide anything.
    void everyNamedPartIsAFieldOrASection()
    {
        for (const std::string_view part : namedParts()) {
            const bool section =
                part == kAdapterPart || part == kRunPart || part == kSchedulesPart || part == kMicroBatchesPart;
            QVERIFY2(section || std::ranges::find(planFields(), part, &Field::pointer) != planFields().end(),
                std::string(part).c_str());
        }
    }

    void everyChoiceHasAWordAndASentence()
    {
        everyChoiceIsSaid<Task>();
        everyChoiceIsSaid<Framework>();
        everyChoiceIsSaid<Kernels>();
        everyChoiceIsSaid<Precision>();
        everyChoiceIsSaid<GradientPrecision>();
        everyChoiceIsSaid<Optimizer>();
        everyChoiceIsSaid<MomentPrecision>();
        everyChoiceIsSaid<Sharding>();
        everyChoiceIsSaid<Schedule>();
        everyChoiceIsSaid<Attention>();
        everyChoiceIsSaid<Loss>();
        everyChoiceIsSaid<RecomputeGranularity>();
        everyChoiceIsSaid<RecomputeMethod>();
        everyChoiceIsSaid<RecomputeModule>();
        everyChoiceIsSaid<Dispatcher>();
        everyChoiceIsSaid<CudaGraph>();
        everyChoiceIsSaid<ContextCommunication>();
        everyChoiceIsSaid<GradientSync>();
        everyChoiceIsSaid<Quantizer>();
    }

    void servingSpeaksOfServing()
    {
        MainWindow window;
        window.show();
        window.document().reset(*shippedPresets().plan("llama-3.1-405b-serving-8-h100"));
        window.document().recomputeNow();
        QTRY_VERIFY(wordsOf(window).contains(QStringLiteral("Concurrent sequences")));
        QTRY_VERIFY(!wordsOf(window).contains(QStringLiteral("Schedules"))); // the toolbar is updated one turn later
        const QString words = wordsOf(window);
        for (const char* said : {"Prefill passes", "Prompts per pass", "prefill", "sequences at once", "Serving"})
            QVERIFY2(words.contains(QLatin1String(said)), qPrintable(words));
        for (const char* other : {"Adam", "1F1B", "Gradient", "Optimizer", "Micro-batch", "micro-batch", "Recompute",
                 "Schedule", "Virtual pipeline", "Tokens of the run", "Adapter", "Loss"})
            QVERIFY2(!words.contains(QLatin1String(other)), qPrintable(QLatin1String(other) + u':' + words));
        // A token budget from training is not a run of a server.
        Plan served = window.document().plan();
        served.workload.tokens = 2e12;
        window.document().edit(served, QStringLiteral("tokens"));
        window.document().recomputeNow();
        QVERIFY(!window.document().estimate()->step.run);
        QTRY_VERIFY(!wordsOf(window).contains(QStringLiteral("tokens: ")));
        QVERIFY(!wordsOf(window).contains(QStringLiteral("Tokens of the run")));
        // And training again as before.
        window.document().edit(planFor(Purpose::Pretraining), QStringLiteral("pretraining"));
        window.document().recomputeNow();
        QTRY_VERIFY(wordsOf(window).contains(QStringLiteral("Micro-batch")));
        QVERIFY(wordsOf(window).contains(QStringLiteral("1F1B")));
        QVERIFY(!wordsOf(window).contains(QStringLiteral("Concurrent sequences")));
    }

    /// The rank is among the rails at full size, the degrees are lines.
    void fineTuningShowsAdapters()
    {
        MainWindow window;
        window.show();
        auto& inputs = window.part<InputsPanel>();
        auto* rank = inputs.rail("adapter_rank");
        QVERIFY(!rank->isVisible());
        window.document().edit(planFor(Purpose::FineTuning), QStringLiteral("fine-tuning"));
        QTRY_VERIFY(rank->isVisible());
        const auto topOf = [&](QWidget* widget) { return widget->mapTo(&inputs, QPoint()).y(); };
        QVERIFY(topOf(rank) < topOf(inputs.rail("sequence_length")));
        QVERIFY(!rank->isFolded() && inputs.rail("pipeline")->isFolded());
        Plan whole = window.document().plan();
        whole.workload.task = Task::Finetune;
        window.document().edit(std::move(whole), QStringLiteral("all weights"));
        QTRY_VERIFY(!rank->isVisible());
    }

    void theButtonsChangeThePurposeAsOneStep()
    {
        MainWindow window;
        window.show();
        for (const Purpose purpose : {Purpose::Serving, Purpose::FineTuning, Purpose::Pretraining}) {
            for (auto* button : window.part<InputsPanel>().findChildren<QAbstractButton*>()) {
                if (button->text() == purposeLabel(purpose)) button->click();
            }
            QCOMPARE(window.document().plan().workload.task, usualTask(purpose));
        }
        QCOMPARE(window.document().undoStack()->count(), 3);
    }

    /// Kernels and fusions follow the framework's defaults, so they are folded until the user unfolds them.
    void kernelsAreFolded()
    {
        MainWindow window;
        window.show();
        QCheckBox* fused = nullptr;
        for (auto* box : window.findChildren<QCheckBox*>()) {
            if (box->text() == QStringLiteral("Rotary embedding fused")) fused = box;
        }
        QVERIFY(fused != nullptr && !fused->isVisible());
        for (QWidget* outer = fused; outer != nullptr; outer = outer->parentWidget()) {
            if (auto* group = qobject_cast<CollapsibleGroup*>(outer)) group->setOpen(true);
        }
        QVERIFY(fused->isVisible());
    }

    /// The view that compares schedules is available in training only, and is closed otherwise.
    void schedulesAreComparedInTrainingOnly()
    {
        MainWindow window;
        window.show();
        window.state().setCentre(CentreView::Schedules);
        window.document().edit(planFor(Purpose::Serving), QStringLiteral("serving"));
        QCOMPARE(window.state().centre(), CentreView::Peaks);
        for (const QAction* action : window.findChildren<QAction*>()) {
            if (action->text() == QStringLiteral("Schedules")) QVERIFY(!action->isVisible());
        }
    }
};

CARDFIT_WINDOW_TEST(TestPlanView)

} // namespace cardfit::tst_plan_view
#include "tst_plan_view.moc"
