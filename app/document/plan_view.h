// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <QString>

#include "core/plan/plan.h"

/// Which parts of a plan the window shows, by the plan's purpose: pretraining, fine-tuning and serving are views of one
/// plan.
namespace cardfit::app {

enum class Purpose : std::uint8_t { Pretraining, FineTuning, Serving };

[[nodiscard]] Purpose purposeOf(Task task);
[[nodiscard]] QString purposeLabel(Purpose purpose);
/// One sentence about a purpose.
[[nodiscard]] QString purposeHelp(Purpose purpose);
/// The task of a plan whose purpose is changed to this: for fine-tuning, adapters.
[[nodiscard]] Task usualTask(Purpose purpose);
/// The plan for another purpose, with a load that such runs have: fine-tuning on fifty million tokens in steps of
/// sixteen sequences or a few more, a server with as many sequences as its cache holds.
[[nodiscard]] Plan begun(Plan plan, Purpose purpose);

// Parts of the window that are not fields of a plan; fields are named by their JSON pointers.
inline constexpr std::string_view kAdapterPart = "adapters"; ///< the section at the top of the inputs
inline constexpr std::string_view kRunPart = "run"; ///< the section for a whole training run
inline constexpr std::string_view kSchedulesPart = "schedules"; ///< the view that compares schedules
inline constexpr std::string_view kMicroBatchesPart = "micro_batches"; ///< the rail of a number that no file stores

/// Whether the window shows a part for this plan: fields that have an effect on it, and parts that its purpose has.
[[nodiscard]] bool shows(const Plan& plan, std::string_view part);

/// The part's label for a purpose, "Concurrent sequences"; empty if it is the usual one.
[[nodiscard]] QString labelFor(Purpose purpose, std::string_view part);

/// The parts that the table lists.
[[nodiscard]] std::span<const std::string_view> namedParts();

} // namespace cardfit::app
