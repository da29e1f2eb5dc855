// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/base/units.h"
#include "core/plan/plan.h"
#include "core/plan/stages.h"
#include "core/time/model_work.h"

/// Utilisation by every convention under which it is published, and the cost of a run. Conventions differ in what
/// counts as work, so the same run has a different figure under each: by a tenth for 8,192 tokens and by half for
/// 131,072.
namespace cardfit {

/// What counts as the work of a token.
enum class WorkDefinition { Causal, FullAttention, Palm, LlmFoundry, Narayanan };

/// A convention described in words.
struct WorkDefinitionText {
    WorkDefinition definition = WorkDefinition::Causal;
    std::string_view name; ///< the word of the command line: "causal"
    Phrase title;
    std::string_view formula; ///< of the work of one token of training
    Phrase sentence; ///< what it counts and who states it
    std::string_view source;
};

/// Every convention, the default first; all five.
[[nodiscard]] const std::array<WorkDefinitionText, 5>& workDefinitions();
[[nodiscard]] const WorkDefinitionText& describeWork(WorkDefinition definition);

/// FLOPs of one token of a step; none where the convention does not define them.
struct TokenWork {
    std::optional<Flops> model; ///< forward and backward passes: MFU
    std::optional<Flops> executed; ///< with recomputation: HFU

    bool operator==(const TokenWork&) const = default;
};

/// By WorkDefinition.
using TokenWorks = std::array<TokenWork, 5>;

/// Work of one token under every convention, summed over all cards, independent of the parallelism. Causal: 6 FLOPs per
/// matrix-product weight that the token uses (output layer included, embedding not), plus 6 FLOPs per feature of all
/// heads and per token that a query sees, within causality and windows; as in Megatron-LM since commit 8873b55d6a
/// (March 2025), Megatron-Bridge and torchtitan. Recomputation: what the plan runs again. Full attention: the same, but
/// every query sees the whole sequence; as in Megatron-LM before that commit, NeMo's tables of 2024, and Korthikanti et
/// al. 2022 (arXiv:2205.05198), for GPT shapes 72 L h^2 (1 + s / 6h + V / 12hL). PaLM (Chowdhery et al. 2022,
/// arXiv:2204.02311, appendix B): 6 N + 12 L H Q T, N all parameters; no HFU formula. llm-foundry (commit 8c8dd48f7): 6
/// N + 12 L d s; executed: 4/3 of that if activations are checkpointed. Narayanan et al. 2021 (arXiv:2104.04473): 96 L
/// h^2 (1 + s / 6h + V / 16hL) for GPT shapes, with a second forward pass of all layers whether the plan runs it or
/// not, so hardware FLOPs only. Frozen weights have no gradient and inference no backward pass; the last three
/// conventions are defined only for training all weights. N: for mixtures of experts the parameters that a token uses.
/// Imbalance and padding of experts do not count as work.
[[nodiscard]] TokenWorks tokenWorks(const Plan& plan, const std::vector<StageLayers>& stages, const ModelWork& model);

/// A dense peak rate and its number format.
struct PeakRate {
    std::string_view format; ///< "bf16"; static text
    Teraflops rate;

    bool operator==(const PeakRate&) const = default;
};

/// The peaks that utilisation is measured against: the 16-bit one first, then that of the recipe's narrow format if the
/// card has it.
[[nodiscard]] std::vector<PeakRate> peakRates(const Plan& plan);

/// Utilisation under one convention and against one peak.
struct Utilization {
    WorkDefinition definition = WorkDefinition::Causal;
    PeakRate peak;
    std::optional<Teraflops> model_tflops_per_card;
    std::optional<Teraflops> hardware_tflops_per_card;
    std::optional<double> mfu;
    std::optional<double> hfu;

    bool operator==(const Utilization&) const = default;
};

/// Every convention against the first peak, then every convention against the next.
[[nodiscard]] std::vector<Utilization> utilizations(
    const TokenWorks& works, const std::vector<PeakRate>& peaks, double tokens_per_second_per_card);

/// Cards that a plan uses, tensor x pipeline x context x data; a cluster may have more.
[[nodiscard]] std::int64_t cardsUsed(const Plan& plan);

/// Tokens of one optimizer step (of one prefill, for inference).
[[nodiscard]] double tokensPerStep(const Plan& plan);

[[nodiscard]] double tokensPerDay(double tokens_per_second);

/// A whole run over `workload.tokens`.
struct RunCost {
    double tokens = 0.0;
    double steps = 0.0;
    double days = 0.0;
    double card_hours = 0.0; ///< of the cards that the plan uses
    std::optional<double> cost_usd; ///< at the accelerator's price per hour; none if unknown
    std::optional<double> energy_kwh; ///< the cards alone, at their rated power; none if unknown

    bool operator==(const RunCost&) const = default;
};

/// Whether the plan is a run of a number of tokens; a served model answers for as long as it is asked.
[[nodiscard]] bool hasBudget(const Plan& plan);

/// None if the plan has no budget or no speed. Failures, restarts and evaluations are not counted. Days are
/// tokens over the predicted throughput, as in Narayanan et al. 2021 (arXiv:2104.04473), section 5.1; cost and energy
/// are card-hours times the accelerator's price per hour and its rated power ("price_per_hour_usd", "power_w").
[[nodiscard]] std::optional<RunCost> runCost(const Plan& plan, double tokens_per_second);

/// The quantity that was measured in a run.
enum class MeasuredQuantity {
    StepSeconds,
    TokensPerSecondPerCard,
    ExamplesPerSecondPerCard, ///< of the plan's sequence length, padding included
    TeraflopsPerCard, ///< as a framework's log states them, by a convention
};
inline constexpr std::size_t kMeasuredQuantityCount = enumeratorCount<MeasuredQuantity>();

struct MeasuredFigure {
    MeasuredQuantity quantity = MeasuredQuantity::StepSeconds;
    double value = 0.0;
    WorkDefinition definition = WorkDefinition::Causal; ///< of TeraflopsPerCard
    std::optional<double> published_tokens_per_second_per_card = {}; ///< another team's, same model and card
};

/// A measured run in all units. Of the interview sheet's two methods (core/articles/rules_of_thumb.h), the ratio of
/// FLOPs is `utilization` and the ratio of throughputs `over_published`.
struct MeasuredSpeed {
    Seconds step;
    double tokens_per_second_per_card = 0.0;
    std::vector<Utilization> utilization;
    std::optional<double> over_published; ///< throughput over the published one; not a share of the card
    std::optional<double> over_predicted; ///< throughput over the predicted one; none if nothing is predicted
};

/// `predicted`: tokens per second and card, 0 if there is no prediction. Error OutOfRange: the measured or the
/// published value is not a positive number, or the convention does not define the work that the value refers to
/// (Narayanan's defines hardware FLOPs only, so its values refer to executed work).
[[nodiscard]] Result<MeasuredSpeed> measuredSpeed(
    const Plan& plan, const TokenWorks& works, const MeasuredFigure& run, double predicted);

} // namespace cardfit
