// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/recipe_panel.h"

#include <algorithm>

#include <QCheckBox>
#include <QFormLayout>
#include <QVBoxLayout>

#include "app/document/choice_words.h"
#include "app/document/plan_view.h"
#include "core/plan/edits.h"
#include "core/plan/field_table.h"

namespace cardfit::app {

template <class Enum>
QWidget* RecipePanel::addChoice(
    std::string_view part, const QString& label, Enum& (*field)(Plan&), Plan (*edited)(Plan, Enum))
{
    return addRow(part, m_controls.choice<Enum>(this, label, field, edited), label);
}

QWidget* RecipePanel::addToggle(std::string_view part, const QString& label, bool& (*field)(Plan&), const QString& help)
{
    return addRow(part, m_controls.toggle(this, label, field, help));
}

QWidget* RecipePanel::addRow(std::string_view part, QWidget* field, const QString& label)
{
    QFormLayout* rows = m_rows;
    if (label.isEmpty())
        rows->addRow(field);
    else
        rows->addRow(label, field);
    m_controls.onRefresh([rows, field, part](const Plan& plan) { rows->setRowVisible(field, shows(plan, part)); });
    return field;
}

void RecipePanel::addRecomputeModules()
{
    auto* modules = new QWidget(this);
    auto* column = new QVBoxLayout(modules);
    column->setContentsMargins(12, 0, 0, 0);
    column->setSpacing(1);
    for (const auto& entry : names<RecomputeModule>()) {
        const auto module = entry.value;
        const QString word = choiceLabel(module);
        auto* box = new QCheckBox(word, modules);
        box->setToolTip(choiceHelp(module));
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
    addRow(pointerOf<&Recompute::modules>, modules);
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
    switch (part) {
    case RecipePart::Adapters: addAdapters(); break;
    case RecipePart::Training: addTraining(); break;
    case RecipePart::Kernels: addKernels(); break;
    }
}

void RecipePanel::addAdapters()
{
    m_rows->addRow(tr("Learning"), m_controls.methods(this, tr("Learning", "fine-tuning: what learns")));
    addChoice<Quantizer>(
        pointerOf<&Recipe::quantizer>, tr("Quantizer"), [](Plan & plan) -> auto& { return plan.recipe.quantizer; });
    addToggle(
        pointerOf<&Recipe::double_quantization>, tr("Scales quantized as well"),
        [](Plan & plan) -> auto& { return plan.recipe.double_quantization; },
        tr("The scales of 4-bit weights are stored in 8 bits: 0.516 bytes a value instead of 0.5625."));
}

/// What affects memory and time most: number formats, training states, their sharding, the schedule and recomputation.
void RecipePanel::addTraining()
{
    addChoice<Framework>(
        pointerOf<&Recipe::framework>, tr("Framework"), [](Plan & plan) -> auto& { return plan.recipe.framework; });
    addChoice<Precision>(
        pointerOf<&Recipe::precision>, tr("Precision"), [](Plan & plan) -> auto& { return plan.recipe.precision; });
    addChoice<GradientPrecision>(
        pointerOf<&Recipe::gradient_precision>, tr("Gradients"),
        [](Plan & plan) -> auto& { return plan.recipe.gradient_precision; });
    addChoice<Optimizer>(
        pointerOf<&Recipe::optimizer>, tr("Optimizer"), [](Plan & plan) -> auto& { return plan.recipe.optimizer; });
    const PlanControls::Choice usual{
        tr("default"), tr("As the framework keeps them: 32 bits, or 16 where everything is.")};
    addRow(pointerOf<&Recipe::moment_precision>,
        m_controls.choice<MomentPrecision>(
            this, tr("Moments"), usual, [](Plan & plan) -> auto& { return plan.recipe.moment_precision; }),
        tr("Moments"));
    addChoice<Sharding>(
        pointerOf<&Recipe::sharding>, tr("Sharding"), [](Plan & plan) -> auto& { return plan.recipe.sharding; });
    addChoice<GradientSync>(
        pointerOf<&Recipe::gradient_sync>, tr("Gradients reduced after"),
        [](Plan & plan) -> auto& { return plan.recipe.gradient_sync; });
    addToggle(
        pointerOf<&Recipe::train_vision>, tr("Vision tower learns"),
        [](Plan & plan) -> auto& { return plan.recipe.train_vision; },
        tr("Otherwise the vision tower is frozen: no gradients, no optimizer states, nothing kept."));
    addChoice<Schedule>(
        pointerOf<&Recipe::schedule>, tr("Schedule"), [](Plan & plan) -> auto& { return plan.recipe.schedule; },
        withSchedule);
    addChoice<RecomputeGranularity>(
        pointerOf<&Recompute::granularity>, tr("Recompute"),
        [](Plan & plan) -> auto& { return plan.recipe.recompute.granularity; });
    addRecomputeModules();
    addChoice<RecomputeMethod>(
        pointerOf<&Recompute::method>, tr("Method"), [](Plan & plan) -> auto& { return plan.recipe.recompute.method; });
}

/// What the framework's defaults decide: which kernels run, what they fuse, and what they overlap with.
void RecipePanel::addKernels()
{
    addChoice<Kernels>(
        pointerOf<&Recipe::kernels>, tr("Kernels"), [](Plan & plan) -> auto& { return plan.recipe.kernels; });
    addChoice<Attention>(
        pointerOf<&Recipe::attention>, tr("Attention"), [](Plan & plan) -> auto& { return plan.recipe.attention; });
    addChoice<Loss>(
        pointerOf<&Recipe::loss>, tr("Loss"), [](Plan & plan) -> auto& { return plan.recipe.loss; });
    addChoice<CudaGraph>(
        pointerOf<&Recipe::cuda_graph>, tr("CUDA graphs of"),
        [](Plan & plan) -> auto& { return plan.recipe.cuda_graph; });
    addChoice<ContextCommunication>(
        pointerOf<&Recipe::context_communication>, tr("Context by"),
        [](Plan & plan) -> auto& { return plan.recipe.context_communication; });
    addChoice<Dispatcher>(
        pointerOf<&ExpertRecipe::dispatcher>, tr("Dispatcher"),
        [](Plan & plan) -> auto& { return plan.recipe.moe.dispatcher; });
    addToggle(
        pointerOf<&Recipe::fp8_attention>, tr("Attention in fp8"),
        [](Plan & plan) -> auto& { return plan.recipe.fp8_attention; },
        tr("Scores and their product with the values are multiplied in fp8 as well."));
    addToggle(
        pointerOf<&Recipe::fp8_param_gather>, tr("Weights gathered in fp8"),
        [](Plan & plan) -> auto& { return plan.recipe.fp8_param_gather; },
        tr("Replicas gather weights in the format of the products; Megatron-Core then keeps no 16-bit copy of "
           "them."));
    addToggle(
        pointerOf<&Recipe::fp4_param_gather>, tr("Weights gathered in fp4"),
        [](Plan & plan) -> auto& { return plan.recipe.fp4_param_gather; },
        tr("Replicas gather the weights of nvfp4 products in fp4, and keep no 16-bit copy of them."));
    addToggle(
        pointerOf<&Recipe::loss_parallel>, tr("Loss parallel"),
        [](Plan & plan) -> auto& { return plan.recipe.loss_parallel; },
        tr("Logits stay divided over the tensor-parallel cards; otherwise each holds all of them."));
    addToggle(
        pointerOf<&Recipe::gradient_accumulation_fusion>, tr("Gradient accumulation fused"),
        [](Plan & plan) -> auto& { return plan.recipe.gradient_accumulation_fusion; },
        tr("Weight gradients are added into the main gradients by the matrix product itself."));
    addToggle(
        pointerOf<&Recipe::optimizer_in_backward>, tr("Update during backward"),
        [](Plan & plan) -> auto& { return plan.recipe.optimizer_in_backward; },
        tr("Each weight is updated as soon as its gradient is there, so that gradients never add up."));
    addToggle(
        pointerOf<&Recipe::activation_fusion>, tr("Activation functions fused"),
        [](Plan & plan) -> auto& { return plan.recipe.activation_fusion; },
        tr("Bias and activation function run as one kernel, and keep one input instead of two."));
    addToggle(
        pointerOf<&Recipe::fp8_activation_input>, tr("Activation inputs in fp8"),
        [](Plan & plan) -> auto& { return plan.recipe.fp8_activation_input; },
        tr("SwiGLU's input is kept in fp8 for the backward pass, whatever it was computed in."));
    addToggle(
        pointerOf<&Recipe::rope_fusion>, tr("Rotary embedding fused"),
        [](Plan & plan) -> auto& { return plan.recipe.rope_fusion; },
        tr("Queries and keys are rotated by one kernel each."));
    addToggle(
        pointerOf<&Recipe::attention_mask_in_dataloader>, tr("Attention mask from the data loader"),
        [](Plan & plan) -> auto& { return plan.recipe.attention_mask_in_dataloader; },
        tr("Batches carry a mask of all pairs of tokens, which lies on the card."));
    addToggle(
        pointerOf<&Overlap::gradients>, tr("Overlap gradient reduction"),
        [](Plan & plan) -> auto& { return plan.recipe.overlap.gradients; },
        tr("Replicas exchange gradients while backward passes go on."));
    addToggle(
        pointerOf<&Overlap::parameters>, tr("Overlap parameter gathering"),
        [](Plan & plan) -> auto& { return plan.recipe.overlap.parameters; },
        tr("Replicas gather weights while forward passes go on."));
    addToggle(
        pointerOf<&Overlap::tensor>, tr("Overlap tensor communication"),
        [](Plan & plan) -> auto& { return plan.recipe.overlap.tensor; },
        tr("Collectives of tensor parallelism run piece by piece beside the products."));
    addToggle(
        pointerOf<&Overlap::pipeline>, tr("Overlap pipeline communication"),
        [](Plan & plan) -> auto& { return plan.recipe.overlap.pipeline; },
        tr("Transfers between stages run beside the passes."));
    addToggle(
        pointerOf<&ExpertRecipe::grouped_gemm>, tr("Experts' products grouped"),
        [](Plan & plan) -> auto& { return plan.recipe.moe.grouped_gemm; },
        tr("One kernel multiplies for all experts of a card."));
    addToggle(
        pointerOf<&ExpertRecipe::permute_fusion>, tr("Token permutation fused"),
        [](Plan & plan) -> auto& { return plan.recipe.moe.permute_fusion; },
        tr("Tokens are sorted by expert in one kernel."));
    addToggle(
        pointerOf<&ExpertRecipe::expert_overlap>, tr("Overlap expert communication"),
        [](Plan & plan) -> auto& { return plan.recipe.moe.expert_overlap; },
        tr("Tokens of one micro-batch travel while another one computes."));
    addToggle(
        pointerOf<&ExpertRecipe::fused_grouped_mlp>, tr("Experts' MLP fused"),
        [](Plan & plan) -> auto& { return plan.recipe.moe.fused_grouped_mlp; },
        tr("Each product of the experts is one kernel with the activation and the quantization around it."));
}

} // namespace cardfit::app
