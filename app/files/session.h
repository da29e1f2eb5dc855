// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/document/plan_document.h"
#include "app/files/tab_keeper.h"
#include "core/files/presets.h"

namespace cardfit::app {

/// The state that survives when a window is rebuilt in another language.
struct Session {
    Session();

    Presets presets;
    PlanDocument document;
    TabKeeper tabs;
};

} // namespace cardfit::app
