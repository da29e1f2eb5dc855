// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <QString>

#include "app/document/plan_view.h"
#include "core/files/presets.h"
#include "core/plan/edits.h"
#include "core/plan/plan.h"
#include "widgets/rails/rail_scale.h"
#include "widgets/text/quantity_text.h"

/// The quantities of a plan that have a rail: how each is read, written, named and explained.
namespace cardfit::app {

/// What an edit needs to know besides the plan.
struct QuantityContext {
    const Presets& presets;
    DerivedFactor derived = DerivedFactor::Data;
    const Plan* opened = nullptr; ///< its values are added as stops of every rail; may be null
    DerivedBatchFactor batch_derived = DerivedBatchFactor::MicroBatches;
};

enum class QuantityGroup { Adapters, Model, Cluster, Network, Parallel, Batch, Load, Run, Recipe, Overheads };

struct PlanQuantity {
    std::string_view id; ///< stable, for undo and tests: "tensor"
    QuantityGroup group = QuantityGroup::Model;
    std::string_view field; ///< JSON pointer, as in Check::field; empty: a number that no file stores
    ui::ScaleKind scale = ui::ScaleKind::Ordinal;
    ui::QuantityFormat format;
    double (*read)(const Plan& plan) = nullptr;
    Plan (*write)(const Plan& plan, double value, const QuantityContext& context) = nullptr;
    /// Values for the rail's stops, in any order; may include values that break a rule.
    std::vector<double> (*candidates)(const Plan& plan, const QuantityContext& context) = nullptr;
    const char* keywords = ""; ///< other words by which the palette finds it; to be translated, see quantityKeywords()
    // Where a rail says something else than its field; to be translated.
    const char* label = nullptr;
    const char* unit = nullptr;
};

[[nodiscard]] std::span<const PlanQuantity> planQuantities();
[[nodiscard]] const PlanQuantity* planQuantity(std::string_view id);
[[nodiscard]] const PlanQuantity* quantityOfField(std::string_view field);

/// How much room a rail takes: all of it, one line until it is opened, or a place in the folded group of its subject.
enum class RailWeight : std::uint8_t { Grouped, Line, Full };

struct RailPlace {
    std::string_view quantity;
    std::array<RailWeight, 3> weights; ///< in the order of Purpose

    [[nodiscard]] RailWeight weight(Purpose purpose) const { return weights[static_cast<std::size_t>(purpose)]; }
};

/// Every quantity once, in the order in which the panel shows them.
[[nodiscard]] std::span<const RailPlace> railPlaces();

[[nodiscard]] QString quantityLabel(const PlanQuantity& quantity);
/// The label for the plan's purpose: "Concurrent sequences".
[[nodiscard]] QString quantityLabel(const PlanQuantity& quantity, const Plan& plan);
[[nodiscard]] QString quantityUnit(const PlanQuantity& quantity);
/// One sentence of the glossary, or what the field says of itself; may be empty.
[[nodiscard]] QString quantityHelp(const PlanQuantity& quantity);
[[nodiscard]] QString quantityKeywords(const PlanQuantity& quantity);
[[nodiscard]] ui::QuantityFormat quantityFormat(const PlanQuantity& quantity, const Plan& plan);
/// False if the quantity has no meaning for the plan: expert parallelism without experts.
[[nodiscard]] bool isOffered(const PlanQuantity& quantity, const Plan& plan);

/// How a derived value follows from the others, "= 64 cards / (8 x 4 x 1)"; nullopt if the value can be set.
[[nodiscard]] std::optional<QString> derivation(const PlanQuantity& quantity, const Plan& plan, DerivedFactor derived,
    DerivedBatchFactor batch_derived = DerivedBatchFactor::MicroBatches);

/// The id of the quantity that is derived within the batch: "micro_batches", "micro_batch", "global_batch" or "data".
/// The inverse returns nullopt for "data", which may be derived from the cards instead.
[[nodiscard]] std::string_view quantityOf(DerivedBatchFactor derived);
[[nodiscard]] std::optional<DerivedBatchFactor> derivedBatchFactorOf(std::string_view quantity);

/// The rail's stops. A stop is invalid if its value breaks a rule that the plan keeps, or a rule about the quantity
/// itself, or if the number of micro-batches could not be held; the reason says which. `held`: stops that keep their
/// values, so that they stay where they are while another rail is dragged; empty: those that suit the plan.
[[nodiscard]] std::vector<ui::Stop> quantityStops(const PlanQuantity& quantity, const Plan& plan,
    const QuantityContext& context, std::span<const ui::Stop> held = {});

/// A note for an edit after which the number of micro-batches is not the one that is held or was asked for, because no
/// whole number works. Empty if it is, if it is derived anyway, or if a check reports it.
[[nodiscard]] QString noteOnHeldBatch(
    const PlanQuantity& edited, double asked, const Plan& before, const Plan& after, DerivedBatchFactor derived);

} // namespace cardfit::app
