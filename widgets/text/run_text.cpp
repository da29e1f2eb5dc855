// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/run_text.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

namespace cardfit::ui {

namespace {

struct RunWords {
    Q_DECLARE_TR_FUNCTIONS(cardfit::ui::RunText)
};

/// Three significant digits, grouped by thousands: "0.85", "7.2", "404", "270,336".
QString threeDigits(double value)
{
    const int magnitude = value > 0.0 ? static_cast<int>(std::floor(std::log10(value))) : 0;
    return QLocale(QLocale::English, QLocale::UnitedStates).toString(value, 'f', std::clamp(2 - magnitude, 0, 2));
}

} // namespace

QString daysText(double days)
{
    constexpr double kHoursPerDay = 24.0;
    if (days < 2.0) return RunWords::tr("%1 hours").arg(threeDigits(kHoursPerDay * days));
    return RunWords::tr("%1 days").arg(threeDigits(days));
}

QString costText(double usd)
{
    if (usd >= 1e6) return QStringLiteral("$%1M").arg(threeDigits(usd / 1e6));
    if (usd >= 1e3) return QStringLiteral("$%1k").arg(threeDigits(usd / 1e3));
    return QStringLiteral("$%1").arg(threeDigits(usd));
}

QString energyText(double kilowatt_hours)
{
    if (kilowatt_hours >= 1e6) return QStringLiteral("%1 GWh").arg(threeDigits(kilowatt_hours / 1e6));
    if (kilowatt_hours >= 1e3) return QStringLiteral("%1 MWh").arg(threeDigits(kilowatt_hours / 1e3));
    return QStringLiteral("%1 kWh").arg(threeDigits(kilowatt_hours));
}

QString runSummary(const RunCost& run)
{
    QStringList facts{daysText(run.days), RunWords::tr("%1 card-hours").arg(threeDigits(run.card_hours))};
    if (run.cost_usd) facts << costText(*run.cost_usd);
    if (run.energy_kwh) facts << RunWords::tr("%1 for the cards").arg(energyText(*run.energy_kwh));
    QString text = facts.join(QStringLiteral(" · "));
    if (!run.cost_usd) text += u'\n' + RunWords::tr("Cost unknown: the card has no price. Set one above.");
    if (!run.energy_kwh) text += u'\n' + RunWords::tr("Energy unknown: the power of the card is not given.");
    return text;
}

} // namespace cardfit::ui
