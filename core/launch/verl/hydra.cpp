// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/verl/hydra.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "core/launch/yaml/yaml_json.h"

namespace cardfit {

namespace {

constexpr std::size_t kMostKeys = 16; // of a path

std::vector<std::string> pathKeys(std::string_view path)
{
    std::vector<std::string> keys;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('.'), path.size());
        keys.emplace_back(path.substr(0, end));
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return keys;
}

/// The path and the value of an override; nullopt for other words.
std::optional<std::pair<std::string, std::string>> overrideParts(std::string_view word)
{
    while (word.starts_with('+'))
        word.remove_prefix(1);
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string_view::npos || word.front() == '-') return std::nullopt;
    const std::string_view path = word.substr(0, equals);
    const bool plain = std::ranges::all_of(path,
        [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-'; });
    if (!plain || path.starts_with('.') || path.ends_with('.')) return std::nullopt;
    return std::pair(std::string(path), std::string(word.substr(equals + 1)));
}

Json overrideValue(const std::string& word)
{
    if (word.find('\n') != std::string::npos) return word;
    const auto read = jsonOfYaml("value: " + word);
    const auto found = read && read->is_object() ? read->find("value") : Json::const_iterator();
    const bool whole = read && read->is_object() && read->size() == 1 && found != read->end();
    return whole ? *found : Json(word);
}

/// What "${…}" points to, as written; empty if the value is no reference.
std::string_view referenceIn(const Json& value)
{
    if (!value.is_string()) return {};
    std::string_view text = value.get_ref<const std::string&>();
    if (!text.starts_with("${") || !text.ends_with('}') || text.find("${", 2) != std::string_view::npos) return {};
    return text.substr(2, text.size() - 3);
}

/// The value behind any number of references; nullopt if there is none.
std::optional<Json> resolved(const Json& all, const Json& value)
{
    constexpr int kMostSteps = 8;
    Json now = value;
    for (int step = 0; step < kMostSteps; ++step) {
        std::string path(referenceIn(now));
        if (path.empty()) return now;
        constexpr std::string_view kSelect = "oc.select:";
        std::optional<std::string> usual;
        if (path.starts_with(kSelect)) {
            path.erase(0, kSelect.size());
            if (const std::size_t comma = path.find(','); comma != std::string::npos) {
                usual = path.substr(comma + 1);
                path.resize(comma);
            }
        } else if (path.find('.') == std::string::npos) {
            return now; // a variable of the shell that is not set
        }
        if (const Json* found = valueAt(all, path); found != nullptr)
            now = *found;
        else if (usual)
            now = overrideValue(*usual);
        else
            return std::nullopt;
    }
    return std::nullopt;
}

void resolveIn(const Json& all, Json& object, std::size_t depth)
{
    constexpr std::size_t kMostDepth = 32;
    if (depth > kMostDepth) return;
    std::vector<std::string> gone;
    for (auto& [key, value] : object.items()) {
        if (value.is_object()) {
            resolveIn(all, value, depth + 1);
        } else if (auto found = resolved(all, value)) {
            if (!referenceIn(value).empty()) value = *std::move(found);
        } else {
            gone.push_back(key);
        }
    }
    for (const std::string& key : gone)
        object.erase(key);
}

} // namespace

bool isOverrideOf(std::string_view word, std::string_view section)
{
    while (word.starts_with('+'))
        word.remove_prefix(1);
    return word.starts_with(section) && word.substr(section.size()).starts_with('.')
        && word.find('=') != std::string_view::npos;
}

void applyOverrides(Json& all, std::span<const std::string> words)
{
    for (const std::string& word : words) {
        const auto parts = overrideParts(word);
        const auto keys = parts ? pathKeys(parts->first) : std::vector<std::string>();
        if (keys.empty() || keys.size() > kMostKeys) continue;
        Json* place = &all;
        for (const std::string& key : keys) {
            if (!place->is_object()) *place = Json::object();
            place = &(*place)[key];
        }
        *place = overrideValue(parts->second);
    }
}

void resolveReferences(Json& all)
{
    const Json before = all;
    resolveIn(before, all, 0);
}

const Json* valueAt(const Json& all, std::string_view path)
{
    const Json* place = &all;
    for (const std::string& key : pathKeys(path)) {
        if (!place->is_object()) return nullptr;
        const auto found = place->find(key);
        if (found == place->end()) return nullptr;
        place = &*found;
    }
    return place->is_null() ? nullptr : place;
}

} // namespace cardfit
