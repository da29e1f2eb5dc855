// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/plan/choices.h"
#include "core/plan/fields.h"

/// Strict reading and plain writing of JSON. Internal to core/files, traces, report and launch: no other room uses the
/// JSON library.
namespace cardfit {

/// Keeps the order of keys, so that a user's keys are saved in their original order.
using Json = nlohmann::ordered_json;

/// Parses a text that holds an object. Error NotJson with line and column for a syntax error, invalid UTF-8, or too
/// deep nesting; DuplicateKey and OutOfRange (1e400) with a JSON pointer; WrongFormat if the top level is not an
/// object.
[[nodiscard]] Result<Json> parseJson(std::string_view text);

/// What may be held of documents that are larger than any other: traces.
struct JsonRoom {
    std::size_t values; ///< that are left, of all documents that are given this room
    /// Of the objects in a list that is the document or a member of it; the others become null. Null: all of them.
    bool (*keeps)(const Json& object) = nullptr;
};

/// The same for a text that holds an object or a list; error OutOfRange if the room is used up.
[[nodiscard]] Result<Json> parseJson(std::string_view text, JsonRoom& room);

/// Parses any JSON value without these checks, for short texts and those of Cardfit; is_discarded() if it is not JSON.
/// The parser is compiled only in json_reader.cpp.
[[nodiscard]] Json anyJson(std::string_view text);

/// Two-space indent, no newline at the end. Invalid UTF-8 is replaced; no exception.
[[nodiscard]] std::string indentedJson(const Json& json);
[[nodiscard]] std::string compactJson(const Json& json);

/// Whole numbers are written without a decimal point: 450, 2000000000000, 31.5.
[[nodiscard]] bool isExactlyWhole(double value); ///< and a double represents it and its neighbours
[[nodiscard]] Json plainNumber(double value);

/// null if there is no value.
[[nodiscard]] inline Json plainNumber(const std::optional<double>& value)
{
    return value ? plainNumber(*value) : Json(nullptr);
}
template <class Unit> [[nodiscard]] Json plainNumber(Quantity<Unit, double> value)
{
    return plainNumber(value.value());
}
template <class Unit> [[nodiscard]] Json plainNumber(const std::optional<Quantity<Unit, double>>& value)
{
    return value ? plainNumber(value->value()) : Json(nullptr);
}

/// The range of a field of whole numbers.
struct WholeRange {
    std::int64_t least = 1;
    std::int64_t most =
        std::int64_t{1} << 40; ///< 2^40: larger than any count here, and safe to multiply by a few hundred
};
inline constexpr WholeRange kCount{1};
inline constexpr WholeRange kCountOrZero{0};
inline constexpr WholeRange kFlag{0, 1}; ///< 0 or 1, in lists of one number per layer

/// The range of a field of real numbers.
struct NumberRange {
    double least = 0.0;
    double most = std::numeric_limits<double>::max();
    bool above = false; ///< `least` itself is not accepted
};
inline constexpr NumberRange kFraction{0.0, 1.0};
inline constexpr NumberRange kPositive{0.0, std::numeric_limits<double>::max(), true};
inline constexpr NumberRange kNotNegative{0.0};

/// Results of reading a document, besides the values.
struct Findings {
    std::optional<Error> error; ///< the first one; values read after it are meaningless
    std::vector<std::string> unknown_paths;
    Json unknown = Json::object(); ///< unknown keys, nested as in the document
};

/// Reads the fields of one object. An absent key leaves its value unchanged, so values copied from a preset are
/// overridden key by key. null clears a value that may be empty and otherwise counts as absent. The first unacceptable
/// value becomes the error; reading continues, so that callers need no check per field.
class ObjectReader {
public:
    /// The top-level object of a document.
    ObjectReader(const Json& object, Findings& findings);

    /// How many keys the object has.
    [[nodiscard]] std::size_t size() const { return m_object.size(); }
    /// True if the key is present and not null.
    [[nodiscard]] bool has(std::string_view key) const;
    [[nodiscard]] bool hasAll(std::initializer_list<std::string_view> keys) const;
    [[nodiscard]] bool isNull(std::string_view key) const;
    [[nodiscard]] bool isText(std::string_view key) const;

    void read(std::string_view key, bool& value);
    void read(std::string_view key, std::string& value);
    void read(std::string_view key, std::int64_t& value, WholeRange range);
    void read(std::string_view key, double& value, NumberRange range);
    void read(std::string_view key, std::vector<int>& value, WholeRange range);
    void read(std::string_view key, std::vector<std::int64_t>& value, WholeRange range);
    void read(std::string_view key, std::vector<std::string>& value);

    template <class Unit> void read(std::string_view key, Quantity<Unit, std::int64_t>& value, WholeRange range)
    {
        std::int64_t number = value.value();
        read(key, number, range);
        value = Quantity<Unit, std::int64_t>(number);
    }
    template <class Unit> void read(std::string_view key, Quantity<Unit, double>& value, NumberRange range)
    {
        double number = value.value();
        read(key, number, range);
        value = Quantity<Unit, double>(number);
    }

    /// One of `words`, or a list of them; an empty value if the key is absent, null or holds something else.
    [[nodiscard]] FieldValue wordAt(std::string_view key, const std::vector<std::string_view>& words);
    [[nodiscard]] FieldValue wordsAt(std::string_view key, const std::vector<std::string_view>& words);
    /// One of the words that core/plan/choices lists for the enumeration.
    template <class Enum> void readWord(std::string_view key, Enum& value)
    {
        std::vector<std::string_view> words;
        for (const auto& entry : names<Enum>())
            words.push_back(entry.name);
        const FieldValue word = wordAt(key, words);
        if (const auto* text = std::get_if<std::string>(&word)) value = *fromName<Enum>(*text);
    }

    /// An optional value; null clears it.
    template <class Value, class... Rule>
    void read(std::string_view key, std::optional<Value>& value, const Rule&... rule)
    {
        if (isNull(key)) value.reset();
        if (present(key) == nullptr) return;
        Value inner = value.value_or(Value{});
        read(key, inner, rule...);
        if (!m_findings.error) value = std::move(inner); // a refused value leaves none behind
    }

    /// Calls `read_fields(ObjectReader&)` if the key holds an object.
    template <class ReadFields> void readObject(std::string_view key, ReadFields read_fields)
    {
        const Json* json = present(key);
        if (json == nullptr) return;
        if (!json->is_object()) return refuse(key, ErrorCode::WrongType, Sentence::tr("an object"));
        ObjectReader inner(*json, *this, key);
        read_fields(inner);
        inner.collectUnknown();
    }
    /// An optional object, cleared by null; calls `read_fields(ObjectReader&, Value&)`.
    template <class Value, class ReadFields>
    void readObject(std::string_view key, std::optional<Value>& value, ReadFields read_fields)
    {
        if (isNull(key)) value.reset();
        readObject(key, [&](ObjectReader& inner) {
            Value fields = value.value_or(Value{});
            read_fields(inner, fields);
            value = std::move(fields);
        });
    }

    /// Calls `read_fields(ObjectReader&)` for every object of a list, with the pointers "/cases/0", "/cases/1", …
    template <class ReadFields> void readObjects(std::string_view key, ReadFields read_fields)
    {
        const Json* json = present(key);
        if (json == nullptr) return;
        if (!json->is_array()) return refuse(key, ErrorCode::WrongType, Sentence::tr("a list"));
        std::size_t index = 0;
        for (const Json& item : *json) {
            const std::string step = std::to_string(index++);
            if (!item.is_object())
                return refuseAt(pointer(key) + "/" + step, ErrorCode::WrongType, Sentence::tr("an object"), item);
            ObjectReader inner(item, *this, key);
            inner.m_path.push_back(step);
            read_fields(inner);
            inner.collectUnknown();
        }
    }

    /// Derives the value of an absent or null key from others; OutOfRange if it is outside `range`. `derived` is a
    /// double because a product of two counts may exceed every integer type.
    void derive(std::string_view key, std::int64_t& value, double derived, WholeRange range);

    /// Error MissingKey if the key is absent or null; `why` says what needs it.
    void require(std::string_view key, Sentence why);
    /// The value of a key for callers that read it themselves; nullptr if it is absent or null. Marks the key as known.
    [[nodiscard]] const Json* present(std::string_view key);
    /// Marks a key as known without reading it.
    void skip(std::string_view key) { m_known.emplace_back(key); }
    /// Records every key that was not read. Call it last; readObject does so for nested objects.
    void collectUnknown();

    /// JSON pointer of the object itself, or of one of its keys: "/model/moe/layers", with ~ and / in keys escaped.
    [[nodiscard]] std::string pointer() const;
    [[nodiscard]] std::string pointer(std::string_view key) const;
    void fail(ErrorCode code, std::string where, Sentence message);
    /// Reports the error "expected <expectation>, found <the value>".
    void refuse(std::string_view key, ErrorCode code, Sentence expectation);

private:
    ObjectReader(const Json& object, const ObjectReader& parent, std::string_view key);

    void refuseAt(const std::string& where, ErrorCode code, Sentence expectation, const Json& found);
    [[nodiscard]] std::optional<std::int64_t> whole(const Json& json, const std::string& where, WholeRange range);

    [[nodiscard]] std::optional<std::string> word(
        const Json& json, const std::string& where, const std::vector<std::string_view>& words);

    template <class Item, class ReadItem>
    void readList(std::string_view key, std::vector<Item>& value, ReadItem read_item)
    {
        if (isNull(key)) value.clear();
        const Json* json = present(key);
        if (json == nullptr) return;
        if (!json->is_array()) return refuse(key, ErrorCode::WrongType, Sentence::tr("a list"));
        value.clear();
        for (const Json& item : *json) {
            const auto read_value = read_item(item, pointer(key) + "/" + std::to_string(value.size()));
            if (!read_value) return;
            value.push_back(static_cast<Item>(*read_value));
        }
    }

    const Json& m_object;
    Findings& m_findings;
    std::vector<std::string> m_path;
    std::vector<std::string> m_known;
};

/// Checks the two keys at the top of every Cardfit file.
void readHeader(ObjectReader& json, std::string_view format);

/// Up to three of `known` that a misspelt word may have meant, best first.
[[nodiscard]] std::vector<std::string_view> nearestWords(
    std::string_view word, const std::vector<std::string_view>& known);

/// `there is no model preset "lama-7b"; did you mean llama-7b, llama-2-7b or llama-13b?`
[[nodiscard]] Sentence unknownNameMessage(
    Phrase kind, std::string_view name, const std::vector<std::string_view>& known);

} // namespace cardfit
