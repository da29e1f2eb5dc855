// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/explain/explain.h"

namespace cardfit {

enum class CountedParameters { Total, Active, Adapters };

/// Weights of the whole model by name and shape, largest first; they add up to parameterCount(),
/// activeParameterCount() or adapterParameterCount().
[[nodiscard]] std::vector<ExplanationRow> parameterRows(const Plan& plan, CountedParameters counted);

} // namespace cardfit
