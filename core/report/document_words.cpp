// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/document_words.h"

#include <cmath>

#include <fmt/format.h>

#include "core/base/amounts.h"
#include "core/base/formula.h"
#include "core/time/utilization.h"

namespace cardfit {

std::string moneyText(double usd)
{
    if (usd < 0.0) return "-" + moneyText(-usd);
    // Where rounding would reach the next unit, that is the unit.
    if (usd >= 999.5e6) return fmt::format("${:.2f}B", usd / 1e9);
    if (usd >= 999.5e3) return fmt::format("${:.2f}M", usd / 1e6);
    if (usd >= 9999.5) return fmt::format("${:.1f}k", usd / 1e3);
    if (usd >= 99.5) return "$" + groupedNumber(std::round(usd));
    return fmt::format("${:.2f}", usd);
}

std::string energyText(double kwh)
{
    if (kwh >= 999.5e3) return inDigits(kwh / 1e6, 3) + " GWh";
    if (kwh >= 999.5) return inDigits(kwh / 1e3, 3) + " MWh";
    return inDigits(kwh, 3) + " kWh";
}

Sentence durationText(double days)
{
    constexpr double kHours = 24.0;
    constexpr double kMinutes = 24.0 * 60.0;
    constexpr double kSeconds = 24.0 * 3600.0;
    if (days >= 2.0) return Sentence::tr("{} days", {days < 99.95 ? fmt::format("{:.1f}", days) : inDigits(days, 3)});
    if (kHours * days >= 2.0) return Sentence::verbatim(fmt::format("{:.1f} h", kHours * days));
    if (kMinutes * days >= 2.0) return Sentence::verbatim(inDigits(kMinutes * days, 3) + " min");
    return Sentence::verbatim(inDigits(kSeconds * days, 3) + " s");
}

std::string stepTimeText(Seconds time)
{
    const double seconds = time.value();
    return seconds < 1.0 ? inDigits(1e3 * seconds, 4) + " ms" : inDigits(seconds, 4) + " s";
}

std::string shareText(double fraction) { return fmt::format("{:.1f} %", 100.0 * fraction); }

std::string signedShareText(double fraction)
{
    constexpr double kShown = 0.0005;
    return std::abs(fraction) < kShown ? "0.0 %" : fmt::format("{:+.1f} %", 100.0 * fraction);
}

std::string largeNumberText(double number)
{
    if (number >= 999.5e9) return inDigits(number / 1e12, 3) + "T";
    if (number >= 999.5e6) return inDigits(number / 1e9, 4) + "B";
    if (number >= 999.5e3) return inDigits(number / 1e6, 4) + "M";
    return inDigits(number, 6);
}

std::string signedText(double difference, const std::string& text)
{
    return difference == 0.0 ? text : (difference < 0.0 ? "-" : "+") + text;
}

std::string cardsOf(const Plan& plan)
{
    const Accelerator& card = plan.cluster.accelerator;
    return fmt::format("{} x {}", cardsUsed(plan), card.name.empty() ? card.id : card.name);
}

} // namespace cardfit
