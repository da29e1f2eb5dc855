// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/megatron/layer_pattern.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text_cursor.h"

namespace cardfit {

namespace {

constexpr std::size_t kMostItems = 65536;
constexpr int kMostBrackets = 32; // nesting limit: a malicious file must not overflow the stack

using Flags = std::optional<std::vector<int>>;

Flags patternSum(TextCursor& cursor, std::uint32_t most, int depth);

Flags patternItem(TextCursor& cursor, std::uint32_t most, int depth)
{
    std::vector<int> flags;
    if (cursor.takeIf('(')) {
        auto inner = depth > kMostBrackets ? std::nullopt : patternSum(cursor, most, depth + 1);
        if (!inner || !cursor.takeIf(')')) return std::nullopt;
        flags = *std::move(inner);
    } else {
        if (!cursor.takeIf('[')) return std::nullopt;
        do {
            const auto flag = cursor.number<std::uint32_t>();
            if (!flag || *flag > most || flags.size() >= kMostItems) return std::nullopt;
            flags.push_back(static_cast<int>(*flag));
        } while (cursor.takeIf(','));
        if (!cursor.takeIf(']')) return std::nullopt;
    }
    while (cursor.takeIf('*')) {
        const auto times = cursor.number<std::uint32_t>();
        if (!times || *times > kMostItems / std::max<std::size_t>(flags.size(), 1)) return std::nullopt;
        const std::vector<int> once = flags;
        flags.clear();
        for (std::uint32_t i = 0; i < *times; ++i)
            flags.insert(flags.end(), once.begin(), once.end());
    }
    return flags;
}

Flags patternSum(TextCursor& cursor, std::uint32_t most, int depth)
{
    auto flags = patternItem(cursor, most, depth);
    while (flags && cursor.takeIf('+')) {
        const auto more = patternItem(cursor, most, depth);
        if (!more || flags->size() + more->size() > kMostItems) return std::nullopt;
        flags->insert(flags->end(), more->begin(), more->end());
    }
    return flags;
}

} // namespace

std::optional<LayerPattern> parseLayerPattern(std::string_view text, std::uint32_t most)
{
    std::string solid(text);
    std::erase_if(solid, [](char c) { return c == ' ' || c == '\t'; });
    TextCursor cursor(solid);
    const bool literal =
        cursor.peek() == '[' && text.find('*') == std::string_view::npos && text.find('+') == std::string_view::npos;
    auto flags = patternSum(cursor, most, 0);
    if (!flags || !cursor.atEnd()) return std::nullopt;
    return LayerPattern{*std::move(flags), literal};
}

std::string layerPatternText(const std::vector<int>& layers) { return fmt::format("[{}]", fmt::join(layers, ",")); }

} // namespace cardfit
