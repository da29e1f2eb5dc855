// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/plan_file.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/files/field_json.h"
#include "core/files/file.h"
#include "core/files/json_reader.h"
#include "core/files/picture_plan.h"
#include "core/files/plan_json.h"
#include "core/files/preset_json.h"
#include "core/pipeline/orders/placement.h"
#include "core/plan/edits.h"
#include "core/plan/field_table.h"
#include "core/plan/stages.h"

namespace cardfit {

namespace {

/// Refuses a measurement without its derived factor, which would have no effect.
void checkCalibration(ObjectReader& json)
{
    constexpr Phrase kDerive = Sentence::tr("`cardfit calibrate` derives it from the measured figure");
    const bool timed = json.has("tokens_per_second_per_card") || json.has("step_seconds");
    if (json.hasAll({"tokens_per_second_per_card", "step_seconds"}))
        json.refuse(
            "step_seconds", ErrorCode::OutOfRange, Sentence::tr("a step time or tokens_per_second_per_card, not both"));
    if (timed) json.require("compute_factor", kDerive);
    if (json.has("allocated_bytes")) json.require("residual_bytes", kDerive);
    if (!timed && !json.has("allocated_bytes"))
        json.require(
            "step_seconds", Sentence::tr("a calibration needs that, tokens_per_second_per_card or allocated_bytes"));
}

/// Layers of every chunk, listed by stage: [[4, 4], [4, 3]].
using NestedLayers = std::vector<std::vector<std::int64_t>>;

/// Empty if the list is not nested, or if it is invalid; then the reader keeps the error.
NestedLayers nestedLayers(ObjectReader& json, std::string_view key)
{
    const Json* lists = json.present(key);
    if (lists == nullptr || !lists->is_array() || lists->empty() || !lists->front().is_array()) return {};
    json.skip(key);
    NestedLayers stages;
    for (const Json& list : *lists) {
        auto& stage = stages.emplace_back();
        for (const Json& layers : list) {
            const bool good =
                list.is_array() && layers.is_number_unsigned() && layers.get<std::uint64_t>() <= 1U << 16U;
            if (good) stage.push_back(layers.get<std::int64_t>());
        }
        if (!list.is_array() || stage.size() != list.size()) {
            json.refuse(key, ErrorCode::WrongType, Sentence::tr("a list of layers for each chunk of each stage"));
            return {};
        }
    }
    return stages;
}

/// Stores such a list in the order in which a micro-batch visits the chunks. The plan must be complete, because the
/// schedule determines which stage has which chunk.
void placeLayers(ObjectReader& json, const NestedLayers& stages, Plan& plan)
{
    const Parallelism& degrees = plan.parallelism;
    const auto chunks = static_cast<std::size_t>(std::max<std::int64_t>(1, chunksInPipe(plan)));
    const bool fits = static_cast<std::int64_t>(stages.size()) == degrees.pipeline
        && std::ranges::all_of(stages, [&](const auto& stage) { return stage.size() == chunks; });
    if (!fits) {
        json.fail(ErrorCode::OutOfRange, std::string(pointerOf<&Parallelism::layers_per_stage>),
            Sentence::tr("expected {} lists of {} numbers, one for each stage and chunk", {degrees.pipeline, chunks}));
        return;
    }
    std::vector<std::int64_t> layers;
    const Placement placement = chunks == 1 ? Placement::Loop : placementOf(plan.recipe.schedule);
    const Pipe pipe = pipes(placement, stages.size(), chunks).front();
    for (const StagePlace& place : pipe)
        layers.push_back(stages[place.rank][place.chunk]);
    plan.parallelism.layers_per_stage = std::move(layers);
}

/// `whole`: a complete plan, which needs a model and a cluster.
void readPlanFields(ObjectReader& json, const Presets& presets, bool whole, Plan& plan)
{
    ReadHooks hooks;
    NestedLayers nested;
    hooks.before = [&](ObjectReader& object, const Field& field) {
        if (&field == &fieldOf<&Parallelism::layers_per_stage>()) {
            nested = nestedLayers(object, keyOf(field.pointer));
            return !nested.empty();
        }
        if (whole && (&field == &fieldOf<&Plan::model>() || &field == &fieldOf<&Plan::cluster>()))
            object.require(keyOf(field.pointer), Sentence::tr("a plan needs one"));
        if (&field == &fieldOf<&Plan::model>())
            object.readObject("model", [&](ObjectReader& inner) { readModel(inner, presets, plan.model); });
        else if (&field == &fieldOf<&Plan::cluster>())
            object.readObject("cluster", [&](ObjectReader& inner) { readCluster(inner, presets, plan.cluster); });
        else
            return false;
        return true;
    };
    hooks.leave = [](ObjectReader& object, const Field& group, bool) {
        if (&group == &fieldOf<&Plan::calibration>()) checkCalibration(object);
    };
    readFields(json, "", plan, hooks);
    if (!nested.empty()) placeLayers(json, nested, plan);
}

/// Keys that name a preset; they are not fields of a plan.
constexpr std::array<std::string_view, 3> kPresetPointers{
    "/model/preset", "/cluster/preset", "/cluster/accelerator/preset"};

/// The JSON value for a field from a text that the user typed. A text that is no valid value becomes a JSON string,
/// which the reader refuses with a message on what it expects.
Json typedValue(const Field* field, std::string_view text)
{
    if (text == "null" || text == "none") {
        const auto words =
            field != nullptr && field->words != nullptr ? field->words() : std::vector<std::string_view>();
        if (std::ranges::find(words, text) == words.end()) return nullptr;
    }
    if (field != nullptr && (field->type == FieldType::Text || field->type == FieldType::Word))
        return std::string(text);
    if (field != nullptr && field->type == FieldType::Texts && !text.starts_with("["))
        return Json::array({std::string(text)});
    if (field != nullptr && field->type == FieldType::Flag && (text == "on" || text == "off")) return text == "on";
    const bool listed = field != nullptr && (field->type == FieldType::Wholes || field->type == FieldType::Words);
    if (listed && !text.starts_with("[")) {
        Json list = Json::array();
        for (std::size_t from = 0; from <= text.size();) {
            const std::size_t comma = std::min(text.find(',', from), text.size());
            const std::string_view item = text.substr(from, comma - from);
            const Json number = anyJson(item);
            list.push_back(number.is_number() ? number : Json(std::string(item)));
            from = comma + 1;
        }
        return list;
    }
    // Parsed with the same strictness and nesting limit as a file.
    const auto document = parseJson(fmt::format("{{\"value\":{}}}", text));
    return document && document->size() == 1 ? document->at("value") : Json(std::string(text));
}

/// Restores unknown keys at their places. The plan's own keys take precedence, and keys inside an object that the plan
/// no longer has (such as experts) are dropped.
void mergeUnknown(Json& into, const Json& unknown)
{
    for (const auto& [key, value] : unknown.items()) {
        if (!into.contains(key))
            into[key] = value;
        else if (into[key].is_object() && value.is_object())
            mergeUnknown(into[key], value);
    }
}

} // namespace

Result<Plan> parsePlan(std::string_view text, const Presets& presets)
{
    const auto document = parseJson(text);
    if (!document) return tl::unexpected<Error>(document.error());

    Findings findings;
    ObjectReader json(*document, findings);
    Plan plan;
    readHeader(json, "cardfit/plan");
    readPlanFields(json, presets, true, plan);
    json.collectUnknown();
    if (findings.error) return tl::unexpected<Error>(*std::move(findings.error));

    plan.unknown.paths = std::move(findings.unknown_paths);
    if (!findings.unknown.empty()) plan.unknown.json = compactJson(findings.unknown);
    return plan;
}

Result<Plan> withSetting(const Plan& plan, std::string_view assignment, const Presets& presets)
{
    const std::size_t equals = assignment.find('=');
    const std::string pointer(assignment.substr(0, equals));
    if (equals == std::string_view::npos || !pointer.starts_with("/")) {
        return fail(ErrorCode::Usage, "--set",
            Sentence::tr("expected POINTER=VALUE, such as /parallelism/tensor=8, found {}", {assignment}));
    }
    const Field* field = fieldAt(pointer);
    const bool names_preset = std::ranges::find(kPresetPointers, pointer) != kPresetPointers.end();
    if (field == nullptr && !names_preset) {
        std::vector<std::string_view> pointers(kPresetPointers.begin(), kPresetPointers.end());
        for (const Field& known : planFields())
            pointers.push_back(known.pointer);
        return fail(ErrorCode::Usage, "--set", unknownNameMessage(Sentence::tr("field"), pointer, pointers));
    }

    const Json value = typedValue(field, assignment.substr(equals + 1));
    // A file's null for such a key is that of an absent one; who sets it expects that something changes.
    if (value.is_null() && (field == nullptr || (!field->nullable && field->type != FieldType::Curves)))
        return fail(ErrorCode::Usage, "--set", Sentence::tr("{}: a plan always has one, it cannot be none", {pointer}));

    // Read like a plan file with only this key, on top of the present plan.
    Json document = Json::object();
    document[Json::json_pointer(pointer)] = value;
    if (field == &fieldOf<&Model::parameters>())
        document["model"]["family"] = plan.model.family.empty() ? "llama" : plan.model.family;
    Findings findings;
    ObjectReader json(document, findings);
    Plan changed = plan;
    readPlanFields(json, presets, false, changed);
    if (findings.error) {
        findings.error->code = ErrorCode::Usage;
        return tl::unexpected<Error>(inFile(*std::move(findings.error), "--set"));
    }
    if (!names_preset && field != &fieldOf<&Model::parameters>()) markAsOwn(plan, changed);
    return changed;
}

Result<PlanSource> readPlanSource(const std::filesystem::path& file)
{
    const auto named = [&](Error error) {
        error.file = file.string();
        return error;
    };
    auto bytes = readFile(file, kMostPictureBytes);
    if (!bytes) return tl::unexpected<Error>(std::move(bytes.error()));
    if (isPicture(*bytes)) {
        return planTextInPicture(*bytes)
            .map([](std::string text) {
                return PlanSource{std::move(text), true};
            })
            .map_error(named);
    }
    if (bytes->size() > kMostPlanBytes) {
        return tl::unexpected<Error>(
            named({ErrorCode::CannotRead, {}, {}, Sentence::tr("is larger than {} bytes", {kMostPlanBytes})}));
    }
    return PlanSource{std::move(*bytes), false, withoutGz(file) != file};
}

Result<Plan> readPlan(const std::filesystem::path& file, const Presets& presets)
{
    return readPlanSource(file)
        .and_then([&](const PlanSource& source) { return parsePlan(source.text, presets); })
        .map_error([&](Error error) {
            error.file = file.string();
            return error;
        });
}

Json planJson(const Plan& plan)
{
    Json json = Json::object();
    json["format"] = "cardfit/plan";
    json["version"] = 1;
    writeFields(json, "", plan, presetHooks(plan));

    Json unknown = anyJson(plan.unknown.json);
    if (unknown.is_object()) {
        // Unknown keys of a removed calibration are dropped.
        if (!plan.calibration) unknown.erase("calibration");
        mergeUnknown(json, unknown);
    }
    return json;
}

std::string planText(const Plan& plan) { return indentedJson(planJson(plan)) + "\n"; }

} // namespace cardfit
