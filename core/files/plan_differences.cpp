// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/plan_differences.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/files/plan_json.h"
#include "core/plan/field_table.h"

namespace cardfit {

namespace {

using Pointer = Json::json_pointer;

std::string words(const Json& value)
{
    if (value.is_null()) return "none";
    if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
    if (value.is_string()) return value.get<std::string>();
    if (value.is_array()) {
        std::vector<std::string> items;
        for (const Json& item : value)
            items.push_back(words(item));
        return items.empty() ? "empty" : fmt::format("{}", fmt::join(items, " "));
    }
    if (value.is_object()) {
        std::vector<std::string> items;
        for (const auto& [key, item] : value.items())
            items.push_back(fmt::format("{}: {}", key, words(item)));
        return items.empty() ? "empty" : fmt::format("{}", fmt::join(items, ", "));
    }
    return compactJson(value);
}

class Comparison {
public:
    /// A null pointer stands for a value that the file does not have.
    void compare(const Pointer& at, const Json* before, const Json* after)
    {
        if (before != nullptr && after != nullptr) {
            if (before->is_object() && after->is_object()) return compareObjects(at, *before, *after);
            if (*before == *after) return;
        }
        const auto text = [](const Json* value) { return value != nullptr ? words(*value) : "not given"; };
        Edit edit{at.to_string(), text(before), text(after)};
        if (edit.from == edit.to) {
            if (before != nullptr) edit.from = compactJson(*before);
            if (after != nullptr) edit.to = compactJson(*after);
        }
        m_edits.push_back(std::move(edit));
    }

    std::vector<Edit> take() { return std::move(m_edits); }

private:
    static const Json* member(const Json& object, const std::string& key)
    {
        const auto found = object.find(key);
        return found != object.end() ? &*found : nullptr;
    }

    void compareObjects(const Pointer& at, const Json& before, const Json& after)
    {
        for (const auto& [key, value] : before.items())
            compare(at / key, &value, member(after, key));
        for (const auto& [key, value] : after.items()) {
            if (!before.contains(key)) compare(at / key, nullptr, &value);
        }
    }

    std::vector<Edit> m_edits;
};

} // namespace

std::vector<Edit> planDifferences(const Plan& before, const Plan& after)
{
    Comparison comparison;
    const Json from = planJson(before);
    const Json to = planJson(after);
    comparison.compare(Pointer(), &from, &to);
    auto edits = comparison.take();
    // A degree that is not given follows from the others.
    const auto follow = [&](std::string_view field, std::optional<std::int64_t> Parallelism::*degree,
                            std::int64_t (*effective)(const Plan&)) {
        const auto edit = std::ranges::find(edits, field, &Edit::field);
        if (edit == edits.end()) return;
        const bool same = effective(before) == effective(after);
        const auto followed = [&](const Plan& plan) {
            return same ? std::string("automatic") : fmt::format("{}", effective(plan));
        };
        if (!(before.parallelism.*degree)) edit->from = followed(before);
        if (!(after.parallelism.*degree)) edit->to = followed(after);
    };
    follow(pointerOf<&Parallelism::data>, &Parallelism::data, dataParallel);
    follow(pointerOf<&Parallelism::expert_tensor>, &Parallelism::expert_tensor, expertTensor);
    return edits;
}

} // namespace cardfit
