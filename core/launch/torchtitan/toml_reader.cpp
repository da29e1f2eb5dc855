// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/torchtitan/toml_reader.h"

#include "core/base/text_cursor.h"
#include "core/launch/torchtitan/torchtitan_words.h"
#include <utility>

namespace cardfit {

namespace {

/// Rejects what crashes toml++: keys of many parts, such as a.a.a, whose nested tables overflow the stack when
/// destroyed, and some non-ASCII letters outside quotes and comments, or behind a quote out of place, where TOML does
/// not allow them.
std::optional<Error> unsafeToml(std::string_view text)
{
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    std::size_t points = 0; // of the current key
    char last = '\n'; // that is no blank
    for (TextCursor cursor(text); !cursor.atEnd();) {
        const auto error = [&](Sentence message) {
            return Error{ErrorCode::WrongFormat, "", Sentence::tr("line {}", {cursor.line()}), std::move(message)};
        };
        const char c = cursor.peek();
        const char before = std::exchange(last, c == ' ' || c == '\t' || c == '\r' ? last : c);
        if (c == '#') {
            cursor.takeUntil('\n');
        } else if (c == '"' || c == '\'') {
            // Elsewhere the parser stops at the quote, and takes the bytes behind it for letters of its own.
            if (std::string_view("\n=,[{.").find(before) == std::string_view::npos)
                return error(Sentence::tr("expected a quotation only where a key or a value begins"));
            const std::string three(3, c);
            const std::string_view end = cursor.rest().starts_with(three) ? three : std::string_view(three).substr(2);
            cursor.take(end.size());
            while (!cursor.atEnd() && !cursor.rest().starts_with(end))
                cursor.take(c == '"' && cursor.peek() == '\\' ? 2 : 1);
            cursor.take(end.size());
        } else {
            if (static_cast<unsigned char>(c) >= 0x80)
                return error(Sentence::tr("expected letters beyond ASCII in quotes or comments only"));
            cursor.take();
            if (c == '.' && ++points > kMostKeyParts)
                return error(Sentence::tr("expected a key of at most {} parts, found more", {kMostKeyParts}));
            if (c == '=' || c == ',' || c == '{' || c == '[' || c == '\n') points = 0;
        }
    }
    return std::nullopt;
}

} // namespace

Result<toml::table> readToml(std::string_view text)
{
    if (auto error = unsafeToml(text)) return tl::unexpected<Error>(*std::move(error));
    toml::parse_result parsed = toml::parse(text);
    if (parsed) return std::move(parsed).table();
    const auto& at = parsed.error().source().begin;
    return fail(ErrorCode::WrongFormat, Sentence::tr("line {}, column {}", {at.line, at.column}),
        Sentence::tr("expected TOML: {}", {parsed.error().description()}));
}

} // namespace cardfit
