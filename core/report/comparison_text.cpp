// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/comparison_text.h"

#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "core/files/foreign_text.h"
#include "core/files/json_reader.h"
#include "core/files/plan_differences.h"

namespace cardfit {

namespace {

const StageMemory& fullest(const Estimate& estimate) { return estimate.stages[estimate.worstStage()]; }

std::string_view verdictOf(const Estimate& estimate) { return verdictWord(verdict(estimate)); }

// ---- Text

constexpr std::size_t kLongestWord = 40; ///< of a changed input: lists of dozens of numbers are cut off

std::string shortened(const std::string& text)
{
    if (text.size() <= kLongestWord) return text;
    std::size_t end = kLongestWord - 3;
    // Not within a character.
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end;
    return text.substr(0, end) + "...";
}

class Table {
public:
    void add(std::string_view name, const std::string& before, const std::string& after, const std::string& difference)
    {
        m_text += fmt::format("{:<22}{:>16}{:>16}{:>16}\n", name, before, after, difference);
    }
    void addBytes(std::string_view name, Bytes before, Bytes after, ByteUnit unit)
    {
        const Bytes difference = after - before;
        const auto magnitude = formatBytes(difference < Bytes(0) ? difference * -1 : difference, unit);
        add(name, formatBytes(before, unit), formatBytes(after, unit),
            fmt::format("{}{}", difference < Bytes(0) ? "-" : "+", magnitude));
    }
    void addNumber(std::string_view name, const std::optional<double>& before, const std::optional<double>& after,
        int decimals, std::string_view unit)
    {
        const auto cell = [&](const std::optional<double>& value) {
            return value ? fmt::format("{:.{}f}{}", *value, decimals, unit) : "-";
        };
        const bool both = before && after;
        add(name, cell(before), cell(after), both ? fmt::format("{:+.{}f}{}", *after - *before, decimals, unit) : "-");
    }
    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    std::string m_text;
};

std::string changesText(const std::vector<Edit>& edits)
{
    if (edits.empty()) return "No input differs.\n";
    std::size_t width = 0;
    for (const Edit& edit : edits)
        width = std::max(width, edit.field.size());
    std::string text = fmt::format("Changed inputs: {}\n", edits.size());
    for (const Edit& edit : edits)
        text += fmt::format(
            "  {:<{}}  {} -> {}\n", edit.field, width, printable(shortened(edit.from)), printable(shortened(edit.to)));
    return text;
}

/// A figure of a complete estimate; none otherwise.
template <class Read> std::optional<double> figure(const Estimate& estimate, Read read)
{
    return estimate.complete() ? std::optional<double>(read(estimate.step)) : std::nullopt;
}

std::optional<double> runFigure(const Estimate& estimate, double RunCost::*figure)
{
    if (!estimate.complete() || !estimate.step.run) return std::nullopt;
    return (*estimate.step.run).*figure;
}

/// Of a server's times; none if it has none.
template <class Read> std::optional<double> paceFigure(const Estimate& estimate, Read read)
{
    if (!estimate.server || !estimate.server->pace) return std::nullopt;
    return std::invoke(read, *estimate.server->pace);
}

std::optional<double> costOf(const Estimate& estimate)
{
    return estimate.complete() && estimate.step.run ? estimate.step.run->cost_usd : std::nullopt;
}

// ---- JSON

Json sideJson(const PlanAndEstimate& side)
{
    const Estimate& estimate = side.estimate;
    Json json = {
        {"plan", side.plan.name}, {"complete", estimate.complete()}, {"verdict", verdictName(verdict(estimate))}};
    if (!estimate.complete()) return json;
    const StageMemory& stage = fullest(estimate);
    json["fullest_stage"] = stage.stage;
    json["device_bytes"] = stage.device().value();
    json["capacity_bytes"] = stage.capacity.value();
    json["step_seconds"] = estimate.step.seconds.value();
    json["tokens_per_second_per_card"] = estimate.step.tokens_per_second_per_card;
    json["mfu"] = estimate.step.mfu;
    json["days"] = plainNumber(runFigure(estimate, &RunCost::days));
    json["cost_usd"] = plainNumber(costOf(estimate));
    return json;
}

Json differenceJson(const Estimate& before, const Estimate& after)
{
    const StageMemory& from = fullest(before);
    const StageMemory& to = fullest(after);
    Json json = Json::object();
    json["device_bytes"] = (to.device() - from.device()).value();
    for (std::size_t i = 0; i < kSegmentCount; ++i)
        json["segments"][std::string(kSegmentNames[i])] = (to.bytes[i] - from.bytes[i]).value();
    json["step_seconds"] = (after.step.seconds - before.step.seconds).value();
    for (std::size_t i = 0; i < kStepPartCount; ++i) {
        const auto part = static_cast<StepPart>(i);
        json["parts"][std::string(stepPartName(part))] = (after.step.parts[part] - before.step.parts[part]).value();
    }
    return json;
}

} // namespace

std::string comparisonText(const PlanAndEstimate& before, const PlanAndEstimate& after, ByteUnit unit)
{
    const Estimate& from = before.estimate;
    const Estimate& to = after.estimate;
    Table table;
    table.add("", "before", "after", "difference");
    table.add("verdict", std::string(verdictOf(from)), std::string(verdictOf(to)), "");
    const auto number = [&](std::string_view name, auto read, int decimals, std::string_view suffix) {
        table.addNumber(name, figure(from, read), figure(to, read), decimals, suffix);
    };
    number(
        "step time", [](const StepEstimate& step) { return step.seconds.value(); }, 4, " s");
    number(
        "tokens/s per card", [](const StepEstimate& step) { return step.tokens_per_second_per_card; }, 1, "");
    number(
        "MFU, 16-bit peak", [](const StepEstimate& step) { return step.mfu * 100.0; }, 2, " %");
    if (from.isServed() && to.isServed()) {
        const auto pace = [&](std::string_view name, auto read, int decimals, std::string_view suffix) {
            table.addNumber(name, paceFigure(from, read), paceFigure(to, read), decimals, suffix);
        };
        pace(
            "time per token", [](const ServerPace& of) { return 1e3 * of.pace.tpot().value(); }, 2, " ms");
        pace("output tokens/s per card", &ServerPace::output_tokens_per_second_per_card, 1, "");
        pace(
            "users within limits", [](const ServerPace& of) { return static_cast<double>(of.users.users); }, 0, "");
    }
    table.addNumber("days", runFigure(from, &RunCost::days), runFigure(to, &RunCost::days), 2, "");
    table.addNumber("cost", costOf(from), costOf(to), 0, " USD");
    if (from.complete() && to.complete()) {
        table.add("fullest stage", std::to_string(fullest(from).stage), std::to_string(fullest(to).stage), "");
        for (std::size_t i = 0; i < kSegmentCount; ++i)
            table.addBytes(fmt::format("  {}", kSegmentNames[i]), fullest(from).bytes[i], fullest(to).bytes[i], unit);
        table.addBytes("  device", fullest(from).device(), fullest(to).device(), unit);
        table.add("step by part", "", "", "");
        for (std::size_t i = 0; i < kStepPartCount; ++i) {
            const auto part = static_cast<StepPart>(i);
            if (from.step.parts[part] == Seconds(0.0) && to.step.parts[part] == Seconds(0.0)) continue;
            table.addNumber(fmt::format("  {}", stepPartName(part)), from.step.parts[part].value(),
                to.step.parts[part].value(), 4, " s");
        }
    }
    return fmt::format("before: {}\nafter:  {}\n\n{}\n{}", printable(before.plan.name), printable(after.plan.name),
        changesText(planDifferences(before.plan, after.plan)), table.take());
}

std::string comparisonJson(const PlanAndEstimate& before, const PlanAndEstimate& after)
{
    Json json = {{"format", "cardfit/comparison"}, {"version", 1}, {"before", sideJson(before)},
        {"after", sideJson(after)}, {"changes", Json::array()}};
    for (const Edit& edit : planDifferences(before.plan, after.plan)) {
        json["changes"].push_back({{"field", edit.field}, {"from", edit.from}, {"to", edit.to}});
    }
    const bool both = before.estimate.complete() && after.estimate.complete();
    json["difference"] = both ? differenceJson(before.estimate, after.estimate) : Json(nullptr);
    return indentedJson(json);
}

} // namespace cardfit
