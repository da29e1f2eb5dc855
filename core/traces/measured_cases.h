// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "core/accuracy/measured_runs.h"
#include "core/base/result.h"
#include "core/files/presets.h"

namespace cardfit {

/// A file of published runs: {"units": text, "groups": [{"id", "name"}], "cases": [{"id", "group", "trust", "source",
/// "notes", "plan", "measured"}]}. `units`, `groups` and `notes` may be missing.
template <class Case> struct MeasuredCases {
    std::vector<MeasuredGroup> groups;
    std::vector<Case> cases; ///< at least one, each with an id of its own
};

/// Runs with {"measured": {"stage", "allocated_bytes", "reserved_bytes"}}; only the last may be missing. Strict: a key
/// that is not known is refused, in a case and in its plan, because a run that is not fully understood proves nothing.
/// Errors name the place: "/cases/3/plan/model/hidden_size".
[[nodiscard]] Result<MeasuredCases<MeasuredMemory>> parseMeasuredMemory(std::string_view text, const Presets& presets);

/// Runs with {"measured": {"tokens_per_second_per_card", "year_hint"}}; the last may be missing. "axis" of a case: what
/// the runs of its group vary, if the group is a family.
[[nodiscard]] Result<MeasuredCases<MeasuredTime>> parseMeasuredTime(std::string_view text, const Presets& presets);

/// Runs with {"measured": {"outcome", "beside"}}; the last may be missing, or names another case of the file.
[[nodiscard]] Result<MeasuredCases<MeasuredOutcome>> parseMeasuredOutcomes(
    std::string_view text, const Presets& presets);
/// Figures of servers: {"measured": {one of "tpot_ms", "tokens_per_second_per_user", "output_tokens_per_second",
/// "ttft_ms", and "apart"}}; the last may be missing.
[[nodiscard]] Result<MeasuredCases<MeasuredServing>> parseMeasuredServing(
    std::string_view text, const Presets& presets);

/// The same from files; errors name them.
[[nodiscard]] Result<MeasuredCases<MeasuredMemory>> readMeasuredMemory(
    const std::filesystem::path& file, const Presets& presets);
[[nodiscard]] Result<MeasuredCases<MeasuredTime>> readMeasuredTime(
    const std::filesystem::path& file, const Presets& presets);
[[nodiscard]] Result<MeasuredCases<MeasuredOutcome>> readMeasuredOutcomes(
    const std::filesystem::path& file, const Presets& presets);
[[nodiscard]] Result<MeasuredCases<MeasuredServing>> readMeasuredServing(
    const std::filesystem::path& file, const Presets& presets);

} // namespace cardfit
