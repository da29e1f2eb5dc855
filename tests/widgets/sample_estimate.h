// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QRegularExpression>
#include <QTest>

#include "core/estimate/estimate.h"
#include "tests/core/sample_plans.h"

/// What the charts' tests show.
namespace cardfit::samples {

using SharedEstimate = std::shared_ptr<const Estimate>;

/// A GPT of 64 layers on 8-way tensor parallel stages: fits for small micro-batches.
inline Plan gptPlan(std::int64_t stages, std::int64_t micro_batches, std::int64_t chunks = 1)
{
    Plan plan = llama13BOnEightCards();
    plan.name = "GPT";
    plan.model.architecture = gpt(12288, 96, 64 * chunks);
    plan.parallelism.pipeline = stages;
    plan.parallelism.virtual_pipeline = chunks;
    plan.parallelism.tensor = 8;
    plan.parallelism.sequence = true;
    plan.parallelism.data = 1;
    plan.cluster.nodes = stages;
    plan.workload.sequence_length = 2048;
    plan.workload.global_batch_size = micro_batches;
    plan.recipe.schedule = chunks > 1 ? Schedule::InterleavedOneFOneB : Schedule::OneFOneB;
    return plan;
}

inline SharedEstimate estimated(const Plan& plan) { return std::make_shared<const Estimate>(estimate(plan)); }

/// Four stages whose first does not fit its card and whose last does.
inline SharedEstimate firstStageOver()
{
    Plan plan = llama13BOnEightCards();
    plan.workload.global_batch_size = 16;
    auto result = estimate(plan);
    const auto middle = Bytes((result.stages.front().device().value() + result.stages.back().device().value()) / 2);
    for (auto& stage : result.stages)
        stage.capacity = middle;
    return std::make_shared<const Estimate>(std::move(result));
}

/// A plan that no framework runs, with the one rule that it breaks.
inline SharedEstimate brokenEstimate()
{
    Plan plan = llama13BOnEightCards();
    plan.parallelism.tensor = 3;
    return estimated(plan);
}

/// The offscreen platform remarks on every window with a minimum size; anything else fails the test.
inline void failOnAnyWarning()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support propagateSizeHints)")));
}

} // namespace cardfit::samples
