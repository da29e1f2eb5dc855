// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launch/layer_pattern.h"

#include <algorithm>
#include <charconv>

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
    char next() { return atEnd() ? '\0' : m_text[m_at++]; }
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

using Stages = std::vector<LayoutStage>;

/// The last stage of `front` goes on in the first of `back`. False where that makes no layout.
bool append(Stages& front, const Stages& back)
{
    LayoutStage& open = front.back();
    const LayoutStage& more = back.front();
    if (open.loss) return back == Stages(1);
    if (more.embedding && (front.size() > 1 || open != LayoutStage{})) return false;
    // Layers of a model stand before those of multi-token prediction.
    if (open.mtp_layers > 0 && more.layers > 0) return false;
    if (__builtin_add_overflow(open.layers, more.layers, &open.layers)) return false;
    if (__builtin_add_overflow(open.mtp_layers, more.mtp_layers, &open.mtp_layers)) return false;
    open.embedding = open.embedding || more.embedding;
    open.loss = open.loss || more.loss;
    if (front.size() + back.size() > kMostItems + 1) return false;
    front.insert(front.end(), back.begin() + 1, back.end());
    return true;
}

std::optional<Stages> repeated(const Stages& once, std::int64_t times)
{
    const bool plain = once.size() == 1 && !once.front().embedding && !once.front().loss;
    if (plain) {
        LayoutStage stage = once.front();
        if (stage.layers > 0 && stage.mtp_layers > 0 && times > 1) return std::nullopt;
        if (__builtin_mul_overflow(stage.layers, times, &stage.layers)) return std::nullopt;
        if (__builtin_mul_overflow(stage.mtp_layers, times, &stage.mtp_layers)) return std::nullopt;
        return Stages{stage};
    }
    if (static_cast<std::size_t>(times) > kMostItems / once.size()) return std::nullopt;
    Stages all(1);
    for (std::int64_t i = 0; i < times; ++i) {
        if (!append(all, once)) return std::nullopt;
    }
    return all;
}

std::optional<Stages> layoutSequence(Cursor& cursor, bool in_brackets)
{
    Stages stages(1);
    while (!cursor.atEnd() && !(in_brackets && cursor.peek() == ')')) {
        Stages item(1);
        switch (cursor.next()) {
        case 'E': item.front().embedding = true; break;
        case 't': item.front().layers = 1; break;
        case 'm': item.front().mtp_layers = 1; break;
        case 'L': item.front().loss = true; break;
        case '|': item.emplace_back(); break;
        case '(': {
            // Megatron-LM knows no brackets within brackets.
            auto inner = in_brackets ? std::nullopt : layoutSequence(cursor, true);
            if (!inner || !cursor.take(')')) return std::nullopt;
            item = *std::move(inner);
            break;
        }
        default: return std::nullopt;
        }
        if (cursor.take('*')) {
            const auto times = cursor.number();
            auto all = times ? repeated(item, *times) : std::nullopt;
            if (!all) return std::nullopt;
            item = *std::move(all);
        }
        if (!append(stages, item)) return std::nullopt;
    }
    return stages;
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

std::optional<std::vector<LayoutStage>> parseLayout(std::string_view text)
{
    Cursor cursor(text, ", \t");
    auto stages = layoutSequence(cursor, false);
    if (!stages || !cursor.atEnd() || !stages->front().embedding || !stages->back().loss) return std::nullopt;
    return stages;
}

std::string layoutText(const std::vector<std::int64_t>& layers, std::int64_t mtp_layers)
{
    std::string text = "E";
    const auto add = [&](char what, std::int64_t count) {
        if (count == 1) text += what;
        if (count > 1) text += fmt::format("{}*{}", what, count);
    };
    for (std::size_t stage = 0; stage < layers.size(); ++stage) {
        if (stage > 0) text += '|';
        add('t', layers[stage]);
    }
    add('m', mtp_layers);
    return text + "L";
}

} // namespace cardfit
