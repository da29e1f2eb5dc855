// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

/// Everything that commands say goes through here. Names, keys and words of files never reach a terminal as anything
/// but text, see printable().
namespace cardfit::app {

/// On standard output: lines for people, or JSON.
void print(std::string_view lines);

/// One line, whatever stands in it.
void printLine(std::string_view line);

/// A file's content, byte for byte.
void printFile(std::string_view content);

/// One line on standard error.
void printError(std::string_view line);

/// In the place of the last progress, on a standard error that is a terminal; an empty one takes it away.
void printProgress(std::string_view line);

/// Hands over what was printed so far. Whether standard output has taken all of it.
[[nodiscard]] bool flush();

/// To be called when all is said: the exit code, or FileTrouble and a complaint if standard output did not take all of
/// it.
[[nodiscard]] int afterAnswer(int code);

} // namespace cardfit::app
