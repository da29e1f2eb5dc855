// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/window_keeper.h"

#include "app/document/session.h"
#include "app/window/main_window.h"

namespace cardfit::app {

WindowKeeper::WindowKeeper()
    : m_session(std::make_shared<Session>())
{
    applyLanguage(savedLanguage());
    build();
}

WindowKeeper::~WindowKeeper() = default;

void WindowKeeper::build()
{
    m_window = std::make_unique<MainWindow>(m_session);
    // The menu that was clicked goes with its window: not before its click is over.
    connect(m_window.get(), &MainWindow::languageChosen, this, &WindowKeeper::show, Qt::QueuedConnection);
}

void WindowKeeper::show(Language language)
{
    if (shownLanguage(language) == appliedLanguage()) return;
    const WindowLook look = m_window->look();
    const WindowGaze gaze = m_window->gaze();
    const bool visible = m_window->isVisible();
    const std::unique_ptr<MainWindow> old = std::move(m_window);
    applyLanguage(language);
    build();
    m_window->setLook(look);
    if (visible) m_window->show();
    m_window->setGaze(gaze);
}

} // namespace cardfit::app
