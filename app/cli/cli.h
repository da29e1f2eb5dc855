// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/result.h"

namespace cardfit {
struct Estimate;
struct Plan;
} // namespace cardfit

namespace cardfit::app {

struct ExportOptions;

/// Exit codes of every command; scripts depend on them.
enum ExitCode { Fits = 0, OverCapacity = 1, BreaksRule = 2, FileTrouble = 3, WrongUsage = 64 };

/// What differs between the programs that run commands.
struct Program {
    const char* name;
    const char* without_command; ///< a sentence for the help: what it does then
    /// Writes the files of an export, of a plan with an estimate; see writeWithoutCharts().
    Result<void> (*write_export)(const ExportOptions&, const Plan&, const Estimate&);
};

/// Whether the first argument asks for the headless tool: a command, or an option such as --help.
[[nodiscard]] bool isCommand(std::string_view argument, const Program& program);

/// Runs `<program> <command> …` without a display and returns its exit code. Answers go to standard output, complaints
/// to standard error.
[[nodiscard]] int runCommand(int argc, char** argv, const Program& program);

/// Runs what main() does; what it throws ends the process with one sentence and FileTrouble, in any of its threads.
[[nodiscard]] int runGuarded(int (*run)(int argc, char** argv), int argc, char** argv);

} // namespace cardfit::app
