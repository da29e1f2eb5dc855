// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/plan/fields.h"
#include "core/plan/plan.h"
#include "core/rules/checks.h"
#include "core/search/flags.h"

namespace cardfit {

/// What a search varies, in the order in which points are numbered: the first axis changes slowest. The first ones are
/// those that the rules that reject most points read.
enum class AxisKind : std::uint8_t {
    Field, ///< any other field of the plan
    Accelerator,
    Nodes,
    Tensor,
    Pipeline,
    Context,
    VirtualPipeline,
    Schedule,
    Sharding,
    MicroBatch,
    Expert,
    ExpertTensor,
    Dispatcher,
    ExpertOverlap,
    Offload,
    Recompute,
};

/// Whether the axis is one of the degrees that distinguish offered plans, data parallelism (nodes) included.
[[nodiscard]] bool isDegree(AxisKind kind);

/// One value of an axis.
struct AxisValue {
    std::string word; ///< "8", "interleaved-1f1b", "full (block, 1/2)", "h200-sxm"
    FieldValue value; ///< for an axis that is a single field
    std::optional<Recompute> recompute;
    double block_share = 0.0; ///< with `recompute`: sets its `layers` to this share of a chunk's layers, at least 1
    std::optional<Cluster> cluster; ///< takes its card and links; the number of cards stays
    std::optional<LayerBalance> balance{}; ///< for the automatic split of layers

    bool operator==(const AxisValue&) const = default;
};

[[nodiscard]] AxisValue wholeValue(std::int64_t value);

/// A field and the values that it takes. One value: pinned.
struct SearchAxis {
    AxisKind kind = AxisKind::Field;
    std::string pointer; ///< JSON pointer: "/parallelism/tensor"
    std::vector<AxisValue> values;

    bool operator==(const SearchAxis&) const = default;
};

/// The plans that a search looks at: every combination of its axes' values.
struct SearchSpace {
    Plan base; ///< gives every field that is not an axis
    std::vector<SearchAxis> axes; ///< in the order of AxisKind, each pointer once
    RecipeFlagSet flags{}; ///< those of recipeFlags() that have their best value at every point

    /// Number of combinations, before any rule; at most 2^63 - 1.
    [[nodiscard]] std::uint64_t plans() const;
    /// Number of distinct tuples of degrees: tensor, pipeline, virtual pipeline, context, expert, expert tensor, nodes.
    [[nodiscard]] std::uint64_t degrees() const;
    /// The tuple of degrees of a point, below degrees().
    [[nodiscard]] std::uint64_t degreesOf(std::uint64_t number) const;
    [[nodiscard]] const SearchAxis* axis(std::string_view pointer) const;
    /// Inserts an axis at its place in the order, replacing one for the same field or for the group that it is in. A
    /// flag with an axis no longer follows the point.
    void put(SearchAxis axis);
};

/// A name on the command line and its field: "tensor", "/parallelism/tensor".
struct AxisName {
    std::string_view name;
    std::string_view pointer;
    AxisKind kind = AxisKind::Field;
    bool free = false; ///< free in the default space
    bool of_training = false; ///< a server has no such choice, or makes it itself
};

/// All names; a name may stand for several fields.
[[nodiscard]] std::span<const AxisName> axisNames();
[[nodiscard]] AxisKind axisKind(std::string_view pointer);

/// The default space of a plan: degrees, micro-batch, schedule and recomputation are free; of a served plan, tensor,
/// pipeline, context and expert degrees. Every free axis includes the plan's own value. Flags of the recipe have their
/// best values.
[[nodiscard]] SearchSpace defaultSpace(const Plan& plan);

/// The values that a field takes when it is free. `by_name`: it was asked for by name, so schedules include all that
/// exist. One value for what a server does not choose. Empty: the field has no list of values (accelerators,
/// unrestricted numbers).
[[nodiscard]] std::vector<AxisValue> freeValues(const Plan& plan, std::string_view pointer, bool by_name);

/// Whether the plan is served, and the field a choice of training only: chunks, schedule, recomputation, …
[[nodiscard]] bool isLeftToServer(const Plan& plan, std::string_view pointer);

/// The value that the plan itself has; for a degree that it leaves to the framework, the number.
[[nodiscard]] AxisValue ownValue(const Plan& plan, std::string_view pointer);

/// The only value of an axis that is not free: a degree that the plan leaves to the framework follows it everywhere.
[[nodiscard]] AxisValue pinnedValue(const Plan& plan, std::string_view pointer);

/// Adds the plan's own value to an axis that lacks it.
void addOwnValue(const Plan& plan, SearchAxis& axis);

/// A point's settings, in the words of its axes: {"/parallelism/tensor", "4"}, … Valid across spaces.
using PointSettings = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] PointSettings settingsOf(const SearchSpace& space, std::uint64_t number);

/// Flags of a plan in the space that are not as in its base, with their values.
[[nodiscard]] PointSettings changedFlags(const SearchSpace& space, const Plan& plan);

/// One point of a space, and the plan there. Dependent fields are updated: data from the cards, sequence parallelism
/// from tensor under Megatron, the space's flags; a list of layers is kept only for its own stages and chunks.
class SpacePoint {
public:
    /// Requires a space that outlives this. Starts at the first point.
    explicit SpacePoint(const SearchSpace& space);

    void set(std::size_t axis, std::size_t value);
    /// Moves to a point by its number, below plans().
    void moveTo(std::uint64_t number);
    /// Moves to these settings. A field that they do not name gets the base plan's value; an axis with a single value
    /// keeps it whatever they say. False if an axis lacks a value: the point is then unspecified.
    bool moveTo(const PointSettings& settings);
    [[nodiscard]] std::uint64_t number() const;

    [[nodiscard]] const Plan& plan() const
    {
        if (m_moved) settle();
        return m_plan;
    }
    [[nodiscard]] std::size_t at(std::size_t axis) const { return m_at[axis]; }

private:
    void settle() const;

    const SearchSpace& m_space;
    mutable Plan m_plan; ///< dependent fields are updated when it is asked for
    mutable bool m_moved = true;
    mutable bool m_flags_moved = true; ///< something may have changed that flags read, degrees apart
    std::vector<std::size_t> m_at;
    std::vector<const Field*> m_fields; ///< for axes that are a single field
    std::optional<std::size_t> m_recompute; ///< axes
    bool m_data_follows = false;
    bool m_sequence_follows = false;
    bool m_layers_follow = false;
};

/// Whether the first error of a group of rules may depend on an axis. Axes other than degrees, batch, schedule and
/// recomputation may matter to every group.
[[nodiscard]] bool mayRead(RuleGroup group, AxisKind kind, const SearchSpace& space);

/// Classes of an axis's values that a group of rules distinguishes: for each value the number of its class, from 0.
[[nodiscard]] std::vector<std::size_t> toldApart(RuleGroup group, const SearchAxis& axis);

} // namespace cardfit
