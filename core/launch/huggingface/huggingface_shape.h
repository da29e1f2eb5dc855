// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/model/architecture.h"

namespace cardfit {

class Notes;
class ObjectReader;

/// Reads the language model of one object of a config.json. `inner`: the object is nested in another, as "text_config".
[[nodiscard]] Architecture readHuggingFaceShape(ObjectReader& json, std::string_view type, bool inner, Notes& notes);

} // namespace cardfit
