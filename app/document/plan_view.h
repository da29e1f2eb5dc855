// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <QString>

#include "core/plan/plan.h"

/// What a plan is for decides what the window shows of it: pretraining, fine-tuning and serving are views of one plan.
namespace cardfit::app {

enum class Purpose : std::uint8_t { Pretraining, FineTuning, Serving };

[[nodiscard]] Purpose purposeOf(Task task);
[[nodiscard]] QString purposeLabel(Purpose purpose);
/// One sentence about it.
[[nodiscard]] QString purposeHelp(Purpose purpose);
/// The task that a plan gets which is to be for this: adapters, for fine-tuning.
[[nodiscard]] Task usualTask(Purpose purpose);

// Parts of the window that are no fields of a plan; those are called by their JSON pointers.
inline constexpr std::string_view kAdapterPart = "adapters"; ///< the section at the top of the inputs
inline constexpr std::string_view kRunPart = "run"; ///< the section of a whole run
inline constexpr std::string_view kSchedulesPart = "schedules"; ///< the view that compares schedules
inline constexpr std::string_view kMicroBatchesPart = "micro_batches"; ///< the rail of a number that no file holds

/// Whether the window shows a part of this plan. Parts that the table does not name are always shown.
[[nodiscard]] bool shows(const Plan& plan, std::string_view part);

/// What a part is called for what the plan is for, "Concurrent sequences"; empty where it is called as elsewhere.
[[nodiscard]] QString labelFor(Purpose purpose, std::string_view part);

/// The parts that the table names.
[[nodiscard]] std::span<const std::string_view> namedParts();

} // namespace cardfit::app
