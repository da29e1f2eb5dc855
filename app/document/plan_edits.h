// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <tl/expected.hpp>

#include "core/plan/edits.h"

/// Edits of a plan that begin with typed text. Others are in core/plan/edits.h.
namespace cardfit::app {

/// The plan with a typed Megatron-LM layout (core/io/plan/layout_text.h), or one sentence on what was expected.
[[nodiscard]] tl::expected<Plan, QString> withTypedLayout(const Plan& plan, const QString& text);

} // namespace cardfit::app
