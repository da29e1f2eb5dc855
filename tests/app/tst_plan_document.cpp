// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/plan_document.h"

#include <random>

#include <QFile>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/document/plan_quantities.h"
#include "core/files/plan_file.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"

namespace cardfit::tst_plan_document {

using namespace cardfit::app;
using ui::EditPhase;

Plan withTensor(Plan plan, std::int64_t tensor)
{
    plan.parallelism.tensor = tensor;
    return plan;
}

QByteArray contentsOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

class TestPlanDocument : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void twoHundredRandomEditsCanAllBeTakenBack()
    {
        PlanDocument document(samplePlan());
        const std::string before = planText(document.plan());
        const QuantityContext context{shippedPresets()};
        std::mt19937 random(20);
        const auto pick = [&](std::size_t count) { return random() % count; };
        int steps = 0;
        for (int i = 0; i < 200; ++i) {
            const PlanQuantity& quantity = planQuantities()[pick(planQuantities().size())];
            if (quantity.write == nullptr) continue;
            const auto values = quantity.candidates(document.plan(), context);
            const QString id = QString::fromStdString(std::string(quantity.id));
            const int moves = pick(3) == 0 ? 4 : 0; // some are drags
            for (int move = 0; move < moves; ++move) {
                const Plan moved = quantity.write(document.plan(), values[pick(values.size())], context);
                document.edit(moved, id, id, EditPhase::Dragging);
            }
            const Plan changed = quantity.write(document.plan(), values[pick(values.size())], context);
            document.edit(changed, id, id, EditPhase::Committed);
            ++steps;
        }
        QVERIFY(document.undoStack()->count() > 100);
        QVERIFY(document.undoStack()->count() <= steps);
        const std::string after = planText(document.plan());
        while (document.undoStack()->canUndo())
            document.undoStack()->undo();
        QCOMPARE(planText(document.plan()), before);
        QVERIFY(!document.isModified());
        while (document.undoStack()->canRedo())
            document.undoStack()->redo();
        QCOMPARE(planText(document.plan()), after);
    }

    void oneDragIsOneStep()
    {
        PlanDocument document(samplePlan());
        const Plan before = document.plan();
        const QString key = QStringLiteral("tensor");
        document.edit(withTensor(before, 4), QStringLiteral("8 → 4"), key, EditPhase::Dragging);
        document.edit(withTensor(before, 2), QStringLiteral("8 → 2"), key, EditPhase::Dragging);
        QVERIFY(document.isDragging());
        document.edit(withTensor(before, 2), QStringLiteral("8 → 2"), key, EditPhase::Committed);
        QVERIFY(!document.isDragging());
        QCOMPARE(document.undoStack()->count(), 1);
        QCOMPARE(document.undoStack()->undoText(), QStringLiteral("8 → 2"));
        document.edit(withTensor(before, 1), QStringLiteral("2 → 1"), key, EditPhase::Dragging);
        document.edit(withTensor(before, 1), QStringLiteral("2 → 1"), key, EditPhase::Committed);
        QCOMPARE(document.undoStack()->count(), 2);
        document.undoStack()->undo();
        QCOMPARE(document.plan().parallelism.tensor, 2);
        document.undoStack()->undo();
        QVERIFY(document.plan() == before);
    }

    void aDragThatEndsWhereItBeganLeavesNoStep()
    {
        PlanDocument document(samplePlan());
        const Plan before = document.plan();
        const QString key = QStringLiteral("tensor");
        document.edit(withTensor(before, 4), QString(), key, EditPhase::Dragging);
        document.edit(before, QString(), key, EditPhase::Dragging);
        document.edit(before, QString(), key, EditPhase::Committed);
        QCOMPARE(document.undoStack()->count(), 0);
        QVERIFY(!document.isModified());
        QVERIFY(!document.isDragging());
    }

    void dragsOfDifferentQuantitiesDoNotJoin()
    {
        PlanDocument document(samplePlan());
        Plan plan = withTensor(document.plan(), 4);
        document.edit(plan, QString(), QStringLiteral("tensor"), EditPhase::Dragging);
        plan.parallelism.pipeline = 2;
        document.edit(plan, QString(), QStringLiteral("pipeline"), EditPhase::Committed);
        QCOMPARE(document.undoStack()->count(), 2);
    }

    void manyEditsOfOneTurnAreOneEstimate()
    {
        PlanDocument document(samplePlan());
        document.recomputeNow();
        QSignalSpy estimates(&document, &PlanDocument::estimateChanged);
        for (std::int64_t batch = 1; batch <= 50; ++batch) {
            Plan plan = document.plan();
            plan.workload.global_batch_size = 2 * batch;
            document.edit(plan, QString(), QStringLiteral("batch"), EditPhase::Dragging);
        }
        QCOMPARE(estimates.size(), 0);
        QTRY_COMPARE(estimates.size(), 1);
        QCOMPARE(document.estimate()->pipeline.micro_batches, 50);
        QVERIFY(document.elapsedMilliseconds() > 0.0);
    }

    void aBrokenPlanKeepsTheLastCompleteEstimate()
    {
        PlanDocument document(samplePlan());
        document.recomputeNow();
        const auto complete = document.estimate();
        QVERIFY(complete->complete());
        document.edit(withTensor(document.plan(), 7), QString());
        document.recomputeNow();
        QVERIFY(!document.estimate()->complete());
        QCOMPARE(document.lastComplete().get(), complete.get());
        document.undoStack()->undo();
        document.recomputeNow();
        QVERIFY(document.estimate()->complete());
    }

    void aProfileChangesTheEstimateButNotThePlan()
    {
        PlanDocument document(samplePlan());
        document.recomputeNow();
        const auto own = document.estimate()->stages.front().device();
        const std::string text = planText(document.plan());
        document.setProfile(Profile::Article);
        document.recomputeNow();
        QVERIFY(document.estimate()->stages.front().device() != own);
        QCOMPARE(planText(document.plan()), text);
        QVERIFY(!document.isModified());
    }

    void savesAndReopens()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("計画 a.json"));
        PlanDocument document(samplePlan());
        document.edit(withTensor(document.plan(), 4), QString());
        QVERIFY(document.isModified());
        QSignalSpy files(&document, &PlanDocument::fileChanged);
        QVERIFY(document.saveAs(file));
        QVERIFY(!document.isModified());
        QCOMPARE(document.displayName(), QStringLiteral("計画 a.json"));
        QVERIFY(!files.isEmpty());
        QCOMPARE(contentsOf(file), QByteArray::fromStdString(planText(document.plan())));

        PlanDocument other(Plan{});
        QVERIFY(other.open(file, shippedPresets()));
        QVERIFY(other.plan() == document.plan());
        QCOMPARE(other.undoStack()->count(), 0);
        QVERIFY(other.save());
        QCOMPARE(contentsOf(file), QByteArray::fromStdString(planText(document.plan())));
    }

    void undoAcrossASaveIsAnEdit()
    {
        QTemporaryDir folder;
        PlanDocument document(samplePlan());
        document.edit(withTensor(document.plan(), 4), QString());
        QVERIFY(document.saveAs(folder.filePath(QStringLiteral("a.json"))));
        document.undoStack()->undo();
        QVERIFY(document.isModified());
        document.undoStack()->redo();
        QVERIFY(!document.isModified());
    }

    void aBadFileLeavesThePlan_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("part");
        QTest::newRow("no json") << QByteArray("{\"format\": ") << QStringLiteral("a.json");
        QTest::newRow("another kind") << QByteArray("{\"format\": \"cardfit/model\", \"version\": 1}")
                                      << QStringLiteral("format");
        QTest::newRow("fraction") << QByteArray(
            "{\"format\": \"cardfit/plan\", \"version\": 1, \"model\": {\"preset\": "
            "\"llama-3-70b\", \"num_hidden_layers\": 1.7}}")
                                  << QStringLiteral("/model/num_hidden_layers");
    }
    void aBadFileLeavesThePlan()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QString, part);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();

        PlanDocument document(samplePlan());
        document.edit(withTensor(document.plan(), 4), QString());
        const Plan before = document.plan();
        QSignalSpy plans(&document, &PlanDocument::planChanged);
        const auto opened = document.open(path, shippedPresets());
        QVERIFY(!opened);
        const QString why = QString::fromStdString(describe(opened.error()));
        QVERIFY2(why.contains(part), qPrintable(why));
        QVERIFY(document.plan() == before);
        QCOMPARE(document.undoStack()->count(), 1);
        QVERIFY(document.filePath().isEmpty());
        QVERIFY(plans.isEmpty());
    }

    void aFileThatCannotBeWrittenIsNotAdopted()
    {
        PlanDocument document(samplePlan());
        QVERIFY(!document.saveAs(QStringLiteral("/nowhere/at/all/a.json")));
        QVERIFY(document.filePath().isEmpty());
    }
};

CARDFIT_TEST(TestPlanDocument)

} // namespace cardfit::tst_plan_document
#include "tst_plan_document.moc"
