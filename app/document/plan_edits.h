// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <QString>
#include <tl/expected.hpp>

#include "core/plan/edits.h"

/// Edits of a plan by the field names that checks use. Edits that adjust other values too are in core/plan/edits.h.
namespace cardfit::app {

/// The plan with a whole number set that has no rail, by its JSON pointer; none if Cardfit cannot set the field.
[[nodiscard]] std::optional<Plan> withPlainField(const Plan& plan, std::string_view field, std::int64_t value);

/// The plan with a typed Megatron-LM layout (core/io/plan/layout_text.h), or one sentence on what was expected.
[[nodiscard]] tl::expected<Plan, QString> withTypedLayout(const Plan& plan, const QString& text);

} // namespace cardfit::app
