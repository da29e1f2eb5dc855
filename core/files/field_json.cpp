// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/field_json.h"

namespace cardfit {

namespace {

WholeRange wholeRange(const FieldRange& range)
{
    return {static_cast<std::int64_t>(range.least), static_cast<std::int64_t>(range.most)};
}

/// The value of a key that is not null. If it is not acceptable, the reader keeps the error.
FieldValue readValue(ObjectReader& json, std::string_view key, const Field& field)
{
    const auto read = [&](auto value, const auto&... rule) -> FieldValue {
        json.read(key, value, rule...);
        return value;
    };
    switch (field.type) {
    case FieldType::Flag: return read(false);
    case FieldType::Whole: return read(std::int64_t{0}, wholeRange(field.range));
    case FieldType::Number:
    case FieldType::Ratio: return read(0.0, NumberRange{field.range.least, field.range.most, field.range.above});
    case FieldType::Text: return read(std::string());
    case FieldType::Word: return json.wordAt(key, readWords(field));
    case FieldType::Wholes: return read(std::vector<std::int64_t>(), wholeRange(field.range));
    case FieldType::Words: return json.wordsAt(key, readWords(field));
    case FieldType::Texts: return read(std::vector<std::string>());
    case FieldType::Group:
    case FieldType::Curves: break;
    }
    return {};
}

bool isNothing(const FieldValue& value) { return std::holds_alternative<std::monostate>(value); }

void readGroup(ObjectReader& json, const Field& group, Plan& plan, const ReadHooks& hooks)
{
    json.readObject(keyOf(group.pointer), [&](ObjectReader& inner) {
        const bool was_there = !isNothing(group.get(plan));
        group.set(plan, true);
        if (hooks.enter) hooks.enter(inner, group, was_there);
        readFields(inner, group.pointer, plan, hooks);
        if (hooks.leave) hooks.leave(inner, group, was_there);
    });
}

} // namespace

void readFields(ObjectReader& json, std::string_view pointer, Plan& plan, const ReadHooks& hooks)
{
    for (const Field* one : fieldsIn(pointer)) {
        const Field& field = *one;
        if (hooks.before && hooks.before(json, field)) continue;
        const std::string_view key = keyOf(field.pointer);
        if (field.nullable && json.isNull(key)) field.set(plan, {});
        if (json.present(key) == nullptr) continue;
        if (field.type == FieldType::Group) {
            readGroup(json, field, plan, hooks);
        } else if (const FieldValue value = readValue(json, key, field); !isNothing(value)) {
            field.set(plan, value);
        }
    }
}

Json fieldJson(const Field& field, const FieldValue& value)
{
    const auto plain = [&](const auto& of_type) -> Json {
        using Type = std::decay_t<decltype(of_type)>;
        if constexpr (std::is_same_v<Type, std::monostate>)
            return nullptr;
        else if constexpr (std::is_same_v<Type, double>)
            return field.type == FieldType::Number ? plainNumber(of_type) : Json(of_type);
        else if constexpr (!std::is_arithmetic_v<Type>)
            return field.empty_is_null && of_type.empty() ? Json(nullptr) : Json(of_type);
        else
            return of_type;
    };
    return std::visit(plain, value);
}

void writeFields(Json& json, std::string_view pointer, const Plan& plan, const WriteHooks& hooks)
{
    for (const Field* one : fieldsIn(pointer)) {
        const Field& field = *one;
        const std::string key(keyOf(field.pointer));
        if (field.type == FieldType::Curves) {
            json[key] = hooks.curves(field);
            continue;
        }
        const FieldValue value = field.get(plan);
        const bool wanted = field.written == Written::Always
            || (field.written == Written::WhenUsed && isUsed(field, plan)) || value != field.default_value();
        if (!wanted) continue;
        if (field.type != FieldType::Group || isNothing(value)) {
            json[key] = fieldJson(field, value);
            continue;
        }
        Json object = Json::object();
        if (hooks.enter) hooks.enter(object, field);
        writeFields(object, field.pointer, plan, hooks);
        if (object.empty() && !field.nullable && field.written == Written::UnlessDefault) continue;
        json[key] = std::move(object);
    }
}

} // namespace cardfit
