// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>

#include "core/result.h"

namespace cardfit {

/// The whole file as text; CannotRead for a missing file, a directory, or more than `limit` bytes.
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& file, std::size_t limit = 4U << 20);

/// What the system says, in words of ours where there are some.
[[nodiscard]] Sentence reasonOf(const std::error_code& error);

/// Replaces the file in one step: a temporary file beside it is written, flushed to disk and renamed. On any error
/// (no permission, no space) the old content stands untouched and the temporary file is gone.
[[nodiscard]] Result<void> writeFile(const std::filesystem::path& file, std::string_view text);

/// Takes the parts of a text in turn.
using TextSink = std::function<void(std::string_view part)>;

/// The same for a text that is too large to be held whole: `write` hands its parts over, in order. What comes after an
/// error is not written, and the error is reported when `write` returns.
[[nodiscard]] Result<void> writeFileInParts(
    const std::filesystem::path& file, const std::function<void(const TextSink& sink)>& write);

} // namespace cardfit
