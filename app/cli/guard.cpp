// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include <fmt/format.h>

#include "app/cli/cli.h"
#include "app/cli/terminal.h"

namespace cardfit::app {

namespace {

/// Reports an uncaught exception. Returns the exit code.
int saidOf(const std::exception_ptr& thrown)
{
    const auto say = [](const char* what) {
        try {
            printError(fmt::format("cardfit: internal error: {}", what));
        } catch (...) { // there may be no memory left to format the message
            std::fputs("cardfit: internal error\n", stderr);
        }
    };
    try {
        if (thrown) std::rethrow_exception(thrown);
        say("no reason given");
    } catch (const std::bad_alloc&) {
        say("there is not enough memory");
    } catch (const std::exception& error) {
        say(error.what());
    } catch (...) {
        say("no reason given");
    }
    return FileTrouble;
}

/// Ends the process for an exception that nobody catches: of another thread, or before main.
void endSaying() { std::_Exit(saidOf(std::current_exception())); }

/// Before whatever allocates ahead of main: the loader calls this before the first initialiser of any library.
[[gnu::section(".preinit_array"), gnu::used]] void (*const kSayFromTheStart)() = [] { std::set_terminate(endSaying); };

} // namespace

int runGuarded(int (*run)(int argc, char** argv), int argc, char** argv)
{
    // Exceptions of this thread are caught here, so that its destructors run and clean up files.
    try {
        return run(argc, argv);
    } catch (...) {
        return saidOf(std::current_exception());
    }
}

} // namespace cardfit::app
