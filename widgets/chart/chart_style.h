// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QFont>
#include <QString>

#include <qcustomplot.h>

#include "widgets/chart/theme.h"

/// Fonts, axes and tickers of the charts. Include from .cpp files only: qcustomplot.h is slow to compile.
namespace cardfit::ui {

/// The application's font in whole pixels, so that a chart looks the same on a screen, in an image and on paper,
/// whatever the resolution.
[[nodiscard]] QFont chartFont(int larger_by = 0, bool bold = false);

/// Width of a text in that font. Fonts and widths are cached: charts ask for the same few in every drawing, and looking
/// up a font or shaping a text takes longer than drawing it.
[[nodiscard]] int chartTextWidth(const QString& text, int larger_by = 0, bool bold = false);

/// Sets fonts and colours; call it again whenever either changes.
void styleAxis(QCPAxis& axis, const Theme& theme);

/// Pixels to the left of a plot, so that it does not move sideways when a label gains a digit.
inline constexpr int kLeastLeftMargin = 50;

/// Axes of columns side by side: a grid of values, no ticks below. Call it once, when the chart is made.
void setUpColumnAxes(QCPAxisRect& area);
/// Axes of rows over time: ticks of time below, neither grid nor ticks of rows.
void setUpTimeAxes(QCPAxisRect& area);

/// The step between labelled stages, so that labels of `label_width` pixels do not overlap: 1, 2, 5, 10, 20, 50 …
[[nodiscard]] int labelStep(double pitch, double label_width);

/// Ticks at whole numbers 0 … count - 1; only every n-th where labels would overlap.
class StageTicker : public QCPAxisTicker {
public:
    /// `label` is the text of a stage; `room` is the pixels that one label needs; `pixels` is the axis' length.
    StageTicker(std::function<QString(int stage, double pitch)> label, std::function<double()> room,
        std::function<double()> pixels);

    void setCount(int count) { m_count = count; }
    void generate(const QCPRange& range, const QLocale& locale, QChar format, int precision, QVector<double>& ticks,
        QVector<double>* sub_ticks, QVector<QString>* labels) override;

private:
    std::function<QString(int, double)> m_label;
    std::function<double()> m_room;
    std::function<double()> m_pixels;
    int m_count = 0;
};

/// Times on an axis in seconds, written in a larger or smaller unit.
class TimeTicker : public QCPAxisTicker {
public:
    void setUnit(double seconds) { m_unit = seconds; }
    void generate(const QCPRange& range, const QLocale& locale, QChar format, int precision, QVector<double>& ticks,
        QVector<double>* sub_ticks, QVector<QString>* labels) override;

protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
    /// A time, with the decimals of the last ticks that were made.
    [[nodiscard]] QString labelOf(double seconds) const;

private:
    double m_unit = 1.0;
    int m_decimals = 0;
};

} // namespace cardfit::ui
