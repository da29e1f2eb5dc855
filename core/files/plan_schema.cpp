// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/plan_schema.h"

#include <fmt/format.h>

#include "core/files/json_reader.h"
#include "core/plan/field_table.h"

namespace cardfit {

namespace {

std::string descriptionOf(const Field& field)
{
    std::string text(field.label.english);
    if (!field.unit.empty()) text += fmt::format(", {}", field.unit.english);
    if (!field.help.empty()) text += fmt::format("{}{}", text.empty() ? "" : ": ", field.help.english);
    return text;
}

void addRange(Json& schema, const Field& field)
{
    schema[field.range.above ? "exclusiveMinimum" : "minimum"] = plainNumber(field.range.least);
    if (field.range.most != std::numeric_limits<double>::max()) schema["maximum"] = plainNumber(field.range.most);
}

Json wordsSchema(const Field& field) { return {{"type", "string"}, {"enum", readWords(field)}}; }

Json groupSchema(std::string_view pointer, bool inside);

Json fieldSchema(const Field& field)
{
    Json schema = Json::object();
    switch (field.type) {
    case FieldType::Group: schema = groupSchema(field.pointer, true); break;
    case FieldType::Flag: schema["type"] = "boolean"; break;
    case FieldType::Whole:
        schema["type"] = "integer";
        addRange(schema, field);
        break;
    case FieldType::Number:
    case FieldType::Ratio:
        schema["type"] = "number";
        addRange(schema, field);
        break;
    case FieldType::Text: schema["type"] = "string"; break;
    case FieldType::Word: schema = wordsSchema(field); break;
    case FieldType::Wholes: {
        Json item = {{"type", "integer"}};
        addRange(item, field);
        schema = {{"type", "array"}, {"items", item}};
        // One list of stages, or a list of chunks for each stage: see placeLayers().
        if (&field == &fieldOf<&Parallelism::layers_per_stage>())
            schema["items"] = {{"anyOf", Json::array({item, Json{{"type", "array"}, {"items", item}}})}};
        break;
    }
    case FieldType::Words: schema = {{"type", "array"}, {"items", wordsSchema(field)}}; break;
    case FieldType::Texts: schema = {{"type", "array"}, {"items", {{"type", "string"}}}}; break;
    case FieldType::Curves: break;
    }
    if (field.nullable && schema.contains("type")) {
        schema["type"] = Json::array({schema["type"], "null"});
        if (schema.contains("enum")) schema["enum"].push_back(nullptr);
    }
    if (const std::string text = descriptionOf(field); !text.empty()) schema["description"] = text;
    return schema;
}

/// Models, clusters and accelerators may start from a preset.
bool startsFromPreset(std::string_view pointer)
{
    return pointer
        == pointerOf<
            &Plan::model> || pointer == pointerOf<&Plan::cluster> || pointer == pointerOf<&Cluster::accelerator>;
}

/// `inside`: the group is part of a plan or a cluster, where an object may start from a preset.
Json groupSchema(std::string_view pointer, bool inside)
{
    Json schema = {{"type", "object"}};
    Json& properties = schema["properties"] = Json::object();
    if (inside && startsFromPreset(pointer)) {
        properties["preset"] = {{"type", Json::array({"string", "null"})},
            {"description", "Id of the preset whose values hold wherever a key is absent"}};
    }
    for (const Field* given : fieldsIn(pointer)) {
        const Field& field = *given;
        Json one = fieldSchema(field);
        // In a cluster, an accelerator may be given by its id alone.
        if (&field == &fieldOf<&Cluster::accelerator>()) one["type"] = Json::array({"object", "string"});
        properties[std::string(keyOf(field.pointer))] = std::move(one);
    }
    return schema;
}

} // namespace

std::vector<std::string> schemaKinds() { return {"plan", "model", "accelerator", "cluster"}; }

std::string jsonSchema(std::string_view kind)
{
    const bool is_plan = kind == "plan";
    const std::string_view pointer = is_plan ? ""
        : kind == "model"                    ? pointerOf<&Plan::model>
        : kind == "accelerator"              ? pointerOf<&Cluster::accelerator>
                                             : pointerOf<&Plan::cluster>;
    Json schema = {
        {"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", fmt::format("Cardfit {}", kind)}};
    schema.update(groupSchema(pointer, false));
    schema["required"] = is_plan ? Json{"format", "version", "model", "cluster"} : Json{"format", "version", "id"};
    Json& properties = schema["properties"];
    properties["format"] = {{"const", fmt::format("cardfit/{}", kind)}};
    properties["version"] = {{"const", 1}};
    if (!is_plan) {
        properties["id"] = {{"type", "string"}, {"description", "Name of the file, and of the preset in plans"}};
    }
    return indentedJson(schema);
}

} // namespace cardfit
