// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/window_look.h"

#include <QSettings>

#include "widgets/chart/labels.h"

namespace cardfit::app {

namespace {

const QString kGeometry = QStringLiteral("window/geometry");
const QString kDocks = QStringLiteral("window/state");
const QString kCharts = QStringLiteral("window/charts");
const QString kView = QStringLiteral("window/view");
const QString kBarsKept = QStringLiteral("window/peaksOverTime");
const QString kAllStages = QStringLiteral("window/allStages");
const QString kSchedules = QStringLiteral("window/schedules");
const QString kUnit = QStringLiteral("window/unit");
const QString kPinOutlines = QStringLiteral("window/pinOutlines");

} // namespace

WindowLook savedLook()
{
    const QSettings settings;
    WindowLook look;
    look.geometry = settings.value(kGeometry).toByteArray();
    look.docks = settings.value(kDocks).toByteArray();
    look.charts = settings.value(kCharts).toByteArray();
    const int view = settings.value(kView, 0).toInt();
    if (view >= 0 && view <= static_cast<int>(CentreView::Compare)) look.view = static_cast<CentreView>(view);
    look.bars_kept = settings.value(kBarsKept, false).toBool();
    look.all_stages = settings.value(kAllStages, false).toBool();
    if (settings.contains(kSchedules)) look.schedules = settings.value(kSchedules).toStringList();
    look.pin_outlines = settings.value(kPinOutlines, true).toBool();
    if (settings.value(kUnit).toString() == ui::unitLabel(ByteUnit::GiB)) look.unit = ByteUnit::GiB;
    return look;
}

void saveLook(const WindowLook& look)
{
    QSettings settings;
    settings.setValue(kGeometry, look.geometry);
    settings.setValue(kDocks, look.docks);
    settings.setValue(kCharts, look.charts);
    settings.setValue(kView, static_cast<int>(look.view));
    settings.setValue(kBarsKept, look.bars_kept);
    settings.setValue(kAllStages, look.all_stages);
    settings.setValue(kPinOutlines, look.pin_outlines);
    settings.setValue(kUnit, ui::unitLabel(look.unit));
    if (look.schedules) settings.setValue(kSchedules, *look.schedules);
}

} // namespace cardfit::app
