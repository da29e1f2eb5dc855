// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QBuffer>
#include <QCoreApplication>
#include <QPageSize>
#include <QPdfWriter>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextOption>
#include <QTextTable>

#include <fmt/format.h>

#include "app/cli/cli.h"
#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "app/export/plan_charts.h"
#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "core/files/preset_library.h"
#include "core/report/goodput_text.h"
#include "core/report/planning_report.h"
#include "widgets/chart/chart_export.h"
#include "widgets/text/translated.h"

#include <qcustomplot.h>

namespace cardfit::app {

namespace {

constexpr QSize kChartSize(960, 400);
constexpr double kTextPoints = 7.5;
constexpr double kSmallPoints = 6.0; ///< font size of tables with many columns
constexpr int kUsualColumns = 8;
constexpr double kIndent = 16.0;
constexpr double kAboveHeading = 8.0;

ui::ExportOptions chartOptions(double scale)
{
    ui::ExportOptions options;
    options.size = kChartSize;
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

/// Styles tables as in papers: thin lines, some space, headings above their columns and repeated on the next page.
void styleTables(QTextDocument& document)
{
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (table == nullptr) continue;
        QTextTableFormat format = table->format();
        format.setBorderCollapse(true);
        format.setBorder(0.5);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setBorderBrush(Qt::lightGray);
        format.setCellPadding(3.0);
        format.setHeaderRowCount(1);
        table->setFormat(format);
        for (int column = 0; column < table->columns() && table->rows() > 1; ++column) {
            QTextBlockFormat aligned;
            aligned.setAlignment(table->cellAt(1, column).firstCursorPosition().blockFormat().alignment());
            table->cellAt(0, column).firstCursorPosition().mergeBlockFormat(aligned);
        }
        if (table->columns() <= kUsualColumns) continue;
        for (int row = 1; row < table->rows(); ++row) {
            for (int column = 0; column < table->columns(); ++column)
                joinWords(table->cellAt(row, column));
        }
        QTextCharFormat small;
        small.setFontPointSize(kSmallPoints);
        QTextCursor all(table->firstCursorPosition());
        all.setPosition(table->lastCursorPosition().position(), QTextCursor::KeepAnchor);
        all.mergeCharFormat(small);
    }
}

/// Adds space above headings and reduces the margin of lists.
void styleText(QTextDocument& document)
{
    document.setIndentWidth(kIndent);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() < 2) continue;
        QTextBlockFormat format;
        format.setTopMargin(kAboveHeading);
        QTextCursor(block).mergeBlockFormat(format);
    }
}

/// The last block that must be on the same page as this one: the text below a heading, or the first rows of a table
/// below it.
QTextBlock lastBeside(const QTextBlock& block)
{
    const QTextBlock next = block.next();
    if (block.blockFormat().headingLevel() == 0 || !next.isValid()) return block;
    const QTextTable* table = QTextCursor(next).currentTable();
    if (table == nullptr) return next;
    constexpr int kFirstRows = 3;
    return table->cellAt(std::min(kFirstRows, table->rows()) - 1, 0).lastCursorPosition().block();
}

/// Starts a new page where a page break would separate blocks that belong together.
void breakPages(QTextDocument& document)
{
    const auto pageOf = [&](qreal y) { return std::floor(y / document.pageSize().height()); };
    const auto rectOf = [&](const QTextBlock& block) { return document.documentLayout()->blockBoundingRect(block); };
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (QTextCursor(block).currentTable() != nullptr) continue;
        if (pageOf(rectOf(block).top()) == pageOf(rectOf(lastBeside(block)).bottom() - 1.0)) continue;
        QTextBlockFormat format;
        format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
        QTextCursor(block).mergeBlockFormat(format);
    }
}

/// Paints title, verdict and charts, as vectors, on the first page.
void paintFirstPage(QCPPainter& painter, QSize page, const Plan& plan, const Estimate& estimate, ByteUnit unit)
{
    QFont title = painter.font();
    title.setPointSizeF(16.0);
    title.setBold(true);
    painter.setFont(title);
    constexpr int kLine = 28;
    painter.drawText(QRect(0, 0, page.width(), kLine), Qt::AlignLeft, QString::fromStdString(plan.name));
    title.setPointSizeF(11.0);
    painter.setFont(title);
    QString verdict = QString::fromStdString(verdictLine(estimate, unit, ui::installedTranslation()));
    for (const Sentence& warning : planWarnings(estimate))
        verdict += QStringLiteral("   ") + ui::translated(warning);
    painter.drawText(QRect(0, kLine, page.width(), kLine), Qt::AlignLeft, verdict);

    PlanCharts charts(plan, estimate, unit);
    // The step's bar has one row; the other charts share the rest.
    const int step = charts.step.sizeHint().height();
    const int tall = (page.height() - 4 * kLine - step) / 2;
    const std::array<std::pair<ui::ChartWidget*, int>, 3> shown{
        {{&charts.memory, tall}, {&charts.timeline, tall}, {&charts.step, step}}};
    int top = 2 * kLine;
    for (const auto& [widget, height] : shown) {
        painter.save();
        painter.translate(0, top);
        widget->drawInto(painter, QSize(page.width(), height), ui::lightTheme());
        painter.restore();
        top += height + kLine;
    }
}

void paintText(QPainter& painter, QPagedPaintDevice& device, QSize page, const std::string& markdown)
{
    QTextDocument document;
    document.setDocumentMargin(0.0);
    QFont font = document.defaultFont();
    font.setPointSizeF(kTextPoints);
    document.setDefaultFont(font);
    // A column is as wide as its longest word.
    QTextOption between_words = document.defaultTextOption();
    between_words.setWrapMode(QTextOption::WordWrap);
    document.setDefaultTextOption(between_words);
    document.setUndoRedoEnabled(false);
    // Read before there is a layout, which would follow every paragraph and cell.
    document.setMarkdown(QString::fromStdString(markdown));
    document.documentLayout()->setPaintDevice(&device);
    // One block of edits is laid out once; hundreds of edits by themselves are laid out one by one.
    QTextCursor edits(&document);
    edits.beginEditBlock();
    styleTables(document);
    styleText(document);
    edits.endEditBlock();
    document.setPageSize(page);
    breakPages(document);
    for (int number = 0; number < document.pageCount(); ++number) {
        if (number > 0) device.newPage();
        painter.save();
        painter.translate(0, -number * page.height());
        // One pixel less, to exclude the next page's first line, which starts where this page ends.
        document.drawContents(&painter, QRectF(0, number * page.height(), page.width(), page.height() - 1));
        painter.restore();
    }
}

/// Paints two charts per page, the last one alone if their number is odd, on new pages.
void paintCharts(
    QCPPainter& painter, QPagedPaintDevice& device, QSize page, const std::vector<ui::ChartWidget*>& charts)
{
    constexpr int kBetween = 28;
    const int half = (page.height() - kBetween) / 2;
    for (std::size_t i = 0; i < charts.size(); ++i) {
        const bool alone = i % 2 == 0 && i + 1 == charts.size();
        if (i % 2 == 0) device.newPage();
        painter.save();
        painter.translate(0, i % 2 == 0 ? 0 : half + kBetween);
        charts[i]->drawInto(painter, QSize(page.width(), alone ? page.height() : half), ui::lightTheme());
        painter.restore();
    }
}

QByteArray pdfReport(
    const Plan& plan, const Estimate& estimate, ByteUnit unit, const std::vector<ui::ChartWidget*>& charts)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageOrientation(QPageLayout::Landscape);
    writer.setPageMargins(QMarginsF(12.0, 12.0, 12.0, 12.0), QPageLayout::Millimeter);
    writer.setTitle(QString::fromStdString(plan.name));
    writer.setCreator(QStringLiteral("Cardfit"));
    writer.setResolution(kReportDotsPerInch);
    paintReport(writer, plan, estimate, unit, charts);
    buffer.close();
    return bytes;
}

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

void paintReport(QPagedPaintDevice& device, const Plan& plan, const Estimate& estimate, ByteUnit unit,
    const std::vector<ui::ChartWidget*>& charts)
{
    const QSize page = device.pageLayout().paintRectPixels(kReportDotsPerInch).size();
    QCPPainter painter(&device);
    painter.setMode(QCPPainter::pmVectorized);
    const auto text = [&] {
        paintText(painter, device, page, planningReport(plan, estimate, unit, {}, ui::installedTranslation()));
    };
    // Without figures, the text first says why there are none.
    if (!estimate.complete())
        text();
    else
        paintFirstPage(painter, page, plan, estimate, unit);
    paintCharts(painter, device, page, charts);
    if (!estimate.complete()) return;
    device.newPage();
    text();
}

Result<void> writeReport(const Plan& plan, const Estimate& estimate, ByteUnit unit, const std::filesystem::path& file,
    const std::vector<ui::ChartWidget*>& charts)
{
    if (file.extension() == ".md")
        return writeFile(file, planningReport(plan, estimate, unit, {}, ui::installedTranslation()));
    if (file.extension() == ".pdf") {
        const QByteArray bytes = pdfReport(plan, estimate, unit, charts);
        return writeFile(file, {bytes.constData(), static_cast<std::size_t>(bytes.size())});
    }
    return tl::unexpected(Error{ErrorCode::Usage, file.string(), {},
        ui::sentence(
            QCoreApplication::translate("Report", "a report is written as .pdf or .md, by the file's ending"))});
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
    then([&] { return writeReport(plan, result, unit, folder / "report.pdf"); });
    then([&] { return writeFile(folder / "memory.csv", memoryCsv(result)); });
    ReportPictures pictures;
    if (result.complete()) {
        PlanCharts charts(plan, result, unit);
        pictures = {"memory.svg", "timeline.svg"};
        const auto add = [&](const char* file, ui::ChartWidget& chart) {
            then([&] { return ui::exportChart(chart, folder / file, chartOptions(2.0)); });
        };
        add("memory.svg", charts.memory);
        add("memory.png", charts.memory);
        add("timeline.svg", charts.timeline);
        add("timeline.png", charts.timeline);
    }
    then([&] {
        return writeFile(
            folder / "report.md", planningReport(plan, result, unit, pictures, ui::installedTranslation()));
    });
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
