// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/fields.h"

#include <algorithm>
#include <map>

#include "core/plan/edits.h"
#include "core/plan/field_access.h"

namespace cardfit {

namespace fields {

// What CUDA gives is known of a card as it is: another size of memory is another card.
void setCardMemory(Plan& plan, const FieldValue& value)
{
    Accelerator& card = plan.cluster.accelerator;
    const Mebibytes before = card.memory;
    assign(card.memory, value);
    if (card.memory != before) card.usable.reset();
}

// What runs a plan has one key: an engine that serves, or a framework that trains.
FieldValue getFramework(const Plan& plan)
{
    return plan.recipe.engine ? valueOf(*plan.recipe.engine) : valueOf(plan.recipe.framework);
}
void setFramework(Plan& plan, const FieldValue& value)
{
    plan.recipe.engine.reset();
    plan.recipe.framework = Framework::Megatron;
    const auto* word = std::get_if<std::string>(&value);
    const auto engine = word != nullptr ? fromName<Engine>(*word) : std::nullopt;
    if (engine)
        plan.recipe.engine = engine;
    else
        assign(plan.recipe.framework, value);
}
WordText textOfFramework(std::string_view word)
{
    return fromName<Engine>(word) ? textOf<Engine>(word) : textOf<Framework>(word);
}

} // namespace fields

std::span<const Field> planFields() { return fields::kFields; }

std::span<const Field* const> fieldsIn(std::string_view group)
{
    static const auto kByGroup = [] {
        std::map<std::string_view, std::vector<const Field*>> groups;
        for (const Field& field : planFields())
            groups[groupOf(field.pointer)].push_back(&field);
        return groups;
    }();
    const auto found = kByGroup.find(group);
    return found == kByGroup.end() ? std::span<const Field* const>() : found->second;
}

const Field* fieldAt(std::string_view pointer)
{
    const auto* found = std::ranges::find(fields::kFields, pointer, &Field::pointer);
    return found == fields::kFields.end() ? nullptr : &*found;
}

std::string_view groupOf(std::string_view pointer) { return pointer.substr(0, pointer.rfind('/')); }
std::string_view keyOf(std::string_view pointer) { return pointer.substr(pointer.rfind('/') + 1); }

std::vector<std::string_view> readWords(const Field& field)
{
    std::vector<std::string_view> words = field.words();
    const std::vector<std::string_view> older = field.older_words();
    words.insert(words.end(), older.begin(), older.end());
    return words;
}

std::optional<double> outOfRange(const Field& field, const FieldValue& value)
{
    const FieldRange& range = field.range;
    const auto outside = [&](double number) { // also what is no number at all
        return !(number >= range.least && number <= range.most) || (range.above && number == range.least);
    };
    if (field.type == FieldType::Number || field.type == FieldType::Ratio) {
        const auto* number = std::get_if<double>(&value);
        return number != nullptr && outside(*number) ? std::optional(*number) : std::nullopt;
    }
    std::vector<std::int64_t> numbers;
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) numbers = *list;
    if (const auto* number = std::get_if<std::int64_t>(&value)) numbers = {*number};
    for (const std::int64_t number : numbers) {
        if (outside(static_cast<double>(number))) return static_cast<double>(number);
    }
    return std::nullopt;
}

Plan withField(const Plan& plan, const Field& field, const FieldValue& value)
{
    Plan changed = plan;
    field.set(changed, value);
    markAsOwn(plan, changed);
    return changed;
}

} // namespace cardfit
