// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/estimate/estimate.h"
#include "core/pipeline/analysis/residency.h"
#include "core/pipeline/timeline/timeline.h"

/// Timelines as trace files, as chrome://tracing and Perfetto read them (the Trace Event Format): one process per rank,
/// a slice per operation, an arrow for every value that goes to another rank, memory as counters.
namespace cardfit {

/// What a rank holds all the time, and what each forward pass of its chunks leaves behind.
struct RankHolding {
    Bytes constant;
    std::vector<ChunkHolding> chunks;
};

/// A timeline and what a trace file says beside it.
struct Trace {
    const Timeline& timeline;
    std::string plan; ///< its name; empty: there is none
    std::string schedule; ///< "1f1b"
    std::string version; ///< of the program that writes
    double seconds_per_unit = 1.0; ///< of the timeline
    std::vector<RankHolding> memory; ///< by rank; empty: only forward passes in flight are counted
};

/// Length at which one unit of a timeline without a unit is drawn.
inline constexpr double kSecondsPerPlainUnit = 1e-3;

/// The trace of a complete estimate, which must outlive it. `constant` is what does not change during a step:
/// everything except activations, temporary buffers and reserve.
[[nodiscard]] Trace traceOf(const Estimate& estimate, std::string_view version);

/// The file's text. Times are whole nanoseconds, so slices of one thread never overlap. Transfers have slices of their
/// own where only the receiver waits for them; in the other models the timeline does not say when they run. Operations
/// on the critical path say so, and each says by how much it may end later; otherData says why where this is not known.
/// Error OutOfRange: more than kMostForwardPasses forward passes, or times beyond what fits (146 years).
[[nodiscard]] Result<std::string> traceJson(const Trace& trace);

/// Writes the same without ever holding all of it.
[[nodiscard]] Result<void> writeTrace(const std::filesystem::path& file, const Trace& trace);

} // namespace cardfit
