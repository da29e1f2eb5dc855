// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/limits_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/files/foreign_text.h"
#include "core/plan/choices.h"
#include "core/plan/edit.h"
#include "core/plan/field_table.h"

namespace cardfit {

namespace {

/// "tensor" of "/parallelism/tensor".
Sentence fieldWord(const std::string& field)
{
    static constexpr auto kWords = std::to_array<std::pair<std::string_view, Phrase>>({
        {pointerOf<&Parallelism::tensor>, Sentence::tr("tensor")},
        {pointerOf<&Parallelism::pipeline>, Sentence::tr("pipeline")},
        {pointerOf<&Parallelism::virtual_pipeline>, Sentence::tr("virtual pipeline")},
        {pointerOf<&Parallelism::context>, Sentence::tr("context")},
        {pointerOf<&Parallelism::expert>, Sentence::tr("expert")},
        {pointerOf<&Parallelism::data>, Sentence::tr("data")},
        {pointerOf<&Parallelism::sequence>, Sentence::tr("sequence")},
        {pointerOf<&Parallelism::layers_per_stage>, Sentence::tr("layers per stage")},
        {pointerOf<&Workload::micro_batch_size>, Sentence::tr("micro batch size")},
        {pointerOf<&Recipe::precision>, Sentence::tr("precision")},
        {pointerOf<&Recipe::kv_cache_precision>, Sentence::tr("kv cache precision")},
        {pointerOf<&Recipe::sharding>, Sentence::tr("sharding")},
        {pointerOf<&Recipe::schedule>, Sentence::tr("schedule")},
        {pointerOf<&Recipe::recompute>, Sentence::tr("recompute")},
        {pointerOf<&Offload::optimizer>, Sentence::tr("optimizer offload")},
    });
    const auto* found = std::ranges::find(kWords, field, &std::pair<std::string_view, Phrase>::first);
    if (found != kWords.end()) return found->second;
    std::string word = field.substr(field.rfind('/') + 1);
    std::ranges::replace(word, '_', ' ');
    return Sentence::verbatim(std::move(word));
}

Sentence editText(const Edit& edit)
{
    return Sentence::tr("{} {} -> {}", {fieldWord(edit.field), valueWords(edit.from), valueWords(edit.to)});
}

std::string_view title(LimitOf quantity)
{
    switch (quantity) {
    case LimitOf::ModelSize: return "Largest model";
    case LimitOf::SequenceLength: return "Longest sequence";
    case LimitOf::MicroBatchSize: return "Largest micro-batch";
    case LimitOf::ServedSequences: return "Most sequences at once";
    case LimitOf::Cards: return "Fewest cards";
    case LimitOf::CardsAnyDegrees: return "Fewest cards, any degrees";
    }
    return {};
}

constexpr std::size_t kIndent = 28;

/// Below the value, in lines of at most 92 letters.
std::string indented(std::string_view text)
{
    constexpr std::size_t kWidth = 92;
    std::string lines;
    while (!text.empty()) {
        std::size_t end = text.size();
        if (end > kWidth) {
            end = text.rfind(' ', kWidth);
            if (end == std::string_view::npos || end == 0) end = std::min(text.find(' '), text.size());
        }
        lines += fmt::format("{:{}}{}\n", "", kIndent, text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string stageText(const Trial& trial) { return fmt::format("stage {}", trial.worst.stage); }

/// Over how many cards the optimizer of dense parameters is shared, in words.
Sentence shardingText(const Plan& plan)
{
    if (plan.recipe.sharding == Sharding::None) return Sentence::tr("without sharding");
    const std::int64_t replicas = dataParallel(plan) * plan.parallelism.context / plan.recipe.optimizer_instances;
    const std::string_view sharding = name(plan.recipe.sharding);
    return replicas == 1 ? Sentence::tr("with {} over {} rank", {sharding, replicas})
                         : Sentence::tr("with {} over {} ranks", {sharding, replicas});
}

Phrase conclusion(LimitOf quantity)
{
    switch (quantity) {
    case LimitOf::ModelSize: return Sentence::tr("no model of this kind fits");
    case LimitOf::SequenceLength:
    case LimitOf::MicroBatchSize: return Sentence::tr("no sequence and no micro-batch fits");
    case LimitOf::ServedSequences: return Sentence::tr("not one sequence for every replica fits");
    case LimitOf::Cards: return Sentence::tr("no number of replicas fits");
    case LimitOf::CardsAnyDegrees: return Sentence::tr("no number of cards that was tried fits");
    }
    return {};
}

Sentence remediesText(LimitOf quantity, const Impossibility& proof, ByteUnit unit)
{
    const Sentence least = limitValueText(quantity, proof.least.value);
    constexpr std::int64_t kEnough = 3;
    std::int64_t found = 0;
    Sentence enough;
    for (const Suggestion& suggestion : proof.remedies) {
        if (!suggestion.fits || ++found > kEnough) continue;
        const Sentence change = changeText(suggestion.change);
        enough = enough.empty() ? change : Sentence::tr("{}, or with {}", {enough, change});
    }
    if (!enough.empty()) return Sentence::tr("At {} it would fit with {}.", {least, enough});
    if (proof.remedies.empty()) return Sentence::tr("At {} no single change frees memory.", {least});
    const Suggestion& most = proof.remedies.front();
    return Sentence::tr("At {} no single change is enough: {} frees most, {} of the {} that are missing.",
        {least, changeText(most.change), formatBytes(most.freed, unit), formatBytes(-1 * proof.least.free(), unit)});
}

/// What a trial that fits leaves free, or takes too much by figures that are not certain.
std::string freeText(const Trial& trial, ByteUnit unit)
{
    if (trial.free() < Bytes(0))
        return fmt::format(
            "{} has {} too much, but not for certain", stageText(trial), formatBytes(-1 * trial.free(), unit));
    return fmt::format("{} keeps {} free", stageText(trial), formatBytes(trial.free(), unit));
}

std::string limitText(const Limit& limit, ByteUnit unit)
{
    const auto value = [&](const Trial& trial) { return limitValueText(limit.quantity, trial.value).english(); };
    std::string text = fmt::format("{:<{}}", title(limit.quantity), kIndent);
    if (limit.fits) {
        text += fmt::format("{} (now {})\n", value(*limit.fits), limitValueText(limit.quantity, limit.now).english());
        if (const auto plan = limitPlanText(limit.quantity, limit.fits->plan); !plan.empty())
            text += indented(plan.english());
        text += indented(freeText(*limit.fits, unit));
        for (const Check& warning : limit.fits->warnings)
            text += indented(fmt::format("warning {}: {}", warning.id, warning.message.english()));
        text += limit.misses ? indented(fmt::format("{} would miss by {} on {}", value(*limit.misses),
                    formatBytes(-1 * limit.misses->free(), unit), stageText(*limit.misses)))
                             : indented("and no further: " + limit.end.english());
    } else if (limit.impossible) {
        text += fmt::format("none (now {})\n", limitValueText(limit.quantity, limit.now).english());
        text += indented(proofText(limit, unit).english());
    } else {
        text += fmt::format("no value counts: {}\n", limit.end.english());
    }
    return text + indented(limit.held.english());
}

std::string stepText(const Suggestion& suggestion)
{
    if (suggestion.costs_uncounted_time) return "not counted";
    const double percent = 100.0 * (suggestion.step_ratio - 1.0);
    constexpr double kShown = 0.05;
    return std::abs(percent) < kShown ? "0.0 %" : fmt::format("{:+.1f} %", percent);
}

std::string suggestionsText(const Advice& advice, ByteUnit unit)
{
    if (!advice.estimate.complete()) return "No advice: a broken rule prevents the estimate.\n";
    if (advice.suggestions.empty()) return "No single change helps.\n";
    std::string text = fmt::format("{:<6}{:>12}{:>13}{:>13}  {}\n", "", "step time", "frees", "then free", "change");
    for (const Suggestion& suggestion : advice.suggestions) {
        const char* word = !suggestion.fits ? "over" : suggestion.trial.free() < Bytes(0) ? "tight" : "fits";
        text += fmt::format("{:<6}{:>12}{:>13}{:>13}  {}\n", word, stepText(suggestion),
            formatBytes(suggestion.freed, unit), formatBytes(suggestion.trial.free(), unit),
            changeText(suggestion.change).english());
    }
    return text;
}

} // namespace

Sentence limitValueText(LimitOf quantity, std::int64_t value)
{
    const bool one = value == 1;
    switch (quantity) {
    case LimitOf::ModelSize:
        return Sentence::tr("{} billion parameters", {fmt::format("{:.2f}", static_cast<double>(value) / 1e9)});
    case LimitOf::SequenceLength: return one ? Sentence(Sentence::tr("1 token")) : Sentence::tr("{} tokens", {value});
    case LimitOf::MicroBatchSize:
    case LimitOf::ServedSequences:
        return one ? Sentence(Sentence::tr("1 sequence")) : Sentence::tr("{} sequences", {value});
    case LimitOf::Cards:
    case LimitOf::CardsAnyDegrees: return one ? Sentence(Sentence::tr("1 card")) : Sentence::tr("{} cards", {value});
    }
    return {};
}

Sentence limitPlanText(LimitOf quantity, const Plan& plan)
{
    if (quantity == LimitOf::ModelSize) {
        const Architecture& shape = plan.model.architecture;
        return Sentence::tr("{} layers of hidden size {}, {} heads, MLP {}",
            {shape.num_hidden_layers, shape.hidden_size, shape.num_attention_heads, shape.intermediate_size});
    }
    const bool is_of_cards = quantity == LimitOf::Cards || quantity == LimitOf::CardsAnyDegrees;
    if (!is_of_cards) return {};
    const auto& degrees = plan.parallelism;
    const std::int64_t nodes = plan.cluster.nodes;
    const std::int64_t cards = plan.cluster.cards_per_node;
    const Sentence where =
        nodes == 1 ? Sentence::tr("1 node of {}", {cards}) : Sentence::tr("{} nodes of {}", {nodes, cards});
    return Sentence::tr("tensor {}, pipeline {}, context {}, data {} on {}",
        {degrees.tensor, degrees.pipeline, degrees.context, dataParallel(plan), where});
}

Sentence proofText(const Limit& limit, ByteUnit unit)
{
    if (!limit.impossible) return {};
    const Impossibility& proof = *limit.impossible;
    const StageMemory& stage = proof.least.worst;
    const auto amount = [&](Bytes bytes) { return formatBytes(bytes, unit); };
    Sentence why;
    if (proof.states_alone) {
        why = Sentence::tr("Weights, gradients and optimizer states of stage {} are {} {}; the card has {}, of which "
                           "communication and device context take {} and the allocator holds back {} for them: {}.",
            {stage.stage, amount(proof.states), shardingText(proof.least.plan), amount(stage.capacity),
                amount(proof.outside), amount(proof.held_back), conclusion(limit.quantity)});
    } else if (verdict(stage) == Verdict::Refused) {
        why = Sentence::tr("Even at {} the server does not start: its share of the card lacks {} for one sequence.",
            {limitValueText(limit.quantity, proof.least.value), amount(stage.server_lacks)});
    } else {
        why = Sentence::tr("Even at {} stage {} needs {} of {}: weights, gradients and optimizer states {} {}, "
                           "activations {}, temporary {}, communication and device context {}, held back {}.",
            {limitValueText(limit.quantity, proof.least.value), stage.stage, amount(stage.device()),
                amount(stage.capacity), amount(proof.states), shardingText(proof.least.plan),
                amount(stage[Segment::Activations]), amount(stage[Segment::Temporary]),
                amount(stage[Segment::Communication] + stage[Segment::DeviceContext]),
                amount(stage[Segment::Reserve])});
    }
    return joined(std::move(why), remediesText(limit.quantity, proof, unit));
}

Sentence changeText(const Change& change)
{
    Sentence text = editText(change.edit);
    if (change.follows.empty()) return text;
    std::vector<Sentence> follows;
    for (const Edit& edit : change.follows)
        follows.push_back(editText(edit));
    return Sentence::tr("{} ({})", {std::move(text), listed(follows)});
}

std::string adviceText(const Plan& plan, const Advice& advice, ByteUnit unit)
{
    std::string text = plan.name.empty() ? std::string("Plan without a name") : printable(plan.name);
    text += "\n" + verdictLine(advice.estimate, unit) + "\n\nLimits, all else fixed\n";
    for (const Limit& limit : advice.limits)
        text += limitText(limit, unit);
    text += advice.estimate.complete() && !advice.estimate.fits() ? "\nSingle changes that help it fit\n"
                                                                  : "\nSingle changes\n";
    return text + suggestionsText(advice, unit);
}

} // namespace cardfit
