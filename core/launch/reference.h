// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/files/presets.h"

/// The reference as Markdown, made from the tables that the program itself works by, so that it cannot be out of date.
/// Commands and their options are a part of their own, see app/cli/completion.h.
namespace cardfit {

/// Every field of a plan: name, meaning, values, unit, default, on which plans it has an effect, and which launchers
/// say it, which is tried with the plans of `presets`. Then the words of every choice.
[[nodiscard]] std::string fieldReference(const Presets& presets);

/// Every rule: what a plan has to keep and why, and what mends it.
[[nodiscard]] std::string ruleReference();

/// Every key that commands print as JSON.
[[nodiscard]] std::string outputReference();

/// Code in a cell of a table; see also markdownText().
[[nodiscard]] std::string markdownCode(std::string_view text);

} // namespace cardfit
