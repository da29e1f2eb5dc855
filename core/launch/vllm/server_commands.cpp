// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/vllm/server_commands.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/base/text_cursor.h"
#include "core/files/json_reader.h"
#include "core/launch/shell/shell_words.h"
#include "core/launch/yaml/yaml_json.h"

namespace cardfit {

namespace {

constexpr std::string_view kServeCommand = "vllm serve";
/// What starts vLLM in a command; an image does so by itself.
constexpr auto kStarts = std::to_array<std::string_view>({"vllm serve", "vllm.entrypoints", "sglang"});
constexpr auto kImages = std::to_array<std::string_view>({"vllm/vllm-openai", "vllm-openai", "vllm/vllm"});
/// Classes of Python whose keywords are vLLM's options.
constexpr auto kClasses = std::to_array<std::string_view>({"AsyncEngineArgs(", "EngineArgs(", "AsyncLLM(", "LLM("});

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool holdsAny(std::string_view text, std::span<const std::string_view> parts)
{
    return std::ranges::any_of(parts, [&](std::string_view part) { return holds(text, part); });
}

bool isContainerFile(std::string_view text)
{
    return (hasYamlKey(text, "services") || hasYamlKey(text, "apiVersion"))
        && (holdsAny(text, kStarts) || holdsAny(text, kImages));
}

/// A file for `vllm serve --config`, whose keys are options.
bool isConfigFile(std::string_view text)
{
    return std::ranges::any_of(std::to_array<std::string_view>({"tensor-parallel-size", "max-model-len",
                                   "max_model_len", "gpu-memory-utilization", "gpu_memory_utilization", "max-num-seqs",
                                   "max_num_seqs", "max-num-batched-tokens", "max_num_batched_tokens"}),
        [&](std::string_view key) { return hasYamlKey(text, key); });
}

/// Where the arguments of vLLM's class begin; npos if there is none.
std::size_t pythonCall(std::string_view text)
{
    if (!holds(text, "vllm") || (!holds(text, "import vllm") && !holds(text, "from vllm")))
        return std::string_view::npos;
    for (const std::string_view name : kClasses) {
        if (const std::size_t at = text.find(name); at != std::string_view::npos) return at + name.size();
    }
    return std::string_view::npos;
}

bool isSglang(std::string_view text) { return holds(text, "sglang.launch_server") || holds(text, "sglang serve"); }

/// A word of a shell command, in quotes where it needs them.
std::string quotedWord(const std::string& word)
{
    const bool plain = !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
        return std::isalnum(c) != 0
            || std::string_view("-_./:=,+@%${}").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (plain) return word;
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

std::string textOf(const Json& value)
{
    return value.is_string() ? value.get<std::string>() : value.is_null() ? std::string() : compactJson(value);
}

/// A `command`, `args` or `entrypoint` as the words of a shell; an item that is a script of its own is taken as it is.
std::string wordsOf(const Json& value)
{
    if (!value.is_array()) return textOf(value);
    std::string text;
    for (const Json& item : value) {
        const std::string word = textOf(item);
        if (holdsAny(word, kStarts) && word.find_first_of(" \n") != std::string::npos) return word;
        text += (text.empty() ? "" : " ") + quotedWord(word);
    }
    return text;
}

/// One line: blocks of YAML have an option a line, without backslashes.
std::string onOneLine(std::string text)
{
    if (holds(text, "\\\n") || text.find('\n') == std::string::npos) return text;
    const bool options = text.starts_with('-') || holds(text, "\n-") || holds(text, "\n -");
    if (options) std::ranges::replace(text, '\n', ' ');
    return text;
}

/// The commands of all containers in a document.
void collectCommands(const Json& value, std::vector<std::string>& commands)
{
    if (value.is_array()) {
        for (const Json& item : value)
            collectCommands(item, commands);
        return;
    }
    if (!value.is_object()) return;
    std::array<std::string, 3> words; // in the order in which they are run
    constexpr auto kKeys = std::to_array<std::string_view>({"entrypoint", "command", "args"});
    std::string image;
    for (const auto& [key, item] : value.items()) {
        if (key == "image") image = textOf(item);
        const auto* run = std::ranges::find(kKeys, std::string_view(key));
        if (run != kKeys.end() && (item.is_array() || item.is_string()))
            words.at(static_cast<std::size_t>(run - kKeys.begin())) = wordsOf(item);
        else
            collectCommands(item, commands);
    }
    std::string text;
    for (const std::string& part : words) {
        if (!part.empty()) text += (text.empty() ? "" : " ") + part;
    }
    text = onOneLine(std::move(text));
    if (text.empty()) return;
    const bool starts = holdsAny(text, kStarts);
    if (!starts && !holdsAny(image, kImages)) return;
    // A shell with the script as its argument.
    for (const std::string_view shell : {"/bin/sh -c ", "/bin/bash -c ", "sh -c ", "bash -c ", "bash -lc "}) {
        if (text.starts_with(shell)) text.erase(0, shell.size());
    }
    commands.push_back(starts ? std::move(text) : fmt::format("{} {}", kServeCommand, text));
}

/// Scripts in any value, as those of a ConfigMap.
void collectScripts(const Json& value, std::vector<std::string>& scripts)
{
    if (value.is_structured()) {
        for (const Json& item : value)
            collectScripts(item, scripts);
    } else if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        if (holdsAny(text, kStarts) && text.find(' ') != std::string::npos) scripts.push_back(text);
    }
}

/// Documents of a YAML file, which "---" separates.
std::vector<std::string> documentsIn(std::string_view text)
{
    std::vector<std::string> documents(1);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        const std::string_view line = text.substr(0, end);
        if (line.starts_with("---"))
            documents.emplace_back();
        else
            documents.back() += line;
        text.remove_prefix(end);
    }
    return documents;
}

Result<ServerCommand> containerCommand(std::string_view text)
{
    std::vector<std::string> commands;
    std::vector<std::string> scripts;
    for (const std::string& document : documentsIn(text)) {
        if (!holdsAny(document, kStarts) && !holdsAny(document, kImages)) continue;
        const auto json = jsonOfYaml(document);
        if (!json) return tl::unexpected<Error>(json.error());
        collectCommands(*json, commands);
        collectScripts(*json, scripts);
    }
    if (commands.empty()) commands = std::move(scripts);
    if (commands.empty())
        return fail(
            ErrorCode::WrongFormat, {}, Sentence::tr("expected a container with the command of a server, found none"));
    ServerCommand command{commands.front(), {}};
    if (commands.size() > 1)
        command.notes.push_back(
            {"command", std::to_string(commands.size()), Sentence::tr("only that of the first container was read")});
    return command;
}

Result<ServerCommand> configCommand(std::string_view text)
{
    const auto json = jsonOfYaml(text);
    if (!json) return tl::unexpected<Error>(json.error());
    std::string command(kServeCommand);
    for (const char* key : {"model", "model_tag"}) {
        if (json->contains(key)) command += " " + quotedWord(textOf((*json)[key]));
    }
    for (const auto& [key, value] : json->items()) {
        if (key == "model" || key == "model_tag" || value == false) continue;
        std::string name = key;
        std::ranges::replace(name, '_', '-');
        command += " --" + name;
        if (value != true) command += " " + quotedWord(textOf(value));
    }
    return ServerCommand{command, {}};
}

/// The literal that a name is set to at the beginning of a line; empty if there is none.
std::string assignedLiteral(std::string_view text, std::string_view name)
{
    const std::string lines = '\n' + std::string(text);
    for (const std::string_view equals : {" = ", "="}) {
        const std::string wanted = fmt::format("\n{}{}", name, equals);
        const std::size_t at = lines.rfind(wanted);
        if (at == std::string::npos) continue;
        TextCursor cursor(std::string_view(lines).substr(at + wanted.size()));
        return std::string(cursor.takeWhile([](char c) { return c != '\n' && c != '#' && c != ' '; }));
    }
    return {};
}

/// Text, number, True, False or None; nullopt for any other expression.
std::optional<std::string> literalIn(std::string_view text)
{
    const bool quoted = text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front()
        && text.find(text.front(), 1) == text.size() - 1;
    if (quoted) return std::string(text.substr(1, text.size() - 2));
    if (text == "True" || text == "False" || text == "None") return std::string(text);
    std::string digits(text);
    std::erase(digits, '_');
    return numberIn<double>(digits) ? std::optional(digits) : std::nullopt;
}

/// The arguments of a call, up to its closing bracket.
std::vector<std::string> argumentsFrom(std::string_view text)
{
    std::vector<std::string> all(1);
    int depth = 0;
    char quote = '\0';
    bool comment = false;
    for (const char c : text) {
        if (comment) {
            comment = c != '\n';
            continue;
        }
        if (quote != '\0') {
            if (c == quote) quote = '\0';
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '#') {
            comment = true;
            continue;
        } else if (c == '(' || c == '[' || c == '{') {
            ++depth;
        } else if (c == ')' || c == ']' || c == '}') {
            if (--depth < 0) break;
        } else if (c == ',' && depth == 0) {
            all.emplace_back();
            continue;
        }
        if (quote != '\0' || std::isspace(static_cast<unsigned char>(c)) == 0) all.back() += c;
    }
    return all;
}

ServerCommand pythonCommand(std::string_view text, std::size_t begin)
{
    ServerCommand command{std::string(kServeCommand), {}};
    std::string options;
    for (const std::string& argument : argumentsFrom(text.substr(begin))) {
        const std::size_t equals = argument.find('=');
        const bool named = equals != std::string::npos && equals > 0
            && std::ranges::all_of(argument.substr(0, equals), shell::isNameChar);
        std::string name = named ? argument.substr(0, equals) : std::string("model");
        std::string value = named ? argument.substr(equals + 1) : argument;
        if (value.empty()) continue;
        auto literal = literalIn(value);
        if (!literal) literal = literalIn(assignedLiteral(text, value));
        if (name == "model") {
            command.text += " " + quotedWord(literal.value_or(value));
            continue;
        }
        std::ranges::replace(name, '_', '-');
        if (!literal)
            command.notes.push_back({name, value, Sentence::tr("not a literal; vLLM's default is used"), true});
        else if (*literal == "True")
            options += " --" + name;
        else if (*literal != "False" && *literal != "None")
            options += " --" + name + " " + quotedWord(*literal);
    }
    command.text += options;
    return command;
}

/// SGLang's words for vLLM's options (docs.sglang.ai, server arguments).
constexpr auto kSglangWords = std::to_array<std::pair<std::string_view, std::string_view>>({{"--model-path", "--model"},
    {"--model", "--model"}, {"--tp", "--tensor-parallel-size"}, {"--tp-size", "--tensor-parallel-size"},
    {"--tensor-parallel-size", "--tensor-parallel-size"}, {"--pp", "--pipeline-parallel-size"},
    {"--pp-size", "--pipeline-parallel-size"}, {"--dp", "--data-parallel-size"}, {"--dp-size", "--data-parallel-size"},
    {"--context-length", "--max-model-len"}, {"--mem-fraction-static", "--gpu-memory-utilization"},
    {"--max-running-requests", "--max-num-seqs"}, {"--chunked-prefill-size", "--max-num-batched-tokens"}});

/// Rewrites the options word by word; everything else of the text stays.
ServerCommand sglangCommand(std::string_view text)
{
    ServerCommand command;
    std::string word;
    bool spread = false;
    const bool attends_apart = holds(text, "--enable-dp-attention"); // then --dp divides the cards of --tp
    const auto flush = [&] {
        std::string name = word.substr(0, word.find('='));
        std::ranges::replace(name, '_', '-');
        const auto* known = std::ranges::find(
            kSglangWords, std::string_view(name), &std::pair<std::string_view, std::string_view>::first);
        spread = spread || name == "--ep" || name == "--ep-size" || name == "--expert-parallel-size";
        if (known != kSglangWords.end() && !(attends_apart && known->second == "--data-parallel-size"))
            command.text += std::string(known->second) + word.substr(std::min(word.find('='), word.size()));
        else
            command.text += word;
        word.clear();
    };
    for (const char c : text) {
        if (std::isspace(static_cast<unsigned char>(c)) == 0) {
            word += c;
            continue;
        }
        flush();
        command.text += c;
    }
    flush();
    for (const std::string_view start :
        {"python3 -m sglang.launch_server", "python -m sglang.launch_server", "sglang.launch_server", "sglang serve"}) {
        for (std::size_t at = command.text.find(start); at != std::string::npos; at = command.text.find(start))
            command.text.replace(at, start.size(), kServeCommand);
    }
    if (spread) {
        const std::size_t at = command.text.find(kServeCommand);
        if (at != std::string::npos) command.text.insert(at + kServeCommand.size(), " --enable-expert-parallel");
    }
    command.notes.push_back(
        {"sglang", {}, Sentence::tr("planned as a server of vLLM with the same degrees and sizes"), true});
    if (holds(text, "--mem-fraction-static"))
        command.notes.push_back({"--mem-fraction-static", {},
            Sentence::tr("SGLang's share is for weights and cache alone; it is read as vLLM's, which is for all"),
            true});
    if (attends_apart)
        command.notes.push_back({"--enable-dp-attention", {},
            Sentence::tr("plans have no attention that is replicated within tensor parallelism"), true});
    return command;
}

/// `docker run … vllm/vllm-openai:v0.11 MODEL --options`: the image starts the server.
std::string withImageAsCommand(std::string_view text)
{
    for (const std::string_view image : kImages) {
        const std::size_t at = text.find(image);
        if (at == std::string_view::npos) continue;
        TextCursor cursor(text.substr(at));
        cursor.takeWhile([](char c) { return std::isspace(static_cast<unsigned char>(c)) == 0; });
        const std::size_t end = at + cursor.position();
        return fmt::format("{}\n{}{}", text.substr(0, text.rfind("docker", at)), kServeCommand, text.substr(end));
    }
    return std::string(text);
}

} // namespace

bool hidesServerCommand(std::string_view text)
{
    const bool docker = holds(text, "docker run") && holdsAny(text, kImages);
    return docker || isSglang(text) || isContainerFile(text) || isConfigFile(text)
        || pythonCall(text) != std::string_view::npos;
}

Result<ServerCommand> serverCommandIn(std::string_view text)
{
    ServerCommand command{std::string(text), {}};
    if (isContainerFile(text)) {
        auto contained = containerCommand(text);
        if (!contained) return contained;
        command = *std::move(contained);
    } else if (isConfigFile(text)) {
        return configCommand(text);
    } else if (const std::size_t call = pythonCall(text); call != std::string_view::npos) {
        return pythonCommand(text, call);
    }
    if (isSglang(command.text)) return sglangCommand(command.text);
    if (!holdsAny(command.text, kStarts) && holds(command.text, "docker run"))
        command.text = withImageAsCommand(command.text);
    return command;
}

} // namespace cardfit
