// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launch/test_case_yaml.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/io/launch/shell_variables.h"

namespace cardfit {

namespace {

using shell::isBlank;
using shell::isNameStart;
using shell::splitAtBlanks;
using shell::Value;

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (isBlank(text.front()) || text.front() == '\n'))
        text.remove_prefix(1);
    while (!text.empty() && (isBlank(text.back()) || text.back() == '\n'))
        text.remove_suffix(1);
    return text;
}

std::string_view withoutComment(std::string_view text)
{
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (quote != 0) {
            if (text[i] == quote) quote = 0;
        } else if (text[i] == '"' || text[i] == '\'') {
            quote = text[i];
        } else if (text[i] == '#' && (i == 0 || isBlank(text[i - 1]))) {
            return text.substr(0, i);
        }
    }
    return text;
}

std::string_view unquoted(std::string_view text)
{
    const bool in_quotes =
        text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
    return in_quotes ? text.substr(1, text.size() - 2) : text;
}

/// Words; "[core_attn, mlp]" is a list of them, and an expression such as "([0]*3+[1]*58)" is one.
std::vector<std::string> yamlValues(std::string_view text)
{
    const std::string_view inner = unquoted(text);
    const bool brackets = inner.size() >= 2 && inner.front() == '[' && inner.back() == ']';
    const bool names = std::ranges::any_of(inner, [](char c) { return isNameStart(c); });
    if (inner.find('[') != std::string_view::npos && !(brackets && names)) return {std::string(inner)};
    std::string words(brackets ? inner.substr(1, inner.size() - 2) : inner);
    if (brackets) std::ranges::replace(words, ',', ' ');
    std::vector<std::string> values;
    for (const Value& word : splitAtBlanks(words, 1))
        values.emplace_back(unquoted(word.text));
    return values;
}

/// One "key: value" of a section, in the order in which they stand.
struct Entry {
    std::string key;
    std::string value;
    int line = 0;
};
using Section = std::vector<Entry>;

/// Reads the sections line by line.
class YamlReader {
public:
    void read(std::string_view raw, int number)
    {
        const std::string_view line = trimmed(withoutComment(raw));
        if (line.empty() || m_error) return;
        const std::size_t depth = raw.find_first_not_of(" \t");
        if (depth == 0)
            begin(line);
        else
            add(line, depth, number);
    }

    [[nodiscard]] const Section* section(const std::string& name) const
    {
        const auto found = m_sections.find(name);
        return found == m_sections.end() ? nullptr : &found->second;
    }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    void refuse(int number, Sentence message)
    {
        if (!m_error)
            m_error = Error{ErrorCode::WrongFormat, {}, Sentence::tr("line {}", {number}), std::move(message)};
    }

    /// "NAME:" or "NAME: &ANCHOR".
    void begin(std::string_view line)
    {
        const std::size_t colon = std::min(line.find(':'), line.size());
        m_name = std::string(line.substr(0, colon));
        m_depth = 0;
        m_sections[m_name] = {};
        const std::string_view value = trimmed(line.substr(std::min(colon + 1, line.size())));
        if (value.starts_with('&')) m_anchors[std::string(value.substr(1))] = m_name;
    }

    void add(std::string_view line, std::size_t depth, int number)
    {
        // Before the first section, and in those of which only their names matter, anything may stand.
        Section& section = m_sections[m_name];
        if (m_depth == 0) m_depth = depth;
        const std::size_t colon = line.find(':');
        const bool goes_on = depth > m_depth && !section.empty() && section.back().value.empty();
        if (goes_on && colon == std::string_view::npos) {
            section.back().value = std::string(line);
            return;
        }
        if (colon == std::string_view::npos) return refuseIn(number, line);
        std::string key(unquoted(trimmed(line.substr(0, colon))));
        const std::string_view value = trimmed(line.substr(colon + 1));
        if (key == "<<") return takeOver(value, number);
        if (m_name == "MODEL_ARGS" && !key.starts_with("--")) return refuseIn(number, line);
        section.push_back({std::move(key), std::string(value), number});
    }

    void refuseIn(int number, std::string_view line)
    {
        if (m_name == "MODEL_ARGS" || m_name == "ENV_VARS")
            refuse(number,
                Sentence::tr("expected \"{}: value\", found {}", {m_name == "ENV_VARS" ? "NAME" : "--flag", line}));
    }

    void takeOver(std::string_view value, int number)
    {
        const auto anchor = m_anchors.find(std::string(value.substr(value.starts_with('*') ? 1 : 0)));
        if (!value.starts_with('*') || anchor == m_anchors.end() || anchor->second == m_name)
            return refuse(
                number, Sentence::tr("expected the name of a section above, such as *OTHER, found {}", {value}));
        // What is said here counts more, and the last of equal flags counts.
        const Section other = m_sections[anchor->second];
        Section& section = m_sections[m_name];
        constexpr std::size_t kMost = 65536;
        if (section.size() + other.size() > kMost)
            return refuse(number, Sentence::tr("expected fewer options, found more than 65536"));
        section.insert(section.begin(), other.begin(), other.end());
    }

    std::map<std::string, Section> m_sections;
    std::map<std::string, std::string> m_anchors; ///< to the section's name
    std::string m_name;
    std::size_t m_depth = 0; ///< of the section's entries
    std::optional<Error> m_error;
};

} // namespace

bool isTestCaseYaml(std::string_view text)
{
    return text.starts_with("MODEL_ARGS:") || text.find("\nMODEL_ARGS:") != std::string_view::npos;
}

Result<LaunchCommand> readTestCaseYaml(std::string_view text)
{
    YamlReader reader;
    int number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        reader.read(text.substr(0, end), ++number);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (reader.error()) return tl::unexpected<Error>(*reader.error());
    LaunchCommand command;
    if (const Section* variables = reader.section("ENV_VARS")) {
        for (const Entry& entry : *variables)
            command.environment[entry.key] = std::string(unquoted(entry.value));
    }
    if (const Section* flags = reader.section("MODEL_ARGS")) {
        for (const Entry& entry : *flags) {
            if (entry.value == "false") continue;
            LaunchFlag flag{
                entry.key, entry.value == "true" ? std::vector<std::string>{} : yamlValues(entry.value), entry.line};
            std::ranges::replace(flag.name, '_', '-');
            command.program.push_back(std::move(flag));
        }
    }
    if (command.program.empty())
        return fail(ErrorCode::WrongFormat, {},
            Sentence::tr("expected flags such as \"--num-layers: 32\" below MODEL_ARGS:, found none"));
    return command;
}

} // namespace cardfit
