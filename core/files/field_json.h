// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "core/files/json_reader.h"
#include "core/plan/fields.h"

/// Reads and writes plans, models, clusters and accelerators as JSON, field by field. Internal to core/files.
namespace cardfit {

/// What reading a group needs beyond its fields; every function may be empty.
struct ReadHooks {
    /// Called before a field of an object is read; returns true if it has read the field.
    std::function<bool(ObjectReader& object, const Field& field)> before;
    /// Called before and after the fields of a group; `was_there`: the plan already had the group.
    std::function<void(ObjectReader&object, const Field&group, bool was_there)> enter, leave;
};

/// Reads the fields of the group at `pointer` (empty: the whole plan), including nested groups. An absent key leaves
/// the value unchanged; null clears a value that may be empty.
void readFields(ObjectReader& json, std::string_view pointer, Plan& plan, const ReadHooks& hooks = {});

struct WriteHooks {
    /// Called before the fields of a group.
    std::function<void(Json& object, const Field& group)> enter;
    /// Returns the value of a field that no other function can write: curves.
    std::function<Json(const Field& field)> curves;
};

/// Appends the fields of the group at `pointer`, in the order of the table.
void writeFields(Json& json, std::string_view pointer, const Plan& plan, const WriteHooks& hooks = {});

/// A field's value as JSON; null for an empty value.
[[nodiscard]] Json fieldJson(const Field& field, const FieldValue& value);

} // namespace cardfit
