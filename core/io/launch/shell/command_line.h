// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace cardfit {

/// One option of a command line with the words that follow it.
struct LaunchFlag {
    std::string name; ///< with its hyphens; underscores count as hyphens
    std::vector<std::string> values;
    int line = 0; ///< of the text, from 1

    bool operator==(const LaunchFlag&) const = default;
};

/// The command that starts a training run.
struct LaunchCommand {
    std::vector<LaunchFlag> runner; ///< of torchrun or srun, before the program; #SBATCH lines too
    std::vector<LaunchFlag> program; ///< after the program, or all flags if no program is named
    std::map<std::string, std::string> environment; ///< variables that the text sets
    std::vector<std::string> unset; ///< variables that it uses without setting them
    bool has_branches = false; ///< there is an if, case, for or while; each of its lines was read once, in order
};

/// Whether a command without any option is accepted.
enum class NoOptions { Refused, Accepted };

/// Reads a shell script, a command line or the MODEL_ARGS: and ENV_VARS: of a Megatron-LM test case. Of the shell's
/// language it knows quotes, comments, continued lines, variables, arrays, ${name:-default} and $((sums)); what it
/// cannot know (the output of a command, a variable that is not set) stays as written, "${NAME}".
/// Of several commands the one with most options counts. Errors WrongFormat with the line: a quote or bracket that is
/// not closed, or no command with options at all, unless that is accepted.
[[nodiscard]] Result<LaunchCommand> readLaunchCommand(std::string_view text, NoOptions none = NoOptions::Refused);

} // namespace cardfit
