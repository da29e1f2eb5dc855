// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/help/help_menu.h"

#include <QApplication>
#include <QMenu>

#include "app/help/help_window.h"

namespace cardfit::app {

HelpMenu::HelpMenu(std::vector<Hint> hints, QWidget* window)
    : QObject(window)
    , m_window(window)
    , m_hints(std::move(hints), window)
{
}

void HelpMenu::fill(QMenu* menu)
{
    auto* contents = menu->addAction(tr("&Contents"), this, &HelpMenu::showContext);
    contents->setShortcut(QKeySequence::HelpContents);
    menu->addAction(tr("&Keyboard and mouse"), this, [this] { helpWindow().showTopic(QStringLiteral("shortcuts")); });
    menu->addAction(tr("Show the first &hints again"), &m_hints, &FirstHints::start);
}

HelpWindow& HelpMenu::helpWindow()
{
    // Made on first use: most runs never open it.
    if (m_help == nullptr) m_help = new HelpWindow(m_window);
    return *m_help;
}

const HelpWindow* HelpMenu::openWindow() const { return m_help != nullptr && m_help->isVisible() ? m_help : nullptr; }

void HelpMenu::showContext()
{
    const QWidget* about = QApplication::focusWidget();
    if (about == nullptr || about->window() != m_window) about = QApplication::widgetAt(QCursor::pos());
    helpWindow().showTopic(HelpWindow::topicOf(about));
}

} // namespace cardfit::app
