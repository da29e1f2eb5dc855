// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/chart_export.h"

#include <cmath>
#include <memory>
#include <string_view>

#include <QBuffer>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QMimeData>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <qcustomplot.h>

#include "core/files/file.h"
#include "core/files/picture_plan.h"
#include "widgets/chart/chart_widget.h"
#include "widgets/text/translated.h"

namespace cardfit::ui {

namespace {

constexpr int kDotsPerInch = 96;
constexpr int kLongestSide = 10'000;
constexpr double kLargestScale = 4.0;

std::string_view viewOf(const QByteArray& bytes) { return {bytes.constData(), static_cast<std::size_t>(bytes.size())}; }

Result<void> checkOptions(const ExportOptions& options)
{
    const bool sized = options.size.width() > 0 && options.size.height() > 0 && options.size.width() <= kLongestSide
        && options.size.height() <= kLongestSide;
    if (!sized) {
        const QString found = QStringLiteral("%1 x %2").arg(options.size.width()).arg(options.size.height());
        return fail(ErrorCode::OutOfRange, {},
            sentence(QCoreApplication::translate("ChartExport", "a picture is 1 to 10000 pixels wide and high, not %1")
                         .arg(found)));
    }
    if (!(options.scale >= 1.0 && options.scale <= kLargestScale)) {
        return fail(ErrorCode::OutOfRange, {},
            sentence(QCoreApplication::translate("ChartExport", "the scale of a picture is 1 to 4, not %1")
                         .arg(options.scale)));
    }
    return {};
}

/// On a line of its own; nothing if there is no text. QSvgGenerator escapes a title in newer versions of Qt only.
QByteArray element(const QByteArray& name, const QString& text)
{
    if (text.isEmpty()) return {};
    return "\n<" + name + ">" + text.toHtmlEscaped().toUtf8() + "</" + name + ">";
}

} // namespace

QImage chartImage(ChartWidget& chart, const ExportOptions& options)
{
    const QSize pixels(static_cast<int>(std::lround(options.size.width() * options.scale)),
        static_cast<int>(std::lround(options.size.height() * options.scale)));
    QImage image(pixels, QImage::Format_RGB32);
    image.fill(options.theme.background);
    QCPPainter painter;
    painter.begin(&image);
    painter.scale(options.scale, options.scale);
    chart.drawInto(painter, options.size, options.theme);
    painter.end();
    // Set only now: a painter on an image with a higher resolution would enlarge the text a second time.
    const int dots_per_metre = static_cast<int>(std::lround(kDotsPerInch * options.scale / 0.0254));
    image.setDotsPerMeterX(dots_per_metre);
    image.setDotsPerMeterY(dots_per_metre);
    image.setText(QStringLiteral("Title"), chart.heading());
    image.setText(QStringLiteral("Software"), QStringLiteral("Cardfit"));
    if (!options.description.isEmpty()) image.setText(QStringLiteral("Description"), options.description);
    return image;
}

QByteArray chartPng(ChartWidget& chart, const ExportOptions& options)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    chartImage(chart, options).save(&buffer, "PNG");
    if (options.plan.empty()) return buffer.data();
    return QByteArray::fromStdString(pngWithPlan(viewOf(buffer.data()), options.plan));
}

QByteArray chartSvg(ChartWidget& chart, const ExportOptions& options)
{
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(kDotsPerInch);
    generator.setSize(options.size);
    generator.setViewBox(QRect(QPoint(0, 0), options.size));
    QCPPainter painter;
    painter.begin(&generator);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    chart.drawInto(painter, options.size, options.theme);
    painter.end();
    QByteArray svg = buffer.data();
    svg.insert(svg.indexOf('>', svg.indexOf("<svg")) + 1,
        element("title", chart.heading()) + element("desc", options.description));
    // XML allows no such characters, not even escaped; a plan's name may contain them.
    svg.removeIf([](char c) { return c >= '\0' && c < ' ' && c != '\t' && c != '\n' && c != '\r'; });
    if (options.plan.empty()) return svg;
    return QByteArray::fromStdString(svgWithPlan(viewOf(svg), options.plan));
}

QByteArray chartPdf(ChartWidget& chart, const ExportOptions& options)
{
    constexpr double kPointsPerPixel = 72.0 / kDotsPerInch;
    constexpr int kResolution = 1200;
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setCreator(QStringLiteral("Cardfit"));
        writer.setTitle(chart.heading());
        writer.setResolution(kResolution);
        writer.setPageSize(
            QPageSize(QSizeF(options.size) * kPointsPerPixel, QPageSize::Point, QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF());
        QCPPainter painter;
        painter.begin(&writer);
        painter.scale(static_cast<double>(kResolution) / kDotsPerInch, static_cast<double>(kResolution) / kDotsPerInch);
        painter.setMode(QCPPainter::pmVectorized);
        painter.setMode(QCPPainter::pmNoCaching);
        chart.drawInto(painter, options.size, options.theme);
        painter.end();
    }
    return buffer.data();
}

Result<void> exportChart(ChartWidget& chart, const std::filesystem::path& file, const ExportOptions& options)
{
    const auto named = [&](Error error) {
        error.file = file.string();
        return tl::unexpected<Error>(std::move(error));
    };
    if (auto checked = checkOptions(options); !checked) return named(std::move(checked.error()));
    const QString ending = QString::fromStdString(file.extension().string()).toLower();
    QByteArray bytes;
    if (ending == QLatin1String(".png"))
        bytes = chartPng(chart, options);
    else if (ending == QLatin1String(".svg"))
        bytes = chartSvg(chart, options);
    else if (ending == QLatin1String(".pdf"))
        bytes = chartPdf(chart, options);
    else
        return named({ErrorCode::UnknownName, {}, {},
            sentence(QCoreApplication::translate("ChartExport", "a chart is saved as .png, .svg or .pdf"))});
    return writeFile(file, viewOf(bytes));
}

void copyChart(ChartWidget& chart, const ExportOptions& options)
{
    auto data = std::make_unique<QMimeData>();
    const QByteArray png = chartPng(chart, options);
    data->setImageData(QImage::fromData(png, "PNG"));
    // The PNG bytes are added as well: Qt would encode the image anew, without the plan.
    data->setData(QStringLiteral("image/png"), png);
    data->setData(QStringLiteral("image/svg+xml"), chartSvg(chart, options));
    QGuiApplication::clipboard()->setMimeData(data.release());
}

} // namespace cardfit::ui
