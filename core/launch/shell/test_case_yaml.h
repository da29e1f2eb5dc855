// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/launch/shell/command_line.h"

namespace cardfit {

/// Whether a text is a test case of Megatron-LM, with its options below "MODEL_ARGS:".
[[nodiscard]] bool isTestCaseYaml(std::string_view text);

/// The flags below MODEL_ARGS: and the variables below ENV_VARS: of such a YAML file. A section may merge another one
/// with "<<: *OTHER". Error WrongFormat, with the line, for invalid YAML, for anything else in these sections, or if
/// there is no flag.
[[nodiscard]] Result<LaunchCommand> readTestCaseYaml(std::string_view text);

} // namespace cardfit
