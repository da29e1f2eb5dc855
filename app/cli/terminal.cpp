// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/terminal.h"

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "app/cli/cli.h"
#include "core/base/result.h"
#include "core/files/file.h"
#include "core/files/foreign_text.h"

namespace cardfit::app {

namespace {

/// errno of the first write to standard output that failed; 0 if none has.
int g_failure = 0;

void noteFailure(bool failed)
{
    if (failed && g_failure == 0) g_failure = errno;
}

void write(std::string_view text) { noteFailure(std::fwrite(text.data(), 1, text.size(), stdout) != text.size()); }

void toStandardError(const std::string& text) { (void)std::fwrite(text.data(), 1, text.size(), stderr); }

} // namespace

void print(std::string_view lines) { write(printable(lines, LineBreaks::Kept)); }

void printLine(std::string_view line) { write(printable(line) + "\n"); }

void printFile(std::string_view content) { write(content); }

void printError(std::string_view line) { toStandardError(printable(line) + "\n"); }

void printProgress(std::string_view line) { toStandardError("\r\x1b[K" + printable(line)); }

bool flush()
{
    noteFailure(std::fflush(stdout) != 0);
    return g_failure == 0;
}

int afterAnswer(int code)
{
    if (flush()) return code;
    const Sentence reason = reasonOf(std::error_code(g_failure, std::generic_category()));
    const Error error{ErrorCode::CannotWrite, "standard output", {}, Sentence::tr("cannot be written: {}", {reason})};
    printError(fmt::format("cardfit: {}", describe(error)));
    return FileTrouble;
}

} // namespace cardfit::app
