// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/recipe_panel.h"

#include <algorithm>

#include <QCheckBox>
#include <QFormLayout>
#include <QVBoxLayout>

#include "core/plan/edits.h"
#include "core/plan/tables.h"

namespace cardfit::app {

namespace {

bool hasExperts(const Plan& plan) { return plan.model.architecture.moe.has_value(); }
bool trains(const Plan& plan) { return plan.workload.task != Task::Inference; }
bool recomputesAll(const Plan& plan)
{
    return trains(plan) && plan.recipe.recompute.granularity == RecomputeGranularity::Full;
}
bool recomputesSome(const Plan& plan)
{
    return trains(plan) && plan.recipe.recompute.granularity == RecomputeGranularity::Selective;
}
bool overlapsExperts(const Plan& plan) { return trains(plan) && hasExperts(plan); }
/// A served model runs forward passes in turn, whole, on the replica that holds it; what asks for something else can be
/// taken back.
bool schedules(const Plan& plan) { return trains(plan) || plan.recipe.schedule != Schedule::OneFOneB; }
bool shards(const Plan& plan)
{
    return trains(plan) || (plan.recipe.sharding != Sharding::None && plan.recipe.sharding != Sharding::Zero1);
}
bool quantizes(const Plan& plan) { return plan.workload.task == Task::Qlora; }
bool multipliesNarrowly(const Plan& plan) { return trains(plan) && isNarrow(plan.recipe.precision); }
/// What a rule takes back if it is on stays in sight.
bool mayAttendInFp8(const Plan& plan) { return multipliesNarrowly(plan) || plan.recipe.fp8_attention; }
bool mayGatherFp8(const Plan& plan)
{
    return (multipliesNarrowly(plan) && plan.recipe.precision != Precision::Nvfp4) || plan.recipe.fp8_param_gather;
}
bool mayGatherFp4(const Plan& plan)
{
    return (trains(plan) && plan.recipe.precision == Precision::Nvfp4) || plan.recipe.fp4_param_gather;
}
bool mayKeepActivationsInFp8(const Plan& plan)
{
    return trains(plan)
        && ((plan.recipe.framework == Framework::Megatron && plan.model.architecture.gated_mlp)
            || plan.recipe.fp8_activation_input);
}
bool dividesLogits(const Plan& plan)
{
    return trains(plan) && plan.parallelism.tensor > 1
        && (plan.recipe.framework != Framework::Megatron || !plan.recipe.loss_parallel);
}
bool trainsByFsdp(const Plan& plan) { return trains(plan) && plan.recipe.framework == Framework::Fsdp; }

} // namespace

template <class Enum>
QWidget* RecipePanel::addChoice(const QString& label, Enum& (*field)(Plan&), Plan (*edited)(Plan, Enum))
{
    auto* box = m_controls.choice<Enum>(this, label, field, edited);
    m_rows->addRow(label, box);
    return box;
}

QWidget* RecipePanel::addToggle(const QString& label, bool& (*field)(Plan&), const QString& help)
{
    auto* box = m_controls.toggle(this, label, field, help);
    m_rows->addRow(box);
    return box;
}

void RecipePanel::showIf(QWidget* field, bool (*has_use)(const Plan&))
{
    m_controls.onRefresh([this, field, has_use](const Plan& plan) { m_rows->setRowVisible(field, has_use(plan)); });
}

void RecipePanel::addRecomputeModules()
{
    auto* modules = new QWidget(this);
    auto* column = new QVBoxLayout(modules);
    column->setContentsMargins(12, 0, 0, 0);
    column->setSpacing(1);
    for (const auto& entry : names<RecomputeModule>()) {
        const auto module = entry.value;
        const QString word = QString::fromLatin1(entry.name.data(), static_cast<qsizetype>(entry.name.size()));
        auto* box = new QCheckBox(word, modules);
        column->addWidget(box);
        connect(box, &QCheckBox::clicked, this, [this, module, word](bool on) {
            Plan changed = m_document.plan();
            auto& chosen = changed.recipe.recompute.modules;
            // No module named means core_attn; naming another one must not drop it unseen.
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
            // Without any module Megatron recomputes core_attn: the last one cannot be taken away.
            box->setEnabled(!is_on || module != RecomputeModule::CoreAttn || chosen.size() > 1);
        });
    }
    m_rows->addRow(modules);
    showIf(modules, recomputesSome);
}

RecipePanel::RecipePanel(PlanDocument& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_controls(document)
    , m_rows(new QFormLayout(this))
{
    m_rows->setContentsMargins(0, 2, 0, 2);
    m_rows->setVerticalSpacing(4);
    m_rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);

    addChoice<Task>(
        tr("Task"), [](Plan & plan) -> auto& { return plan.workload.task; });
    addChoice<Framework>(
        tr("Framework"), [](Plan & plan) -> auto& { return plan.recipe.framework; });
    addChoice<Kernels>(
        tr("Kernels"), [](Plan & plan) -> auto& { return plan.recipe.kernels; });
    addChoice<Precision>(
        tr("Precision"), [](Plan & plan) -> auto& { return plan.recipe.precision; });
    showIf(addChoice<GradientPrecision>(
               tr("Gradients"), [](Plan & plan) -> auto& { return plan.recipe.gradient_precision; }),
        trains);
    showIf(addChoice<Optimizer>(
               tr("Optimizer"), [](Plan & plan) -> auto& { return plan.recipe.optimizer; }),
        trains);
    auto* moments = m_controls.choice<MomentPrecision>(
        this, tr("Moments"), tr("default"), [](Plan & plan) -> auto& { return plan.recipe.moment_precision; });
    m_rows->addRow(tr("Moments"), moments);
    showIf(moments, trains);
    showIf(addChoice<Sharding>(
               tr("Sharding"), [](Plan & plan) -> auto& { return plan.recipe.sharding; }),
        shards);
    showIf(addChoice<GradientSync>(
               tr("Gradients reduced after"), [](Plan & plan) -> auto& { return plan.recipe.gradient_sync; }),
        trainsByFsdp);
    showIf(addChoice<Quantizer>(
               tr("Quantizer"), [](Plan & plan) -> auto& { return plan.recipe.quantizer; }),
        quantizes);
    showIf(addChoice<Schedule>(
               tr("Schedule"), [](Plan & plan) -> auto& { return plan.recipe.schedule; }, withSchedule),
        schedules);
    addChoice<Attention>(
        tr("Attention"), [](Plan & plan) -> auto& { return plan.recipe.attention; });
    showIf(addChoice<CudaGraph>(
               tr("CUDA graphs of"), [](Plan & plan) -> auto& { return plan.recipe.cuda_graph; }),
        trains);
    showIf(addChoice<Loss>(
               tr("Loss"), [](Plan & plan) -> auto& { return plan.recipe.loss; }),
        trains);
    showIf(addChoice<RecomputeGranularity>(
               tr("Recompute"), [](Plan & plan) -> auto& { return plan.recipe.recompute.granularity; }),
        trains);
    addRecomputeModules();
    showIf(addChoice<RecomputeMethod>(
               tr("Method"), [](Plan & plan) -> auto& { return plan.recipe.recompute.method; }),
        recomputesAll);
    showIf(addChoice<ContextCommunication>(
               tr("Context by"), [](Plan & plan) -> auto& { return plan.recipe.context_communication; }),
        [](const Plan& plan) { return plan.parallelism.context > 1; });
    showIf(addChoice<Dispatcher>(
               tr("Dispatcher"), [](Plan & plan) -> auto& { return plan.recipe.moe.dispatcher; }),
        hasExperts);

    showIf(addToggle(
               tr("Attention in fp8"), [](Plan & plan) -> auto& { return plan.recipe.fp8_attention; },
               tr("Scores and their product with the values are multiplied in fp8 as well.")),
        mayAttendInFp8);
    showIf(addToggle(
               tr("Weights gathered in fp8"), [](Plan & plan) -> auto& { return plan.recipe.fp8_param_gather; },
               tr("Replicas gather weights in the format of the products; Megatron-Core then keeps no 16-bit copy of "
                  "them.")),
        mayGatherFp8);
    showIf(addToggle(
               tr("Weights gathered in fp4"), [](Plan & plan) -> auto& { return plan.recipe.fp4_param_gather; },
               tr("Replicas gather the weights of nvfp4 products in fp4, and keep no 16-bit copy of them.")),
        mayGatherFp4);
    showIf(addToggle(
               tr("Loss parallel"), [](Plan & plan) -> auto& { return plan.recipe.loss_parallel; },
               tr("Logits stay divided over the tensor-parallel cards; otherwise each holds all of them.")),
        dividesLogits);
    // Nothing of a served model looks back.
    showIf(addToggle(
               tr("Gradient accumulation fused"),
               [](Plan & plan) -> auto& { return plan.recipe.gradient_accumulation_fusion; },
               tr("Weight gradients are added into the main gradients by the matrix product itself.")),
        trains);
    showIf(addToggle(
               tr("Update during backward"), [](Plan & plan) -> auto& { return plan.recipe.optimizer_in_backward; },
               tr("Each weight is updated as soon as its gradient is there, so that gradients never add up.")),
        trainsByFsdp);
    showIf(addToggle(
               tr("Scales quantized as well"), [](Plan & plan) -> auto& { return plan.recipe.double_quantization; },
               tr("The scales of 4-bit weights are stored in 8 bits: 0.516 bytes a value instead of 0.5625.")),
        quantizes);
    addToggle(
        tr("Activation functions fused"), [](Plan & plan) -> auto& { return plan.recipe.activation_fusion; });
    showIf(addToggle(
               tr("Activation inputs in fp8"), [](Plan & plan) -> auto& { return plan.recipe.fp8_activation_input; },
               tr("SwiGLU's input is kept in fp8 for the backward pass, whatever it was computed in.")),
        mayKeepActivationsInFp8);
    addToggle(
        tr("Rotary embedding fused"), [](Plan & plan) -> auto& { return plan.recipe.rope_fusion; });
    showIf(addToggle(
               tr("Attention mask from the data loader"),
               [](Plan & plan) -> auto& { return plan.recipe.attention_mask_in_dataloader; }),
        trains);
    showIf(addToggle(
               tr("Overlap gradient reduction"), [](Plan & plan) -> auto& { return plan.recipe.overlap.gradients; }),
        trains);
    showIf(addToggle(
               tr("Overlap parameter gathering"), [](Plan & plan) -> auto& { return plan.recipe.overlap.parameters; }),
        trains);
    addToggle(
        tr("Overlap tensor communication"), [](Plan & plan) -> auto& { return plan.recipe.overlap.tensor; });
    addToggle(
        tr("Overlap pipeline communication"), [](Plan & plan) -> auto& { return plan.recipe.overlap.pipeline; });
    showIf(addToggle(
               tr("Experts' products grouped"), [](Plan & plan) -> auto& { return plan.recipe.moe.grouped_gemm; }),
        hasExperts);
    showIf(addToggle(
               tr("Token permutation fused"), [](Plan & plan) -> auto& { return plan.recipe.moe.permute_fusion; }),
        hasExperts);
    showIf(addToggle(
               tr("Overlap expert communication"), [](Plan & plan) -> auto& { return plan.recipe.moe.expert_overlap; }),
        overlapsExperts);
    showIf(addToggle(
               tr("Experts' MLP fused"), [](Plan & plan) -> auto& { return plan.recipe.moe.fused_grouped_mlp; },
               tr("Each product of the experts is one kernel with the activation and the quantization around it.")),
        overlapsExperts);
}

} // namespace cardfit::app
