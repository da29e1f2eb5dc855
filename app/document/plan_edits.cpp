// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/plan_edits.h"

#include <algorithm>
#include <array>

#include "core/io/plan/layout_text.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

/// A whole number that a check may name and that has no rail.
struct Field {
    std::string_view pointer;
    void (*set)(Plan& plan, std::int64_t value);
};

template <auto Member> void setShape(Plan& plan, std::int64_t value)
{
    plan.model.architecture.*Member = value;
    markAsOwn(plan.model);
}
template <auto Member> void setExperts(Plan& plan, std::int64_t value)
{
    if (!plan.model.architecture.moe) return;
    (*plan.model.architecture.moe).*Member = value;
    markAsOwn(plan.model);
}

constexpr std::array<Field, 11> kFields{{
    {"/model/hidden_size", setShape<&Architecture::hidden_size>},
    {"/model/num_attention_heads", setShape<&Architecture::num_attention_heads>},
    {"/model/num_key_value_heads", setShape<&Architecture::num_key_value_heads>},
    {"/model/head_dim", setShape<&Architecture::head_dim>},
    {"/model/intermediate_size", setShape<&Architecture::intermediate_size>},
    {"/model/vocab_size", setShape<&Architecture::vocab_size>},
    {"/model/moe/num_experts", setExperts<&MixtureOfExperts::num_experts>},
    {"/model/moe/num_experts_per_tok", setExperts<&MixtureOfExperts::num_experts_per_tok>},
    {"/model/moe/moe_intermediate_size", setExperts<&MixtureOfExperts::moe_intermediate_size>},
    {"/recipe/optimizer_instances", [](Plan& plan, std::int64_t value) { plan.recipe.optimizer_instances = value; }},
    {"/recipe/microbatch_group", [](Plan& plan, std::int64_t value) { plan.recipe.microbatch_group = value; }},
}};

} // namespace

std::optional<Plan> withPlainField(const Plan& plan, std::string_view field, std::int64_t value)
{
    const auto found = std::ranges::find(kFields, field, &Field::pointer);
    if (found == kFields.end()) return std::nullopt;
    Plan changed = plan;
    found->set(changed, value);
    return changed;
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
