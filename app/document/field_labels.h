// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <QString>

#include "core/plan/edit.h"

/// Readable names of a plan's fields, by JSON pointer.
namespace cardfit::app {

/// "Tensor parallel" for a field with a rail, "Sharding" for a choice, else the last word of the pointer.
[[nodiscard]] QString shortFieldLabel(const std::string& field);

/// The same for lists of many fields: "model · hidden size".
[[nodiscard]] QString fieldLabel(const std::string& field);

/// "Tensor parallel 8 → 4"
[[nodiscard]] QString editText(const Edit& edit);

} // namespace cardfit::app
