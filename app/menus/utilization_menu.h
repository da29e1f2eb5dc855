// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

#include "app/document/view_state.h"

namespace cardfit::app {

/// Chooses ViewState::utilization(): published figures of one run differ by half between conventions. The choice
/// belongs to the user, not to the plan, and is kept for the next start.
class UtilizationMenu : public QMenu {
    Q_OBJECT

public:
    explicit UtilizationMenu(ViewState& state, QWidget* parent = nullptr);

private:
    void choose(const ui::UtilizationChoice& choice);

    ViewState& m_state;
};

} // namespace cardfit::app
