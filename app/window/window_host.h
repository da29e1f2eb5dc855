// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include <QObject>

#include "app/window/language.h"

namespace cardfit::app {

class MainWindow;
struct Session;

/// Owns the program's windows, each around a session of its own: a plan that would take the place of unsaved edits gets
/// a window beside theirs. When another language is chosen each is built again around its session: no text can be
/// forgotten, and no plan is touched. Names of undo steps keep the language they were made in.
class WindowHost : public QObject {
    Q_OBJECT

public:
    /// The window is in the language that was saved, and not shown yet.
    WindowHost();
    ~WindowHost() override;

    /// The first one; another one after each change of the language.
    [[nodiscard]] MainWindow& window() { return *m_places.front().window; }
    [[nodiscard]] std::size_t count() const { return m_places.size(); }
    /// With the default plan, shown, a little below and right of the newest one.
    MainWindow& openAnother();
    /// Does not save the choice. Dialogs of the old window are closed with it.
    void show(Language language);

private:
    struct Place {
        std::shared_ptr<Session> session;
        std::unique_ptr<MainWindow> window;
    };

    [[nodiscard]] std::unique_ptr<MainWindow> build(const std::shared_ptr<Session>& session);
    /// A closed window goes, but for the last one, whose closing ends the program.
    void forget(const MainWindow* window);

    std::vector<Place> m_places;
};

} // namespace cardfit::app
