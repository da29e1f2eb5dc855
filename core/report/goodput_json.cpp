// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/goodput_json.h"

#include "core/plan/plan.h"
#include "core/time/utilization.h"

namespace cardfit {

Json goodputJson(const Plan& plan, std::optional<double> days, const Reliability& known)
{
    const Bytes checkpoint = checkpointBytes(plan);
    if (checkpoint <= Bytes(0)) return nullptr;
    const auto made = goodput(plan, known);
    const double share = made ? made->share : 1.0;
    Json json = {{"checkpoint_bytes", checkpoint.value()}, {"write_seconds", nullptr},
        {"seconds_between_stops", nullptr}, {"expected_stops", nullptr}, {"restart_seconds", nullptr},
        {"interval_seconds", nullptr}, {"training_share", nullptr}, {"days", nullptr}};
    if (known.write_bandwidth) json["write_seconds"] = static_cast<double>(checkpoint.value()) / *known.write_bandwidth;
    if (known.stops_per_card_hour) {
        const std::int64_t cards = cardsUsed(plan);
        json["seconds_between_stops"] = timeBetweenStops(*known.stops_per_card_hour, cards).value();
        if (days) json["expected_stops"] = expectedStops(*known.stops_per_card_hour, *days, cards, share);
    }
    if (made) {
        json["restart_seconds"] = made->restart.value();
        json["interval_seconds"] = made->daly.value();
        json["training_share"] = made->share;
        if (days) json["days"] = *days / made->share;
    } else if (known.restart && !known.repair_hours) {
        json["restart_seconds"] = known.restart->value();
    }
    return json;
}

} // namespace cardfit
