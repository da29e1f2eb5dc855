// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include <QObject>
#include <QString>

#include "widgets/controls/callout.h"

namespace cardfit::app {

/// The text of a hint, and its target.
struct Hint {
    QString title;
    QString text;
    /// Brings the target into view and returns it; null if it cannot be shown, then the hint is skipped.
    std::function<QWidget*()> target;
};

/// Shows a few hints one after the other: once per user (stored in the settings), and again on request.
class FirstHints : public QObject {
    Q_OBJECT

public:
    FirstHints(std::vector<Hint> hints, QWidget* window);

    /// Starts unless they have been shown before. Closing them counts as having been shown.
    void startOnce();
    void start();
    [[nodiscard]] ui::Callout* callout() const { return m_callout; }

private:
    [[nodiscard]] ui::Callout::Texts textsOf(std::size_t hint) const;
    void showNext();
    void end();

    std::vector<Hint> m_hints;
    std::size_t m_next = 0;
    ui::Callout* m_callout;
};

} // namespace cardfit::app
