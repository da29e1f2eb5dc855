// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/result.h"

namespace cardfit {

/// The whole file as text; CannotRead for a missing file, a directory, or more than `limit` bytes.
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& file, std::size_t limit = 4U << 20);

/// Replaces the file in one step: a temporary file beside it is written, flushed to disk and renamed. On any error
/// (no permission, no space) the old content stands untouched and the temporary file is gone.
[[nodiscard]] Result<void> writeFile(const std::filesystem::path& file, std::string_view text);

} // namespace cardfit
