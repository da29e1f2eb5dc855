// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <QAbstractButton>
#include <QComboBox>
#include <QInputDialog>
#include <QLineEdit>
#include <QSettings>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolBar>

#include "app/window/centre.h"
#include "app/window/main_window.h"
#include "tests/app/answers.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"
#include "widgets/chart/labels.h"
#include "widgets/goal_chips.h"
#include "widgets/verdict_strip.h"

namespace cardfit::tst_band {

using namespace cardfit::app;
using ui::GoalChips;

GoalChips& bandsChips(const MainWindow& window)
{
    return *window.findChild<QToolBar*>(QStringLiteral("band"))->findChild<GoalChips*>();
}

/// The verdict stands above the charts: what runs on what, whether it fits, what it takes, and whether it keeps the
/// user's goals.
class TestBand : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("cardfit-test"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_band"));
        qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR);
    }

    void init()
    {
        QSettings().clear();
        m_home = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", QFile::encodeName(m_home->path()));
        qputenv("XDG_STATE_HOME", QFile::encodeName(m_home->path()));
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1366, 768);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void cleanup() { m_window.reset(); }

    void theVerdictStandsAboveTheCharts()
    {
        const auto& strip = m_window->part<ui::VerdictStrip>();
        const auto bottom = strip.mapTo(m_window.get(), QPoint(0, strip.height())).y();
        QVERIFY(bottom <= m_window->part<Centre>().mapTo(m_window.get(), QPoint()).y());
        QVERIFY(m_window->statusBar()->findChild<ui::VerdictStrip*>() == nullptr);
        // The bytes come first, days and cost are among what has room in a small window.
        const Estimate& estimate = *m_window->document().estimate();
        const Bytes free = estimate.stages[estimate.worstStage()].free();
        QVERIFY(strip.text().figure.startsWith(ui::bytesText(free, ByteUnit::GB, 1)));
        QVERIFY(strip.shownFacts().size() >= 2);
        QVERIFY(strip.shownFacts()[0].figure.contains(QStringLiteral("days")));
        QVERIFY(strip.shownFacts()[1].figure.startsWith(u'$'));
    }

    void whatRunsOnWhatIsChangedThere()
    {
        auto* band = m_window->findChild<QToolBar*>(QStringLiteral("band"));
        QStringList names;
        for (const auto* box : band->findChildren<QComboBox*>())
            names << box->accessibleName();
        QCOMPARE(names, QStringList({QStringLiteral("Model"), QStringLiteral("Cluster")}));
        auto* model = band->findChildren<QComboBox*>().front();
        model->setFocus();
        model->lineEdit()->selectAll();
        QTest::keyClicks(model->lineEdit(), QStringLiteral("Llama 3 8B"));
        QTest::keyClick(model->lineEdit(), Qt::Key_Return);
        QTRY_COMPARE(m_window->document().plan().model.id, std::string("llama-3-8b"));
    }

    void goalsAreJudgedByColourSymbolAndWords()
    {
        GoalChips& chips = bandsChips(*m_window);
        const double days = m_window->document().estimate()->step.run->days;
        const auto text = [&](GoalChips::Goal goal) { return chips.chip(goal)->text(); };
        QVERIFY(!text(GoalChips::Deadline).contains(u'✓') && !text(GoalChips::Deadline).contains(u'✗'));
        QCOMPARE(text(GoalChips::Margin), QStringLiteral("✓ 6 % free"));

        const auto colour = [&] {
            const QImage image = chips.chip(GoalChips::Deadline)->grab().toImage();
            return image.pixelColor(image.width() / 2, 4);
        };
        m_window->state().setGoals({.days = std::ceil(days)});
        QVERIFY(text(GoalChips::Deadline).startsWith(u'✓'));
        QVERIFY(chips.chip(GoalChips::Deadline)->accessibleName().endsWith(QStringLiteral("kept")));
        const QColor kept = colour();
        m_window->state().setGoals({.days = std::floor(days)});
        QVERIFY(text(GoalChips::Deadline).startsWith(u'✗'));
        QVERIFY(chips.chip(GoalChips::Deadline)->accessibleName().endsWith(QStringLiteral("missed")));
        QVERIFY(colour() != kept);
        m_window->state().setGoals({.days = std::floor(days), .cost_usd = 1.0});
        QCOMPARE(text(GoalChips::Budget), QStringLiteral("✗ $1.00"));

        // They follow the plan.
        Plan faster = m_window->document().plan();
        faster.workload.tokens = 1e9;
        m_window->document().edit(faster, QStringLiteral("tokens"));
        QTRY_VERIFY(text(GoalChips::Deadline).startsWith(u'✓'));
    }

    void aChipAsksForItsGoal()
    {
        auto* chip = bandsChips(*m_window).chip(GoalChips::Deadline);
        chip->setFocus();
        test::whenShown<QInputDialog>([](QInputDialog& dialog) {
            dialog.setTextValue(QStringLiteral("90"));
            dialog.accept();
        });
        QTest::keyClick(chip, Qt::Key_Space);
        QCOMPARE(m_window->state().goals().days, 90.0);
        QVERIFY(chip->text().endsWith(QStringLiteral("90 days")));
        // As on every rail.
        test::whenShown<QInputDialog>([](QInputDialog& dialog) {
            dialog.setTextValue(QStringLiteral("60M"));
            dialog.accept();
        });
        bandsChips(*m_window).chip(GoalChips::Budget)->click();
        QCOMPARE(m_window->state().goals().cost_usd, 6e7);
        // It stays for the next start.
        const MainWindow next;
        QCOMPARE(bandsChips(next).goals().days, 90.0);
    }

    void aServedPlanShowsUsersAndCache()
    {
        m_window->document().reset(*shippedPresets().plan("llama-3.1-405b-serving-8-h100"));
        m_window->document().recomputeNow();
        const auto& strip = m_window->part<ui::VerdictStrip>();
        const auto facts = strip.shownFacts();
        QVERIFY(facts.size() > 1);
        QVERIFY2(facts[0].figure.contains(QStringLiteral("users")), qPrintable(facts[0].figure));
        QVERIFY2(facts[1].note.contains(QStringLiteral("for a user's token")), qPrintable(facts[1].note));
        QVERIFY2(strip.accessibleName().contains(QStringLiteral("of cache")), qPrintable(strip.accessibleName()));
        // No deadline and no budget: it answers for as long as it is asked.
        QVERIFY(!bandsChips(*m_window).chip(GoalChips::Deadline)->isVisible());
        QVERIFY(bandsChips(*m_window).chip(GoalChips::Margin)->isVisible());
    }

    void aBrokenRuleIsWhatTheBandSays()
    {
        Plan broken = m_window->document().plan();
        broken.parallelism.tensor = 3;
        m_window->document().edit(broken, QStringLiteral("three"));
        m_window->document().recomputeNow();
        const auto& strip = m_window->part<ui::VerdictStrip>();
        QVERIFY(strip.text().figure.isEmpty());
        QVERIFY(strip.text().headline.contains(
            QString::fromStdString(m_window->document().estimate()->checks.front().message.english())));
    }

private:
    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<MainWindow> m_window;
};

CARDFIT_WINDOW_TEST(TestBand)

} // namespace cardfit::tst_band
#include "tst_band.moc"
