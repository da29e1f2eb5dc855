// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/torchtitan/torchtitan_command.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/text_cursor.h"
#include "core/base/trimmed.h"
#include "core/launch/flag_reader.h"
#include "core/launch/shell/command_line.h"
#include "core/launch/shell/shell_words.h"
#include "core/launch/torchtitan/torchtitan_words.h"

namespace cardfit {

namespace {

/// Values of a function in torchtitan's config_registry.py, besides its model (b5bcd76c, 2026-08).
struct Configuration {
    std::string_view name;
    std::string_view module;
    std::string_view flavor;
    std::int64_t sequences = 1; ///< per micro-batch
    std::int64_t sequence_length = 8192;
    std::int64_t tensor = 1;
    std::int64_t expert = 1;
    bool full_recompute = false; ///< otherwise selective
    bool compiled = false;
    bool async = false; ///< async tensor parallelism: transfers overlap with matrix products
    std::string_view converter = {};
    std::string_view schedule = "1F1B";
    std::string_view dispatcher = "standard";
};

constexpr std::string_view kFloat8 = "quantize.linear.float8";
constexpr std::string_view kMx = "quantize.linear.mx";
constexpr std::string_view kInterleaved = "Interleaved1F1B";
constexpr std::array<Configuration, 20> kConfigurations{{
    {"llama3_8b", "llama3", "8B", 1, 8192},
    {"llama3_8b_mxfp8", "llama3", "8B", 1, 8192, 1, 1, false, true, false, kMx},
    {"llama3_70b", "llama3", "70B", 8, 8192, 8, 1, true},
    {"llama3_405b", "llama3", "405B", 2, 8192, 8, 1, true, true, true, kFloat8},
    {"deepseek_v3_16b", "deepseek_v3", "16B", 4, 4096, 1, 8, false, false, false, {}, kInterleaved},
    {"deepseek_v3_16b_hybridep", "deepseek_v3", "16B", 4, 4096, 1, 8, false, false, false, {}, kInterleaved,
        "hybridep"},
    {"deepseek_v3_671b", "deepseek_v3", "671B", 4, 4096, 1, 2, false, false, false, {}, kInterleaved},
    {"deepseek_v3_671b_float8", "deepseek_v3", "671B", 4, 4096, 1, 2, false, false, false, kFloat8, kInterleaved},
    {"qwen3_0_6b", "qwen3", "0.6B", 4, 4096},
    {"qwen3_1_7b", "qwen3", "1.7B", 4, 4096},
    {"sft_qwen3_8b_math", "qwen3", "8B", 1, 2048},
    {"qwen3_14b", "qwen3", "14B", 4, 4096, 1, 1, true},
    {"qwen3_30b_a3b", "qwen3", "30B-A3B", 2, 4096, 1, 1, true},
    {"qwen3_32b", "qwen3", "32B", 2, 4096, 1, 1, true},
    {"qwen35_27b", "qwen3_5", "27B", 4, 4096, 4, 1, true},
    {"qwen35_35b_a3b", "qwen3_5", "35B-A3B", 4, 4096, 2, 8, true},
    {"qwen35_122b_a10b", "qwen3_5", "122B-A10B", 4, 4096, 4, 8, true},
    {"qwen35_397b_a17b", "qwen3_5", "397B-A17B", 4, 4096, 8, 16, true},
    {"gpt_oss_20b", "gpt_oss", "20b", 1, 8192, 1, 1, true},
    {"gpt_oss_120b", "gpt_oss", "120b", 1, 8192, 1, 1, true},
}};

std::string textOf(std::string_view module, std::string_view flavor)
{
    return fmt::format("[model]\nname = \"{}\"\nflavor = \"{}\"\n", module, flavor);
}

std::string textOf(const Configuration& one)
{
    std::string text = textOf(one.module, one.flavor);
    if (!one.converter.empty()) text += fmt::format("converters = [\"{}\"]\n", one.converter);
    text += fmt::format("[training]\nlocal_batch_size = {}\nseq_len = {}\n", one.sequences, one.sequence_length);
    text += fmt::format("[parallelism]\ntensor_parallel_degree = {}\nexpert_parallel_degree = {}\n"
                        "pipeline_parallel_schedule = \"{}\"\nexpert_parallel_comm_backend = \"{}\"\n",
        one.tensor, one.expert, one.schedule, one.dispatcher);
    text += fmt::format("[activation_checkpoint]\nmode = \"{}\"\nselective_ac_option = \"op\"\n",
        one.full_recompute ? "full" : "selective");
    return text + fmt::format("[compile]\nenable = {}\nenable_async_tensor_parallel = {}\n", one.compiled, one.async);
}

/// "llama3_8b" for "./train_configs/llama3_8b.toml" and for "llama3_8b".
std::string lastName(std::string text)
{
    if (text.ends_with(".toml")) text.resize(text.size() - 5);
    text = text.substr(text.find_last_of('/') + 1);
    return text;
}

} // namespace

bool isTorchtitanCommand(std::string_view text)
{
    // A TOML file has sections; a command in one of its comments does not count.
    for (TextCursor cursor(text); !cursor.atEnd(); cursor.take()) {
        const std::string_view line = trimmed(cursor.takeUntil('\n'));
        if (line.starts_with('[') && line.find(']') != std::string_view::npos) return false;
    }
    const auto holds = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
    return holds("run_train.sh") || holds("torchtitan.train") || holds("torchtitan/train.py") || holds("--parallelism.")
        || holds("--training.");
}

Result<TorchtitanCommand> readTorchtitanCommand(const LaunchText& text, const Cluster& base)
{
    auto command = readLaunchCommand(text, NoOptions::Accepted);
    if (!command) return tl::unexpected<Error>(command.error());
    TorchtitanCommand result;
    result.cluster = base;
    FlagReader runner(command->runner);
    const auto variable = [&](const std::string& name) {
        const auto found = command->environment.find(name);
        return found == command->environment.end() ? std::string() : found->second;
    };
    const auto is = [](std::string_view name) { return [name](const LaunchFlag& flag) { return flag.name == name; }; };
    // run_train.sh starts torchrun on one node with NGPU cards.
    if (const std::string cards = variable("NGPU");
        !cards.empty() && std::ranges::none_of(command->program, is("--nproc-per-node")))
        command->program.push_back({"--nproc-per-node", {cards}, 0});
    FlagReader program(command->program);
    noteOtherCommands(*command, program);
    readCards(runner, program, result.cluster);
    std::string name = variable("CONFIG");
    if (name.empty()) name = lastName(variable("CONFIG_FILE"));
    std::string module = variable("MODULE");
    for (const LaunchFlag& flag : command->program) {
        if (flag.values.empty() && flag.name.find('.') == std::string::npos) continue;
        if (flag.name == "--config") name = flag.values.front();
        if (flag.name == "--module") module = flag.values.front();
        if (flag.name == "--job.config-file" && !flag.values.empty()) name = lastName(flag.values.front());
        if (flag.name.find('.') == std::string::npos || !flag.name.starts_with("--")) continue;
        TorchtitanOption option{flag.name.substr(2), {}, flag.line};
        std::ranges::replace(option.path, '-', '_');
        if (static_cast<std::size_t>(std::ranges::count(option.path, '.')) > kMostKeyParts)
            return fail(ErrorCode::WrongFormat, Sentence::tr("line {}", {flag.line}),
                Sentence::tr("expected a key of at most {} parts, found more", {kMostKeyParts}));
        for (const std::string& value : flag.values) {
            // The kind of recomputation is a separate word: "activation-checkpoint:full-ac".
            if (value.starts_with("activation-checkpoint:") || value.starts_with("activation_checkpoint:")) {
                const std::string_view kind = std::string_view(value).substr(value.find(':') + 1);
                result.options.push_back({"activation_checkpoint.mode",
                    {kind.starts_with("full")            ? "full"
                            : kind.starts_with("select") ? "selective"
                            : kind.starts_with("none")   ? "none"
                                                         : std::string(kind)},
                    flag.line});
            } else {
                option.values.push_back(value);
            }
        }
        result.options.push_back(std::move(option));
    }
    const auto* known = std::ranges::find(kConfigurations, std::string_view(name), &Configuration::name);
    if (known != kConfigurations.end()) {
        result.configuration = textOf(*known);
        program.note("--config", name,
            Sentence::tr("options missing in the command have this configuration's values of August 2026"));
    } else {
        program.note("--config", name,
            Sentence::tr("unknown configuration; options missing in the command have torchtitan's defaults"));
        // The model's note then names what the command names.
        const auto plain = [](char c) { return shell::isNameChar(c) || c == '-' || c == '.'; };
        if (!module.empty() && std::ranges::all_of(module + name, plain)) result.configuration = textOf(module, name);
    }
    for (const TorchtitanOption& option : result.options)
        static_cast<void>(program.has("--" + option.path)); // its own reader asks for them
    noteUnknown(*command, program);
    result.notes = std::move(program.notes());
    return result;
}

} // namespace cardfit
