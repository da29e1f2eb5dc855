// SPDX-License-Identifier: GPL-3.0-or-later
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>

#include "core/layers/layer_split.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"
#include "widgets/memory/layer_split.h"

namespace cardfit::tst_layer_split_widget {

using ui::EditPhase;
using ui::LayerSplit;
using Layers = std::vector<std::int64_t>;

struct Edit {
    Layers layers;
    EditPhase phase;
};

/// A shown split of 40 layers on 4 stages, and the edits that it asks for.
struct Shown {
    LayerSplit split;
    std::vector<Edit> edits;

    explicit Shown(const Plan& plan = samples::llama13BOnEightCards())
    {
        QObject::connect(&split, &LayerSplit::edited, &split, [this](const Layers& layers, EditPhase phase) {
            edits.push_back({layers, phase});
        });
        split.setPlan(plan, nullptr);
        split.resize(800, split.sizeHint().height());
        split.show();
        QVERIFY(QTest::qWaitForWindowExposed(&split));
        split.setFocus();
    }

    void moveTo(const QPointF& point)
    {
        QMouseEvent move(QEvent::MouseMove, point, split.mapToGlobal(point), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&split, &move);
    }
};

Plan twoChunks()
{
    Plan plan = samples::llama13BOnEightCards();
    plan.parallelism.virtual_pipeline = 2;
    plan.recipe.schedule = Schedule::InterleavedOneFOneB;
    return plan;
}

class TestLayerSplitWidget : public QObject {
    Q_OBJECT

private slots:
    void aDragMovesLayerByLayerAndEndsOnce()
    {
        Shown shown;
        LayerSplit& split = shown.split;
        const QPointF begin = split.pointOf(1);
        const double unit = split.layerWidth(1);
        QTest::mousePress(&split, Qt::LeftButton, {}, begin.toPoint());
        shown.moveTo(begin.toPoint() + QPointF(0.3 * unit, 0));
        QVERIFY(shown.edits.empty()); // less than half a layer
        shown.moveTo(begin.toPoint() + QPointF(1.0 * unit, 0));
        shown.moveTo(begin.toPoint() + QPointF(1.2 * unit, 0));
        QCOMPARE(shown.edits.size(), std::size_t(1));
        shown.moveTo(begin.toPoint() + QPointF(-2.0 * unit, 40)); // beside the row: still held
        QTest::mouseRelease(&split, Qt::LeftButton, {}, begin.toPoint());
        QCOMPARE(shown.edits.size(), std::size_t(3));
        QVERIFY(shown.edits[0].layers == (Layers{10, 11, 9, 10}));
        QVERIFY(shown.edits[1].layers == (Layers{10, 8, 12, 10}));
        QVERIFY(shown.edits[1].phase == EditPhase::Dragging);
        QVERIFY(shown.edits[2].layers == (Layers{10, 8, 12, 10}));
        QVERIFY(shown.edits[2].phase == EditPhase::Committed);
        QCOMPARE(split.currentBoundary(), std::optional<std::size_t>(1));
    }

    void theHandleFollowsThePointer()
    {
        Shown shown;
        const QPointF begin = shown.split.pointOf(0);
        const double unit = shown.split.layerWidth(0);
        QTest::mousePress(&shown.split, Qt::LeftButton, {}, begin.toPoint());
        shown.moveTo(begin.toPoint() + QPointF(4.0 * unit, 0));
        QVERIFY(std::abs(shown.split.pointOf(0).x() - begin.x() - 4.0 * unit) < 0.01);
        shown.moveTo(begin.toPoint() + QPointF(5000, 0)); // no further than the next boundary
        QVERIFY(shown.split.layers() == (Layers{20, 0, 10, 10}));
        QTest::mouseRelease(&shown.split, Qt::LeftButton, {}, begin.toPoint());
    }

    void escapeEndsADragWhereItBegan()
    {
        Shown shown;
        const QPointF begin = shown.split.pointOf(2);
        QTest::mousePress(&shown.split, Qt::LeftButton, {}, begin.toPoint());
        shown.moveTo(begin + QPointF(3.0 * shown.split.layerWidth(2), 0));
        QVERIFY(shown.split.isDragging());
        QTest::keyClick(&shown.split, Qt::Key_Escape);
        QVERIFY(!shown.split.isDragging());
        QVERIFY(shown.edits.back().layers == (Layers{10, 10, 10, 10}));
        QVERIFY(shown.edits.back().phase == EditPhase::Committed);
        const std::size_t count = shown.edits.size();
        shown.moveTo(begin);
        QTest::mouseRelease(&shown.split, Qt::LeftButton, {}, begin.toPoint());
        QCOMPARE(shown.edits.size(), count);
    }

    void aClickIsNoEdit()
    {
        Shown shown;
        QTest::mouseClick(&shown.split, Qt::LeftButton, {}, shown.split.pointOf(2).toPoint());
        QVERIFY(shown.edits.empty());
        QCOMPARE(shown.split.currentBoundary(), std::optional<std::size_t>(2));
        QTest::mouseClick(&shown.split, Qt::LeftButton, {}, (shown.split.pointOf(2) + QPointF(40, 0)).toPoint());
        QVERIFY(shown.edits.empty());
    }

    void keysChooseABoundaryAndMoveIt()
    {
        Shown shown;
        LayerSplit& split = shown.split;
        QTest::keyClick(&split, Qt::Key_Down);
        QTest::keyClick(&split, Qt::Key_Down);
        QTest::keyClick(&split, Qt::Key_Down);
        QCOMPARE(split.currentBoundary(), std::optional<std::size_t>(2)); // the last one
        QTest::keyClick(&split, Qt::Key_Up);
        QCOMPARE(split.currentBoundary(), std::optional<std::size_t>(1));
        QTest::keyClick(&split, Qt::Key_Home);
        QCOMPARE(split.currentBoundary(), std::optional<std::size_t>(0));
        QTest::keyClick(&split, Qt::Key_End);
        QCOMPARE(split.currentBoundary(), std::optional<std::size_t>(2));
        QVERIFY(shown.edits.empty());
        QTest::keyPress(&split, Qt::Key_Left);
        QTest::keyPress(&split, Qt::Key_Left);
        QCOMPARE(shown.edits.size(), std::size_t(2));
        QVERIFY(shown.edits.back().phase == EditPhase::Dragging);
        QTest::keyRelease(&split, Qt::Key_Left);
        QCOMPARE(shown.edits.size(), std::size_t(3));
        QVERIFY(shown.edits.back().phase == EditPhase::Committed);
        QVERIFY(shown.edits.back().layers == (Layers{10, 10, 8, 12}));
    }

    void everyChunkHasARowAndItsEndMovesToo()
    {
        Shown shown(twoChunks());
        LayerSplit& split = shown.split;
        QCOMPARE(split.layers().size(), std::size_t(8));
        QVERIFY(split.pointOf(4).y() > split.pointOf(3).y() + 20.0);
        const QPointF begin = split.pointOf(3); // from the last rank's first chunk to the first rank's second
        QTest::mousePress(&split, Qt::LeftButton, {}, begin.toPoint());
        shown.moveTo(begin.toPoint() - QPointF(2.0 * split.layerWidth(3), 0));
        QTest::mouseRelease(&split, Qt::LeftButton, {}, begin.toPoint());
        QVERIFY(split.layers() == (Layers{5, 5, 5, 3, 7, 5, 5, 5}));
    }

    void thePlaceIsExplained()
    {
        Plan plan = samples::llama13BOnEightCards();
        MixtureOfExperts experts;
        experts.num_experts = 8;
        experts.moe_intermediate_size = 1024;
        experts.first_dense_layers = 3;
        plan.model.architecture.moe = experts;
        Shown shown(plan);
        LayerSplit& split = shown.split;
        const double unit = split.layerWidth(0);
        const double left = split.pointOf(0).x() - 11.0 * unit; // embedding and ten layers, and less than a gap
        const double y = split.pointOf(0).y();
        QCOMPARE(split.explanationAt({left + 0.5 * unit, y}), QStringLiteral("Embedding, on stage 0"));
        QCOMPARE(split.explanationAt({left + 1.5 * unit, y}), QStringLiteral("Layer 0 (stage 0, 10 layers)"));
        QCOMPARE(
            split.explanationAt({left + 4.5 * unit, y}), QStringLiteral("Layer 3, with experts (stage 0, 10 layers)"));
        QVERIFY(split.explanationAt(split.pointOf(0)).contains(QStringLiteral("between stage 0 and stage 1")));
        QCOMPARE(split.explanationAt({split.width() - 6.0 - 5.0 - 0.5 * unit, y}),
            QStringLiteral("Output layer and loss, on stage 3"));
    }

    void anUnknownSplitStaysAndCannotBeMoved()
    {
        Shown shown;
        Plan broken = withLayerSplit(samples::llama13BOnEightCards(), {1, 2, 3, 4});
        shown.split.setPlan(broken, nullptr);
        QVERIFY(shown.split.layers() == (Layers{10, 10, 10, 10}));
        QVERIFY(!shown.split.currentBoundary());
        QTest::keyClick(&shown.split, Qt::Key_Right);
        const QPointF begin = shown.split.pointOf(0);
        QTest::mousePress(&shown.split, Qt::LeftButton, {}, begin.toPoint());
        shown.moveTo(begin + QPointF(100, 0));
        QTest::mouseRelease(&shown.split, Qt::LeftButton, {}, begin.toPoint());
        QVERIFY(shown.edits.empty());
    }

    void screenReadersHearStagesAndBoundary()
    {
        Shown shown;
        QVERIFY(shown.split.accessibleDescription().contains(QStringLiteral("stage 3: 10 layers")));
        QTest::keyClick(&shown.split, Qt::Key_Right);
        QVERIFY2(shown.split.accessibleName().contains(QStringLiteral("stage 0 with 11 and stage 1 with 9 layers")),
            qPrintable(shown.split.accessibleName()));
    }
};

CARDFIT_WINDOW_TEST(TestLayerSplitWidget)

} // namespace cardfit::tst_layer_split_widget
#include "tst_layer_split_widget.moc"
