// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/model/architecture.h"

namespace cardfit {

/// Families that architectureOfSize() knows: "llama", "llama-3", "gpt", "qwen2.5".
[[nodiscard]] std::span<const std::string_view> familyNames();

/// The name for display: "Llama 3" of "llama-3".
[[nodiscard]] std::string_view familyTitle(std::string_view name);

/// A shape of the family with about this many parameters. Within 1 % of a published size, by name or by exact count, it
/// is the published shape. In between, the width is interpolated from the published sizes (on logarithmic axes; the
/// number of heads is a multiple of eight if there are many), and the depth is chosen to come closest to `parameters`,
/// in steps of 2, 4 or 8 layers, so that usual pipelines and tensor degrees divide the shape. The size is met within 5
/// %. nullopt for an unknown family or a size outside 10 million to 10 trillion.
[[nodiscard]] std::optional<Architecture> architectureOfSize(std::string_view family, double parameters);

} // namespace cardfit
