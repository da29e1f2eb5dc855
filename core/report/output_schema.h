// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cardfit {

/// What commands print as JSON, by the command: "estimate", "check", "search" …
[[nodiscard]] std::vector<std::string> outputKinds();

/// A key of what a command prints as JSON, by its path: "stages[].bytes.weights". "[]" is an item of a list, "{}" a
/// value of an object whose keys are data.
struct OutputKey {
    std::string path;
    std::string_view type; ///< "text", "flag", "whole number", "number", "object" or "any"
    std::string_view about; ///< may be empty
    bool nullable = false;
    bool optional = false; ///< the key may be absent
};

/// The keys of a kind, in the order of the table.
[[nodiscard]] std::vector<OutputKey> outputKeys(std::string_view kind);

/// The JSON Schema (draft 2020-12) of what a command prints. Generated from one table of keys; tests hold real outputs
/// against it. Later versions may add keys.
[[nodiscard]] std::string outputSchema(std::string_view kind);

} // namespace cardfit
