// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/help/first_hints.h"

#include <QSettings>
#include <QWidget>

namespace cardfit::app {

namespace {

const QString kSeenKey = QStringLiteral("hintsSeen");

} // namespace

FirstHints::FirstHints(std::vector<Hint> hints, QWidget* window)
    : QObject(window)
    , m_hints(std::move(hints))
    , m_callout(new ui::Callout(window))
{
    connect(m_callout, &ui::Callout::nextAsked, this, &FirstHints::showNext);
    connect(m_callout, &ui::Callout::closeAsked, this, &FirstHints::end);
}

void FirstHints::startOnce()
{
    if (!QSettings().value(kSeenKey, false).toBool()) start();
}

void FirstHints::start()
{
    std::vector<QWidget*> targets;
    std::vector<ui::Callout::Texts> texts;
    for (std::size_t i = 0; i < m_hints.size(); ++i) {
        if (QWidget* target = m_hints[i].target()) targets.push_back(target);
        texts.push_back(textsOf(i));
    }
    m_callout->prepare(std::move(targets), texts);
    m_next = 0;
    showNext();
}

ui::Callout::Texts FirstHints::textsOf(std::size_t hint) const
{
    return {m_hints[hint].title, m_hints[hint].text, tr("%1 of %2").arg(hint + 1).arg(m_hints.size())};
}

void FirstHints::showNext()
{
    while (m_next < m_hints.size()) {
        const std::size_t hint = m_next++;
        QWidget* target = m_hints[hint].target();
        if (target == nullptr) continue;
        m_callout->setTexts(textsOf(hint));
        m_callout->setLast(m_next == m_hints.size());
        m_callout->pointAt(target);
        return;
    }
    end();
}

void FirstHints::end()
{
    m_callout->hide();
    QSettings().setValue(kSeenKey, true);
}

} // namespace cardfit::app
