// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>
#include <vector>

#include <QBuffer>
#include <QDir>
#include <QPaintEngine>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include "app/dialogs/document_dialog.h"
#include "app/export/document_writer.h"
#include "app/menus/export_menu.h"
#include "app/window/main_window.h"
#include "core/report/planning_document.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"
#include "widgets/text/translated.h"

namespace cardfit::tst_report_pages {

using namespace cardfit::app;

struct DrawnText {
    int page;
    QPointF place; ///< start of the baseline
    double width; ///< to the right; of a text that is turned, none
    QString text;
};

/// A paint engine that records every text with its page and place, and draws nothing.
class TextNotes : public QPaintEngine {
public:
    TextNotes()
        : QPaintEngine(QPaintEngine::AllFeatures)
    {
    }
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState&) override { }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override { }
    void drawPath(const QPainterPath&) override { }
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override { }
    void drawTextItem(const QPointF& at, const QTextItem& item) override
    {
        const QPointF place = state->transform().map(at);
        const bool turned = state->transform().isRotating();
        const double width = turned ? 0.0 : item.width();
        // Parts of a word in different scripts are joined to one word.
        if (!texts.empty()) {
            DrawnText& before = texts.back();
            const bool joined = before.page == page && std::abs(before.place.y() - place.y()) < 0.5
                && std::abs(before.place.x() + before.width - place.x()) < 0.5;
            if (joined) {
                before.text += item.text();
                before.width += width;
                return;
            }
        }
        texts.push_back({page, place, width, item.text()});
    }
    [[nodiscard]] Type type() const override { return User; }

    int page = 0;
    std::vector<DrawnText> texts;
};

/// A printer that records what it would print.
class PageNotes : public QPdfWriter {
public:
    PageNotes()
        : QPdfWriter(&m_nowhere)
    {
        setResolution(kDocumentDotsPerInch);
        setPageSize(QPageSize(QPageSize::A4));
        setPageMargins(QMarginsF(16.0, 14.0, 16.0, 10.0), QPageLayout::Millimeter);
    }
    bool newPage() override
    {
        ++m_notes.page;
        return true;
    }
    [[nodiscard]] QPaintEngine* paintEngine() const override { return &m_notes; }
    [[nodiscard]] const std::vector<DrawnText>& texts() const { return m_notes.texts; }
    [[nodiscard]] int pages() const { return m_notes.page + 1; }
    [[nodiscard]] QSizeF pageSize() const { return pageLayout().paintRectPixels(kDocumentDotsPerInch).size(); }
    [[nodiscard]] QString textOf(int page) const
    {
        QStringList said;
        for (const DrawnText& one : texts()) {
            if (one.page == page) said << one.text;
        }
        return said.join(u'\n');
    }

private:
    QBuffer m_nowhere;
    mutable TextNotes m_notes;
};

std::set<QString> wordsOf(QString text)
{
    static const QRegularExpression kBetween(QStringLiteral("[\\s|*#/]+"));
    std::set<QString> words;
    for (const QString& word : text.replace(QChar::Nbsp, u' ').split(kBetween, Qt::SkipEmptyParts))
        words.insert(word);
    return words;
}

/// The planning document as the window prints and writes it.
class TestReportPages : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("cardfit-test"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_report_pages"));
        QSettings().clear();
        qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR);
    }

    void pagesAreFullAndWordsWhole_data()
    {
        QTest::addColumn<QString>("plan");
        for (const char* plan : {"llama-3-70b-64-h100", "deepseek-v3-2048-h800", "llama-13b-4-cards",
                 "llama-3.1-405b-1024-h100", "llama-3-70b-serving-dgx-h100", "llama-3-8b-lora-4090"})
            QTest::newRow(plan) << plan;
    }
    void pagesAreFullAndWordsWhole()
    {
        QFETCH(const QString, plan);
        MainWindow window;
        window.document().reset(*shippedPresets().plan(plan.toStdString()));
        const auto& exports = window.part<ExportMenu>();
        PageNotes printed;
        DocumentWriter(exports.documentRequest()).paint(printed);
        std::vector<double> lowest(static_cast<std::size_t>(printed.pages()));
        for (const DrawnText& one : printed.texts()) {
            QVERIFY2(one.place.y() > 0.0 && one.place.y() <= printed.pageSize().height(), qPrintable(one.text));
            QVERIFY2(one.place.x() + one.width <= printed.pageSize().width() + 1.0, qPrintable(one.text));
            // All but the line at the page's foot.
            if (one.place.y() > printed.pageSize().height() - 30.0) continue;
            double& low = lowest[static_cast<std::size_t>(one.page)];
            low = std::max(low, one.place.y());
        }
        for (std::size_t page = 0; page + 1 < lowest.size(); ++page)
            QVERIFY2(lowest[page] > 0.5 * printed.pageSize().height(), qPrintable(QString::number(page)));
        for (int page = 0; page < printed.pages(); ++page)
            QVERIFY(printed.textOf(page).endsWith(QStringLiteral("%1 / %2").arg(page + 1).arg(printed.pages())));

        // Every word of the document's tables and headings is on some page.
        std::set<QString> drawn;
        for (int page = 0; page < printed.pages(); ++page)
            drawn.merge(wordsOf(printed.textOf(page)));
        const Document document = planningDocument(exports.documentRequest());
        std::set<QString> headings;
        for (const DocumentSection& section : document.sections) {
            headings.insert(QString::fromStdString(section.title));
            for (const DocumentPart& part : section.parts) {
                if (const auto* heading = std::get_if<DocumentHeading>(&part))
                    headings.insert(QString::fromStdString(heading->text));
                const auto* table = std::get_if<DocumentTable>(&part);
                if (table == nullptr) continue;
                for (const Row& row : table->rows) {
                    for (const std::string& cell : row) {
                        for (const QString& word : wordsOf(QString::fromStdString(cell)))
                            QVERIFY2(drawn.contains(word), qPrintable(word));
                    }
                }
            }
        }
        // A heading is not the last line of a page.
        std::vector<QString> last(static_cast<std::size_t>(printed.pages()));
        for (const DrawnText& one : printed.texts()) {
            if (one.place.y() <= printed.pageSize().height() - 30.0)
                last[static_cast<std::size_t>(one.page)] = one.text;
        }
        for (const QString& text : last)
            QVERIFY2(!headings.contains(text), qPrintable(text));
    }

    void whoReadsNoFurtherIsWarned()
    {
        MainWindow window;
        PlanDocument& document = window.document();
        const auto first = [&] {
            PageNotes printed;
            DocumentWriter(window.part<ExportMenu>().documentRequest()).paint(printed);
            return printed.textOf(0).section(u'\n', 0, 12);
        };
        QVERIFY(!first().contains(QStringLiteral("The plan ")));
        document.reset(*shippedPresets().plan("llama-13b-4-cards"));
        QVERIFY2(first().contains(QStringLiteral("The plan does not fit its cards.")), qPrintable(first()));
        Plan broken = document.plan();
        broken.parallelism.tensor = 3;
        broken.parallelism.data.reset();
        document.reset(broken);
        QVERIFY2(first().contains(QStringLiteral("The plan breaks a rule")), qPrintable(first()));
        document.recomputeNow();
        const std::string text = documentMarkdown(planningDocument({document.plan(), *document.estimate()}));
        QVERIFY(text.find("breaks a rule") < text.find("\n## "));
    }

    /// Everything is in one file, its pictures too, and other programs read it.
    void everyFormatIsWritten()
    {
        MainWindow window;
        const QTemporaryDir folder;
        const auto& exports = window.part<ExportMenu>();
        const DocumentWriter writer(exports.documentRequest());
        const auto written = [&](const char* name) {
            const QString file = folder.filePath(QLatin1String(name));
            if (!writer.write(file.toStdString())) return QByteArray();
            QFile read(file);
            return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
        };
        QXmlStreamReader html(QString::fromUtf8(written("a.html")));
        int pictures = 0;
        while (!html.atEnd()) {
            if (html.readNext() == QXmlStreamReader::StartElement && html.name() == QStringLiteral("svg")) ++pictures;
            QVERIFY(html.name() != QStringLiteral("image"));
        }
        QVERIFY2(!html.hasError(), qPrintable(html.errorString()));
        QCOMPARE(pictures, 3);
        QVERIFY(written("a.pdf").startsWith("%PDF"));
        const QByteArray odt = written("a.odt");
        QVERIFY(odt.startsWith("PK") && odt.contains("mimetype") && odt.contains("Pictures/"));
        QVERIFY(written("a.md").startsWith("# "));
        QVERIFY(!writer.write(folder.filePath(QStringLiteral("a.doc")).toStdString()));
        QVERIFY(!writer.write("/nowhere/a.html"));
        // A failed write leaves what was there.
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 4);
    }

    void theDialogShowsWhatIsTickedAndRemembers()
    {
        MainWindow window;
        window.document().keepCopy();
        auto& exports = window.part<ExportMenu>();
        {
            DocumentDialog dialog(window.document(), exports, window.presets(), &window);
            QTRY_VERIFY_WITH_TIMEOUT(dialog.isComplete(), 120000);
            QTRY_VERIFY(dialog.preview().contains(QStringLiteral("Assumptions of the models")));
            QVERIFY(dialog.preview().contains(QStringLiteral("Launch command")));
            QVERIFY(dialog.preview().contains(QStringLiteral("Why not"))); // the copy is ticked
            dialog.setTopic(DocumentTopic::Launch, false);
            dialog.setAuthor(QStringLiteral("A. Planner"));
            QVERIFY(!dialog.preview().contains(QStringLiteral("Launch command")));
            for (int tab = 0; tab < window.document().count(); ++tab)
                dialog.setBeside(tab, false);
            QVERIFY(!dialog.preview().contains(QStringLiteral("Why not")));
        }
        const DocumentDialog again(window.document(), exports, window.presets(), &window);
        QVERIFY(!again.preview().contains(QStringLiteral("Launch command")));
        QVERIFY(again.preview().contains(QStringLiteral("A. Planner")));
    }
};

CARDFIT_WINDOW_TEST(TestReportPages)

} // namespace cardfit::tst_report_pages
#include "tst_report_pages.moc"
