// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/chart_export.h"

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QImageReader>
#include <QMimeData>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include "tests/test_program.h"
#include "tests/widgets/sample_estimate.h"
#include "widgets/memory/memory_bars.h"
#include "widgets/timeline/pipeline_timeline.h"

namespace cardfit::tst_chart_export {

using namespace cardfit::ui;

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Whether any pixel has the colour.
bool contains(const QImage& image, const QColor& colour)
{
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (image.pixelColor(x, y) == colour) return true;
        }
    }
    return false;
}

class TestChartExport : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        samples::failOnAnyWarning();
        QVERIFY(m_folder.isValid());
        // Never shown: a report is written without a window.
        m_bars.setTheme(darkTheme());
        m_bars.setTitle(QStringLiteral("Llama <13B> & friends"));
        m_bars.setEstimate(samples::firstStageOver());
        m_timeline.setTheme(darkTheme());
        m_timeline.setEstimate(samples::estimated(samples::gptPlan(16, 256)));
    }

    void pngHasSizeScaleAndLightBackground_data()
    {
        QTest::addColumn<double>("scale");
        for (const int scale : {1, 2, 3, 4})
            QTest::addRow("%dx", scale) << static_cast<double>(scale);
        QTest::newRow("1.5x") << 1.5;
    }
    void pngHasSizeScaleAndLightBackground()
    {
        QFETCH(double, scale);
        const QString path = place("bars.png");
        ExportOptions options{.size = QSize(640, 320), .scale = scale, .theme = lightTheme(), .description = {}};
        const auto saved = exportChart(m_bars, path, options);
        QVERIFY2(saved, saved ? "" : describe(saved.error()).c_str());
        const QImage image(path);
        QCOMPARE(image.size(), (QSizeF(640, 320) * scale).toSize());
        QCOMPARE(image.pixelColor(1, 1), QColor(Qt::white));
        QVERIFY(contains(image, lightTheme()[Segment::Activations].fill));
        // 96 dots per inch at 1x: the same size on paper at any scale.
        QVERIFY(std::abs(image.dotsPerMeterX() / scale - 3780) < 2);
        // The window keeps its theme.
        QVERIFY(m_bars.theme().dark);
    }

    void pngTellsWhereItComesFrom()
    {
        ExportOptions options;
        options.description = QStringLiteral("{\"plan\": 1}");
        QVERIFY(exportChart(m_bars, place("described.png"), options));
        QImageReader reader(place("described.png"));
        const QImage image = reader.read();
        QCOMPARE(image.text(QStringLiteral("Description")), options.description);
    }

    // XML 1.0, section 2.2: control characters are not even allowed as references.
    void svgIsXmlWhateverTheNames()
    {
        ExportOptions options;
        options.description = QStringLiteral("a\x01\x1b[31m <b>");
        QXmlStreamReader xml(chartSvg(m_bars, options));
        while (!xml.atEnd())
            xml.readNext();
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    }

    void svgIsVectorsAndText_data()
    {
        QTest::addColumn<bool>("bars");
        QTest::newRow("memory") << true;
        QTest::newRow("pipeline") << false;
    }
    void svgIsVectorsAndText()
    {
        QFETCH(bool, bars);
        ChartWidget& chart = bars ? static_cast<ChartWidget&>(m_bars) : m_timeline;
        const QString path = place("chart.svg");
        ExportOptions options{.size = QSize(800, 400), .scale = 1.0, .theme = lightTheme(), .description = "a < b & c"};
        QVERIFY(exportChart(chart, path, options));
        const QByteArray svg = contents(path);
        QVERIFY(!svg.contains("<image"));
        QVERIFY(svg.count("<text") > 10);
        QVERIFY(svg.contains(bars ? "Memory per card (GB)" : "micro-batches"));
        QVERIFY(svg.contains("a &lt; b &amp; c"));
        // A pixel is 1/96 inch.
        QVERIFY(svg.contains("width=\"211.667mm\"") || svg.contains("width=\"211.67mm\""));
        // Small enough for a document, however many operations there are.
        QCOMPARE_LT(svg.size(), 1'000'000);
        const QSvgRenderer reader(svg);
        QVERIFY(reader.isValid());
        QCOMPARE(reader.viewBox(), QRect(0, 0, 800, 400));
        // The same chart is the same file.
        QCOMPARE(chartSvg(chart, options), svg);
    }

    void theTimelineIsExportedAsItIsZoomed()
    {
        const ExportOptions options{.size = QSize(800, 400), .scale = 1.0, .theme = lightTheme(), .description = {}};
        // Which axis it is stands in the picture.
        QVERIFY(chartSvg(m_timeline, options).contains("broken axis"));
        m_timeline.setTrueTime(true);
        const QByteArray whole = chartSvg(m_timeline, options);
        QVERIFY(whole.contains("true to time"));
        const double end = m_timeline.visibleRange().to;
        // Few enough operations that each is a block with its micro-batch as text.
        const TimeRange part{0.40 * end, 0.41 * end};
        m_timeline.setVisibleRange(part);
        const QByteArray zoomed = chartSvg(m_timeline, options);
        QVERIFY(zoomed != whole);
        QVERIFY(zoomed.count("<text") > whole.count("<text") + 10);
        QVERIFY(!zoomed.contains("<image"));
        // An export leaves the view alone.
        QCOMPARE(m_timeline.visibleRange(), part);
        m_timeline.fit();
        QCOMPARE(chartSvg(m_timeline, options), whole);
        m_timeline.setTrueTime(false);
    }

    void pdfIsOnePageOfTheChartsSize()
    {
        const QString path = place("chart.pdf");
        QVERIFY(exportChart(
            m_bars, path, {.size = QSize(960, 480), .scale = 1.0, .theme = lightTheme(), .description = {}}));
        const QByteArray pdf = contents(path);
        QVERIFY(pdf.startsWith("%PDF-1."));
        QCOMPARE(pdf.count("/Type /Page\n"), 1);
        QVERIFY(pdf.contains("/MediaBox [0 0 720"));
        QVERIFY(pdf.contains("/FontFile2"));
        QVERIFY(!pdf.contains("/Subtype /Image"));
    }

    void anExportChangesNothingOnScreen()
    {
        m_bars.resize(700, 330);
        m_bars.show();
        QVERIFY(QTest::qWaitForWindowExposed(&m_bars));
        QTest::qWait(20);
        const QImage before = m_bars.grab().toImage();
        QVERIFY(!chartSvg(m_bars, {.size = QSize(300, 900), .scale = 1.0, .theme = lightTheme(), .description = {}})
                     .isEmpty());
        QTest::qWait(20);
        QCOMPARE(m_bars.grab().toImage(), before);
        m_bars.hide();
    }

    void anOutdatedPictureSaysSo()
    {
        m_bars.setEstimate(samples::brokenEstimate());
        const QByteArray svg = chartSvg(m_bars, {});
        QVERIFY(svg.contains("Last plan with figures"));
        m_bars.setEstimate(samples::firstStageOver());
    }

    void withoutAnyFiguresItSaysWhy()
    {
        MemoryBars bars;
        bars.setEstimate(samples::brokenEstimate());
        const QByteArray svg = chartSvg(bars, {});
        QVERIFY(svg.contains("No figures yet"));
        QVERIFY(!svg.contains("Last plan"));
    }

    void refusesWhatItCannotWrite()
    {
        const auto saved = exportChart(m_bars, place("chart.bmp"));
        QVERIFY(!saved);
        QCOMPARE(saved.error().code, ErrorCode::UnknownName);
        QVERIFY(!QFile::exists(place("chart.bmp")));

        ExportOptions options;
        options.scale = 9.0;
        QCOMPARE(exportChart(m_bars, place("chart.png"), options).error().code, ErrorCode::OutOfRange);
        options = {};
        options.size = QSize(0, 100);
        QCOMPARE(exportChart(m_bars, place("chart.png"), options).error().code, ErrorCode::OutOfRange);
    }

    void anUnwritablePlaceIsAnErrorWithItsName()
    {
        const QString path = place("no/such/folder/chart.svg");
        const auto saved = exportChart(m_bars, path);
        QVERIFY(!saved);
        QCOMPARE(saved.error().code, ErrorCode::CannotWrite);
        QVERIFY(QString::fromStdString(describe(saved.error())).contains(path));
        // A folder in the file's place stays a folder.
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("taken.pdf")));
        QCOMPARE(exportChart(m_bars, place("taken.pdf")).error().code, ErrorCode::CannotWrite);
        QVERIFY(QFileInfo(place("taken.pdf")).isDir());
    }

    void theClipboardHoldsPictureAndVectors()
    {
        copyChart(m_bars);
        const QMimeData* data = QGuiApplication::clipboard()->mimeData();
        QVERIFY(data);
        QVERIFY(data->hasImage());
        QCOMPARE(qvariant_cast<QImage>(data->imageData()).size(), QSize(1920, 960));
        QVERIFY(data->data(QStringLiteral("image/svg+xml")).contains("<svg"));
    }

private:
    QString place(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    QTemporaryDir m_folder;
    MemoryBars m_bars;
    PipelineTimeline m_timeline;
};

CARDFIT_WINDOW_TEST(TestChartExport)

} // namespace cardfit::tst_chart_export
#include "tst_chart_export.moc"
