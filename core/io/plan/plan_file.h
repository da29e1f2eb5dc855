// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/io/plan/presets.h"
#include "core/plan/plan.h"
#include "core/result.h"

namespace cardfit {

/// The plan that a text describes. Strict: a wrong type, a fraction where a count belongs, a number out of range, a
/// duplicate key, an unknown word or preset is an Error with its JSON pointer; unknown keys are kept in Plan::unknown.
/// Values that are absent or null take their defaults; presets are looked up in `presets`.
[[nodiscard]] Result<Plan> parsePlan(std::string_view text, const Presets& presets);

/// The plan with one field set from "POINTER=VALUE" as typed ("/parallelism/tensor=8",
/// "/recipe/recompute/modules=mlp,moe",
/// "/workload/tokens=null"), checked as in a file. "/model/preset=llama-3-8b" takes the preset instead, and a size in
/// "/model/parameters" asks the model's family for its shape. Error Usage: no such field, or no such value.
[[nodiscard]] Result<Plan> withSetting(const Plan& plan, std::string_view assignment, const Presets& presets);

/// A plan's text, and whether a picture carried it.
struct PlanSource {
    std::string text;
    bool in_picture = false;
};

/// What a plan file holds, or the plan in an exported PNG or SVG (see core/io/plan/picture_plan.h); errors name the
/// file. Plans above 4 MiB are refused: none is that large.
[[nodiscard]] Result<PlanSource> readPlanSource(const std::filesystem::path& file);

/// parsePlan() of a file or an exported picture; errors name it.
[[nodiscard]] Result<Plan> readPlan(const std::filesystem::path& file, const Presets& presets);

/// The plan as a file: all values embedded (it opens without presets), unknown keys where they stood, stable key order,
/// two-space indent, trailing newline. parsePlan(planText(plan)) == plan, if every number is one that a file may hold:
/// a plan with 0 layers is written as it is, and refused when it is read.
[[nodiscard]] std::string planText(const Plan& plan);

} // namespace cardfit
