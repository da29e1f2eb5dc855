// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/plan/plan.h"

namespace cardfit {

/// What the log of a training run says, whatever framework wrote it.
struct TrainingLog {
    std::optional<Seconds> step;
    std::optional<double> tokens_per_second_per_card;
    std::optional<double> samples_per_second; ///< sequences per second, all cards together
    std::optional<double> model_tflops_per_card;
    std::optional<Bytes> allocated; ///< the largest torch.cuda.max_memory_allocated of any rank
    std::optional<Bytes> reserved; ///< the allocator's, where only that is logged
    std::int64_t rank = 0; ///< the one of `allocated`
    std::vector<Sentence> found; ///< for each figure: where from, how many lines, what was made of them
    std::vector<std::string> not_understood; ///< "line 7: ..."; lines that hold none of the figures
};

/// Finds step time, throughput and memory in a piece of a log. Understood are
/// - Megatron-LM: "elapsed time per iteration (ms): 1234.5", "throughput per GPU (TFLOP/s/GPU): 400.1" and "[Rank 0]
///   (after 2 iterations) memory (MB) | allocated: 1.0 | max allocated: 2.0 | ..." (its MB are 2^20 bytes);
/// - torchtitan: "step: 10 ... memory: 47.9GiB(60.5%) tps: 2,345", where the memory is what the allocator reserves;
/// - DeepSpeed: "samples/sec", "samples per second", "SamplesPerSec=12.3, MaxMemAllocated=30.1GB" (its GB are 2^30);
/// - Hugging Face: 'train_samples_per_second': 12.3, 'train_steps_per_second': 0.4.
/// A figure that several lines hold is their median without the first two, in which frameworks warm up; of memory the
/// largest counts. Error WrongFormat if no line holds any of them; the message names what was expected.
[[nodiscard]] Result<TrainingLog> readTrainingLog(std::string_view text);

/// The log of a run of `plan`, for calibrate(): the step time, else the throughput; samples are the plan's sequences,
/// and a rank's stage is that of Megatron-LM's order, in which pipeline stages are outermost. Error WrongFormat if the
/// log has neither time nor allocated memory; OutOfRange for a rank that the plan does not have.
[[nodiscard]] Result<Measurement> measurementOf(const TrainingLog& log, const Plan& plan);

} // namespace cardfit
