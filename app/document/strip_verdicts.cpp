// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/strip_verdicts.h"

#include "core/report/reports.h"

namespace cardfit::app {

namespace {

ui::StopVerdict verdictOf(const Plan& plan, Profile profile)
{
    const Estimate result = estimateUnder(plan, profile);
    const auto stands = verdict(result);
    if (!stands) return ui::StopVerdict::Invalid;
    switch (*stands) {
    case Verdict::Fits: return ui::StopVerdict::Fits;
    case Verdict::Tight: return ui::StopVerdict::Tight;
    case Verdict::Over: return ui::StopVerdict::Over;
    }
    return ui::StopVerdict::Unknown;
}

} // namespace

void findStrips(QPromise<Strip>& promise, const std::vector<StripRequest>& requests, Profile profile)
{
    for (const StripRequest& request : requests) {
        Strip strip{request.rail, {}};
        for (const Plan& plan : request.plans) {
            if (promise.isCanceled()) return;
            strip.verdicts.push_back(verdictOf(plan, profile));
        }
        promise.addResult(std::move(strip));
    }
}

} // namespace cardfit::app
