// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/explain/explain.h"

/// The addends of figures other than memory.
namespace cardfit {

enum class CountedParameters { Total, Learned, Active, Adapters };

/// Weights of the whole model by name and shape, largest first; they add up to parameterCount(),
/// activeParameterCount() or adapterParameterCount().
[[nodiscard]] std::vector<ExplanationRow> parameterRows(const Plan& plan, CountedParameters counted);

/// The addends of a part of the step ("compute", "tensor", "pipeline", "bubble", "data", "expert", "context",
/// "optimizer") on the busiest rank: operators and their collectives times the layers and micro-batches that run them,
/// exchanges of replicas, idle time by its cause. The rows add up to the part. If overlapped blocks hide part of the
/// expert exchange, all its rows are reduced by the same factor. Requires a complete estimate; no rows for a part of
/// zero seconds.
[[nodiscard]] std::vector<ExplanationRow> stepRows(const Plan& plan, const Estimate& estimate, std::string_view part);

/// The addends of a part of a server's time per token, over all stages; they add up to the part.
[[nodiscard]] std::vector<ExplanationRow> decodeRows(const Plan& plan, const ServerPace& pace, const DecodePart& part);
/// What formulas of a server's times use.
[[nodiscard]] std::vector<Symbol> decodeSymbols(const Plan& plan, const ServerPace& pace);

} // namespace cardfit
