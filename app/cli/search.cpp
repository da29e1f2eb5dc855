// SPDX-License-Identifier: GPL-3.0-or-later
// cardfit search: the best plans of a space.
#include <array>
#include <chrono>
#include <csignal>
#include <stop_token>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "app/cli/cli.h"
#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "core/report/goodput_text.h"
#include "core/report/search_text.h"

namespace cardfit::app {

namespace {

volatile std::sig_atomic_t interrupted = 0; ///< the signal

/// The first Ctrl+C stops the search and prints what it has found; the second one ends the program.
void interrupt(int signal)
{
    interrupted = signal;
    std::signal(signal, SIG_DFL);
}

/// Has a handler for the signals that end a program, but for those that it was started without, as under nohup.
void handleInterrupts(void (*handler)(int))
{
    for (const int signal : std::array{SIGINT, SIGTERM}) {
        if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
    }
}

Result<SearchRequest> requestOf(const SearchOptions& options, const Plan& plan, const Presets& presets)
{
    SearchRequest request;
    auto space = spaceFrom(plan, options.space, presets);
    if (!space) return tl::unexpected<Error>(std::move(space.error()));
    request.space = *std::move(space);
    const auto objective = figureNamed(options.objective);
    if (!objective) return tl::unexpected<Error>(inFile(objective.error(), "--objective"));
    request.objective = *objective;
    for (const std::string& text : options.limits) {
        const auto limit = limitFrom(text);
        if (!limit) return tl::unexpected<Error>(limit.error());
        request.limits.push_back(*limit);
    }
    auto front = frontNamed(options.pareto);
    if (!front) return tl::unexpected<Error>(std::move(front.error()));
    request.pareto = *std::move(front);
    request.top = options.top;
    request.why = options.why;
    request.threads = options.threads;
    if (auto refused = refusal(request)) return tl::unexpected<Error>(*std::move(refused));
    return request;
}

std::string goodputOfBest(const SearchResult& result, const Reliability& known)
{
    if (result.top.empty()) return {};
    const Plan& best = result.top.front().plan;
    const std::string text = goodputText(best, estimate(best), known);
    return text.empty() ? text : "\nBest plan: " + text;
}

int exitCode(const SearchResult& result)
{
    constexpr int kBySignal = 128; // as shells report a program that a signal has ended
    if (!result.proven) return kBySignal + interrupted;
    if (!result.top.empty()) return Fits;
    return result.nearest || result.counts.limited > 0 ? OverCapacity : BreaksRule;
}

} // namespace

Result<Plan> startingPlan(const std::string& name, const PlanReader& plans)
{
    auto plan = plans.read(name);
    if (plan || plan.error().code == ErrorCode::Usage) return plan;
    const auto text = readFile(name);
    if (!text) return plan;
    const std::size_t first = text->find_first_not_of(" \t\r\n");
    const auto launcher = detectLauncher(std::string_view(*text).substr(first == std::string::npos ? 0 : first));
    if (!launcher) return plan;
    auto base = planBehindImports(plans.presets);
    if (!base) return base;
    auto imported = importLaunch(*launcher, *text, *base, plans.presets, BaseModel::Placeholder);
    if (!imported) return tl::unexpected<Error>(inFile(imported.error(), name));
    printNotMapped(name, imported->notes);
    imported->plan.name = planNameFrom(name);
    return plans.changed(std::move(imported->plan));
}

int runSearch(const SearchOptions& options, const PlanReader& plans)
{
    const auto plan = startingPlan(options.plan, plans);
    if (!plan) return complain(plan.error(), options.json);
    const auto request = requestOf(options, *plan, plans.presets);
    if (!request) return complain(request.error(), options.json);

    std::stop_source stop;
    const bool terminal = isatty(STDERR_FILENO) == 1;
    // Apart from the search, whose progress may be silent for seconds: a signal handler must not stop it itself.
    const std::jthread watch([&stop](const std::stop_token& over) {
        constexpr std::chrono::milliseconds kBetween{5};
        for (; !over.stop_requested() && !stop.stop_requested(); std::this_thread::sleep_for(kBetween)) {
            if (interrupted != 0) stop.request_stop();
        }
    });
    const auto progress = [&](const SearchProgress& known) {
        if (terminal) printProgress(searchProgressText(*request, known));
    };
    handleInterrupts(interrupt);
    const SearchResult result = findPlans(*request, progress, stop.get_token());
    handleInterrupts(SIG_DFL);
    if (terminal) printProgress({});

    const auto json = [&] { return searchJson(*request, result, options.reliability); };
    if (!options.output.empty() && !result.proven) {
        printError(fmt::format("cardfit: stopped before all plans were decided: {} is left as it was", options.output));
    } else if (!options.output.empty()) {
        const std::string text = options.csv ? searchCsv(*request, result) : json() + "\n";
        if (auto written = writeFile(options.output, text); !written) return complain(written.error(), options.json);
    }
    if (options.json)
        print(json() + "\n");
    else if (options.csv)
        printFile(searchCsv(*request, result));
    else
        print(searchText(*request, result, options.unit) + goodputOfBest(result, options.reliability));
    return exitCode(result);
}

} // namespace cardfit::app
