// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/files/presets.h"
#include "core/plan/plan.h"

namespace cardfit {

/// Parses a plan file. Strict: a wrong type, a fraction for a count, a number out of range, a duplicate key, an unknown
/// word or preset is an Error with its JSON pointer; unknown keys are kept in Plan::unknown. Absent and null values
/// take their defaults; presets are looked up in `presets`.
[[nodiscard]] Result<Plan> parsePlan(std::string_view text, const Presets& presets);

/// The plan with one field set from "POINTER=VALUE" as typed ("/parallelism/tensor=8",
/// "/recipe/recompute/modules=mlp,moe", "/workload/tokens=null"), checked as in a file. "/model/preset=llama-3-8b"
/// takes the preset, and a size in "/model/parameters" takes the shape that the model's family has at that size. Error
/// Usage: no such field, or an invalid value.
[[nodiscard]] Result<Plan> withSetting(const Plan& plan, std::string_view assignment, const Presets& presets);

/// A plan's text, and whether it was embedded in a picture or packed by gzip. Neither can be written back.
struct PlanSource {
    std::string text;
    bool in_picture = false;
    bool packed = false;
};

/// The content of a plan file, or the plan embedded in an exported PNG or SVG (see core/files/picture_plan.h); errors
/// name the file. Refuses plans larger than 4 MiB; no real plan is that large.
[[nodiscard]] Result<PlanSource> readPlanSource(const std::filesystem::path& file);

/// parsePlan() of a file or an exported picture; errors name the file.
[[nodiscard]] Result<Plan> readPlan(const std::filesystem::path& file, const Presets& presets);

/// The plan as a file: all values embedded (so it opens without presets), unknown keys at their places, stable key
/// order, two-space indent, trailing newline. parsePlan(planText(plan)) == plan if every number is allowed in a file: a
/// plan with 0 layers is written as it is, and refused when read.
[[nodiscard]] std::string planText(const Plan& plan);

} // namespace cardfit
