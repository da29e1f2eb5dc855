// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <optional>
#include <type_traits>

#include "core/plan/choices.h"
#include "core/plan/fields.h"

/// Makes the rows of core/plan/field_table.h from members of Plan.
namespace cardfit::fields {

// ---- How a row reaches its member: a path of members from the plan, through groups that may be absent.

template <class Type> struct IsOptional : std::false_type {
};
template <class Type> struct IsOptional<std::optional<Type>> : std::true_type {
};
template <class Type> struct IsList : std::false_type {
};
template <class Type> struct IsList<std::vector<Type>> : std::true_type {
};
template <class Type> struct IsQuantity : std::false_type {
};
template <class Unit, class Rep> struct IsQuantity<Quantity<Unit, Rep>> : std::true_type {
};

template <class Type> struct Inner {
    using type = Type;
};
template <class Type> struct Inner<std::optional<Type>> : Inner<Type> {
};
template <class Type> struct Inner<std::vector<Type>> : Inner<Type> {
};
template <class Unit, class Rep> struct Inner<Quantity<Unit, Rep>> {
    using type = Rep;
};
template <class Type> struct Given {
    using type = Type;
};
template <class Type> struct Given<std::optional<Type>> {
    using type = Type;
};
template <class Type> using WithoutOptional = typename Given<Type>::type;
template <class Type> using InnerType = typename Inner<Type>::type;

template <class Class, class Member> Member memberOf(Member Class::*);

template <auto member> inline constexpr char kTag = 0;

/// The member that a path ends with.
template <auto first, auto... rest> struct Last : Last<rest...> {
};
template <auto last> struct Last<last> {
    using Value = decltype(memberOf(last));
    static constexpr const void* kMember = &kTag<last>;
};

// What rows point to: core/plan/field_access.h defines it, and core/plan/fields.cpp alone compiles it.
template <auto... path> FieldValue get(const Plan& plan);
template <auto... path> void set(Plan& plan, const FieldValue& value);
template <auto... path> FieldValue initial();
template <auto... path> FieldValue isPresent(const Plan& plan);
template <auto... path> void setPresent(Plan& plan, const FieldValue& value);
template <class Enum> std::vector<std::string_view> wordsOf();
template <class Enum> std::vector<std::string_view> olderWordsOf();
template <class Enum> WordText textOf(std::string_view word);

// ---- Ranges

/// More than anything that is counted here, and safe to multiply by a few hundred.
inline constexpr double kMost = static_cast<double>(std::int64_t{1} << 40);
inline constexpr FieldRange kCount{1.0, kMost};
inline constexpr FieldRange kCountOrZero{0.0, kMost};
inline constexpr FieldRange kZeroOrOne{0.0, 1.0};
inline constexpr FieldRange kFraction{0.0, 1.0};
inline constexpr FieldRange kNotNegative{0.0, std::numeric_limits<double>::max()};
inline constexpr FieldRange kPositive{0.0, std::numeric_limits<double>::max(), true};
/// Above 1 if a card's real clock exceeds the one that its rated peak assumes.
inline constexpr FieldRange kEfficiency{0.0, 2.0, true};
inline constexpr FieldRange kAnyBytes{
    -static_cast<double>(std::int64_t{1} << 50), static_cast<double>(std::int64_t{1} << 50)};

// The most that check() accepts: products of such numbers do not overflow.
inline constexpr std::int64_t kMostLayers = 1 << 16;
inline constexpr std::int64_t kMostFeatures = 1 << 26;
inline constexpr std::int64_t kMostCards = 1 << 20;
inline constexpr std::int64_t kMostWays = 1 << 14; ///< tensor x pipeline x context x data stays a whole number
inline constexpr std::int64_t kMostSequences = 1 << 30;
inline constexpr std::int64_t kMostPerMicroBatch = 1 << 16;
inline constexpr std::int64_t kAnyCount = std::numeric_limits<std::int64_t>::max();

// ---- Rows

/// A row for a member; its type determines the field's type.
template <auto... path> constexpr Field row(std::string_view pointer, Phrase label = {})
{
    using Value = typename Last<path...>::Value;
    Field field;
    field.pointer = pointer;
    field.label = label;
    field.member = Last<path...>::kMember;
    field.nullable = IsOptional<Value>::value;
    field.default_value = &initial<path...>;
    field.get = &get<path...>;
    field.set = &set<path...>;
    using Inside = InnerType<Value>;
    constexpr bool kList = IsList<WithoutOptional<Value>>::value;
    if constexpr (std::is_same_v<Inside, bool>) {
        field.type = FieldType::Flag;
    } else if constexpr (std::is_same_v<Inside, double>) {
        field.type = FieldType::Number;
        field.range = kPositive;
    } else if constexpr (std::is_same_v<Inside, std::string>) {
        field.type = kList ? FieldType::Texts : FieldType::Text;
    } else if constexpr (std::is_enum_v<Inside>) {
        field.type = kList ? FieldType::Words : FieldType::Word;
        field.words = &wordsOf<Inside>;
        field.older_words = &olderWordsOf<Inside>;
        if constexpr (!kList) field.text_of = &textOf<Inside>;
    } else {
        static_assert(std::is_integral_v<Inside>);
        field.type = kList ? FieldType::Wholes : FieldType::Whole;
        field.range = kCount;
    }
    return field;
}

/// A fraction or factor.
template <auto... path> constexpr Field ratio(std::string_view pointer, Phrase label = {})
{
    Field field = row<path...>(pointer, label).of(kFraction);
    field.type = FieldType::Ratio;
    return field;
}

/// Text or a list whose empty value is written as null.
template <auto... path> constexpr Field emptyIsNull(std::string_view pointer, Phrase label = {})
{
    Field field = row<path...>(pointer, label);
    field.nullable = field.empty_is_null = true;
    return field;
}

/// An object. `get` gives true if it is present; setting it to null empties it.
template <auto... path> constexpr Field group(std::string_view pointer, Phrase label = {})
{
    Field field;
    field.pointer = pointer;
    field.label = label;
    field.member = Last<path...>::kMember;
    field.nullable = IsOptional<typename Last<path...>::Value>::value;
    field.default_value = [] { return FieldValue{}; };
    field.get = &isPresent<path...>;
    field.set = &setPresent<path...>;
    return field;
}

/// Measured curves, which have a reader and writer of their own.
template <auto... path> constexpr Field curves(std::string_view pointer)
{
    Field field;
    field.pointer = pointer;
    field.type = FieldType::Curves;
    field.member = Last<path...>::kMember;
    return field;
}

} // namespace cardfit::fields
