// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/said_options.h"

#include <algorithm>

#include "core/plan/field_table.h"

namespace cardfit {

namespace {

/// A few other values for a field, which a file may hold.
std::vector<FieldValue> otherValues(const Field& field, const FieldValue& now)
{
    std::vector<FieldValue> values;
    const auto add = [&](FieldValue value) {
        if (value != now && !outOfRange(field, value)) values.push_back(std::move(value));
    };
    switch (field.type) {
    case FieldType::Flag:
        add(true);
        add(false);
        break;
    case FieldType::Whole: {
        const auto* number = std::get_if<std::int64_t>(&now);
        const std::int64_t least = number != nullptr ? *number : static_cast<std::int64_t>(field.range.least);
        add(2 * least);
        add(least + 1);
        break;
    }
    case FieldType::Number:
    case FieldType::Ratio: {
        const auto* number = std::get_if<double>(&now);
        add(number != nullptr && *number != 0.0 ? *number / 2.0 : 1.0);
        add(1.0);
        break;
    }
    case FieldType::Word:
        for (const std::string_view word : field.words())
            add(std::string(word));
        break;
    case FieldType::Words:
        for (const std::string_view word : field.words())
            add(std::vector<std::string>{std::string(word)});
        break;
    case FieldType::Group:
    case FieldType::Text:
    case FieldType::Wholes:
    case FieldType::Texts:
    case FieldType::Curves: break;
    }
    return values;
}

/// Whether the launcher starts such plans: a server's only inference, every other one's the rest.
bool starts(const LauncherTraits& traits, const Plan& plan)
{
    return traits.write != nullptr && traits.serves == (plan.workload.task == Task::Inference);
}

/// Adds the names of the options that only one has, or that differ.
void addDifferent(const LaunchOptions& before, const LaunchOptions& after, std::vector<std::string>& names)
{
    const auto lacks = [](const LaunchOptions& options, const LaunchOption& option) {
        return std::ranges::find(options, option) == options.end();
    };
    const auto add = [&](const LaunchOption& option) {
        if (std::ranges::find(names, option.name) == names.end()) names.push_back(option.name);
    };
    for (const LaunchOption& option : before) {
        if (lacks(after, option)) add(option);
    }
    for (const LaunchOption& option : after) {
        if (lacks(before, option)) add(option);
    }
}

} // namespace

std::vector<SaidBy> saidBy(const Field& field, std::span<const Plan> plans)
{
    std::vector<SaidBy> said;
    for (const LauncherTraits& traits : launchers()) {
        std::vector<std::string> options;
        for (const Plan& plan : plans) {
            if (!options.empty() || !starts(traits, plan) || field.get == nullptr) continue;
            const std::vector<FieldValue> values = otherValues(field, field.get(plan));
            if (values.empty()) continue;
            const LaunchOptions before = traits.options(traits.write(plan).text);
            for (const FieldValue& value : values) {
                const Plan changed = withField(plan, field, value);
                if (starts(traits, changed) && (isUsed(field, plan) || isUsed(field, changed)))
                    addDifferent(before, traits.options(traits.write(changed).text), options);
            }
        }
        if (!options.empty()) said.push_back({traits.value, std::move(options)});
    }
    return said;
}

} // namespace cardfit
