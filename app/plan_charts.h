// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/estimate.h"
#include "core/io/reports.h"
#include "core/plan/plan.h"
#include "widgets/memory_bars.h"
#include "widgets/pipeline_timeline.h"
#include "widgets/step_bar.h"

namespace cardfit::app {

/// The charts of one estimate for documents: titled with the plan's name, never shown. Need a QApplication.
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
