// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/yaml/yaml_json.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/base/text_cursor.h"
#include "core/launch/yaml/yaml_text.h"

namespace cardfit {

namespace {

constexpr int kDeepest = 32;
constexpr std::size_t kMostNodes = 8192;

tl::unexpected<Error> refused(const YAML::Mark& mark, ErrorCode code, Sentence message)
{
    Error error = yamlError(mark, std::move(message));
    error.code = code;
    return tl::unexpected<Error>(std::move(error));
}

/// A whole number as PyYAML's SafeLoader reads it: 017 is 15, 0x1f is 31 and 0b11 is 3.
std::optional<std::int64_t> wholeIn(std::string_view digits)
{
    const bool negative = digits.starts_with('-');
    std::string_view rest = digits.substr(negative ? 1 : 0);
    int base = 10;
    if (rest.starts_with("0x")) {
        base = 16;
        rest.remove_prefix(2);
    } else if (rest.starts_with("0b")) {
        base = 2;
        rest.remove_prefix(2);
    } else if (rest.size() > 1 && rest.front() == '0') {
        base = 8;
    }
    if (base == 10) return numberIn<std::int64_t>(digits);
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), number, base);
    if (rest.starts_with('-') || problem != std::errc() || end != rest.data() + rest.size()) return std::nullopt;
    return negative ? -number : number;
}

/// The value of an unquoted scalar (yaml.org/type, as in PyYAML's SafeLoader).
Json plainScalar(const std::string& text)
{
    const std::string word = lowered(text);
    const auto isOneOf = [&](std::initializer_list<std::string_view> words) {
        return std::ranges::find(words, std::string_view(word)) != words.end();
    };
    if (isOneOf({"", "~", "null"})) return {};
    if (isOneOf({"true", "yes", "on"})) return true;
    if (isOneOf({"false", "no", "off"})) return false;
    std::string digits = word; // "1_000_000", "+5"
    if (!digits.empty() && std::isdigit(static_cast<unsigned char>(digits.front())) != 0) std::erase(digits, '_');
    if (digits.starts_with('+')) digits.erase(0, 1);
    if (const auto whole = wholeIn(digits)) return *whole;
    // "09" is neither octal nor, to PyYAML, any other number.
    if (digits.size() > 1 && digits.front() == '0'
        && std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; }))
        return text;
    const bool number = !digits.empty() && digits.find_first_not_of("0123456789.e+-") == std::string::npos
        && digits.find_first_of("0123456789") != std::string::npos;
    if (const auto real = number ? numberIn<double>(digits) : std::nullopt) return *real;
    return text;
}

class YamlReader {
public:
    Result<Json> read(const YAML::Node& node, int depth = 0)
    {
        if (depth > kDeepest)
            return refused(
                node.Mark(), ErrorCode::OutOfRange, Sentence::tr("expected at most {} levels, found more", {kDeepest}));
        if (m_nodes++ == kMostNodes)
            return refused(node.Mark(), ErrorCode::OutOfRange,
                Sentence::tr("expected at most {} values, found more", {kMostNodes}));
        if (node.IsScalar()) return node.Tag() == "?" ? plainScalar(node.Scalar()) : Json(node.Scalar());
        if (node.IsSequence()) {
            Json list = Json::array();
            for (const YAML::Node& item : node) {
                auto value = read(item, depth + 1);
                if (!value) return value;
                list.push_back(*std::move(value));
            }
            return list;
        }
        return node.IsMap() ? map(node, depth) : Json();
    }

private:
    Result<Json> map(const YAML::Node& node, int depth)
    {
        Json object = Json::object();
        Json merged = Json::object();
        for (const auto& pair : node) {
            if (!pair.first.IsScalar())
                return refused(pair.first.Mark(), ErrorCode::WrongFormat,
                    Sentence::tr("expected a key that is a text, found a list or a map"));
            const std::string& key = pair.first.Scalar();
            auto value = read(pair.second, depth + 1);
            if (!value) return value;
            if (key == "<<") {
                // Of several maps the first with a key counts (yaml.org/type/merge.html).
                if (value->is_object()) *value = Json::array({*value});
                if (!value->is_array() || !std::ranges::all_of(*value, [](const Json& one) { return one.is_object(); }))
                    return refused(pair.first.Mark(), ErrorCode::WrongFormat,
                        Sentence::tr("expected a map or a list of maps to merge, found something else"));
                for (auto one = value->rbegin(); one != value->rend(); ++one)
                    merged.update(*one);
                continue;
            }
            if (object.contains(key))
                return refused(pair.first.Mark(), ErrorCode::DuplicateKey,
                    Sentence::tr("expected each key once, found {} again", {key}));
            object[key] = *std::move(value);
        }
        merged.update(object); // own keys override merged ones
        return merged;
    }

    std::size_t m_nodes = 0;
};

} // namespace

Result<Json> jsonOfYaml(std::string_view text)
{
    const auto document = readYaml(text);
    if (!document) return tl::unexpected<Error>(document.error());
    // yaml-cpp throws; this function must not.
    try {
        auto json = YamlReader().read(*document);
        if (json && !json->is_object())
            return refused(document->Mark(), ErrorCode::WrongFormat,
                Sentence::tr("expected keys with values, found something else"));
        return json;
    } catch (const YAML::Exception& problem) {
        return tl::unexpected<Error>(yamlError(problem.mark, Sentence::tr("expected YAML: {}", {problem.msg})));
    }
}

bool hasYamlKey(std::string_view text, std::string_view key)
{
    const std::string line = fmt::format("\n{}:", key);
    return text.starts_with(std::string_view(line).substr(1)) || text.find(line) != std::string_view::npos;
}

} // namespace cardfit
