// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/search/sweep.h"

/// A figure over one or two fields, as `cardfit sweep` prints it. The JSON is a contract with outside tools: format
/// "cardfit/sweep".
namespace cardfit {

[[nodiscard]] std::string sweepJson(const SweepRequest& request, const std::vector<SweepCell>& cells);
[[nodiscard]] std::string sweepCsv(const SweepRequest& request, const std::vector<SweepCell>& cells);
[[nodiscard]] std::string sweepText(const SweepRequest& request, const std::vector<SweepCell>& cells);
/// A heat map: lighter is less. Cells over capacity are hatched and show the missing memory; broken rules are dotted.
[[nodiscard]] std::string sweepSvg(const SweepRequest& request, const std::vector<SweepCell>& cells);

} // namespace cardfit
