// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/trainer/arguments.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/text_cursor.h"
#include "core/launch/deepspeed/deepspeed_file.h"
#include "core/launch/flag_reader.h"
#include "core/launch/shell/command_line.h"
#include "core/launch/yaml/yaml_json.h"
#include "core/plan/edits.h"

namespace cardfit {

namespace {

/// A word of a command as the type that it looks like.
Json valueOfWord(const std::string& word)
{
    const std::string lower = lowered(word);
    if (lower == "true") return true;
    if (lower == "false") return false;
    if (lower == "none" || lower == "null") return nullptr;
    if (const auto number = numberIn<std::int64_t>(word)) return *number;
    if (const auto number = numberIn<double>(word)) return *number;
    if (word.starts_with('{')) {
        Json object = anyJson(word);
        if (object.is_object()) return object;
    }
    return word;
}

Json argumentsOf(const std::vector<LaunchFlag>& flags)
{
    Json all = Json::object();
    for (const LaunchFlag& flag : flags) {
        std::string name = flag.name.substr(flag.name.find_first_not_of('-'));
        std::ranges::replace(name, '-', '_');
        if (flag.values.empty()) {
            // --no_packing switches off what is on by default (transformers/hf_argparser.py).
            constexpr std::string_view kNo = "no_";
            if (name.starts_with(kNo))
                all[name.substr(kNo.size())] = false;
            else
                all[name] = true;
        } else if (flag.values.size() == 1) {
            all[name] = valueOfWord(flag.values.front());
        } else {
            all[name] = Json::array();
            for (const std::string& word : flag.values)
                all[name].push_back(valueOfWord(word));
        }
    }
    return all;
}

/// The last program that the text starts: NAME.py without the ending, or the word behind `trl`.
std::string programIn(std::string_view text)
{
    std::string program;
    bool after_trl = false;
    const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    for (TextCursor cursor(text); !cursor.atEnd();) {
        cursor.takeWhile(blank);
        const std::string_view word = cursor.takeWhile([&](char c) { return !blank(c); });
        constexpr std::string_view kEnding = ".py";
        if (after_trl && !word.starts_with('-')) program = std::string(word);
        if (word.ends_with(kEnding)) {
            const std::string_view file = word.substr(word.find_last_of('/') + 1);
            program = std::string(file.substr(0, file.size() - kEnding.size()));
        }
        after_trl = word == "trl";
    }
    return program;
}

bool isFile(std::string_view text)
{
    for (TextCursor cursor(text); !cursor.atEnd(); cursor.take()) {
        const std::string_view line = cursor.takeUntil('\n');
        if (line.empty() || line.front() == '#' || line.front() == ' ' || line.front() == '-') continue;
        const std::size_t end = line.find_first_of(": \t=");
        return line.front() == '{' || (end != std::string_view::npos && line[end] == ':');
    }
    return true;
}

Result<Json> valuesOfFile(std::string_view text) { return text.starts_with('{') ? parseJson(text) : jsonOfYaml(text); }

/// A file with arguments that the command names: behind --config or, without an option, behind the program.
std::string argumentFile(std::string_view text)
{
    std::string file;
    std::string_view before;
    const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    for (TextCursor cursor(text); !cursor.atEnd();) {
        cursor.takeWhile(blank);
        const std::string_view word = cursor.takeWhile([&](char c) { return !blank(c); });
        const bool named = word.ends_with(".yaml") || word.ends_with(".yml") || word.ends_with(".json");
        const bool program = before.ends_with(".py") || before == "train";
        if (named && (before == "--config" || program)) file = std::string(word);
        before = word;
    }
    return file;
}

/// A positive number of one of the names, of the launcher's arguments or the program's.
std::optional<std::int64_t> countOf(const ProgramArguments& arguments, std::initializer_list<std::string_view> names)
{
    for (const Json* from : {&arguments.launcher, &arguments.values}) {
        for (const std::string_view name : names) {
            const auto found = from->find(std::string(name));
            if (found != from->end() && found->is_number_integer() && found->get<std::int64_t>() > 0)
                return countIn(found->dump());
        }
    }
    return std::nullopt;
}

} // namespace

Result<ProgramArguments> readArguments(const LaunchText& launch)
{
    const std::string_view text = launch.text;
    ProgramArguments arguments;
    if (isFile(text)) {
        auto values = valuesOfFile(text);
        if (!values) return tl::unexpected<Error>(std::move(values.error()));
        arguments.values = *std::move(values);
        return arguments;
    }
    const std::string file = argumentFile(text);
    auto command = readLaunchCommand(text, file.empty() ? NoOptions::Refused : NoOptions::Accepted);
    if (!command) return tl::unexpected<Error>(std::move(command.error()));
    if (!file.empty()) {
        const auto there = namedFile(launch.files, file);
        if (!there)
            return fail(ErrorCode::WrongFormat, file,
                Sentence::tr("the arguments are in this file, which is not there: import it instead"));
        auto values = valuesOfFile(*there);
        if (!values) {
            Error& error = values.error();
            return fail(error.code, fmt::format("{}: {}", file, error.where.english()), std::move(error.message));
        }
        arguments.values = *std::move(values);
    }
    arguments.is_command = true;
    const Json own = argumentsOf(command->program);
    for (const auto& [name, value] : own.items())
        arguments.values[name] = value;
    arguments.launcher = argumentsOf(command->runner);
    arguments.program = programIn(text);
    FlagReader program(command->program);
    noteOtherCommands(*command, program);
    arguments.notes = std::move(program.notes());
    arguments.environment = std::move(command->environment);
    return arguments;
}

bool hasArgument(std::string_view text, std::string_view name)
{
    std::string hyphens(name);
    std::ranges::replace(hyphens, '_', '-');
    const auto option = [&](std::string_view spelling) {
        const std::string flag = fmt::format("--{}", spelling);
        for (std::size_t at = text.find(flag); at != std::string_view::npos; at = text.find(flag, at + 1)) {
            const std::string_view after = text.substr(at + flag.size());
            if (after.empty() || after.front() == '=' || std::isspace(static_cast<unsigned char>(after.front())) != 0)
                return true;
        }
        return false;
    };
    return hasYamlKey(text, name) || option(name) || option(hyphens)
        || (text.starts_with('{') && text.find(fmt::format("\"{}\"", name)) != std::string_view::npos);
}

void readProcesses(const ProgramArguments& arguments, Plan& plan, Notes& notes)
{
    Cluster& cluster = plan.cluster;
    const auto in_environment = [&](const char* name) -> std::optional<std::int64_t> {
        const auto found = arguments.environment.find(name);
        return found == arguments.environment.end() ? std::nullopt : countIn(found->second);
    };
    auto nodes = countOf(arguments, {"num_machines", "nnodes", "num_nodes", "nodes"});
    if (!nodes) nodes = in_environment("NNODES");
    auto cards = countOf(arguments, {"nproc_per_node", "num_gpus", "gpus_per_node", "ntasks_per_node"});
    if (!cards) cards = in_environment("NPROC_PER_NODE");
    const auto all = countOf(arguments, {"num_processes"}); // accelerate counts those of all machines
    if (!cards && all) cards = std::max<std::int64_t>(*all / nodes.value_or(1), 1);
    if (const auto visible = arguments.environment.find("CUDA_VISIBLE_DEVICES"); !cards
        && visible != arguments.environment.end() && !visible->second.empty()
        && std::isdigit(static_cast<unsigned char>(visible->second.front())) != 0)
        cards = std::ranges::count(visible->second, ',') + 1;
    if (cards) setCardsPerNode(cluster, *cards);
    if (nodes || cards) cluster.nodes = nodes.value_or(1);
    if (!nodes && !cards)
        notes.add("cards", fmt::format("{} x {}", cluster.nodes, cluster.cards_per_node),
            Sentence::tr("the number is not given; taken from the cluster"));
}

} // namespace cardfit
