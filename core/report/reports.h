// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/amounts.h"
#include "core/base/sentence.h"
#include "core/estimate/estimate.h"
#include "core/plan/plan.h"

/// An Estimate as text: for people, for spreadsheets, for planning documents.
namespace cardfit {

[[nodiscard]] std::string_view verdictWord(Verdict verdict); ///< "FITS", "TIGHT", "REFUSED", "OVER", "INVALID"

/// The stage with the least free memory: "OVER stage 0: 92.50 of 85.90 GB (6.60 GB too much)".
[[nodiscard]] std::string verdictLine(
    const Estimate& estimate, ByteUnit unit = ByteUnit::GB, const Translation& translation = inEnglish);

/// The text report of `cardfit estimate`.
[[nodiscard]] std::string textReport(const Plan& plan, const Estimate& estimate, ByteUnit unit = ByteUnit::GB);

/// One row per stage, one column per segment and total, whole bytes, units in the header.
[[nodiscard]] std::string memoryCsv(const Estimate& estimate);
[[nodiscard]] std::string memoryMarkdown(
    const Estimate& estimate, ByteUnit unit = ByteUnit::GB, const Translation& translation = inEnglish);

/// The plan under its own framework's profile and all others side by side: a row per segment and total of the fullest
/// stage, a column per profile. Plain text.
[[nodiscard]] std::string profileTable(const Plan& plan, ByteUnit unit);

/// utilizationRows() with aligned columns.
[[nodiscard]] std::string utilizationText(const std::vector<Utilization>& figures);

/// "2000 billion tokens in 60.3 days: 476837 steps, 92593 card-hours, 276852 USD, 64815 kWh for the cards"; without
/// what is not known.
[[nodiscard]] std::string runText(const RunCost& run);
[[nodiscard]] Sentence runSentence(const RunCost& run);

} // namespace cardfit
