// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <random>

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "app/controls/collapsible_group.h"
#include "app/document/latest_task.h"
#include "app/document/strip_verdicts.h"
#include "app/panels/inputs_panel.h"
#include "app/window/main_window.h"
#include "core/files/plan_file.h"
#include "core/report/reports.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"
#include "widgets/rails/value_rail.h"

namespace cardfit::tst_rails {

using namespace cardfit::app;

/// A plan in which the rail can be dragged.
Plan planFor(std::string_view id)
{
    const bool needs_experts = id == "expert" || id == "expert_tensor" || id == "imbalance";
    Plan plan = *shippedPresets().plan(needs_experts ? "mixtral-8x7b-64-h100" : "llama-3-70b-64-h100");
    if (id == "recompute_layers") plan.recipe.recompute.granularity = RecomputeGranularity::Full;
    if (id == "adapter_rank") plan.workload.task = Task::Lora;
    if (id == "offload_parameters" || id == "offload_activations") {
        plan.recipe.framework = Framework::Fsdp;
        plan.recipe.sharding = Sharding::Zero3;
    }
    if (planQuantity(id)->group == QuantityGroup::Load) plan.workload.task = Task::Inference;
    if (id == "image_tokens") plan.model.architecture.vision = VisionTower{};
    return plan;
}

/// Whether the figures shown are those of the current plan.
bool isFresh(const PlanDocument& document)
{
    const Estimate expected = estimateUnder(document.plan(), document.profile());
    const Estimate& shown = *document.estimate();
    return shown.complete() == expected.complete() && shown.checks == expected.checks && shown.stages == expected.stages
        && shown.step == expected.step;
}

/// Changes a random rail, choice, toggle or lock of the panel.
void editAtRandom(InputsPanel& panel, std::mt19937& random)
{
    const auto below = [&](qsizetype count) {
        return static_cast<qsizetype>(random() % static_cast<unsigned long>(count));
    };
    QList<QWidget*> all;
    for (auto* control : panel.findChildren<QWidget*>()) {
        const bool is_control = qobject_cast<ui::RailTrack*>(control) != nullptr
            || qobject_cast<QComboBox*>(control) != nullptr || qobject_cast<QCheckBox*>(control) != nullptr;
        if (is_control && control->isVisibleTo(&panel) && control->isEnabled()) all << control;
    }
    QWidget* chosen = all[below(all.size())];
    if (auto* track = qobject_cast<ui::RailTrack*>(chosen)) {
        const auto& stops = track->scale().stops();
        if (stops.empty()) return;
        // Including stops that break a rule, which Shift and typing can reach.
        track->request(stops[static_cast<std::size_t>(below(qsizetype(stops.size())))].value);
    } else if (auto* box = qobject_cast<QComboBox*>(chosen)) {
        if (box->count() == 0) return;
        const int index = static_cast<int>(below(box->count()));
        box->setCurrentIndex(index);
        emit box->activated(index);
    } else {
        qobject_cast<QCheckBox*>(chosen)->click();
    }
}

CollapsibleGroup* groupOf(QWidget* inside)
{
    CollapsibleGroup* group = nullptr;
    for (QWidget* outer = inside; group == nullptr; outer = outer->parentWidget())
        group = qobject_cast<CollapsibleGroup*>(outer);
    return group;
}

/// The message below a rail.
QString messageOf(const ui::ValueRail& rail)
{
    for (const auto* label : rail.findChildren<QLabel*>()) {
        if (label->wordWrap()) return label->isVisible() ? label->text() : QString();
    }
    return {};
}

class TestRails : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_window = std::make_unique<MainWindow>();
        m_window->show();
    }
    void cleanupTestCase() { m_window.reset(); }

    void aLongDragIsOneStepAndNeverStale_data()
    {
        QTest::addColumn<QString>("id");
        for (const PlanQuantity& quantity : planQuantities()) {
            const QString id = QString::fromUtf8(quantity.id.data(), qsizetype(quantity.id.size()));
            QTest::newRow(qPrintable(id)) << id;
        }
    }
    void aLongDragIsOneStepAndNeverStale()
    {
        QFETCH(const QString, id);
        MainWindow& window = *m_window;
        PlanDocument& document = window.document();
        document.setDerivedFactor(id == QStringLiteral("data") ? DerivedFactor::Nodes : DerivedFactor::Data);
        document.setDerivedBatchFactor(
            id == QStringLiteral("micro_batches") ? DerivedBatchFactor::GlobalBatch : DerivedBatchFactor::MicroBatches);
        document.reset(planFor(id.toStdString()));
        document.recomputeNow();
        QCoreApplication::processEvents();
        ui::ValueRail* rail = window.part<InputsPanel>().showRail(id.toStdString());
        QVERIFY(rail->isVisible() && !rail->isDerived());

        auto* track = rail->track();
        const QPoint begin = track->pointOf(rail->value()).toPoint();
        QTest::mousePress(track, Qt::LeftButton, {}, begin);
        constexpr int kPositions = 200;
        double last = rail->value();
        int changes = 0;
        for (int position = 0; position < kPositions; ++position) {
            // Moves forth and back, then to a place other than the start.
            const double share = std::abs(2.0 * position / kPositions - 1.0);
            const QPoint now(static_cast<int>(share * track->width()), begin.y());
            QMouseEvent move(QEvent::MouseMove, now, track->mapToGlobal(now), Qt::NoButton, Qt::LeftButton, {});
            QCoreApplication::sendEvent(track, &move);
            if (rail->value() == last) continue;
            last = rail->value();
            ++changes;
            QCoreApplication::processEvents();
            QVERIFY2(isFresh(document), qPrintable(QStringLiteral("position %1").arg(position)));
            QCOMPARE(document.undoStack()->count(), 1);
        }
        QTest::mouseRelease(track, Qt::LeftButton, {}, {track->width() - 1, begin.y()});
        QCoreApplication::processEvents();
        QVERIFY(changes > 0);
        QVERIFY(isFresh(document));
        QVERIFY(document.undoStack()->count() <= 1); // none if it ended where it started
        while (document.undoStack()->canUndo())
            document.undoStack()->undo();
        QVERIFY(document.plan() == planFor(id.toStdString()));
    }

    void undoingRandomEditsGivesTheSameFile_data()
    {
        QTest::addColumn<unsigned>("seed");
        QTest::addColumn<QString>("plan");
        QTest::newRow("dense") << 1U << "llama-3-70b-64-h100";
        QTest::newRow("experts") << 2U << "mixtral-8x7b-64-h100";
        QTest::newRow("small") << 3U << "llama-13b-8-cards";
    }
    void undoingRandomEditsGivesTheSameFile()
    {
        QFETCH(const unsigned, seed);
        QFETCH(const QString, plan);
        PlanDocument document(*shippedPresets().plan(plan.toStdString()));
        InputsPanel panel(document, shippedPresets());
        panel.resize(360, 2000);
        panel.show();
        document.recomputeNow();
        const std::string before = planText(document.plan());
        std::mt19937 random(seed);
        for (int edit = 0; edit < 200; ++edit) {
            if (edit % 25 == 10) {
                const auto derived = static_cast<DerivedBatchFactor>(random() % 4);
                document.setDerivedBatchFactor(derived);
                document.setDerivedFactor(random() % 2 == 0 ? DerivedFactor::Data : DerivedFactor::Nodes);
            }
            editAtRandom(panel, random);
            QCoreApplication::processEvents();
        }
        QVERIFY(document.undoStack()->count() > 50);
        const std::string after = planText(document.plan());
        QVERIFY(after != before);
        while (document.undoStack()->canUndo())
            document.undoStack()->undo();
        QCOMPARE(planText(document.plan()), before);
        while (document.undoStack()->canRedo())
            document.undoStack()->redo();
        QCOMPARE(planText(document.plan()), after);
    }

    void theLocksOfTheBatchTakeTurns()
    {
        PlanDocument document(samplePlan());
        InputsPanel panel(document, shippedPresets());
        panel.resize(360, 1200);
        panel.show();
        document.recomputeNow();
        QCoreApplication::processEvents();
        const auto lockOf = [&](std::string_view id) {
            for (auto* button : panel.rail(id)->findChildren<QToolButton*>()) {
                if (button->isCheckable()) return button;
            }
            return static_cast<QToolButton*>(nullptr);
        };
        const auto derived = [&] {
            QStringList ids;
            for (const auto id : {"global_batch", "micro_batch", "micro_batches"}) {
                if (panel.rail(id)->isDerived()) ids << QString::fromLatin1(id);
                if (panel.rail(id)->isDerived() == lockOf(id)->isChecked()) ids << QStringLiteral("lock!");
            }
            return ids;
        };
        QCOMPARE(derived(), QStringList{QStringLiteral("micro_batches")});
        lockOf("micro_batches")->click(); // hold it
        QCOMPARE(derived(), QStringList{QStringLiteral("micro_batch")});
        panel.rail("global_batch")->track()->request(1024);
        QCOMPARE(microBatches(document.plan()), 256);
        QCOMPARE(document.plan().workload.micro_batch_size, 2);
        lockOf("global_batch")->click(); // release it
        QCOMPARE(derived(), QStringList{QStringLiteral("global_batch")});
        panel.rail("micro_batches")->track()->request(512);
        QCOMPARE(document.plan().workload.global_batch_size, 2048);
        // All three are held: the replicas follow, and the nodes with them.
        lockOf("global_batch")->click();
        QCOMPARE(derived(), QStringList());
        QVERIFY(panel.rail("data")->isDerived() && !lockOf("data")->isChecked());
        QVERIFY(panel.rail("nodes")->isDerived() && !lockOf("nodes")->isChecked());
        QCOMPARE(dataParallel(document.plan()), 2);
        panel.rail("global_batch")->track()->request(4096);
        QCOMPARE(dataParallel(document.plan()), 4);
        QCOMPARE(document.plan().cluster.nodes, 16);
        QCOMPARE(microBatches(document.plan()), 512);
        // If one of them is released, or the replicas or the cards are held, data no longer follows the batch.
        lockOf("micro_batch")->click();
        QCOMPARE(derived(), QStringList{QStringLiteral("micro_batch")});
        QVERIFY(!panel.rail("data")->isDerived() && lockOf("data")->isChecked());
        lockOf("micro_batch")->click();
        QCOMPARE(derived(), QStringList());
        lockOf("data")->click();
        QCOMPARE(derived(), QStringList{QStringLiteral("micro_batches")});
        QVERIFY(document.derivedFactor() == DerivedFactor::Nodes);
        document.setDerivedBatchFactor(DerivedBatchFactor::Data);
        lockOf("nodes")->click();
        QCOMPARE(derived(), QStringList{QStringLiteral("micro_batches")});
        QVERIFY(document.derivedFactor() == DerivedFactor::Data);
    }

    /// Open, the lock lets the experts follow the framework; closed, it keeps the number in the plan.
    void expertTensorFollowsTheFramework()
    {
        const Presets& presets = shippedPresets();
        PlanDocument document(withModel(*presets.plan("llama-3-70b-64-h100"), *presets.model("qwen3-235b-a22b")));
        InputsPanel panel(document, presets);
        panel.show();
        document.recomputeNow();
        ui::ValueRail* rail = panel.rail("expert_tensor");
        const auto isLocked = [&] {
            return std::ranges::any_of(rail->findChildren<QToolButton*>(), &QToolButton::isChecked);
        };
        QVERIFY(rail->isDerived() && !isLocked());
        QCOMPARE(rail->value(), 8.0);
        emit rail->lockToggled(true);
        QCOMPARE(document.plan().parallelism.expert_tensor, std::optional<std::int64_t>(8));
        QVERIFY(!rail->isDerived() && isLocked());
        rail->track()->request(2);
        QCOMPARE(document.plan().parallelism.expert_tensor, std::optional<std::int64_t>(2));
        emit rail->lockToggled(false);
        QVERIFY(!document.plan().parallelism.expert_tensor && rail->isDerived());
        QCOMPARE(rail->value(), 8.0);
    }

    void aHeldNumberThatCannotBeHeldIsTold()
    {
        PlanDocument document(samplePlan());
        InputsPanel panel(document, shippedPresets());
        panel.resize(360, 1200);
        panel.show();
        document.setDerivedBatchFactor(DerivedBatchFactor::MicroBatch); // 256 micro-batches
        document.recomputeNow();
        ui::ValueRail& rail = *panel.rail("global_batch");
        const auto type = [&](const QString& text) {
            rail.field()->setFocus();
            rail.field()->selectAll();
            QTest::keyClicks(rail.field(), text);
            QTest::keyClick(rail.field(), Qt::Key_Return);
            document.recomputeNow();
        };
        type(QStringLiteral("768"));
        QCOMPARE(microBatches(document.plan()), 384);
        QVERIFY2(messageOf(rail).contains(QStringLiteral("256 micro-batches are not possible")),
            qPrintable(messageOf(rail)));
        type(QStringLiteral("1536"));
        QVERIFY2(messageOf(rail).isEmpty(), qPrintable(messageOf(rail)));
        // An impossible value leaves the plan unchanged and is reported.
        ui::ValueRail& number = *panel.rail("micro_batches");
        number.field()->setFocus();
        number.field()->selectAll();
        QTest::keyClicks(number.field(), QStringLiteral("100"));
        QTest::keyClick(number.field(), Qt::Key_Return);
        QCOMPARE(microBatches(document.plan()), 384);
        QVERIFY2(messageOf(number).contains(QStringLiteral("100 micro-batches are not possible")),
            qPrintable(messageOf(number)));
        document.undoStack()->undo();
        document.recomputeNow();
        QVERIFY2(messageOf(number).isEmpty(), qPrintable(messageOf(number)));
    }

    void onlyTheNewestStripsAreDelivered()
    {
        QStringList rails;
        std::vector<ui::StopVerdict> last;
        LatestTask<Strip> strips([&](const Strip& strip) {
            rails << strip.rail;
            last = strip.verdicts;
        });
        const auto request = [&](const QString& rail, const std::vector<Plan>& plans) {
            strips.request([rail, plans](QPromise<Strip>& promise) {
                findStrips(promise, {{rail, plans}}, Profile::AsPlanned);
            });
        };
        Plan small = samplePlan();
        small.workload.sequence_length = 1024;
        Plan large = samplePlan();
        large.workload.sequence_length = 262144;
        Plan broken = samplePlan();
        broken.parallelism.tensor = 7;
        request(QStringLiteral("old"), {20, samplePlan()});
        request(QStringLiteral("new"), {small, large, broken});
        QTRY_COMPARE(rails, QStringList{QStringLiteral("new")});
        QVERIFY((last == std::vector{verdictNow(small), ui::StopVerdict::Over, ui::StopVerdict::Invalid}));
        request(QStringLiteral("given up"), {samplePlan()});
        strips.cancel();
        QTest::qWait(50);
        QCOMPARE(rails.size(), 1);
    }

    void aGroupThatUnfoldsGetsItsStrips()
    {
        PlanDocument document(samplePlan());
        InputsPanel panel(document, shippedPresets());
        panel.resize(360, 800);
        panel.show();
        document.recomputeNow();
        QTRY_VERIFY(!panel.rail("tensor")->track()->verdicts().empty());
        ui::ValueRail* folded = panel.rail("reserve");
        QVERIFY(!folded->isVisible() && folded->track()->verdicts().empty());
        groupOf(folded)->setOpen(true);
        QTRY_VERIFY(!folded->track()->verdicts().empty());
    }

    /// Per purpose six to eight rails are at full size, in one order; lines open by click and key, and stay open.
    void secondaryRailsAreLinesThatOpen()
    {
        PlanDocument document(samplePlan());
        InputsPanel panel(document, shippedPresets());
        panel.resize(360, 1200);
        panel.show();
        panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&panel)); // keys go to the window that has them
        document.recomputeNow();
        ui::ValueRail* context = panel.rail("context");
        ui::RailTrack* track = context->track();
        const auto topOf = [&](const QWidget* widget) { return widget->mapTo(&panel, QPoint()).y(); };
        QVERIFY(context->isFolded() && context->isVisible() && !panel.rail("tensor")->isFolded());
        QVERIFY(topOf(panel.rail("data")) < topOf(context));
        QTRY_COMPARE(track->verdicts().size(), track->scale().stops().size()); // its strip is in the line
        QVERIFY(!track->verdicts().empty() && context->height() < 30);
        QCOMPARE(topOf(track), std::clamp(topOf(track), topOf(context), topOf(context) + 12));

        // A click opens it and edits nothing.
        QTest::mouseClick(track, Qt::LeftButton, {}, track->pointOf(8).toPoint());
        QVERIFY(!context->isFolded());
        QCOMPARE(document.undoStack()->count(), 0);
        QTRY_VERIFY(context->height() > 50);
        track->setFocus();
        QTest::keyClick(track, Qt::Key_Return);
        QVERIFY(context->isFolded());
        QTest::keyClick(track, Qt::Key_Right); // still a slider for the keyboard
        QCOMPARE(document.plan().parallelism.context, 2);
        QTest::keyClick(track, Qt::Key_Return);
        QVERIFY(!context->isFolded());

        Plan served = document.plan();
        served.workload.task = Task::Inference;
        document.edit(served, QStringLiteral("serving"));
        QVERIFY(panel.rail("pipeline")->isFolded() && !panel.rail("cards_per_node")->isFolded());
        QVERIFY(topOf(panel.rail("sequence_length")) < topOf(panel.rail("pipeline")));
        document.undoStack()->undo();
        QVERIFY(!context->isFolded() && !panel.rail("pipeline")->isFolded());
        QCOMPARE(panel.openRails(), QStringList{QStringLiteral("context")});

        // Whoever goes to a rail finds it open.
        panel.goToRail("virtual_pipeline");
        QVERIFY(!panel.rail("virtual_pipeline")->isFolded());
    }

    void foldedGroupsSayWhatChangedOrIsBroken()
    {
        PlanDocument document(samplePlan());
        InputsPanel panel(document, shippedPresets());
        panel.show();
        document.recomputeNow();
        auto* head = groupOf(panel.rail("layers"))->findChild<QToolButton*>();
        QCOMPARE(head->text(), QStringLiteral("Model"));
        panel.setRail("layers", 79);
        QCOMPARE(head->text(), QStringLiteral("Model · changed: 1"));
        document.undoStack()->undo();
        QCOMPARE(head->text(), QStringLiteral("Model"));
        head = groupOf(panel.rail("offload_optimizer"))->findChild<QToolButton*>();
        panel.setRail("offload_parameters", 0.5); // not without ZeRO-3
        document.recomputeNow();
        QVERIFY2(head->text().endsWith(u'✖'), qPrintable(head->text()));
    }

    /// While one rail is dragged the others keep their ticks, and their strips, dimmed, until the new ones are known.
    void otherRailsStayDuringADrag()
    {
        PlanDocument document(samplePlan());
        InputsPanel panel(document, shippedPresets());
        panel.resize(360, 1200);
        panel.show();
        document.recomputeNow();
        ui::RailTrack* size = panel.rail("model_size")->track();
        ui::RailTrack* tensor = panel.rail("tensor")->track();
        QTRY_COMPARE(tensor->verdicts().size(), tensor->scale().stops().size());
        const auto verdicts = tensor->verdicts();
        const auto ticks = [&] {
            std::vector<double> values;
            for (const ui::Stop& stop : tensor->scale().stops())
                values.push_back(stop.value);
            return values;
        };
        const auto before = ticks();
        QTest::mousePress(size, Qt::LeftButton, {}, size->pointOf(size->value()).toPoint());
        QTest::mouseMove(size, {size->width() / 4, 9});
        QVERIFY(document.isDragging());
        QVERIFY(tensor->isDimmed());
        QCOMPARE(tensor->verdicts(), verdicts);
        QTRY_VERIFY(!tensor->isDimmed()); // the hand rests
        QCOMPARE(ticks(), before);
        QTest::mouseRelease(size, Qt::LeftButton, {}, {size->width() / 4, 9});
        QTRY_VERIFY(ticks() != before); // this model has fewer heads
        QTRY_COMPARE(tensor->verdicts().size(), tensor->scale().stops().size());
    }

private:
    std::unique_ptr<MainWindow> m_window;

    static ui::StopVerdict verdictNow(const Plan& plan)
    {
        const Estimate result = estimate(plan);
        return ui::stopVerdict(verdict(result.stages[result.worstStage()]));
    }
};

CARDFIT_WINDOW_TEST(TestRails)

} // namespace cardfit::tst_rails
#include "tst_rails.moc"
