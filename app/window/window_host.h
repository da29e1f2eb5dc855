// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QObject>

#include "app/controls/language.h"
#include "app/files/run_mark.h"

namespace cardfit::app {

class MainWindow;
struct Session;

/// Owns the program's window and its session. When the language changes, the window is rebuilt for the session, so that
/// every text is translated and no plan changes. Names of undo steps keep the language in which they were made. Another
/// window is another process.
class WindowHost : public QObject {
    Q_OBJECT

public:
    /// The window is in the saved language and not visible yet.
    WindowHost();
    ~WindowHost() override;

    /// A new object after each change of language.
    [[nodiscard]] MainWindow& window() { return *m_window; }
    /// Rebuilds the window in `language` without saving the choice. Dialogs of the old window are closed.
    void show(Language language);
    /// From now on SIGHUP, SIGINT and SIGTERM end the program, without asking: unsaved edits are kept for the next
    /// start, the layout is saved, and the exit code is 128 plus the signal's number, as shells have it.
    void endOnSignals();
    /// If the last run did not end properly, the window says so.
    void tellLastRun();

private:
    void build();

    RunMark m_run;
    std::shared_ptr<Session> m_session;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace cardfit::app
