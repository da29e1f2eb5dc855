// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/shell/command_line.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "core/launch/shell/shell_variables.h"
#include "core/launch/shell/test_case_yaml.h"

namespace cardfit {

namespace {

using shell::isNameChar;
using shell::isNameStart;
using shell::joined;
using shell::splitAtBlanks;
using shell::Statement;
using shell::Value;
using shell::Values;
using shell::Variables;
using shell::Word;

/// The name before "=" if the word is an assignment.
std::optional<std::string> assignedName(const Word& word)
{
    if (word.pieces.empty() || word.pieces.front().quoted || word.pieces.front().text.empty()) return std::nullopt;
    const std::string& text = word.pieces.front().text;
    const std::size_t end = text.find('=');
    if (end == std::string::npos || !isNameStart(text.front())) return std::nullopt;
    std::string name = text.substr(0, text[end - 1] == '+' ? end - 1 : end);
    return std::ranges::all_of(name, isNameChar) ? std::optional(std::move(name)) : std::nullopt;
}

bool isFlag(std::string_view word)
{
    // A negative number is a value.
    return word.size() > 1 && word.front() == '-' && (word[1] == '-' ? word.size() > 2 : isNameStart(word[1]));
}

/// "--a=1 --b 2 3" as flags; words before the first flag are dropped.
std::vector<LaunchFlag> flagsOf(const Values& words)
{
    std::vector<LaunchFlag> flags;
    for (const Value& word : words) {
        if (!isFlag(word.text)) {
            if (!flags.empty()) flags.back().values.push_back(word.text);
            continue;
        }
        const std::size_t equals = word.text.find('=');
        LaunchFlag flag{word.text.substr(0, equals), {}, word.line};
        std::ranges::replace(flag.name, '_', '-');
        if (equals != std::string::npos) flag.values.push_back(word.text.substr(equals + 1));
        flags.push_back(std::move(flag));
    }
    return flags;
}

LaunchCommand commandOf(const Values& words)
{
    Values all;
    for (const Value& word : words) {
        // A whole command in quotes, as in `sh -c "..."`.
        const bool command = word.text.find(" --") != std::string::npos || word.text.find("\n--") != std::string::npos;
        const Values parts = command ? splitAtBlanks(word.text, word.line) : Values{word};
        all.insert(all.end(), parts.begin(), parts.end());
    }
    const auto program =
        std::ranges::find_if(all, [](const Value& word) { return word.text.ends_with(".py") && !isFlag(word.text); });
    LaunchCommand command;
    if (program == all.end()) {
        command.program = flagsOf(all);
    } else {
        command.runner = flagsOf({all.begin(), program});
        command.program = flagsOf({program + 1, all.end()});
    }
    return command;
}

/// Executes assignments in order, as the shell would, and collects the commands.
class ScriptReader {
public:
    void run(const Statement& statement)
    {
        if (!statement.assigned.empty()) {
            Values values;
            for (const Word& word : statement.words) {
                const Values expanded = m_variables.expanded(word);
                values.insert(values.end(), expanded.begin(), expanded.end());
            }
            assign(statement.assigned, values, statement.appended);
            return;
        }
        Values words;
        bool leading = true; // NAME=value and export come before a command
        for (const Word& word : statement.words) {
            if (const auto name = leading ? assignedName(word) : std::nullopt) {
                assignText(*name, word);
                continue;
            }
            const Values expanded = m_variables.expanded(word);
            leading = leading && expanded.size() == 1 && isPrefix(expanded.front().text);
            if (!leading) words.insert(words.end(), expanded.begin(), expanded.end());
        }
        if (!words.empty() && isBranch(words.front().text)) m_has_branches = true;
        consider(commandOf(words));
    }

    Result<LaunchCommand> finish(const std::vector<std::string>& slurm_lines, NoOptions none)
    {
        if (m_variables.exhausted()) {
            return fail(ErrorCode::OutOfRange, {},
                Sentence::tr("expected a script whose variables come to less than a million characters, found more"));
        }
        for (std::size_t i = 0; i < m_seen.size(); ++i) {
            if (i != m_best_seen && 2 * m_seen[i].options >= m_best.program.size())
                m_best.other_commands.push_back(m_seen[i].line);
        }
        // The options may be collected in a variable only, for a command in another file.
        if (m_best.program.empty()) {
            for (const auto& [name, values] : m_variables.all())
                consider(commandOf(values));
        }
        if (m_best.program.empty() && none == NoOptions::Refused)
            return fail(ErrorCode::WrongFormat, {},
                Sentence::tr("expected a command with options such as --num-layers 32, found none"));
        for (const std::string& line : slurm_lines) {
            for (LaunchFlag& flag : flagsOf(splitAtBlanks(line, 1)))
                m_best.runner.push_back(std::move(flag));
        }
        for (const auto& [name, values] : m_variables.all())
            m_best.environment[name] = joined(values);
        m_best.unset = m_variables.unset();
        m_best.has_branches = m_has_branches;
        return std::move(m_best);
    }

private:
    static bool isBranch(std::string_view word)
    {
        constexpr std::array<std::string_view, 5> kBranches{"if", "case", "for", "while", "until"};
        return std::ranges::find(kBranches, word) != kBranches.end();
    }
    static bool isPrefix(std::string_view word)
    {
        constexpr std::array<std::string_view, 6> kPrefixes{"export", "then", "do", "else", "env", "local"};
        return std::ranges::find(kPrefixes, word) != kPrefixes.end();
    }

    void assign(const std::string& name, const Values& values, bool appended)
    {
        if (appended)
            m_variables.add(name, values);
        else
            m_variables.set(name, values);
    }

    void assignText(const std::string& name, Word word)
    {
        std::string& head = word.pieces.front().text;
        const std::size_t equals = head.find('=');
        const bool appended = equals > 0 && head[equals - 1] == '+';
        head.erase(0, equals + 1);
        assign(name, {m_variables.whole(word)}, appended);
    }

    void consider(LaunchCommand command)
    {
        if (command.program.empty()) return;
        m_seen.push_back({command.program.size(), command.program.front().line});
        if (command.program.size() < m_best.program.size()) return;
        m_best = std::move(command);
        m_best_seen = m_seen.size() - 1;
    }

    /// A command with options, and the line of the first one.
    struct Seen {
        std::size_t options = 0;
        int line = 0;
    };

    Variables m_variables;
    LaunchCommand m_best;
    std::vector<Seen> m_seen;
    std::size_t m_best_seen = 0; ///< which of them m_best is
    bool m_has_branches = false;
};

Result<LaunchCommand> readShell(std::string_view text, NoOptions none)
{
    const auto script = shell::readWords(text);
    if (!script) return tl::unexpected<Error>(script.error());
    ScriptReader reader;
    for (const Statement& statement : script->statements)
        reader.run(statement);
    return reader.finish(script->slurm, none);
}

} // namespace

Result<LaunchCommand> readLaunchCommand(std::string_view text, NoOptions none)
{
    return isTestCaseYaml(text) ? readTestCaseYaml(text) : readShell(text, none);
}

} // namespace cardfit
