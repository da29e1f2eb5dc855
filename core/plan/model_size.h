// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/plan/plan.h"

/// How large a model is, and from which family its shape is taken if another size is requested.
namespace cardfit {

/// Number of parameters, counted from the shape. It differs from the published number if the shape was requested by
/// size or has been changed.
[[nodiscard]] double modelSize(const Model& model);

/// The family from which the model's shape is taken if it is requested by size: its own, or the one that its preset's
/// id names, or else the one with the most similar structure.
[[nodiscard]] std::string_view familyOf(const Model& model);

/// False if the shape is of no known family: then familyOf() only names the nearest.
[[nodiscard]] bool isOfFamily(const Model& model);

/// The family that a preset's id names: "llama-3" for "llama-3.1-8b"; empty if none.
[[nodiscard]] std::string_view namedFamily(std::string_view id);

} // namespace cardfit
