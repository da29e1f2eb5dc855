// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/document/pins.h"
#include "app/document/plan_document.h"
#include "app/recovery/edit_keeper.h"
#include "core/io/plan/presets.h"

namespace cardfit::app {

/// What outlives a window that is built anew in another language: all that is not looks.
struct Session {
    Session();

    Presets presets;
    PlanDocument document;
    Pins pins;
    EditKeeper edits;
};

} // namespace cardfit::app
