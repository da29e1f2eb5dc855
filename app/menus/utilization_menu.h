// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

#include "widgets/text/utilization_text.h"

namespace cardfit::app {

/// By which convention utilisation is stated: published figures of one run differ by half between conventions. The
/// choice is the user's, not the plan's, and is kept for the next start.
class UtilizationMenu : public QMenu {
    Q_OBJECT

public:
    explicit UtilizationMenu(QWidget* parent = nullptr);

    [[nodiscard]] const ui::UtilizationChoice& choice() const { return m_choice; }

signals:
    void changed();

private:
    void choose(const ui::UtilizationChoice& choice);

    ui::UtilizationChoice m_choice;
};

} // namespace cardfit::app
