// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <functional>
#include <map>
#include <utility>

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

using TomlPlace =
    std::pair<toml::source_index, toml::source_index>; ///< line and column, from 1; columns count characters

TomlPlace tomlPlace(const toml::source_position& position) { return {position.line, position.column}; }

/// Byte offsets of places, which are sorted, so that the text is passed through once.
void findOffsets(std::string_view text, std::map<TomlPlace, std::size_t>& offsets)
{
    std::size_t line_begin = 0;
    std::size_t at = 0;
    TomlPlace now{1, 1};
    const auto continues = [&](std::size_t byte) { return (static_cast<unsigned char>(text[byte]) & 0xC0U) == 0x80U; };
    for (auto& [place, offset] : offsets) {
        for (; now.first < place.first && line_begin < text.size(); ++now.first) {
            line_begin = at = std::min(lineEnd(text, line_begin) + 1, text.size());
            now.second = 1;
        }
        for (; now.second < place.second && at < text.size(); ++now.second) {
            ++at;
            while (at < text.size() && continues(at))
                ++at;
        }
        offset = at;
    }
}

using Visit = std::function<void(const std::string& path, const toml::node& value)>;

void visitValues(const toml::table& table, const std::string& prefix, const Visit& visit)
{
    for (const auto& [key, node] : table) {
        const std::string path = prefix.empty() ? std::string(key.str()) : prefix + '.' + std::string(key.str());
        if (const toml::table* inner = node.as_table())
            visitValues(*inner, path, visit);
        else
            visit(path, node);
    }
}

std::vector<TomlValue> tomlValues(std::string_view text)
{
    std::vector<TomlValue> values;
    const auto table = readToml(text);
    if (!table) return values;
    std::map<TomlPlace, std::size_t> offsets;
    visitValues(*table, {}, [&](const std::string& /*path*/, const toml::node& node) {
        offsets.emplace(tomlPlace(node.source().begin), 0);
        offsets.emplace(tomlPlace(node.source().end), 0);
    });
    findOffsets(text, offsets);
    visitValues(*table, {}, [&](const std::string& path, const toml::node& node) {
        TomlValue value{path, offsets[tomlPlace(node.source().begin)], offsets[tomlPlace(node.source().end)]};
        while (
            value.end > value.begin && std::string_view(" \t\r\n").find(text[value.end - 1]) != std::string_view::npos)
            --value.end;
        values.push_back(std::move(value));
    });
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
            line.remove_prefix(std::min(line.find_first_not_of(" \t", 1), line.size()));
            const std::string_view rest = line.starts_with(section) ? line.substr(section.size()) : std::string_view();
            inside = rest.find_first_of(" \t]") == 0;
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
