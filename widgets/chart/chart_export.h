// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include <QByteArray>
#include <QFile>
#include <QImage>
#include <QSize>
#include <QString>

#include "core/result.h"
#include "widgets/chart/theme.h"

/// Charts as files and on the clipboard. The chart need not be shown; what is shown does not change.
namespace cardfit::ui {

class ChartWidget;

struct ExportOptions {
    QSize size{960, 480}; ///< in pixels of 1/96 inch
    double scale = 2.0; ///< dots per pixel of a PNG, 1 to 4; vector files have none
    Theme theme = lightTheme(); ///< documents are light whatever the window is
    QString description; ///< kept inside the file: where the picture comes from
    std::string plan =
        {}; ///< the plan as a file, kept inside a PNG or SVG so that the picture opens as it; empty: none
};

/// The picture without the plan, which is added when it becomes a file.
[[nodiscard]] QImage chartImage(ChartWidget& chart, const ExportOptions& options);
[[nodiscard]] QByteArray chartPng(ChartWidget& chart, const ExportOptions& options);
/// Vectors throughout: no picture inside, text as text in fonts named, not embedded.
[[nodiscard]] QByteArray chartSvg(ChartWidget& chart, const ExportOptions& options);
/// One page of the chart's size.
[[nodiscard]] QByteArray chartPdf(ChartWidget& chart, const ExportOptions& options);

/// Writes .png, .svg or .pdf, by the path's suffix. Errors: UnknownName for any other suffix, OutOfRange for a size or
/// scale that makes no picture, CannotWrite with the reason; a file that was at the path is then unchanged.
[[nodiscard]] Result<void> exportChart(
    ChartWidget& chart, const std::filesystem::path& file, const ExportOptions& options = {});
/// The same with a name in the encoding of file names.
[[nodiscard]] inline Result<void> exportChart(
    ChartWidget& chart, const QString& file, const ExportOptions& options = {})
{
    return exportChart(chart, std::filesystem::path(QFile::encodeName(file).toStdString()), options);
}

/// Puts the chart on the clipboard as a picture and as SVG, for whichever the other program prefers. Both carry the
/// plan.
void copyChart(ChartWidget& chart, const ExportOptions& options = {});

} // namespace cardfit::ui
