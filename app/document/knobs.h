// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <QString>

#include "core/io/plan/presets.h"
#include "core/plan/edits.h"
#include "core/plan/plan.h"
#include "widgets/rails/rail_scale.h"
#include "widgets/text/quantity_text.h"

/// The quantities of a plan that have a rail: how each is read, written, named and explained.
namespace cardfit::app {

/// What an edit needs to know besides the plan.
struct KnobContext {
    const Presets& presets;
    Follower follower = Follower::Data;
    const Plan* opened = nullptr; ///< its values are stops of every rail; may be null
    BatchFollower batch_follower = BatchFollower::MicroBatches;
};

enum class KnobGroup { Adapters, Model, Cluster, Parallel, Batch, Run, Recipe, Overheads };

struct Knob {
    std::string_view id; ///< stable, for undo and tests: "tensor"
    KnobGroup group = KnobGroup::Model;
    const char* label = ""; ///< to be translated, see knobLabel()
    const char* unit = "";
    std::string_view field; ///< JSON pointer, as in Check::field
    ui::ScaleKind scale = ui::ScaleKind::Ordinal;
    ui::QuantityFormat format;
    double (*read)(const Plan& plan) = nullptr;
    Plan (*write)(const Plan& plan, double value, const KnobContext& context) = nullptr;
    /// Values worth stopping at, in any order; those that break a rule included.
    std::vector<double> (*candidates)(const Plan& plan, const KnobContext& context) = nullptr;
    const char* keywords = ""; ///< other words by which the palette finds it; to be translated, see knobKeywords()
};

/// In the order in which the panel shows them.
[[nodiscard]] std::span<const Knob> knobs();
[[nodiscard]] const Knob* knob(std::string_view id);
[[nodiscard]] const Knob* knobOfField(std::string_view field);

[[nodiscard]] QString knobLabel(const Knob& knob);
/// As it is called for what the plan is for: "Concurrent sequences".
[[nodiscard]] QString knobLabel(const Knob& knob, const Plan& plan);
[[nodiscard]] QString knobUnit(const Knob& knob);
[[nodiscard]] QString knobKeywords(const Knob& knob);
[[nodiscard]] ui::QuantityFormat knobFormat(const Knob& knob, const Plan& plan);
/// False where the quantity means nothing for the plan: expert parallelism without experts.
[[nodiscard]] bool isOffered(const Knob& knob, const Plan& plan);

/// How a value follows from the others, "= 64 cards / (8 x 4 x 1)"; none if it can be set.
[[nodiscard]] std::optional<QString> derivation(
    const Knob& knob, const Plan& plan, Follower follower, BatchFollower batch_follower = BatchFollower::MicroBatches);

/// The quantity that follows within the batch: "micro_batches", "micro_batch", "global_batch" or "data"; and back, but
/// for "data", which may follow the cards instead.
[[nodiscard]] std::string_view knobOf(BatchFollower follower);
[[nodiscard]] std::optional<BatchFollower> batchFollowerOf(std::string_view knob);

/// The rail's stops. Invalid: the value breaks a rule that the plan keeps, or one of its own, or the number of
/// micro-batches could not be held with it; the reason says which.
[[nodiscard]] std::vector<ui::Stop> knobStops(const Knob& knob, const Plan& plan, const KnobContext& context);

/// What to say of an edit after which the number of micro-batches is not what is held, or was asked for: no whole
/// number would do. Empty where it is, where it follows anyway, and where a check speaks of it.
[[nodiscard]] QString noteOnHeldBatch(
    const Knob& edited, double asked, const Plan& before, const Plan& after, BatchFollower follower);

} // namespace cardfit::app
