// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/recipe_panel.h"

#include <algorithm>

#include <QCheckBox>
#include <QFormLayout>
#include <QVBoxLayout>

#include "app/document/choice_words.h"
#include "app/document/plan_view.h"
#include "core/plan/field_table.h"
#include "widgets/text/tool_tip.h"

namespace cardfit::app {

namespace {

/// A choice or switch of the panel; label, words and help are the field's own.
struct RecipeRow {
    RecipePart part;
    std::string_view field;
    bool (*only)(const Plan&) = nullptr; ///< null: wherever shows() has it
};

// First: what is tried most. Training: what else affects memory and time. Kernels: what the framework's defaults
// decide.
constexpr auto kRows = std::to_array<RecipeRow>({
    {RecipePart::Adapters, pointerOf<&Recipe::quantizer>},
    {RecipePart::Adapters, pointerOf<&Recipe::double_quantization>},
    {RecipePart::First, pointerOf<&Recipe::sharding>},
    {RecipePart::First, pointerOf<&Recompute::granularity>},
    {RecipePart::Training, pointerOf<&Recipe::framework>, fields::isTrained.holds},
    {RecipePart::Training, pointerOf<&Recipe::precision>},
    // A served model has no section for adapters.
    {RecipePart::Training, pointerOf<&Recipe::double_quantization>, fields::isServed.holds},
    {RecipePart::Training, pointerOf<&Recipe::gradient_precision>},
    {RecipePart::Training, pointerOf<&Recipe::optimizer>},
    {RecipePart::Training, pointerOf<&Recipe::moment_precision>},
    {RecipePart::Training, pointerOf<&Recipe::gradient_sync>},
    {RecipePart::Training, pointerOf<&Recipe::train_vision>},
    {RecipePart::Training, pointerOf<&Recipe::schedule>},
    {RecipePart::Training, pointerOf<&Recompute::modules>, fields::isTrained.holds},
    {RecipePart::Training, pointerOf<&Recompute::method>, fields::isTrained.holds},
    {RecipePart::Kernels, pointerOf<&Recipe::kernels>},
    {RecipePart::Kernels, pointerOf<&Recipe::attention>},
    {RecipePart::Kernels, pointerOf<&Recipe::loss>},
    {RecipePart::Kernels, pointerOf<&Recipe::cuda_graph>},
    {RecipePart::Kernels, pointerOf<&Recipe::context_communication>},
    {RecipePart::Kernels, pointerOf<&ExpertRecipe::dispatcher>},
    {RecipePart::Kernels, pointerOf<&Recipe::fp8_attention>},
    {RecipePart::Kernels, pointerOf<&Recipe::fp8_param_gather>},
    {RecipePart::Kernels, pointerOf<&Recipe::fp4_param_gather>},
    {RecipePart::Kernels, pointerOf<&Recipe::loss_parallel>},
    {RecipePart::Kernels, pointerOf<&Recipe::gradient_accumulation_fusion>},
    {RecipePart::Kernels, pointerOf<&Recipe::optimizer_in_backward>},
    {RecipePart::Kernels, pointerOf<&Recipe::activation_fusion>},
    {RecipePart::Kernels, pointerOf<&Recipe::fp8_activation_input>},
    {RecipePart::Kernels, pointerOf<&Recipe::rope_fusion>},
    {RecipePart::Kernels, pointerOf<&Recipe::attention_mask_in_dataloader>},
    {RecipePart::Kernels, pointerOf<&Overlap::gradients>},
    {RecipePart::Kernels, pointerOf<&Overlap::parameters>},
    {RecipePart::Kernels, pointerOf<&Overlap::tensor>},
    {RecipePart::Kernels, pointerOf<&Overlap::pipeline>},
    {RecipePart::Kernels, pointerOf<&ExpertRecipe::grouped_gemm>},
    {RecipePart::Kernels, pointerOf<&ExpertRecipe::permute_fusion>},
    {RecipePart::Kernels, pointerOf<&ExpertRecipe::expert_overlap>},
    {RecipePart::Kernels, pointerOf<&ExpertRecipe::fused_grouped_mlp>},
});

} // namespace

QWidget* RecipePanel::recomputeModules()
{
    auto* modules = new QWidget(this);
    auto* column = new QVBoxLayout(modules);
    column->setContentsMargins(12, 0, 0, 0);
    column->setSpacing(1);
    for (const auto& entry : names<RecomputeModule>()) {
        const auto module = entry.value;
        const QString word = choiceLabel(module);
        auto* box = new QCheckBox(word, modules);
        ui::setTip(box, choiceHelp(module));
        column->addWidget(box);
        connect(box, &QCheckBox::clicked, this, [this, module, word](bool on) {
            Plan changed = m_document.plan();
            auto& chosen = changed.recipe.recompute.modules;
            // An empty list means core_attn; it must stay in the list when another module is added.
            if (chosen.empty()) chosen.push_back(RecomputeModule::CoreAttn);
            std::erase(chosen, module);
            if (on) chosen.push_back(module);
            m_document.edit(std::move(changed), on ? tr("Recompute %1").arg(word) : tr("Keep %1").arg(word));
        });
        m_controls.onRefresh([box, module](const Plan& plan) {
            const auto& chosen = plan.recipe.recompute.modules;
            const bool by_default = chosen.empty() && module == RecomputeModule::CoreAttn;
            const bool is_on = by_default || std::ranges::find(chosen, module) != chosen.end();
            box->setChecked(is_on);
            // Without any module Megatron recomputes core_attn, so core_attn as the last one cannot be removed.
            box->setEnabled(!is_on || module != RecomputeModule::CoreAttn || chosen.size() > 1);
        });
    }
    return modules;
}

RecipePanel::RecipePanel(PlanDocument& document, RecipePart part, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_controls(document)
    , m_rows(new QFormLayout(this))
{
    m_rows->setContentsMargins(0, 2, 0, 2);
    m_rows->setVerticalSpacing(4);
    m_rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    if (part == RecipePart::Adapters)
        m_rows->addRow(tr("Learning"), m_controls.methods(this, tr("Learning", "fine-tuning: what learns")));
    for (const RecipeRow& row : kRows) {
        if (row.part != part) continue;
        const Field& field = *fieldAt(row.field);
        if (row.field == pointerOf<&Recipe::framework>) {
            QWidget* engines = m_controls.engines(this, ui::translated(field.label));
            m_rows->addRow(ui::translated(field.label), engines);
            m_controls.onRefresh([rows = m_rows, engines](
                                     const Plan& plan) { rows->setRowVisible(engines, fields::isServed.holds(plan)); });
        }
        QWidget* control = controlFor(field);
        if (field.type == FieldType::Word)
            m_rows->addRow(ui::translated(field.label), control);
        else
            m_rows->addRow(control);
        m_controls.onRefresh([rows = m_rows, control, row](const Plan& plan) {
            rows->setRowVisible(control, shows(plan, row.field) && (row.only == nullptr || row.only(plan)));
        });
    }
}

std::vector<std::string_view> RecipePanel::fieldsOf(RecipePart part)
{
    std::vector<std::string_view> fields;
    for (const RecipeRow& row : kRows) {
        if (row.part == part) fields.push_back(row.field);
    }
    return fields;
}

QWidget* RecipePanel::controlFor(const Field& field)
{
    if (field.type == FieldType::Flag) return m_controls.toggle(this, field);
    return field.type == FieldType::Words ? recomputeModules() : m_controls.choice(this, field);
}

} // namespace cardfit::app
