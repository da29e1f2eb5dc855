// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace cardfit::app {

/// Exit codes of every command; scripts depend on them.
enum ExitCode { Fits = 0, OverCapacity = 1, BreaksRule = 2, FileTrouble = 3, WrongUsage = 64 };

/// Whether the first argument asks for the headless tool: a command, or an option such as --help.
[[nodiscard]] bool isCommand(std::string_view argument);

/// Runs `cardfit <command> …` without a display and returns its exit code. Answers go to standard output, complaints
/// to standard error.
[[nodiscard]] int runCommand(int argc, char** argv);

} // namespace cardfit::app
