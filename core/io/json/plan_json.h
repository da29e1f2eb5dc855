// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/json_reader.h"
#include "core/plan/plan.h"

namespace cardfit {

/// What planText() writes, as a value. Internal to core/io.
[[nodiscard]] Json planJson(const Plan& plan);

} // namespace cardfit
