// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/reference.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/files/foreign_text.h"
#include "core/files/json_reader.h"
#include "core/launch/said_options.h"
#include "core/plan/field_table.h"
#include "core/report/output_schema.h"
#include "core/rules/rules.h"

namespace cardfit {

namespace {

/// "**Tensor parallel**. Cards that share …; letter `t`".
std::string meaningOf(const Field& field)
{
    std::string text;
    if (!field.label.empty()) text = fmt::format("**{}**", markdownText(field.label.english));
    if (!field.help.empty()) text += (text.empty() ? "" : ": ") + markdownText(field.help.english);
    if (!field.symbol.empty()) text += fmt::format(" ({})", markdownCode(field.symbol));
    return text;
}

/// "1 to 16384", "above 0", "0 to 1"; empty for what is no number.
std::string rangeOf(const Field& field)
{
    if (field.range.most == 0.0) return {};
    const auto number = [](double value) { return plainNumber(value).dump(); };
    const bool sensible = field.most_sensible > 0 && field.most_sensible < fields::kAnyCount;
    const double most = sensible ? static_cast<double>(field.most_sensible) : field.range.most;
    const bool open = most >= fields::kMost;
    const double least = field.range.least;
    if (least <= -fields::kMost) return {};
    if (field.range.above)
        return open ? fmt::format("above {}", number(least))
                    : fmt::format("above {} to {}", number(least), number(most));
    return open ? fmt::format("{} or more", number(least)) : fmt::format("{} to {}", number(least), number(most));
}

std::string valuesOf(const Field& field)
{
    const auto ranged = [&](std::string_view what) {
        const std::string range = rangeOf(field);
        return range.empty() ? std::string(what) : fmt::format("{}, {}", what, range);
    };
    const auto words = [&] {
        std::vector<std::string> all;
        for (const std::string_view word : readWords(field))
            all.push_back(word.empty() ? "empty" : markdownCode(word));
        return fmt::format("{}", fmt::join(all, ", "));
    };
    std::string text;
    switch (field.type) {
    case FieldType::Group: text = "a group"; break;
    case FieldType::Flag: text = "true, false"; break;
    case FieldType::Whole: text = ranged("whole number"); break;
    case FieldType::Number: text = ranged("number"); break;
    case FieldType::Ratio: text = ranged("fraction"); break;
    case FieldType::Text: text = "text"; break;
    case FieldType::Word: text = words(); break;
    case FieldType::Wholes: text = ranged("list of whole numbers"); break;
    case FieldType::Words: text = "list of " + words(); break;
    case FieldType::Texts: text = "list of texts"; break;
    case FieldType::Curves: text = "measured curves"; break;
    }
    return field.nullable ? text + "; null" : text;
}

std::string defaultOf(const Field& field)
{
    if (field.type == FieldType::Group) return field.nullable ? "null" : "";
    if (field.default_value == nullptr) return {};
    struct Text {
        std::string operator()(std::monostate /*null*/) const { return "null"; }
        std::string operator()(bool value) const { return value ? "true" : "false"; }
        std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
        std::string operator()(double value) const { return plainNumber(value).dump(); }
        std::string operator()(const std::string& value) const { return markdownCode(value); }
        std::string operator()(const std::vector<std::int64_t>& value) const
        {
            return fmt::format("{}", fmt::join(value, ", "));
        }
        std::string operator()(const std::vector<std::string>& value) const
        {
            return markdownText(fmt::format("{}", fmt::join(value, ", ")));
        }
    };
    const FieldValue value = field.default_value();
    const auto* text = std::get_if<std::string>(&value);
    if (text != nullptr && text->empty()) return field.empty_is_null ? "null" : "empty";
    return std::visit(Text{}, value);
}

/// One shipped plan of every framework, task and kind of model: all that exporters tell apart.
std::vector<Plan> differentPlans(const Presets& presets)
{
    std::vector<Plan> plans;
    std::set<std::tuple<int, int, bool, int, bool>> kinds;
    for (const PlanPreset& preset : presets.plans) {
        const Plan& plan = preset.plan;
        const auto kind = std::tuple{static_cast<int>(plan.recipe.framework), static_cast<int>(plan.workload.task),
            plan.model.architecture.moe.has_value(), static_cast<int>(plan.recipe.sharding),
            plan.parallelism.pipeline > 1};
        if (kinds.insert(kind).second) plans.push_back(plan);
    }
    return plans;
}

std::string launchersOf(const Field& field, std::span<const Plan> plans)
{
    constexpr std::size_t kMostOptions = 3; // more are consequences
    std::vector<std::string> said;
    for (const SaidBy& by : saidBy(field, plans)) {
        std::vector<std::string> options;
        for (const std::string& option : by.options) {
            if (options.size() < kMostOptions) options.push_back(markdownCode(option));
        }
        said.push_back(fmt::format("{}: {}{}", traitsOf(by.launcher).label.english, fmt::join(options, ", "),
            by.options.size() > kMostOptions ? " …" : ""));
    }
    return fmt::format("{}", fmt::join(said, "; "));
}

void addChoices(std::string& text, const Field& field)
{
    if (field.type != FieldType::Word || field.text_of == nullptr) return;
    std::string items;
    for (const std::string_view word : field.words()) {
        if (word.empty()) continue;
        const WordText said = field.text_of(word);
        items += fmt::format("- {}", markdownCode(word));
        if (!said.label.empty()) items += ": " + markdownText(said.label.english);
        if (!said.help.empty()) items += ". " + markdownText(said.help.english);
        items += "\n";
    }
    text += fmt::format("### {}\n\n{}\n", markdownCode(field.pointer), items);
}

} // namespace

std::string markdownCode(std::string_view text)
{
    std::string escaped;
    for (const char c : text) {
        if (c == '|') escaped += '\\'; // would end the cell
        escaped += c;
    }
    return "`" + escaped + "`";
}

std::string fieldReference(const Presets& presets)
{
    const std::vector<Plan> plans = differentPlans(presets);
    std::string text =
        "# Fields of a plan\n\n"
        "The name is the place in a plan file and the word for `--set`: `--set /parallelism/tensor=8`. *null* is none, "
        "or "
        "what the framework does by itself. A field without an entry under *has an effect on* always has one. The last "
        "column names the options by which a launcher's file says the field, as `cardfit export --launch` writes them; "
        "launchers that are only read say on standard error what of their files a plan cannot hold.\n\n"
        "The names of a model's fields are those of Hugging Face's `config.json` where that has them.\n";
    std::string_view section;
    for (const Field& field : planFields()) {
        const std::string_view own = field.pointer.substr(0, field.pointer.find('/', 1));
        const bool in_group = own != field.pointer || field.type == FieldType::Group;
        const std::string_view now = in_group ? own : std::string_view("/");
        if (now != section) {
            section = now;
            text +=
                fmt::format("\n## {}\n\n| field | meaning | values | unit | default | has an effect on | said by |\n"
                            "|---|---|---|---|---|---|---|\n",
                    in_group ? markdownCode(own) : std::string("The plan itself"));
        }
        text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", markdownCode(field.pointer), meaningOf(field),
            valuesOf(field), field.unit.english, defaultOf(field), field.applies.words, launchersOf(field, plans));
    }
    text += "\n## Words\n\n";
    for (const Field& field : planFields())
        addChoices(text, field);
    text.pop_back();
    return text;
}

std::string ruleReference()
{
    std::string text =
        "# Rules\n\n"
        "What `cardfit check` holds a plan to. A broken rule is told with the plan's numbers and the nearest "
        "values that keep it; the last column names further fields that can end it, besides the one that "
        "the check names. A plan that breaks a rule stays as it is.\n\n"
        "| rule | what a plan has to keep, and why | also mended by |\n|---|---|---|\n";
    for (const PlanRule& rule : kRules) {
        std::vector<std::string> fields;
        for (const std::string_view field : rule.mended_by) {
            if (!field.empty()) fields.push_back(markdownCode(field));
        }
        text += fmt::format(
            "| {} | {} | {} |\n", markdownCode(rule.id), markdownText(rule.sentence), fmt::join(fields, ", "));
    }
    return text;
}

std::string outputReference()
{
    std::string text =
        "# Answers as JSON\n\n"
        "What commands print with `--json`. `[]` is an item of a list, `{}` a value of an object whose keys are data. "
        "Memory is in bytes and time in seconds unless a key says otherwise. `cardfit schema KIND` prints the same as "
        "a "
        "JSON Schema. Later versions may add keys.\n";
    for (const std::string& kind : outputKinds()) {
        text += fmt::format("\n## {}\n\n| key | type | meaning |\n|---|---|---|\n", markdownCode(kind));
        for (const OutputKey& key : outputKeys(kind)) {
            text += fmt::format("| {} | {}{}{} | {} |\n", markdownCode(key.path), key.type,
                key.nullable ? " or null" : "", key.optional ? ", may be absent" : "", markdownText(key.about));
        }
    }
    return text;
}

} // namespace cardfit
