// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <QString>

#include "core/plan/edit.h"

/// Names of a plan's fields, by their JSON pointers, as people read them.
namespace cardfit::app {

/// "Tensor parallel" for a field with a rail, "Sharding", else the pointer's last word.
[[nodiscard]] QString shortFieldLabel(const std::string& field);

/// The same where many fields stand in one list: "model · hidden size".
[[nodiscard]] QString fieldLabel(const std::string& field);

/// "Tensor parallel 8 → 4"
[[nodiscard]] QString editText(const Edit& edit);

} // namespace cardfit::app
