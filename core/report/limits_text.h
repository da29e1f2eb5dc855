// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/report/reports.h"
#include "core/search/advice.h"

/// Limits and advice in words, and as JSON.
namespace cardfit {

/// "119.82 billion parameters", "8192 tokens", "2 sequences", "64 cards".
[[nodiscard]] Sentence limitValueText(LimitOf quantity, std::int64_t value);

/// What the plan at a limit looks like, where the value alone does not say it: a model's shape, the degrees on fewer
/// cards. Empty for the others.
[[nodiscard]] Sentence limitPlanText(LimitOf quantity, const Plan& plan);

/// Why nothing fits: "Weights, gradients and optimizer states of stage 0 are 78.00 GB with zero1 over 2 ranks; …".
/// Empty where something does.
[[nodiscard]] Sentence proofText(const Limit& limit, ByteUnit unit);

/// "pipeline 4 -> 8 (data 2 -> 1)".
[[nodiscard]] Sentence changeText(const Change& change);

/// The text of `cardfit advise`: verdict, limits, single changes.
[[nodiscard]] std::string adviceText(const Plan& plan, const Advice& advice, ByteUnit unit = ByteUnit::GB);

/// format "cardfit/advice": limits and advice with whole bytes; two-space indent, no newline at the end.
[[nodiscard]] std::string adviceJson(const Advice& advice);

} // namespace cardfit
