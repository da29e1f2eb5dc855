// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/accuracy/error_summary.h"
#include "core/accuracy/measured_runs.h"
#include "core/accuracy/verdicts.h"
#include "core/report/reports.h"

/// Predicted against measured memory and time, as `cardfit validate` prints them.
namespace cardfit {

/// A table by group, what the errors mean, and every case, the largest error of each group first; a case without a
/// prediction comes first in its group and says why.
[[nodiscard]] std::string memoryValidationText(
    const std::vector<MeasuredGroup>& groups, std::span<const MemoryComparison> comparisons, ByteUnit unit);

/// The table by group alone. Rounded so far that the last bits of a platform's arithmetic do not show.
[[nodiscard]] std::string memoryValidationMarkdown(
    const std::vector<MeasuredGroup>& groups, std::span<const MemoryComparison> comparisons);

/// {"format": "cardfit/validation", "version": 1, "groups": [...], "cases": [...]}; errors are fractions, signed for a
/// case (above 0: more predicted than measured) and magnitudes for a group. No newline at the end.
[[nodiscard]] std::string memoryValidationJson(
    const std::vector<MeasuredGroup>& groups, std::span<const MemoryComparison> comparisons);

/// The same of step times, predicted and measured in tokens per second and card; an error is that of the time. Text and
/// JSON ("rank_order") also hold every group of runs that differ in one degree, the table their mean correlations; see
/// core/accuracy/rank_order.h. All three hold how many pairs of plans are in the right order, by axis, and the regret
/// ("plan_order"): core/accuracy/plan_order.h.
[[nodiscard]] std::string timeValidationText(
    const std::vector<MeasuredGroup>& groups, std::span<const TimeComparison> comparisons);
[[nodiscard]] std::string timeValidationMarkdown(
    const std::vector<MeasuredGroup>& groups, std::span<const TimeComparison> comparisons);
/// `families`: the same of families of runs, as in families.json; JSON ("families") holds their order.
[[nodiscard]] std::string timeValidationJson(const std::vector<MeasuredGroup>& groups,
    std::span<const TimeComparison> comparisons, std::span<const TimeComparison> families = {});

/// Families of runs (core/accuracy/families.h): order, sign and error of the ratio, by family and by what they vary.
[[nodiscard]] std::string familiesText(
    const std::vector<MeasuredGroup>& groups, std::span<const TimeComparison> comparisons);
[[nodiscard]] std::string familiesMarkdown(
    const std::vector<MeasuredGroup>& groups, std::span<const TimeComparison> comparisons);

/// A table of verdicts by class of runs, how many runs of each verdict ran, and every run whose verdict is wrong: a
/// death that fits, a run that ran and is over its cards, refused or invalid.
[[nodiscard]] std::string verdictValidationText(std::span<const JudgedRun> runs, ByteUnit unit);
[[nodiscard]] std::string verdictValidationMarkdown(std::span<const JudgedRun> runs);
/// {"format": "cardfit/validation", "version": 1, "figure": "verdict", "rows": [...], "cases": [...]}
[[nodiscard]] std::string verdictValidationJson(std::span<const JudgedRun> runs);
/// The same of servers; an error is that of the time. All three also hold the medians by figure and kind of layers
/// ("figures"). Runs that are shown apart are in no table and no median.
[[nodiscard]] std::string servingValidationText(
    const std::vector<MeasuredGroup>& groups, std::span<const ServingComparison> comparisons);
[[nodiscard]] std::string servingValidationMarkdown(
    const std::vector<MeasuredGroup>& groups, std::span<const ServingComparison> comparisons);
[[nodiscard]] std::string servingValidationJson(
    const std::vector<MeasuredGroup>& groups, std::span<const ServingComparison> comparisons);

} // namespace cardfit
