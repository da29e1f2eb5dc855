// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QImage>
#include <QTest>

#include "app/controls/language.h"
#include "app/export/plan_charts.h"
#include "core/files/plan_file.h"
#include "core/files/preset_library.h"
#include "core/launch/plan_reader.h"
#include "tests/test_program.h"
#include "widgets/chart/chart_export.h"

namespace cardfit::tst_guide_pictures {

using namespace cardfit::app;

const QString kText = QStringLiteral("Shows");
const QString kGuide = QStringLiteral(CARDFIT_SOURCES "/resources/guide/");

/// A picture of the guide, and the plan of the page that shows it.
struct Picture {
    const char* name;
    const char* chart;
    int height; ///< in pixels
    const char* plan;
    const char* on = "";
    std::vector<std::string> settings = {};
};

const std::vector<Picture>& pictures()
{
    static const std::vector<Picture> kPictures{
        {"out-of-memory", "memory", 340, CARDFIT_SOURCES "/resources/guide/examples/train.sh", "dgx-h100:1"},
        {"schedule-1f1b", "timeline", 340, "llama-3-70b-64-h100", "", {"/workload/global_batch_size=16"}},
        {"schedule-interleaved", "timeline", 340, "llama-3-70b-64-h100", "",
            {"/workload/global_batch_size=16", "/recipe/schedule=interleaved-1f1b", "/parallelism/virtual_pipeline=2"}},
        {"planning-step", "step", 180, "llama-3-70b-64-h100", "",
            {"/name=Llama 3 70B, 640 x H100", "/cluster/nodes=80", "/parallelism/data=20",
                "/workload/global_batch_size=1280"}},
    };
    return kPictures;
}

Plan planOf(const Picture& picture)
{
    const Presets presets = loadPresets(std::vector<std::filesystem::path>{CARDFIT_PRESET_DIR});
    PlanWords words;
    words.on = picture.on;
    Plan plan = readAnyPlan(picture.plan, words, presets).value().plan;
    for (const std::string& setting : picture.settings)
        plan = withSetting(plan, setting, presets).value();
    return plan;
}

ui::ChartWidget& chartOf(PlanCharts& charts, const QByteArray& name)
{
    if (name == "memory") return charts.memory;
    if (name == "step") return charts.step;
    return charts.timeline;
}

QString textOf(const ui::ChartWidget& chart)
{
    return QStringList{chart.heading(), chart.facts(), chart.accessibleDescription()}.join(u'\n');
}

/// The guide's pictures are charts of the plans of its pages and store the charts' texts as metadata. With
/// CARDFIT_GUIDE_PICTURES=1 in the environment this test draws them again; otherwise it fails if one is outdated.
class TestGuidePictures : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR);
        applyLanguage(Language::English);
    }

    void showWhatTheChartsShow_data()
    {
        QTest::addColumn<int>("index");
        for (int i = 0; i < static_cast<int>(pictures().size()); ++i)
            QTest::newRow(pictures()[static_cast<std::size_t>(i)].name) << i;
    }
    void showWhatTheChartsShow()
    {
        QFETCH(const int, index);
        const Picture& picture = pictures()[static_cast<std::size_t>(index)];
        const Plan plan = planOf(picture);
        PlanCharts charts(plan, estimate(plan), ByteUnit::GB);
        ui::ChartWidget& chart = chartOf(charts, picture.chart);
        ui::ExportOptions options;
        options.scale = 1.0;
        options.size = {840, picture.height};
        QImage image = ui::chartImage(chart, options);
        const QString file = kGuide + QStringLiteral("pictures/%1.png").arg(QLatin1String(picture.name));
        if (qEnvironmentVariableIsSet("CARDFIT_GUIDE_PICTURES")) {
            image = image.convertToFormat(QImage::Format_RGB32);
            image.setText(kText, textOf(chart));
            QVERIFY(image.save(file, "PNG", 0));
            return;
        }
        const QImage kept(file);
        QVERIFY2(!kept.isNull(), qPrintable(file));
        QCOMPARE(kept.text(kText), textOf(chart));
    }

    void eachIsShownAndSmall()
    {
        const QFileInfoList files = QDir(kGuide + QStringLiteral("pictures")).entryInfoList(QDir::Files);
        QCOMPARE(files.size(), static_cast<qsizetype>(pictures().size()));
        QCOMPARE_LE(files.size(), 6);
        for (const QString& language : {QStringLiteral("en"), QStringLiteral("zh_CN")}) {
            QString text;
            for (const QFileInfo& page : QDir(kGuide + language).entryInfoList(QDir::Files)) {
                QFile file(page.filePath());
                QVERIFY(file.open(QIODevice::ReadOnly));
                text += QString::fromUtf8(file.readAll());
            }
            for (const QFileInfo& file : files) {
                QVERIFY2(text.contains(QStringLiteral("(../pictures/%1)").arg(file.fileName())),
                    qPrintable(file.fileName()));
                QCOMPARE_LT(file.size(), 60'000);
            }
        }
    }
};

CARDFIT_WINDOW_TEST(TestGuidePictures)

} // namespace cardfit::tst_guide_pictures
#include "tst_guide_pictures.moc"
