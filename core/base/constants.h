// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "core/base/enum_names.h"

/// The numbers of the models of memory and time that no plan states: laws of a machine, figures that others measured,
/// and values fitted to published runs. Each is one row of a table, with its source; the models read them from the plan
/// that they estimate (Plan::constants), so that a plan can be estimated with others. Whole numbers of an algorithm (2
/// bytes of bf16, tokens of a chunk), traits of a framework or a generation and tables that others publish as a whole
/// (NCCL's protocols in core/time/collectives.cpp) are no constants of this table.
namespace cardfit {

/// In the order of `cardfit constants`.
enum class Constant {
    // Links and collectives.
    LinkShare,
    PcieShare,
    CrowdedPcieShare,
    BetweenHalvesShare,
    UnknownLink,
    StartInNode,
    StartBetweenNodes,
    SlowPort,
    FastPort,
    HostLinkShare,
    LeastHostLink,
    RankExchangeStart,
    LeastHidingPort,
    // Matrix products and everything bound by memory.
    ReachedBandwidth,
    UsualEfficiency,
    UsualRows,
    UsualInner,
    UsualColumns,
    UsualStart,
    ConversionColumns,
    ConversionsAlone,
    GroupedRows,
    FusedActivation,
    OneKernelEach,
    RowsOfKernels,
    ExpertBiasBytes,
    ExpertBiasForward,
    ClampsForward,
    ClampsBackward,
    StreamPasses,
    MergedBytes,
    DequantizedBytes,
    // Attention.
    AttentionOverProducts,
    UsualAttentionContext,
    AttentionStart,
    Flash2OverFlash3,
    Flash2OverFlash1,
    Flash2Context,
    Flash3OverBest,
    SmallHeadLoss,
    SmallHeadLossBlackwell,
    NarrowAttention,
    AttentionBackwardWork,
    AttentionBackwardRate,
    BatchedProductEfficiency,
    DropoutPasses,
    FusedSoftmaxForward,
    FusedSoftmaxBackward,
    PlainSoftmaxForward,
    PlainSoftmaxBackward,
    EagerSoftmaxPasses,
    ScoreKernelsForward,
    ScoreKernelsBackward,
    // Recurrent layers.
    ScanPeak,
    MambaEfficiency,
    MambaEfficiencyBlackwell,
    DeltaEfficiency,
    DeltaBackwardWork,
    ChunkWait,
    // The host.
    LocalForward,
    LocalBackward,
    LargeModules,
    CompiledModules,
    NarrowModules,
    ExpertModules,
    ExpertsOverDense,
    MixerLaunches,
    AttentionLaunches,
    RouterLaunches,
    GraphLaunch,
    CountsWait,
    HostPerStep,
    ChunkLaunch,
    // Overlap and the update.
    HiddenByUserbuffers,
    HiddenByPairing,
    HidingShare,
    Contention,
    CollectiveUnits,
    BucketParameters,
    CardSpread,
    SoftwareYears,
    BlackwellSoftware,
    OptimizerBytes,
    OptimizerLaunch,
    OffloadedBytes,
    HostBandwidth,
    LeastHostShare,
    // Memory.
    RouterBytes,
    GroupedWorkspace,
    SmallBuffers,
    Communicator,
    DeviceContext,
    SmallestContext,
    LargestContext,
    Reserve,
    SmallestReserve,
    LargestReserve,
    FreeBlocks,
    LeastFreeBlocks,
    MostFreeBlocks,
    ExpandableBlocks,
    LeastExpandableBlocks,
    MostExpandableBlocks,
    CompiledBlocks,
    LeastCompiledBlocks,
    MostCompiledBlocks,
    UnknownImbalance,
    // Serving.
    PrefillTokens,
    SampledBytes,
    OutsideAllocator,
    ServerShare,
    FreeShare,
    // Decoding.
    ExpertBandwidth,
    CacheBandwidth,
    ServedProducts,
    ServedGroupedRows,
    ServedConversions,
    DecodedLayer,
    DecodedExperts,
    DecodedIndexer,
    DecodedRecurrence,
    BlackwellFloors,
    DecodedSequence,
    AllReduceStartAmpere,
    AllReduceStartHopper,
    AllReduceStartBlackwell,
    AllReduceStartPcie,
    AllReducePcieShare,
    AllReduceRing,
    BusiestExperts,
    PromptsInFirstToken,
    PipelineLoss,
    FirstTokenHost,
};

/// How well a constant is known.
enum class Tier {
    Physics, ///< follows from the machine or from what a program does, by counting
    Published, ///< measured or set by others
    Fitted, ///< chosen so that published runs come out right
    Assumed, ///< a usual value that nobody published
};

/// The kind of figure that a constant changes first.
enum class BearsOn { Step, Memory, Band, Server };

/// One row of the table.
struct ConstantRow {
    Constant value;
    std::string_view word; ///< on the command line and in JSON
    double shipped;
    std::string_view unit;
    Tier tier;
    BearsOn bears_on;
    Phrase title; ///< what it is, a few words
    std::string_view source; ///< a citation, in English
    /// Refitted by `cardfit validate --fit`: no measurement of its part alone settles it, or runs were asked about it.
    bool asked = false;
};

[[nodiscard]] std::span<const ConstantRow> constantRows();
[[nodiscard]] const ConstantRow& row(Constant constant);

inline constexpr std::size_t kConstantCount = enumeratorCount<Constant>();
using ConstantValues = std::array<double, kConstantCount>;

namespace detail {
extern const ConstantValues kShippedConstants;
}

[[nodiscard]] inline double shipped(Constant constant)
{
    return detail::kShippedConstants[static_cast<std::size_t>(constant)];
}

/// A value for every constant: as shipped, unless set. Cheap to copy.
class Constants {
public:
    [[nodiscard]] double operator[](Constant constant) const
    {
        const ConstantValues& values = m_changed ? *m_changed : detail::kShippedConstants;
        return values[static_cast<std::size_t>(constant)];
    }
    void set(Constant constant, double value);

    bool operator==(const Constants& other) const;

private:
    std::shared_ptr<const ConstantValues> m_changed; ///< null: as shipped
};

} // namespace cardfit
