// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/estimate/estimate.h"
#include "core/estimate/serving_curve.h"
#include "core/plan/plan.h"
#include "core/report/reports.h"
#include "widgets/memory/memory_bars.h"
#include "widgets/serving/decode_bars.h"
#include "widgets/serving/load_chart.h"
#include "widgets/step/step_bar.h"
#include "widgets/timeline/pipeline_timeline.h"

namespace cardfit::app {

/// The charts of one estimate for documents: titled with the plan's name, never visible. Requires a QApplication.
struct PlanCharts {
    ui::MemoryBars memory;
    ui::PipelineTimeline timeline;
    ui::StepBar step;
    ui::LoadChart load; ///< empty where the plan is not served, like the next one
    ui::DecodeBars decode;

    PlanCharts(const Plan& plan, const Estimate& estimate, ByteUnit unit)
    {
        const auto shared = std::make_shared<const Estimate>(estimate);
        const auto title = QString::fromStdString(plan.name);
        memory.setTitle(title);
        memory.setUnit(unit);
        memory.setEstimate(shared);
        timeline.setTitle(title);
        timeline.setEstimate(shared);
        step.setTitle(title);
        step.setEstimate(shared);
        load.setTitle(title);
        load.setCurve(servingCurve(plan));
        decode.setTitle(title);
        decode.setEstimate(shared);
    }

    /// What the window shows below the memory, and below that.
    [[nodiscard]] ui::ChartWidget& lower() { return load.isEmpty() ? static_cast<ui::ChartWidget&>(timeline) : load; }
    [[nodiscard]] ui::ChartWidget& lowest() { return decode.isEmpty() ? static_cast<ui::ChartWidget&>(step) : decode; }
};

} // namespace cardfit::app
