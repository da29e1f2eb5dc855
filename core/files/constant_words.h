// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/base/constants.h"
#include "core/base/result.h"

namespace cardfit {

/// The constants with one set from "WORD=VALUE" as typed ("links.share=0.75"). Error Usage: there is no such constant,
/// or the value is no number above 0.
[[nodiscard]] Result<Constants> withConstant(const Constants& constants, std::string_view assignment);

} // namespace cardfit
