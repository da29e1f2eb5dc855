// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/completion.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/files/foreign_text.h"
#include "core/launch/reference.h"

namespace cardfit::app {

namespace {

/// How a value is completed.
enum class Values { None, Words, Files, Plans, Any };

/// An option or a positional argument.
struct Parameter {
    std::string name; ///< "--unit", or "plan" for a positional argument
    std::vector<std::string> aliases; ///< "-h"
    std::string about;
    Values values = Values::None;
    std::vector<std::string> words;
    bool repeatable = false;
};

struct Command {
    std::string name;
    std::string about;
    std::vector<Parameter> options;
    std::vector<Parameter> places;
};

/// The words of "TEXT:{memory,timeline}"; empty if there are none.
std::vector<std::string> wordsIn(const std::string& type)
{
    const std::size_t begin = type.find('{');
    const std::size_t end = type.find('}', begin);
    if (begin == std::string::npos || end == std::string::npos) return {};
    return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

Parameter parameterOf(const CLI::Option& option)
{
    Parameter parameter;
    // Of several names the first is offered; the others are those of earlier versions.
    if (!option.get_lnames().empty()) parameter.name = "--" + option.get_lnames().front();
    for (const std::string& name : option.get_snames())
        parameter.aliases.push_back("-" + name);
    if (parameter.name.empty()) parameter.name = option.get_name(true);
    parameter.about = option.get_description();
    parameter.repeatable = option.get_expected_max() > 1;
    if (option.get_items_expected_max() == 0) return parameter; // a flag
    const std::string type = option.get_type_name();
    parameter.words = wordsIn(type);
    parameter.values = !parameter.words.empty() ? Values::Words
        : type.starts_with("FILE")              ? Values::Files
        : type.starts_with("PLAN")              ? Values::Plans
                                                : Values::Any;
    return parameter;
}

/// Includes the options of groups, which CLI11 stores as nameless subcommands.
void addParameters(const CLI::App& app, Command& command)
{
    for (const CLI::Option* option : app.get_options())
        (option->nonpositional() ? command.options : command.places).push_back(parameterOf(*option));
    for (const CLI::App* group : app.get_subcommands([](const CLI::App* one) { return one->get_name().empty(); }))
        addParameters(*group, command);
}

Command commandOf(const CLI::App& app)
{
    Command command{app.get_name(), app.get_description(), {}, {}};
    addParameters(app, command);
    return command;
}

std::vector<Command> commandsOf(const CLI::App& app)
{
    std::vector<Command> commands;
    for (const CLI::App* one : app.get_subcommands([](const CLI::App* each) { return !each->get_name().empty(); }))
        commands.push_back(commandOf(*one));
    return commands;
}

std::string replaced(const std::string& text, const std::vector<std::pair<char, std::string_view>>& replacements)
{
    std::string changed;
    for (const char c : text) {
        const auto found = std::ranges::find(replacements, c, &std::pair<char, std::string_view>::first);
        if (found != replacements.end())
            changed += found->second;
        else
            changed += c;
    }
    return changed;
}

/// A name for shell functions: "cardfit_cli".
std::string identifier(const std::string& program) { return replaced(program, {{'-', "_"}}); }

std::string bashScript(const CLI::App& app)
{
    const std::string program = app.get_name();
    std::string text = fmt::format("# bash completion for {0}, made by `{0} completion bash`\n"
                                   "_{1}()\n{{\n"
                                   "    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}}\n"
                                   "    local command=${{COMP_WORDS[1]}} words='' files='' plans=''\n"
                                   "    [ \"$COMP_CWORD\" -gt 1 ] || command=''\n"
                                   "    case \"$command $prev\" in\n",
        program, identifier(program));
    const auto completing = [](const Parameter& parameter) -> std::string {
        switch (parameter.values) {
        case Values::Words: return fmt::format("words='{}'", fmt::join(parameter.words, " "));
        case Values::Files: return "files=1";
        case Values::Plans: return "plans=1 files=1";
        case Values::None:
        case Values::Any: break;
        }
        return ":";
    };
    const auto commands = commandsOf(app);
    for (const Command& command : commands) {
        for (const Parameter& option : command.options) {
            if (option.values != Values::None)
                text += fmt::format("    '{} {}') {} ;;\n", command.name, option.name, completing(option));
        }
    }
    text += "    *)\n        case \"$command\" in\n";
    for (const Command& command : commands) {
        std::vector<std::string> names;
        for (const Parameter& option : command.options)
            names.push_back(option.name);
        std::string places;
        for (const Parameter& place : command.places)
            places += places.empty() || places == ":" ? completing(place) : "";
        text += fmt::format(
            "        {})\n            case \"$cur\" in\n            -*) words='{}' ;;\n            *) {} ;;\n"
            "            esac ;;\n",
            command.name, fmt::join(names, " "), places.empty() ? ":" : places);
    }
    std::vector<std::string> first;
    for (const Command& command : commands)
        first.push_back(command.name);
    for (const Parameter& option : commandOf(app).options)
        first.push_back(option.name);
    text += fmt::format("        '') words='{}' files=1 ;;\n        esac ;;\n    esac\n", fmt::join(first, " "));
    text += fmt::format("    [ -z \"$plans\" ] || words=$({} presets plans 2>/dev/null | cut -d ' ' -f 1)\n"
                        "    mapfile -t COMPREPLY < <(\n"
                        "        [ -z \"$words\" ] || compgen -W \"$words\" -- \"$cur\"\n"
                        "        [ -z \"$files\" ] || compgen -f -- \"$cur\"\n"
                        "    )\n"
                        "    [ -z \"$files\" ] || compopt -o filenames 2>/dev/null\n"
                        "    return 0\n"
                        "}}\n"
                        "complete -F _{} {}\n",
        program, identifier(program), program);
    return text;
}

std::string zshScript(const CLI::App& app)
{
    const std::string program = app.get_name();
    // Escapes for single quotes and for the brackets and colons of a specification.
    const auto quoted = [](const std::string& text) {
        return replaced(text, {{'\'', "'\\''"}, {'[', "\\["}, {']', "\\]"}, {':', "\\:"}});
    };
    const auto action = [&](const Parameter& parameter) -> std::string {
        switch (parameter.values) {
        case Values::Words: return fmt::format("({})", fmt::join(parameter.words, " "));
        case Values::Files: return "_files";
        case Values::Plans: return fmt::format("_{}_plans", identifier(program));
        case Values::None:
        case Values::Any: break;
        }
        return " ";
    };
    const auto specification = [&](const Parameter& option) {
        const std::string head =
            fmt::format("{}{}[{}]", option.repeatable ? "*" : "", option.name, quoted(option.about));
        return option.values == Values::None ? fmt::format("'{}'", head)
                                             : fmt::format("'{}:{}:{}'", head, option.name.substr(2), action(option));
    };
    std::string text =
        fmt::format("#compdef {0}\n# zsh completion for {0}, made by `{0} completion zsh`\n"
                    "_{1}_plans() {{\n"
                    "    local -a plans=(${{(f)\"$({0} presets plans 2>/dev/null | cut -d ' ' -f 1)\"}})\n"
                    "    _alternative 'plans:plan:compadd -a plans' 'files:file:_files'\n}}\n"
                    "_{1}() {{\n    local curcontext=$curcontext state line\n    local -a commands=(\n",
            program, identifier(program));
    const auto commands = commandsOf(app);
    for (const Command& command : commands)
        text += fmt::format("        '{}:{}'\n", command.name, quoted(command.about));
    text += "    )\n    _arguments -C";
    for (const Parameter& option : commandOf(app).options)
        text += " " + specification(option);
    text += " '1: :->command' '*:: :->arguments'\n"
            "    case $state in\n"
            "    command)\n        _describe -t commands command commands\n        _files\n        ;;\n"
            "    arguments)\n        case $line[1] in\n";
    for (const Command& command : commands) {
        text += fmt::format("        {})\n            _arguments", command.name);
        for (const Parameter& option : command.options)
            text += " \\\n                " + specification(option);
        for (const Parameter& place : command.places)
            text +=
                fmt::format(" \\\n                '{}:{}:{}'", place.repeatable ? "*" : "", place.name, action(place));
        text += "\n            ;;\n";
    }
    text += fmt::format("        esac\n        ;;\n    esac\n}}\n"
                        "if [ \"$funcstack[1]\" = _{0} ]; then _{0} \"$@\"; else compdef _{0} {1}; fi\n",
        identifier(program), program);
    return text;
}

std::string fishScript(const CLI::App& app)
{
    const std::string program = app.get_name();
    const auto quoted = [](const std::string& text) { return replaced(text, {{'\\', "\\\\"}, {'\'', "\\'"}}); };
    const auto plans = fmt::format("({} presets plans 2>/dev/null | string split -f 1 \" \")", program);
    const auto completing = [&](const Parameter& parameter) -> std::string {
        switch (parameter.values) {
        case Values::None: return "";
        case Values::Words: return fmt::format(" -x -a '{}'", fmt::join(parameter.words, " "));
        case Values::Files: return " -r -F";
        case Values::Plans: return fmt::format(" -r -F -a '{}'", plans);
        case Values::Any: return " -x";
        }
        return "";
    };
    std::string text = fmt::format("# fish completion for {0}, made by `{0} completion fish`\n", program);
    const auto option = [&](const std::string& condition, const Parameter& parameter) {
        text += fmt::format("complete -c {} -n '{}' -l {}", program, condition, parameter.name.substr(2));
        for (const std::string& alias : parameter.aliases)
            text += " -s " + alias.substr(1);
        text += fmt::format("{} -d '{}'\n", completing(parameter), quoted(parameter.about));
    };
    for (const Parameter& parameter : commandOf(app).options)
        option("__fish_use_subcommand", parameter);
    for (const Command& command : commandsOf(app)) {
        text += fmt::format(
            "complete -c {} -n __fish_use_subcommand -a {} -d '{}'\n", program, command.name, quoted(command.about));
        const std::string within = "__fish_seen_subcommand_from " + command.name;
        bool files = false;
        for (const Parameter& place : command.places) {
            files = files || place.values == Values::Files || place.values == Values::Plans;
            if (place.values == Values::Words || place.values == Values::Plans) {
                text += fmt::format("complete -c {} -n '{}' -a '{}'\n", program, within,
                    place.values == Values::Plans ? plans : fmt::format("{}", fmt::join(place.words, " ")));
            }
        }
        if (!files) text += fmt::format("complete -c {} -n '{}' -f\n", program, within);
        for (const Parameter& parameter : command.options)
            option(within, parameter);
    }
    return text;
}

/// Escapes text for roff: hyphens stay searchable and copyable, and no line is read as a request.
std::string roff(const std::string& text)
{
    std::string escaped = replaced(text, {{'\\', "\\e"}, {'-', "\\-"}, {'\n', "\n.br\n"}});
    if (escaped.starts_with('.') || escaped.starts_with('\'')) escaped.insert(0, "\\&");
    return escaped;
}

std::string roffItem(const Parameter& parameter)
{
    std::string name = "\\fB" + roff(parameter.name) + "\\fR";
    for (const std::string& alias : parameter.aliases)
        name.insert(0, "\\fB" + roff(alias) + "\\fR, ");
    switch (parameter.values) {
    case Values::None: break;
    case Values::Words: // with blanks, at which a long list is broken into lines
        name += fmt::format(" {}", roff(fmt::format("{}", fmt::join(parameter.words, " | "))));
        break;
    case Values::Files: name += " \\fIFILE\\fR"; break;
    case Values::Plans: name += " \\fIPLAN\\fR"; break;
    case Values::Any: name += " \\fIVALUE\\fR"; break;
    }
    return fmt::format(".TP\n{}\n{}\n", name, roff(parameter.about));
}

/// "`--unit GB | GiB`", "`plan`".
std::string markdownName(const Parameter& parameter)
{
    std::string name = parameter.name;
    for (const std::string& alias : parameter.aliases)
        name.insert(0, alias + ", ");
    switch (parameter.values) {
    case Values::None: break;
    case Values::Words: name += fmt::format(" {}", fmt::join(parameter.words, " | ")); break;
    case Values::Files: name += " FILE"; break;
    case Values::Plans: name += " PLAN"; break;
    case Values::Any: name += " VALUE"; break;
    }
    return markdownCode(name);
}

constexpr std::array<std::pair<const char*, const char*>, 4> kVariables{{
    {"CARDFIT_PRESETS", "Folders of presets, separated by colons, that go before all others"},
    {"CARDFIT_VALIDATION", "Folders of measured runs, separated by colons, that go before all others"},
    {"XDG_DATA_HOME", "Your own presets are in its folder cardfit/presets; ~/.local/share if not set or relative"},
    {"XDG_DATA_DIRS", "Folders below which the presets that ship are looked for, after those beside the program"},
}};

} // namespace

std::string completionScript(const CLI::App& commands, std::string_view shell)
{
    return shell == "bash" ? bashScript(commands) : shell == "zsh" ? zshScript(commands) : fishScript(commands);
}

std::string commandReference(const CLI::App& app)
{
    const std::string program = app.get_name();
    std::string text =
        fmt::format("# Commands\n\n{} COMMAND [OPTION]... [PLAN]...\n\n{}\n\n{}\n", markdownCode(program),
            markdownText(app.get_description()), markdownText(replaced(app.get_footer(), {{'\n', " "}})));
    const auto table = [&](const std::vector<Parameter>& parameters) {
        for (const Parameter& parameter : parameters)
            text += fmt::format("| {} | {} |\n", markdownName(parameter), markdownText(parameter.about));
    };
    const auto heading = "\n| option | meaning |\n|---|---|\n";
    text += heading;
    table(commandOf(app).options);
    for (const Command& command : commandsOf(app)) {
        text += fmt::format("\n## {}\n\n{}.\n{}", markdownCode(command.name), markdownText(command.about), heading);
        std::vector<Parameter> places = command.places;
        for (Parameter& place : places) {
            if (place.values != Values::Words) place.values = Values::None;
        }
        table(places);
        table(command.options);
    }
    text += "\n## Environment\n\n| variable | meaning |\n|---|---|\n";
    for (const auto& [name, about] : kVariables)
        text += fmt::format("| {} | {} |\n", markdownCode(name), markdownText(about));
    return text;
}

std::string manualPage(const CLI::App& app, std::string_view version)
{
    const std::string program = app.get_name();
    std::string upper;
    for (const char c : program)
        upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    std::string text = fmt::format(".TH {} 1 \"\" \"Cardfit {}\" \"User Commands\"\n"
                                   ".SH NAME\n{} \\- plan large\\-model training runs\n"
                                   ".SH SYNOPSIS\n.B {}\n.I COMMAND\n[\\fIOPTION\\fR]... [\\fIPLAN\\fR]...\n"
                                   ".SH DESCRIPTION\n{}\n.PP\n{}\n.SH OPTIONS\n",
        roff(upper), version, roff(program), roff(program), roff(app.get_description()), roff(app.get_footer()));
    for (const Parameter& option : commandOf(app).options)
        text += roffItem(option);
    text += ".SH COMMANDS\n";
    for (const Command& command : commandsOf(app)) {
        text += fmt::format(".SS {}\n{}\n", roff(command.name), roff(command.about));
        for (const Parameter& place : command.places) {
            Parameter plain = place;
            plain.values = place.values == Values::Words ? Values::Words : Values::None;
            text += roffItem(plain);
        }
        for (const Parameter& option : command.options) {
            if (option.name != "--help") text += roffItem(option);
        }
    }
    text += ".SH ENVIRONMENT\n";
    for (const auto& [name, about] : kVariables)
        text += fmt::format(".TP\n.B {}\n{}\n", name, roff(about));
    return text;
}

} // namespace cardfit::app
