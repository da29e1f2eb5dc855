// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/base/sentence.h"
#include "core/memory/term.h"
#include "core/plan/plan.h"

namespace cardfit {

/// Describes what a name of an estimate means.
struct CatalogueEntry {
    std::string_view id;
    Phrase title; ///< a few words, the title of an explanation
    Phrase sentence; ///< what it is and why it is there
    std::string_view source; ///< citation of a paper, framework file or published measurement
    Phrase left_out = {}; ///< what the estimate does not count; empty if that does not matter
};

/// Null for a name that is not in the catalogue; tests check that no estimate has such a name.
[[nodiscard]] const CatalogueEntry* describeTerm(std::string_view id);
/// What a card is doing at its peak: "mlp.down.backward".
[[nodiscard]] const CatalogueEntry* describeEvent(std::string_view id);
/// A weight of the operator table: "qkv.weight".
[[nodiscard]] const CatalogueEntry* describeWeight(std::string_view id);
/// "allocated", "reserved", "device", "in_flight", "capacity", "peak", and the figures of pipeline, step and model by
/// their full names: "step.mfu". Some have another meaning for a served model.
[[nodiscard]] const CatalogueEntry* describeFigure(std::string_view name, Task task = Task::Pretrain);
[[nodiscard]] const CatalogueEntry& describeSegment(Segment segment, Task task = Task::Pretrain);

} // namespace cardfit
