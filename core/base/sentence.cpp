// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"

#include <algorithm>
#include <charconv>

namespace cardfit {

Sentence Sentence::verbatim(std::string text)
{
    Sentence sentence;
    sentence.m_text = std::move(text);
    return sentence;
}

Sentence Sentence::withinAnother() const
{
    Sentence within = *this;
    within.m_within_another = true;
    return within;
}

std::string Sentence::in(const Translation& translation) const
{
    if (m_pattern.empty()) return m_text;
    std::string text = inPlace(translation);
    const bool is_word = text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z';
    if (m_within_another && is_word) text[0] = static_cast<char>(text[0] + 'a' - 'A');
    return text;
}

/// With the arguments in their places.
std::string Sentence::inPlace(const Translation& translation) const
{
    std::vector<std::string> arguments;
    arguments.reserve(m_arguments.size());
    for (const Sentence& argument : m_arguments)
        arguments.push_back(argument.in(translation));
    if (auto text = filled(translation(m_pattern, m_about), arguments)) return *std::move(text);
    return filled(m_pattern, arguments).value_or(std::string(m_pattern));
}

Sentence listed(const std::vector<Sentence>& words)
{
    Sentence list;
    for (const Sentence& word : words)
        list = list.empty() ? word : Sentence::tr("{}, {}", {list, word});
    return list;
}

Sentence joined(Sentence first, Sentence second)
{
    if (first.empty()) return second;
    if (second.empty()) return first;
    return Sentence::tr("{} {}", {std::move(first), std::move(second)});
}

std::optional<std::string> filled(std::string_view pattern, const std::vector<std::string>& arguments)
{
    std::string text;
    std::vector<bool> used(arguments.size(), false);
    std::size_t next = 0;
    while (!pattern.empty()) {
        const std::size_t brace = pattern.find_first_of("{}");
        text += pattern.substr(0, brace);
        if (brace == std::string_view::npos) break;
        const std::size_t end = pattern.find('}', brace);
        if (pattern[brace] == '}' || end == std::string_view::npos) return std::nullopt;
        const std::string_view place = pattern.substr(brace + 1, end - brace - 1);
        std::size_t index = next++;
        if (!place.empty()) {
            const auto [stop, error] = std::from_chars(place.data(), place.data() + place.size(), index);
            if (error != std::errc{} || stop != place.data() + place.size()) return std::nullopt;
        }
        if (index >= arguments.size()) return std::nullopt;
        used[index] = true;
        text += arguments[index];
        pattern.remove_prefix(end + 1);
    }
    if (!std::ranges::all_of(used, [](bool once) { return once; })) return std::nullopt;
    return text;
}

} // namespace cardfit
