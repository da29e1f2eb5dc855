// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/files/json_reader.h"

/// Internal to the readers of YAML files.
namespace cardfit {

/// Converts one YAML document to JSON, so that it is read like JSON files. Plain scalars become null, booleans and
/// numbers as in PyYAML, except that 2e-5, a string in PyYAML, becomes a number; quoted scalars become strings. Aliases
/// and merges ("<<") are expanded. Errors: WrongFormat with the line, DuplicateKey for a repeated key, and OutOfRange
/// for a document that is too deep or, when expanded, too large.
[[nodiscard]] Result<Json> jsonOfYaml(std::string_view text);

/// Whether a line begins with the key; used to guess which launcher a text belongs to.
[[nodiscard]] bool hasYamlKey(std::string_view text, std::string_view key);

} // namespace cardfit
