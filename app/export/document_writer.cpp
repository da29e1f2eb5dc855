// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/document_writer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QBuffer>
#include <QCoreApplication>
#include <QPageSize>
#include <QPdfWriter>
#include <QPicture>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextDocumentWriter>
#include <QTextFrame>
#include <QTextObjectInterface>
#include <QTextOption>
#include <QTextTable>

#include <fmt/format.h>

#include "app/cli/cli.h"
#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "app/controls/language.h"
#include "app/export/plan_charts.h"
#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "core/files/preset_library.h"
#include "core/launch/own_launch.h"
#include "core/report/goodput_text.h"
#include "widgets/chart/chart_export.h"
#include "widgets/text/translated.h"

#include <qcustomplot.h>

namespace cardfit::app {

namespace {

constexpr QSize kChartSize(960, 400); ///< of a picture alone
constexpr int kPageWidth = 672; ///< of A4 between its margins; a figure of the document is as wide
constexpr double kTextPoints = 9.0;
constexpr double kTablePoints = 8.0;
constexpr double kSmallPoints = 6.0; ///< font size of tables with many columns
constexpr int kUsualColumns = 7;
constexpr double kIndent = 16.0;
constexpr double kImageScale = 2.0; ///< pixels of a picture in a text document

ui::ExportOptions chartOptions(QSize size, double scale)
{
    ui::ExportOptions options;
    options.size = size;
    options.scale = scale;
    return options;
}

/// Keeps the words of a cell on one line.
void joinWords(const QTextTableCell& cell)
{
    QTextCursor cursor = cell.firstCursorPosition();
    cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor::KeepAnchor);
    cursor.insertText(cursor.selectedText().replace(u' ', QChar::Nbsp));
}

/// Styles tables as in papers: thin lines below rows, headings repeated on the next page.
void styleTables(QTextDocument& document)
{
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (table == nullptr) continue;
        QTextTableFormat format = table->format();
        format.setBorder(0.0);
        format.setBorderCollapse(true);
        format.setCellPadding(0.0);
        format.setHeaderRowCount(1);
        format.setBottomMargin(8.0);
        table->setFormat(format);
        const bool wide = table->columns() > kUsualColumns;
        for (int row = 0; row < table->rows(); ++row) {
            for (int column = 0; column < table->columns(); ++column) {
                QTextTableCell cell = table->cellAt(row, column);
                QTextTableCellFormat lined = cell.format().toTableCellFormat();
                lined.setBottomBorder(0.75);
                lined.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
                lined.setBottomBorderBrush(row == 0 ? Qt::gray : Qt::lightGray);
                lined.setTopPadding(2.5);
                lined.setBottomPadding(2.5);
                lined.setRightPadding(column + 1 < table->columns() ? 10.0 : 0.0);
                cell.setFormat(lined);
                if (wide && row > 0) joinWords(cell);
            }
        }
        QTextCharFormat size;
        size.setFontPointSize(wide ? kSmallPoints : kTablePoints);
        QTextCursor all(table->firstCursorPosition());
        all.setPosition(table->lastCursorPosition().position(), QTextCursor::KeepAnchor);
        all.mergeCharFormat(size);
    }
}

/// The last block that must be on the same page as this one: the text below a heading and those below it, or the first
/// rows of a table.
QTextBlock lastBeside(const QTextBlock& block)
{
    const QTextBlock next = block.next();
    if (block.blockFormat().headingLevel() == 0 || !next.isValid()) return block;
    const QTextTable* table = QTextCursor(next).currentTable();
    if (table == nullptr) return lastBeside(next);
    constexpr int kFirstRows = 4;
    return table->cellAt(std::min(kFirstRows, table->rows()) - 1, 0).lastCursorPosition().block();
}

/// Lays the document out anew: Qt's layout of a part after an edit loses track of pages and images.
void layOut(QTextDocument& document) { document.markContentsDirty(0, document.characterCount()); }

/// The first block that a page break separates from one that belongs to it; an invalid one if there is none.
QTextBlock separated(const QTextDocument& document)
{
    const auto pageOf = [&](qreal y) { return std::floor(y / document.pageSize().height()); };
    const auto rectOf = [&](const QTextBlock& block) { return document.documentLayout()->blockBoundingRect(block); };
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (QTextCursor(block).currentTable() != nullptr) continue;
        if (block.blockFormat().pageBreakPolicy() == QTextFormat::PageBreak_AlwaysBefore) continue;
        if (pageOf(rectOf(block).top()) != pageOf(rectOf(lastBeside(block)).bottom() - 1.0)) return block;
    }
    return {};
}

/// Starts a new page where a page break would separate blocks that belong together.
void breakPages(QTextDocument& document)
{
    layOut(document);
    for (QTextBlock block = separated(document); block.isValid(); block = separated(document)) {
        QTextBlockFormat format;
        format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
        QTextCursor(block).mergeBlockFormat(format);
        layOut(document);
    }
}

/// Draws the images of a document as vectors, in their places.
class VectorImages : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

public:
    void add(const QString& name, QPicture picture) { m_pictures.insert_or_assign(name, std::move(picture)); }
    QSizeF intrinsicSize(QTextDocument*, int, const QTextFormat& format) override
    {
        const QTextImageFormat image = format.toImageFormat();
        return {image.width(), image.height()};
    }
    void drawObject(QPainter* painter, const QRectF& place, QTextDocument*, int, const QTextFormat& format) override
    {
        const auto found = m_pictures.find(format.toImageFormat().name());
        if (found != m_pictures.end()) painter->drawPicture(place.topLeft(), found->second);
    }

private:
    std::map<QString, QPicture> m_pictures;
};

QPicture pictureOf(ui::ChartWidget& chart, QSize size)
{
    QPicture picture;
    QCPPainter painter(&picture);
    painter.setMode(QCPPainter::pmVectorized);
    chart.drawInto(painter, size, ui::lightTheme());
    painter.end();
    return picture;
}

std::string asText(const QByteArray& bytes) { return {bytes.constData(), static_cast<std::size_t>(bytes.size())}; }

} // namespace

std::unique_ptr<QApplication> offscreenApplication()
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    // Qt needs a private runtime directory and warns if a service or a container has none; nothing is written there.
    static const QTemporaryDir runtime;
    if (!qEnvironmentVariableIsSet("XDG_RUNTIME_DIR")) qputenv("XDG_RUNTIME_DIR", runtime.path().toUtf8());
    static int argc = 1;
    static char name[] = "cardfit";
    static char* argv[] = {name, nullptr};
    return std::make_unique<QApplication>(argc, argv);
}

struct DocumentWriter::Drawn {
    std::string name;
    ui::ChartWidget* chart;
    QSize size;
};

DocumentWriter::DocumentWriter(DocumentRequest request, MoreCharts more)
{
    request.language = appliedLanguage() == Language::Chinese ? "zh-CN" : "en";
    m_document = planningDocument(request, ui::installedTranslation());
    if (request.estimate.complete()) {
        m_charts = std::make_unique<PlanCharts>(request.plan, request.estimate, request.unit);
        // The document has the plan's name in its title.
        for (ui::ChartWidget* chart :
            std::initializer_list<ui::ChartWidget*>{&m_charts->memory, &m_charts->lower(), &m_charts->lowest()})
            chart->setTitle({});
        constexpr int kRow = 26;
        const auto ranks = static_cast<int>(request.estimate.stages.size());
        const int low = m_charts->load.isEmpty() ? 190 : 300;
        m_drawn = {{"memory", &m_charts->memory, {kPageWidth, 300}},
            {"timeline", &m_charts->lower(), {kPageWidth, std::clamp(130 + kRow * ranks, low, 400)}},
            {"step", &m_charts->lowest(), {kPageWidth, m_charts->lowest().sizeHint().height()}}};
    }
    for (const auto& [name, chart] : more)
        m_drawn.push_back({name, chart, {kPageWidth, 360}});
}

DocumentWriter::~DocumentWriter() = default;

const DocumentWriter::Drawn* DocumentWriter::drawn(const std::string& figure) const
{
    const auto found = std::ranges::find(m_drawn, figure, &Drawn::name);
    return found == m_drawn.end() ? nullptr : &*found;
}

std::string DocumentWriter::markdown(bool pictures) const
{
    return documentMarkdown(m_document, [&](const DocumentFigure& figure) {
        return pictures && drawn(figure.name) != nullptr ? figure.name + ".svg" : std::string();
    });
}

std::string DocumentWriter::html() const
{
    return documentHtml(m_document, [this](const DocumentFigure& figure) {
        const Drawn* one = drawn(figure.name);
        return one == nullptr ? std::string()
                              : svgElement(asText(ui::chartSvg(*one->chart, chartOptions(one->size, 1.0))));
    });
}

/// Without pictures, but with places for them.
void DocumentWriter::setText(QTextDocument& document) const
{
    document.setDocumentMargin(0.0);
    QFont font = document.defaultFont();
    font.setPointSizeF(kTextPoints);
    document.setDefaultFont(font);
    // A column is as wide as its longest word.
    QTextOption between_words = document.defaultTextOption();
    between_words.setWrapMode(QTextOption::WordWrap);
    document.setDefaultTextOption(between_words);
    document.setIndentWidth(kIndent);
    document.setUndoRedoEnabled(false);
    // The rules for a screen are those of browsers.
    document.setMetaInformation(QTextDocument::CssMedia, QStringLiteral("text view"));
    QString html = QString::fromStdString(documentHtml(m_document, [this](const DocumentFigure& figure) {
        const Drawn* one = drawn(figure.name);
        return one == nullptr ? std::string()
                              : fmt::format("<img src=\"{}\" width=\"{}\" height=\"{}\" />", one->name,
                                  one->size.width(), one->size.height());
    }));
    // Qt knows no <wbr>, but a space without width.
    document.setHtml(html.replace(QStringLiteral("<wbr />"), QString(QChar(0x200b))));
    // One block of edits is laid out once; hundreds of edits by themselves are laid out one by one.
    QTextCursor edits(&document);
    edits.beginEditBlock();
    styleTables(document);
    edits.endEditBlock();
}

void DocumentWriter::fill(QTextDocument& document) const
{
    for (const Drawn& one : m_drawn) {
        document.addResource(QTextDocument::ImageResource, QUrl(QString::fromStdString(one.name)),
            ui::chartImage(*one.chart, chartOptions(one.size, kImageScale)));
    }
    setText(document);
}

void DocumentWriter::paint(QPagedPaintDevice& device) const
{
    constexpr int kFoot = 30;
    const QSize page = device.pageLayout().paintRectPixels(kDocumentDotsPerInch).size();
    const QSize text(page.width(), page.height() - kFoot);
    QTextDocument document;
    document.documentLayout()->setPaintDevice(&device);
    VectorImages images;
    for (const Drawn& one : m_drawn)
        images.add(QString::fromStdString(one.name), pictureOf(*one.chart, one.size));
    setText(document);
    document.documentLayout()->registerHandler(QTextFormat::ImageObject, &images);
    document.setPageSize(text);
    breakPages(document);
    QPainter painter(&device);
    const int pages = document.pageCount();
    for (int number = 0; number < pages; ++number) {
        if (number > 0) device.newPage();
        painter.save();
        painter.translate(0, -number * text.height());
        // One pixel less, to exclude the next page's first line, which starts where this page ends.
        document.drawContents(&painter, QRectF(0, number * text.height(), text.width(), text.height() - 1));
        painter.restore();
        QFont small = document.defaultFont();
        small.setPointSizeF(7.5);
        painter.setFont(small);
        painter.setPen(Qt::darkGray);
        const QRect foot(0, page.height() - kFoot, page.width(), kFoot);
        painter.drawText(foot, Qt::AlignLeft | Qt::AlignBottom, QString::fromStdString(m_document.title));
        painter.drawText(foot, Qt::AlignRight | Qt::AlignBottom, QStringLiteral("%1 / %2").arg(number + 1).arg(pages));
    }
}

std::string DocumentWriter::pdf() const
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageMargins(QMarginsF(16.0, 14.0, 16.0, 10.0), QPageLayout::Millimeter);
    writer.setTitle(QString::fromStdString(m_document.title));
    writer.setCreator(QStringLiteral("Cardfit"));
    writer.setResolution(kDocumentDotsPerInch);
    paint(writer);
    buffer.close();
    return asText(bytes);
}

std::string DocumentWriter::odt() const
{
    QTextDocument document;
    fill(document);
    document.setMetaInformation(QTextDocument::DocumentTitle, QString::fromStdString(m_document.title));
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QTextDocumentWriter(&buffer, QByteArrayLiteral("odf")).write(&document);
    buffer.close();
    return asText(bytes);
}

Result<void> DocumentWriter::write(const std::filesystem::path& file) const
{
    struct Ending {
        std::string_view ending;
        std::string (*text)(const DocumentWriter&);
    };
    constexpr auto kEndings = std::to_array<Ending>({
        {".html", [](const DocumentWriter& writer) { return writer.html(); }},
        {".pdf", [](const DocumentWriter& writer) { return writer.pdf(); }},
        {".odt", [](const DocumentWriter& writer) { return writer.odt(); }},
        {".md", [](const DocumentWriter& writer) { return writer.markdown(false); }},
    });
    const auto found = std::ranges::find(kEndings, file.extension().string(), &Ending::ending);
    if (found == kEndings.end())
        return tl::unexpected(Error{ErrorCode::Usage, file.string(), {},
            ui::sentence(QCoreApplication::translate(
                "Report", "a planning document is written as .html, .pdf, .odt or .md, by the file's ending"))});
    return writeFile(file, found->text(*this));
}

Result<void> writeReportFolder(const Plan& plan, ByteUnit unit, const std::filesystem::path& folder)
{
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure) {
        return tl::unexpected(Error{ErrorCode::CannotWrite, folder.string(), {}, reasonOf(failure)});
    }
    const Estimate result = estimate(plan);
    auto written = writeFile(folder / "plan.json", planText(plan));
    const auto then = [&](const auto& next) {
        if (written) written = next();
    };
    then([&] {
        return writeFile(folder / "report.txt", textReport(plan, result, unit) + "\n" + goodputText(plan, result));
    });
    then([&] { return writeFile(folder / "memory.csv", memoryCsv(result)); });
    DocumentRequest request{plan, result};
    request.unit = unit;
    request.date = today();
    request.version = CARDFIT_VERSION;
    request.launch = launchOf(plan);
    request.findings = documentFindings(plan, result, request.topics, nullptr);
    const DocumentWriter document(std::move(request));
    then([&] { return document.write(folder / "report.pdf"); });
    if (result.complete()) {
        PlanCharts charts(plan, result, unit);
        for (const auto& [name, chart] : std::initializer_list<std::pair<const char*, ui::ChartWidget*>>{
                 {"memory", &charts.memory}, {"timeline", &charts.lower()}, {"step", &charts.lowest()}}) {
            for (const char* ending : {".svg", ".png"})
                then([&] {
                    return ui::exportChart(
                        *chart, folder / (std::string(name) + ending), chartOptions(kChartSize, 2.0));
                });
        }
    }
    then([&] { return writeFile(folder / "report.md", document.markdown(true)); });
    return written;
}

int writeDefaultReport()
{
    const auto application = offscreenApplication();
    const Presets presets = presetsOrComplaints();
    const Plan* plan = presets.plan(kDefaultPlan);
    if (plan == nullptr) return FileTrouble;
    std::error_code failure;
    const auto folder = std::filesystem::absolute("cardfit-report", failure);
    if (failure) return complain({ErrorCode::CannotWrite, "cardfit-report", {}, reasonOf(failure)});
    if (const auto written = writeReportFolder(*plan, ByteUnit::GB, folder); !written) return complain(written.error());
    printLine(fmt::format(
        "There is no display, so no window opens. Report and charts of the default plan, {}, are in", plan->name));
    printLine(folder.string());
    return afterAnswer(Fits);
}

} // namespace cardfit::app
#include "document_writer.moc"
