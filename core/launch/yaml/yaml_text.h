// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include <yaml-cpp/yaml.h>

#include "core/base/result.h"

namespace cardfit {

/// An error at the line of a mark.
[[nodiscard]] Error yamlError(const YAML::Mark& mark, Sentence message);

/// The only document of a YAML text. Exceptions of yaml-cpp become an error with the line.
[[nodiscard]] Result<YAML::Node> readYaml(std::string_view text);

/// A short form of a value for messages: the first 80 characters of a scalar, "[...]", "{...}" or "null".
[[nodiscard]] std::string shownYaml(const YAML::Node& node);

} // namespace cardfit
