// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/architecture.h"

namespace cardfit {

/// The model with another number of layers. A list of layers is repeated or cut to this length.
[[nodiscard]] Architecture withLayers(Architecture model, std::int64_t layers);

} // namespace cardfit
