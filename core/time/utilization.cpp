// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/utilization.h"

#include <algorithm>
#include <cmath>

#include "core/base/count_product.h"
#include "core/base/enum_names.h"
#include "core/pipeline/orders/placement.h"
#include "core/plan/tables.h"
#include "core/time/kernels.h"

namespace cardfit {

namespace {

constexpr auto kDefinitions = std::to_array<WorkDefinitionText>({
    {WorkDefinition::Causal, "causal", Sentence::tr("Causal attention"), "6 N_matrix + 6 L a d s",
        Sentence::tr(
            "Matrix products without the embedding, and attention as far as causality and windows let it see; what "
            "Megatron-LM has printed since March 2025, and Megatron-Bridge and torchtitan."),
        "Megatron-LM, num_floating_point_operations, from commit 8873b55d6a on"},
    {WorkDefinition::FullAttention, "full", Sentence::tr("Full attention"), "6 N_matrix + 12 L a d s",
        Sentence::tr(
            "The same with every query seeing the whole sequence, for GPT shapes 72 L h^2 (1 + s/6h + V/12hL); what "
            "Megatron-LM printed before March 2025, and NeMo's tables of 2024."),
        "Korthikanti et al. 2022, arXiv:2205.05198, appendix A; Megatron-LM before commit 8873b55d6a"},
    {WorkDefinition::Palm, "palm", Sentence::tr("PaLM"), "6 N + 12 L a d s",
        Sentence::tr(
            "All parameters, the embedding among them, and full attention. It defines no hardware utilisation."),
        "Chowdhery et al. 2022, arXiv:2204.02311, appendix B"},
    {WorkDefinition::LlmFoundry, "llm-foundry", Sentence::tr("llm-foundry"), "6 N + 12 L h s",
        Sentence::tr("All parameters and full attention over the hidden size; checkpointed activations count as a "
                     "third more work."),
        "mosaicml/llm-foundry, commit 8c8dd48f7, scripts/train/benchmarking"},
    {WorkDefinition::Narayanan, "narayanan", Sentence::tr("Narayanan 2021"), "8 N_layers + 6 N_output + 16 L a d s",
        Sentence::tr("Full attention and a second forward pass of all layers, whether the plan runs it or not, for GPT "
                     "shapes 96 L "
                     "h^2 "
                     "(1 + s/6h + V/16hL): hardware FLOPs, whose share of the peak is no model utilisation."),
        "Narayanan et al. 2021, arXiv:2104.04473, equation 3"},
});
static_assert(isInOrder(kDefinitions, &WorkDefinitionText::definition));

std::size_t indexOf(WorkDefinition definition) { return static_cast<std::size_t>(definition); }

/// Work of all passes in units of a forward pass: frozen weights have no gradient, and inference has no backward pass.
/// Adapters add a thousandth, which is not counted.
double passes(const Plan& plan)
{
    if (plan.workload.task == Task::Inference) return 1.0;
    return trainsAdapters(plan) ? 2.0 : 3.0;
}

/// Layers by kind, and how many of each run their forward pass again.
struct RecomputedLayers {
    std::array<double, kMostLayerKinds> once{}, again{};
};

RecomputedLayers recomputedLayers(const Plan& plan, const std::vector<StageLayers>& stages)
{
    // A bidirectional schedule holds the model twice; a micro-batch visits one of the copies.
    const double copies = placementOf(plan.recipe.schedule) == Placement::Bidirectional ? 2.0 : 1.0;
    RecomputedLayers layers;
    for (const StageLayers& stage : stages) {
        for (const ModelChunk& chunk : stage.chunks) {
            const LayerKinds kinds = layerKinds(plan.model.architecture, chunk);
            const double again = recomputedShare(plan.recipe.recompute, chunk.count());
            for (const auto [kind, count] : kinds) {
                layers.once[kind.index()] += static_cast<double>(count) / copies;
                layers.again[kind.index()] += again * static_cast<double>(count) / copies;
            }
        }
    }
    return layers;
}

/// 12 FLOPs per layer, per token seen and per feature.
Flops attentionWork(const Plan& plan, std::int64_t features)
{
    const auto& model = plan.model.architecture;
    return Flops(12.0 * static_cast<double>(model.num_hidden_layers) * static_cast<double>(features)
        * static_cast<double>(plan.workload.sequence_length));
}

std::string_view sixteenBitFormat(const PeakRates& peak)
{
    if (peak.bf16) return "bf16";
    return peak.fp16 ? "fp16" : "fp32";
}

constexpr double kSecondsPerHour = 3600.0;
constexpr double kHoursPerDay = 24.0;

bool isPositive(double value) { return std::isfinite(value) && value > 0.0; }

} // namespace

const std::array<WorkDefinitionText, 5>& workDefinitions() { return kDefinitions; }

const WorkDefinitionText& describeWork(WorkDefinition definition) { return kDefinitions[indexOf(definition)]; }

TokenWorks tokenWorks(const Plan& plan, const std::vector<StageLayers>& stages, const ModelWork& whole)
{
    const RecomputedLayers layers = recomputedLayers(plan, stages);
    const double all = passes(plan);
    const bool learns = plan.workload.task != Task::Inference;
    ForwardWork once;
    ForwardWork again;
    for (const auto& [kind, work] : whole.layers) {
        once += layers.once[kind.index()] * work;
        again += layers.again[kind.index()] * work;
    }

    TokenWorks works;
    const double seen = trainsVision(plan) ? all : 1.0;
    const Flops causal = all * (once.causal() + whole.head.causal()) + seen * whole.vision.causal();
    const Flops full = all * (once.full() + whole.head.full()) + seen * whole.vision.full();
    works[indexOf(WorkDefinition::Causal)] = {causal, learns ? causal + again.causal() + once.again : causal};
    works[indexOf(WorkDefinition::FullAttention)] = {full, learns ? full + again.full() + once.again_whole : full};
    if (!learns || trainsAdapters(plan)) return works;

    const auto& model = plan.model.architecture;
    const Flops weights(6.0 * static_cast<double>(whole.parameters.active));
    const Flops palm = weights + attentionWork(plan, model.num_attention_heads * model.head_dim);
    works[indexOf(WorkDefinition::Palm)] = {palm, std::nullopt};
    const Flops foundry = weights + attentionWork(plan, model.hidden_size);
    const bool checkpoints = plan.recipe.recompute.granularity == RecomputeGranularity::Full;
    works[indexOf(WorkDefinition::LlmFoundry)] = {foundry, checkpoints ? (4.0 / 3.0) * foundry : foundry};
    works[indexOf(WorkDefinition::Narayanan)] = {std::nullopt, full + once.full()};
    return works;
}

std::vector<PeakRate> peakRates(const Plan& plan)
{
    const PeakRates& peak = plan.cluster.accelerator.tflops;
    std::vector<PeakRate> rates{{sixteenBitFormat(peak), referencePeak(plan)}};
    const MatrixFormat format = formatOf(plan.recipe.precision);
    // A card without units for fp4 computes such a recipe in fp8, as KernelClock has it.
    if (format == MatrixFormat::Fp4 && peak.fp4)
        rates.push_back({"fp4", *peak.fp4});
    else if ((format == MatrixFormat::Fp4 || format == MatrixFormat::Fp8) && peak.fp8)
        rates.push_back({"fp8", *peak.fp8});
    return rates;
}

std::vector<Utilization> utilizations(
    const TokenWorks& works, const std::vector<PeakRate>& peaks, double tokens_per_second_per_card)
{
    std::vector<Utilization> all;
    all.reserve(peaks.size() * kDefinitions.size());
    for (const PeakRate& peak : peaks) {
        for (const WorkDefinitionText& text : kDefinitions) {
            const TokenWork& work = works[indexOf(text.definition)];
            Utilization& made = all.emplace_back();
            made.definition = text.definition;
            made.peak = peak;
            const auto rate = [&](Flops per_token) {
                return Teraflops(per_token.value() * tokens_per_second_per_card / 1e12);
            };
            if (work.model) {
                made.model_tflops_per_card = rate(*work.model);
                made.mfu = *made.model_tflops_per_card / peak.rate;
            }
            if (work.executed) {
                made.hardware_tflops_per_card = rate(*work.executed);
                made.hfu = *made.hardware_tflops_per_card / peak.rate;
            }
        }
    }
    return all;
}

std::int64_t cardsUsed(const Plan& plan) { return product(dataParallel(plan), replicaCards(plan.parallelism)); }

double tokensPerStep(const Plan& plan)
{
    return static_cast<double>(microBatches(plan) * dataParallel(plan))
        * static_cast<double>(plan.workload.micro_batch_size * plan.workload.sequence_length);
}

double tokensPerDay(double tokens_per_second) { return kHoursPerDay * kSecondsPerHour * tokens_per_second; }

bool hasBudget(const Plan& plan) { return plan.workload.tokens && plan.workload.task != Task::Inference; }

std::optional<RunCost> runCost(const Plan& plan, double tokens_per_second)
{
    if (!hasBudget(plan) || !isPositive(tokens_per_second)) return std::nullopt;
    constexpr double kWattsPerKilowatt = 1000.0;
    const Accelerator& card = plan.cluster.accelerator;
    const double hours = *plan.workload.tokens / tokens_per_second / kSecondsPerHour;
    RunCost run;
    run.tokens = *plan.workload.tokens;
    run.steps = run.tokens / tokensPerStep(plan);
    run.days = hours / kHoursPerDay;
    run.card_hours = hours * static_cast<double>(cardsUsed(plan));
    if (card.price_per_hour_usd) run.cost_usd = run.card_hours * *card.price_per_hour_usd;
    if (card.power_w) run.energy_kwh = run.card_hours * *card.power_w / kWattsPerKilowatt;
    return run;
}

Result<MeasuredSpeed> measuredSpeed(
    const Plan& plan, const TokenWorks& works, const MeasuredFigure& run, double predicted)
{
    if (!isPositive(run.value)) return fail(ErrorCode::OutOfRange, "value", Sentence::tr("expected a number above 0"));
    if (run.published_tokens_per_second_per_card && !isPositive(*run.published_tokens_per_second_per_card)) {
        return fail(ErrorCode::OutOfRange, "published", Sentence::tr("expected a number above 0"));
    }
    const double tokens_per_card = tokensPerStep(plan) / static_cast<double>(cardsUsed(plan));
    double rate = run.value;
    switch (run.quantity) {
    case MeasuredQuantity::StepSeconds: rate = tokens_per_card / run.value; break;
    case MeasuredQuantity::TokensPerSecondPerCard: break;
    case MeasuredQuantity::ExamplesPerSecondPerCard:
        rate = static_cast<double>(plan.workload.sequence_length) / (1.0 / run.value);
        break;
    case MeasuredQuantity::TeraflopsPerCard: {
        const TokenWork& work = works[indexOf(run.definition)];
        const auto per_token = work.model ? work.model : work.executed;
        if (!per_token)
            return fail(ErrorCode::OutOfRange, "definition",
                Sentence::tr("this convention does not define the work of the plan"));
        rate = run.value * 1e12 / per_token->value();
        break;
    }
    }
    MeasuredSpeed speed;
    speed.tokens_per_second_per_card = rate;
    speed.step = Seconds(tokens_per_card / rate);
    speed.utilization = utilizations(works, peakRates(plan), rate);
    if (run.published_tokens_per_second_per_card) {
        speed.over_published = rate / *run.published_tokens_per_second_per_card;
    }
    if (isPositive(predicted)) speed.over_predicted = rate / predicted;
    return speed;
}

} // namespace cardfit
