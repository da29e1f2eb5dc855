// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/session.h"

#include "app/recovery/recovery_file.h"
#include "core/io/plan/preset_library.h"

namespace cardfit::app {

Session::Session()
    : presets(allPresets())
    , document(defaultPlan(presets))
    , pins(document, pinDirectory())
    , edits(document, recoveryDirectory())
{
}

} // namespace cardfit::app
