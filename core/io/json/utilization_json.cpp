// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json/utilization_json.h"

namespace cardfit {

namespace {

Json orNull(const std::optional<Teraflops>& rate) { return rate ? Json(rate->value()) : Json(); }
Json orNull(const std::optional<double>& share) { return share ? Json(*share) : Json(); }

} // namespace

Json utilizationJson(const std::vector<Utilization>& figures)
{
    Json list = Json::array();
    for (const Utilization& figure : figures) {
        Json json = Json::object();
        json["definition"] = describeWork(figure.definition).name;
        json["model_tflops_per_card"] = orNull(figure.model_tflops_per_card);
        json["hardware_tflops_per_card"] = orNull(figure.hardware_tflops_per_card);
        json["mfu"] = orNull(figure.mfu);
        json["hfu"] = orNull(figure.hfu);
        json["peak"] = figure.peak.format;
        json["peak_tflops"] = figure.peak.rate.value();
        list.push_back(std::move(json));
    }
    return list;
}

} // namespace cardfit
