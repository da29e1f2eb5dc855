// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace cardfit::app {

/// Passes SIGHUP, SIGINT and SIGTERM on to the event loop, where a program can still save. Only the first of each: a
/// second one ends a program that hangs. Signals that the program was started without, as by nohup, stay ignored.
class QuitSignals : public QObject {
    Q_OBJECT

public:
    explicit QuitSignals(QObject* parent = nullptr);

signals:
    void received(int number);
};

} // namespace cardfit::app
