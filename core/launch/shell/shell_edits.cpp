// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "core/launch/option_edits.h"
#include "core/launch/shell/command_line.h"
#include "core/launch/shell/shell_words.h"
#include "core/launch/shell/test_case_yaml.h"

namespace cardfit {

namespace {

using shell::isBlank;
using shell::isNameChar;

/// torchrun's names for nodes and cards, and their names in Slurm and older launchers.
struct Alias {
    std::string_view name;
    std::string_view other;
};
constexpr std::array<Alias, 4> kAliases{{{"--nnodes", "--nodes"}, {"--nnodes", "-N"},
    {"--nproc-per-node", "--gpus-per-node"}, {"--nproc-per-node", "--ntasks-per-node"}}};

/// vLLM's options and their short forms.
constexpr std::array<Alias, 4> kShortForms{{{"--tensor-parallel-size", "-tp"}, {"--pipeline-parallel-size", "-pp"},
    {"--data-parallel-size", "-dp"}, {"--quantization", "-q"}}};

/// As many texts are proposed for an edit, so that one option in thousands of places does not exhaust the memory.
constexpr std::size_t kMostProposals = 64;

/// Position of an option in a text, with the words of its value.
struct Place {
    std::size_t begin = 0;
    std::size_t name_end = 0;
    std::size_t value_begin = 0; ///< name_end if there is no value
    std::size_t value_end = 0;
};

/// The end of the word that begins at `at`: a quoted string, or everything up to a blank, a quote, a closing bracket or
/// a shell operator.
std::size_t wordEnd(std::string_view text, std::size_t at)
{
    if (at < text.size() && (text[at] == '"' || text[at] == '\'')) {
        const std::size_t close = text.find(text[at], at + 1);
        return close == std::string_view::npos ? at : close + 1;
    }
    constexpr std::string_view kEnds = " \t\r\n\"'\\);|&<>";
    while (at < text.size() && kEnds.find(text[at]) == std::string_view::npos) {
        const char next = text[at] == '$' && at + 1 < text.size() ? text[at + 1] : '\0';
        if (next != '{' && next != '(') {
            ++at;
            continue;
        }
        const char close = next == '{' ? '}' : ')';
        int depth = 0;
        for (++at; at < text.size(); ++at) {
            if (text[at] == next) ++depth;
            if (text[at] == close && --depth == 0) break;
        }
        at = std::min(at + 1, text.size());
    }
    return at;
}

std::size_t afterBlanks(std::string_view text, std::size_t at)
{
    while (at < text.size() && isBlank(text[at]))
        ++at;
    return at;
}

/// Whether the option's name is at this position; underscores count as hyphens.
bool standsAt(std::string_view text, std::size_t at, std::string_view name)
{
    if (text.size() - at < name.size()) return false;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char found = text[at + i] == '_' ? '-' : text[at + i];
        if (found != name[i]) return false;
    }
    constexpr std::string_view kBefore = " \t\r\n\"'(=";
    const char after = at + name.size() < text.size() ? text[at + name.size()] : ' ';
    return (at == 0 || kBefore.find(text[at - 1]) != std::string_view::npos) && !isNameChar(after) && after != '-';
}

/// The positions of the option with up to `words` words of value; the last occurrence, which counts, comes first.
std::vector<Place> placesOf(std::string_view text, std::string_view name, std::size_t words)
{
    std::vector<Place> places;
    const bool yaml = isTestCaseYaml(text);
    for (std::size_t at = text.find('-'); at != std::string_view::npos; at = text.find('-', at + 1)) {
        if (!standsAt(text, at, name)) continue;
        Place place{at, at + name.size(), at + name.size(), at + name.size()};
        const char after = place.name_end < text.size() ? text[place.name_end] : '\n';
        if (yaml && after == ':') {
            place.value_begin = afterBlanks(text, place.name_end + 1);
            place.value_end = std::min(text.find(" #", place.value_begin), lineEnd(text, place.value_begin));
        } else if (after == '=') {
            place.value_begin = place.name_end + 1;
            place.value_end = wordEnd(text, place.value_begin);
        } else {
            std::size_t next = afterBlanks(text, place.name_end);
            for (std::size_t word = 0; word < words; ++word) {
                const std::size_t end = wordEnd(text, next);
                if (end == next) break;
                if (word == 0) place.value_begin = next;
                place.value_end = end;
                next = afterBlanks(text, end);
            }
        }
        places.push_back(place);
    }
    std::ranges::reverse(places);
    return places;
}

std::size_t wordCount(std::string_view value)
{
    return value.empty() ? 0 : static_cast<std::size_t>(std::ranges::count(value, ' ')) + 1;
}

/// Puts words in single quotes that the shell would not take literally.
std::string shellQuoted(std::string_view value)
{
    constexpr std::string_view kPlain = "_./:,+=@%-";
    std::string said;
    while (!value.empty()) {
        const std::string_view word = value.substr(0, value.find(' '));
        value.remove_prefix(std::min(word.size() + 1, value.size()));
        const bool plain = std::ranges::all_of(
            word, [&](char c) { return isNameChar(c) || kPlain.find(c) != std::string_view::npos; });
        if (!said.empty()) said += ' ';
        said += plain ? std::string(word) : '\'' + std::string(word) + '\'';
    }
    return said;
}

/// The variable name if the word is "$TP", "${TP}" or one of them in double quotes; empty otherwise.
std::string_view variableIn(std::string_view word)
{
    if (word.size() > 2 && word.front() == '"' && word.back() == '"') word = word.substr(1, word.size() - 2);
    if (!word.starts_with('$')) return {};
    word.remove_prefix(1);
    if (word.starts_with('{') && word.ends_with('}')) word = word.substr(1, word.size() - 2);
    return std::ranges::all_of(word, isNameChar) ? word : std::string_view();
}

/// Proposes texts with another value in an assignment NAME=…, or in its default: NAME=${NAME:-8}, NAME=${1:-8}.
void proposeAssignments(
    std::string_view text, std::string_view variable, std::string_view value, std::vector<std::string>& proposals)
{
    const std::string head = std::string(variable) + '=';
    for (std::size_t at = text.find(head); at != std::string_view::npos; at = text.find(head, at + 1)) {
        if (proposals.size() >= kMostProposals) return;
        if (at > 0 && (isNameChar(text[at - 1]) || text[at - 1] == '-')) continue;
        std::size_t begin = at + head.size();
        std::size_t end = wordEnd(text, begin);
        std::string_view word = text.substr(begin, end - begin);
        if (word.size() > 1 && (word.front() == '"' || word.front() == '\'')) {
            ++begin;
            --end;
            word = text.substr(begin, end - begin);
        }
        const std::size_t usual = word.find(":-");
        if (word.starts_with("${") && word.ends_with('}') && usual != std::string_view::npos) {
            begin += usual + 2;
            --end;
        }
        proposals.push_back(spliced(text, begin, end, value));
    }
}

void proposeRemoval(std::string_view text, const Place& place, std::vector<std::string>& proposals)
{
    const std::size_t first = lineBegin(text, place.begin);
    const std::size_t last = lineEnd(text, place.value_end);
    const std::string_view rest = text.substr(place.value_end, last - place.value_end);
    const bool alone = afterBlanks(text, first) == place.begin
        && std::ranges::all_of(rest, [](char c) { return isBlank(c) || c == '\\'; });
    if (!alone) {
        const std::size_t begin = place.begin > first && isBlank(text[place.begin - 1]) ? place.begin - 1 : place.begin;
        proposals.push_back(spliced(text, begin, place.value_end, {}));
        return;
    }
    std::string without = spliced(text, first, std::min(last + 1, text.size()), {});
    // After removing the command's last line, the line before must not be continued.
    std::size_t before = first;
    while (before > 0 && (isBlank(text[before - 1]) || text[before - 1] == '\n'))
        --before;
    if (rest.find('\\') == std::string_view::npos && before > 0 && text[before - 1] == '\\') {
        while (before > 1 && isBlank(text[before - 2]))
            --before;
        proposals.push_back(spliced(text, before - 1, last, {}));
    }
    proposals.push_back(std::move(without));
}

/// Inserts the option after another one, on its own line if the other one has one.
void proposeAddition(
    std::string_view text, const Place& beside, const OptionEdit& edit, std::vector<std::string>& proposals)
{
    const std::size_t end = beside.value_end;
    const std::string indent(indentAt(text, beside.begin));
    if (isTestCaseYaml(text)) {
        const std::string value = edit.value->empty() ? "true" : *edit.value;
        proposals.push_back(spliced(text, lineEnd(text, end), lineEnd(text, end),
            '\n' + indent + edit.name + ": "
                + (value.find_first_of("*|[") == std::string::npos ? value : '\'' + value + '\'')));
        return;
    }
    const std::string said = edit.name + (edit.value->empty() ? "" : ' ' + shellQuoted(*edit.value));
    const std::size_t next = afterBlanks(text, end);
    const bool goes_on = next < text.size() && text[next] == '\\';
    const bool begins_line = afterBlanks(text, lineBegin(text, beside.begin)) == beside.begin;
    const bool ends_line = next == text.size() || text[next] == '\n' || text[next] == '\r' || goes_on;
    if (begins_line && ends_line) {
        if (!goes_on) proposals.push_back(spliced(text, end, end, '\n' + indent + said));
        proposals.push_back(spliced(text, end, end, " \\\n" + indent + said));
    }
    proposals.push_back(spliced(text, end, end, ' ' + said));
}

std::vector<std::string_view> spellings(std::string_view name)
{
    std::vector<std::string_view> all{name};
    const auto take = [&](const Alias& alias) {
        if (alias.name == name) all.push_back(alias.other);
    };
    std::ranges::for_each(kAliases, take);
    std::ranges::for_each(kShortForms, take);
    return all;
}

std::string_view longForm(std::string_view name)
{
    const auto* known = std::ranges::find(kShortForms, name, &Alias::other);
    return known == kShortForms.end() ? name : known->name;
}

} // namespace

LaunchOptions shellOptions(std::string_view text)
{
    const auto command = readLaunchCommand(text, NoOptions::Accepted);
    LaunchOptions options;
    if (!command) return options;
    std::map<std::string, std::size_t, std::less<>> places;
    const auto take = [&](const LaunchFlag& flag, std::string_view name, bool first_only) {
        std::string value;
        for (const std::string& word : flag.values) {
            value += (value.empty() ? "" : " ") + word;
            if (first_only) break; // the program's name may follow
        }
        const auto [place, is_new] = places.emplace(name, options.size());
        if (is_new)
            options.push_back({std::string(name), std::move(value)});
        else
            options[place->second].value = std::move(value); // the last of equal options counts
    };
    for (const LaunchFlag& flag : command->runner) {
        for (const std::string_view name : {std::string_view("--nnodes"), std::string_view("--nproc-per-node")}) {
            if (std::ranges::any_of(spellings(name), [&](std::string_view one) { return one == flag.name; }))
                take(flag, name, true);
        }
    }
    for (const LaunchFlag& flag : command->program)
        take(flag, longForm(flag.name), false);
    return options;
}

std::vector<std::string> shellEdits(std::string_view text, const OptionEdit& edit)
{
    const LaunchOptions options = shellOptions(text);
    const auto valueOf = [&](std::string_view name) -> std::string_view {
        const auto found = std::ranges::find(options, name, &LaunchOption::name);
        return found == options.end() ? std::string_view() : std::string_view(found->value);
    };
    const bool there = std::ranges::find(options, edit.name, &LaunchOption::name) != options.end();
    std::vector<std::string> proposals;
    if (!there && edit.value) {
        for (const std::string& neighbour : edit.neighbours) {
            for (const std::string_view name : spellings(neighbour)) {
                for (const Place& beside : placesOf(text, name, wordCount(valueOf(neighbour)))) {
                    if (proposals.size() < kMostProposals) proposeAddition(text, beside, edit, proposals);
                }
            }
        }
        return proposals;
    }
    for (const std::string_view name : spellings(edit.name)) {
        for (const Place& place : placesOf(text, name, wordCount(valueOf(edit.name)))) {
            if (proposals.size() >= kMostProposals) return proposals;
            if (!edit.value) {
                proposeRemoval(text, place, proposals);
                continue;
            }
            const std::string_view word = text.substr(place.value_begin, place.value_end - place.value_begin);
            if (const std::string_view variable = variableIn(word); !variable.empty())
                proposeAssignments(text, variable, *edit.value, proposals);
            const std::string blank = place.value_begin == place.name_end ? " " : "";
            proposals.push_back(spliced(text, place.value_begin, place.value_end, blank + shellQuoted(*edit.value)));
            proposals.push_back(spliced(text, place.value_begin, place.value_end, blank + *edit.value));
        }
    }
    return proposals;
}

} // namespace cardfit
