// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "core/io/json/json_reader.h"
#include "core/plan/fields.h"

/// Plans, models, clusters and accelerators as JSON, read and written field by field. Internal to core/io.
namespace cardfit {

/// What a group needs beyond its fields; every function may be empty.
struct ReadHooks {
    /// Before a field of an object is read; true: this has read it.
    std::function<bool(ObjectReader& object, const Field& field)> before;
    /// Before and after the fields of a group; `was_there`: the plan had the group already.
    std::function<void(ObjectReader&object, const Field&group, bool was_there)> enter, leave;
};

/// Reads the fields of the group at `pointer` (empty: the whole plan), those of groups within it included. A key that
/// is absent leaves its value as it is; null empties what may be empty.
void readFields(ObjectReader& json, std::string_view pointer, Plan& plan, const ReadHooks& hooks = {});

struct WriteHooks {
    /// Before the fields of a group.
    std::function<void(Json& object, const Field& group)> enter;
    /// The value of a field that has no row of its own kind: curves.
    std::function<Json(const Field& field)> curves;
};

/// Appends the fields of the group at `pointer`, in the order of the table.
void writeFields(Json& json, std::string_view pointer, const Plan& plan, const WriteHooks& hooks = {});

/// A field's value as JSON; null for nothing.
[[nodiscard]] Json fieldJson(const Field& field, const FieldValue& value);

} // namespace cardfit
