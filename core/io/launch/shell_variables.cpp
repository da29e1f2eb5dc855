// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launch/shell_variables.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/io/launch/shell_sum.h"

namespace cardfit::shell {

/// The words of a text that begins on `line`.
Values splitAtBlanks(std::string_view text, int line)
{
    Values parts;
    bool inside = false;
    for (const char c : text) {
        if (c == '\n') ++line;
        if (isBlank(c) || c == '\n') {
            inside = false;
            continue;
        }
        if (!inside) parts.push_back({{}, line});
        parts.back().text.push_back(c);
        inside = true;
    }
    return parts;
}

std::string joined(const Values& values)
{
    std::string text;
    for (const Value& value : values)
        text += (text.empty() ? "" : " ") + value.text;
    return text;
}

void Variables::add(const std::string& name, const Values& values)
{
    auto& all = m_values[name];
    all.insert(all.end(), values.begin(), values.end());
}

Values Variables::expanded(const Word& word)
{
    Values words;
    bool inside = false; // the last of `words` still grows
    const auto grow = [&](const std::string& text, int line) {
        if (!inside) words.push_back({{}, line});
        words.back().text += text;
        inside = true;
    };
    for (const Piece& piece : word.pieces) {
        if (!piece.expands || !piece.text.starts_with('$')) {
            if (piece.quoted || !piece.text.empty()) grow(piece.text, word.line);
            continue;
        }
        const Values values = valuesOf(piece.text, word.line);
        const bool splits = !piece.quoted || piece.text.find("[@]") != std::string::npos || piece.text == "$@";
        if (!splits) {
            grow(joined(values), values.empty() ? word.line : values.front().line);
            continue;
        }
        bool first = true;
        for (const Value& value : values) {
            for (const Value& part : piece.quoted ? Values{value} : splitAtBlanks(value.text, value.line)) {
                inside = inside && first;
                first = false;
                grow(part.text, part.line);
            }
        }
    }
    return words;
}

Value Variables::whole(const Word& word)
{
    Value value{{}, word.line};
    for (const Piece& piece : word.pieces) {
        const bool variable = piece.expands && piece.text.starts_with('$');
        value.text += variable ? joined(valuesOf(piece.text, word.line)) : piece.text;
    }
    return value;
}

Values Variables::valuesOf(const std::string& text, int line)
{
    if (text.starts_with("$((") && text.ends_with("))")) return {{sumOf(text, line), line}};
    if (text.starts_with("$(")) return {{text, line}};
    std::string variable = text.substr(1);
    std::optional<std::string> fallback;
    if (variable.starts_with('{')) {
        variable = variable.substr(1, variable.size() - 2);
        const auto end = static_cast<std::size_t>(std::ranges::find_if_not(variable, isNameChar) - variable.begin());
        const std::string rest = variable.substr(end);
        variable.resize(end);
        for (const std::string_view sign : {":-", ":=", "-", "="}) {
            if (!fallback && rest.starts_with(sign)) fallback = rest.substr(sign.size());
        }
    }
    if (const auto found = m_values.find(variable); found != m_values.end())
        return affords(found->second) ? found->second : Values{{text, line}};
    if (fallback) return {{plain(*fallback, line), line}};
    if (variable.empty() || !isNameStart(variable.front())) return {{text, line}};
    if (std::ranges::find(m_unset, variable) == m_unset.end()) m_unset.push_back(variable);
    return {{"${" + variable + "}", line}};
}

bool Variables::affords(const Values& values)
{
    for (const Value& value : values)
        m_expanded += value.text.size() + 1;
    return m_expanded <= kMostExpanded;
}

std::string Variables::sumOf(const std::string& text, int line)
{
    std::string inner;
    for (std::size_t i = 3; i + 2 < text.size();) {
        const bool dollar = text[i] == '$';
        const bool braced = dollar && text[i + 1] == '{';
        const std::size_t begin = i + (dollar ? 1 : 0) + (braced ? 1 : 0);
        if (!isNameStart(text[begin])) {
            inner.push_back(text[i++]);
            continue;
        }
        std::size_t end = begin;
        while (isNameChar(text[end]))
            ++end;
        inner += joined(valuesOf("$" + text.substr(begin, end - begin), line));
        i = end + (braced ? 1 : 0);
    }
    const auto value = sumIn(inner);
    return value ? fmt::format("{}", *value) : text;
}

std::string Variables::plain(std::string text, int line)
{
    if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
        text = text.substr(1, text.size() - 2);
    constexpr int kMostSteps = 16; // a default that names itself has no end
    if (!text.starts_with('$') || m_steps >= kMostSteps) return text;
    ++m_steps;
    text = joined(valuesOf(text, line));
    --m_steps;
    return text;
}

} // namespace cardfit::shell
