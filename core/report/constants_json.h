// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/constants.h"
#include "core/files/json_reader.h"

namespace cardfit {

/// One of the constants, as `cardfit constants --json` and `cardfit explain --json` print it.
[[nodiscard]] Json constantJson(Constant constant);

} // namespace cardfit
