// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/plan_edits.h"

#include "core/io/plan/layout_text.h"
#include "core/plan/fields.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

std::optional<Plan> withPlainField(const Plan& plan, std::string_view pointer, std::int64_t value)
{
    const Field* field = fieldAt(pointer);
    if (field == nullptr || field->type != FieldType::Whole) return std::nullopt;
    // A number of a group that the plan does not have makes no sense: experts of a dense model.
    const bool has_group = !std::holds_alternative<std::monostate>(fieldAt(groupOf(pointer))->get(plan));
    return has_group ? std::optional(withField(plan, *field, value)) : std::nullopt;
}

tl::expected<Plan, QString> withTypedLayout(const Plan& plan, const QString& text)
{
    return parseLayout(text.toStdString())
        .and_then([&](const std::vector<LayoutStage>& stages) { return withLayout(plan, stages); })
        .map_error([](const Error& why) {
            // The place in the text helps to mend it; the place in a plan file does not.
            return why.code == ErrorCode::WrongFormat ? ui::translated(why) : ui::translated(why.message);
        });
}

} // namespace cardfit::app
