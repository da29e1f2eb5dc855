// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include <QByteArray>
#include <QFile>
#include <QImage>
#include <QSize>
#include <QString>

#include "core/base/result.h"
#include "widgets/chart/theme.h"

/// Writes charts to files and to the clipboard. The chart need not be visible; what is on the screen does not change.
namespace cardfit::ui {

class ChartWidget;

struct ExportOptions {
    QSize size{960, 480}; ///< in pixels of 1/96 inch
    double scale = 2.0; ///< device pixels per pixel of a PNG, 1 to 4; vector files have none
    Theme theme = lightTheme(); ///< documents are light whatever the window's theme
    QString description; ///< stored in the file: where the picture comes from
    std::string plan =
        {}; ///< the plan as a file, embedded in a PNG or SVG so that the picture can be opened as a plan; empty: none
};

/// The image without the embedded plan, which is added when a file is written.
[[nodiscard]] QImage chartImage(ChartWidget& chart, const ExportOptions& options);
[[nodiscard]] QByteArray chartPng(ChartWidget& chart, const ExportOptions& options);
/// Contains no raster image; text stays text, in fonts that are named, not embedded.
[[nodiscard]] QByteArray chartSvg(ChartWidget& chart, const ExportOptions& options);
/// One page of the chart's size.
[[nodiscard]] QByteArray chartPdf(ChartWidget& chart, const ExportOptions& options);

/// Writes .png, .svg or .pdf, by the path's suffix. Errors: UnknownName for any other suffix, OutOfRange for a size or
/// scale that makes no picture, CannotWrite with the reason; an existing file at the path then stays unchanged.
[[nodiscard]] Result<void> exportChart(
    ChartWidget& chart, const std::filesystem::path& file, const ExportOptions& options = {});
/// The same for a path in the encoding of the file system.
[[nodiscard]] inline Result<void> exportChart(
    ChartWidget& chart, const QString& file, const ExportOptions& options = {})
{
    return exportChart(chart, std::filesystem::path(QFile::encodeName(file).toStdString()), options);
}

/// Puts the chart on the clipboard as PNG and as SVG; the other program takes the one it prefers. Both carry the plan.
void copyChart(ChartWidget& chart, const ExportOptions& options = {});

} // namespace cardfit::ui
