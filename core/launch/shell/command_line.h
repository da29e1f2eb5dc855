// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace cardfit {

/// An option of a command line and the words that follow it.
struct LaunchFlag {
    std::string name; ///< including hyphens; underscores become hyphens
    std::vector<std::string> values;
    int line = 0; ///< line of the text, from 1

    bool operator==(const LaunchFlag&) const = default;
};

/// The command that starts a training run.
struct LaunchCommand {
    std::vector<LaunchFlag> runner; ///< options of torchrun or srun, before the program, and of #SBATCH lines
    std::vector<LaunchFlag> program; ///< after the program, or all flags if no program is named
    std::map<std::string, std::string> environment; ///< variables that the text sets
    std::vector<std::string> unset; ///< variables that are used without being set
    std::vector<int> other_commands; ///< lines of those with at least half as many options
    bool has_branches = false; ///< there is an if, case, for, while or until; each of its lines was read once, in order
};

/// Whether a command without any option is accepted.
enum class NoOptions { Refused, Accepted };

/// Reads a shell script, a command line or the MODEL_ARGS: and ENV_VARS: of a Megatron-LM test case. Supports quotes,
/// comments, continued lines, variables, arrays, ${name:-default} and arithmetic $((...)). Unknown values (the output
/// of a command, an unset variable) stay as text, "${NAME}". If there are several commands, the one with most options
/// is used.
/// Error WrongFormat, with the line, for an unclosed quote or bracket, or if there is no command with options and
/// `none` does not accept that.
[[nodiscard]] Result<LaunchCommand> readLaunchCommand(std::string_view text, NoOptions none = NoOptions::Refused);

} // namespace cardfit
