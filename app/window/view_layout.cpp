// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/view_layout.h"

#include <utility>

#include <QSettings>
#include <QVariant>

#include "widgets/chart/labels.h"

namespace cardfit::app {

namespace {

const QString kGeometry = QStringLiteral("window/geometry");
const QString kDocks = QStringLiteral("window/state");
const QString kCharts = QStringLiteral("window/chartHeights");
const QString kCentre = QStringLiteral("window/view");
const QString kKeepsPeaks = QStringLiteral("window/peaksOverTime");
const QString kAllStages = QStringLiteral("window/allStages");
const QString kSchedules = QStringLiteral("window/schedules");
const QString kUnit = QStringLiteral("window/unit");
const QString kOutlinesPins = QStringLiteral("window/pinOutlines");

/// What this program has read or written last.
QVariantMap known_settings;

QVariantMap settingsOf(const ViewLayout& layout)
{
    QVariantMap settings{{kGeometry, layout.geometry}, {kDocks, layout.docks},
        {kCharts, QVariantList(layout.charts.begin(), layout.charts.end())}, {kCentre, static_cast<int>(layout.centre)},
        {kKeepsPeaks, layout.keeps_peaks}, {kAllStages, layout.all_stages}, {kOutlinesPins, layout.outlines_pins},
        {kUnit, ui::unitLabel(layout.unit)}};
    if (layout.schedules) settings.insert(kSchedules, *layout.schedules);
    return settings;
}

} // namespace

ViewLayout savedLayout()
{
    const QSettings settings;
    ViewLayout layout;
    layout.geometry = settings.value(kGeometry).toByteArray();
    layout.docks = settings.value(kDocks).toByteArray();
    for (const QVariant& height : settings.value(kCharts).toList())
        layout.charts << height.toInt();
    const int centre = settings.value(kCentre, 0).toInt();
    if (centre >= 0 && centre <= static_cast<int>(CentreView::Schedules))
        layout.centre = static_cast<CentreView>(centre);
    layout.keeps_peaks = settings.value(kKeepsPeaks, false).toBool();
    layout.all_stages = settings.value(kAllStages, false).toBool();
    if (settings.contains(kSchedules)) layout.schedules = settings.value(kSchedules).toStringList();
    layout.outlines_pins = settings.value(kOutlinesPins, true).toBool();
    if (settings.value(kUnit).toString() == ui::unitLabel(ByteUnit::GiB)) layout.unit = ByteUnit::GiB;
    known_settings = settingsOf(layout);
    return layout;
}

void saveLayout(const ViewLayout& layout)
{
    QSettings settings;
    QVariantMap now = settingsOf(layout);
    for (auto value = now.begin(); value != now.end(); ++value) {
        if (known_settings.value(value.key()) != value.value()) settings.setValue(value.key(), value.value());
    }
    known_settings = std::move(now);
}

} // namespace cardfit::app
