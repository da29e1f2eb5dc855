// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/files/json_reader.h"
#include "core/launch/checkpoint_names.h"

namespace cardfit {

/// The format that a config.json's "quantization_config" keeps weights in; `model`: the object that has the key.
/// nullopt if there is no such key or a method that plans do not have.
[[nodiscard]] std::optional<CheckpointFormat> readQuantization(const Json& model);

} // namespace cardfit
