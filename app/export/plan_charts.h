// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/estimate/estimate.h"
#include "core/plan/plan.h"
#include "core/report/reports.h"
#include "widgets/memory/memory_bars.h"
#include "widgets/step/step_bar.h"
#include "widgets/timeline/pipeline_timeline.h"

namespace cardfit::app {

/// The charts of one estimate for documents: titled with the plan's name, never visible. Requires a QApplication.
struct PlanCharts {
    ui::MemoryBars memory;
    ui::PipelineTimeline timeline;
    ui::StepBar step;

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
    }
};

} // namespace cardfit::app
