// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/pipeline/timeline/timeline.h"

namespace cardfit {

/// One step of a pipeline as it was measured.
struct MeasuredRun {
    Timeline timeline; ///< seconds; the first operation starts at 0
    std::string label; ///< where it comes from: "pp8, iteration 7"
    std::vector<std::int64_t> iterations; ///< that the files hold, ascending; empty where they hold one step
};

/// Reads what training frameworks record, in one of two formats.
///
/// Primus (tools/visualization/pp_vis): a folder, or the files pp_rank_0.json, pp_rank_1.json, … of it. Each holds, by
/// iteration, lists of milliseconds since the rank began it: fwd_start, fwd_end, bwd_start, bwd_end, and wgrad_start,
/// wgrad_end where weight gradients run apart. Ranks are assumed to begin together. A forward and a backward pass with
/// the same times are one overlapped block. fwd_minibatch, fwd_chunk and so on identify the passes; without them passes
/// are numbered in the order of 1F1B, or of Megatron-LM's interleaved schedule with groups of one micro-batch per rank.
/// config.json beside the files says how many chunks a rank has (vp_size). `iteration`: which one; none: the last that
/// every rank has.
///
/// Chrome trace: one file. Its events "X" count whose name is F, B, I, W, F&B (or FB) or U, or whose category is fwd,
/// bwd, igrad, wgrad, overlap or opt; pid is the rank, from 0 without a gap; ts and dur are microseconds; args hold mb
/// (or microbatch), chunk (0 if absent) and, for F&B, backward_mb and backward_chunk. All else is passed over, so
/// traces that Cardfit writes can be read.
///
/// Files may be packed (.json.gz). Of all files together, 8 Mi values are held at most, of a Chrome trace only those of
/// events that count.
///
/// Because of rounding, an operation may begin up to a microsecond before the previous one ends; it is then moved to
/// that end. Errors name file and place: CannotRead, NotJson, WrongFormat, MissingKey, WrongType, OutOfRange.
[[nodiscard]] Result<MeasuredRun> readMeasuredRun(
    const std::vector<std::filesystem::path>& files, std::optional<std::int64_t> iteration = std::nullopt);

/// Whether a file or folder looks like one that readMeasuredRun() reads: by its name, or by how it begins.
[[nodiscard]] bool looksMeasured(const std::filesystem::path& path);

} // namespace cardfit
