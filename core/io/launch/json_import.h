// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/io/json/json_reader.h"
#include "core/io/launch/notes.h"
#include "core/plan/plan.h"

/// Internal to the importers of files that are read as JSON.
namespace cardfit {

/// Reads the sequences of a micro-batch, "gradient_accumulation_steps", and with them the plan's batch.
void readBatch(ObjectReader& json, std::string_view micro_batch, Plan& plan);

/// The error for a batch that is too large to count; `key` says how many micro-batches it has.
void refuseBatch(ObjectReader& json, std::string_view key);

/// Ends the reading of a file: passes over keys that change nothing of a plan and notes those that a plan has no place
/// for. The first error, if there was one.
[[nodiscard]] std::optional<Error> endReading(
    ObjectReader& json, std::span<const std::string_view> without_effect, const Findings& findings, Notes& notes);

} // namespace cardfit
