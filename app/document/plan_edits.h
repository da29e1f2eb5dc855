// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <tl/expected.hpp>

#include "core/plan/edits.h"

/// Edits of a plan from typed text. Other edits are in core/plan/edits.h.
namespace cardfit::app {

/// The plan with a typed Megatron-LM layout (core/files/layout_text.h); the error is one sentence on what was
/// expected.
[[nodiscard]] tl::expected<Plan, QString> withTypedLayout(const Plan& plan, const QString& text);

} // namespace cardfit::app
