// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/accuracy/constant_fit.h"
#include "core/base/constants.h"
#include "core/base/sentence.h"

/// The constants of the models, as `cardfit constants` and `cardfit validate --fit` print them.
namespace cardfit {

[[nodiscard]] Phrase tierName(Tier tier);

/// "links.share = 0.8 share (fitted): reached share of a link's rated bandwidth"
[[nodiscard]] Sentence constantText(Constant constant);

/// A line for each constant, and what the words mean.
[[nodiscard]] std::string constantsText();
/// format "cardfit/constants"; two-space indent, no newline at the end.
[[nodiscard]] std::string constantsJson();

/// What runs would have each constant be, and what that would do to the error of each source.
[[nodiscard]] std::string fitText(const ConstantFits& fits);
/// The table of tests/validation/measurements/README.md.
[[nodiscard]] std::string fitMarkdown(const ConstantFits& fits);

} // namespace cardfit
