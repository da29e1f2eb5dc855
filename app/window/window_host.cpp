// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/window_host.h"

#include <QCoreApplication>
#include <QProcess>

#include "app/files/session.h"
#include "app/window/main_window.h"
#include "app/window/quit_signals.h"

namespace cardfit::app {

WindowHost::WindowHost()
    : m_run(recoveryDirectory().empty() ? recoveryDirectory() : recoveryDirectory() / "running")
{
    applyLanguage(savedLanguage());
    m_session = std::make_shared<Session>();
    const QUndoGroup* history = m_session->document.history();
    connect(history, &QUndoGroup::indexChanged, &m_run, [this, history] { m_run.note(history->undoText()); });
    build();
}

WindowHost::~WindowHost() = default;

void WindowHost::build()
{
    m_window = std::make_unique<MainWindow>(m_session);
    // Queued, because the clicked menu is deleted with its window and must handle its click first.
    connect(m_window.get(), &MainWindow::languageChosen, this, &WindowHost::show, Qt::QueuedConnection);
    connect(m_window.get(), &MainWindow::newWindowAsked, this,
        [] { QProcess::startDetached(QCoreApplication::applicationFilePath(), {}); });
}

void WindowHost::endOnSignals()
{
    connect(new QuitSignals(this), &QuitSignals::received, this, [this](int number) {
        m_session->tabs.writeNow();
        saveLayout(m_window->viewLayout());
        constexpr int kEndedBySignal = 128;
        QCoreApplication::exit(kEndedBySignal + number); // out of every dialog's loop as well
    });
}

void WindowHost::tellLastRun()
{
    if (m_run.lastRun().isEmpty()) return;
    m_window->tellLastRun(m_run.lastRun());
}

void WindowHost::show(Language language)
{
    if (shownLanguage(language) == appliedLanguage()) return;
    const ViewLayout layout = m_window->viewLayout();
    const ViewPosition position = m_window->position();
    const QRect place = m_window->geometry();
    const bool visible = m_window->isVisible();
    m_window.reset();
    applyLanguage(language);
    build();
    m_window->setViewLayout(layout);
    // A restored geometry is cut to one screen, which the window may have been larger than.
    if (!(m_window->windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen))) m_window->setGeometry(place);
    if (visible) m_window->show();
    m_window->setPosition(position);
}

} // namespace cardfit::app
