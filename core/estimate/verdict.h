// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/units.h"
#include "core/memory/stage_memory.h"

/// Whether a plan's cards hold it: the one rule that band, strips, search, advice, reports, JSON and exit codes follow.
///
/// A figure of memory has a band. A plan is over if even the band's low edge is more than the card can use, and tight
/// if the high edge is more than 95 % of it. Of what the caching allocator holds and cannot use, at most 3 % of what is
/// allocated count: before a process dies of memory, the allocator gives its unused segments back and asks again
/// (PyTorch, c10/cuda/CUDACachingAllocator.cpp: release_cached_blocks, then a second cudaMalloc), and 24 published
/// messages of such deaths name 3.2 % "reserved by PyTorch but unallocated" in the median
/// (tests/validation/deaths.json). What lies between blocks in use cannot be given back and counts whole: a segment is
/// released only if all of it is free. Bars and meters keep the whole reserve.
namespace cardfit {

struct Estimate;

enum class Verdict : std::uint8_t {
    Fits,
    Tight, ///< it may fit
    Refused, ///< a server that does not start: its share of the card does not hold one sequence
    Over, ///< more than the card can use
    Invalid, ///< breaks a rule
};

/// The word in JSON: "fits", "tight", "refused", "over", "invalid".
[[nodiscard]] std::string_view verdictName(Verdict verdict);
/// Whether the plan runs, or may run.
[[nodiscard]] constexpr bool isFit(Verdict verdict) { return verdict <= Verdict::Tight; }

/// Most of the allocator's reserve that counts, as a share of what is allocated.
inline constexpr double kCountedReserve = 0.03;
/// Share of what a card can use beyond which a plan is tight.
inline constexpr double kTightFrom = 0.95;

/// What counts of an allocator's reserve in a verdict.
[[nodiscard]] Bytes countedReserve(Bytes reserve, Bytes allocated);

/// What a card cannot do without: the edges of the band, with the reserve that counts.
struct NeededMemory {
    Bytes least;
    Bytes most;
};
[[nodiscard]] NeededMemory neededMemory(const StageMemory& stage);

/// By how much the stage is over its card, or a server's share is too small; at most 0: it fits or may fit.
[[nodiscard]] Bytes overBy(const StageMemory& stage);

/// Of one stage's cards, without the plan's rules.
[[nodiscard]] Verdict verdict(const StageMemory& stage);
/// Of the plan: that of its worst stage; invalid if it breaks a rule or has no figures.
[[nodiscard]] Verdict verdict(const Estimate& estimate);

} // namespace cardfit
