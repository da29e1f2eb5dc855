// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/test_program.h"
#include "widgets/rails/value_rail.h"

#include <QAccessible>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>

namespace cardfit::tst_value_rail {

using namespace cardfit::ui;

/// 1 2 4 5 8 are possible, 3 and 6 are not, 10 only with a remark.
std::vector<Stop> pipelineStops()
{
    std::vector<Stop> stops;
    for (const int value : {1, 2, 3, 4, 5, 6, 8, 10}) {
        Stop stop{.value = double(value), .text = QString::number(value), .reason = {}};
        if (value == 3 || value == 6) {
            stop.state = StopState::Invalid;
            stop.reason = QStringLiteral("40 layers / %1 leaves a remainder").arg(value);
        }
        if (value == 10) stop.state = StopState::Warned;
        stops.push_back(stop);
    }
    return stops;
}

struct Edit {
    double value;
    EditPhase phase;

    bool operator==(const Edit&) const = default;
};

/// A rail as a panel holds it, and everything that it asked for.
struct Shown {
    ValueRail rail{QStringLiteral("Pipeline parallel")};
    std::vector<Edit> edits;

    Shown()
    {
        rail.setStops(pipelineStops());
        rail.setResetValue(4);
        rail.setValue(4);
        rail.resize(280, rail.sizeHint().height());
        QObject::connect(&rail, &ValueRail::edited, &rail, [this](double value, EditPhase phase) {
            edits.push_back({value, phase});
        });
        rail.show();
        (void)QTest::qWaitForWindowExposed(&rail);
    }

    QPoint at(double value) { return rail.track()->pointOf(value).toPoint(); }
    void drag(double from, double to, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mousePress(rail.track(), Qt::LeftButton, modifiers, at(from));
        const QPoint begin = at(from);
        const QPoint end = at(to);
        constexpr int kSteps = 20;
        for (int step = 1; step <= kSteps; ++step) {
            const QPoint now = begin + (end - begin) * step / kSteps;
            QMouseEvent move(
                QEvent::MouseMove, now, rail.track()->mapToGlobal(now), Qt::NoButton, Qt::LeftButton, modifiers);
            QCoreApplication::sendEvent(rail.track(), &move);
        }
        QTest::mouseRelease(rail.track(), Qt::LeftButton, modifiers, end);
    }
    QString message() const
    {
        for (const auto* label : rail.findChildren<QLabel*>()) {
            if (label->wordWrap()) return label->isVisible() ? label->text() : QString();
        }
        return {};
    }
};

class TestValueRail : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        // All but a line that the offscreen platform prints for every window with a size hint.
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
    }

    /// Without presets a plan has no parameters, and 0 has no logarithm.
    void aScaleFromZeroHasPlaces()
    {
        const RailScale scale(
            ScaleKind::Logarithmic, {{0.0, {}, StopState::Valid, {}}, {2000.0, {}, StopState::Valid, {}}});
        for (const double value : {-1.0, 0.0, 1.0, 500.0, 2000.0, 3000.0}) {
            QVERIFY(scale.place(value) >= 0.0);
            QVERIFY(scale.place(value) <= 1.0);
        }
        QCOMPARE(scale.valueAt(scale.place(500.0)), 500.0);
    }

    void aDragMovesOverAllowedStopsAndEndsOnce()
    {
        Shown shown;
        shown.drag(4, 10);
        const std::vector<Edit> expected{
            {5, EditPhase::Dragging}, {8, EditPhase::Dragging}, {10, EditPhase::Dragging}, {10, EditPhase::Committed}};
        QVERIFY(shown.edits == expected);
        QCOMPARE(shown.rail.field()->text(), QStringLiteral("10"));
    }

    void shiftGoesAnywhere()
    {
        Shown shown;
        shown.drag(4, 6, Qt::ShiftModifier);
        QCOMPARE(shown.edits.back().value, 6.0);
        QVERIFY(shown.edits.back().phase == EditPhase::Committed);
    }

    void ctrlMovesOverPowersOfTwo()
    {
        Shown shown;
        shown.drag(4, 10, Qt::ControlModifier);
        const std::vector<Edit> expected{{8, EditPhase::Dragging}, {8, EditPhase::Committed}};
        QVERIFY(shown.edits == expected);
        // Where no stop is one, all of them are meant.
        shown.edits.clear();
        shown.rail.setStops(
            {{3, {}, StopState::Valid, {}}, {6, {}, StopState::Valid, {}}, {12, {}, StopState::Valid, {}}});
        shown.rail.setValue(3);
        shown.drag(3, 12, Qt::ControlModifier);
        QCOMPARE(shown.edits.back().value, 12.0);
    }

    void theLockHasAKey()
    {
        Shown shown;
        QSignalSpy toggled(&shown.rail, &ValueRail::lockToggled);
        shown.rail.activateWindow();
        QTRY_VERIFY(shown.rail.isActiveWindow());
        shown.rail.track()->setFocus();
        QTest::keyClick(shown.rail.track(), Qt::Key_L, Qt::ControlModifier);
        QCOMPARE(toggled.count(), 0); // it has none
        shown.rail.setLockable(true);
        QTest::keyClick(shown.rail.track(), Qt::Key_L, Qt::ControlModifier);
        QCOMPARE(toggled.count(), 1);
        QCOMPARE(toggled.first().first().toBool(), true);
        shown.rail.setDerived(true, QStringLiteral("= 1"));
        shown.rail.field()->setFocus();
        QTest::keyClick(shown.rail.field(), Qt::Key_L, Qt::ControlModifier);
        QCOMPARE(toggled.count(), 2);
    }

    void aClickBesideTheHandleJumpsToTheNearestAllowedStop()
    {
        Shown shown;
        QTest::mouseClick(shown.rail.track(), Qt::LeftButton, {}, shown.at(8));
        const std::vector<Edit> expected{{8, EditPhase::Dragging}, {8, EditPhase::Committed}};
        QVERIFY(shown.edits == expected);
    }

    void aClickOnTheHandleIsNoEdit()
    {
        Shown shown;
        QTest::mouseClick(shown.rail.track(), Qt::LeftButton, {}, shown.at(4) + QPoint(3, 0));
        QVERIFY(shown.edits.empty());
    }

    void escapeEndsADragWhereItBegan()
    {
        Shown shown;
        QTest::mousePress(shown.rail.track(), Qt::LeftButton, {}, shown.at(8));
        QTest::keyClick(shown.rail.track(), Qt::Key_Escape);
        QTest::mouseRelease(shown.rail.track(), Qt::LeftButton, {}, shown.at(8));
        const std::vector<Edit> expected{{8, EditPhase::Dragging}, {4, EditPhase::Committed}};
        QVERIFY(shown.edits == expected);
    }

    void keys_data()
    {
        QTest::addColumn<int>("key");
        QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
        QTest::addColumn<double>("value");
        QTest::newRow("right") << int(Qt::Key_Right) << Qt::KeyboardModifiers() << 5.0;
        QTest::newRow("up") << int(Qt::Key_Up) << Qt::KeyboardModifiers() << 5.0;
        QTest::newRow("left over an invalid stop") << int(Qt::Key_Left) << Qt::KeyboardModifiers() << 2.0;
        QTest::newRow("shift+left") << int(Qt::Key_Left) << Qt::KeyboardModifiers(Qt::ShiftModifier) << 3.0;
        QTest::newRow("ctrl+right") << int(Qt::Key_Right) << Qt::KeyboardModifiers(Qt::ControlModifier) << 8.0;
        QTest::newRow("ctrl+left") << int(Qt::Key_Left) << Qt::KeyboardModifiers(Qt::ControlModifier) << 2.0;
        QTest::newRow("page up doubles") << int(Qt::Key_PageUp) << Qt::KeyboardModifiers() << 8.0;
        QTest::newRow("page down halves") << int(Qt::Key_PageDown) << Qt::KeyboardModifiers() << 2.0;
        QTest::newRow("home") << int(Qt::Key_Home) << Qt::KeyboardModifiers() << 1.0;
        QTest::newRow("end") << int(Qt::Key_End) << Qt::KeyboardModifiers() << 10.0;
    }
    void keys()
    {
        QFETCH(const int, key);
        QFETCH(const Qt::KeyboardModifiers, modifiers);
        QFETCH(const double, value);
        Shown shown;
        shown.rail.track()->setFocus();
        QTest::keyClick(shown.rail.track(), static_cast<Qt::Key>(key), modifiers);
        const std::vector<Edit> expected{{value, EditPhase::Dragging}, {value, EditPhase::Committed}};
        QVERIFY(shown.edits == expected);
    }

    void theFieldStepsWithTheSameKeys()
    {
        Shown shown;
        shown.rail.field()->setFocus();
        QTest::keyClick(shown.rail.field(), Qt::Key_Up);
        QTest::keyClick(shown.rail.field(), Qt::Key_PageDown);
        QCOMPARE(shown.rail.value(), 2.0);
        QVERIFY(shown.edits.back().phase == EditPhase::Committed);
    }

    void resetsByKeyButtonAndDoubleClick()
    {
        Shown shown;
        shown.rail.track()->setFocus();
        const auto expectReset = [&](auto&& reset) {
            shown.rail.setValue(8);
            reset();
            QCOMPARE(shown.rail.value(), 4.0);
            QVERIFY(shown.edits.back() == (Edit{4, EditPhase::Committed}));
        };
        expectReset([&] { QTest::keyClick(shown.rail.track(), Qt::Key_0, Qt::ControlModifier); });
        expectReset([&] { QTest::mouseDClick(shown.rail.track(), Qt::LeftButton, {}, shown.at(8)); });
        expectReset([&] {
            for (auto* button : shown.rail.findChildren<QToolButton*>()) {
                if (button->isVisible() && button->isEnabled()) button->click();
            }
        });
    }

    void typingCommitsOnEnter()
    {
        Shown shown;
        shown.rail.field()->setFocus();
        shown.rail.field()->selectAll();
        QTest::keyClicks(shown.rail.field(), QStringLiteral("2^3"));
        QVERIFY(shown.edits.empty());
        QTest::keyClick(shown.rail.field(), Qt::Key_Return);
        const std::vector<Edit> expected{{8, EditPhase::Committed}};
        QVERIFY(shown.edits == expected);
        QCOMPARE(shown.rail.field()->text(), QStringLiteral("8"));
    }

    void theClickThatComesIntoTheFieldSelectsItsNumber()
    {
        Shown shown;
        shown.rail.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&shown.rail));
        shown.rail.track()->setFocus();
        QLineEdit* field = shown.rail.field();
        QTest::mouseClick(field, Qt::LeftButton);
        QCOMPARE(field->selectedText(), QStringLiteral("4"));
        QTest::keyClicks(field, QStringLiteral("2"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(shown.edits, (std::vector<Edit>{{2, EditPhase::Committed}}));
        QTest::mouseClick(field, Qt::LeftButton);
        QVERIFY(!field->hasSelectedText());
    }

    void whatCannotBeReadStaysAndIsExplained()
    {
        Shown shown;
        shown.rail.field()->setFocus();
        shown.rail.field()->selectAll();
        QTest::keyClicks(shown.rail.field(), QStringLiteral("eight"));
        QTest::keyClick(shown.rail.field(), Qt::Key_Return);
        QCOMPARE(shown.rail.field()->text(), QStringLiteral("eight"));
        QVERIFY2(shown.message().contains(QStringLiteral("whole number")), qPrintable(shown.message()));
        QVERIFY(shown.edits.empty());
        QTest::keyClick(shown.rail.field(), Qt::Key_Escape);
        QCOMPARE(shown.rail.field()->text(), QStringLiteral("4"));
        QVERIFY(shown.message().isEmpty());
    }

    void anInvalidStopSaysWhy()
    {
        Shown shown;
        const QString text = shown.rail.track()->explanationAt(shown.rail.track()->pointOf(3));
        QCOMPARE(text, QStringLiteral("Pipeline parallel 3: 40 layers / 3 leaves a remainder"));
        std::vector<StopVerdict> verdicts(8, StopVerdict::Fits);
        verdicts[0] = StopVerdict::Over;
        shown.rail.setVerdicts(verdicts);
        QVERIFY(
            shown.rail.track()->explanationAt(shown.rail.track()->pointOf(1)).endsWith(QStringLiteral("does not fit")));
    }

    void screenReadersHearNameValueAndChoices()
    {
        Shown shown;
        QCOMPARE(
            shown.rail.track()->accessibleName(), QStringLiteral("Pipeline parallel, 4, valid values 1 2 4 5 8 10"));
    }

    void assistiveTechnologySeesASlider()
    {
        Shown shown;
        auto* slider = QAccessible::queryAccessibleInterface(shown.rail.track());
        QVERIFY(slider != nullptr);
        QCOMPARE(slider->role(), QAccessible::Slider);
        auto* value = slider->valueInterface();
        QVERIFY(value != nullptr);
        QCOMPARE(value->currentValue().toDouble(), 4.0);
        QCOMPARE(value->maximumValue().toDouble(), 10.0);
        value->setCurrentValue(5.0);
        QCOMPARE(shown.rail.value(), 5.0);
        QVERIFY(shown.edits.back() == (Edit{5, EditPhase::Committed}));
    }

    void aWheelOverAnUnfocusedRailScrollsThePanel()
    {
        QScrollArea area;
        auto* content = new QWidget;
        auto* column = new QVBoxLayout(content);
        std::vector<ValueRail*> rails;
        for (int i = 0; i < 20; ++i) {
            rails.push_back(new ValueRail(QStringLiteral("Rail %1").arg(i)));
            rails.back()->setStops(pipelineStops());
            rails.back()->setValue(4);
            column->addWidget(rails.back());
        }
        area.setWidget(content);
        area.setWidgetResizable(true);
        area.resize(320, 300);
        area.show();
        area.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&area));
        QSignalSpy edits(rails[1], &ValueRail::edited);
        const auto turn = [](QWidget* target, int eighths = -120, Qt::KeyboardModifiers held = {}) {
            const QPointF middle = target->rect().center();
            QWheelEvent wheel(
                middle, target->mapToGlobal(middle), {}, {0, eighths}, Qt::NoButton, held, Qt::NoScrollPhase, false);
            // Only an event from the window system travels on to the parents of a widget that ignores it.
            QSpontaneKeyEvent::setSpontaneous(&wheel);
            qApp->notify(target, &wheel);
        };
        rails[0]->track()->setFocus();
        turn(rails[1]->track());
        QVERIFY(edits.isEmpty());
        QVERIFY(area.verticalScrollBar()->value() > 0);
        const int scrolled = area.verticalScrollBar()->value();
        turn(rails[1]->field());
        QVERIFY(edits.isEmpty());
        QVERIFY(area.verticalScrollBar()->value() > scrolled);
        // A click is about one value: the wheel after it scrolls on.
        QTest::mouseClick(rails[1]->track(), Qt::LeftButton, {}, rails[1]->track()->pointOf(4).toPoint());
        QVERIFY(rails[1]->track()->hasFocus());
        edits.clear();
        turn(rails[1]->track());
        QVERIFY(edits.isEmpty());
        rails[0]->track()->setFocus();
        rails[1]->track()->setFocus(Qt::TabFocusReason);
        turn(rails[1]->track());
        QCOMPARE(edits.size(), 1);
        QCOMPARE(rails[1]->value(), 2.0);
        // As the arrows: with Ctrl to the next power of two, past 5 here.
        rails[1]->setValue(4);
        turn(rails[1]->track(), 120, Qt::ControlModifier);
        QCOMPARE(rails[1]->value(), 8.0);
        turn(rails[1]->track(), -120);
        QCOMPARE(rails[1]->value(), 5.0);
        // Who holds Ctrl or Alt means the rail, wherever the keyboard is.
        rails[0]->track()->setFocus();
        turn(rails[1]->track(), 120);
        QCOMPARE(rails[1]->value(), 5.0);
        turn(rails[1]->track(), 120, Qt::ControlModifier);
        QCOMPARE(rails[1]->value(), 8.0);
        turn(rails[1]->track(), -120, Qt::AltModifier);
        QCOMPARE(rails[1]->value(), 5.0);
    }

    void stepsOfAWheelWithoutARestAreOneEdit()
    {
        Shown shown;
        shown.rail.setValue(4);
        shown.rail.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&shown.rail));
        shown.rail.track()->setFocus(Qt::TabFocusReason);
        shown.edits.clear();
        for (int i = 0; i < 2; ++i) {
            const QPointF middle = shown.rail.track()->rect().center();
            QWheelEvent wheel(middle, shown.rail.track()->mapToGlobal(middle), {}, {0, 120}, Qt::NoButton,
                Qt::NoModifier, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(shown.rail.track(), &wheel);
        }
        QCOMPARE(shown.edits.size(), std::size_t{2});
        QCOMPARE(shown.edits.back().phase, EditPhase::Dragging);
        QTRY_COMPARE(shown.edits.back().phase, EditPhase::Committed);
        QCOMPARE(shown.edits.size(), std::size_t{3});
    }

    void aRailWithoutAnyValidStopLeadsOutAllTheSame()
    {
        Shown shown;
        auto stops = pipelineStops();
        for (Stop& stop : stops)
            stop.state = StopState::Invalid;
        shown.rail.setStops(stops);
        shown.rail.track()->setFocus();
        QTest::keyClick(shown.rail.track(), Qt::Key_Left);
        QCOMPARE(shown.rail.value(), 3.0);
    }

    void aDerivedValueShowsItsFormulaAndTakesNoEdits()
    {
        Shown shown;
        shown.rail.setDerived(true, QStringLiteral("= 64 cards / (8 x 4)"));
        QVERIFY(shown.rail.field()->isReadOnly());
        QVERIFY(shown.rail.field()->font().italic());
        QVERIFY(!shown.rail.track()->isVisible());
        QCOMPARE(shown.message(), QStringLiteral("= 64 cards / (8 x 4)"));
        QTest::keyClick(shown.rail.field(), Qt::Key_Up);
        QVERIFY(shown.edits.empty());
        shown.rail.setDerived(false);
        QVERIFY(shown.rail.track()->isVisible());
    }

    void aBrokenRuleStandsUnderTheField()
    {
        Shown shown;
        shown.rail.setProblem(QStringLiteral("40 heads / 6 leaves 4"));
        QVERIFY(shown.message().contains(QStringLiteral("40 heads / 6 leaves 4")));
        shown.rail.setProblem({});
        QVERIFY(shown.message().isEmpty());
    }

    void aLogarithmicRailTakesSizesBetweenItsStops()
    {
        ValueRail rail(QStringLiteral("Model size"));
        rail.setFormat({.kind = QuantityKind::Parameters, .whole = false, .minimum = 1e8, .maximum = 2e12});
        rail.setScale(ScaleKind::Logarithmic);
        std::vector<Stop> stops(4);
        stops[0].value = 1e8;
        stops[1].value = 7e9;
        stops[2].value = 13e9;
        stops[3].value = 2e12;
        rail.setStops(stops);
        rail.setValue(7e9);
        rail.resize(280, 60);
        rail.show();
        QVERIFY(QTest::qWaitForWindowExposed(&rail));
        QSignalSpy edits(&rail, &ValueRail::edited);
        const QPointF between = (rail.track()->pointOf(1e8) + rail.track()->pointOf(2e12)) / 2;
        QTest::mouseClick(rail.track(), Qt::LeftButton, Qt::ShiftModifier, between.toPoint());
        QVERIFY(rail.value() > 13e9 && rail.value() < 16e9);
        QTest::mouseClick(rail.track(), Qt::LeftButton, {}, between.toPoint() + QPoint(10, 0));
        QCOMPARE(rail.value(), rail.value() > 13e9 ? rail.value() : 13e9);
    }

    void fitsANarrowPanel()
    {
        Shown shown;
        shown.rail.setLockable(true);
        shown.rail.setUnit(QStringLiteral("tokens"));
        QVERIFY2(shown.rail.minimumSizeHint().width() <= 300,
            qPrintable(QString::number(shown.rail.minimumSizeHint().width())));
    }
};

CARDFIT_WINDOW_TEST(TestValueRail)

} // namespace cardfit::tst_value_rail
#include "tst_value_rail.moc"
