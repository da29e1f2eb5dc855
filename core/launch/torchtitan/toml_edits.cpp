// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/launch/option_edits.h"
#include "core/launch/torchtitan/toml_reader.h"

namespace cardfit {

namespace {

/// Position of a value in the text.
struct TomlValue {
    std::string path;
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Byte offset of a line and column, both from 1; columns count characters.
std::size_t byteAt(std::string_view text, const toml::source_position& position)
{
    std::size_t at = 0;
    for (toml::source_index line = 1; line < position.line && at < text.size(); ++line)
        at = std::min(lineEnd(text, at) + 1, text.size());
    const auto continues = [&](std::size_t byte) { return (static_cast<unsigned char>(text[byte]) & 0xC0U) == 0x80U; };
    for (toml::source_index column = 1; column < position.column && at < text.size(); ++column) {
        ++at;
        while (at < text.size() && continues(at))
            ++at;
    }
    return at;
}

void collectValues(
    std::string_view text, const toml::table& table, const std::string& prefix, std::vector<TomlValue>& values)
{
    for (const auto& [key, node] : table) {
        const std::string path = prefix.empty() ? std::string(key.str()) : prefix + '.' + std::string(key.str());
        if (const toml::table* inner = node.as_table()) {
            collectValues(text, *inner, path, values);
            continue;
        }
        TomlValue value{path, byteAt(text, node.source().begin), byteAt(text, node.source().end)};
        while (
            value.end > value.begin && std::string_view(" \t\r\n").find(text[value.end - 1]) != std::string_view::npos)
            --value.end;
        values.push_back(std::move(value));
    }
}

std::vector<TomlValue> tomlValues(std::string_view text)
{
    std::vector<TomlValue> values;
    const auto table = readToml(text);
    if (!table) return values;
    collectValues(text, *table, {}, values);
    std::ranges::sort(values, {}, &TomlValue::begin);
    return values;
}

/// The end of the section's last line that is not blank; nullopt if the text has no such section.
std::optional<std::size_t> sectionEnd(std::string_view text, std::string_view section)
{
    std::optional<std::size_t> end;
    bool inside = false;
    for (std::size_t at = 0; at < text.size(); at = lineEnd(text, at) + 1) {
        std::string_view line = text.substr(at, lineEnd(text, at) - at);
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string_view::npos) continue;
        line.remove_prefix(first);
        if (line.front() == '[') {
            const std::size_t name = line.find_first_not_of(" \t", 1);
            inside = name != std::string_view::npos && line.substr(name).starts_with(section)
                && std::string_view(" \t]").find(line.substr(name)[section.size()]) != std::string_view::npos;
        }
        if (inside) end = lineEnd(text, at);
    }
    return end;
}

} // namespace

LaunchOptions tomlOptions(std::string_view text)
{
    LaunchOptions options;
    for (const TomlValue& value : tomlValues(text))
        options.push_back({value.path, std::string(text.substr(value.begin, value.end - value.begin))});
    return options;
}

std::vector<std::string> tomlEdits(std::string_view text, const OptionEdit& edit)
{
    const auto values = tomlValues(text);
    const auto there = std::ranges::find(values, edit.name, &TomlValue::path);
    if (there != values.end()) {
        if (edit.value) return {spliced(text, there->begin, there->end, *edit.value)};
        const std::size_t after = std::min(lineEnd(text, there->end) + 1, text.size());
        return {spliced(text, lineBegin(text, there->begin), after, {})};
    }
    if (!edit.value) return {};
    const std::size_t dot = edit.name.rfind('.');
    const std::string section = dot == std::string::npos ? std::string() : edit.name.substr(0, dot);
    const std::string said = edit.name.substr(dot == std::string::npos ? 0 : dot + 1) + " = " + *edit.value;
    if (const auto end = sectionEnd(text, section)) return {spliced(text, *end, *end, '\n' + said)};
    const std::string_view gap = text.empty() || text.ends_with('\n') ? "\n" : "\n\n";
    return {std::string(text) + std::string(gap) + '[' + section + "]\n" + said + '\n'};
}

} // namespace cardfit
