// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/vllm/server_commands.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
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
constexpr auto kStarts =
    std::to_array<std::string_view>({"vllm serve", "vllm.entrypoints", "sglang", "trtllm-serve", "trtllm-bench"});
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
    return !holdsAny(text, kStarts)
        && std::ranges::any_of(std::to_array<std::string_view>({"tensor-parallel-size", "max-model-len",
                                   "max_model_len", "gpu-memory-utilization", "gpu_memory_utilization", "max-num-seqs",
                                   "max_num_seqs", "max-num-batched-tokens", "max_num_batched_tokens"}),
            [&](std::string_view key) { return hasYamlKey(text, key); });
}

/// Python with blanks in place of comments and of texts in three quotes, so that every place stays the same.
std::string withoutComments(std::string_view text)
{
    std::string code(text);
    std::string_view quote;
    for (std::size_t at = 0; at < code.size();) {
        const std::string_view rest = text.substr(at);
        if (quote.size() == 3) {
            const bool ends = rest.starts_with(quote);
            for (std::size_t i = 0; i < (ends ? 3U : 1U); ++i, ++at) {
                if (code[at] != '\n') code[at] = ' ';
            }
            if (ends) quote = {};
        } else if (!quote.empty()) {
            if (rest.front() == '\\') ++at;
            if (rest.front() == '\n' || rest.starts_with(quote)) quote = {};
            ++at;
        } else if (rest.starts_with("\"\"\"") || rest.starts_with("'''")) {
            quote = rest.substr(0, 3);
            code.replace(at, 3, "   ");
            at += 3;
        } else if (rest.front() == '"' || rest.front() == '\'') {
            quote = rest.substr(0, 1);
            ++at;
        } else if (rest.front() == '#') {
            for (; at < code.size() && code[at] != '\n'; ++at)
                code[at] = ' ';
        } else {
            ++at;
        }
    }
    return code;
}

/// Where the arguments of vLLM's classes begin in Python, in order.
std::vector<std::size_t> pythonCalls(std::string_view text)
{
    std::vector<std::size_t> calls;
    if (!holds(text, "import vllm") && !holds(text, "from vllm")) return calls;
    const std::string code = withoutComments(text);
    for (const std::string_view name : kClasses) {
        for (std::size_t at = code.find(name); at != std::string::npos; at = code.find(name, at + 1)) {
            if (at == 0 || !shell::isNameChar(code[at - 1])) calls.push_back(at + name.size());
        }
    }
    std::ranges::sort(calls);
    return calls;
}

bool startsOther(std::string_view text)
{
    return holdsAny(text,
        std::to_array<std::string_view>({"sglang.launch_server", "sglang serve", "trtllm-serve", "trtllm-bench"}));
}

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

/// The text with the values that Kubernetes puts in for "$(NAME)", from the container's own `env` (kubernetes.io,
/// define a command and arguments for a container).
std::string withEnvironment(std::string text, const Json& container)
{
    const auto env = container.find("env");
    if (env == container.end() || !env->is_array()) return text;
    for (const Json& variable : *env) {
        if (!variable.is_object() || !variable.contains("name") || !variable.contains("value")) continue;
        const std::string name = textOf(variable["name"]);
        const std::string value = textOf(variable["value"]);
        if (name.empty() || !std::ranges::all_of(name, shell::isNameChar)) continue;
        const std::string used = fmt::format("$({})", name);
        for (std::size_t at = text.find(used); at != std::string::npos; at = text.find(used, at + value.size()))
            text.replace(at, used.size(), value);
    }
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
    text = withEnvironment(onOneLine(std::move(text)), value);
    if (text.empty()) return;
    const bool starts = holdsAny(text, kStarts);
    if (!starts && !holdsAny(image, kImages)) return;
    // A shell with the script as its argument.
    for (const std::string_view shell : {"/bin/sh -c ", "/bin/bash -c ", "sh -c ", "bash -c ", "bash -lc "}) {
        const bool quoted = text.find_first_of("\"'", shell.size()) == shell.size();
        if (text.starts_with(shell) && !quoted) text.erase(0, shell.size());
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

/// The first of the calls.
ServerCommand pythonCommand(std::string_view text, const std::vector<std::size_t>& calls)
{
    ServerCommand command{std::string(kServeCommand), {}};
    const std::size_t begin = calls.front();
    const auto lineAt = [&](std::size_t at) { return std::ranges::count(text.substr(0, at), '\n') + 1; };
    if (calls.size() > 1) {
        std::string others;
        for (const std::size_t other : std::span(calls).subspan(1))
            others += fmt::format("{}{}", others.empty() ? "" : ", ", lineAt(other));
        command.notes.push_back({"calls", std::to_string(calls.size()),
            Sentence::tr("only that in line {} was read; not read: line {}", {lineAt(begin), others})});
    }
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

/// The names that vLLM's options are read by.
struct LongName {
    std::string_view word;
    std::string_view name;
};
constexpr auto kVllmNames = std::to_array<LongName>({{"-tp", "--tensor-parallel-size"},
    {"-pp", "--pipeline-parallel-size"}, {"-dp", "--data-parallel-size"}, {"-q", "--quantization"}});
/// SGLang's words for them (docs.sglang.ai, server arguments).
constexpr auto kSglangNames = std::to_array<LongName>({{"--model-path", "--model"}, {"--tp", "--tensor-parallel-size"},
    {"--tp-size", "--tensor-parallel-size"}, {"--pp", "--pipeline-parallel-size"},
    {"--pp-size", "--pipeline-parallel-size"}, {"--dp", "--data-parallel-size"}, {"--dp-size", "--data-parallel-size"},
    {"--context-length", "--max-model-len"}, {"--mem-fraction-static", "--gpu-memory-utilization"},
    {"--max-running-requests", "--max-num-seqs"}, {"--chunked-prefill-size", "--max-num-batched-tokens"},
    {"--ep", "--expert-parallel-size"}, {"--ep-size", "--expert-parallel-size"}});
/// TensorRT-LLM's (tensorrt_llm/commands/serve.py and bench/benchmark/throughput.py, and the keys of llm_args.py).
constexpr auto kTensorRtNames = std::to_array<LongName>({{"-m", "--model"}, {"--tp", "--tensor-parallel-size"},
    {"--tp-size", "--tensor-parallel-size"}, {"--pp", "--pipeline-parallel-size"},
    {"--pp-size", "--pipeline-parallel-size"}, {"--ep", "--expert-parallel-size"},
    {"--ep-size", "--expert-parallel-size"}, {"--moe-expert-parallel-size", "--expert-parallel-size"},
    {"--max-batch-size", "--max-num-seqs"}, {"--max-num-tokens", "--max-num-batched-tokens"},
    {"--max-seq-len", "--max-model-len"}, {"--kv-cache-free-gpu-memory-fraction", "--gpu-memory-utilization"},
    {"--kv-cache-free-gpu-mem-fraction", "--gpu-memory-utilization"},
    {"--free-gpu-memory-fraction", "--gpu-memory-utilization"}, {"--extra-llm-api-options", "--config"}});
/// Subcommands of trtllm-bench; the others prepare something.
constexpr auto kTensorRtBenches = std::to_array<std::string_view>({"throughput", "latency"});
/// Keys of its file that are options too; kv_cache_config has two more.
constexpr auto kTensorRtKeys = std::to_array<std::string_view>({"tensor_parallel_size", "pipeline_parallel_size",
    "moe_expert_parallel_size", "max_batch_size", "max_num_tokens", "max_seq_len", "enable_attention_dp"});

/// The option that a word with another dash was meant to be; empty if it is none.
std::string withHyphens(std::string_view word)
{
    constexpr auto kDashes = std::to_array<std::string_view>({"\u2013", "\u2014", "\u2012", "\u2212"});
    bool other = false;
    while (true) {
        const auto* dash = std::ranges::find_if(kDashes, [&](auto one) { return word.starts_with(one); });
        if (dash != kDashes.end())
            word.remove_prefix(dash->size());
        else if (other && word.starts_with('-'))
            word.remove_prefix(1);
        else
            break;
        other = true;
    }
    return other && !word.empty() && shell::isNameStart(word.front()) ? "--" + std::string(word) : std::string();
}

/// Options with another dash stand among the words in front of them.
void splitAtDashes(LaunchCommand& command, std::vector<LaunchNote>& notes)
{
    std::vector<LaunchFlag> flags;
    const auto take = [&](std::vector<std::string>& words, int line) {
        const auto begins = [](const std::string& word) { return !withHyphens(word).empty(); };
        const auto first = std::ranges::find_if(words, begins);
        for (auto word = first; word != words.end(); ++word) {
            const std::string option = withHyphens(*word);
            if (option.empty()) {
                flags.back().values.push_back(*word);
                continue;
            }
            const std::size_t equals = option.find('=');
            LaunchFlag& flag = flags.emplace_back(LaunchFlag{option.substr(0, equals), {}, line});
            std::ranges::replace(flag.name, '_', '-');
            if (equals != std::string::npos) flag.values.push_back(option.substr(equals + 1));
            notes.push_back({*word, {},
                Sentence::tr("read as {}; the program takes hyphens alone, not this dash", {flag.name}), true});
        }
        words.erase(first, words.end());
    };
    take(command.arguments, command.line);
    for (LaunchFlag& flag : std::vector(std::move(command.program))) {
        flags.push_back(std::move(flag));
        std::vector<std::string> values = std::move(flags.back().values);
        const std::size_t place = flags.size() - 1;
        take(values, flags.back().line);
        flags[place].values = std::move(values);
    }
    command.program = std::move(flags);
}

/// Options with a fixed number of words; argparse takes more words as the model.
struct WordsOfOption {
    std::string_view name;
    std::size_t words;
};
constexpr auto kWordsOfOptions = std::to_array<WordsOfOption>({{"--enable-expert-parallel", 0}, {"--enforce-eager", 0},
    {"--trust-remote-code", 0}, {"--disable-log-requests", 0}, {"--disable-log-stats", 0},
    {"--enable-auto-tool-choice", 0}, {"--enable-prefix-caching", 0}, {"--no-enable-prefix-caching", 0},
    {"--enable-chunked-prefill", 0}, {"--disable-custom-all-reduce", 0}, {"--async-scheduling", 0}, {"--model", 1},
    {"--tensor-parallel-size", 1}, {"--pipeline-parallel-size", 1}, {"--data-parallel-size", 1}, {"--dtype", 1},
    {"--quantization", 1}, {"--kv-cache-dtype", 1}, {"--max-model-len", 1}, {"--max-num-seqs", 1},
    {"--max-num-batched-tokens", 1}, {"--gpu-memory-utilization", 1}, {"--block-size", 1}, {"--host", 1}, {"--port", 1},
    {"--download-dir", 1}, {"--load-format", 1}, {"--seed", 1}, {"--tool-call-parser", 1}, {"--reasoning-parser", 1}});

/// Moves words behind those that an option takes to the arguments, where the model may stand.
void moveFreeWords(LaunchCommand& command)
{
    for (LaunchFlag& flag : command.program) {
        const auto* row = std::ranges::find(kWordsOfOptions, std::string_view(flag.name), &WordsOfOption::name);
        if (row == kWordsOfOptions.end() || flag.values.size() <= row->words) continue;
        const auto free = flag.values.begin() + static_cast<std::ptrdiff_t>(row->words);
        command.arguments.insert(command.arguments.end(), free, flag.values.end());
        flag.values.erase(free, flag.values.end());
    }
}

void rename(LaunchCommand& command, std::span<const LongName> names)
{
    const auto change = [&](std::string& name) {
        const auto known = std::ranges::find(names, std::string_view(name), &LongName::word);
        if (known != names.end()) name = known->name;
    };
    for (LaunchFlag& flag : command.program)
        change(flag.name);
    for (UnsetUse& use : command.missing)
        change(use.option);
    for (UndecidedBranch& branch : command.undecided)
        std::ranges::for_each(branch.options, change);
}

/// The text with the values of variables that the script sets.
std::string withVariables(const std::string& text, const std::map<std::string, std::string>& values)
{
    std::string put;
    TextCursor cursor(text);
    while (!cursor.atEnd()) {
        const std::size_t signs = cursor.rest().starts_with("${") ? 2 : cursor.peek() == '$' ? 1 : 0;
        if (signs == 0 || !shell::isNameStart(cursor.peek(signs))) {
            put += cursor.take();
            continue;
        }
        TextCursor ahead(cursor.rest().substr(signs));
        const auto value = values.find(std::string(ahead.takeWhile(shell::isNameChar)));
        const bool closed = signs == 1 || ahead.takeIf('}');
        const std::string_view whole = cursor.take(signs + ahead.position());
        put += closed && value != values.end() ? value->second : std::string(whole);
    }
    return put;
}

/// A file that the script itself writes: `cat > FILE <<EOF`, `cat <<EOF >> FILE` or through tee.
std::optional<std::string> writtenFile(
    std::string_view text, std::string_view name, const std::map<std::string, std::string>& values)
{
    std::optional<std::string> content;
    std::string end;
    bool without_tabs = false;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        TextCursor cursor(line);
        cursor.skipBlanks();
        if (!end.empty()) {
            if (cursor.rest() == end)
                end.clear();
            else
                *content +=
                    std::string(without_tabs ? line.substr(std::min(line.find_first_not_of('\t'), line.size())) : line)
                    + '\n';
            continue;
        }
        const std::size_t here = line.find("<<");
        const bool writes = holds(line, ">") || holds(line, "tee ");
        if (here == std::string_view::npos || !writes || !holds(withVariables(std::string(line), values), name))
            continue;
        TextCursor word(line.substr(here + 2));
        without_tabs = word.takeIf('-');
        word.skipBlanks();
        if (word.peek() == '\'' || word.peek() == '"') word.take();
        end = std::string(word.takeWhile(shell::isNameChar));
        if (!content || (!holds(line, ">>") && !holds(line, "tee -a"))) content.emplace();
    }
    return content;
}

/// The settings of a file that a command names; null, with a note, if it cannot be read.
Json settingsFile(
    const LaunchCommand& command, const std::string& name, const LaunchText& text, std::vector<LaunchNote>& notes)
{
    std::optional<std::string> content = text.files ? text.files(name) : std::nullopt;
    if (!content) content = writtenFile(text.text, name, command.environment);
    if (content && content->find_first_not_of(" \t\n") == std::string::npos) return {};
    if (content) {
        auto json = jsonOfYaml(withVariables(*content, command.environment));
        if (json && json->is_object()) return *std::move(json);
    }
    notes.push_back({"--config", name, Sentence::tr("could not be read, so its settings are not known"), true});
    return {};
}

std::vector<std::string> settingsFiles(const LaunchCommand& command)
{
    std::vector<std::string> files;
    for (const LaunchFlag& flag : command.program) {
        if (flag.name == "--config" && !flag.values.empty()) files.push_back(flag.values.front());
    }
    return files;
}

/// Adds a setting of a file as an option.
void addSetting(LaunchCommand& command, std::string option, const Json& value)
{
    if (value == false || value.is_null()) return;
    std::ranges::replace(option, '_', '-');
    LaunchFlag flag{"--" + option, {}, command.line};
    if (value != true) flag.values.push_back(textOf(value));
    command.program.push_back(std::move(flag));
}

/// vLLM's own file: its keys are options, which the command's own options override.
void readVllmFile(
    LaunchCommand& command, const std::string& name, const LaunchText& text, std::vector<LaunchNote>& notes)
{
    const Json settings = settingsFile(command, name, text, notes);
    const bool named = !command.arguments.empty();
    for (const auto& [key, value] : settings.items()) {
        // The model of the command comes before that of the file (docs.vllm.ai, serve arguments).
        if (named && (key == "model" || key == "model_tag")) continue;
        std::string option = "--" + key;
        std::ranges::replace(option, '_', '-');
        if (std::ranges::find(command.program, option, &LaunchFlag::name) == command.program.end())
            addSetting(command, key, value);
    }
}

void useSglangNames(LaunchCommand& command, const LaunchText& text, std::vector<LaunchNote>& notes)
{
    for (const std::string& file : settingsFiles(command))
        readVllmFile(command, file, text, notes);
    const bool share =
        std::ranges::find(command.program, "--mem-fraction-static", &LaunchFlag::name) != command.program.end();
    rename(command, kSglangNames);
    moveFreeWords(command);
    notes.push_back(
        {"sglang", {}, Sentence::tr("its memory is planned as vLLM's, with the same degrees and sizes"), true});
    if (share)
        notes.push_back({"--mem-fraction-static", {},
            Sentence::tr("SGLang's share is for weights and cache alone; it is read as vLLM's, which is for all"),
            true});
}

/// Adds the settings of the file that TensorRT-LLM is given; they count before its options.
void readTensorRtFile(
    LaunchCommand& command, const std::string& name, const LaunchText& text, std::vector<LaunchNote>& notes)
{
    const Json settings = settingsFile(command, name, text, notes);
    std::string others;
    for (const auto& [key, value] : settings.items()) {
        if (std::ranges::find(kTensorRtKeys, std::string_view(key)) != kTensorRtKeys.end()) {
            addSetting(command, key, value);
        } else if (key == "kv_cache_config" && value.is_object()) {
            if (value.contains("free_gpu_memory_fraction"))
                addSetting(command, "free_gpu_memory_fraction", value["free_gpu_memory_fraction"]);
            if (value.contains("dtype")) addSetting(command, "kv_cache_dtype", value["dtype"]);
        } else {
            others += (others.empty() ? "" : ", ") + key;
        }
    }
    if (!others.empty()) notes.push_back({name, others, Sentence::tr("settings that a plan has no field for"), true});
}

void useTensorRtNames(LaunchCommand& command, const LaunchText& text, std::vector<LaunchNote>& notes)
{
    rename(command, kTensorRtNames);
    for (const std::string& file : settingsFiles(command))
        readTensorRtFile(command, file, text, notes);
    rename(command, kTensorRtNames);
    moveFreeWords(command);
    // The latency of one request after the other (tensorrt_llm/bench/benchmark/low_latency.py).
    const bool one = std::ranges::find(command.arguments, "latency") != command.arguments.end();
    if (one && std::ranges::find(command.program, "--concurrency", &LaunchFlag::name) == command.program.end())
        command.program.push_back({"--concurrency", {"1"}, command.line});
    std::erase_if(command.arguments, [](const std::string& word) {
        return std::ranges::find(kTensorRtBenches, std::string_view(word)) != kTensorRtBenches.end();
    });
}

} // namespace

bool hidesServerCommand(std::string_view text)
{
    const bool docker = holds(text, "docker run") && holdsAny(text, kImages);
    return docker || startsOther(text) || isContainerFile(text) || isConfigFile(text) || !pythonCalls(text).empty();
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
    } else if (const auto calls = pythonCalls(text); !calls.empty()) {
        return pythonCommand(text, calls);
    }
    return command;
}

std::optional<FoundProgram> serverProgram(std::span<const std::string> words)
{
    constexpr auto kIdle = std::to_array<std::string_view>({"echo", "printf", "grep", "pgrep", "pkill"});
    const auto is = [](std::string_view word, std::string_view program) {
        return word.substr(word.rfind('/') + 1) == program;
    };
    if (words.empty() || std::ranges::find(kIdle, std::string_view(words.front())) != kIdle.end()) return std::nullopt;
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string& word = words[at];
        const std::string_view next = at + 1 < words.size() ? std::string_view(words[at + 1]) : std::string_view();
        if ((is(word, "vllm") || is(word, "sglang")) && next == "serve")
            return FoundProgram{fmt::format("{} serve", word.substr(word.rfind('/') + 1)), at + 2};
        // Benchmarks of the engine alone, without a server.
        const std::string_view bench = at + 2 < words.size() ? std::string_view(words[at + 2]) : std::string_view();
        if (is(word, "vllm") && next == "bench" && (bench == "throughput" || bench == "latency"))
            return FoundProgram{fmt::format("vllm bench {}", bench), at + 3};
        if (is(word, "trtllm-serve") && next != "disaggregated" && next != "mm_embedding_serve")
            return FoundProgram{"trtllm-serve", at + (next == "serve" ? 2 : 1)};
        const bool runs = std::ranges::any_of(words.subspan(at), [](const std::string& one) {
            return std::ranges::find(kTensorRtBenches, std::string_view(one)) != kTensorRtBenches.end();
        });
        if (is(word, "trtllm-bench") && runs) return FoundProgram{"trtllm-bench", at + 1};
        const bool module = next.starts_with("vllm.entrypoints") || next == "sglang.launch_server";
        if (word == "-m" && module) {
            const bool serves = next.ends_with(".cli.main") && at + 2 < words.size() && words[at + 2] == "serve";
            return FoundProgram{std::string(next), at + (serves ? 3 : 2)};
        }
        if (holds(word, "vllm/entrypoints") && word.ends_with(".py")) return FoundProgram{word, at + 1};
    }
    const auto run = std::ranges::find(words, std::string_view("run"));
    const auto image = std::find_if(
        run, words.end(), [](const std::string& word) { return !word.starts_with('-') && holdsAny(word, kImages); });
    if (image == words.end()) return std::nullopt;
    return FoundProgram{std::string(kServeCommand), static_cast<std::size_t>(image - words.begin()) + 1};
}

Engine servedBy(const LaunchCommand& command)
{
    if (command.name.starts_with("sglang")) return Engine::Sglang;
    return command.name.starts_with("trtllm") ? Engine::TensorRtLlm : Engine::Vllm;
}

std::vector<LaunchNote> useLongNames(LaunchCommand& command, const LaunchText& text)
{
    std::vector<LaunchNote> notes;
    splitAtDashes(command, notes);
    switch (servedBy(command)) {
    case Engine::Vllm:
        for (const std::string& file : settingsFiles(command))
            readVllmFile(command, file, text, notes);
        rename(command, kVllmNames);
        moveFreeWords(command);
        break;
    case Engine::Sglang: useSglangNames(command, text, notes); break;
    case Engine::TensorRtLlm: useTensorRtNames(command, text, notes); break;
    }
    return notes;
}

} // namespace cardfit
