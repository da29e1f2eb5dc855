// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field_table.h"

/// How a row reaches its member: the functions that the rows point to. Only core/plan/fields.cpp includes this, so that
/// they are compiled once; a file that asks for a pointer or a row compiles none.
namespace cardfit::fields {

// ---- A path of members from the plan, through groups that may be absent

template <class Class, class Member> Class classOf(Member Class::*);

template <auto first, auto... rest> struct Path {
    using Class = decltype(classOf(first));
    using Last = Path<rest...>;
    using Value = typename Last::Value;

    /// Null if a group on the path is absent.
    static const Value* find(const Class& object)
    {
        const auto& member = object.*first;
        if constexpr (IsOptional<std::remove_cvref_t<decltype(member)>>::value)
            return member ? Last::find(*member) : nullptr;
        else
            return Last::find(member);
    }
    static Value& make(Class& object)
    {
        auto& member = object.*first;
        if constexpr (IsOptional<std::remove_cvref_t<decltype(member)>>::value) {
            if (!member) member.emplace();
            return Last::make(*member);
        } else {
            return Last::make(member);
        }
    }
    static Value initial() { return Last::initial(); }
};

template <auto last> struct Path<last> {
    using Class = decltype(classOf(last));
    using Value = decltype(memberOf(last));

    static const Value* find(const Class& object) { return &(object.*last); }
    static Value& make(Class& object) { return object.*last; }
    static Value initial() { return Class{}.*last; }
};

// ---- Values with and without their type

template <class Type> FieldValue valueOf(const Type& value)
{
    if constexpr (IsOptional<Type>::value)
        return value ? valueOf(*value) : FieldValue{};
    else if constexpr (IsQuantity<Type>::value)
        return value.value();
    else if constexpr (std::is_enum_v<Type>)
        return std::string(name(value));
    else if constexpr (IsList<Type>::value && std::is_enum_v<InnerType<Type>>) {
        std::vector<std::string> list;
        for (const auto item : value)
            list.emplace_back(name(item));
        return list;
    } else if constexpr (IsList<Type>::value && std::is_arithmetic_v<InnerType<Type>>)
        return std::vector<std::int64_t>(value.begin(), value.end());
    else
        return value;
}

template <class Type> void assign(Type& into, const FieldValue& value)
{
    if (std::holds_alternative<std::monostate>(value)) {
        into = Type{};
    } else if constexpr (IsOptional<Type>::value) {
        typename Type::value_type inner{};
        assign(inner, value);
        into = std::move(inner);
    } else if constexpr (IsQuantity<Type>::value) {
        into = Type(std::get<InnerType<Type>>(value));
    } else if constexpr (std::is_enum_v<Type>) {
        into = fromName<Type>(std::get<std::string>(value)).value_or(into);
    } else if constexpr (IsList<Type>::value && std::is_enum_v<InnerType<Type>>) {
        into.clear();
        for (const std::string& word : std::get<std::vector<std::string>>(value)) {
            if (const auto item = fromName<InnerType<Type>>(word)) into.push_back(*item);
        }
    } else if constexpr (IsList<Type>::value && std::is_arithmetic_v<InnerType<Type>>) {
        into.clear();
        for (const std::int64_t item : std::get<std::vector<std::int64_t>>(value))
            into.push_back(static_cast<InnerType<Type>>(item));
    } else {
        into = std::get<Type>(value);
    }
}

template <class Enum> std::vector<std::string_view> wordsOf()
{
    std::vector<std::string_view> words;
    for (const auto& entry : names<Enum>())
        words.push_back(entry.name);
    return words;
}

template <class Enum> std::vector<std::string_view> olderWordsOf()
{
    std::vector<std::string_view> words;
    for (const auto& entry : olderNames<Enum>())
        words.push_back(entry.name);
    return words;
}

template <class Enum> WordText textOf(std::string_view word)
{
    const auto value = fromName<Enum>(word);
    if (!value) return {};
    const EnumName<Enum> row = words(*value);
    return {row.label, row.help};
}

// ---- What rows point to

template <auto... path> FieldValue get(const Plan& plan)
{
    const auto* value = Path<path...>::find(plan);
    return value != nullptr ? valueOf(*value) : FieldValue{};
}
template <auto... path> void set(Plan& plan, const FieldValue& value) { assign(Path<path...>::make(plan), value); }
template <auto... path> FieldValue initial() { return valueOf(Path<path...>::initial()); }

template <auto... path> FieldValue isPresent(const Plan& plan)
{
    const auto* value = Path<path...>::find(plan);
    if (value == nullptr) return {};
    if constexpr (IsOptional<std::remove_cvref_t<decltype(*value)>>::value) {
        if (!*value) return {};
    }
    return true;
}
template <auto... path> void setPresent(Plan& plan, const FieldValue& value)
{
    using Value = typename Path<path...>::Value;
    Value& object = Path<path...>::make(plan);
    if (std::holds_alternative<std::monostate>(value)) {
        object = Value{};
    } else if constexpr (IsOptional<Value>::value) {
        if (!object) object.emplace();
    }
}

} // namespace cardfit::fields
