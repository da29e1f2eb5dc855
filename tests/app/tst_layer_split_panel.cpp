// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/layer_split_panel.h"

#include <QLineEdit>
#include <QTest>
#include <QToolButton>

#include "core/layers/layer_split.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"
#include "widgets/chart/labels.h"
#include "widgets/memory/layer_split.h"

namespace cardfit::tst_layer_split_panel {

using namespace cardfit::app;
using Layers = std::vector<std::int64_t>;

/// Llama 3 70B, 80 layers on 4 stages.
struct Shown {
    PlanDocument document{samplePlan()};
    ViewState state;
    LayerSplitPanel panel{document, state};

    Shown()
    {
        document.recomputeNow();
        panel.resize(900, 160);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
    }
    [[nodiscard]] Bytes fullest() const
    {
        return document.estimate()->stages[document.estimate()->worstStage()].device();
    }
    void type(const QString& text)
    {
        panel.layoutField().setFocus();
        panel.layoutField().selectAll();
        QTest::keyClicks(&panel.layoutField(), text);
        QTest::keyClick(&panel.layoutField(), Qt::Key_Return);
    }
};

class TestLayerSplitPanel : public QObject {
    Q_OBJECT

private slots:
    void keysAreOneUndoStepAndTheEstimateFollows()
    {
        Shown shown;
        const Bytes before = shown.fullest();
        shown.panel.split().setFocus();
        QTest::keyPress(&shown.panel.split(), Qt::Key_Left); // two layers moved off stage 0, the fullest
        shown.document.recomputeNow();
        QVERIFY(shown.document.isDragging());
        QVERIFY(shown.fullest() < before);
        QTest::keyPress(&shown.panel.split(), Qt::Key_Left);
        QTest::keyRelease(&shown.panel.split(), Qt::Key_Left);
        QVERIFY(!shown.document.isDragging());
        QVERIFY(*shown.document.plan().parallelism.layers_per_stage == (Layers{18, 22, 20, 20}));
        QCOMPARE(shown.document.undoStack()->count(), 1);
        QCOMPARE(shown.panel.layoutField().text(), QStringLiteral("Et*18|t*22|t*20|t*20L"));
        shown.document.undoStack()->undo();
        QVERIFY(shown.document.plan() == samplePlan());
        QVERIFY(shown.panel.split().layers() == (Layers{20, 20, 20, 20}));
    }

    void movedBackIsNoStep()
    {
        Shown shown;
        shown.panel.split().setFocus();
        QTest::keyPress(&shown.panel.split(), Qt::Key_Left);
        QTest::keyPress(&shown.panel.split(), Qt::Key_Right);
        QTest::keyRelease(&shown.panel.split(), Qt::Key_Right);
        QVERIFY(shown.document.plan() == samplePlan()); // unchanged, without a list of layers
        QCOMPARE(shown.document.undoStack()->count(), 0);
    }

    void aLayoutIsTyped()
    {
        Shown shown;
        QCOMPARE(shown.panel.layoutField().text(), QStringLiteral("Et*20|(t*20|)*2,t*20L"));
        shown.type(QStringLiteral("Et*9|(t*10|)*6t*11L"));
        QCOMPARE(shown.document.plan().parallelism.virtual_pipeline, 2);
        QVERIFY(*layerSplit(shown.document.plan()) == (Layers{9, 10, 10, 10, 10, 10, 10, 11}));
        QCOMPARE(shown.document.undoStack()->count(), 1);
        QVERIFY(shown.panel.message().isEmpty());
    }

    void whatCannotBeReadStaysAndIsExplained()
    {
        Shown shown;
        shown.type(QStringLiteral("Et*20|x"));
        QVERIFY(shown.document.plan() == samplePlan());
        QCOMPARE(shown.panel.layoutField().text(), QStringLiteral("Et*20|x"));
        QVERIFY2(shown.panel.message().contains(QStringLiteral("column 7")), qPrintable(shown.panel.message()));
        shown.type(QStringLiteral("Et*79L"));
        QVERIFY2(shown.panel.message().contains(QStringLiteral("multiple of pipeline 4")),
            qPrintable(shown.panel.message()));
        QCOMPARE(shown.document.undoStack()->count(), 0);
    }

    void memoryIsEvenedOutInOneStep()
    {
        Shown shown;
        const Bytes before = shown.fullest();
        shown.panel.evenOut(EvenGoal::Memory);
        // It runs in another thread: until it is done nothing changes, and the buttons show what is running.
        QVERIFY(shown.panel.isEveningOut());
        QVERIFY(shown.document.plan() == samplePlan());
        QStringList waiting;
        for (const auto* button : shown.panel.findChildren<QToolButton*>()) {
            if (!button->isEnabled()) waiting << button->text();
        }
        QVERIFY2(waiting.contains(QStringLiteral("Evening out…")), qPrintable(waiting.join(u',')));
        QTRY_VERIFY_WITH_TIMEOUT(!shown.panel.isEveningOut(), 60000);
        shown.document.recomputeNow();
        QVERIFY(shown.fullest() < before);
        QCOMPARE(shown.document.undoStack()->count(), 1);
        // What it gave and cost, and the way back.
        const QString said = shown.panel.message();
        QVERIFY2(said.startsWith(QStringLiteral("Layers moved")), qPrintable(said));
        const QString gain = ui::signedBytesText(shown.fullest() - before, ByteUnit::GB, 1);
        QVERIFY2(said.contains(gain) && said.contains(QStringLiteral("step")), qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("Undo")), qPrintable(said));
        shown.panel.evenOut(EvenGoal::Memory);
        QTRY_VERIFY_WITH_TIMEOUT(!shown.panel.isEveningOut(), 60000);
        QCOMPARE(shown.document.undoStack()->count(), 1);
        QVERIFY2(shown.panel.message().startsWith(QStringLiteral("Moving any single layer")),
            qPrintable(shown.panel.message()));
        shown.panel.shareEvenly();
        QVERIFY(shown.document.plan() == samplePlan());
        QVERIFY(shown.panel.message().isEmpty());
    }

    void anEditGivesEveningOutUp()
    {
        Shown shown;
        shown.panel.evenOut(EvenGoal::Time);
        Plan changed = shown.document.plan();
        changed.workload.sequence_length *= 2;
        shown.document.edit(changed, QStringLiteral("longer"));
        QVERIFY(!shown.panel.isEveningOut());
        // A late result for another plan is discarded.
        QTest::qWait(1500);
        QVERIFY(shown.document.plan() == changed);
        QCOMPARE(shown.document.undoStack()->count(), 1);
        QVERIFY(shown.panel.message().isEmpty());
    }
};

CARDFIT_WINDOW_TEST(TestLayerSplitPanel)

} // namespace cardfit::tst_layer_split_panel
#include "tst_layer_split_panel.moc"
