// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/files/json_reader.h"
#include "core/launch/notes.h"
#include "core/plan/plan.h"

/// Internal to the importers of files that are read as JSON.
namespace cardfit {

/// Reads the micro-batch size and "gradient_accumulation_steps", and sets the plan's batch from them.
void readBatch(ObjectReader& json, std::string_view micro_batch, Plan& plan);

/// Reports the error for a batch that is too large to count; `key` is the number of micro-batches.
void refuseBatch(ObjectReader& json, std::string_view key);

/// Finishes reading a file: skips keys that have no effect on a plan and notes keys that a plan has no field for.
/// Returns the first error, if any: also for a file in which no key was read.
[[nodiscard]] std::optional<Error> endReading(
    ObjectReader& json, std::span<const std::string_view> without_effect, const Findings& findings, Notes& notes);

} // namespace cardfit
