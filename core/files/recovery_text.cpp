// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/recovery_text.h"

#include "core/files/json_reader.h"
#include "core/files/plan_file.h"

namespace cardfit {

std::string recoveryText(const UnsavedPlan& unsaved)
{
    Json json = Json::object();
    json["format"] = "cardfit/recovery";
    json["version"] = 1;
    json["file"] = unsaved.file;
    if (!unsaved.edited) json["edited"] = false;
    if (!unsaved.file_text.empty()) json["file_text"] = unsaved.file_text;
    if (!unsaved.imported.empty()) json["imported"] = unsaved.imported;
    if (unsaved.place != 0) json["place"] = unsaved.place;
    if (unsaved.shown) json["shown"] = true;
    if (!unsaved.letter.empty()) json["letter"] = unsaved.letter;
    json["plan"] = anyJson(planText(unsaved.plan));
    return indentedJson(json) + "\n";
}

Result<UnsavedPlan> parseRecovery(std::string_view text, const Presets& presets)
{
    const auto document = parseJson(text);
    if (!document) return tl::unexpected<Error>(document.error());

    Findings findings;
    ObjectReader json(*document, findings);
    UnsavedPlan unsaved;
    readHeader(json, "cardfit/recovery");
    json.read("file", unsaved.file);
    json.read("edited", unsaved.edited);
    json.read("file_text", unsaved.file_text);
    json.read("imported", unsaved.imported);
    json.read("place", unsaved.place, kCountOrZero);
    json.read("shown", unsaved.shown);
    json.read("letter", unsaved.letter);
    json.require("plan", Sentence::tr("a recovery file holds it"));
    const Json* plan_json = json.present("plan");
    if (findings.error) return tl::unexpected<Error>(*std::move(findings.error));

    auto plan = parsePlan(plan_json->dump(), presets);
    if (!plan) {
        plan.error().where = Sentence::verbatim("/plan" + plan.error().where.english());
        return tl::unexpected<Error>(std::move(plan.error()));
    }
    unsaved.plan = *std::move(plan);
    return unsaved;
}

} // namespace cardfit
