// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/sentence.h"
#include "core/base/units.h"
#include "core/plan/plan.h"

/// Figures as a document for people states them: three or four digits and a unit that is near to the number.
namespace cardfit {

/// "$1.90M", "$19.0k", "$532", "$0.53".
[[nodiscard]] std::string moneyText(double usd);
/// "444 MWh", "12.3 kWh".
[[nodiscard]] std::string energyText(double kwh);
/// "413 days", "5.3 h", "12 min", "55 s".
[[nodiscard]] Sentence durationText(double days);
/// "19.65 s", "350.2 ms".
[[nodiscard]] std::string stepTimeText(Seconds time);
/// "37.9 %"
[[nodiscard]] std::string shareText(double fraction);
/// "+12.3 %", "-0.4 %", "0.0 %"
[[nodiscard]] std::string signedShareText(double fraction);
/// "1.4T", "70.55B", "35.65M": tokens or parameters.
[[nodiscard]] std::string largeNumberText(double number);
/// The same text with a sign in front; `text` is of the amount without one.
[[nodiscard]] std::string signedText(double difference, const std::string& text);

/// "640 x NVIDIA H100 SXM 80 GB"
[[nodiscard]] std::string cardsOf(const Plan& plan);

} // namespace cardfit
