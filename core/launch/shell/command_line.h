// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/launch/launch_text.h"

namespace cardfit {

/// An option of a command line and the words that follow it.
struct LaunchFlag {
    std::string name; ///< including hyphens; underscores become hyphens
    std::vector<std::string> values;
    int line = 0; ///< line of the text, from 1

    bool operator==(const LaunchFlag&) const = default;
};

/// A variable that is not set, where options or the value of one should stand.
struct UnsetUse {
    std::string name;
    std::string option; ///< whose value it is; empty: it may hold options

    bool operator==(const UnsetUse&) const = default;
};

/// An `if`, `case`, loop or chain whose way is not known from the text.
struct UndecidedBranch {
    std::string condition; ///< as written: `if [ "$1" = big ]`
    int line = 0;
    int read = 0; ///< line of the branch that was read; 0: none of them
    std::vector<std::string> options; ///< that hang on it
};

/// A loop around the command that was read.
struct LoopOfCommand {
    std::string variable;
    std::vector<std::string> values; ///< the command was read for the last of them
    int line = 0;
};

/// The command that starts a training run.
struct LaunchCommand {
    std::string name; ///< "pretrain_gpt.py", "verl.trainer.main_ppo" (python -m), "swift sft"; empty: options alone
    int line = 0; ///< of its first word
    std::vector<std::string> arguments; ///< words between the program and its first option
    std::vector<std::string> programs; ///< names of all commands of the text, each once, also of those without options
    std::vector<LaunchFlag> runner; ///< options of torchrun or srun, before the program, and of #SBATCH lines
    std::vector<LaunchFlag> program; ///< after the program, or all flags if no program is named
    std::map<std::string, std::string> environment; ///< variables that the text sets
    std::vector<std::string> unset; ///< variables that are used without being set
    std::vector<UnsetUse> missing; ///< those of them that the command uses
    std::vector<std::string> required; ///< those of them without which the script ends, as ${NAME:?why}
    std::vector<std::string> unread_files; ///< that the text sources and that could not be read
    std::vector<int> other_commands; ///< lines of those with at least half as many options
    std::vector<UndecidedBranch> undecided;
    std::vector<LoopOfCommand> loops;
};

/// Whether a command without any option is accepted.
enum class NoOptions { Refused, Accepted };

/// The program in the words of a command.
struct FoundProgram {
    std::string name;
    std::size_t end = 0; ///< place of the word behind it
};
/// Finds it; nullopt if the command starts something else.
using ProgramFinder = std::function<std::optional<FoundProgram>(std::span<const std::string> words)>;

/// Reads a shell script, a command line or the MODEL_ARGS: and ENV_VARS: of a Megatron-LM test case. A script is read
/// as it would run without arguments and with nothing set besides what it sets: variables, arrays, arithmetic, `if`,
/// `case`, `for`, functions and sourced files. Unknown values (the output of a command, an unset variable) stay as
/// text,
/// "${NAME}". What hangs on them is listed: of several ways the one of such a run is read, or the last that does not
/// end the script. If there are several commands, the one with most options is used; one that only converts, evaluates
/// or prepares data comes last. Error WrongFormat, with the line, for an unclosed quote or bracket, or if there is no
/// command with options and `none` does not accept that.
[[nodiscard]] Result<LaunchCommand> readLaunchCommand(const LaunchText& text, NoOptions none = NoOptions::Refused);

/// The same among the commands with a program that `finder` finds, with or without options; also those in quotes behind
/// `ssh`, `bash -c` and the like. Each of the others with different words is in other_commands. LaunchCommand::name is
/// empty if there is none.
[[nodiscard]] Result<LaunchCommand> readCommandOf(const ProgramFinder& finder, const LaunchText& text);

} // namespace cardfit
