// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QImage>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <qcustomplot.h>

#include "app/controls/language.h"
#include "app/window/app_theme.h"
#include "app/window/main_window.h"
#include "tests/test_program.h"
#include "widgets/memory/memory_bars.h"
#include "widgets/step/step_bar.h"
#include "widgets/timeline/pipeline_timeline.h"

namespace cardfit::tst_readme_picture {

using namespace cardfit::app;

const QString kText = QStringLiteral("Shows");

/// The texts of a window's charts, independent of the font.
QString textOf(MainWindow& window)
{
    const auto& timeline = window.part<ui::PipelineTimeline>();
    QStringList text;
    for (const ui::ChartWidget* chart : std::initializer_list<const ui::ChartWidget*>{
             &window.part<ui::MemoryBars>(), &timeline, &window.part<ui::StepBar>()})
        text << chart->heading() << chart->facts() << chart->accessibleDescription();
    text << timeline.plot()->xAxis->label();
    return text.join(u'\n');
}

/// The README's picture shows the window with the default plan and stores the charts' texts as metadata. Setting
/// CARDFIT_README_PICTURE to a file name makes this test write the picture; otherwise the test fails if the picture is
/// outdated.
class TestReadmePicture : public QObject {
    Q_OBJECT

private slots:
    void showsWhatTheWindowShows()
    {
        const QTemporaryDir home;
        QCoreApplication::setOrganizationName(QStringLiteral("cardfit-test"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_readme_picture"));
        QSettings().clear();
        qputenv("XDG_DATA_HOME", home.path().toUtf8());
        qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR);
        applyLanguage(Language::English);
        applyTheme(ThemeChoice::Light);
        MainWindow window;
        window.resize(1366, 768);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.part<ui::PipelineTimeline>().showPeakOf(0);
        emit window.part<ui::MemoryBars>().figureClicked(QStringLiteral("stage0.activations"));
        // The strips below the rails are computed in another thread.
        constexpr int kSettled = 1500;
        const QString file = qEnvironmentVariable("CARDFIT_README_PICTURE");
        if (file.isEmpty()) {
            const QImage kept(QStringLiteral(CARDFIT_SOURCES "/resources/screenshot.png"));
            QCOMPARE(kept.text(kText), textOf(window));
            return;
        }
        QTest::qWait(kSettled);
        QImage picture = window.grab().toImage();
        picture.setText(kText, textOf(window));
        QVERIFY(picture.save(file, "PNG"));
    }
};

CARDFIT_WINDOW_TEST(TestReadmePicture)

} // namespace cardfit::tst_readme_picture
#include "tst_readme_picture.moc"
