// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/layers/layer_balance.h"
#include "core/memory/stage_memory.h"
#include "core/search/space.h"
#include "core/time/step.h"

/// Lower bounds on a plan's memory and time, without simulating its schedule. They never exceed what estimate() gives.
/// A search only discards plans by them and never shows them.
namespace cardfit {

/// Factor on sums of durations, so that a bound stays a bound despite rounding.
inline constexpr double kBoundMargin = 1.0 - 1e-9;

/// Bytes that a forward pass of each part of the model saves at least; the same for any pipeline.
struct SavedAtLeast {
    OfKinds<Bytes> layers; ///< of one layer that is not recomputed as a whole
    Bytes embedding, head;
    Bytes stream; ///< of one checkpoint between layers
};

/// Lower bounds that hold for every split of the layers over stages: the mean over ranks is at most the largest. They
/// cost a fraction of BranchBounds.
struct SpreadBounds {
    Seconds passes; ///< of a step
    Bytes device; ///< of the fullest card
};

/// The whole model's work on one micro-batch.
struct WholeWork {
    double seconds = 0.0;
    double forward = 0.0; ///< the least share of its forward pass in any part's work
    double exchanged = 0.0; ///< seconds of it in which experts' tokens are sent, which two paired passes can hide
};

/// Cache of costs of the model's parts and of passes in flight, shared by all plans of a space that have them in
/// common. Thread-safe.
class SharedCosts {
public:
    explicit SharedCosts(const SearchSpace& space);
    ~SharedCosts();
    SharedCosts(const SharedCosts&) = delete;
    SharedCosts& operator=(const SharedCosts&) = delete;

    /// partCosts() of a point's plan, which must be legal.
    [[nodiscard]] const PartCosts& parts(const SpacePoint& point);
    [[nodiscard]] const SavedAtLeast& saved(const SpacePoint& point);
    /// Bounds of a branch by one of its leaves. `timed`: whether no leaf takes less time than this one; else the bound
    /// on time is 0. Time: of all ranks' work W for a micro-batch, of which m are passed through p ranks, W m / p;
    /// where a rank's first pass waits for those of the ranks before it, which is so with one chunk per rank, a rank
    /// with work x ends after m x and a share f of the others' work before it (1, or the forward passes' where backward
    /// passes are split), so that no split takes less than f W / (1 - (1 - f / m)^p): the solution with all ranks
    /// ending at once. Where passes run in pairs, W without the exchange of experts' tokens, and no wait. Memory:
    /// weights, gradients and optimizer states alone.
    [[nodiscard]] SpreadBounds spread(const SpacePoint& point, bool timed);
    /// modelWork() of a point's plan.
    [[nodiscard]] std::shared_ptr<const ModelWork> model(const SpacePoint& point);
    /// Everything cached for the point.
    [[nodiscard]] KnownCosts known(const SpacePoint& point);
    /// Layers, and operator tables in which only the weights are valid for the point's plan. Few points differ in
    /// these, so most share them.
    [[nodiscard]] KnownCosts weighed(const SpacePoint& point);
    /// operatorTables() of a point's plan.
    [[nodiscard]] std::shared_ptr<const OperatorTables> tables(const SpacePoint& point);
    /// Forward passes in flight of every chunk of every rank, [rank][chunk], at the instant when the rank has most.
    /// Follows from the order alone.
    [[nodiscard]] const std::vector<std::vector<std::int64_t>>& mostHeld(const ScheduleRequest& request);

private:
    struct Maps;
    /// A key that is the same for points that differ only in the axes for which `unread` holds.
    template <class Unread> [[nodiscard]] std::uint64_t keyWithout(const SpacePoint& point, const Unread& unread) const;
    [[nodiscard]] std::uint64_t keyOfParts(const SpacePoint& point) const;
    [[nodiscard]] std::shared_ptr<const StageCounts> layers(const SpacePoint& point);
    [[nodiscard]] std::shared_ptr<const OperatorTables> weights(const SpacePoint& point);
    [[nodiscard]] Seconds spreadPasses(const SpacePoint& point);
    [[nodiscard]] Bytes spreadStates(const SpacePoint& point);

    const SearchSpace& m_space;
    std::unique_ptr<Maps> m_maps;
};

/// Lower bound on the makespan: the largest, over ranks, of all the rank's work plus the time that a micro-batch takes
/// to reach the rank and to return from it. Exact for 1F1B with equal stages.
[[nodiscard]] Seconds leastMakespan(
    const ScheduleRequest& request, const std::vector<std::vector<Durations>>& durations, Transfers transfers);

/// Bounds of one branch: its stages and what all its leaves have in common.
class BranchBounds {
public:
    /// Requires a point with a legal plan. The point and the costs must outlive this object.
    BranchBounds(const SpacePoint& point, SharedCosts& shared);

    /// By how much the worst stage is over its card, as overBy() says, at least; negative: room, at most.
    struct Deficit {
        Bytes over;
        Bytes device;
        std::size_t stage = 0;
    };
    /// Deficit by states and buffers alone.
    [[nodiscard]] Deficit lasting() const { return m_lasting_deficit; }
    /// Deficit including what passes in flight keep under the recomputation of the point, a leaf of the branch.
    [[nodiscard]] Deficit held(const SpacePoint& point) const;
    /// Lower bound on the time of a step, and of its passes alone.
    [[nodiscard]] Seconds step(const Plan& plan, const PartCosts& parts) const;
    [[nodiscard]] Seconds passes(const Plan& plan, const PartCosts& parts) const;

private:
    /// Whether a rank has the same layers as the rank before it.
    [[nodiscard]] bool alike(std::size_t rank) const { return rank > 0 && m_alike[rank]; }
    template <class PassingOf> [[nodiscard]] Deficit worst(const PassingOf& passing) const;
    [[nodiscard]] ChunkCosts costsOf(const Plan& plan, const PartCosts& parts) const;
    [[nodiscard]] Seconds makespan(const ChunkCosts& costs) const;

    SharedCosts& m_shared;
    PlanContext m_context; ///< only the weights of its operators are valid
    std::vector<bool> m_alike; ///< see alike()
    std::vector<LastingMemory> m_lasting;
    Deficit m_lasting_deficit;
};

} // namespace cardfit
