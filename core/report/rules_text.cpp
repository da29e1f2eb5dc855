// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/rules_text.h"

#include <vector>

#include "core/files/json_reader.h"
#include "core/report/columns.h"
#include "core/rules/rules.h"

namespace cardfit {

std::string rulesText()
{
    std::vector<Row> rows;
    for (const PlanRule& rule : kRules)
        rows.push_back({std::string(rule.id), std::string(rule.sentence)});
    return aligned(rows, {.left = 2});
}

std::string rulesJson()
{
    Json json = {{"format", "cardfit/checks"}, {"version", 1}, {"rules", Json::array()}};
    for (const PlanRule& rule : kRules) {
        Json fields = Json::array();
        for (const std::string_view field : rule.mended_by) {
            if (!field.empty()) fields.push_back(field);
        }
        json["rules"].push_back({{"id", rule.id}, {"sentence", rule.sentence}, {"mended_by", std::move(fields)}});
    }
    return indentedJson(json);
}

} // namespace cardfit
