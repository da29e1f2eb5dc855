// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/json_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include <fmt/format.h>

#include "core/base/edit_distance.h"
#include "core/files/foreign_text.h"

namespace cardfit {

namespace {

constexpr std::size_t kMaxDepth = 32;
/// Keys of an object beyond so many are looked up in a set: files of quantised models list ten thousand layers.
constexpr std::size_t kFewKeys = 32;
constexpr std::int64_t kNewestVersion = 1;
constexpr std::size_t kLongestName = 40;
constexpr std::size_t kLongestMessage = 200;

std::string escaped(std::string_view key)
{
    std::string text;
    for (const char c : key) {
        if (c == '~')
            text += "~0";
        else if (c == '/')
            text += "~1";
        else
            text += c;
    }
    return text;
}

/// Truncates a text for messages, without splitting UTF-8 sequences.
std::string shortened(std::string text, std::size_t longest)
{
    if (text.size() <= longest) return text;
    const auto continues = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U; };
    while (longest > 0 && continues(longest))
        --longest;
    return text.substr(0, longest) + "…";
}

/// Extracts <what> from "[json.exception.parse_error.101] parse error at line 2, column 7: syntax error while parsing
/// value - <what>".
std::string syntaxMessage(std::string_view exception)
{
    constexpr std::string_view kSeparator = " - ";
    const auto start = exception.find(kSeparator);
    const auto message = start == std::string_view::npos ? exception : exception.substr(start + kSeparator.size());
    return shortened(std::string(message), kLongestMessage);
}

/// Adds a key that the object does not have; its operator[] would compare with all that it has.
Json* append(Json& object, const std::string& key, Json value)
{
    return &object.get_ref<Json::object_t&>().emplace_back(key, std::move(value)).second;
}

/// Builds the document and refuses what the library accepts: duplicate keys and unlimited nesting.
class DocumentBuilder final : public nlohmann::json_sax<Json> {
public:
    explicit DocumentBuilder(std::string_view text, JsonRoom& room)
        : m_text(text)
        , m_room(room)
        , m_most(room.values)
    {
    }

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t& /*token*/) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t& /*value*/) override { return false; }
    bool start_object(std::size_t /*size*/) override { return open(Json::object()); }
    bool start_array(std::size_t /*size*/) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& key) override
    {
        Level& level = m_levels.back();
        level.key = std::move(key);
        if (isTwice(level)) {
            return stop(ErrorCode::DuplicateKey, Sentence::tr("this key appears twice in the same object"));
        }
        return true;
    }

    bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error) override
    {
        const Sentence place = lineAndColumn(m_text, position);
        constexpr int kNumberOverflow = 406;
        if (error.id == kNumberOverflow) {
            return stop(ErrorCode::OutOfRange,
                Sentence::tr("the number {} at {} is out of range", {shortened(token, kLongestName), place}), place);
        }
        m_error = Error{ErrorCode::NotJson, {}, place, Sentence::verbatim(syntaxMessage(error.what()))};
        return false;
    }

    [[nodiscard]] Result<Json> result() &&
    {
        if (m_error) return tl::unexpected<Error>(*std::move(m_error));
        return std::move(m_root);
    }

private:
    struct Level {
        Json* container;
        std::string key; ///< last key of an object
        std::size_t room; ///< before it
        std::unordered_set<std::string> keys = {}; ///< all, of an object with more than a few
    };

    static bool isTwice(Level& level)
    {
        const Json& object = *level.container;
        if (object.size() < kFewKeys) return object.contains(level.key);
        if (level.keys.empty()) {
            for (const auto& [known, value] : object.items())
                level.keys.insert(known);
        }
        return !level.keys.insert(level.key).second;
    }

    template <class Value> bool add(Value&& value)
    {
        if (m_room.values == 0) return full();
        --m_room.values;
        insert(std::forward<Value>(value));
        return true;
    }

    bool full()
    {
        return stop(ErrorCode::OutOfRange, Sentence::tr("expected at most {} values, found more", {m_most}));
    }

    Json* insert(Json value)
    {
        if (m_levels.empty()) {
            m_root = std::move(value);
            return &m_root;
        }
        const Level& level = m_levels.back();
        if (level.container->is_array()) {
            level.container->push_back(std::move(value));
            return &level.container->back();
        }
        return append(*level.container, level.key, std::move(value));
    }

    bool open(Json container)
    {
        if (m_levels.size() == kMaxDepth) {
            return stop(ErrorCode::NotJson, Sentence::tr("nested more than {} levels deep", {kMaxDepth}));
        }
        if (m_room.values == 0) return full();
        --m_room.values;
        m_levels.push_back({insert(std::move(container)), {}, m_room.values});
        return true;
    }

    bool close()
    {
        const Level closed = std::move(m_levels.back());
        m_levels.pop_back();
        constexpr std::size_t kListLevels = 2; // of a list in the document, and one more
        const bool listed =
            !m_levels.empty() && m_levels.size() <= kListLevels && m_levels.back().container->is_array();
        if (m_room.keeps == nullptr || !listed || !closed.container->is_object() || m_room.keeps(*closed.container))
            return true;
        *closed.container = nullptr;
        m_room.values = closed.room;
        return true;
    }

    /// Stops parsing with an error at the next value, or at `place` if that is the top level.
    bool stop(ErrorCode code, Sentence message, Sentence place = {})
    {
        std::string where;
        for (const Level& level : m_levels) {
            where += '/';
            where += level.container->is_array() ? std::to_string(level.container->size()) : escaped(level.key);
        }
        m_error = Error{code, {}, where.empty() ? std::move(place) : Sentence::verbatim(where), std::move(message)};
        return false;
    }

    std::string_view m_text;
    JsonRoom& m_room;
    std::size_t m_most;
    Json m_root;
    std::vector<Level> m_levels;
    std::optional<Error> m_error;
};

/// A value in a form short enough for a message.
Sentence shown(const Json& json)
{
    if (json.is_object()) return Sentence::tr("an object");
    if (json.is_array()) return Sentence::tr("a list");
    return Sentence::verbatim(shortened(compactJson(json), kLongestName));
}

Sentence expectationOf(const WholeRange& range)
{
    if (range.most == kFlag.most) return Sentence::tr("0 or 1");
    return Sentence::tr("a whole number of at least {}", {range.least});
}

Sentence expectationOf(const NumberRange& range)
{
    if (range.most == std::numeric_limits<double>::max()) {
        return range.above ? Sentence::tr("a number above {}", {fmt::format("{}", range.least)})
                           : Sentence::tr("a number of at least {}", {fmt::format("{}", range.least)});
    }
    return Sentence::tr("a number from {} to {}", {fmt::format("{}", range.least), fmt::format("{}", range.most)});
}

} // namespace

Result<Json> parseJson(std::string_view text, JsonRoom& room)
{
    if (auto error = nulByteIn(text)) {
        error->code = ErrorCode::NotJson;
        return tl::unexpected<Error>(*std::move(error));
    }
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        return cardfit::fail(ErrorCode::NotJson, {}, Sentence::tr("the text is empty; a JSON object is expected"));
    }
    DocumentBuilder builder(text, room);
    Json::sax_parse(text.begin(), text.end(), &builder);
    return std::move(builder).result();
}

Result<Json> parseJson(std::string_view text)
{
    JsonRoom room{text.size()}; // the text is bounded by itself
    auto document = parseJson(text, room);
    if (document && !document->is_object()) {
        return cardfit::fail(
            ErrorCode::WrongFormat, {}, Sentence::tr("expected a JSON object, found {}", {shown(*document)}));
    }
    return document;
}

Json anyJson(std::string_view text) { return Json::parse(text, nullptr, false); }

std::string indentedJson(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

std::string compactJson(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

bool isExactlyWhole(double value)
{
    constexpr double kExact = 9007199254740992.0; // 2^53: doubles represent every whole number up to here exactly
    return std::abs(value) <= kExact && std::trunc(value) == value;
}

Json plainNumber(double value)
{
    if (isExactlyWhole(value)) return static_cast<std::int64_t>(value);
    return value;
}

ObjectReader::ObjectReader(const Json& object, Findings& findings)
    : m_object(object)
    , m_findings(findings)
{
}

ObjectReader::ObjectReader(const Json& object, const ObjectReader& parent, std::string_view key)
    : m_object(object)
    , m_findings(parent.m_findings)
    , m_path(parent.m_path)
{
    m_path.emplace_back(key);
}

bool ObjectReader::has(std::string_view key) const
{
    const auto found = m_object.find(std::string(key));
    return found != m_object.end() && !found->is_null();
}

bool ObjectReader::hasAll(std::initializer_list<std::string_view> keys) const
{
    return std::ranges::all_of(keys, [this](std::string_view key) { return has(key); });
}

bool ObjectReader::isNull(std::string_view key) const
{
    const auto found = m_object.find(std::string(key));
    return found != m_object.end() && found->is_null();
}

bool ObjectReader::isText(std::string_view key) const
{
    const auto found = m_object.find(std::string(key));
    return found != m_object.end() && found->is_string();
}

const Json* ObjectReader::present(std::string_view key)
{
    skip(key);
    const auto found = m_object.find(std::string(key));
    return found == m_object.end() || found->is_null() ? nullptr : &*found;
}

void ObjectReader::read(std::string_view key, bool& value)
{
    const Json* json = present(key);
    if (json == nullptr) return;
    if (!json->is_boolean()) return refuse(key, ErrorCode::WrongType, Sentence::tr("true or false"));
    value = json->get<bool>();
}

void ObjectReader::read(std::string_view key, std::string& value)
{
    const Json* json = present(key);
    if (json == nullptr) return;
    if (!json->is_string()) return refuse(key, ErrorCode::WrongType, Sentence::tr("text"));
    value = json->get<std::string>();
}

void ObjectReader::read(std::string_view key, std::int64_t& value, WholeRange range)
{
    if (const Json* json = present(key)) value = whole(*json, pointer(key), range).value_or(value);
}

void ObjectReader::read(std::string_view key, double& value, NumberRange range)
{
    const Json* json = present(key);
    if (json == nullptr) return;
    if (!json->is_number()) return refuse(key, ErrorCode::WrongType, expectationOf(range));
    const auto number = json->get<double>();
    if (number < range.least || number > range.most || (range.above && number == range.least)) {
        return refuse(key, ErrorCode::OutOfRange, expectationOf(range));
    }
    value = number;
}

void ObjectReader::read(std::string_view key, std::vector<int>& value, WholeRange range)
{
    readList(key, value, [&](const Json& item, const std::string& where) { return whole(item, where, range); });
}

void ObjectReader::read(std::string_view key, std::vector<std::int64_t>& value, WholeRange range)
{
    readList(key, value, [&](const Json& item, const std::string& where) { return whole(item, where, range); });
}

void ObjectReader::read(std::string_view key, std::vector<std::string>& value)
{
    readList(key, value, [&](const Json& item, const std::string& where) {
        if (item.is_string()) return std::optional(item.get<std::string>());
        refuseAt(where, ErrorCode::WrongType, Sentence::tr("text"), item);
        return std::optional<std::string>();
    });
}

std::optional<std::string> ObjectReader::word(
    const Json& json, const std::string& where, const std::vector<std::string_view>& words)
{
    if (json.is_string() && std::ranges::find(words, json.get_ref<const std::string&>()) != words.end())
        return json.get<std::string>();
    std::vector<std::string_view> offered = words;
    std::erase(offered, std::string_view()); // an empty word stands for a missing value
    refuseAt(where, json.is_string() ? ErrorCode::UnknownName : ErrorCode::WrongType,
        Sentence::tr("one of {}", {fmt::format("{}", fmt::join(offered, ", "))}), json);
    return std::nullopt;
}

FieldValue ObjectReader::wordAt(std::string_view key, const std::vector<std::string_view>& words)
{
    const Json* json = present(key);
    if (json == nullptr) return {};
    const auto found = word(*json, pointer(key), words);
    return found ? FieldValue(*found) : FieldValue{};
}

FieldValue ObjectReader::wordsAt(std::string_view key, const std::vector<std::string_view>& words)
{
    std::vector<std::string> list;
    readList(key, list, [&](const Json& item, const std::string& where) { return word(item, where, words); });
    return list;
}

std::optional<std::int64_t> ObjectReader::whole(const Json& json, const std::string& where, WholeRange range)
{
    // A whole number too large for the library's integers is parsed as a double.
    const bool huge = json.is_number_float() && std::abs(json.get<double>()) >= 0x1p63;
    if (!json.is_number_integer() && !huge) {
        refuseAt(where, ErrorCode::WrongType, expectationOf(range), json);
        return std::nullopt;
    }
    const auto number = json.get<double>();
    if (number > static_cast<double>(range.most)) {
        const bool flag = range.most == kFlag.most;
        refuseAt(where, ErrorCode::OutOfRange,
            flag ? expectationOf(range) : Sentence::tr("a whole number of at most {}", {range.most}), json);
        return std::nullopt;
    }
    if (number < static_cast<double>(range.least)) {
        refuseAt(where, ErrorCode::OutOfRange, expectationOf(range), json);
        return std::nullopt;
    }
    return json.get<std::int64_t>();
}

void ObjectReader::derive(std::string_view key, std::int64_t& value, double derived, WholeRange range)
{
    if (has(key)) return;
    if (derived <= static_cast<double>(range.most)) {
        value = static_cast<std::int64_t>(derived);
        return;
    }
    fail(ErrorCode::OutOfRange, pointer(key),
        Sentence::tr("missing, and {} follows from the other keys; at most {} can be planned",
            {fmt::format("{}", derived), range.most}));
}

void ObjectReader::require(std::string_view key, Sentence why)
{
    if (!has(key)) fail(ErrorCode::MissingKey, pointer(key), Sentence::tr("missing; {}", {std::move(why)}));
}

void ObjectReader::collectUnknown()
{
    for (const auto& [key, value] : m_object.items()) {
        if (std::ranges::find(m_known, key) != m_known.end()) continue;
        m_findings.unknown_paths.push_back(pointer({}) + "/" + escaped(key));
        Json* place = &m_findings.unknown;
        for (const std::string& step : m_path)
            place = &(*place)[step];
        if (place->is_null()) *place = Json::object();
        append(*place, key, value);
    }
}

std::string ObjectReader::pointer(std::string_view key) const
{
    std::string text;
    for (const std::string& step : m_path)
        text += "/" + escaped(step);
    if (!key.empty()) text += "/" + escaped(key);
    return text;
}

void ObjectReader::fail(ErrorCode code, std::string where, Sentence message)
{
    if (!m_findings.error) {
        m_findings.error = Error{code, {}, Sentence::verbatim(std::move(where)), std::move(message)};
    }
}

void ObjectReader::refuse(std::string_view key, ErrorCode code, Sentence expectation)
{
    const auto found = m_object.find(std::string(key));
    Sentence stands = found == m_object.end() ? Sentence(Sentence::tr("nothing")) : shown(*found);
    fail(code, pointer(key), Sentence::tr("expected {}, found {}", {std::move(expectation), std::move(stands)}));
}

void ObjectReader::refuseAt(const std::string& where, ErrorCode code, Sentence expectation, const Json& found)
{
    fail(code, where, Sentence::tr("expected {}, found {}", {std::move(expectation), shown(found)}));
}

void readHeader(ObjectReader& json, std::string_view format)
{
    std::string given;
    if (json.isText("format")) json.read("format", given);
    if (given != format)
        return json.refuse("format", ErrorCode::WrongFormat, Sentence::verbatim(fmt::format("\"{}\"", format)));

    std::int64_t version = kNewestVersion;
    if (!json.has("version"))
        return json.refuse("version", ErrorCode::WrongFormat, Sentence::verbatim(std::to_string(kNewestVersion)));
    json.read("version", version, kCount);
    if (version > kNewestVersion) {
        json.fail(ErrorCode::WrongFormat, json.pointer("version"),
            Sentence::tr("version {} was written by a newer Cardfit; this one reads up to version {}",
                {version, kNewestVersion}));
    }
}

std::vector<std::string_view> nearestWords(std::string_view word, const std::vector<std::string_view>& known)
{
    constexpr std::size_t kMost = 3;
    const std::size_t furthest = std::max<std::size_t>(3, word.size() / 2);
    using Ranked = std::pair<std::size_t, std::string_view>; // distance, candidate
    std::vector<Ranked> ranked;
    for (const std::string_view candidate : known) {
        // An abbreviation ("a100") more likely means a word that starts with it than another word of similar length.
        if (candidate.starts_with(word)) {
            ranked.emplace_back(0, candidate);
            continue;
        }
        // The difference in length is a lower bound of the edit distance, so longer words need no comparison.
        const std::size_t longer = std::max(word.size(), candidate.size());
        if (longer - std::min(word.size(), candidate.size()) > furthest) continue;
        const std::size_t distance = editDistance(word, candidate);
        if (distance <= furthest) ranked.emplace_back(distance, candidate);
    }
    std::ranges::sort(ranked);
    // "h100" is in "dgx-h100".
    constexpr std::size_t kShortestPart = 3;
    for (const std::string_view candidate : known) {
        const bool part = word.size() >= kShortestPart && candidate.find(word) != std::string_view::npos;
        if (part && ranked.size() < kMost && std::ranges::find(ranked, candidate, &Ranked::second) == ranked.end())
            ranked.emplace_back(furthest, candidate);
    }
    if (ranked.size() > kMost) ranked.resize(kMost);
    std::vector<std::string_view> nearest;
    for (const auto& [distance, candidate] : ranked)
        nearest.push_back(candidate);
    return nearest;
}

Sentence unknownNameMessage(Phrase kind, std::string_view name, const std::vector<std::string_view>& known)
{
    Sentence missing = Sentence::tr("there is no {} \"{}\"", {kind, shortened(std::string(name), kLongestName)});
    const auto nearest = nearestWords(name, known);
    if (nearest.empty()) return missing;
    Sentence meant = Sentence::verbatim(std::string(nearest.front()));
    for (std::size_t i = 1; i < nearest.size(); ++i) {
        meant = i + 1 == nearest.size() ? Sentence::tr("{} or {}", {std::move(meant), nearest[i]})
                                        : Sentence::tr("{}, {}", {std::move(meant), nearest[i]});
    }
    return Sentence::tr("{}; did you mean {}?", {std::move(missing), std::move(meant)});
}

} // namespace cardfit
