// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QApplication>

namespace cardfit::app {

/// Delivers an event. If an exception escapes, shows a message and returns false. No exception should get here: this is
/// the last place where it does not end the program and lose the user's edits.
bool deliverGuarded(const std::function<bool()>& deliver);

/// The program's application: exceptions of event handlers do not end it.
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
