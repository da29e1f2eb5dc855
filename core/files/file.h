// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/base/result.h"

namespace cardfit {

/// No text that is read as a whole is larger.
inline constexpr std::size_t kMostTextBytes = 4U << 20;

/// The whole file as text, unpacked if gzip packed it (`limit` holds before and after); CannotRead for a missing file,
/// more than `limit` bytes, and whatever is no regular file: reading a pipe, a socket or a device may never end. Open
/// descriptors of this process (/dev/fd/3, as shells name
/// `<(command)`, and /dev/stdin) may be anything.
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& file, std::size_t limit = kMostTextBytes);

/// Reads files by their paths relative to the folder of `file`, for a text that names others; nullopt if readFile()
/// fails.
[[nodiscard]] std::function<std::optional<std::string>(const std::string& path)> neighboursOf(
    const std::filesystem::path& file);

/// What is left of standard input; unpacked, and CannotRead, as above.
[[nodiscard]] Result<std::string> readStandardInput(std::size_t limit = kMostTextBytes);

/// "trace.json" of "trace.json.gz": what readFile() reads goes by the name of its content.
[[nodiscard]] std::filesystem::path withoutGz(const std::filesystem::path& file);

/// Standard input line by line.
class LineReader {
public:
    /// The next line without its end; none after the last. CannotRead, as soon as it is known, for a line of more than
    /// `limit` bytes, the rest of which is passed over.
    [[nodiscard]] std::optional<Result<std::string>> next(std::size_t limit = kMostTextBytes);

private:
    bool m_within_line = false; ///< one that was too long
};

/// What is in a directory, in the order of the names; what was found of it if `problem` is set.
[[nodiscard]] std::vector<std::filesystem::path> entriesOf(
    const std::filesystem::path& directory, std::error_code& problem);

/// What the system says, in words of ours where there are some.
[[nodiscard]] Sentence reasonOf(const std::error_code& error);

/// Replaces the file in one step: a temporary file beside it is written, flushed to disk and renamed. On any error
/// (no permission, no space) the old content stands untouched and the temporary file is gone. Temporary files that
/// ended processes have left there are removed.
[[nodiscard]] Result<void> writeFile(const std::filesystem::path& file, std::string_view text);

/// Takes the parts of a text in turn.
using TextSink = std::function<void(std::string_view part)>;

/// The same for a text that is too large to be held whole: `write` hands its parts over, in order. What comes after an
/// error is not written, and the error is reported when `write` returns.
[[nodiscard]] Result<void> writeFileInParts(
    const std::filesystem::path& file, const std::function<void(const TextSink& sink)>& write);

} // namespace cardfit
