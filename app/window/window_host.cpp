// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/window_host.h"

#include "app/document/session.h"
#include "app/window/main_window.h"

namespace cardfit::app {

WindowHost::WindowHost()
    : m_session(std::make_shared<Session>())
{
    applyLanguage(savedLanguage());
    build();
}

WindowHost::~WindowHost() = default;

void WindowHost::build()
{
    m_window = std::make_unique<MainWindow>(m_session);
    // The clicked menu is deleted with its window: not before its click has been handled.
    connect(m_window.get(), &MainWindow::languageChosen, this, &WindowHost::show, Qt::QueuedConnection);
}

void WindowHost::show(Language language)
{
    if (shownLanguage(language) == appliedLanguage()) return;
    const ViewLayout layout = m_window->viewLayout();
    const ViewPosition position = m_window->position();
    const bool visible = m_window->isVisible();
    const std::unique_ptr<MainWindow> old = std::move(m_window);
    applyLanguage(language);
    build();
    m_window->setViewLayout(layout);
    if (visible) m_window->show();
    m_window->setPosition(position);
}

} // namespace cardfit::app
