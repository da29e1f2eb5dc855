// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/shell/test_case_yaml.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/launch/shell/shell_variables.h"
#include "core/launch/yaml/yaml_text.h"

namespace cardfit {

namespace {

constexpr std::size_t kMostOptions = 65536;
constexpr std::string_view kFlags = "MODEL_ARGS";
constexpr std::string_view kVariables = "ENV_VARS";

/// Splits "a b" and a quoted "[a, b]" into words; an expression such as "([0]*3+[1]*58)" stays one word.
std::vector<std::string> wordsOf(std::string_view text)
{
    // Quotes inside YAML's own are for a shell that the test runner calls.
    if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'') text = text.substr(1, text.size() - 2);
    const bool brackets = text.size() >= 2 && text.front() == '[' && text.back() == ']';
    const bool names = std::ranges::any_of(text, shell::isNameStart);
    if (text.find('[') != std::string_view::npos && !(brackets && names)) return {std::string(text)};
    std::string list(brackets ? text.substr(1, text.size() - 2) : text);
    if (brackets) std::erase_if(list, [](char c) { return c == '"' || c == '\''; });
    if (brackets) std::ranges::replace(list, ',', ' ');
    std::vector<std::string> words;
    for (shell::Value& word : shell::splitAtBlanks(list, 1))
        words.push_back(std::move(word.text));
    return words;
}

/// One key of a section; `value` is a scalar, a list of scalars or null.
struct Entry {
    std::string key;
    YAML::Node value;
    int line = 0;
};

class SectionReader {
public:
    explicit SectionReader(const std::string& name)
        : m_key(name == kFlags ? "--flag" : "NAME")
    {
    }

    /// Entries merged with "<<: *OTHER" come first, because the last of equal options counts.
    Result<std::vector<Entry>> read(const YAML::Node& section, int depth = 0)
    {
        std::vector<Entry> own;
        std::vector<Entry> taken;
        if (section.IsNull()) return own;
        if (!section.IsMap()) return refuse(section, shownYaml(section));
        for (const auto& pair : section) {
            const YAML::Node& key = pair.first;
            const YAML::Node& value = pair.second;
            if (m_left-- == 0) {
                return tl::unexpected<Error>(
                    yamlError(key.Mark(), Sentence::tr("expected fewer options, found more than {}", {kMostOptions})));
            }
            if (!key.IsScalar()) return refuse(key, shownYaml(key));
            const std::string name = key.Scalar();
            if (name == "<<") {
                // A section that merges itself would recurse without end.
                if (!value.IsMap() || value.is(section) || depth == kMostTakenOver)
                    return tl::unexpected<Error>(yamlError(key.Mark(),
                        Sentence::tr(
                            "expected the name of a section above, such as *OTHER, found {}", {shownYaml(value)})));
                const auto other = read(value, depth + 1);
                if (!other) return other;
                taken.insert(taken.begin(), other->begin(), other->end());
            } else if (value.IsMap() || (m_key == "--flag" && !name.starts_with("--"))) {
                return refuse(key, name + ": " + shownYaml(value));
            } else {
                own.push_back(Entry{name, value, key.Mark().line + 1});
            }
        }
        taken.insert(taken.end(), own.begin(), own.end());
        return taken;
    }

private:
    tl::unexpected<Error> refuse(const YAML::Node& node, const std::string& found) const
    {
        return tl::unexpected<Error>(
            yamlError(node.Mark(), Sentence::tr("expected \"{}: value\", found {}", {m_key, found})));
    }

    static constexpr int kMostTakenOver = 32; // nested merges

    std::string_view m_key;
    std::size_t m_left = kMostOptions;
};

/// The flag of an entry; nullopt if the entry is false.
Result<std::optional<LaunchFlag>> flagOf(const Entry& entry)
{
    LaunchFlag flag{entry.key, {}, entry.line};
    std::ranges::replace(flag.name, '_', '-');
    const bool plain = entry.value.Tag() == "?"; // not quoted
    if (entry.value.IsSequence()) {
        std::string list;
        for (const YAML::Node& item : entry.value) {
            if (!item.IsScalar())
                return tl::unexpected<Error>(
                    yamlError(item.Mark(), Sentence::tr("expected a list of words, found {}", {shownYaml(item)})));
            list += (list.empty() ? "" : ",") + item.Scalar();
        }
        flag.values = wordsOf('[' + list + ']');
    } else if (plain && entry.value.Scalar() == "false") {
        return std::nullopt;
    } else if (entry.value.IsScalar() && !(plain && entry.value.Scalar() == "true")) {
        flag.values = wordsOf(entry.value.Scalar());
    }
    return flag;
}

Result<LaunchCommand> commandIn(const YAML::Node& document)
{
    LaunchCommand command;
    if (!document.IsMap())
        return tl::unexpected<Error>(yamlError(
            document.Mark(), Sentence::tr("expected sections such as MODEL_ARGS:, found {}", {shownYaml(document)})));
    for (const auto& pair : document) {
        const YAML::Node& key = pair.first;
        const YAML::Node& section = pair.second;
        // What the test starts: pretraining unless it says so (tests/test_utils/recipes of Megatron-LM).
        if (key.IsScalar() && key.Scalar() == "MODE" && section.IsScalar() && section.Scalar() == "inference")
            command.name = "MODE: inference";
        if (!key.IsScalar() || (key.Scalar() != kFlags && key.Scalar() != kVariables)) continue;
        const auto entries = SectionReader(key.Scalar()).read(section);
        if (!entries) return tl::unexpected<Error>(entries.error());
        if (key.Scalar() == kFlags) command.program.clear(); // the last of equal sections counts
        for (const Entry& entry : *entries) {
            if (key.Scalar() == kVariables) {
                command.environment[entry.key] = entry.value.IsScalar() ? entry.value.Scalar() : std::string();
                continue;
            }
            auto flag = flagOf(entry);
            if (!flag) return tl::unexpected<Error>(flag.error());
            if (*flag) command.program.push_back(**std::move(flag));
        }
    }
    if (command.program.empty())
        return fail(ErrorCode::WrongFormat, {},
            Sentence::tr("expected flags such as \"--num-layers: 32\" below MODEL_ARGS:, found none"));
    return command;
}

} // namespace

bool isTestCaseYaml(std::string_view text)
{
    return text.starts_with("MODEL_ARGS:") || text.find("\nMODEL_ARGS:") != std::string_view::npos;
}

Result<LaunchCommand> readTestCaseYaml(std::string_view text)
{
    const auto document = readYaml(text);
    if (!document) return tl::unexpected<Error>(document.error());
    // yaml-cpp throws; this function must not.
    try {
        return commandIn(*document);
    } catch (const YAML::Exception& problem) {
        return tl::unexpected<Error>(yamlError(problem.mark, Sentence::tr("expected YAML: {}", {problem.msg})));
    }
}

} // namespace cardfit
