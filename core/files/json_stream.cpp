// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/json_stream.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/files/json_reader.h"

namespace cardfit {

namespace {

/// Whether a character stands in a JSON text as it is. UTF-8 is left to the JSON library, which replaces what is none.
bool isPlain(char character) { return character >= ' ' && character < '\x7f' && character != '"' && character != '\\'; }

} // namespace

void JsonStream::value(double number)
{
    if (!std::isfinite(number)) return value(nullptr);
    std::array<char, 64> digits;
    // The JSON library's own digits, so that a streamed number is spelled like any other.
    const char* end = nlohmann::detail::to_chars(digits.data(), digits.data() + digits.size(), number);
    append({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

void JsonStream::value(std::string_view text)
{
    begin();
    quoted(text);
}

void JsonStream::plain(double number)
{
    if (isExactlyWhole(number))
        whole(static_cast<std::int64_t>(number));
    else
        value(number);
}

void JsonStream::embed(std::string_view key, std::string_view json)
{
    name(key);
    begin();
    for (const char character : json) {
        if (character == '\n')
            newLine();
        else
            m_text += character;
    }
}

void JsonStream::begin()
{
    if (m_named) {
        m_named = false;
        return;
    }
    if (m_depth == 0) return;
    if (!m_first) m_text += ',';
    m_first = false;
    newLine();
}

void JsonStream::newLine()
{
    if (!m_indented) return;
    m_text += '\n';
    m_text.append(2 * static_cast<std::size_t>(m_depth), ' ');
}

void JsonStream::name(std::string_view key)
{
    begin();
    quoted(key);
    m_text += m_indented ? ": " : ":";
    m_named = true;
}

void JsonStream::append(std::string_view text)
{
    begin();
    m_text += text;
}

void JsonStream::whole(std::int64_t number)
{
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    append({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

void JsonStream::quoted(std::string_view text)
{
    if (!std::ranges::all_of(text, isPlain)) {
        m_text += compactJson(Json(text));
        return;
    }
    m_text += '"';
    m_text += text;
    m_text += '"';
}

} // namespace cardfit
