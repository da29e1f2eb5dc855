// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/window_host.h"

#include <algorithm>

#include <QCoreApplication>
#include <QScreen>

#include "app/files/plan_files.h"
#include "app/files/session.h"
#include "app/window/main_window.h"
#include "app/window/quit_signals.h"

namespace cardfit::app {

WindowHost::WindowHost()
{
    applyLanguage(savedLanguage());
    auto session = std::make_shared<Session>();
    auto window = build(session);
    m_places.push_back({std::move(session), std::move(window)});
}

WindowHost::~WindowHost() = default;

std::unique_ptr<MainWindow> WindowHost::build(const std::shared_ptr<Session>& session)
{
    auto window = std::make_unique<MainWindow>(session);
    // Queued, because the clicked menu is deleted with its window and must handle its click first.
    connect(window.get(), &MainWindow::languageChosen, this, &WindowHost::show, Qt::QueuedConnection);
    connect(window.get(), &MainWindow::newWindowAsked, this, [this] { openAnother(); });
    connect(
        window.get(), &MainWindow::closed, this, [this, shown = window.get()] { forget(shown); }, Qt::QueuedConnection);
    window->part<PlanFiles>().setElsewhere([this]() -> PlanFiles& { return openAnother().part<PlanFiles>(); });
    return window;
}

MainWindow& WindowHost::openAnother()
{
    constexpr QPoint kBeside(32, 32);
    const MainWindow& newest = *m_places.back().window;
    auto session = std::make_shared<Session>();
    auto window = build(session);
    window->setViewLayout(newest.viewLayout());
    // Offset from the newest window as far as there is space: a window that fills the screen would lose its lower edge.
    const QRect room = newest.screen()->availableGeometry();
    const QRect frame = newest.frameGeometry();
    const QPoint last = room.bottomRight() - QPoint(frame.width() - 1, frame.height() - 1);
    const QPoint beside = newest.pos() + kBeside;
    window->move(
        std::max(room.left(), std::min(beside.x(), last.x())), std::max(room.top(), std::min(beside.y(), last.y())));
    window->show();
    m_places.push_back({std::move(session), std::move(window)});
    return *m_places.back().window;
}

void WindowHost::forget(const MainWindow* window)
{
    if (m_places.size() > 1) std::erase_if(m_places, [&](const Place& place) { return place.window.get() == window; });
}

void WindowHost::endOnSignals()
{
    connect(new QuitSignals(this), &QuitSignals::received, this, [this](int number) {
        for (const Place& place : m_places)
            place.session->edits.writeNow();
        saveLayout(m_places.back().window->viewLayout());
        constexpr int kEndedBySignal = 128;
        QCoreApplication::exit(kEndedBySignal + number); // out of every dialog's loop as well
    });
}

void WindowHost::show(Language language)
{
    if (shownLanguage(language) == appliedLanguage()) return;
    std::vector<std::unique_ptr<MainWindow>> old;
    for (Place& place : m_places)
        old.push_back(std::move(place.window));
    applyLanguage(language);
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        const ViewLayout layout = old[i]->viewLayout();
        const ViewPosition position = old[i]->position();
        const QRect place = old[i]->geometry();
        const bool visible = old[i]->isVisible();
        old[i].reset();
        m_places[i].window = build(m_places[i].session);
        m_places[i].window->setViewLayout(layout);
        // A restored geometry is cut to one screen, which the window may have been larger than.
        if (!(m_places[i].window->windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen)))
            m_places[i].window->setGeometry(place);
        if (visible) m_places[i].window->show();
        m_places[i].window->setPosition(position);
    }
}

} // namespace cardfit::app
