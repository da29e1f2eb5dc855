// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/strip_verdicts.h"

#include "core/estimate/estimate.h"

namespace cardfit::app {

namespace {

ui::StopVerdict verdictOf(const Plan& plan, Profile profile)
{
    return ui::stopVerdict(verdict(estimateUnder(plan, profile)));
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
