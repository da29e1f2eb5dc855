// SPDX-License-Identifier: GPL-3.0-or-later
// The Search panel in the window: by keyboard only, in both languages, light and dark, on a small screen.
#include <QComboBox>
#include <QCoreApplication>
#include <QDir>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include "app/controls/language.h"
#include "app/menus/export_menu.h"
#include "app/search/cluster_tab.h"
#include "app/search/map_tab.h"
#include "app/search/plans_tab.h"
#include "app/search/search_panel.h"
#include "app/search/why_tab.h"
#include "app/window/app_theme.h"
#include "app/window/main_window.h"
#include "tests/test_program.h"
#include "widgets/controls/table_view.h"
#include "widgets/search/plan_map.h"
#include "widgets/search/plan_scatter.h"

namespace cardfit::tst_search_window {

using namespace cardfit::app;

constexpr int kPatience = 120000;

/// If CARDFIT_SEARCH_PICTURES names a folder, saves pictures of the window with every tab there, for people to look at.
void savePicture(MainWindow& window, const QString& name)
{
    const QString folder = qEnvironmentVariable("CARDFIT_SEARCH_PICTURES");
    if (folder.isEmpty()) return;
    QTest::qWait(300);
    window.grab().save(QDir(folder).filePath(name + QStringLiteral(".png")));
}

/// The number of pictures in the planning document of the window.
qsizetype documentPictures(MainWindow& window)
{
    const auto& exports = window.part<ExportMenu>();
    return QString::fromStdString(DocumentWriter(exports.documentRequest(), exports.documentCharts()).html())
        .count(QStringLiteral("<svg "));
}

class TestSearchWindow : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("cardfit-test"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_search_window"));
        QSettings().clear();
        qputenv("XDG_DATA_HOME", m_home.path().toUtf8());
        qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR);
    }

    void everyTabOnASmallScreen_data()
    {
        QTest::addColumn<bool>("chinese");
        QTest::addColumn<bool>("dark");
        QTest::newRow("english-light") << false << false;
        QTest::newRow("chinese-dark") << true << true;
    }
    void everyTabOnASmallScreen()
    {
        QFETCH(bool, chinese);
        QFETCH(bool, dark);
        applyLanguage(chinese ? Language::Chinese : Language::English);
        applyTheme(dark ? ThemeChoice::Dark : ThemeChoice::Light);
        MainWindow window;
        window.resize(1366, 768);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        auto& panel = window.part<SearchPanel>();
        window.state().setRoom(Room::Find);
        QTRY_VERIFY(panel.isVisible());
        const QString name = QString::fromLatin1(QTest::currentDataTag());

        const qsizetype pictures = documentPictures(window);
        // Search by keyboard.
        panel.searchButton()->setFocus();
        QTest::keyClick(panel.searchButton(), Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(!panel.isSearching() && panel.result(), kPatience);
        savePicture(window, name + QStringLiteral("-plans"));

        QCOMPARE(documentPictures(window), pictures + 1); // one more, for the chart of the plans found

        // Change tabs with the arrow keys.
        QTabBar* bar = panel.tabs()->tabBar();
        bar->setFocus();
        QTest::keyClick(bar, Qt::Key_Right);
        QCOMPARE(panel.tabs()->currentWidget(), &panel.whyTab());
        QTRY_VERIFY_WITH_TIMEOUT(!panel.whyTab().presentAnswer().isEmpty(), kPatience);
        panel.whyTab().table().selectRow(1);
        panel.whyTab().degreeField(QStringLiteral("tensor"))->setFocus();
        QTest::keyClick(panel.whyTab().degreeField(QStringLiteral("tensor")), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(panel.whyTab().answer().size() > 12, kPatience);
        savePicture(window, name + QStringLiteral("-why"));

        bar->setFocus();
        QTest::keyClick(bar, Qt::Key_Right);
        QCOMPARE(panel.tabs()->currentWidget(), &panel.mapTab());
        QTRY_VERIFY_WITH_TIMEOUT(!panel.mapTab().isComputing() && !panel.mapTab().cells().empty(), kPatience);
        ui::PlanMap& map = panel.mapTab().chart();
        map.setFocus(Qt::TabFocusReason);
        QTest::keyClick(&map, Qt::Key_Left); // from the cell of the current plan
        QTest::keyClick(&map, Qt::Key_Up);
        QVERIFY(!map.hoverText().isEmpty());
        savePicture(window, name + QStringLiteral("-map"));
        QTest::keyClick(&map, Qt::Key_Return);

        bar->setFocus();
        QTest::keyClick(bar, Qt::Key_Right);
        QCOMPARE(panel.tabs()->currentWidget(), &panel.clusterTab());
        QTest::keyClick(panel.clusterTab().compareButton(), Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(!panel.clusterTab().isComparing(), kPatience);
        window.state().setGoals({.days = 200.0});
        savePicture(window, name + QStringLiteral("-cluster"));

        // Nothing is wider than the room, and every tab leaves enough room for its chart.
        for (int tab = 0; tab < panel.tabs()->count(); ++tab) {
            panel.tabs()->setCurrentIndex(tab);
            QCoreApplication::processEvents();
            for (const auto* part : panel.tabs()->currentWidget()->findChildren<QWidget*>()) {
                const bool control = qobject_cast<const QPushButton*>(part) || qobject_cast<const QComboBox*>(part);
                if (!control || !part->isVisible()) continue;
                const QRect place(part->mapTo(&panel, QPoint(0, 0)), part->size());
                QVERIFY2(panel.rect().contains(place),
                    qPrintable(QStringLiteral("tab %1: %2").arg(tab).arg(part->accessibleName())));
            }
        }
        for (const QWidget* chart : std::initializer_list<const QWidget*>{&panel.chart(), &map}) {
            panel.tabs()->setCurrentIndex(chart == &map ? 2 : 0);
            QCoreApplication::processEvents();
            QVERIFY2(chart->height() >= 90, qPrintable(QString::number(chart->height())));
        }
    }

    void cleanupTestCase()
    {
        applyLanguage(Language::English);
        applyTheme(ThemeChoice::Light);
    }

private:
    QTemporaryDir m_home;
};

CARDFIT_WINDOW_TEST(TestSearchWindow)

} // namespace cardfit::tst_search_window
#include "tst_search_window.moc"
