// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QObject>

#include "app/window/language.h"

namespace cardfit::app {

class MainWindow;
struct Session;

/// Keeps the program's window, and builds it anew around the same session when another language is chosen: no text can
/// be forgotten, and nothing of the plan is touched. What stands in the undo list keeps the language it was made in.
class WindowKeeper : public QObject {
    Q_OBJECT

public:
    /// The window is in the language that was saved, and not shown yet.
    WindowKeeper();
    ~WindowKeeper() override;

    /// Another one after each change of the language.
    [[nodiscard]] MainWindow& window() { return *m_window; }
    /// Does not save it. Dialogs of the window that goes are closed with it.
    void show(Language language);

private:
    void build();

    std::shared_ptr<Session> m_session;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace cardfit::app
