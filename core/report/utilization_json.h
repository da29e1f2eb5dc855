// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/files/json_reader.h"
#include "core/time/utilization.h"

namespace cardfit {

/// An array of one object per convention and peak; null where a convention defines no value.
[[nodiscard]] Json utilizationJson(const std::vector<Utilization>& figures);

} // namespace cardfit
