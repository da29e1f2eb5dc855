// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/reports.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/enum_names.h"
#include "core/estimate/profiles.h"
#include "core/files/foreign_text.h"
#include "core/layers/layer_balance.h"
#include "core/layers/layer_split.h"
#include "core/plan/choices.h"
#include "core/report/calibration_text.h"
#include "core/report/columns.h"
#include "core/report/host_text.h"
#include "core/report/server_text.h"
#include "core/report/utilization_rows.h"
#include "core/time/stated_utilization.h"

namespace cardfit {

namespace {

constexpr Columns kMarkdownColumns{.before = "| ", .between = " | ", .after = " |"};

std::string layersText(const StageMemory& stage)
{
    std::int64_t count = 0;
    for (const auto& [first, end] : stage.chunks)
        count += end - first;
    if (stage.chunks.size() > 1) return fmt::format("{} in {} chunks", count, stage.chunks.size());
    if (count == 0) return "none";
    return fmt::format("{}-{}", stage.chunks.front().first, stage.chunks.front().second - 1);
}

/// 4, or 3.5 where a chunk is a part of a micro-batch.
std::string inFlightText(const StageMemory& stage) { return fmt::format("{:g}", stage.in_flight); }

/// The columns after the segments: the three totals and the capacity that they are compared with.
struct Total {
    std::string_view name;
    Bytes (*of)(const StageMemory&);
};
constexpr std::array<Total, 4> kTotals{{
    {"allocated", [](const StageMemory& stage) { return stage.allocated(); }},
    {"reserved", [](const StageMemory& stage) { return stage.reserved(); }},
    {"device", [](const StageMemory& stage) { return stage.device(); }},
    {"capacity", [](const StageMemory& stage) { return stage.capacity; }},
}};

/// The titles of the columns of memoryRows().
Row memoryHeader(bool served, const Translation& translation)
{
    const std::array kTitles{Sentence::tr("stage"), Sentence::tr("layers"), Sentence::tr("cards"),
        served ? Sentence::tr("in the cache") : Sentence::tr("in flight"), Sentence::tr("weights"),
        Sentence::tr("gradients"), Sentence::tr("optimizer"),
        served ? Sentence::tr("KV cache") : Sentence::tr("activations"), Sentence::tr("temporary"),
        Sentence::tr("communication"), Sentence::tr("context", "of the device"), Sentence::tr("reserve"),
        Sentence::tr("allocated"), Sentence::tr("reserved"), Sentence::tr("device"), Sentence::tr("capacity"),
        Sentence::tr("free")};
    static_assert(kTitles.size() == 4 + kSegmentNames.size() + kTotals.size() + 1);
    Row header;
    for (const Phrase title : kTitles)
        header.push_back(Sentence(title).in(translation));
    return header;
}

/// A header and one row per stage; amounts without their unit.
std::vector<Row> memoryRows(const Estimate& estimate, ByteUnit unit)
{
    std::vector<Row> rows{memoryHeader(estimate.isServed(), inEnglish)};
    for (const StageMemory& stage : estimate.stages) {
        Row row{std::to_string(stage.stage), layersText(stage), std::to_string(stage.cards), inFlightText(stage)};
        for (const Bytes bytes : stage.bytes)
            row.push_back(amountText(bytes, unit));
        for (const Total& total : kTotals)
            row.push_back(amountText(total.of(stage), unit));
        row.push_back(amountText(stage.free(), unit));
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string line(std::string_view label, std::string_view text) { return fmt::format("{:<12}{}\n", label, text); }

std::string modelText(const Plan& plan, const Estimate& estimate)
{
    std::string text = printable(plan.model.name.empty() ? plan.model.id : plan.model.name);
    if (text.empty()) text = "custom shape";
    if (!estimate.complete()) return text;
    const auto [total, active, trainable] = estimate.parameters;
    text += fmt::format(", {:.2f} billion parameters", static_cast<double>(total) / 1e9);
    if (active != total) text += fmt::format(", {:.2f} billion active", static_cast<double>(active) / 1e9);
    if (trainable > 0 && trainable != total) {
        text += fmt::format(", {:.1f} million learned", static_cast<double>(trainable) / 1e6);
    }
    return text;
}

std::string cardsText(const Cluster& cluster)
{
    const Accelerator& card = cluster.accelerator;
    std::string text =
        fmt::format("{} x {}, {} {} of {}", cardCount(cluster), printable(card.name.empty() ? card.id : card.name),
            cluster.nodes, cluster.nodes == 1 ? "node" : "nodes", cluster.cards_per_node);
    if (cluster.nodes_per_domain > 1) text += fmt::format(", {} to an NVLink domain", cluster.nodes_per_domain);
    if (!card.usable) text += ", each " + memorySentence(card).english();
    return text;
}

std::string parallelText(const Plan& plan)
{
    const Parallelism& degrees = plan.parallelism;
    std::string text = fmt::format("tensor {}{}, pipeline {}", degrees.tensor,
        degrees.sequence ? " with sequence parallelism" : "", degrees.pipeline);
    if (degrees.virtual_pipeline > 1) text += fmt::format(" x {} chunks", degrees.virtual_pipeline);
    text += fmt::format(", context {}, data {}", degrees.context, dataParallel(plan));
    if (plan.model.architecture.moe) {
        text += fmt::format(", expert {}, expert tensor {}", degrees.expert, expertTensor(plan));
    }
    const SplitRule rule = splitRule(plan);
    const auto layers = layerSplit(plan);
    constexpr std::size_t kMostListed = 32;
    if (rule != SplitRule::Even && layers && layers->size() <= kMostListed)
        text += fmt::format(", layers {} ({})", fmt::join(*layers, " "), splitWords(rule).english);
    return text;
}

/// "tensor 8 in a node, expert 64 across domains (8 in each, 0.412 s of a step)".
std::string placementText(const Plan& plan, const std::vector<GroupPlacement>& placements)
{
    std::string text = fmt::format("{}: ", name(plan.parallelism.order));
    for (const GroupPlacement& placed : placements) {
        if (&placed != &placements.front()) text += ", ";
        text += fmt::format("{} {} ", cardGroupName(placed.group), placed.ranks);
        switch (placed.level) {
        case NetworkLevel::Node: text += "in a node"; break;
        case NetworkLevel::Domain: text += "in a domain"; break;
        case NetworkLevel::Network:
            text += fmt::format(
                "across {} ({} in each", plan.cluster.nodes_per_domain > 1 ? "domains" : "nodes", placed.in_domain);
            if (placed.price) text += fmt::format(", {:.3f} s of a step", placed.price->value());
            text += ')';
            break;
        }
    }
    return text;
}

std::string batchText(const Plan& plan)
{
    const Workload& workload = plan.workload;
    if (workload.task == Task::Inference) {
        return fmt::format("{} sequences of {} tokens at once, {} on each replica", workload.global_batch_size,
            workload.sequence_length, workload.global_batch_size / std::max<std::int64_t>(1, dataParallel(plan)));
    }
    return fmt::format("{} sequences of {} tokens per step, in {} micro-batches of {} on each replica",
        workload.global_batch_size, workload.sequence_length, microBatches(plan), workload.micro_batch_size);
}

/// Between which amounts the worst stage's device figure may be; empty if it has no error band.
std::string rangeText(const StageMemory& stage, ByteUnit unit)
{
    const Band band = stage.band();
    if (band == Band{}) return {};
    const bool experts = std::ranges::any_of(
        stage.terms, [](const Term& term) { return term.band != Band{} && followsRouting(term.id); });
    return fmt::format("stage {} takes between {} and {} where context, communication libraries{} fragmentation are at "
                       "their published extremes",
        stage.stage, amountText(stage.device() - band.below, unit), formatBytes(stage.device() + band.above, unit),
        experts ? ", experts' loads and" : " and");
}

std::string recipeText(const Plan& plan)
{
    const Recipe& recipe = plan.recipe;
    if (plan.workload.task == Task::Inference) {
        return fmt::format("inference, weights {}, key/value cache {}", name(recipe.precision),
            name(recipe.kv_cache_precision.value_or(Precision::Bf16)));
    }
    if (trainsAdapters(plan)) {
        return fmt::format("{} of rank {}, {}, {}, recompute {}", name(plan.workload.task), adapterOf(plan)->rank,
            name(recipe.framework), name(recipe.precision), name(recipe.recompute.granularity));
    }
    return fmt::format("{}, {}, {}, sharding {}, recompute {}", name(recipe.framework), name(recipe.precision),
        name(recipe.optimizer), name(recipe.sharding), name(recipe.recompute.granularity));
}

std::string checksText(const std::vector<Check>& checks)
{
    if (checks.empty()) return line("Checks", "every rule is kept");
    std::string text = "Checks\n";
    for (const Check& check : checks) {
        text += fmt::format("  {:<8}{}: {}", check.severity == Severity::Error ? "error" : "warning", check.id,
            printable(check.message.english()));
        if (!check.valid.empty()) text += fmt::format(" (would do: {})", fmt::join(check.valid, ", "));
        text += '\n';
    }
    return text;
}

std::string assumedText(const Plan& plan)
{
    std::string text = plan.assumed.empty() ? "" : "Assumed\n";
    for (const std::string& sentence : plan.assumed)
        text += fmt::format("  {}\n", printable(sentence));
    return text;
}

std::string pipelineText(const Estimate& estimate)
{
    return fmt::format("{}, {} micro-batches, bubble {:.1f} % of the step's time ({:.1f} % on top of the work)",
        name(estimate.schedule), estimate.pipeline.micro_batches, 100.0 * estimate.pipeline.bubble_fraction,
        100.0 * estimate.pipeline.bubble_over_ideal);
}

/// The prompts' forward passes take milliseconds.
std::string prefillText(const StepEstimate& step)
{
    std::string text = shortTime(step.seconds);
    std::string_view sign = " =";
    for (std::size_t i = 0; i < kStepPartCount; ++i) {
        const auto part = static_cast<StepPart>(i);
        const Seconds spent = step.parts[part];
        if (spent == Seconds(0.0)) continue;
        text += fmt::format(
            "{} {} {} ({:.1f} %)", sign, stepPartName(part), shortTime(spent), 100.0 * (spent / step.seconds));
        sign = " +";
    }
    return text;
}

/// Parts of zero seconds are left out.
std::string stepText(const StepEstimate& step, bool serves)
{
    if (serves) return prefillText(step);
    std::string text = fmt::format("{:.3f} s", step.seconds.value());
    const double whole = step.seconds.value();
    std::string_view sign = " =";
    for (std::size_t i = 0; i < kStepPartCount; ++i) {
        const auto part = static_cast<StepPart>(i);
        const double seconds = step.parts[part].value();
        if (seconds == 0.0) continue;
        text += fmt::format("{} {} {:.3f} ({:.1f} %)", sign, stepPartName(part), seconds, 100.0 * seconds / whole);
        sign = " +";
    }
    return text;
}

std::string percentText(const std::optional<double>& fraction)
{
    return fraction ? fmt::format("{:.1f} %", 100.0 * *fraction) : "-";
}

std::string rateText(const std::optional<Teraflops>& rate) { return rate ? fmt::format("{:.1f}", rate->value()) : "-"; }

/// "MFU 71.0 %, HFU 71.0 % of the fp8 peak (142.0 % of bf16), 234.5 TFLOP/s per card".
std::string utilizationSummary(const StepEstimate& step)
{
    const double rate = step.model_tflops_per_card.value();
    if (!hasNarrowPeak(step.utilization))
        return fmt::format(
            "MFU {:.1f} %, HFU {:.1f} %, {:.1f} TFLOP/s per card", 100.0 * step.mfu, 100.0 * step.hfu, rate);
    const Utilization own = ownPeakFirst(step.utilization).front();
    return fmt::format("MFU {}, HFU {} of the {} peak ({:.1f} % and {:.1f} % of {}), {:.1f} TFLOP/s per card",
        percentText(own.mfu), percentText(own.hfu), own.peak.format, 100.0 * step.mfu, 100.0 * step.hfu,
        step.utilization.front().peak.format, rate);
}

std::string timeText(const Plan& plan, const StepEstimate& step)
{
    const bool serves = plan.workload.task == Task::Inference;
    std::string text = line(serves ? "Prefill" : "Step", stepText(step, serves));
    if (step.band.cases > 0)
        text += line("Error", fmt::format("step {:.3g} s, {}", step.seconds.value(), bandText(step.band)));
    if (plan.calibration) text += line("Calibrated", calibrationLine(*plan.calibration));
    text += line("Throughput",
        fmt::format("{0:.0f} {3}/s, {1:.1f} {3}/s per card, {2:.4g} billion {3} a day", step.tokens_per_second,
            step.tokens_per_second_per_card, tokensPerDay(step.tokens_per_second) / 1e9,
            serves ? "prompt tokens" : "tokens"));
    text += line("Utilization", utilizationSummary(step));
    if (step.run) text += line("Whole run", runText(*step.run));
    if (!step.utilization.empty()) {
        text += "\nUtilization of each card by what publications count as work (peaks dense, in TFLOP/s)\n"
            + utilizationText(step.utilization);
    }
    return text;
}

} // namespace

std::string_view verdictWord(Verdict verdict)
{
    constexpr auto kWords = textFor<Verdict>({"FITS", "TIGHT", "REFUSED", "OVER", "INVALID"});
    return kWords[static_cast<std::size_t>(verdict)];
}

std::string verdictLine(const Estimate& estimate, ByteUnit unit, const Translation& translation)
{
    if (!estimate.complete()) return Sentence(Sentence::tr("NO ESTIMATE: a broken rule prevents it")).in(translation);
    const StageMemory& stage = estimate.stages[estimate.worstStage()];
    const Bytes free = stage.free();
    const std::string device = amountText(stage.device(), unit);
    const std::string capacity = formatBytes(stage.capacity, unit);
    const auto said = [&]() -> Sentence {
        switch (verdict(estimate)) {
        case Verdict::Invalid:
            return Sentence::tr("INVALID, breaks {}; stage {}: {} of {}",
                {fmt::format("{}", fmt::join(brokenRules(estimate.checks), ", ")), stage.stage, device, capacity});
        case Verdict::Refused:
            return Sentence::tr("REFUSED stage {}: the server does not start, its share of the card lacks {} for one "
                                "sequence; {} of {}",
                {stage.stage, formatBytes(stage.server_lacks, unit), device, capacity});
        case Verdict::Fits:
            return Sentence::tr(
                "FITS stage {}: {} of {} ({} free)", {stage.stage, device, capacity, formatBytes(free, unit)});
        case Verdict::Tight:
            if (free < Bytes(0))
                return Sentence::tr("TIGHT stage {}: {} of {} ({} too much, but not for certain)",
                    {stage.stage, device, capacity, formatBytes(-1 * free, unit)});
            return Sentence::tr(
                "TIGHT stage {}: {} of {} ({} free)", {stage.stage, device, capacity, formatBytes(free, unit)});
        case Verdict::Over:
            return Sentence::tr(
                "OVER stage {}: {} of {} ({} too much)", {stage.stage, device, capacity, formatBytes(-1 * free, unit)});
        }
        return {};
    };
    return said().in(translation);
}

std::string textReport(const Plan& plan, const Estimate& estimate, ByteUnit unit)
{
    std::string text = plan.name.empty() ? std::string("Plan without a name") : printable(plan.name);
    text += "\n" + verdictLine(estimate, unit) + "\n\n";
    text += line("Model", modelText(plan, estimate));
    text += line("Cards", cardsText(plan.cluster));
    text += line("Parallel", parallelText(plan));
    if (!estimate.placement.empty()) text += line("Placement", placementText(plan, estimate.placement));
    text += line("Batch", batchText(plan));
    text += line("Recipe", recipeText(plan));
    text += checksText(estimate.checks) + assumedText(plan);
    if (!estimate.complete()) return text;

    text += fmt::format("\nMemory per card at each stage's peak, {} ({} bytes)\n", unitName(unit),
        unit == ByteUnit::GB ? "10^9" : "2^30");
    text += aligned(memoryRows(estimate, unit), {});
    text += '\n';
    const std::string range = rangeText(estimate.stages[estimate.worstStage()], unit);
    if (!range.empty()) text += line("Range", range);
    if (const Sentence host = hostSentence(estimate, unit); !host.empty()) text += line("Host", host.english());
    if (estimate.server) {
        text += "Server: the cache of one replica\n";
        for (const ServerRow& row : serverRows(*estimate.server, unit))
            text += fmt::format("  {:<17}{}\n", Sentence(row.question).english(), row.answer.english());
        if (estimate.server->pace) {
            text += "Decoding\n";
            for (const ServerRow& row : paceRows(*estimate.server->pace))
                text += fmt::format("  {:<17}{}\n", Sentence(row.question).english(), row.answer.english());
        }
    }
    // A served plan on one stage has neither order nor bubble.
    if (!estimate.isServed() || estimate.stages.size() > 1) text += line("Pipeline", pipelineText(estimate));
    text += timeText(plan, estimate.step);
    return text;
}

std::string memoryCsv(const Estimate& estimate)
{
    std::string text = "stage,layers_first,layers_end,cards,in_flight";
    for (const std::string_view segment : kSegmentNames)
        text += fmt::format(",{}_bytes", segment);
    for (const Total& total : kTotals)
        text += fmt::format(",{}_bytes", total.name);
    text += '\n';
    for (const StageMemory& stage : estimate.stages) {
        const std::int64_t first = stage.chunks.empty() ? 0 : stage.chunks.front().first;
        const std::int64_t end = stage.chunks.empty() ? 0 : stage.chunks.back().second;
        text += fmt::format("{},{},{},{},{}", stage.stage, first, end, stage.cards, inFlightText(stage));
        for (const Bytes bytes : stage.bytes)
            text += fmt::format(",{}", bytes.value());
        for (const Total& total : kTotals)
            text += fmt::format(",{}", total.of(stage).value());
        text += '\n';
    }
    return text;
}

std::string profileTable(const Plan& plan, ByteUnit unit)
{
    std::string text = fmt::format("{:<16}", "fullest stage");
    std::vector<Estimate> columns;
    for (const auto& profile : kProfileNames) {
        text += fmt::format("{:>14}", profile.name);
        columns.push_back(estimateUnder(plan, profile.value));
    }
    text += '\n';
    const auto row = [&](std::string_view name, const std::function<std::string(const StageMemory&)>& cell) {
        text += fmt::format("{:<16}", name);
        for (const Estimate& column : columns)
            text += fmt::format("{:>14}", column.complete() ? cell(column.stages[column.worstStage()]) : "-");
        text += '\n';
    };
    row("stage", [](const StageMemory& stage) { return std::to_string(stage.stage); });
    for (std::size_t i = 0; i < kSegmentCount; ++i)
        row(kSegmentNames[i], [&](const StageMemory& stage) { return formatBytes(stage.bytes[i], unit); });
    for (const Total& total : std::span(kTotals).first(3)) // the capacity is the same everywhere
        row(total.name, [&](const StageMemory& stage) { return formatBytes(total.of(stage), unit); });
    row("verdict", [](const StageMemory& stage) { return std::string(verdictWord(verdict(stage))); });
    return text;
}

Sentence runSentence(const RunCost& run)
{
    const auto rounded = [](double value) { return fmt::format("{:.0f}", value); };
    std::vector<Sentence> facts{
        Sentence::tr("{} billion tokens in {} days: {} steps",
            {inDigits(run.tokens / 1e9, 4), fmt::format("{:.1f}", run.days), rounded(run.steps)}),
        Sentence::tr("{} card-hours", {rounded(run.card_hours)})};
    if (run.cost_usd)
        facts.push_back(Sentence::tr("{} USD", {rounded(*run.cost_usd)}));
    else
        facts.push_back(Sentence::tr("cost unknown (the card has no price)"));
    if (run.energy_kwh)
        facts.push_back(Sentence::tr("{} kWh for the cards", {rounded(*run.energy_kwh)}));
    else
        facts.push_back(Sentence::tr("energy unknown (the power of the card is not given)"));
    return listed(facts);
}

std::string runText(const RunCost& run) { return runSentence(run).english(); }

std::vector<Row> utilizationRows(const std::vector<Utilization>& figures, const Translation& translation)
{
    const auto say = [&](Phrase title) { return Sentence(title).in(translation); };
    std::vector<Row> rows{{say(Sentence::tr("work counted by")), say(Sentence::tr("peak")),
        say(Sentence::tr("model TFLOP/s")), "MFU", say(Sentence::tr("hardware TFLOP/s")), "HFU"}};
    for (const Utilization& made : ownPeakFirst(figures)) {
        if (!made.mfu && !made.hfu) continue; // not defined for this task
        rows.push_back({say(describeWork(made.definition).title),
            fmt::format("{} {:.0f}", made.peak.format, made.peak.rate.value()), rateText(made.model_tflops_per_card),
            percentText(made.mfu), rateText(made.hardware_tflops_per_card), percentText(made.hfu)});
    }
    return rows;
}

std::string utilizationText(const std::vector<Utilization>& figures) { return aligned(utilizationRows(figures), {}); }

std::string memoryMarkdown(const Estimate& estimate, ByteUnit unit, const Translation& translation)
{
    std::vector<Row> rows = memoryRows(estimate, unit);
    rows.front() = memoryHeader(estimate.isServed(), translation);
    constexpr std::size_t kFirstAmount = 4;
    for (std::size_t i = kFirstAmount; i < rows.front().size(); ++i) {
        rows.front()[i] += fmt::format(" ({})", unitName(unit));
    }
    // The colon asks Markdown to align to the right.
    rows.insert(rows.begin() + 1, Row(rows.front().size(), "---:"));
    return aligned(rows, kMarkdownColumns);
}

} // namespace cardfit
