// SPDX-License-Identifier: GPL-3.0-or-later
// cardfit schedule: orders and times without a model.
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/cli/cli.h"
#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "core/files/file.h"
#include "core/pipeline/analysis/residency.h"
#include "core/plan/choices.h"
#include "core/report/json_text.h"
#include "core/traces/schedule_csv.h"
#include "core/traces/schedule_text.h"
#include "core/traces/trace_json.h"

namespace cardfit::app {

namespace {

/// "; run anyway, it would ..." for schedules that a framework refuses before they start.
std::string ifRunAnyway(const ScheduleRequest& request)
{
    const auto outcome = simulateRefused(request);
    if (!outcome) return {};
    if (!outcome->deadlock.empty()) return fmt::format("; run anyway, {}", outcome->deadlock);
    return fmt::format("; run anyway, with forward passes of 1 and backward passes of 2, it would take {:g} where {:g} "
                       "are enough",
        outcome->makespan, outcome->without_extra_bubble);
}

/// "; PyTorch: ..." if no framework was asked for: the rules of the other frameworks that also refuse the schedule.
std::string otherRules(const ScheduleRequest& request, const ScheduleRefusal& told)
{
    std::string text;
    if (request.framework || !told.rule_of) return text;
    for (const Framework framework : kFrameworks) {
        if (framework == told.rule_of) continue;
        const auto refused = refusalBy(framework, request);
        if (refused && refused->rule_of)
            text += fmt::format("; {}: {}", projectOf(framework), refused->reason.english());
    }
    return text;
}

/// A schedule, or an order from a file, with the times of its operations.
struct ScheduleRun {
    ScheduleHeading heading;
    Timeline timeline;
};

/// Error OutOfRange: the schedule does not accept the request.
Result<ScheduleRun> runRequest(const ScheduleOptions& options)
{
    const ScheduleRequest& request = options.request;
    auto refused = request.framework ? refusalBy(*request.framework, request) : std::nullopt;
    if (!refused) refused = refusalUnfolded(request);
    if (refused) {
        const auto valid =
            refused->valid.empty() ? std::string() : fmt::format(" (valid: {})", fmt::join(refused->valid, ", "));
        return fail(ErrorCode::OutOfRange, std::string(name(request.schedule)),
            Sentence::verbatim(
                refused->said().english() + valid + otherRules(request, *refused) + ifRunAnyway(request)));
    }
    if (options.transfers.model != TransferModel::Latency && !canBlock(request.schedule)) {
        return fail(ErrorCode::OutOfRange, std::string(name(request.schedule)),
            Sentence::verbatim("frameworks run this schedule with transfers beside the work; taken as they come, "
                               "blocking ones would make ranks wait for each other (valid: --transfer-model latency)"));
    }
    const std::vector durations(static_cast<std::size_t>(request.stages),
        std::vector(static_cast<std::size_t>(request.chunks), options.durations));
    auto timeline = simulate(request, durations, options.transfers);
    if (!timeline) return tl::unexpected(std::move(timeline.error()));
    return ScheduleRun{headingOf(request), *std::move(timeline)};
}

/// Error OutOfRange: the order deadlocks.
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

/// Writes the files that were asked for.
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

/// "F3c1", "F3c1+B0c0"; without chunks if ranks have only one.
std::string operationText(const Operation& operation, bool chunks)
{
    const auto pass = [&](std::string_view letters, Pass of) {
        return chunks ? fmt::format("{}{}c{}", letters, of.microbatch, of.chunk)
                      : fmt::format("{}{}", letters, of.microbatch);
    };
    if (operation.kind != OperationKind::Overlapped)
        return pass(operationLetters(operation.kind), operation.forwardPass());
    return fmt::format("{}+{}", pass("F", operation.forwardPass()), pass("B", operation.backwardPass()));
}

void printSchedule(const ScheduleRun& run)
{
    const auto& [heading, timeline] = run;
    const BubbleFractions bubble = bubbleFractions(timeline);
    printLine(fmt::format(
        "{}: makespan {:g} ({:g} without a barrier between steps), idle {:.2f} % of the time, {:.2f} % "
        "over the ideal",
        heading.schedule, timeline.makespan, rankSpan(timeline), 100.0 * bubble.of_total, 100.0 * bubble.over_ideal));
    for (const FrameworkRefusal& refused : heading.refused_by)
        printLine(fmt::format("refused by {}: {}", name(refused.framework), refused.reason.english()));
    for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
        std::string line = fmt::format("rank {:>3}, {:g} in flight:", rank,
            static_cast<double>(peakInFlight(timeline.ranks[rank])) / static_cast<double>(heading.chunks));
        for (const TimedOperation& timed : timeline.ranks[rank])
            line += " " + operationText(timed.operation, heading.chunks > 1);
        printLine(line);
    }
    print(timelineText(timeline));
}

} // namespace

int runSchedule(const ScheduleOptions& options)
{
    const auto refuse = [&](const Error& error) {
        const int code = complain(error, options.json);
        // No file is at fault: the schedule itself does not accept the request.
        return error.code == ErrorCode::OutOfRange ? static_cast<int>(BreaksRule) : code;
    };
    std::optional<ScheduleOrder> order;
    if (!options.order.empty()) {
        auto read = readScheduleCsv(options.order);
        if (!read) return complain(read.error(), options.json);
        order = *std::move(read);
    }
    const auto run = order ? runOrder(*order, options) : runRequest(options);
    if (!run) return refuse(run.error());
    if (const auto written = writeSchedule(options, *run); !written) return refuse(written.error());
    if (options.json)
        print(scheduleJson(run->heading, run->timeline) + "\n");
    else
        printSchedule(*run);
    return Fits;
}

} // namespace cardfit::app
