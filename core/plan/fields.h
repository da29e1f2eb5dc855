// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/sentence.h"
#include "core/plan/plan.h"

/// What a plan consists of: one row per field (core/plan/field_table.h). Files, `--set`, the JSON schema, ranges in
/// checks, labels in the window and in reports are loops over these rows.
namespace cardfit {

/// A field's value without its type. std::monostate is null: a value that may be missing, or a group that is absent.
using FieldValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
    std::vector<std::string>>;

enum class FieldType : std::uint8_t {
    Group, ///< an object with fields of its own
    Flag,
    Whole,
    Number, ///< written without a decimal point if it is whole: 450, 31.5
    Ratio, ///< a fraction or factor, always written with a decimal point: 0.5, 1.0
    Text,
    Word, ///< one of `words`
    Wholes, ///< a list of whole numbers
    Words, ///< a list of `words`
    Texts, ///< a list of texts
    Curves, ///< measured curves; core/files/preset_json reads and writes them
};

/// When a field is written into a plan file.
enum class Written : std::uint8_t {
    Always, ///< null if there is none
    UnlessDefault,
    WhenUsed, ///< if applies() is true, or the value is not the default
};

/// Numbers that a file may hold.
struct FieldRange {
    double least = 0.0;
    double most = 0.0;
    bool above = false; ///< `least` itself is not accepted
};

/// On which plans a field has an effect. Called like a function.
struct Condition {
    bool (*holds)(const Plan& plan) = nullptr; ///< null: on every plan
    std::string_view words = {}; ///< what such plans have, for the reference: "a model with experts"

    [[nodiscard]] constexpr bool operator()(const Plan& plan) const { return holds == nullptr || holds(plan); }
};

/// What the window says for a word of a file.
struct WordText {
    Phrase label;
    Phrase help; ///< one sentence
};

struct Field {
    std::string_view pointer; ///< JSON pointer in a plan file; also Check::field, Edit::field and the name for --set
    Phrase label; ///< in the window; empty: it is not edited there
    FieldType type = FieldType::Group;
    bool nullable = false; ///< null means none, the default, or derived
    bool empty_is_null = false; ///< empty text or an empty list is written as null
    FieldRange range; ///< of Whole, Number, Ratio and Wholes, as a file may hold them
    std::int64_t most_sensible = 0; ///< check() accepts 1 to this number (RANGE); 0: not checked
    std::vector<std::string_view> (*words)() = nullptr; ///< of Word and Words, in the order in which they are offered
    std::vector<std::string_view> (*older_words)() = nullptr; ///< of Word: read as well, but not offered
    WordText (*text_of)(std::string_view word) = nullptr; ///< of Word: what the window says for it, or nothing
    FieldValue (*get)(const Plan& plan) = nullptr; ///< null also if the group around the field is absent
    /// Sets a value, which must have the field's type, and creates the groups around it. Does not remove the names of
    /// presets: see withField().
    void (*set)(Plan& plan, const FieldValue& value) = nullptr;
    FieldValue (*default_value)() = nullptr; ///< that of an empty plan or group
    const void* member = nullptr; ///< see pointerOf()

    Phrase unit = {};
    Phrase help = {}; ///< one sentence, or the meaning of the symbol
    std::string_view symbol = {}; ///< letter in formulas, or empty
    Condition applies = {}; ///< where it does not hold, the value has no effect on the plan
    Written written = Written::Always;
    bool essential = false; ///< among the few in a preset's form

    /// The same row with one column changed; rows are built from the functions below, in any order.
    template <class Value> [[nodiscard]] constexpr Field with(Value Field::*member_of_row, Value value) const
    {
        Field row = *this;
        row.*member_of_row = value;
        return row;
    }
    [[nodiscard]] constexpr Field in(Phrase a_unit) const { return with(&Field::unit, a_unit); }
    [[nodiscard]] constexpr Field says(Phrase a_help) const { return with(&Field::help, a_help); }
    [[nodiscard]] constexpr Field as(std::string_view letter, Phrase meaning) const
    {
        return with(&Field::symbol, letter).says(meaning);
    }
    [[nodiscard]] constexpr Field of(FieldRange a_range) const { return with(&Field::range, a_range); }
    [[nodiscard]] constexpr Field upTo(std::int64_t most) const { return with(&Field::most_sensible, most); }
    [[nodiscard]] constexpr Field when(Condition holds) const { return with(&Field::applies, holds); }
    [[nodiscard]] constexpr Field unlessDefault() const { return with(&Field::written, Written::UnlessDefault); }
    [[nodiscard]] constexpr Field whenUsed() const { return with(&Field::written, Written::WhenUsed); }
    [[nodiscard]] constexpr Field inForms() const { return with(&Field::essential, true); }
};

/// All fields, groups before what is in them, in the order of a plan file.
[[nodiscard]] std::span<const Field> planFields();

/// Those of one group (empty: of the plan itself), in the same order.
[[nodiscard]] std::span<const Field* const> fieldsIn(std::string_view group);

/// Null if there is no such field.
[[nodiscard]] const Field* fieldAt(std::string_view pointer);

/// The group around a field: "/recipe/moe" of "/recipe/moe/dispatcher"; and the field's own key: "dispatcher".
[[nodiscard]] std::string_view groupOf(std::string_view pointer);
[[nodiscard]] std::string_view keyOf(std::string_view pointer);

/// The words that a file may hold for a field: those that are offered, and those of earlier versions.
[[nodiscard]] std::vector<std::string_view> readWords(const Field& field);

/// The first number in the value that a file may not hold for the field; none if all are in range, or it has none.
[[nodiscard]] std::optional<double> outOfRange(const Field& field, const FieldValue& value);

[[nodiscard]] inline bool isUsed(const Field& field, const Plan& plan) { return field.applies(plan); }

/// The plan with one value changed as by a user: a preset whose values no longer hold loses its name.
[[nodiscard]] Plan withField(const Plan& plan, const Field& field, const FieldValue& value);

} // namespace cardfit
