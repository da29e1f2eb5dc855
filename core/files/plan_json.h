// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/json_reader.h"
#include "core/plan/plan.h"

namespace cardfit {

/// The document that planText() writes, as a JSON value. Internal to core/files.
[[nodiscard]] Json planJson(const Plan& plan);

} // namespace cardfit
