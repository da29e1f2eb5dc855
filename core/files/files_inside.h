// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

/// Files that a program holds itself where it is built as one file (CARDFIT_ONE_FILE); any other holds none. Their
/// paths begin with kFilesInside, and readFile() and entriesOf() know them.
namespace cardfit {

inline constexpr const char* kFilesInside = ":";

[[nodiscard]] bool isFolderInside(const std::filesystem::path& folder);

/// The content; nullopt if the program holds no such file.
[[nodiscard]] std::optional<std::string_view> fileInside(const std::filesystem::path& file);

/// What is in a folder, sorted.
[[nodiscard]] std::vector<std::filesystem::path> entriesInside(const std::filesystem::path& folder);

} // namespace cardfit
