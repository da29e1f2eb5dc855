// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/utilization_json.h"

namespace cardfit {

namespace {

Json orNull(const std::optional<Teraflops>& rate) { return rate ? Json(rate->value()) : Json(); }
Json orNull(const std::optional<double>& share) { return share ? Json(*share) : Json(); }

} // namespace

Json utilizationJson(const std::vector<Utilization>& figures)
{
    Json list = Json::array();
    for (const Utilization& figure : figures) {
        list.push_back({{"definition", describeWork(figure.definition).name},
            {"model_tflops_per_card", orNull(figure.model_tflops_per_card)},
            {"hardware_tflops_per_card", orNull(figure.hardware_tflops_per_card)}, {"mfu", orNull(figure.mfu)},
            {"hfu", orNull(figure.hfu)}, {"peak", figure.peak.format}, {"peak_tflops", figure.peak.rate.value()}});
    }
    return list;
}

} // namespace cardfit
