// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

/// Text that others wrote: names, keys, file names, whole files. What shows or exports it escapes it for the place
/// where it will stand.
namespace cardfit {

/// "line 2, column 7" of the byte at a position.
[[nodiscard]] Sentence lineAndColumn(std::string_view text, std::size_t position);

/// WrongFormat if a NUL byte stands in the text: libraries take it for the end, and would accept whatever follows.
[[nodiscard]] std::optional<Error> nulByteIn(std::string_view text);

enum class LineBreaks { Escaped, Kept };

/// As it may be shown in a terminal and kept in a comment: control characters, those that turn the direction of writing
/// and bytes that are not UTF-8 become "\u001b" and "\xff". In JSON they can only stand within strings, where that is
/// their escape, so JSON stays what it is. Tabs count as line breaks.
[[nodiscard]] std::string printable(std::string_view text, LineBreaks breaks = LineBreaks::Escaped);

/// As a piece of a Markdown paragraph, heading or table cell: printable, on one line, and without markup.
[[nodiscard]] std::string markdownText(std::string_view text);

/// As the text of an XML element.
[[nodiscard]] std::string xmlEscaped(std::string_view text);

} // namespace cardfit
