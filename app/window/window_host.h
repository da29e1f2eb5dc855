// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include <QObject>

#include "app/controls/language.h"

namespace cardfit::app {

class MainWindow;
struct Session;

/// Owns the program's windows, each with its own session: a plan that would replace unsaved edits is opened in another
/// window. When the language changes, each window is rebuilt for its session, so that every text is translated and no
/// plan changes. Names of undo steps keep the language in which they were made.
class WindowHost : public QObject {
    Q_OBJECT

public:
    /// The window is in the saved language and not visible yet.
    WindowHost();
    ~WindowHost() override;

    /// The first window; a new object after each change of language.
    [[nodiscard]] MainWindow& window() { return *m_places.front().window; }
    [[nodiscard]] std::size_t count() const { return m_places.size(); }
    /// Opens a window with the default plan, a little below and to the right of the newest one.
    MainWindow& openAnother();
    /// Rebuilds the windows in `language` without saving the choice. Dialogs of the old windows are closed.
    void show(Language language);
    /// From now on SIGHUP, SIGINT and SIGTERM end the program, without asking: unsaved edits are kept for the next
    /// start, the layout is saved, and the exit code is 128 plus the signal's number, as shells have it.
    void endOnSignals();

private:
    struct Place {
        std::shared_ptr<Session> session;
        std::unique_ptr<MainWindow> window;
    };

    [[nodiscard]] std::unique_ptr<MainWindow> build(const std::shared_ptr<Session>& session);
    /// Deletes a closed window, except the last one, whose closing ends the program.
    void forget(const MainWindow* window);

    std::vector<Place> m_places;
};

} // namespace cardfit::app
