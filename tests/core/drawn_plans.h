// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/presets.h"
#include "core/plan/edits.h"
#include "core/plan/fields.h"
#include "core/rules/checks.h"

/// Plans that people could write, drawn by a seed: a shipped model on shipped cards with degrees that divide them, and
/// fields of the table with one of their words or a number near what is usual. The same seed gives the same plan on
/// every machine.
namespace cardfit::drawn {

class Dice {
public:
    explicit Dice(std::uint64_t seed)
        : m_numbers(seed)
    {
    }

    /// From 0 to `count` - 1. The library's distributions differ from one to the next.
    [[nodiscard]] std::size_t below(std::size_t count) { return static_cast<std::size_t>(m_numbers() % count); }
    [[nodiscard]] bool oneIn(std::size_t count) { return below(count) == 0; }
    [[nodiscard]] std::int64_t powerOfTwo(std::size_t most_exponent)
    {
        return std::int64_t{1} << below(most_exponent + 1);
    }
    template <class List> [[nodiscard]] const auto& of(const List& list) { return list[below(list.size())]; }

private:
    std::mt19937_64 m_numbers;
};

/// A number near the present one, or near what is usual.
inline double number(Dice& dice, const Field& field, double now)
{
    const double most = field.most_sensible > 0 ? static_cast<double>(field.most_sensible) : field.range.most;
    const double numbers[] = {now, now * 2.0, now / 2.0, now + 1.0, static_cast<double>(dice.below(9)),
        static_cast<double>(dice.powerOfTwo(12)), field.range.least};
    return std::clamp(dice.of(std::vector(std::begin(numbers), std::end(numbers))), field.range.least,
        std::max(most, field.range.least));
}

/// A value that the field may be given, in range or not.
inline FieldValue anyValue(Dice& dice, const Field& field, const FieldValue& now)
{
    const auto any_word = [&] { return std::string(dice.of(field.words())); };
    if (field.nullable && dice.oneIn(3)) return {};
    switch (field.type) {
    case FieldType::Flag: return dice.oneIn(2);
    case FieldType::Whole: {
        const auto* whole = std::get_if<std::int64_t>(&now);
        const double drawn = number(dice, field, whole != nullptr ? static_cast<double>(*whole) : 1.0);
        return drawn < 0x1p62 ? static_cast<std::int64_t>(drawn) : std::int64_t{1} << 62;
    }
    case FieldType::Number: {
        const auto* given = std::get_if<double>(&now);
        return number(dice, field, given != nullptr ? *given : 1.0);
    }
    case FieldType::Ratio: {
        const double most = std::min(field.range.most, 1.0);
        return std::clamp(
            0.125 * static_cast<double>(dice.below(9)), field.range.least, std::max(most, field.range.least));
    }
    case FieldType::Word: return any_word();
    case FieldType::Words: {
        std::vector<std::string> words(dice.below(3));
        std::ranges::generate(words, any_word);
        return words;
    }
    case FieldType::Group:
    case FieldType::Text:
    case FieldType::Texts:
    case FieldType::Wholes:
    case FieldType::Curves: break;
    }
    return now;
}

/// A value that a file may hold for the field.
inline FieldValue value(Dice& dice, const Field& field, const FieldValue& now)
{
    for (;;) {
        FieldValue drawn = anyValue(dice, field, now);
        if (!outOfRange(field, drawn)) return drawn;
    }
}

/// Whether the plan has the group that the field stands in.
inline bool isThere(const Field& field, const Plan& plan)
{
    const Field* group = fieldAt(groupOf(field.pointer));
    return field.get != nullptr && (group == nullptr || group->get(plan) != FieldValue{});
}

/// One of the fields that matter to a plan: those of its workload, its degrees, its recipe and its links.
inline const Field& field(Dice& dice, const Plan& plan)
{
    static const auto kFields = [] {
        std::vector<const Field*> fields;
        for (const Field& one : planFields()) {
            const std::string_view section = one.pointer.substr(0, one.pointer.find('/', 1));
            const bool varies = section == "/workload" || section == "/parallelism" || section == "/recipe"
                || section == "/overheads" || one.pointer == "/cluster/nodes"
                || one.pointer.starts_with("/cluster/intra_") || one.pointer.starts_with("/cluster/inter_");
            if (varies && one.type != FieldType::Group) fields.push_back(&one);
        }
        return fields;
    }();
    for (;;) {
        const Field& drawn = *dice.of(kFields);
        if (isThere(drawn, plan)) return drawn;
    }
}

/// A plan of any kind; it may break rules.
inline Plan anyPlan(Dice& dice, const Presets& presets)
{
    Plan plan = dice.of(presets.plans).plan;
    if (!dice.oneIn(4)) plan = withModel(plan, dice.of(presets.models));
    if (!dice.oneIn(4)) plan.cluster = dice.of(presets.clusters);
    Parallelism& degrees = plan.parallelism;
    degrees.layers_per_stage.reset();
    degrees.tensor = dice.powerOfTwo(3);
    degrees.sequence = degrees.tensor > 1 && !dice.oneIn(3);
    degrees.pipeline = dice.oneIn(3) ? static_cast<std::int64_t>(1 + dice.below(6)) : dice.powerOfTwo(3);
    degrees.context = dice.oneIn(3) ? dice.powerOfTwo(2) : 1;
    degrees.data.reset();
    degrees.expert_tensor.reset();
    degrees.expert = plan.model.architecture.moe && !dice.oneIn(3) ? dice.powerOfTwo(4) : 1;
    const std::int64_t data = dice.powerOfTwo(4);
    const std::int64_t cards = product(replicaCards(degrees), data);
    plan.cluster.nodes = std::max<std::int64_t>(1, cards / plan.cluster.cards_per_node);
    if (plan.workload.task != Task::Inference) {
        degrees.virtual_pipeline = 1;
        plan.recipe.schedule = Schedule::OneFOneB;
        if (degrees.pipeline > 1 && dice.oneIn(2)) plan = withSchedule(plan, dice.of(names<Schedule>()).value);
        plan.workload.micro_batch_size = dice.powerOfTwo(2);
        plan.workload.sequence_length = 512 * dice.powerOfTwo(6);
        plan.workload.global_batch_size = plan.workload.micro_batch_size * std::max<std::int64_t>(1, dataParallel(plan))
            * static_cast<std::int64_t>(1 + dice.below(4)) * (dice.oneIn(2) ? plan.parallelism.pipeline : 1);
    }
    for (std::size_t edits = dice.below(5); edits > 0; --edits) {
        const Field& edited = field(dice, plan);
        plan = withField(plan, edited, value(dice, edited, edited.get(plan)));
    }
    return plan;
}

[[nodiscard]] inline bool keepsRules(const std::vector<Check>& checks)
{
    return std::ranges::none_of(checks, [](const Check& one) { return one.severity == Severity::Error; });
}

/// A plan that breaks no rule.
inline Plan plan(Dice& dice, const Presets& presets)
{
    for (;;) {
        Plan drawn = anyPlan(dice, presets);
        if (keepsRules(check(drawn))) return drawn;
    }
}

} // namespace cardfit::drawn
