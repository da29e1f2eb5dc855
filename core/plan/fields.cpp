// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/fields.h"

#include <algorithm>

#include "core/plan/edits.h"
#include "core/plan/field_table.h"

namespace cardfit {

std::span<const Field> planFields() { return fields::kFields; }

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

Plan withField(const Plan& plan, const Field& field, const FieldValue& value)
{
    Plan changed = plan;
    field.set(changed, value);
    markAsOwn(plan, changed);
    return changed;
}

} // namespace cardfit
