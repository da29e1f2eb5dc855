// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/plan/plan.h"

namespace cardfit {

/// A month, counted from January 2000.
using SoftwareMonth = int;
[[nodiscard]] constexpr SoftwareMonth monthOf(int year, int month) { return 12 * (year - 2000) + month - 1; }

/// "2025-11" as a month; none for other texts.
[[nodiscard]] std::optional<SoftwareMonth> readMonth(std::string_view text);

/// The month of the plan's training software; none: today's.
[[nodiscard]] std::optional<SoftwareMonth> softwareMonth(const Plan& plan);

} // namespace cardfit
