// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/launch/launch.h"

/// Commands of vLLM that stand in other files than shell scripts, and those of SGLang, which serves in the same way.
namespace cardfit {

struct ServerCommand {
    std::string text; ///< a shell script with `vllm serve`
    std::vector<LaunchNote> notes;
};

/// Whether a text holds a container's command, Python with vLLM's classes, vLLM's own YAML, or SGLang.
[[nodiscard]] bool hidesServerCommand(std::string_view text);

/// The command of a Compose or Kubernetes file (`command` and `args`, lists or text), of `docker run` with vLLM's
/// image, of `LLM(model="…", tensor_parallel_size=4)` in Python, of a YAML file for `vllm serve --config`, or of
/// SGLang. Any other text is returned as it is. Error WrongFormat if such a file has no command.
[[nodiscard]] Result<ServerCommand> serverCommandIn(std::string_view text);

} // namespace cardfit
