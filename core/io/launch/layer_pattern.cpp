// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launch/layer_pattern.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cardfit {

namespace {

constexpr std::size_t kMostItems = 65536;
constexpr int kMostBrackets = 32; // a hostile file must not exhaust the stack

/// A text that is read from left to right.
class Cursor {
public:
    explicit Cursor(std::string_view text, std::string_view ignored)
    {
        for (const char c : text) {
            if (ignored.find(c) == std::string_view::npos) m_text.push_back(c);
        }
    }

    [[nodiscard]] bool atEnd() const { return m_at == m_text.size(); }
    [[nodiscard]] char peek() const { return atEnd() ? '\0' : m_text[m_at]; }
    bool take(char c)
    {
        if (peek() != c) return false;
        ++m_at;
        return true;
    }

    std::optional<std::int64_t> number()
    {
        std::int64_t value = 0;
        const char* begin = m_text.data() + m_at;
        const auto [end, failed] = std::from_chars(begin, m_text.data() + m_text.size(), value);
        if (failed != std::errc() || value < 0) return std::nullopt;
        m_at += static_cast<std::size_t>(end - begin);
        return value;
    }

private:
    std::string m_text;
    std::size_t m_at = 0;
};

using Flags = std::optional<std::vector<int>>;

Flags patternSum(Cursor& cursor, int depth);

Flags patternItem(Cursor& cursor, int depth)
{
    std::vector<int> flags;
    if (cursor.take('(')) {
        auto inner = depth > kMostBrackets ? std::nullopt : patternSum(cursor, depth + 1);
        if (!inner || !cursor.take(')')) return std::nullopt;
        flags = *std::move(inner);
    } else {
        if (!cursor.take('[')) return std::nullopt;
        do {
            const auto flag = cursor.number();
            if (!flag || *flag > 1 || flags.size() >= kMostItems) return std::nullopt;
            flags.push_back(static_cast<int>(*flag));
        } while (cursor.take(','));
        if (!cursor.take(']')) return std::nullopt;
    }
    while (cursor.take('*')) {
        const auto times = cursor.number();
        if (!times || static_cast<std::size_t>(*times) > kMostItems / std::max<std::size_t>(flags.size(), 1))
            return std::nullopt;
        const std::vector<int> once = flags;
        flags.clear();
        for (std::int64_t i = 0; i < *times; ++i)
            flags.insert(flags.end(), once.begin(), once.end());
    }
    return flags;
}

Flags patternSum(Cursor& cursor, int depth)
{
    auto flags = patternItem(cursor, depth);
    while (flags && cursor.take('+')) {
        const auto more = patternItem(cursor, depth);
        if (!more || flags->size() + more->size() > kMostItems) return std::nullopt;
        flags->insert(flags->end(), more->begin(), more->end());
    }
    return flags;
}

} // namespace

std::optional<LayerPattern> parseLayerPattern(std::string_view text)
{
    Cursor cursor(text, " \t");
    const bool literal =
        cursor.peek() == '[' && text.find('*') == std::string_view::npos && text.find('+') == std::string_view::npos;
    auto flags = patternSum(cursor, 0);
    if (!flags || !cursor.atEnd()) return std::nullopt;
    return LayerPattern{*std::move(flags), literal};
}

std::string layerPatternText(const std::vector<int>& layers) { return fmt::format("[{}]", fmt::join(layers, ",")); }

} // namespace cardfit
