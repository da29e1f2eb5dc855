// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/io/launch/command_line.h"

namespace cardfit {

/// Whether a text is a test case of Megatron-LM's, whose options stand below "MODEL_ARGS:".
[[nodiscard]] bool isTestCaseYaml(std::string_view text);

/// "  --flag: value" below MODEL_ARGS:, "  NAME: value" below ENV_VARS:. A value may stand on the next line, and a
/// section may take over another one, "<<: *OTHER", which was named "OTHER: &OTHER" before. WrongFormat with the line
/// for anything else in these sections, and without any flag.
[[nodiscard]] Result<LaunchCommand> readTestCaseYaml(std::string_view text);

} // namespace cardfit
