// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QApplication>

namespace cardfit::app {

/// Runs what delivers an event; an exception that escapes from it becomes a message, and false. No exception should
/// come this far: this is the last place at which one does not end the program, and the user's edits with it.
bool deliverGuarded(const std::function<bool()>& deliver);

/// The program's application: events whose handlers throw do not end it.
class GuardedApplication : public QApplication {
    Q_OBJECT

public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        return deliverGuarded([&] { return QApplication::notify(receiver, event); });
    }
};

} // namespace cardfit::app
