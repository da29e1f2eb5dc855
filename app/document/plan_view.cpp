// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/plan_view.h"

#include <algorithm>
#include <array>

#include <QCoreApplication>

#include "core/estimate/serving_curve.h"
#include "core/plan/field_table.h"
#include "core/plan/tables.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

struct PlanView {
    Q_DECLARE_TR_FUNCTIONS(cardfit::app::PlanView)
};

using Condition = bool (*)(const Plan&);

constexpr unsigned kPretraining = 1U << unsigned(Purpose::Pretraining);
constexpr unsigned kTuning = 1U << unsigned(Purpose::FineTuning);
constexpr unsigned kServing = 1U << unsigned(Purpose::Serving);
constexpr unsigned kTraining = kPretraining | kTuning;
constexpr unsigned kAll = kTraining | kServing;

struct Row {
    std::string_view part;
    unsigned purposes = kAll;
    Condition has_use = nullptr; ///< a further condition; null: always true
    Condition is_set = nullptr; ///< shown also where this is true, so that a value that breaks a rule can be changed
    const char* served_label = nullptr;
};

bool hasExperts(const Plan& plan) { return plan.model.architecture.moe.has_value(); }
bool hasNodes(const Plan& plan) { return plan.cluster.nodes > 1; }
bool hasVision(const Plan& plan) { return plan.model.architecture.vision.has_value(); }
bool recomputes(const Plan& plan, RecomputeGranularity granularity)
{
    return plan.recipe.recompute.granularity == granularity;
}

/// Fields that are shown also where they have no effect but are set, so that a value that breaks a rule can be changed.
constexpr std::array kShownIfSet{pointerOf<&Recipe::fp8_attention>, pointerOf<&Recipe::fp8_param_gather>,
    pointerOf<&Recipe::fp4_param_gather>, pointerOf<&Recipe::fp8_activation_input>, pointerOf<&Recipe::sharding>,
    pointerOf<&Recipe::schedule>};

// What the field table (Field::applies) does not say, in the order of a plan file.
constexpr auto kRows = std::to_array<Row>({
    {kAdapterPart, kTuning},
    {kRunPart, kTraining},
    {kSchedulesPart, kTraining, nullptr, [](const Plan& plan) { return plan.recipe.schedule != Schedule::OneFOneB; }},
    {kMicroBatchesPart, kAll, nullptr, nullptr, QT_TRANSLATE_NOOP("cardfit::app::PlanView", "Prefill passes")},
    {pointerOf<&MixtureOfExperts::imbalance>, kAll, hasExperts},
    {pointerOf<&Cluster::nodes_per_domain>, kAll, hasNodes,
        [](const Plan& plan) { return plan.cluster.nodes_per_domain > 1; }},
    {"/cluster/inter_node/gb_s", kAll, hasNodes},
    {pointerOf<&Workload::image_tokens>, kAll, hasVision,
        [](const Plan& plan) { return plan.workload.image_tokens > 0; }},
    {pointerOf<&Accelerator::price_per_hour_usd>, kTraining},
    {pointerOf<&Workload::task>, kTuning},
    {pointerOf<&Workload::micro_batch_size>, kAll, nullptr, nullptr,
        QT_TRANSLATE_NOOP("cardfit::app::PlanView", "Prompts per pass")},
    {pointerOf<&Workload::global_batch_size>, kAll, nullptr, nullptr,
        QT_TRANSLATE_NOOP("cardfit::app::PlanView", "Concurrent sequences")},
    {pointerOf<&Workload::tokens>, kTraining},
    {pointerOf<&Parallelism::virtual_pipeline>, kTraining, nullptr,
        [](const Plan& plan) { return plan.parallelism.virtual_pipeline > 1; }},
    {pointerOf<&Parallelism::expert>, kAll, hasExperts, [](const Plan& plan) { return plan.parallelism.expert > 1; }},
    // A dense model has no experts to split, so the number is not used.
    {pointerOf<&Parallelism::expert_tensor>, kAll, hasExperts},
    {pointerOf<&Parallelism::data>, kAll, nullptr, nullptr,
        QT_TRANSLATE_NOOP("cardfit::app::PlanView", "Replicas of the model")},
    {pointerOf<&Recompute::layers>, kTraining,
        [](const Plan& plan) { return recomputes(plan, RecomputeGranularity::Full); }},
    {pointerOf<&Offload::optimizer>, kTraining, nullptr,
        [](const Plan& plan) { return plan.recipe.offload.optimizer > 0.0; }},
    {pointerOf<&Offload::parameters>, kTraining,
        [](const Plan& plan) { return plan.recipe.sharding == Sharding::Zero3; },
        [](const Plan& plan) { return plan.recipe.offload.parameters > 0.0; }},
    {pointerOf<&Offload::activations>, kTraining, nullptr,
        [](const Plan& plan) { return plan.recipe.offload.activations > 0.0; }},
});

constexpr auto kParts = [] {
    std::array<std::string_view, kRows.size()> parts{};
    for (std::size_t i = 0; i < kRows.size(); ++i)
        parts[i] = kRows[i].part;
    return parts;
}();

const Row* rowOf(std::string_view part)
{
    const auto found = std::ranges::find(kRows, part, &Row::part);
    return found == kRows.end() ? nullptr : &*found;
}

} // namespace

Purpose purposeOf(Task task)
{
    switch (task) {
    case Task::Pretrain: return Purpose::Pretraining;
    case Task::Finetune:
    case Task::Lora:
    case Task::Qlora: return Purpose::FineTuning;
    case Task::Inference: break;
    }
    return Purpose::Serving;
}

QString purposeLabel(Purpose purpose)
{
    switch (purpose) {
    case Purpose::Pretraining: return ui::sharedText("Pretraining");
    case Purpose::FineTuning: return PlanView::tr("Fine-tuning");
    case Purpose::Serving: break;
    }
    return ui::sharedText("Serving");
}

QString purposeHelp(Purpose purpose)
{
    switch (purpose) {
    case Purpose::Pretraining: return ui::sharedText("All weights are trained, on the tokens of a whole run.");
    case Purpose::FineTuning:
        return PlanView::tr("A trained model is trained further, as a whole or through adapters.");
    case Purpose::Serving: break;
    }
    return PlanView::tr("A trained model answers: weights, KV cache and the prefill of prompts, no optimizer.");
}

Task usualTask(Purpose purpose)
{
    switch (purpose) {
    case Purpose::Pretraining: return Task::Pretrain;
    case Purpose::FineTuning: return Task::Lora;
    case Purpose::Serving: break;
    }
    return Task::Inference;
}

bool shows(const Plan& plan, std::string_view part)
{
    const Row* row = rowOf(part);
    if (row == nullptr) {
        const Field* field = fieldAt(part);
        if (field == nullptr || isUsed(*field, plan)) return true;
        return std::ranges::find(kShownIfSet, part) != kShownIfSet.end() && field->get(plan) != field->default_value();
    }
    const bool for_this = (row->purposes & (1U << unsigned(purposeOf(plan.workload.task)))) != 0;
    const bool used = for_this && (row->has_use == nullptr || row->has_use(plan));
    return used || (row->is_set != nullptr && row->is_set(plan));
}

Plan begun(Plan plan, Purpose purpose)
{
    constexpr double kTunedOn = 5e7;
    constexpr std::int64_t kTunedAtOnce = 16;
    Workload& work = plan.workload;
    work.task = usualTask(purpose);
    if (purpose == Purpose::FineTuning) {
        const std::int64_t pass = work.micro_batch_size * std::max<std::int64_t>(dataParallel(plan), 1);
        work.global_batch_size = pass * std::max<std::int64_t>((kTunedAtOnce + pass - 1) / pass, 1);
        work.tokens = kTunedOn;
    } else if (purpose == Purpose::Serving) {
        plan.recipe.engine = Engine::Vllm;
        plan.recipe.kernels = Kernels::Compiled;
        work.micro_batch_size = 1;
        work.global_batch_size = servedBatch(plan);
    }
    return plan;
}

QString labelFor(Purpose purpose, std::string_view part)
{
    const Row* row = rowOf(part);
    if (purpose != Purpose::Serving || row == nullptr || row->served_label == nullptr) return {};
    return PlanView::tr(row->served_label);
}

std::span<const std::string_view> namedParts() { return kParts; }

} // namespace cardfit::app
