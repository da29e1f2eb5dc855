// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/io/json/json_reader.h"
#include "core/result.h"

/// Internal to the readers of YAML files: no other file sees the library.
namespace cardfit {

/// One YAML document as JSON, so that it is read as JSON files are. Plain scalars are null, booleans and numbers as
/// PyYAML resolves them, and 2e-5, which it takes for a text, is a number; scalars in quotes are texts. Aliases and
/// merges ("<<") are written out. Errors: WrongFormat with the line, DuplicateKey for a key that stands twice, and
/// OutOfRange for a document that is too deep or, written out, too long.
[[nodiscard]] Result<Json> jsonOfYaml(std::string_view text);

/// Whether a line begins with the key: a rough sign of whose file a text is.
[[nodiscard]] bool hasYamlKey(std::string_view text, std::string_view key);

} // namespace cardfit
