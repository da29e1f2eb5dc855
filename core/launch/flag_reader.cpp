// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/flag_reader.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text_cursor.h"
#include "core/plan/edits.h"

namespace cardfit {

namespace {

// Larger than any count here, and safe to multiply by a few hundred, as in plan files.
constexpr std::int64_t kMostCounted = std::int64_t{1} << 40;

std::string valueText(const LaunchFlag& flag) { return fmt::format("{}", fmt::join(flag.values, " ")); }

} // namespace

std::optional<std::int64_t> countIn(std::string_view text, std::int64_t least)
{
    const auto number = numberIn<std::int64_t>(text);
    return number && *number >= least && *number <= kMostCounted ? number : std::nullopt;
}

FlagReader::FlagReader(std::vector<LaunchFlag> flags)
{
    for (LaunchFlag& flag : flags) {
        const auto [place, is_new] = m_places.emplace(flag.name, m_flags.size());
        if (is_new) {
            m_flags.push_back({std::move(flag)});
            continue;
        }
        LaunchFlag& same = m_flags[place->second].flag;
        if (same.values != flag.values)
            m_notes.push_back({flag.name, valueText(same), Sentence::tr("given more than once; the last one counts")});
        same = std::move(flag);
    }
}

bool FlagReader::has(std::string_view name) const
{
    m_known.emplace(name);
    return m_places.contains(name);
}

const LaunchFlag* FlagReader::find(std::string_view name)
{
    m_known.emplace(name);
    return taken(name);
}

const LaunchFlag* FlagReader::taken(std::string_view name)
{
    const auto place = m_places.find(name);
    if (place == m_places.end()) return nullptr;
    Entry& found = m_flags[place->second];
    found.read = true;
    return &found.flag;
}

bool FlagReader::flag(std::string_view name) { return find(name) != nullptr; }

void FlagReader::read(std::string_view name, std::int64_t& value, std::int64_t least)
{
    if (const auto number = whole(name, least)) value = *number;
}

std::optional<std::int64_t> FlagReader::whole(std::string_view name, std::int64_t least)
{
    const LaunchFlag* flag = find(name);
    if (flag == nullptr) return std::nullopt;
    const auto number = flag->values.size() == 1 ? numberIn<std::int64_t>(flag->values.front()) : std::nullopt;
    const Sentence expectation = Sentence::tr("a whole number of at least {}", {least});
    if (!number)
        refuse(name, ErrorCode::WrongType, expectation);
    else if (*number < least || *number > kMostCounted)
        refuse(name, ErrorCode::OutOfRange, expectation);
    else
        return number;
    return std::nullopt;
}

void FlagReader::read(std::string_view name, double& value, double least, double most)
{
    const LaunchFlag* flag = find(name);
    if (flag == nullptr) return;
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const double number = flag->values.size() == 1 ? numberIn<double>(flag->values.front()).value_or(kNone) : kNone;
    const Sentence expectation =
        Sentence::tr("a number from {} to {}", {fmt::format("{}", least), fmt::format("{}", most)});
    if (!std::isfinite(number))
        refuse(name, ErrorCode::WrongType, expectation);
    else if (number < least || number > most)
        refuse(name, ErrorCode::OutOfRange, expectation);
    else
        value = number;
}

std::optional<std::string> FlagReader::word(std::string_view name)
{
    const LaunchFlag* flag = find(name);
    if (flag == nullptr) return std::nullopt;
    if (flag->values.size() == 1) return flag->values.front();
    refuse(name, ErrorCode::WrongType, Sentence::tr("one word"));
    return std::nullopt;
}

std::vector<std::string> FlagReader::words(std::string_view name)
{
    const LaunchFlag* flag = find(name);
    return flag == nullptr ? std::vector<std::string>() : flag->values;
}

void FlagReader::skip(std::initializer_list<std::string_view> names)
{
    for (const std::string_view name : names)
        static_cast<void>(find(name));
}

void FlagReader::miss(std::string_view names, Sentence why)
{
    if (!m_error) m_error = Error{ErrorCode::MissingKey, {}, Sentence::verbatim(std::string(names)), std::move(why)};
}

void FlagReader::refuse(std::string_view name, ErrorCode code, Sentence expectation)
{
    if (m_error) return;
    const LaunchFlag* flag = find(name);
    Sentence found = Sentence::tr("nothing");
    if (flag != nullptr && !flag->values.empty()) found = Sentence::verbatim('"' + valueText(*flag) + '"');
    m_error = Error{code, {}, Sentence::tr("line {}, {}", {flag == nullptr ? 0 : flag->line, name}),
        Sentence::tr("expected {}, found {}", {std::move(expectation), std::move(found)})};
}

void FlagReader::note(std::string_view name, Sentence why)
{
    const LaunchFlag* flag = taken(name);
    m_notes.push_back({std::string(name), flag == nullptr ? std::string() : valueText(*flag), std::move(why)});
}

void FlagReader::note(std::string what, std::string value, Sentence why)
{
    m_notes.push_back({std::move(what), std::move(value), std::move(why)});
}

void FlagReader::noteAssumed(std::string_view name, Sentence why)
{
    note(name, std::move(why));
    m_notes.back().assumed = true;
}

void FlagReader::noteAssumed(std::string what, std::string value, Sentence why)
{
    m_notes.push_back({std::move(what), std::move(value), std::move(why), true});
}

std::vector<LaunchFlag> FlagReader::unread() const
{
    std::vector<LaunchFlag> left;
    for (const Entry& entry : m_flags) {
        if (!entry.read) left.push_back(entry.flag);
    }
    return left;
}

void setCardsPerNode(Cluster& cluster, std::int64_t cards)
{
    if (cards == cluster.cards_per_node) return;
    markAsOwn(cluster);
    cluster.cards_per_node = cards;
}

void readCards(FlagReader& runner, FlagReader& program, Cluster& cluster)
{
    const auto count = [&](std::initializer_list<std::string_view> names,
                           FlagReader& from) -> std::optional<std::int64_t> {
        for (const std::string_view name : names) {
            // The first word is the number; the program's name may follow.
            const auto words = from.words(name);
            if (words.empty()) continue;
            if (const auto number = countIn(words.front())) return number;
            program.note(std::string(name), words.front(), Sentence::tr("not a number; the cluster's own is kept"));
        }
        return std::nullopt;
    };
    const auto either = [&](std::initializer_list<std::string_view> names) {
        const auto found = count(names, runner);
        return found ? found : count(names, program);
    };
    for (const std::string_view name : {"--nproc-per-node", "--nnodes"})
        static_cast<void>(program.has(name)); // known, even if the runner has it
    const auto cards = either({"--nproc-per-node", "--gpus-per-node", "--ntasks-per-node"});
    const auto nodes = either({"--nnodes", "--nodes", "-N"});
    if (cards) setCardsPerNode(cluster, *cards);
    if (nodes) cluster.nodes = *nodes;
    if (cards && !nodes) cluster.nodes = 1; // torchrun's default
    if (!cards && !nodes) {
        program.noteAssumed("cards", fmt::format("{} x {}", cluster.nodes, cluster.cards_per_node),
            Sentence::tr("neither --nnodes nor --nproc-per-node is given; the cluster's own number is used"));
    }
}

void noteUnknown(const LaunchCommand& command, FlagReader& program)
{
    const auto counts = [&](std::string_view option) { return program.knows(option); };
    std::vector<LaunchNote> first;
    const auto shown = [](const std::string& name) {
        return std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; }) ? "$" + name : name;
    };
    for (const std::string& name : command.required)
        first.push_back({shown(name), {}, Sentence::tr("not set here, and the script ends where it is not")});
    const std::set<std::string> required(command.required.begin(), command.required.end());
    for (const UnsetUse& use : command.missing) {
        if (required.contains(use.name)) continue;
        if (use.option.empty())
            first.push_back({use.name, {}, Sentence::tr("not set here; options in it are missing")});
        else if (counts(use.option))
            first.push_back({use.name, {}, Sentence::tr("not set here; the value of {} is not known", {use.option})});
    }
    for (const std::string& file : command.unread_files) {
        if (!first.empty())
            first.push_back(
                {file, {}, Sentence::tr("not read, though the script sources it; what it sets is missing")});
    }
    for (const UndecidedBranch& branch : command.undecided) {
        std::vector<std::string> options = branch.options;
        std::erase_if(options, [&](const std::string& option) { return !counts(option); });
        if (options.empty()) continue;
        constexpr std::size_t kMostNamed = 12;
        const bool more = options.size() > kMostNamed;
        if (more) options.resize(kMostNamed);
        const std::string named = fmt::format("{}{}", fmt::join(options, ", "), more ? ", …" : "");
        first.push_back({branch.condition, {},
            branch.read == 0
                ? Sentence::tr("not known (line {}) and taken as not so; on it hang {}", {branch.line, named})
                : Sentence::tr("not known (line {}); read was what begins on line {}; on it hang {}",
                    {branch.line, branch.read, named})});
    }
    for (const LoopOfCommand& loop : command.loops) {
        if (loop.values.size() > 1)
            first.push_back({"for " + loop.variable, fmt::format("{}", fmt::join(loop.values, " ")),
                Sentence::tr("the command runs once for each; read for {}", {loop.values.back()})});
    }
    for (LaunchNote& note : first)
        note.assumed = true; // of what is open one way was taken
    program.notes().insert(program.notes().begin(), first.begin(), first.end());
}

void noteOtherCommands(const LaunchCommand& command, FlagReader& program)
{
    if (command.other_commands.empty()) return;
    program.note("commands", std::to_string(command.other_commands.size() + 1),
        Sentence::tr("only the one with options from line {} was read: it has the most, or is the last with as many; "
                     "not read: line {}",
            {command.line, fmt::format("{}", fmt::join(command.other_commands, ", "))}));
}

} // namespace cardfit
