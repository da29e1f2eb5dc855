// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/architecture.h"

namespace cardfit {

/// The model with another number of layers; where they are listed one by one, its list over and over, or its beginning.
[[nodiscard]] Architecture withLayers(Architecture model, std::int64_t layers);

} // namespace cardfit
