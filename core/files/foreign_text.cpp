// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/foreign_text.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace cardfit {

namespace {

/// A character at the beginning of a text. `size` 0: the first byte belongs to none.
struct Utf8Character {
    char32_t code = 0;
    std::size_t size = 0;
};

/// The Unicode Standard, table 3-7: no overlong form, no surrogate, nothing above U+10FFFF.
Utf8Character firstCharacter(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return {};
    char32_t code = lead & (0xffU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0U) != 0x80) return {};
        code = (code << 6U) | (byte(i) & 0x3fU);
    }
    const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    return overlong || surrogate || code > 0x10ffff ? Utf8Character{} : Utf8Character{code, size};
}

/// What a terminal obeys instead of showing: C0, DEL and C1, separators of lines, and the direction of writing.
bool isControl(char32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x200e || code == 0x200f
        || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

bool isAlphanumeric(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

} // namespace

Sentence lineAndColumn(std::string_view text, std::size_t position)
{
    const std::string_view before = text.substr(0, std::min(position, text.size()));
    const auto line = 1 + std::ranges::count(before, '\n');
    const auto last_break = before.rfind('\n');
    const std::size_t column = last_break == std::string_view::npos ? before.size() : before.size() - last_break - 1;
    return Sentence::tr("line {}, column {}", {line, std::max<std::size_t>(column, 1)});
}

std::optional<Error> nulByteIn(std::string_view text)
{
    const std::size_t at = text.find('\0');
    if (at == std::string_view::npos) return std::nullopt;
    return Error{
        ErrorCode::WrongFormat, {}, lineAndColumn(text, at + 1), Sentence::tr("expected text, found a NUL byte")};
}

std::string printable(std::string_view text, LineBreaks breaks)
{
    std::string shown;
    shown.reserve(text.size());
    const auto is_plain = [](char c) { return c >= 0x20 && c < 0x7f; };
    while (!text.empty()) {
        // Nearly all text is plain, and taken at once.
        const auto plain = static_cast<std::size_t>(std::ranges::find_if_not(text, is_plain) - text.begin());
        shown += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty()) break;
        const auto [code, size] = firstCharacter(text);
        const bool kept = breaks == LineBreaks::Kept && (code == U'\n' || code == U'\t');
        if (size == 0)
            shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
        else if (isControl(code) && !kept)
            shown += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(code));
        else
            shown += text.substr(0, size);
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return shown;
}

std::string markdownText(std::string_view text)
{
    constexpr std::string_view kMarkup = "\\`*_[]<>|&~#!$";
    const std::string shown = printable(text);
    std::string escaped;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const char c = shown[i];
        // An underscore within a word marks nothing; "://" would become a link.
        const bool within_word =
            c == '_' && i > 0 && i + 1 < shown.size() && isAlphanumeric(shown[i - 1]) && isAlphanumeric(shown[i + 1]);
        const bool address = c == ':' && std::string_view(shown).substr(i).starts_with("://");
        if ((kMarkup.find(c) != std::string_view::npos && !within_word) || address) escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string xmlEscaped(std::string_view text)
{
    std::string result;
    for (const char character : text) {
        // Quotes may stand in an element's text; a plan is full of them.
        if (character == '&')
            result += "&amp;";
        else if (character == '<')
            result += "&lt;";
        else if (character == '>')
            result += "&gt;";
        else
            result += character;
    }
    return result;
}

} // namespace cardfit
