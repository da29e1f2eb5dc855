// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/quit_signals.h"

#include <array>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

#include <QSocketNotifier>

namespace cardfit::app {

namespace {

/// A handler may do little more than write to a pipe; the event loop reads the other end.
std::array<int, 2> ends{-1, -1};

extern "C" void passOn(int number)
{
    const int before = errno;
    const auto byte = static_cast<unsigned char>(number);
    [[maybe_unused]] const auto written = ::write(ends[1], &byte, 1);
    errno = before;
}

} // namespace

QuitSignals::QuitSignals(QObject* parent)
    : QObject(parent)
{
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return; // then signals end the program, as without this
    auto* notifier = new QSocketNotifier(ends[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this] {
        unsigned char number = 0;
        if (::read(ends[0], &number, 1) == 1) emit received(number);
    });
    for (const int number : {SIGHUP, SIGINT, SIGTERM}) {
        struct sigaction action = {};
        if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
        action = {};
        action.sa_handler = passOn;
        action.sa_flags = SA_RESTART | SA_RESETHAND;
        ::sigaction(number, &action, nullptr);
    }
}

} // namespace cardfit::app
