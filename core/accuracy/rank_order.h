// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/accuracy/measured_runs.h"

namespace cardfit {

/// What a group of runs varies.
enum class VariedDegree {
    Tensor,
    Pipeline,
    VirtualPipeline,
    Context,
    Expert,
    Data,
    MicroBatch,
    GlobalBatch,
    SequenceLength
};

[[nodiscard]] std::string_view variedName(VariedDegree degree); ///< "tensor", "micro_batch_size"

/// The runs of a group at one value of its degree.
struct RankPoint {
    std::int64_t value = 0;
    double measured = 0.0; ///< tokens per second and card; the mean where a run was repeated
    double predicted = 0.0;
};

/// Runs of one source whose plans are equal but for one degree, at three values of it or more.
/// Tensor, pipeline, virtual pipeline, context, expert: the cards stay, data follows, and with virtual stages the
/// schedule. Data: the cards follow, and either the global batch stays or the batch of a replica. Micro-batch: the
/// micro-batches of a step follow. Global batch and sequence length: nothing else.
struct DegreeRanking {
    std::string group;
    VariedDegree degree = VariedDegree::Tensor;
    std::vector<RankPoint> points; ///< by rising value

    /// Spearman's rank correlation of measured and predicted throughput, ties at their mean rank; 0 where all
    /// predictions are equal.
    [[nodiscard]] double spearman() const;
    /// The largest measured throughput over the smallest, less 1.
    [[nodiscard]] double spread() const;
};

/// Measured values with a smaller spread may change their order with the next release of a framework.
inline constexpr double kRankNoise = 0.03;

/// By degree, then in the order of their first runs. Runs without a prediction are left out.
[[nodiscard]] std::vector<DegreeRanking> rankOrders(std::span<const TimeComparison> comparisons);

struct RankSummary {
    std::int64_t groups = 0;
    double mean = 0.0; ///< correlation, every group with the same weight; 0 without groups
};

/// Of the groups whose spread() is at least `least_spread`.
[[nodiscard]] RankSummary summarizeRanks(std::span<const DegreeRanking> orders, double least_spread);

/// -1 to 1; 0 if one side has no order. Both of the same length, at least 2.
[[nodiscard]] double spearmanCorrelation(std::span<const double> a, std::span<const double> b);

} // namespace cardfit
