// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/memory/stage_memory.h"
#include "core/search/space.h"
#include "core/time/layer_balance.h"
#include "core/time/step.h"

/// What a plan takes at least, without simulating its schedule. Never more than estimate() says: a search discards
/// plans by these figures and never shows them.
namespace cardfit {

/// By how much a sum of durations may be rounded, so that a bound stays one.
inline constexpr double kBoundMargin = 1.0 - 1e-9;

/// Costs of the model's parts and passes in flight, kept for all plans of a space that share them. Safe to be read from
/// several threads.
class SharedCosts {
public:
    explicit SharedCosts(const SearchSpace& space);
    ~SharedCosts();
    SharedCosts(const SharedCosts&) = delete;
    SharedCosts& operator=(const SharedCosts&) = delete;

    /// partCosts() of a point's plan, which must be legal.
    [[nodiscard]] const PartCosts& parts(const SpacePoint& point);
    /// All that is kept: operators, costs, and layers of stages.
    [[nodiscard]] KnownCosts known(const SpacePoint& point);
    /// Operators whose weights alone are those of the point's plan, and layers. Few points differ in them.
    [[nodiscard]] KnownCosts weighed(const SpacePoint& point);
    /// operatorTables() of a point's plan.
    [[nodiscard]] std::shared_ptr<const OperatorTables> tables(const SpacePoint& point);
    /// Forward passes of every chunk of every rank, [rank][chunk], at the instant when most are held. That follows from
    /// the order alone.
    [[nodiscard]] const std::vector<std::vector<std::int64_t>>& mostHeld(const ScheduleRequest& request);

private:
    struct Maps;
    /// A number that points have in common which differ in these axes only.
    template <class Unread> [[nodiscard]] std::uint64_t keyWithout(const SpacePoint& point, const Unread& unread) const;
    [[nodiscard]] std::shared_ptr<const StageCounts> layers(const SpacePoint& point);

    const SearchSpace& m_space;
    std::unique_ptr<Maps> m_maps;
};

/// Least time from the first start to the last end: of some rank, all its work, and before and after it a micro-batch's
/// way there and back. Exact for even 1F1B.
[[nodiscard]] Seconds leastMakespan(
    const ScheduleRequest& request, const std::vector<std::vector<Durations>>& durations, Transfers transfers);

/// The stages of one branch and what is the same for all its leaves.
class BranchBounds {
public:
    /// Requires a legal plan, that of a point which outlives this, as the costs do.
    BranchBounds(const SpacePoint& point, SharedCosts& shared);

    /// At least so much is over the capacity of the worst stage; negative: free.
    struct Deficit {
        Bytes over;
        Bytes device;
        std::size_t stage = 0;
    };
    /// Of states and buffers alone.
    [[nodiscard]] Deficit lasting() const { return m_lasting_deficit; }
    /// With the passes that the plan's recomputation keeps. `plan`: a leaf of the branch; `tables`: its operators.
    [[nodiscard]] Deficit held(const Plan& plan, const OperatorTables& tables) const;
    /// Time of a step, and of its passes alone.
    [[nodiscard]] Seconds step(const Plan& plan, const PartCosts& parts) const;
    [[nodiscard]] Seconds passes(const Plan& plan, const PartCosts& parts) const;

private:
    /// Ranks next to each other whose layers are alike.
    [[nodiscard]] bool alike(std::size_t rank) const { return rank > 0 && m_alike[rank]; }
    template <class PassingOf> [[nodiscard]] Deficit worst(const PassingOf& passing) const;
    [[nodiscard]] ChunkCosts costsOf(const Plan& plan, const PartCosts& parts) const;
    [[nodiscard]] Seconds makespan(const ChunkCosts& costs) const;

    SharedCosts& m_shared;
    PlanContext m_context; ///< of its operators only the weights count
    std::vector<bool> m_alike; ///< to the rank before
    std::vector<LastingMemory> m_lasting;
    Deficit m_lasting_deficit;
};

} // namespace cardfit
