// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/shell/programs.h"

#include <algorithm>
#include <array>

namespace cardfit {

namespace {

struct Project {
    std::string_view beginning; ///< of a program's name, or of a folder in it
    std::string_view project;
};
constexpr auto kProjects = std::to_array<Project>({
    {"verl.", "verl"},
    {"verl/", "verl"},
    {"sglang", "SGLang"},
    {"swift ", "ms-swift"},
    {"swift/cli", "ms-swift"},
    {"megatron sft", "ms-swift"},
    {"megatron pt", "ms-swift"},
    {"megatron rlhf", "ms-swift"},
    {"megatron export", "ms-swift"},
    {"llamafactory", "LLaMA-Factory"},
    {"axolotl", "Axolotl"},
    {"openrlhf", "OpenRLHF"},
    {"nemo_rl", "NeMo RL"},
    {"vllm", "vLLM"},
    {"torchtitan", "torchtitan"},
    {"tune run", "torchtune"},
    {"trl ", "TRL"},
});

} // namespace

bool isHelperProgram(std::string_view name)
{
    constexpr std::array<std::string_view, 9> kParts{
        "convert", "preprocess", "prepare", "evaluat", "eval_", "export_", "merge", "tokenize", "download"};
    constexpr std::array<std::string_view, 8> kCommands{
        "echo", "printf", "tee", "tensorboard", "pip", "rsync", "ray", "docker"};
    const std::string_view file = name.substr(name.rfind('/') + 1);
    const auto holds = [&](std::string_view part) { return file.find(part) != std::string_view::npos; };
    const std::string_view command = name.substr(0, name.find(' '));
    return std::ranges::any_of(kParts, holds) || std::ranges::find(kCommands, command) != kCommands.end();
}

std::string_view projectOf(std::string_view name)
{
    for (const Project& row : kProjects) {
        const std::size_t at = name.find(row.beginning);
        if (at == 0 || (at != std::string_view::npos && (name[at - 1] == '/' || name[at - 1] == ' ')))
            return row.project;
    }
    return {};
}

} // namespace cardfit
