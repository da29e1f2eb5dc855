// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include <QObject>
#include <QString>

#include "app/help/callout.h"

namespace cardfit::app {

/// What one hint says, and where it points.
struct Hint {
    QString title;
    QString text;
    /// Brings the widget into view and gives it; null if it cannot be shown, which passes the hint over.
    std::function<QWidget*()> target;
};

/// Shows a few hints one after the other, once in the life of a program's settings, and again when asked for.
class FirstHints : public QObject {
    Q_OBJECT

public:
    FirstHints(std::vector<Hint> hints, QWidget* window);

    /// Unless they have been shown before. Closing them counts as having seen them.
    void startOnce();
    void start();
    [[nodiscard]] Callout* callout() const { return m_callout; }

private:
    [[nodiscard]] Callout::Texts textsOf(std::size_t hint) const;
    void showNext();
    void end();

    std::vector<Hint> m_hints;
    std::size_t m_next = 0;
    Callout* m_callout;
};

} // namespace cardfit::app
