// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

/// All output of commands goes through here. Names, keys and words from files reach a terminal only as plain text,
/// without control characters; see printable().
namespace cardfit::app {

/// Prints to standard output: lines for people, or JSON.
void print(std::string_view lines);

/// Prints one line, even if `line` contains line breaks.
void printLine(std::string_view line);

/// Prints a file's content, byte for byte.
void printFile(std::string_view content);

/// Prints one line to standard error.
void printError(std::string_view line);

/// Replaces the last progress line on standard error, which must be a terminal; an empty line clears it.
void printProgress(std::string_view line);

/// Flushes standard output. Returns whether all output so far was written.
[[nodiscard]] bool flush();

/// Call it at the end of a command. Returns `code`; if standard output could not be written completely, prints an error
/// and returns FileTrouble.
[[nodiscard]] int afterAnswer(int code);

} // namespace cardfit::app
