// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/launch/launch.h"
#include "core/launch/shell/command_line.h"

/// Commands of vLLM that stand in other files than shell scripts, and those of SGLang and TensorRT-LLM, which serve in
/// the same way.
namespace cardfit {

struct ServerCommand {
    std::string text; ///< a shell script with `vllm serve`
    std::vector<LaunchNote> notes;
};

/// Whether a text holds a container's command, Python with vLLM's classes, vLLM's own YAML, or SGLang.
[[nodiscard]] bool hidesServerCommand(std::string_view text);

/// The command of a Compose or Kubernetes file (`command` and `args`, lists or text), of `LLM(model="…",
/// tensor_parallel_size=4)` in Python, or of a YAML file for `vllm serve --config`. Any other text is returned as it
/// is. Error WrongFormat if such a file has no command.
[[nodiscard]] Result<ServerCommand> serverCommandIn(std::string_view text);

/// A ProgramFinder for `vllm serve`, benchmarks that run vLLM's engine themselves, vLLM's entry points, SGLang's
/// server, `trtllm-serve` and `trtllm-bench`, and `docker run` with vLLM's image.
[[nodiscard]] std::optional<FoundProgram> serverProgram(std::span<const std::string> words);

/// The engine that a server's command starts.
[[nodiscard]] Engine servedBy(const LaunchCommand& command);

/// Gives the options of a server's command vLLM's long names: its short forms, the words of SGLang and TensorRT-LLM
/// with those of the file that the latter is given, and words that begin with a dash of another kind, as text
/// processors put it. Notes what is not the same then.
[[nodiscard]] std::vector<LaunchNote> useLongNames(LaunchCommand& command, const LaunchText& text);

} // namespace cardfit
