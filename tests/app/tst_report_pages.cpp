// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>
#include <vector>

#include <QBuffer>
#include <QPaintEngine>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QTest>

#include "app/export/report.h"
#include "app/menus/export_menu.h"
#include "app/window/main_window.h"
#include "core/report/planning_report.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"
#include "widgets/text/translated.h"

namespace cardfit::tst_report_pages {

using namespace cardfit::app;

struct DrawnText {
    int page;
    QPointF place; ///< start of the baseline
    double width;
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
        // Parts of a word in different scripts are joined to one word.
        if (!texts.empty()) {
            DrawnText& before = texts.back();
            const bool joined = before.page == page && std::abs(before.place.y() - place.y()) < 0.5
                && std::abs(before.place.x() + before.width - place.x()) < 0.5;
            if (joined) {
                before.text += item.text();
                before.width += item.width();
                return;
            }
        }
        texts.push_back({page, place, item.width(), item.text()});
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
        setResolution(kReportDotsPerInch);
        setPageSize(QPageSize(QPageSize::A4));
        setPageOrientation(QPageLayout::Landscape);
    }
    bool newPage() override
    {
        ++m_notes.page;
        return true;
    }
    [[nodiscard]] QPaintEngine* paintEngine() const override { return &m_notes; }
    [[nodiscard]] const std::vector<DrawnText>& texts() const { return m_notes.texts; }
    [[nodiscard]] int pages() const { return m_notes.page + 1; }
    [[nodiscard]] QSizeF pageSize() const { return pageLayout().paintRectPixels(kReportDotsPerInch).size(); }
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

/// The planning report as the window prints it.
class TestReportPages : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR); }

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
        PageNotes printed;
        window.part<ExportMenu>().paint(printed);

        const Estimate& estimate = *window.document().estimate();
        QVERIFY2(printed.textOf(0).contains(
                     estimate.isServed() ? QStringLiteral("Prefill of the prompts") : QStringLiteral("Time of a step")),
            qPrintable(printed.textOf(0)));

        std::vector<double> lowest(static_cast<std::size_t>(printed.pages()));
        for (const DrawnText& one : printed.texts()) {
            QVERIFY2(one.place.y() > 0.0 && one.place.y() <= printed.pageSize().height(), qPrintable(one.text));
            QVERIFY2(one.place.x() + one.width <= printed.pageSize().width() + 1.0, qPrintable(one.text));
            double& low = lowest[static_cast<std::size_t>(one.page)];
            low = std::max(low, one.place.y());
        }
        for (std::size_t page = 0; page + 1 < lowest.size(); ++page)
            QVERIFY2(lowest[page] > 0.5 * printed.pageSize().height(), qPrintable(QString::number(page)));

        // The heading of a chapter or of a table is not the last line of a page.
        const auto& texts = printed.texts();
        for (std::size_t i = 1; i < texts.size(); ++i) {
            if (texts[i].page == texts[i - 1].page || texts[i].page < 2) continue;
            for (const char* heading : {"HFU", "Value", "Memory per card", "Pipeline and step", "Inputs",
                     "Utilisation by convention", "Checkpoints and failures", "What the figures rest on"})
                QVERIFY2(texts[i - 1].text != QLatin1String(heading), heading);
        }

        // Every printed word occurs in the report's text.
        const auto written = wordsOf(
            QString::fromStdString(planningReport(window.document().plan(), estimate, ByteUnit::GB)).remove(u'\\'));
        std::set<QString> drawn;
        for (int page = 1; page < printed.pages(); ++page)
            drawn.merge(wordsOf(printed.textOf(page)));
        for (const QString& word : drawn)
            QVERIFY2(written.contains(word), qPrintable(word));
        for (const QString& word : {QStringLiteral("communication"), QStringLiteral("allocated")})
            QVERIFY2(drawn.contains(word), qPrintable(word));
    }

    void whoReadsNoFurtherIsWarned()
    {
        MainWindow window;
        PlanDocument& document = window.document();
        const auto first = [&] {
            PageNotes printed;
            window.part<ExportMenu>().paint(printed);
            return printed.textOf(0).section(u'\n', 0, 3);
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
        const std::string text = planningReport(document.plan(), *document.estimate(), ByteUnit::GB);
        QVERIFY(text.find("breaks a rule") < text.find("\n## "));
    }
};

CARDFIT_WINDOW_TEST(TestReportPages)

} // namespace cardfit::tst_report_pages
#include "tst_report_pages.moc"
