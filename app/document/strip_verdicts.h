// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QPromise>
#include <QString>

#include "core/estimate/profiles.h"
#include "core/plan/plan.h"
#include "widgets/rails/rail_scale.h"

namespace cardfit::app {

/// A rail and the plan for each of its stops.
struct StripRequest {
    QString rail;
    std::vector<Plan> plans;
};

/// Verdicts to show under a rail, in the stops' order.
struct Strip {
    QString rail;
    std::vector<ui::StopVerdict> verdicts;
};

/// Estimates the plans of all stops and adds a Strip for each rail to the promise; work of a LatestTask.
void findStrips(QPromise<Strip>& promise, const std::vector<StripRequest>& requests, Profile profile);

} // namespace cardfit::app
