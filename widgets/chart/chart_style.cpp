// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/chart_style.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <QFontInfo>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHash>

namespace cardfit::ui {

namespace {

struct KnownFont {
    QFont font;
    QHash<QString, int> widths; ///< width of each text
};

KnownFont& knownFont(int larger_by, bool bold)
{
    static QFont of_application;
    static std::map<std::pair<int, bool>, KnownFont> fonts;
    if (of_application != QGuiApplication::font()) {
        of_application = QGuiApplication::font();
        fonts.clear();
    }
    const auto [found, is_new] = fonts.try_emplace({larger_by, bold});
    if (is_new) {
        QFont font = of_application;
        font.setPixelSize(std::max(10, QFontInfo(font).pixelSize()) + larger_by);
        font.setBold(bold);
        found->second.font = font;
    }
    return found->second;
}

void setUpAxes(QCPAxisRect& area, int ticks_below, int ticks_left)
{
    area.setAutoMargins(QCP::msLeft | QCP::msBottom);
    area.setMinimumMargins(QMargins(kLeastLeftMargin, 0, 0, 0));
    for (QCPAxis* axis : {area.axis(QCPAxis::atBottom), area.axis(QCPAxis::atLeft)}) {
        axis->setSubTicks(false);
        axis->setTickLength(0, axis->axisType() == QCPAxis::atBottom ? ticks_below : ticks_left);
        axis->setTickLabelPadding(3);
        axis->setLabelPadding(3);
        axis->grid()->setVisible(false);
    }
}

} // namespace

QFont chartFont(int larger_by, bool bold) { return knownFont(larger_by, bold).font; }

int chartTextWidth(const QString& text, int larger_by, bool bold)
{
    // The cache is bounded: every edit shows new numbers.
    constexpr qsizetype kMostTexts = 500;
    KnownFont& known = knownFont(larger_by, bold);
    if (const auto found = known.widths.constFind(text); found != known.widths.cend()) return *found;
    if (known.widths.size() >= kMostTexts) known.widths.clear();
    const int width = QFontMetrics(known.font).horizontalAdvance(text);
    known.widths.insert(text, width);
    return width;
}

void styleAxis(QCPAxis& axis, const Theme& theme)
{
    const QPen line(theme.outline, 1.0);
    axis.setBasePen(line);
    axis.setTickPen(line);
    axis.setSubTickPen(line);
    axis.setTickLabelFont(chartFont());
    axis.setTickLabelColor(theme.text);
    axis.setLabelFont(chartFont());
    axis.setLabelColor(theme.muted_text);
    axis.grid()->setPen(QPen(theme.grid, 1.0));
    axis.grid()->setZeroLinePen(Qt::NoPen);
}

int labelStep(double pitch, double label_width)
{
    if (pitch <= 0.0) return 1;
    for (int decade = 1; decade <= 1'000'000; decade *= 10) {
        for (const int step : {decade, 2 * decade, 5 * decade}) {
            if (step * pitch >= label_width) return step;
        }
    }
    return 1'000'000;
}

void setUpColumnAxes(QCPAxisRect& area)
{
    setUpAxes(area, 0, 4);
    area.axis(QCPAxis::atLeft)->grid()->setVisible(true);
}

void setUpTimeAxes(QCPAxisRect& area) { setUpAxes(area, 4, 0); }

StageTicker::StageTicker(
    std::function<QString(int, double)> label, std::function<double()> room, std::function<double()> pixels)
    : m_label(std::move(label))
    , m_room(std::move(room))
    , m_pixels(std::move(pixels))
{
}

void StageTicker::generate(const QCPRange&, const QLocale&, QChar, int, QVector<double>& ticks,
    QVector<double>* sub_ticks, QVector<QString>* labels)
{
    ticks.clear();
    if (sub_ticks) sub_ticks->clear();
    if (labels) labels->clear();
    const double pitch = m_count > 0 ? m_pixels() / m_count : 0.0;
    const int step = labelStep(pitch, m_room());
    for (int stage = 0; stage < m_count; stage += step) {
        ticks.append(stage);
        if (labels) labels->append(m_label(stage, pitch));
    }
}

void TimeTicker::generate(const QCPRange& range, const QLocale& locale, QChar format, int precision,
    QVector<double>& ticks, QVector<double>* sub_ticks, QVector<QString>* labels)
{
    const QCPRange scaled(range.lower / m_unit, range.upper / m_unit);
    const double step = getTickStep(scaled);
    m_decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
    // A step of 0.25 needs one digit more than its power of ten.
    const double digits = step * std::pow(10.0, m_decimals);
    if (std::abs(digits - std::round(digits)) > 1e-6) ++m_decimals;
    QCPAxisTicker::generate(scaled, locale, format, precision, ticks, sub_ticks, labels);
    for (double& tick : ticks)
        tick *= m_unit;
    if (sub_ticks) {
        for (double& tick : *sub_ticks)
            tick *= m_unit;
    }
}

QString TimeTicker::labelOf(double seconds) const { return QString::number(seconds / m_unit, 'f', m_decimals); }

QString TimeTicker::getTickLabel(double tick, const QLocale&, QChar, int)
{
    return QString::number(tick, 'f', m_decimals);
}

} // namespace cardfit::ui
