// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/files/json_reader.h"
#include "core/model/architecture.h"

namespace cardfit {

/// The vision tower, "vision_config", of a file with several parts, if it is built like Qwen3-VL's or Qwen2.5-VL's
/// (transformers, models/qwen3_vl/configuration_qwen3_vl.py); nullopt for other types.
[[nodiscard]] std::optional<VisionTower> readVisionTower(
    const Json& document, std::string_view type, Findings& findings);

} // namespace cardfit
