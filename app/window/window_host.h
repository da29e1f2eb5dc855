// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QObject>

#include "app/window/language.h"

namespace cardfit::app {

class MainWindow;
struct Session;

/// Owns the program's window, and builds it again around the same session when another language is chosen: no text can
/// be forgotten, and the plan is not touched. Names of undo steps keep the language they were made in.
class WindowHost : public QObject {
    Q_OBJECT

public:
    /// The window is in the language that was saved, and not shown yet.
    WindowHost();
    ~WindowHost() override;

    /// Another one after each change of the language.
    [[nodiscard]] MainWindow& window() { return *m_window; }
    /// Does not save the choice. Dialogs of the old window are closed with it.
    void show(Language language);

private:
    void build();

    std::shared_ptr<Session> m_session;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace cardfit::app
