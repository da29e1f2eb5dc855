// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/files/presets.h"

namespace cardfit {

/// Format "cardfit/presets", of `cardfit presets --json`: id, name, main figures and source of every preset. `kind`:
/// "models", "accelerators", "clusters", "plans", or empty for all. Two-space indent, no newline at the end.
[[nodiscard]] std::string presetsJson(const Presets& presets, std::string_view kind);

} // namespace cardfit
