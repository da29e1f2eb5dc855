// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "app/cli/cli.h"
#include "core/articles.h"
#include "core/io/file.h"
#include "core/io/json_text.h"
#include "core/io/limits_text.h"
#include "core/io/plan_file.h"
#include "core/io/profile_table.h"
#include "core/io/schedule_csv.h"
#include "core/io/trace_json.h"
#include "core/pipeline/residency.h"
#include "core/plan/names.h"

namespace cardfit::app {

namespace {

bool breaksRule(const std::vector<Check>& checks)
{
    return std::ranges::any_of(checks, [](const Check& check) { return check.severity == Severity::Error; });
}

int exitCode(const Estimate& estimate)
{
    if (!estimate.complete || breaksRule(estimate.checks)) return BreaksRule;
    return estimate.fits ? Fits : OverCapacity;
}

void printLine(std::string_view text) { fmt::print("{}\n", text); }

int answerLines(const EstimateOptions& options, const Presets& presets)
{
    std::string line;
    while (std::getline(std::cin, line)) {
        const auto plan = parsePlan(line, presets);
        printLine(plan ? estimateJson(estimateUnder(*plan, options.profile), true) : errorJson(plan.error()));
        std::fflush(stdout);
    }
    return Fits;
}

void printChecks(const std::string& plan, const std::vector<Check>& checks)
{
    if (checks.empty()) printLine(fmt::format("{}: every rule is kept", plan));
    for (const Check& check : checks) {
        const auto* severity = check.severity == Severity::Error ? "error" : "warning";
        const auto valid =
            check.valid.empty() ? std::string() : fmt::format(" (valid: {})", fmt::join(check.valid, ", "));
        printLine(fmt::format("{}: {}: {}: {}{}", plan, severity, check.id, check.message, valid));
    }
}

/// A schedule, or an order from a file, with the times at which its operations run.
struct ScheduleRun {
    ScheduleHeading heading;
    Timeline timeline;
};

/// Error OutOfRange: the schedule does not accept the request.
Result<ScheduleRun> runRequest(const ScheduleOptions& options)
{
    const ScheduleRequest& request = options.request;
    if (const auto refused = refusalUnfolded(request)) {
        const auto valid =
            refused->valid.empty() ? std::string() : fmt::format(" (valid: {})", fmt::join(refused->valid, ", "));
        return fail(ErrorCode::OutOfRange, std::string(name(request.schedule)), refused->reason + valid);
    }
    const std::vector durations(static_cast<std::size_t>(request.stages),
        std::vector(static_cast<std::size_t>(request.chunks), options.durations));
    auto timeline = simulate(programs(request), placementOf(request.schedule), durations, options.transfers);
    if (!timeline) return tl::unexpected(std::move(timeline.error()));
    return ScheduleRun{
        {name(request.schedule), request.stages, request.microbatches, request.chunks}, *std::move(timeline)};
}

/// Error OutOfRange: the ranks wait for each other.
Result<ScheduleRun> runOrder(const ScheduleOrder& order, const ScheduleOptions& options)
{
    const std::vector durations(
        order.ranks.size(), std::vector(static_cast<std::size_t>(order.chunks), options.durations));
    auto timeline = simulate(order.ranks, order.placement, durations, options.transfers);
    if (!timeline) {
        timeline.error().file = options.order;
        return tl::unexpected(std::move(timeline.error()));
    }
    const auto stages = static_cast<std::int64_t>(order.ranks.size());
    return ScheduleRun{{"imported", stages, order.microbatches, order.chunks}, *std::move(timeline)};
}

/// The files that were asked for.
Result<void> writeSchedule(const ScheduleOptions& options, const ScheduleRun& run)
{
    if (!options.csv.empty()) {
        auto text = scheduleCsv(run.timeline);
        if (!text) {
            text.error().file = options.csv;
            return tl::unexpected(std::move(text.error()));
        }
        if (auto written = writeFile(options.csv, *text); !written) return written;
    }
    if (options.trace.empty()) return {};
    return writeTrace(options.trace,
        {run.timeline, {}, std::string(run.heading.schedule), CARDFIT_VERSION, kSecondsPerPlainUnit, {}});
}

void printSchedule(const ScheduleRun& run)
{
    const auto& [heading, timeline] = run;
    const BubbleFractions bubble = bubbleFractions(timeline);
    printLine(fmt::format("{}: makespan {:g}, idle {:.2f} % of the time, {:.2f} % over the ideal", heading.schedule,
        timeline.makespan, 100.0 * bubble.of_total, 100.0 * bubble.over_ideal));
    for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
        std::string line = fmt::format("rank {:>3}, {:g} in flight:", rank,
            static_cast<double>(peakInFlight(timeline.ranks[rank])) / static_cast<double>(heading.chunks));
        for (const TimedOperation& timed : timeline.ranks[rank]) {
            line += fmt::format(" {}{}", operationLetters(timed.operation.kind), timed.operation.microbatch);
            if (heading.chunks > 1) line += fmt::format("c{}", timed.operation.chunk);
        }
        printLine(line);
    }
}

} // namespace

Result<Plan> findPlan(const std::string& name, const Presets& presets)
{
    if (!std::filesystem::exists(name)) {
        if (const Plan* shipped = presets.plan(name)) return *shipped;
    }
    return readPlan(name, presets);
}

int complain(const Error& error)
{
    fmt::print(stderr, "cardfit: {}\n", describe(error));
    return error.code == ErrorCode::Usage ? WrongUsage : FileTrouble;
}

int runEstimate(const EstimateOptions& options, const Presets& presets)
{
    if (options.lines) return answerLines(options, presets);
    int code = Fits;
    std::vector<std::string> answers;
    for (const std::string& name : options.plans) {
        const auto plan = findPlan(name, presets);
        if (!plan) {
            code = std::max(code, complain(plan.error()));
            if (options.json) answers.push_back(errorJson(plan.error()));
            continue;
        }
        const Estimate result = estimateUnder(*plan, options.profile);
        code = std::max(code, exitCode(result));
        if (options.compare_profiles) {
            answers.push_back(fmt::format("{}\n\n{}", plan->name, profileTable(*plan, options.unit)));
            continue;
        }
        answers.push_back(
            options.json ? estimateJson(result) : textReport(planUnder(*plan, options.profile), result, options.unit));
    }
    if (!options.json) {
        fmt::print("{}", fmt::join(answers, "\n"));
    } else if (options.plans.size() == 1) {
        printLine(answers.front());
    } else {
        printLine(fmt::format("[\n{}\n]", fmt::join(answers, ",\n")));
    }
    return code;
}

int runAdvise(const AdviseOptions& options, const Presets& presets)
{
    const auto plan = findPlan(options.plan, presets);
    if (!plan) {
        if (options.json) printLine(errorJson(plan.error()));
        return complain(plan.error());
    }
    const Counsel answer = counsel(*plan);
    if (options.json)
        printLine(counselJson(answer));
    else
        fmt::print("{}", counselText(*plan, answer, options.unit));
    return exitCode(answer.estimate);
}

int runCheck(const CheckOptions& options, const Presets& presets)
{
    int code = Fits;
    for (const std::string& name : options.plans) {
        const auto plan = findPlan(name, presets);
        if (!plan) {
            code = std::max(code, complain(plan.error()));
            if (options.json) printLine(errorJson(plan.error()));
            continue;
        }
        const auto checks = check(*plan);
        if (breaksRule(checks)) code = std::max<int>(code, BreaksRule);
        if (options.json)
            printLine(checksJson(checks));
        else
            printChecks(name, checks);
    }
    return code;
}

int runSchedule(const ScheduleOptions& options)
{
    const auto refuse = [&](const Error& error) {
        if (options.json) printLine(errorJson(error));
        const int code = complain(error);
        // What no file is to blame for: the schedule itself cannot do what is asked.
        return error.code == ErrorCode::OutOfRange ? static_cast<int>(BreaksRule) : code;
    };
    std::optional<ScheduleOrder> order;
    if (!options.order.empty()) {
        auto read = readScheduleCsv(options.order);
        if (!read) {
            if (options.json) printLine(errorJson(read.error()));
            return complain(read.error());
        }
        order = *std::move(read);
    }
    const auto run = order ? runOrder(*order, options) : runRequest(options);
    if (!run) return refuse(run.error());
    if (const auto written = writeSchedule(options, *run); !written) return refuse(written.error());
    if (options.json)
        printLine(scheduleJson(run->heading, run->timeline));
    else
        printSchedule(*run);
    return Fits;
}

int runPresets(const std::string& kind, const Presets& presets)
{
    const auto wanted = [&](std::string_view one) { return kind.empty() || kind == one; };
    const auto title = [&](std::string_view text) {
        if (kind.empty()) printLine(fmt::format("{}:", text));
    };
    if (wanted("models")) {
        title("models");
        for (const Model& model : presets.models)
            printLine(fmt::format("{:<28} {}", model.id, model.name));
    }
    if (wanted("accelerators")) {
        title("accelerators");
        for (const Accelerator& card : presets.accelerators) {
            printLine(fmt::format("{:<28} {}, {} MiB", card.id, card.name, card.memory.value()));
        }
    }
    if (wanted("clusters")) {
        title("clusters");
        for (const Cluster& cluster : presets.clusters) {
            printLine(fmt::format(
                "{:<28} {}, {} x {} cards", cluster.id, cluster.name, cluster.nodes, cluster.cards_per_node));
        }
    }
    if (wanted("plans")) {
        title("plans");
        for (const PlanPreset& preset : presets.plans)
            printLine(fmt::format("{:<28} {}", preset.id, preset.plan.name));
    }
    for (const Error& problem : presets.problems)
        fmt::print(stderr, "cardfit: {}\n", describe(problem));
    return presets.problems.empty() ? Fits : FileTrouble;
}

int runRules(bool json)
{
    const auto rows = articleRows();
    if (json) {
        printLine(articlesJson(rows));
        return Fits;
    }
    std::string_view article;
    for (const ArticleRow& row : rows) {
        if (row.article != article) {
            article = row.article;
            printLine(fmt::format("\n{}", article));
        }
        printLine(fmt::format("{:<6} {:<7} {}", row.id, verdictName(row.verdict), row.statement));
        printLine(fmt::format("               article: {}\n               ours:    {}", row.theirs, row.ours));
        if (!row.remark.empty()) printLine(fmt::format("               remark:  {}", row.remark));
    }
    return Fits;
}

} // namespace cardfit::app
