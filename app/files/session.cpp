// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/session.h"

#include "app/files/recovery_file.h"
#include "core/files/preset_library.h"

namespace cardfit::app {

Session::Session()
    : presets(allPresets())
    , document(defaultPlan(presets))
    , tabs(document, recoveryDirectory())
{
}

} // namespace cardfit::app
