// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "tests/widgets/sample_estimate.h"
#include "tests/widgets/shown_chart.h"
#include "widgets/timeline/pipeline_timeline.h"
#include "widgets/timeline/timeline_blocks.h"

/// Pipelines as they are drawn, and what to compare them with.
namespace cardfit::samples {

/// Four stages, eight micro-batches.
inline SharedEstimate fourStages(std::int64_t micro_batches = 8)
{
    Plan plan = llama13BOnEightCards();
    plan.workload.global_batch_size = 2 * micro_batches;
    return estimated(plan);
}

/// The same operations, each `factor` times as long.
inline SharedEstimate slower(const SharedEstimate& estimate, double factor)
{
    auto result = std::make_shared<Estimate>(*estimate);
    auto timeline = std::make_shared<Timeline>(*estimate->timeline);
    for (auto& rank : timeline->ranks) {
        std::vector<TimedOperation> operations(rank.begin(), rank.end());
        for (auto& operation : operations) {
            operation.start *= factor;
            operation.end *= factor;
        }
        rank = RankTimeline(operations);
    }
    timeline->makespan *= factor;
    for (auto& stage : result->stages)
        stage.peak_time *= factor;
    result->timeline = timeline;
    return result;
}

inline bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

struct ShownTimeline : ShownChart<ui::PipelineTimeline> {
    SharedEstimate estimate;

    explicit ShownTimeline(SharedEstimate shown, QSize size = {800, 320})
        : estimate(std::move(shown))
    {
        chart.setEstimate(estimate);
        show(size);
    }

    const ui::TimelineBlocks& blocks() const { return plottable<ui::TimelineBlocks>(); }
    TimedOperation operation(int stage, std::size_t index) const
    {
        return estimate->timeline->ranks[static_cast<std::size_t>(stage)][index];
    }
    QPoint middleOf(int stage, std::size_t index) const
    {
        return blocks().blockRect(stage, operation(stage, index)).center().toPoint();
    }
    double makespan() const { return estimate->timeline->makespan; }
    void wheel(QPoint position, int steps)
    {
        turnWheel(*chart.plot(), position, steps);
        replot();
    }
};

} // namespace cardfit::samples
