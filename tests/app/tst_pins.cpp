// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/pins.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolBar>
#include <QToolButton>

#include "app/document/file_path.h"
#include "app/menus/pin_actions.h"
#include "core/files/plan_file.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"

namespace cardfit::tst_pins {

using namespace cardfit::app;

Plan withTensor(std::int64_t tensor)
{
    Plan plan = samplePlan();
    plan.name = "Tensor " + std::to_string(tensor);
    plan.parallelism.tensor = tensor;
    return plan;
}

/// A document, its pins, and a folder for their files.
struct Session {
    QTemporaryDir home;
    PlanDocument document{withTensor(8)};
    Pins pins{document, folder()};

    [[nodiscard]] std::filesystem::path folder() const { return toPath(home.filePath(QStringLiteral("data/pins"))); }
    [[nodiscard]] QString file(const char* name) const
    {
        return home.filePath(QStringLiteral("data/pins/") + QString::fromLatin1(name));
    }
};

class TestPins : public QObject {
    Q_OBJECT

private slots:
    void aPinKeepsThePlanWhileItChanges()
    {
        Session session;
        session.pins.pin(0);
        session.document.edit(withTensor(4), QStringLiteral("tensor"));
        QCOMPARE(session.pins[0].plan->parallelism.tensor, std::int64_t(8));
        QVERIFY(session.pins[0].estimate->stages == estimate(withTensor(8)).stages);
        QVERIFY(session.pins[1].isFree());
    }

    void recallIsOneUndoStep()
    {
        Session session;
        session.pins.pin(1);
        session.document.edit(withTensor(4), QStringLiteral("tensor"));
        const int steps = session.document.undoStack()->count();
        session.pins.recall(1);
        QVERIFY(session.document.plan() == withTensor(8));
        QCOMPARE(session.document.undoStack()->count(), steps + 1);
        session.document.undoStack()->undo();
        QVERIFY(session.document.plan() == withTensor(4));
        // Recalling a free pin does nothing.
        session.pins.recall(2);
        QVERIFY(session.document.plan() == withTensor(4));
    }

    void swapExchangesPlanAndPin()
    {
        Session session;
        session.pins.pin(2);
        session.document.edit(withTensor(4), QStringLiteral("tensor"));
        session.pins.swap(2);
        QVERIFY(session.document.plan() == withTensor(8));
        QVERIFY(*session.pins[2].plan == withTensor(4));
        session.pins.swap(2);
        QVERIFY(session.document.plan() == withTensor(4));
        QVERIFY(*session.pins[2].plan == withTensor(8));
    }

    void pinsOutliveTheProgram()
    {
        Session session;
        session.pins.pin(0);
        session.document.edit(withTensor(4), QStringLiteral("tensor"));
        session.pins.pin(2);
        session.pins.pin(1);
        session.pins.unpin(1);
        PlanDocument document(withTensor(2));
        Pins again(document, session.folder());
        again.restore(shippedPresets());
        QVERIFY(*again[0].plan == withTensor(8));
        QVERIFY(again[1].isFree());
        QVERIFY(*again[2].plan == withTensor(4));
        QCOMPARE(again.estimates().size(), std::size_t(2));
        QCOMPARE(again.estimates().back().letter, QChar(u'C'));
    }

    void whatCannotBeReadSaysSoAndIsLeftAlone()
    {
        Session session;
        session.pins.pin(0);
        QFile file(session.file("a.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"format\": \"cardfit/plan\"");
        file.close();
        Pins again(session.document, session.folder());
        again.restore(shippedPresets());
        QVERIFY(!again[0].plan);
        QVERIFY(!again[0].isFree());
        QVERIFY2(again[0].problem.contains(QStringLiteral("a.json")), qPrintable(again[0].problem));
        QVERIFY(QFile::exists(file.fileName()));
        QVERIFY(again.estimates().empty());
        // Until the user removes it.
        again.unpin(0);
        QVERIFY(again[0].isFree());
        QVERIFY(!QFile::exists(file.fileName()));
    }

    // A plan that breaks rules can be pinned; it has no figures to outline.
    void aBrokenPlanIsPinnedWithoutFigures()
    {
        Session session;
        session.document.edit(withTensor(3), QStringLiteral("tensor"));
        session.pins.pin(0);
        QVERIFY(session.pins[0].plan.has_value());
        QVERIFY(!session.pins[0].hasFigures());
        QVERIFY(session.pins.estimates().empty());
    }

    void whatCannotBeKeptIsSaid()
    {
        Session session;
        QFile file(session.home.filePath(QStringLiteral("data")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QSignalSpy failed(&session.pins, &Pins::failed);
        session.pins.pin(0);
        QCOMPARE(failed.count(), 1);
        // It is kept while the program runs.
        QVERIFY(session.pins[0].plan.has_value());
    }

    void figuresFollowTheProfile()
    {
        Session session;
        session.pins.pin(0);
        const Bytes planned = session.pins[0].estimate->stages.front().device();
        session.document.setProfile(Profile::Article);
        QVERIFY(session.pins[0].estimate->stages.front().device() != planned);
        QVERIFY(*session.pins[0].plan == withTensor(8));
    }

    void aButtonPinsWhereItsPlaceIsFree()
    {
        Session session;
        QWidget window;
        ViewState state;
        PinActions actions(session.pins, state, &window);
        QToolBar toolbar;
        actions.addTo(toolbar);
        auto* button = actions.button(1);
        QVERIFY(!button->isChecked());
        button->click();
        QVERIFY(session.pins[1].plan.has_value());
        QVERIFY(button->isChecked());
        QVERIFY2(button->toolTip().contains(QStringLiteral("Tensor 8")), qPrintable(button->toolTip()));
        session.pins.unpin(1);
        QVERIFY(!button->isChecked());
    }

    void theDifferenceEndsWithItsPin()
    {
        Session session;
        QWidget window;
        ViewState state;
        PinActions actions(session.pins, state, &window);
        state.setDifference(0); // a free pin: nothing to compare with
        QVERIFY(!state.difference());
        session.pins.pin(0);
        state.setDifference(0);
        QCOMPARE(state.difference(), std::optional(0));
        const QSignalSpy chosen(&state, &ViewState::pinsShownChanged);
        session.pins.unpin(0);
        QVERIFY(!state.difference());
        QCOMPARE(chosen.count(), 1);
    }
};

CARDFIT_WINDOW_TEST(TestPins)

} // namespace cardfit::tst_pins
#include "tst_pins.moc"
