// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/validation_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "core/accuracy/families.h"
#include "core/accuracy/plan_order.h"
#include "core/accuracy/rank_order.h"
#include "core/files/foreign_text.h"
#include "core/files/json_reader.h"
#include "core/report/columns.h"

namespace cardfit {

namespace {

using Groups = std::vector<MeasuredGroup>;

/// One case in words.
struct ReportedCase {
    const MeasuredCase* run = nullptr;
    bool experts = false;
    std::optional<double> error;
    std::string predicted, measured;
    std::string_view refusal;
};

/// What a report is about.
struct ValidationReport {
    double close = 0.0;
    std::string_view close_words; ///< heading of the cases that are
    std::string_view close_key; ///< the same in JSON
    bool shows_near = false; ///< whether cases within 10 % are counted as well
    std::string_view meaning;
    std::vector<ReportedCase> cases;

    [[nodiscard]] std::vector<GroupSummary> summaries() const
    {
        std::vector<ComparedCase> compared;
        for (const ReportedCase& one : cases)
            compared.push_back({one.run->group, one.experts, one.run->trust, one.error});
        return summarizeGroups(compared, close);
    }
};

constexpr std::string_view kMemoryMeaning = R"(
Error is predicted / measured - 1 of the peak on the cards of one pipeline stage, by the meter that the source read:
torch.cuda.max_memory_allocated, for some groups max_memory_reserved or what the driver shows. Above 0
Cardfit expects more than the run used, below 0 less: then a plan with little free memory may not fit. The table drops
the sign. Trust "high": the source gives the whole recipe and the number of cards; "medium": something that matters
had to be inferred, so that an error may be the inference's; "low": several things, or lengths that vary.
)";

constexpr std::string_view kTimeMeaning = R"(
Error is predicted / measured - 1 of the time of a whole optimizer step. Above 0 Cardfit expects a slower step than the
run's, below 0 a faster one. The table drops the sign. Trust "high": the source gives the whole recipe and the number of
cards; "medium": something that matters had to be inferred, so that an error may be the inference's. One configuration
moves by 5 % in the median, and by up to half, between releases of one framework: no estimate is better than that.
)";

constexpr std::string_view kServingMeaning = R"(
Error is predicted / measured - 1 of a time: between the tokens of one user, of an output token of all cards (the
inverse of the throughput), or to the first token of a request alone. Above 0 Cardfit expects a slower server than the
run's, below 0 a faster one. The table drops the sign. Trust "high": the source gives the whole set-up; "medium":
something that matters had to be inferred; "low": several things. The same set-up in two releases of one engine differs
by 4 % in the median, in two engines by 14 %.
)";

constexpr std::string_view kRankMeaning = R"(
Rank order: runs of one source whose plans are equal but for one degree, at three values of it or more (a run that was
repeated counts once, at its mean). Spearman's correlation of measured and predicted throughput: 1 where Cardfit puts
the values in the order that was measured, -1 in the opposite one. With a tensor, pipeline, context or expert degree the
cards stay and data follows; with data the cards follow, and the batch of the step or of a replica stays.
)";

constexpr std::string_view kOrderMeaning = R"(
Choice of a plan: runs of one source and release that train the same model with the same batch on the same cards, and
differ in the plan alone. Pairs that were measured more than 5 % apart should be predicted in that order; two plans
count under the first axis in which they differ. Regret is by how much the plan that is predicted to be the fastest
was slower than the fastest one.
)";

constexpr std::string_view kFamilyMeaning = R"(
Families: runs of one source that differ in few settings. Pairs that were measured more than 5 % apart should be
predicted in that order; the error of a ratio is how far the predicted ratio of two throughputs is from the measured
one, in the median over all pairs; the error of the time is that of single runs, with its sign.
)";

std::string_view layersWord(bool experts) { return experts ? "experts" : "dense"; }

std::string_view trustWord(const GroupSummary& summary) { return summary.trust ? trustName(*summary.trust) : "all"; }

/// A magnitude for tables: two decimals below 1 %, else one. No digit is left that another platform could change.
std::string errorPercent(double magnitude)
{
    const double value = 100.0 * magnitude;
    if (value < 0.005) return "< 0.01 %";
    return fmt::format("{:.{}f} %", value, value < 1.0 ? 2 : 1);
}

std::int64_t casesOf(const GroupSummary& summary) { return summary.errors.cases + summary.unanswered; }

/// Median and worst error, or a dash where no case was answered.
std::string errorCell(const GroupSummary& summary, double magnitude)
{
    return summary.errors.cases == 0 ? "-" : errorPercent(magnitude);
}

// Names may come from a file of cases.
std::string shownName(const Groups& groups, std::string_view id) { return printable(groupName(groups, id)); }
std::string markdownName(const Groups& groups, std::string_view id) { return markdownText(groupName(groups, id)); }

std::string groupTable(const Groups& groups, const ValidationReport& report)
{
    const auto summaries = report.summaries();
    std::size_t width = 0;
    for (const GroupSummary& summary : summaries)
        width = std::max(width, shownName(groups, summary.group).size());
    const std::string_view near_heading = report.shows_near ? "  within 10 %" : "";
    std::string text = fmt::format("{:<{}}  {:<7}  {:<6}  {:>5}  {:>8}  {:>10}{}  {:>8}\n", "group", width, "layers",
        "trust", "cases", "median", report.close_words, near_heading, "worst");
    for (const GroupSummary& summary : summaries) {
        const std::string near = report.shows_near ? fmt::format("  {:>11}", summary.errors.near) : "";
        text += fmt::format("{:<{}}  {:<7}  {:<6}  {:>5}  {:>8}  {:>10}{}  {:>8}", shownName(groups, summary.group),
            width, layersWord(summary.experts), trustWord(summary), casesOf(summary),
            errorCell(summary, summary.errors.median), summary.errors.close, near,
            errorCell(summary, summary.errors.worst));
        if (summary.unanswered > 0) text += fmt::format("  {} without a prediction", summary.unanswered);
        text += '\n';
    }
    return text;
}

/// The cases of one group: first those without a prediction, then by falling error.
std::vector<const ReportedCase*> worstFirst(const ValidationReport& report, const GroupSummary& summary)
{
    std::vector<const ReportedCase*> cases;
    for (const ReportedCase& one : report.cases) {
        if (one.run->group == summary.group && one.experts == summary.experts) cases.push_back(&one);
    }
    const auto magnitude = [](const ReportedCase* one) {
        return one->error ? std::abs(*one->error) : std::numeric_limits<double>::infinity();
    };
    std::ranges::stable_sort(cases, std::ranges::greater{}, magnitude);
    return cases;
}

std::string caseLine(const ReportedCase& one, std::size_t width)
{
    const std::string start = fmt::format("{:<{}}  {:<6}", printable(one.run->id), width, trustName(one.run->trust));
    if (!one.error) return fmt::format("{}  {:>12}  {:>12}  {}\n", start, "-", one.measured, one.refusal);
    return fmt::format("{}  {:>12}  {:>12}  {:>+8.2f} %\n", start, one.predicted, one.measured, 100.0 * *one.error);
}

std::string reportText(const Groups& groups, const ValidationReport& report)
{
    std::size_t width = 0;
    for (const ReportedCase& one : report.cases)
        width = std::max(width, one.run->id.size());

    std::string text = groupTable(groups, report);
    text += report.meaning;
    for (const GroupSummary& summary : report.summaries()) {
        if (summary.trust) continue;
        text += fmt::format("\n{}, {}\n{:<{}}  {:<6}  {:>12}  {:>12}  {:>10}\n", shownName(groups, summary.group),
            layersWord(summary.experts), "case", width, "trust", "predicted", "measured", "error");
        for (const ReportedCase* one : worstFirst(report, summary))
            text += caseLine(*one, width);
    }
    return text;
}

std::string reportMarkdown(const Groups& groups, const ValidationReport& report)
{
    std::string text = fmt::format(
        "| group | layers | trust | cases | median error | {}{} | worst |\n|---|---|---|---:|---:|---:|{}---:|\n",
        report.close_words, report.shows_near ? " | within 10 %" : "", report.shows_near ? "---:|" : "");
    for (const GroupSummary& summary : report.summaries()) {
        const std::string near = report.shows_near ? fmt::format(" | {}", summary.errors.near) : "";
        text += fmt::format("| {} | {} | {} | {} | {} | {}{} | {} |\n", markdownName(groups, summary.group),
            layersWord(summary.experts), trustWord(summary), casesOf(summary),
            errorCell(summary, summary.errors.median), summary.errors.close, near,
            errorCell(summary, summary.errors.worst));
    }
    return text;
}

Json summaryJson(const Groups& groups, const ValidationReport& report, const GroupSummary& summary)
{
    Json json = {{"group", summary.group}, {"name", groupName(groups, summary.group)},
        {"layers", layersWord(summary.experts)},
        {"trust", summary.trust ? Json(trustName(*summary.trust)) : Json(nullptr)}, {"cases", casesOf(summary)},
        {"answered", summary.errors.cases}};
    json[std::string(report.close_key)] = summary.errors.close;
    if (report.shows_near) json["within_10_percent"] = summary.errors.near;
    const bool answered = summary.errors.cases > 0;
    json["median_error"] = answered ? Json(summary.errors.median) : Json(nullptr);
    json["worst_error"] = answered ? Json(summary.errors.worst) : Json(nullptr);
    return json;
}

/// What every case has, before what was measured of it.
Json caseJson(const ReportedCase& one)
{
    return {{"id", one.run->id}, {"group", one.run->group}, {"layers", layersWord(one.experts)},
        {"trust", trustName(one.run->trust)}, {"source", one.run->source}};
}

/// `add(Json&, std::size_t)` adds what was measured of a case and predicted for it.
template <class Add>
Json reportJson(const Groups& groups, const ValidationReport& report, std::string_view figure, const Add& add)
{
    Json json = {{"format", "cardfit/validation"}, {"version", 1}, {"figure", figure}, {"groups", Json::array()}};
    for (const GroupSummary& summary : report.summaries())
        json["groups"].push_back(summaryJson(groups, report, summary));
    json["cases"] = Json::array();
    for (std::size_t i = 0; i < report.cases.size(); ++i) {
        const ReportedCase& one = report.cases[i];
        Json& entry = json["cases"].emplace_back(caseJson(one));
        add(entry, i);
        entry["error"] = one.error ? Json(*one.error) : Json(nullptr);
        if (!one.error) entry["refusal"] = one.refusal;
    }
    return json;
}

ValidationReport memoryReport(std::span<const MemoryComparison> comparisons, ByteUnit unit)
{
    ValidationReport report{kCloseMemory, "within 3 %", "within_3_percent", true, kMemoryMeaning, {}};
    for (const MemoryComparison& one : comparisons) {
        report.cases.push_back({&one.measured, one.experts(), one.error(),
            one.predicted ? formatBytes(*one.predicted, unit) : "", formatBytes(one.measured.peak, unit), one.refusal});
    }
    return report;
}

std::string throughput(double tokens) { return fmt::format("{:.{}f} tok/s", tokens, tokens < 100.0 ? 1 : 0); }

ValidationReport timeReport(std::span<const TimeComparison> comparisons)
{
    ValidationReport report{kCloseTime, "within 20 %", "within_20_percent", false, kTimeMeaning, {}};
    for (const TimeComparison& one : comparisons) {
        report.cases.push_back(
            {&one.measured, one.experts(), one.error(), one.predicted ? throughput(*one.predicted) : "",
                throughput(one.measured.tokens_per_second_per_card), one.refusal});
    }
    return report;
}

std::string servingFigure(ServingFigure figure, double value)
{
    switch (figure) {
    case ServingFigure::TokenTime:
    case ServingFigure::FirstToken: break;
    case ServingFigure::UserSpeed:
    case ServingFigure::Throughput: return throughput(value);
    }
    return fmt::format("{:.{}f} ms", value, value < 100.0 ? 1 : 0);
}

std::string_view figureKey(ServingFigure figure)
{
    switch (figure) {
    case ServingFigure::TokenTime: return "tpot_ms";
    case ServingFigure::UserSpeed: return "tokens_per_second_per_user";
    case ServingFigure::Throughput: return "output_tokens_per_second";
    case ServingFigure::FirstToken: return "ttft_ms";
    }
    return {};
}

std::string_view figureWords(ServingClass figure)
{
    switch (figure) {
    case ServingClass::TokenTime: return "time per token";
    case ServingClass::Throughput: return "throughput";
    case ServingClass::FirstToken: return "first token alone";
    }
    return {};
}

ReportedCase servingCase(const ServingComparison& one)
{
    const ServingFigure figure = one.measured.figure;
    return {&one.measured, one.experts(), one.error(), one.predicted ? servingFigure(figure, *one.predicted) : "",
        servingFigure(figure, one.measured.value), one.refusal};
}

/// Of the counted runs.
ValidationReport servingReport(std::span<const ServingComparison> comparisons)
{
    ValidationReport report{kCloseServing, "within 15 %", "within_15_percent", false, kServingMeaning, {}};
    for (const ServingComparison& one : comparisons) {
        if (one.counts()) report.cases.push_back(servingCase(one));
    }
    return report;
}

std::string servingFigures(std::span<const ServingComparison> comparisons)
{
    std::string text = fmt::format(
        "{:<17}  {:<7}  {:>5}  {:>8}  {:>11}  {:>8}\n", "figure", "layers", "cases", "median", "within 15 %", "worst");
    for (const ServingSummary& one : summarizeServing(comparisons)) {
        text += fmt::format("{:<17}  {:<7}  {:>5}  {:>8}  {:>11}  {:>8}\n", figureWords(one.figure),
            layersWord(one.experts), one.errors.cases, errorPercent(one.errors.median), one.errors.close,
            errorPercent(one.errors.worst));
    }
    return text;
}

std::string servingFiguresMarkdown(std::span<const ServingComparison> comparisons)
{
    std::string text =
        "| figure | layers | cases | median error | within 15 % | worst |\n|---|---|---:|---:|---:|---:|\n";
    for (const ServingSummary& one : summarizeServing(comparisons)) {
        text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", figureWords(one.figure), layersWord(one.experts),
            one.errors.cases, errorPercent(one.errors.median), one.errors.close, errorPercent(one.errors.worst));
    }
    return text;
}

/// Runs that are not counted, each with the reason.
std::string runsApart(std::span<const ServingComparison> comparisons)
{
    std::size_t width = 0;
    for (const ServingComparison& one : comparisons) {
        if (!one.counts()) width = std::max(width, one.measured.id.size());
    }
    if (width == 0) return {};
    std::string text = "\nshown apart, not counted\n";
    for (const ServingComparison& one : comparisons) {
        if (one.counts()) continue;
        text += caseLine(servingCase(one), width);
        text += fmt::format("{:<{}}    {}\n", "", width, printable(one.measured.apart));
    }
    return text;
}

std::string rankSummaryLine(std::span<const DegreeRanking> orders)
{
    const RankSummary all = summarizeRanks(orders, 0.0);
    const RankSummary apart = summarizeRanks(orders, kRankNoise);
    if (all.groups == 0) return "No source varies one degree with all else fixed, at three values or more.\n";
    return fmt::format("Mean rank correlation {:.2f} of {} groups; {:.2f} of the {} whose measured values lie {:.0f} % "
                       "apart or more.\n",
        all.mean, all.groups, apart.mean, apart.groups, 100.0 * kRankNoise);
}

double shareOf(std::int64_t part, std::int64_t all)
{
    return all > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(all) : 0.0;
}

constexpr std::string_view kVerdictMeaning = R"(
A death is a run that ran out of GPU memory, or a server that refused to start; should be over, refused or tight.
"Beside": two runs of one source that differ in one setting, the first of which died and the last of which ran. A run
that ran should fit or be tight.
)";

constexpr std::array kAllVerdicts{Verdict::Fits, Verdict::Tight, Verdict::Refused, Verdict::Over, Verdict::Invalid};

/// Of all runs whose plans have a verdict, how many ran.
std::string ranShare(const VerdictTable& table, Verdict verdict)
{
    const std::int64_t ran = table.ran.of(verdict);
    const std::int64_t all = ran + table.deaths.of(verdict);
    return all == 0 ? "-" : fmt::format("{:.1f} %", shareOf(ran, all));
}

/// A header, a row for each class of runs, and how many runs of each verdict ran.
std::vector<Row> verdictRows(const VerdictTable& table)
{
    std::vector<Row> rows{{"runs", "all"}};
    for (const Verdict verdict : kAllVerdicts)
        rows.front().emplace_back(verdictName(verdict));
    for (const VerdictRow& runs : table.rows()) {
        Row& row = rows.emplace_back(Row{std::string(runs.runs), std::to_string(runs.all())});
        for (const Verdict verdict : kAllVerdicts)
            row.push_back(std::to_string(runs.of(verdict)));
    }
    Row& shares = rows.emplace_back(Row{"of all runs, ran", ""});
    for (const Verdict verdict : kAllVerdicts)
        shares.push_back(ranShare(table, verdict));
    return rows;
}

/// Whether a published outcome contradicts the verdict.
bool contradicts(const JudgedRun& run)
{
    return run.outcome == Outcome::Ran ? !isFit(run.verdict) : run.verdict == Verdict::Fits;
}

std::string outcomeWords(const JudgedRun& run)
{
    return fmt::format("{}{}", kOutcomeNames[static_cast<std::size_t>(run.outcome)].name,
        !run.at_limit                     ? ""
            : run.outcome == Outcome::Ran ? " beside one that died"
                                          : " beside one that ran");
}

std::string orderSummaryLine(const OrderSummary& order)
{
    if (order.pairs == 0) return "No source ran one model by several plans that were measured 5 % apart or more.\n";
    return fmt::format(
        "Of {} pairs of plans more than {:.0f} % apart {} are in the right order, {:.0f} %. Of {} choices {} "
        "cost more than {:.0f} %, at worst {}.\n",
        order.pairs, 100.0 * kTellApart, order.right, shareOf(order.right, order.pairs), order.choices, order.regretted,
        100.0 * kRegret, errorPercent(order.worst_regret));
}

std::string orderText(std::span<const TimeComparison> comparisons)
{
    const OrderSummary order = summarizeOrder(planChoices(comparisons));
    std::string text(kOrderMeaning);
    text += orderSummaryLine(order);
    for (const AxisOrder& axis : order.axes) {
        text += fmt::format("{:>24}  {:>4} of {:>4} pairs in order\n", planAxisName(axis.axis), axis.right, axis.pairs);
    }
    return text;
}

std::string orderMarkdown(std::span<const TimeComparison> comparisons)
{
    const OrderSummary order = summarizeOrder(planChoices(comparisons));
    if (order.pairs == 0) return "\n" + orderSummaryLine(order);
    std::string text = "\n| axis | pairs over 5 % apart | in the right order |\n|---|---:|---:|\n";
    for (const AxisOrder& axis : order.axes) {
        text += fmt::format(
            "| {} | {} | {:.0f} % |\n", planAxisName(axis.axis), axis.pairs, shareOf(axis.right, axis.pairs));
    }
    return text + "\n" + orderSummaryLine(order);
}

Json orderJson(std::span<const TimeComparison> comparisons)
{
    const OrderSummary order = summarizeOrder(planChoices(comparisons));
    Json json = {{"pairs", order.pairs}, {"in_order", order.right}, {"choices", order.choices},
        {"regretted", order.regretted}, {"worst_regret", order.worst_regret}, {"axes", Json::array()}};
    for (const AxisOrder& axis : order.axes)
        json["axes"].push_back({{"axis", planAxisName(axis.axis)}, {"pairs", axis.pairs}, {"in_order", axis.right}});
    return json;
}

std::string rankText(const Groups& groups, std::span<const TimeComparison> comparisons)
{
    const auto orders = rankOrders(comparisons);
    std::string text(kRankMeaning);
    text += rankSummaryLine(orders);
    for (const DegreeRanking& order : orders) {
        text += fmt::format("\n{}, {}: {:+.2f}, measured values {} apart\n", shownName(groups, order.group),
            variedName(order.degree), order.spearman(), errorPercent(order.spread()));
        for (const RankPoint& point : order.points) {
            text += fmt::format("{:>10}  predicted {:>12}  measured {:>12}\n", point.value, throughput(point.predicted),
                throughput(point.measured));
        }
    }
    return text;
}

/// One row per source and degree.
std::string rankMarkdown(const Groups& groups, std::span<const TimeComparison> comparisons)
{
    const auto orders = rankOrders(comparisons);
    if (orders.empty()) return "\n" + rankSummaryLine(orders);
    std::string text = "\n| group | varied | groups | mean rank correlation |\n|---|---|---:|---:|\n";
    for (auto first = orders.begin(); first != orders.end();) {
        const auto other = [&](const DegreeRanking& order) {
            return order.group != first->group || order.degree != first->degree;
        };
        const auto end = std::find_if(first, orders.end(), other);
        const RankSummary summary = summarizeRanks({first, end}, 0.0);
        text += fmt::format("| {} | {} | {} | {:.2f} |\n", markdownName(groups, first->group),
            variedName(first->degree), summary.groups, summary.mean);
        first = end;
    }
    return text + "\n" + rankSummaryLine(orders);
}

Json rankJson(std::span<const TimeComparison> comparisons)
{
    Json all = Json::array();
    for (const DegreeRanking& order : rankOrders(comparisons)) {
        Json& json = all.emplace_back(Json::object());
        json["group"] = order.group;
        json["varied"] = variedName(order.degree);
        json["correlation"] = order.spearman();
        json["spread"] = order.spread();
        json["points"] = Json::array();
        for (const RankPoint& point : order.points) {
            json["points"].push_back(
                {{"value", point.value}, {"measured", point.measured}, {"predicted", point.predicted}});
        }
    }
    return all;
}

/// No family: all that vary the same, or all.
Json familiesJson(std::span<const TimeComparison> comparisons)
{
    Json all = Json::array();
    for (const FamilyOrder& one : familyOrders(comparisons)) {
        all.push_back(
            {{"family", one.group.empty() ? Json(nullptr) : Json(one.group)}, {"varied", one.axis}, {"runs", one.runs},
                {"pairs", one.pairs}, {"in_order", one.right}, {"ratio_error", one.ratio}, {"time_error", one.level}});
    }
    return all;
}

std::string familyName(const Groups& groups, const FamilyOrder& order)
{
    if (!order.group.empty()) return fmt::format("{} ({})", shownName(groups, order.group), printable(order.axis));
    return order.axis.empty() ? "all families" : fmt::format("all that vary {}", printable(order.axis));
}

} // namespace

std::string memoryValidationText(const Groups& groups, std::span<const MemoryComparison> comparisons, ByteUnit unit)
{
    return reportText(groups, memoryReport(comparisons, unit));
}

std::string memoryValidationMarkdown(const Groups& groups, std::span<const MemoryComparison> comparisons)
{
    return reportMarkdown(groups, memoryReport(comparisons, ByteUnit::GB));
}

std::string memoryValidationJson(const Groups& groups, std::span<const MemoryComparison> comparisons)
{
    return indentedJson(
        reportJson(groups, memoryReport(comparisons, ByteUnit::GB), "allocated_bytes", [&](Json& json, std::size_t i) {
            const MemoryComparison& one = comparisons[i];
            json["stage"] = one.measured.stage;
            json["measured_bytes"] = one.measured.peak.value();
            json["predicted_bytes"] = one.predicted ? Json(one.predicted->value()) : Json(nullptr);
        }));
}

std::string timeValidationText(const Groups& groups, std::span<const TimeComparison> comparisons)
{
    return reportText(groups, timeReport(comparisons)) + orderText(comparisons) + rankText(groups, comparisons);
}

std::string timeValidationMarkdown(const Groups& groups, std::span<const TimeComparison> comparisons)
{
    return reportMarkdown(groups, timeReport(comparisons)) + orderMarkdown(comparisons)
        + rankMarkdown(groups, comparisons);
}

std::string timeValidationJson(
    const Groups& groups, std::span<const TimeComparison> comparisons, std::span<const TimeComparison> families)
{
    const auto add = [&](Json& json, std::size_t i) {
        const TimeComparison& one = comparisons[i];
        json["measured"] = one.measured.tokens_per_second_per_card;
        json["predicted"] = one.predicted ? Json(*one.predicted) : Json(nullptr);
    };
    Json json = reportJson(groups, timeReport(comparisons), "tokens_per_second_per_card", add);
    json["plan_order"] = orderJson(comparisons);
    json["rank_order"] = rankJson(comparisons);
    json["families"] = familiesJson(families);
    return indentedJson(json);
}

std::string verdictValidationText(std::span<const JudgedRun> runs, ByteUnit unit)
{
    std::string text;
    for (Row& row : verdictRows(verdictTable(runs))) {
        if (text.empty()) row.front().clear(); // the rows say what they are
        text += fmt::format("{:<27}  {:>5}", row[0], row[1]);
        for (std::size_t i = 2; i < row.size(); ++i)
            text += fmt::format("  {:>8}", row[i]);
        text += '\n';
    }
    text += kVerdictMeaning;
    text += "\nVerdicts that the runs contradict\n";
    for (const JudgedRun& run : runs) {
        if (!contradicts(run)) continue;
        const std::string amount = run.over > Bytes(0) ? formatBytes(run.over, unit) + " over"
                                                       : formatBytes(Bytes(0) - run.over, unit) + " short of over";
        text += fmt::format("{}: {}, but {}: {}\n", printable(run.id), outcomeWords(run), verdictName(run.verdict),
            run.why.empty() ? amount : run.why);
    }
    return text;
}

std::string verdictValidationMarkdown(std::span<const JudgedRun> runs)
{
    std::string text;
    for (const Row& row : verdictRows(verdictTable(runs))) {
        const bool first = text.empty();
        text += '|';
        for (const std::string& cell : row)
            text += cell.empty() ? " |" : fmt::format(" {} |", cell);
        text += '\n';
        if (!first) continue;
        text += "|---|";
        for (std::size_t i = 1; i < row.size(); ++i)
            text += "---:|";
        text += '\n';
    }
    return text;
}

std::string verdictValidationJson(std::span<const JudgedRun> runs)
{
    Json json = {{"format", "cardfit/validation"}, {"version", 1}, {"figure", "verdict"}, {"rows", Json::array()},
        {"cases", Json::array()}};
    for (const VerdictRow& row : verdictTable(runs).rows()) {
        Json& entry = json["rows"].emplace_back(Json{{"runs", row.runs}, {"all", row.all()}});
        for (const Verdict verdict : kAllVerdicts)
            entry[std::string(verdictName(verdict))] = row.of(verdict);
    }
    for (const JudgedRun& run : runs) {
        Json& entry = json["cases"].emplace_back(
            Json{{"id", run.id}, {"outcome", kOutcomeNames[static_cast<std::size_t>(run.outcome)].name},
                {"at_limit", run.at_limit}, {"verdict", verdictName(run.verdict)}, {"over_bytes", run.over.value()}});
        if (!run.why.empty()) entry["why"] = run.why;
    }
    return indentedJson(json);
}

std::string servingValidationText(const Groups& groups, std::span<const ServingComparison> comparisons)
{
    return servingFigures(comparisons) + "\n" + reportText(groups, servingReport(comparisons)) + runsApart(comparisons);
}

std::string servingValidationMarkdown(const Groups& groups, std::span<const ServingComparison> comparisons)
{
    return servingFiguresMarkdown(comparisons) + "\n" + reportMarkdown(groups, servingReport(comparisons));
}

std::string servingValidationJson(const Groups& groups, std::span<const ServingComparison> comparisons)
{
    ValidationReport all = servingReport(comparisons);
    Json summaries = Json::array();
    for (const GroupSummary& summary : all.summaries())
        summaries.push_back(summaryJson(groups, all, summary));
    all.cases.clear();
    for (const ServingComparison& one : comparisons)
        all.cases.push_back(servingCase(one));
    Json json = reportJson(groups, all, "serving", [&](Json& entry, std::size_t i) {
        const ServingComparison& one = comparisons[i];
        entry["figure"] = figureKey(one.measured.figure);
        entry["measured"] = one.measured.value;
        entry["predicted"] = one.predicted ? Json(*one.predicted) : Json(nullptr);
        entry["apart"] = one.counts() ? Json(nullptr) : Json(one.measured.apart);
    });
    json["groups"] = std::move(summaries);
    json["figures"] = Json::array();
    for (const ServingSummary& one : summarizeServing(comparisons)) {
        json["figures"].push_back({{"figure", figureWords(one.figure)}, {"layers", layersWord(one.experts)},
            {"cases", one.errors.cases}, {"median_error", one.errors.median}, {"within_15_percent", one.errors.close},
            {"worst_error", one.errors.worst}});
    }
    return indentedJson(json);
}

std::string familiesText(const Groups& groups, std::span<const TimeComparison> comparisons)
{
    std::string text(kFamilyMeaning);
    for (const FamilyOrder& one : familyOrders(comparisons)) {
        text += fmt::format("{:>4} of {:>4} pairs in order  ratio off {:>7}  time off {:>+7.1f} %  {}\n", one.right,
            one.pairs, errorPercent(one.ratio), 100.0 * one.level, familyName(groups, one));
    }
    return text;
}

std::string familiesMarkdown(const Groups& groups, std::span<const TimeComparison> comparisons)
{
    std::string text =
        "\n| family | varied | runs | pairs over 5 % apart | in the right order | median error of a ratio | "
        "median error of the time |\n|---|---|---:|---:|---:|---:|---:|\n";
    for (const FamilyOrder& one : familyOrders(comparisons)) {
        const std::string name = one.group.empty() ? "all" : markdownName(groups, one.group);
        text += fmt::format("| {} | {} | {} | {} | {:.0f} % | {} | {:+.1f} % |\n", name,
            one.axis.empty() ? "all" : markdownText(one.axis), one.runs, one.pairs, shareOf(one.right, one.pairs),
            errorPercent(one.ratio), 100.0 * one.level);
    }
    return text;
}

} // namespace cardfit
