// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/plan/plan.h"

/// How large a model is, and whose shape it takes when another size is asked for.
namespace cardfit {

/// Parameters, counted: a shape that was asked for by size, or was changed since it was published, has others than
/// those.
[[nodiscard]] double modelSize(const Model& model);

/// The family from which the model takes its shape when it is asked for by size: its own, the one that its preset's id
/// names, or else the one that is built alike.
[[nodiscard]] std::string_view familyOf(const Model& model);

/// False for a shape of no known family, for which familyOf() can only name the nearest.
[[nodiscard]] bool isOfFamily(const Model& model);

/// The family that a preset's id names: "llama-3" for "llama-3.1-8b"; empty if none.
[[nodiscard]] std::string_view namedFamily(std::string_view id);

} // namespace cardfit
