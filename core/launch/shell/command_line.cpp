// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/shell/command_line.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "core/launch/shell/programs.h"
#include "core/launch/shell/shell_conditions.h"
#include "core/launch/shell/shell_tree.h"
#include "core/launch/shell/shell_variables.h"
#include "core/launch/shell/test_case_yaml.h"

namespace cardfit {

namespace {

using shell::Answer;
using shell::Block;
using shell::Branch;
using shell::isKnown;
using shell::isNameChar;
using shell::isNameStart;
using shell::isWord;
using shell::joined;
using shell::Joint;
using shell::Node;
using shell::Piece;
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

/// The name if the text is an unset variable and nothing else.
std::optional<std::string> unsetName(std::string_view text)
{
    if (!text.starts_with("${") || !text.ends_with('}')) return std::nullopt;
    const std::string_view name = text.substr(2, text.size() - 3);
    const bool whole = !name.empty() && isNameStart(name.front()) && std::ranges::all_of(name, isNameChar);
    return whole ? std::optional(std::string(name)) : std::nullopt;
}

/// The unset variables among the words behind a program.
std::vector<UnsetUse> unsetIn(const Values& words)
{
    std::vector<UnsetUse> found;
    std::set<std::pair<std::string, std::string>> seen;
    std::string option;
    bool valued = false;
    for (const Value& word : words) {
        if (isFlag(word.text)) {
            option = word.text.substr(0, word.text.find('='));
            std::ranges::replace(option, '_', '-');
            valued = false;
        }
        const bool inside = word.text.find('=') != std::string::npos && isFlag(word.text);
        for (std::size_t at = word.text.find("${"); at != std::string::npos; at = word.text.find("${", at + 2)) {
            const auto name = unsetName(word.text.substr(at, word.text.find('}', at) - at + 1));
            if (!name) continue;
            const bool value = inside || (!valued && !option.empty()) || word.text.size() > name->size() + 3;
            const UnsetUse use{*name, value ? option : std::string()};
            if (seen.emplace(use.name, use.option).second) found.push_back(use);
        }
        if (!isFlag(word.text)) valued = true;
    }
    return found;
}

/// "--a=1 --b 2 3" as flags; words before the first flag are dropped.
std::vector<LaunchFlag> flagsOf(const Values& words)
{
    std::vector<LaunchFlag> flags;
    for (const Value& word : words) {
        if (!isFlag(word.text)) {
            // An unset variable behind a value may hold options; UnsetUse tells of it.
            const bool more = !flags.empty() && !flags.back().values.empty() && unsetName(word.text);
            if (!flags.empty() && !more) flags.back().values.push_back(word.text);
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

/// What the words start: the file of a program, a module of Python, or the first word and the one behind it.
std::string nameOf(const Values& words, Values::const_iterator program)
{
    if (program != words.end()) return program->text;
    const auto module = std::ranges::find(words, std::string_view("-m"), &Value::text);
    if (module != words.end() && module + 1 != words.end() && !isFlag((module + 1)->text)) return (module + 1)->text;
    const auto flag = std::ranges::find_if(words, [](const Value& word) { return isFlag(word.text); });
    std::string name;
    for (auto word = words.begin(); word != flag && word - words.begin() < 2; ++word)
        name += (name.empty() ? "" : " ") + word->text;
    return name;
}

LaunchCommand commandOf(const Values& words)
{
    Values all;
    for (const Value& word : words) {
        // A whole command in quotes, as in `sh -c "..."`.
        const bool command = word.text.find(" --") != std::string::npos || word.text.find("\n--") != std::string::npos;
        Values parts = command ? splitAtBlanks(word.text, word.line) : Values{word};
        std::erase_if(parts, [](const Value& part) { return part.text == "\\"; }); // a line is continued
        all.insert(all.end(), parts.begin(), parts.end());
    }
    const auto program =
        std::ranges::find_if(all, [](const Value& word) { return word.text.ends_with(".py") && !isFlag(word.text); });
    LaunchCommand command;
    command.name = nameOf(all, program);
    if (program == all.end()) {
        command.program = flagsOf(all);
        command.missing = unsetIn(all);
    } else {
        command.runner = flagsOf({all.begin(), program});
        command.program = flagsOf({program + 1, all.end()});
        command.missing = unsetIn({program + 1, all.end()});
    }
    return command;
}

/// The command if `finder` finds a program in its words.
std::optional<LaunchCommand> commandWith(const ProgramFinder& finder, const Values& words)
{
    std::vector<std::string> texts;
    for (const Value& word : words)
        texts.push_back(word.text);
    auto found = finder(texts);
    if (!found) return std::nullopt;
    const auto end = words.begin() + static_cast<std::ptrdiff_t>(std::min(found->end, words.size()));
    const Values behind(end, words.end());
    LaunchCommand command;
    command.name = std::move(found->name);
    command.line = words.front().line;
    command.runner = flagsOf({words.begin(), end});
    command.program = flagsOf(behind);
    command.missing = unsetIn(behind);
    for (const Value& word : behind) {
        if (isFlag(word.text)) break;
        command.arguments.push_back(word.text);
    }
    return command;
}

/// The words that are scripts of their own, as behind `ssh NODE` and `bash -c`.
Values scriptsIn(const Values& words)
{
    constexpr auto kShells =
        std::to_array<std::string_view>({"bash", "sh", "dash", "zsh", "ssh", "pdsh", "eval", "su", "tmux", "screen"});
    Values scripts;
    bool shell = false;
    for (const Value& word : words) {
        const std::string_view text = word.text;
        shell = shell || std::ranges::find(kShells, text.substr(text.rfind('/') + 1)) != kShells.end();
        if (shell && text.find_first_of(" \t\n") != std::string_view::npos) scripts.push_back(word);
    }
    return scripts;
}

/// Runs a script as the shell would, as far as it is known, and collects its commands.
class ScriptReader {
public:
    ScriptReader(const NeighbourFiles& files, const ProgramFinder& finder)
        : m_files(files)
        , m_finder(finder)
    {
    }

    /// `source_line`: of the statement that sources the text, whose lines are then that one.
    Result<bool> read(std::string_view text, std::optional<int> source_line = {})
    {
        auto script = shell::readWords(text);
        if (!script) return tl::unexpected<Error>(script.error());
        for (Statement& statement : script->statements) {
            if (!source_line) break;
            statement.line = *source_line;
            for (Word& word : statement.words)
                word.line = *source_line;
        }
        m_slurm.insert(m_slurm.end(), script->slurm.begin(), script->slurm.end());
        setSlurmVariables();
        m_most_steps += script->statements.size();
        run(shell::treeOf(std::move(script->statements)));
        return true;
    }

    Result<LaunchCommand> finish(NoOptions none)
    {
        // Functions that nothing calls, and options that are collected in a variable for a command in another file.
        if (!m_found) {
            const auto functions = m_functions;
            for (const auto& [name, body] : functions)
                aside(body);
        }
        if (!m_found) {
            for (const auto& [name, values] : std::map(m_variables.all())) {
                Values words;
                for (const Value& value : values) {
                    const Values parts = m_finder ? splitAtBlanks(value.text, value.line) : Values{value};
                    words.insert(words.end(), parts.begin(), parts.end());
                }
                consider(words, true);
            }
            if (!m_finder) m_best.name.clear();
        }
        if (m_variables.exhausted()) {
            return fail(ErrorCode::OutOfRange, {},
                Sentence::tr("expected a script whose variables come to less than a million characters, found more"));
        }
        if (m_best.program.empty() && none == NoOptions::Refused)
            return fail(ErrorCode::WrongFormat, {},
                Sentence::tr("expected a command with options such as --num-layers 32, found none"));
        for (const Seen& seen : m_seen) {
            const bool again = seen.line == m_best_seen.line && (!m_finder || !m_best.loops.empty());
            const bool same = again || seen.options == m_best_seen.options;
            const bool smaller = !m_finder && 2 * seen.count < m_best.program.size();
            if (same || smaller || seen.from_variable) continue;
            m_best.other_commands.push_back(seen.line);
        }
        auto& others = m_best.other_commands;
        std::sort(others.begin(), others.end());
        others.erase(std::unique(others.begin(), others.end()), others.end());
        for (const std::string& line : m_slurm) {
            for (LaunchFlag& flag : flagsOf(splitAtBlanks(line, 1)))
                m_best.runner.push_back(std::move(flag));
        }
        for (const auto& [name, values] : m_variables.all())
            m_best.environment[name] = joined(values);
        // What a way that is not taken would have put options into is empty, and listed as undecided.
        std::erase_if(m_best.missing, [&](const UnsetUse& use) { return m_holders.contains(use.name); });
        m_best.unset = m_variables.unset();
        m_best.required = m_variables.required();
        m_best.unread_files = std::move(m_unread_files);
        m_best.programs = std::move(m_programs);
        for (Undecided& branch : m_undecided)
            m_best.undecided.push_back(finished(std::move(branch)));
        return std::move(m_best);
    }

private:
    /// A command with options.
    struct Seen {
        std::size_t count = 0; ///< of options
        int line = 0; ///< of the first one
        std::size_t options = 0; ///< their hash
        int rank = 0; ///< the highest is read
        bool from_variable = false;
    };
    /// Collects what hangs on a condition.
    struct Undecided {
        UndecidedBranch branch;
        std::set<std::string> options;
        std::set<std::string> variables; ///< that are set in one of the ways
    };

    // ---- What runs

    /// Those that Slurm sets from #SBATCH lines (sbatch's manual, output environment variables).
    void setSlurmVariables()
    {
        constexpr auto kVariables = std::to_array<std::pair<std::string_view, std::string_view>>({
            {"--nodes", "SLURM_NNODES"},
            {"--nodes", "SLURM_JOB_NUM_NODES"},
            {"-N", "SLURM_NNODES"},
            {"-N", "SLURM_JOB_NUM_NODES"},
            {"--ntasks-per-node", "SLURM_NTASKS_PER_NODE"},
            {"--gpus-per-node", "SLURM_GPUS_PER_NODE"},
        });
        for (const std::string& line : m_slurm) {
            for (const LaunchFlag& flag : flagsOf(splitAtBlanks(line, 1))) {
                for (const auto& [option, variable] : kVariables) {
                    const std::string name(variable);
                    if (flag.name == option && !flag.values.empty() && !m_variables.isSet(name))
                        m_variables.set(name, {{flag.values.front(), 1}});
                }
            }
        }
    }

    Answer run(const Block& block, bool tests = false)
    {
        Answer last{true, true};
        Joint joint = Joint::End;
        for (const Node& node : block) {
            if (m_left) break;
            const bool chained = joint == Joint::And || joint == Joint::Or;
            if (!chained || last.guess.value_or(true) == (joint == Joint::And)) {
                if (chained && !last.known)
                    last = undecided(node, [&] { return runNode(node, tests); });
                else
                    last = runNode(node, tests);
            } else if (!last.known) {
                undecided(node, [&] { return aside(node); });
            }
            joint = node.joint;
        }
        return last;
    }

    Answer runNode(const Node& node, bool tests)
    {
        constexpr int kMostNested = 200; // functions that call themselves, too
        if (++m_steps > m_most_steps || m_nested >= kMostNested) return {};
        ++m_nested;
        Answer answer{true, true};
        switch (node.kind) {
        case Node::Kind::Statement: answer = runStatement(node.statement, tests); break;
        case Node::Kind::If: runIf(node); break;
        case Node::Kind::Case: runCase(node); break;
        case Node::Kind::For: runFor(node); break;
        case Node::Kind::While:
        case Node::Kind::Until: runWhile(node); break;
        case Node::Kind::Function:
            if (!node.branches.empty()) m_functions[node.name] = node.branches.front().body;
            break;
        case Node::Kind::Group:
            if (!node.branches.empty()) answer = run(node.branches.front().body, tests);
            break;
        }
        --m_nested;
        return node.negated ? shell::negated(answer) : answer;
    }

    /// Runs something on a copy of the variables: what a run would pass over. Its commands count last.
    template <class Runnable> Answer aside(const Runnable& what)
    {
        constexpr int kMostCopies = 256; // of up to a million characters each
        if (++m_copies > kMostCopies) return {};
        const auto variables = m_variables.all();
        const bool left = m_left;
        ++m_aside;
        if constexpr (std::is_same_v<Runnable, Node>)
            static_cast<void>(runNode(what, false));
        else
            static_cast<void>(run(what));
        --m_aside;
        m_left = left;
        m_variables.restore(variables);
        return {};
    }

    /// Calls `runs`, noting what hangs on the condition in front.
    template <class Runs> Answer undecided(const Node& node, const Runs& runs, std::string condition = {})
    {
        Undecided collected;
        collected.branch.condition = condition.empty() ? m_last_test : std::move(condition);
        collected.branch.line = node.line;
        m_open.push_back(std::move(collected));
        const Answer answer = runs();
        constexpr std::size_t kMostUndecided = 256; // as many are worth reading
        if (m_undecided.size() < kMostUndecided) m_undecided.push_back(std::move(m_open.back()));
        m_open.pop_back();
        return answer;
    }

    /// Whether a way ends the script, as one that prints how it is used.
    [[nodiscard]] bool ends(const Block& body, bool calls = true) const
    {
        return std::ranges::any_of(body, [&](const Node& node) {
            const auto& words = node.statement.words;
            if (node.kind != Node::Kind::Statement || words.empty()) return false;
            if (isWord(words.front(), "exit") || isWord(words.front(), "return")) return true;
            const auto function = calls ? m_functions.find(written(words.front())) : m_functions.end();
            return function != m_functions.end() && ends(function->second, false);
        });
    }

    /// Runs one of the branches that a condition may take, and notes what hangs on it.
    void choose(const Node& node, const std::vector<const Branch*>& possible, const Branch* chosen, bool decided,
        const std::string& condition)
    {
        if (decided) {
            if (chosen != nullptr) run(chosen->body);
            return;
        }
        const bool several = node.branches.size() > 1;
        if (!several && chosen != nullptr && ends(chosen->body)) chosen = nullptr;
        if (several && (chosen == nullptr || ends(chosen->body))) {
            const auto last = std::find_if(
                possible.rbegin(), possible.rend(), [&](const Branch* branch) { return !ends(branch->body); });
            if (last != possible.rend()) chosen = *last;
        }
        undecided(
            node,
            [&] {
                for (const Branch* branch : possible) {
                    if (branch != chosen) aside(branch->body);
                }
                if (chosen != nullptr) run(chosen->body);
                m_open.back().branch.read = chosen != nullptr ? chosen->line : 0;
                return Answer{};
            },
            condition);
    }

    void runIf(const Node& node)
    {
        std::vector<const Branch*> possible;
        const Branch* chosen = nullptr;
        bool decided = true;
        std::string condition;
        for (const Branch& branch : node.branches) {
            const bool is_else = &branch != &node.branches.front() && branch.condition.empty();
            const Answer answer = is_else ? Answer{true, true} : run(branch.condition, true);
            if (answer.known && answer.guess == false) continue;
            if (!answer.known && decided) condition = "if " + m_last_test;
            possible.push_back(&branch);
            // Of a single branch nothing else is known than that it is there.
            const bool taken = answer.guess.value_or(node.branches.size() == 1);
            if (taken && chosen == nullptr) chosen = &branch;
            if (answer.known) break;
            decided = false;
        }
        choose(node, possible, chosen, decided, condition);
    }

    void runCase(const Node& node)
    {
        const Word& word = node.statement.words.front();
        const std::string text = m_variables.whole(word).text;
        const auto guess = shell::withoutUnset(text);
        const bool decided = guess && isKnown(text);
        const Branch* chosen = nullptr;
        std::vector<const Branch*> possible;
        for (const Branch& branch : node.branches) {
            const bool fits = guess && std::ranges::any_of(branch.patterns, [&](const Word& pattern) {
                return shell::matches(*guess, m_variables.whole(pattern).text);
            });
            if (fits && chosen == nullptr) chosen = &branch;
            possible.push_back(&branch);
        }
        choose(node, possible, chosen, decided, "case " + written(word));
    }

    void runFor(const Node& node)
    {
        if (node.branches.empty()) return;
        Values values;
        for (const Word& word : node.statement.words) {
            const Values expanded = m_variables.expanded(word);
            values.insert(values.end(), expanded.begin(), expanded.end());
        }
        const Block& body = node.branches.front().body;
        const bool is_known =
            !values.empty() && std::ranges::all_of(values, [](const Value& value) { return isKnown(value.text); });
        if (!is_known) {
            m_variables.remove(node.name);
            undecided(
                node,
                [&] {
                    run(body);
                    m_open.back().branch.read = node.line;
                    return Answer{};
                },
                "for " + node.name);
            return;
        }
        m_loops.push_back({node.name, {}, node.line});
        for (const Value& value : values) {
            m_loops.back().values.push_back(value.text);
            m_variables.set(node.name, {value});
            run(body);
        }
        m_loops.pop_back();
    }

    /// A loop is read once.
    void runWhile(const Node& node)
    {
        if (node.branches.empty()) return;
        const Branch& loop = node.branches.front();
        Answer answer = run(loop.condition, true);
        if (node.kind == Node::Kind::Until) answer = shell::negated(answer);
        if (answer.known) {
            if (*answer.guess) run(loop.body);
            return;
        }
        choose(node, {&loop}, answer.guess.value_or(true) ? &loop : nullptr, false, "while " + m_last_test);
    }

    Answer runStatement(const Statement& statement, bool tests)
    {
        collect(statement);
        if (!statement.assigned.empty()) {
            Values values;
            for (const Word& word : statement.words) {
                const Values expanded = m_variables.expanded(word);
                values.insert(values.end(), expanded.begin(), expanded.end());
            }
            assign(statement.assigned, values, statement.appended);
            return {true, true};
        }
        if (!statement.words.empty()) {
            if (const auto answer = test(statement)) return *answer;
        }
        Values words;
        bool leading = true; // NAME=value and export come before a command
        bool declares = false;
        for (const Word& word : statement.words) {
            if (const auto name = leading ? assignedName(word) : std::nullopt) {
                assignText(*name, word);
                continue;
            }
            const Values expanded = m_variables.expanded(word);
            leading = leading && expanded.size() == 1
                && (isPrefix(expanded.front().text) || (declares && expanded.front().text.starts_with('-')));
            declares = declares || leading;
            if (!leading) words.insert(words.end(), expanded.begin(), expanded.end());
        }
        if (words.empty()) return {true, true};
        const std::string& first = words.front().text;
        if (first == "exit" || first == "return") {
            // What is left when nothing was started yet is a help text or a check that a real run passes.
            constexpr std::size_t kFewest = 4; // options of a command worth the name
            const bool enough = m_finder ? m_found : m_best.program.size() >= kFewest;
            const bool started = m_aside == 0 && m_open.empty() && enough;
            if (first == "return" ? m_calls > 0 : started) m_left = true;
            return {true, true};
        }
        if (first == "source" || first == ".") {
            if (words.size() > 1) runFile(words[1].text, words.front().line);
        } else if (const auto function = m_functions.find(first); function != m_functions.end()) {
            call(Block(function->second), words);
        } else {
            m_takes_arguments = !m_variables.isSet("@") && std::ranges::any_of(statement.words, namesArguments);
            consider(words);
            m_takes_arguments = false;
        }
        if (tests) {
            m_last_test = writtenWords(statement.words);
            return {}; // whether a program succeeds is not known
        }
        return {true, true};
    }

    /// The answer of a statement that tests something.
    std::optional<Answer> test(const Statement& statement)
    {
        const auto& words = statement.words;
        const bool brackets = isWord(words.front(), "[") || isWord(words.front(), "[[");
        const std::string first = written(words.front());
        if (first == "true" || first == ":") {
            for (const Word& word : words) // ": ${NAME:=8}"
                static_cast<void>(m_variables.expanded(word));
            return Answer{true, true};
        }
        if (first == "false") return Answer{false, true};
        if (first.starts_with("((")) {
            m_last_test = first;
            return shell::arithmeticTest(first, statement.line, m_variables);
        }
        if (!brackets && !isWord(words.front(), "test")) return std::nullopt;
        std::vector<Word> inner(words.begin() + 1, words.end());
        if (brackets && !inner.empty()) inner.pop_back();
        const Answer answer = shell::testOf(
            inner, m_variables, [&](const std::string& path) { return m_files && m_files(path).has_value(); });
        m_last_test = writtenWords(words);
        return answer;
    }

    /// Whether the word is "$@" or "$*": what the script is given.
    static bool namesArguments(const Word& word)
    {
        constexpr auto kNames = std::to_array<std::string_view>({"$@", "$*", "${@}", "${*}"});
        return std::ranges::any_of(word.pieces,
            [&](const Piece& piece) { return piece.expands && std::ranges::find(kNames, piece.text) != kNames.end(); });
    }

    static std::string writtenWords(const std::vector<Word>& words)
    {
        std::string text;
        for (const Word& word : words)
            text += (text.empty() ? "" : " ") + written(word);
        return text;
    }

    void call(const Block& body, const Values& words)
    {
        constexpr int kMostCalls = 8; // within one another
        if (m_calls >= kMostCalls) return;
        std::map<std::string, Values> kept;
        const auto put = [&](const std::string& name, Values values) {
            if (const auto old = m_variables.all().find(name); old != m_variables.all().end()) kept[name] = old->second;
            m_variables.set(name, std::move(values));
        };
        constexpr std::size_t kMostArguments = 9;
        for (std::size_t i = 1; i < words.size() && i <= kMostArguments; ++i)
            put(std::to_string(i), {words[i]});
        put("@", {words.begin() + 1, words.end()});
        put("*", {words.begin() + 1, words.end()});
        if (m_calls == 0) m_call_line = words.front().line;
        ++m_calls;
        run(body);
        --m_calls;
        m_left = false;
        for (std::size_t i = 1; i <= kMostArguments; ++i)
            m_variables.remove(std::to_string(i));
        m_variables.remove("@");
        m_variables.remove("*");
        for (auto& [name, values] : kept)
            m_variables.set(name, std::move(values));
    }

    /// A sourced file. Where its folder is not known, as in "$(dirname "$0")/args.sh", it is the script's.
    void runFile(std::string path, int line)
    {
        for (const std::string_view close : {")/", "}/"}) {
            if (const std::size_t at = path.rfind(close); at != std::string::npos) path = path.substr(at + 2);
        }
        constexpr std::size_t kMostFiles = 64;
        const auto text = m_files && m_calls < 8 && ++m_file_count <= kMostFiles ? m_files(path) : std::nullopt;
        if (!text || !isKnown(path)) {
            const bool named = std::ranges::find(m_unread_files, path) != m_unread_files.end();
            if (!named && m_unread_files.size() < kMostFiles) m_unread_files.push_back(path);
            return;
        }
        ++m_calls;
        if (!read(*text, line)) m_unread_files.push_back(path);
        --m_calls;
        m_left = false;
    }

    static bool isPrefix(std::string_view word)
    {
        constexpr std::array<std::string_view, 10> kPrefixes{
            "export", "then", "do", "else", "env", "local", "declare", "readonly", "typeset", "exec"};
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

    // ---- What is found

    void consider(const Values& words, bool from_variable = false)
    {
        if (!m_finder) return consider(commandOf(words), from_variable);
        if (auto command = commandWith(m_finder, words)) {
            if (m_takes_arguments) command->missing.push_back({"$@", {}});
            return consider(*std::move(command), from_variable);
        }
        consider(commandOf(words), from_variable);
        if (from_variable) return;
        for (const Value& script : scriptsIn(words))
            runScript(script);
    }

    /// Runs a word as a script.
    void runScript(const Value& script)
    {
        constexpr int kMostCalls = 8; // within one another
        if (m_calls >= kMostCalls) return;
        // In double quotes the backslash in front of a line break is gone.
        std::string text;
        for (std::size_t at = 0; at < script.text.size(); ++at) {
            const std::size_t next = script.text.find_first_not_of(" \t", at + 1);
            const bool option = next != std::string::npos && script.text[next] == '-';
            if (script.text[at] == '\n' && option && !text.ends_with('\\')) text += '\\';
            text += script.text[at];
        }
        if (m_calls == 0) m_call_line = script.line;
        ++m_calls;
        static_cast<void>(read(text, script.line)); // it may be no script at all
        --m_calls;
        m_left = false;
    }

    void consider(LaunchCommand command, bool from_variable)
    {
        constexpr std::size_t kMostPrograms = 256;
        if (!command.name.empty() && !from_variable && m_programs.size() < kMostPrograms
            && std::ranges::find(m_programs, command.name) == m_programs.end())
            m_programs.push_back(command.name);
        if (m_finder ? command.line == 0 : command.program.empty()) return;
        Seen seen{command.program.size(), m_calls > 0 && m_finder ? m_call_line : lineOf(command), 0, 0, from_variable};
        for (const std::string& word : command.arguments)
            seen.options = seen.options * 31 + std::hash<std::string>()(word);
        for (const LaunchFlag& flag : command.program) {
            for (const std::string& value : flag.values)
                seen.options = seen.options * 31 + std::hash<std::string>()(value);
            seen.options = seen.options * 31 + std::hash<std::string>()(flag.name);
        }
        seen.rank = (m_aside > 0 ? 0 : 2) + (isHelperProgram(command.name) ? 0 : 1);
        m_seen.push_back(seen);
        if (std::pair(seen.rank, seen.count) < std::pair(m_best_seen.rank, m_best.program.size())) return;
        m_found = true;
        m_best = std::move(command);
        m_best.line = seen.line;
        m_best.loops = m_loops;
        m_best_seen = seen;
    }

    static int lineOf(const LaunchCommand& command)
    {
        return command.program.empty() ? command.line : command.program.front().line;
    }

    /// Keeps which options a variable ends in: by the words that use it, without expanding them.
    void collect(const Statement& statement)
    {
        std::string option;
        std::string into = statement.assigned;
        for (const Word& word : statement.words) {
            if (statement.assigned.empty()) {
                if (const auto name = assignedName(word)) into = *name;
            }
            for (const Piece& piece : word.pieces) {
                if (piece.expands && piece.text.starts_with('$')) {
                    const std::size_t begin = piece.text.starts_with("${") ? 2 : 1;
                    std::size_t end = begin;
                    while (end < piece.text.size() && isNameChar(piece.text[end]))
                        ++end;
                    if (end > begin && m_uses.size() < kMostUses)
                        m_uses.insert({piece.text.substr(begin, end - begin), option, option.empty() ? into : ""});
                    continue;
                }
                for (const Value& part : splitAtBlanks(piece.text, 1)) {
                    const std::size_t at = part.text.find("--");
                    if (at == std::string::npos && !isFlag(part.text)) continue;
                    option = part.text.substr(at == std::string::npos ? 0 : at);
                    option = option.substr(0, option.find('='));
                    std::ranges::replace(option, '_', '-');
                    if (!into.empty() && m_holders.size() < kMostUses) m_holders.insert(into);
                    for (Undecided& open : m_open) {
                        if (open.options.size() < kMostUses && isFlag(option)) open.options.insert(option);
                    }
                }
            }
        }
        if (into.empty()) return;
        for (Undecided& open : m_open) {
            if (open.variables.size() < kMostUses) open.variables.insert(into);
        }
    }

    UndecidedBranch finished(Undecided branch) const
    {
        // Variables that are put into others, until there are no more.
        for (std::size_t before = 0; before != branch.variables.size();) {
            before = branch.variables.size();
            for (const Use& use : m_uses) {
                if (branch.variables.contains(use.variable) && !use.into.empty()) branch.variables.insert(use.into);
            }
        }
        for (const Use& use : m_uses) {
            const bool value = !use.option.empty() && !m_holders.contains(use.variable);
            if (value && branch.variables.contains(use.variable)) branch.options.insert(use.option);
        }
        branch.branch.options.assign(branch.options.begin(), branch.options.end());
        return std::move(branch.branch);
    }

    struct Use {
        std::string variable;
        std::string option; ///< whose value it is in
        std::string into; ///< the variable that it is put into

        auto operator<=>(const Use&) const = default;
    };
    static constexpr std::size_t kMostUses = 4096;

    const NeighbourFiles& m_files;
    const ProgramFinder& m_finder; ///< may be empty
    Variables m_variables;
    std::map<std::string, Block> m_functions;
    LaunchCommand m_best;
    Seen m_best_seen;
    bool m_found = false; ///< m_best is a command
    std::vector<Seen> m_seen;
    std::vector<std::string> m_programs;
    std::vector<std::string> m_slurm;
    std::vector<std::string> m_unread_files;
    std::vector<LoopOfCommand> m_loops; ///< around what is read now
    std::vector<Undecided> m_open; ///< the same
    std::vector<Undecided> m_undecided;
    std::set<Use> m_uses;
    std::set<std::string> m_holders; ///< variables with options in them, which are no values of other options
    std::string m_last_test; ///< as written
    bool m_left = false; ///< the script or the function has ended
    std::size_t m_steps = 0;
    std::size_t m_most_steps = 20'000; ///< besides each statement once: loops in loops must come to an end
    int m_nested = 0;
    int m_calls = 0;
    int m_call_line = 0; ///< of the outermost of them
    bool m_takes_arguments = false; ///< the statement that is read has "$@" in it
    int m_aside = 0;
    int m_copies = 0;
    std::size_t m_file_count = 0;
};

} // namespace

Result<LaunchCommand> readLaunchCommand(const LaunchText& text, NoOptions none)
{
    if (isTestCaseYaml(text.text)) return readTestCaseYaml(text.text);
    const ProgramFinder any;
    ScriptReader reader(text.files, any);
    if (const auto read = reader.read(text.text); !read) return tl::unexpected<Error>(read.error());
    return reader.finish(none);
}

Result<LaunchCommand> readCommandOf(const ProgramFinder& finder, const LaunchText& text)
{
    ScriptReader reader(text.files, finder);
    if (const auto read = reader.read(text.text); !read) return tl::unexpected<Error>(read.error());
    return reader.finish(NoOptions::Accepted);
}

} // namespace cardfit
