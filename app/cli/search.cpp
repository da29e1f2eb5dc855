// SPDX-License-Identifier: GPL-3.0-or-later
// cardfit search: the best plans of a space.
#include <array>
#include <atomic>
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
#include "core/files/preset_library.h"
#include "core/report/goodput_text.h"
#include "core/report/search_answer.h"
#include "core/report/search_text.h"

namespace cardfit::app {

namespace {

std::atomic<int> interrupted = 0; ///< the signal; another thread reads it, for which sig_atomic_t is not made
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may write it");

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

int runSearch(const SearchOptions& options, const PlanReader& plans)
{
    const auto plan = plans.read(options.plan);
    if (!plan) return complain(plan.error(), options.json);
    std::stop_source stop;
    const bool terminal = isatty(STDERR_FILENO) == 1;
    // Apart from the search, whose progress may be silent for seconds: a signal handler must not stop it itself.
    const std::jthread watch([&stop](const std::stop_token& over) {
        constexpr std::chrono::milliseconds kBetween{5};
        for (; !over.stop_requested() && !stop.stop_requested(); std::this_thread::sleep_for(kBetween)) {
            if (interrupted != 0) stop.request_stop();
        }
    });
    const auto progress = [&](const SearchRequest& request, const SearchProgress& known) {
        if (terminal) printProgress(searchProgressText(request, known));
    };
    handleInterrupts(interrupt);
    const auto answer =
        answerSearch(*plan, options.words, plans.presets, measuredCasesFile("time.json"), progress, stop.get_token());
    handleInterrupts(SIG_DFL);
    if (terminal) printProgress({});
    if (!answer) return complain(answer.error(), options.json);
    const SearchRequest& request = answer->request;
    const SearchResult& result = answer->result;
    const SearchContext context{answer->ground ? &*answer->ground : nullptr, answer->no_ground, answer->solved};

    const auto json = [&] { return searchJson(request, result, options.reliability, context); };
    if (!options.output.empty() && !result.proven) {
        printError(fmt::format("cardfit: stopped before all plans were decided: {} is left as it was", options.output));
    } else if (!options.output.empty()) {
        const std::string text = options.csv ? searchCsv(request, result) : json() + "\n";
        if (auto written = writeFile(options.output, text); !written) return complain(written.error(), options.json);
    }
    if (options.json)
        print(json() + "\n");
    else if (options.csv)
        printFile(searchCsv(request, result));
    else
        print(searchText(request, result, options.unit, context) + goodputOfBest(result, options.reliability));
    return exitCode(result);
}

} // namespace cardfit::app
