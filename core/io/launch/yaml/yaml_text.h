// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include <yaml-cpp/yaml.h>

#include "core/result.h"

namespace cardfit {

/// An error at the line of a mark.
[[nodiscard]] Error yamlError(const YAML::Mark& mark, Sentence message);

/// The one document of a YAML text. What yaml-cpp throws becomes an error with its line.
[[nodiscard]] Result<YAML::Node> readYaml(std::string_view text);

/// A value as it would stand in the file, shortened, for messages.
[[nodiscard]] std::string shownYaml(const YAML::Node& node);

} // namespace cardfit
