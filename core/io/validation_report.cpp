// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/validation_report.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "core/io/json_reader.h"

namespace cardfit {

namespace {

using Groups = std::vector<MeasuredGroup>;
using Comparisons = std::span<const MemoryComparison>;

constexpr std::string_view kMeaning = R"(
Error is predicted / measured - 1 of torch.cuda.max_memory_allocated on the cards of one pipeline stage. Above 0
Cardfit expects more than the run used, below 0 less: then a plan with little free memory may not fit. The table drops
the sign. Trust "high": the source gives the whole recipe and the number of cards; "medium": something that matters
had to be inferred, so that an error may be the inference's. What the driver shows comes on top and is not measured
here: allocator reserve, communication libraries, device context.
)";

std::string_view layersWord(bool experts) { return experts ? "experts" : "dense"; }

std::string_view trustWord(const MemorySummary& summary) { return summary.trust ? trustName(*summary.trust) : "all"; }

/// A magnitude for tables: two decimals below 1 %, else one. No digit is left that another platform could change.
std::string percent(double magnitude)
{
    const double value = 100.0 * magnitude;
    if (value < 0.005) return "< 0.01 %";
    return fmt::format("{:.{}f} %", value, value < 1.0 ? 2 : 1);
}

std::int64_t casesOf(const MemorySummary& summary) { return summary.errors.cases + summary.unanswered; }

/// Median and worst error, or a dash where no case was answered.
std::string errorCell(const MemorySummary& summary, double magnitude)
{
    return summary.errors.cases == 0 ? "-" : percent(magnitude);
}

std::string groupTable(const Groups& groups, const std::vector<MemorySummary>& summaries)
{
    std::size_t width = 0;
    for (const MemorySummary& summary : summaries)
        width = std::max(width, groupName(groups, summary.group).size());
    std::string text = fmt::format("{:<{}}  {:<7}  {:<6}  {:>5}  {:>8}  {:>10}  {:>8}\n", "group", width, "layers",
        "trust", "cases", "median", "within 3 %", "worst");
    for (const MemorySummary& summary : summaries) {
        text += fmt::format("{:<{}}  {:<7}  {:<6}  {:>5}  {:>8}  {:>10}  {:>8}", groupName(groups, summary.group),
            width, layersWord(summary.experts), trustWord(summary), casesOf(summary),
            errorCell(summary, summary.errors.median), summary.errors.close, errorCell(summary, summary.errors.worst));
        if (summary.unanswered > 0) text += fmt::format("  {} without a prediction", summary.unanswered);
        text += '\n';
    }
    return text;
}

/// The cases of one group, the largest error first; those without a prediction before all.
std::vector<const MemoryComparison*> worstFirst(Comparisons comparisons, const MemorySummary& summary)
{
    std::vector<const MemoryComparison*> cases;
    for (const MemoryComparison& one : comparisons) {
        if (one.measured.group == summary.group && one.experts() == summary.experts) cases.push_back(&one);
    }
    const auto magnitude = [](const MemoryComparison* one) {
        const auto error = one->error();
        return error ? std::abs(*error) : std::numeric_limits<double>::infinity();
    };
    std::ranges::stable_sort(cases, std::ranges::greater{}, magnitude);
    return cases;
}

std::string caseLine(const MemoryComparison& one, std::size_t width, ByteUnit unit)
{
    const MeasuredMemory& measured = one.measured;
    const std::string start = fmt::format("{:<{}}  {:<6}", measured.id, width, trustName(measured.trust));
    const std::string allocated = formatBytes(measured.allocated, unit);
    if (!one.predicted) return fmt::format("{}  {:>12}  {:>12}  {}\n", start, "-", allocated, one.refusal);
    return fmt::format(
        "{}  {:>12}  {:>12}  {:>+8.2f} %\n", start, formatBytes(*one.predicted, unit), allocated, 100.0 * *one.error());
}

Json summaryJson(const Groups& groups, const MemorySummary& summary)
{
    Json json = Json::object();
    json["group"] = summary.group;
    json["name"] = groupName(groups, summary.group);
    json["layers"] = layersWord(summary.experts);
    json["trust"] = summary.trust ? Json(trustName(*summary.trust)) : Json(nullptr);
    json["cases"] = casesOf(summary);
    json["answered"] = summary.errors.cases;
    json["within_3_percent"] = summary.errors.close;
    const bool answered = summary.errors.cases > 0;
    json["median_error"] = answered ? Json(summary.errors.median) : Json(nullptr);
    json["worst_error"] = answered ? Json(summary.errors.worst) : Json(nullptr);
    return json;
}

Json caseJson(const MemoryComparison& one)
{
    const MeasuredMemory& measured = one.measured;
    Json json = Json::object();
    json["id"] = measured.id;
    json["group"] = measured.group;
    json["layers"] = layersWord(one.experts());
    json["trust"] = trustName(measured.trust);
    json["source"] = measured.source;
    json["stage"] = measured.stage;
    json["measured_bytes"] = measured.allocated.value();
    json["predicted_bytes"] = one.predicted ? Json(one.predicted->value()) : Json(nullptr);
    json["error"] = one.predicted ? Json(*one.error()) : Json(nullptr);
    if (!one.predicted) json["refusal"] = one.refusal;
    return json;
}

} // namespace

std::string memoryValidationText(const Groups& groups, Comparisons comparisons, ByteUnit unit)
{
    const auto summaries = summarizeMemory(comparisons);
    std::size_t width = 0;
    for (const MemoryComparison& one : comparisons)
        width = std::max(width, one.measured.id.size());

    std::string text = groupTable(groups, summaries);
    text += kMeaning;
    for (const MemorySummary& summary : summaries) {
        if (summary.trust) continue;
        text += fmt::format("\n{}, {}\n{:<{}}  {:<6}  {:>12}  {:>12}  {:>10}\n", groupName(groups, summary.group),
            layersWord(summary.experts), "case", width, "trust", "predicted", "measured", "error");
        for (const MemoryComparison* one : worstFirst(comparisons, summary))
            text += caseLine(*one, width, unit);
    }
    return text;
}

std::string memoryValidationMarkdown(const Groups& groups, Comparisons comparisons)
{
    std::string text = "| group | layers | trust | cases | median error | within 3 % | worst |\n"
                       "|---|---|---|---:|---:|---:|---:|\n";
    for (const MemorySummary& summary : summarizeMemory(comparisons)) {
        text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", groupName(groups, summary.group),
            layersWord(summary.experts), trustWord(summary), casesOf(summary),
            errorCell(summary, summary.errors.median), summary.errors.close, errorCell(summary, summary.errors.worst));
    }
    return text;
}

std::string memoryValidationJson(const Groups& groups, Comparisons comparisons)
{
    Json json = Json::object();
    json["format"] = "cardfit/validation";
    json["version"] = 1;
    json["figure"] = "allocated_bytes";
    json["groups"] = Json::array();
    for (const MemorySummary& summary : summarizeMemory(comparisons))
        json["groups"].push_back(summaryJson(groups, summary));
    json["cases"] = Json::array();
    for (const MemoryComparison& one : comparisons)
        json["cases"].push_back(caseJson(one));
    return indentedJson(json);
}

} // namespace cardfit
