// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace cardfit {
struct DocumentRequest;
} // namespace cardfit

namespace cardfit::app {

struct ExportOptions;

/// Exit codes of every command; scripts depend on them.
enum ExitCode { Fits = 0, OverCapacity = 1, BreaksRule = 2, FileTrouble = 3, WrongUsage = 64 };

/// The differences between the programs that run commands.
struct Program {
    const char* name;
    const char* without_command; ///< a sentence for the help: what the program does without a command
    /// Writes the files of an export; see writeWithoutCharts(). The request holds plan and estimate.
    Result<void> (*write_export)(const ExportOptions&, const DocumentRequest&);
};

/// The parts of the reference, in order.
inline constexpr std::array<std::string_view, 4> kReferenceParts{"fields", "rules", "commands", "outputs"};
/// A part of the reference as Markdown: all that is not written by hand, see core/launch/reference.h.
[[nodiscard]] std::string referencePart(std::string_view part, const Program& program);

/// Whether the first argument asks for the command-line tool: a command, or an option such as --help.
[[nodiscard]] bool isCommand(std::string_view argument, const Program& program);

/// Runs `<program> <command> …` without a display and returns its exit code. Answers go to standard output, errors to
/// standard error.
[[nodiscard]] int runCommand(int argc, char** argv, const Program& program);

/// Runs a main function. An exception that escapes, in any thread, ends the process with one sentence and FileTrouble.
[[nodiscard]] int runGuarded(int (*run)(int argc, char** argv), int argc, char** argv);

} // namespace cardfit::app
