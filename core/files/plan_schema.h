// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cardfit {

/// "plan", "model", "accelerator", "cluster".
[[nodiscard]] std::vector<std::string> schemaKinds();

/// The JSON Schema (draft 2020-12) of plan files or of one kind of preset files, for editors that complete and
/// validate. Generated from the field table (core/plan/field_table.h).
[[nodiscard]] std::string jsonSchema(std::string_view kind);

} // namespace cardfit
