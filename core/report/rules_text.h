// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

/// The rules that a plan has to keep, as `cardfit check --rules` prints them.
namespace cardfit {

/// A line for each rule.
[[nodiscard]] std::string rulesText();
/// format "cardfit/checks"; two-space indent, no newline at the end.
[[nodiscard]] std::string rulesJson();

} // namespace cardfit
