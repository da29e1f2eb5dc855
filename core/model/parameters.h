// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/model/adapter.h"
#include "core/model/architecture.h"

namespace cardfit {

/// Parameters of the whole model as published checkpoints count them: vocabulary not padded, tied embeddings once.
/// The sum of the weights of the operator table on one unsharded card.
[[nodiscard]] std::int64_t parameterCount(const Architecture& architecture);

/// Those that one token uses: of the routed experts only the top-k.
[[nodiscard]] std::int64_t activeParameterCount(const Architecture& architecture);

/// What an adapter learns beside the frozen model.
[[nodiscard]] std::int64_t adapterParameterCount(const Architecture& architecture, const Adapter& adapter);

} // namespace cardfit
