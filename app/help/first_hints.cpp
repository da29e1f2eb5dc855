// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/help/first_hints.h"

#include <QSettings>
#include <QWidget>

#include "app/help/callout.h"

namespace cardfit::app {

namespace {

const QString kSeenKey = QStringLiteral("hintsSeen");

} // namespace

FirstHints::FirstHints(std::vector<Hint> hints, QWidget* window)
    : QObject(window)
    , m_hints(std::move(hints))
    , m_callout(new Callout(window))
{
    connect(m_callout, &Callout::nextAsked, this, &FirstHints::showNext);
    connect(m_callout, &Callout::closeAsked, this, &FirstHints::end);
}

void FirstHints::startOnce()
{
    if (!QSettings().value(kSeenKey, false).toBool()) start();
}

void FirstHints::start()
{
    m_next = 0;
    showNext();
}

void FirstHints::showNext()
{
    while (m_next < m_hints.size()) {
        const Hint& hint = m_hints[m_next++];
        QWidget* target = hint.target();
        if (target == nullptr) continue;
        m_callout->setTexts(hint.title, hint.text, tr("%1 of %2").arg(m_next).arg(m_hints.size()));
        m_callout->setLast(m_next == m_hints.size());
        m_callout->pointAt(target, hint.part ? hint.part() : QRect());
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
