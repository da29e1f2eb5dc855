// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/model/architecture.h"

namespace cardfit {

/// Families that architectureOfSize() knows: "llama", "llama-3", "gpt", "qwen2.5".
[[nodiscard]] std::span<const std::string_view> familyNames();

/// As people write it: "Llama 3" of "llama-3".
[[nodiscard]] std::string_view familyTitle(std::string_view name);

/// "13 billion parameters" as a shape of the family. Within 1 % of a published size, by name or by exact
/// count, it is the published shape; in between, width follows the published sizes (interpolated on logarithmic axes,
/// heads in eights where there are many) and depth comes closest to `parameters` in steps of 2, 4 or 8 layers, so that
/// usual pipelines and tensor degrees divide the shape; the size is met within 5 %. None for an unknown family or a
/// size outside 10 million to 10 trillion.
[[nodiscard]] std::optional<Architecture> architectureOfSize(std::string_view family, double parameters);

} // namespace cardfit
