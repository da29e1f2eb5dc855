// SPDX-License-Identifier: GPL-3.0-or-later
// How long a whole default space takes to be decided, beside estimating every legal plan of it one by one.
//   bench_search [--only TEXT] [--threads N] [--no-front]
//   bench_search --live        how soon the front follows a rail of a 70B plan, and how soon a stop is obeyed
//   bench_search --validation  every published run beside the best plan of its own space
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/estimate/estimate.h"
#include "core/files/presets.h"
#include "core/search/find.h"
#include "core/search/legal_points.h"
#include "core/traces/measured_cases.h"

using namespace cardfit;

namespace {

struct Case {
    std::string title;
    Plan plan;
};

std::vector<Case> cases()
{
    const std::array<std::filesystem::path, 1> directories{CARDFIT_PRESET_DIR};
    const Presets presets = loadPresets(directories);
    const auto preset = [&](std::string_view id) { return *presets.plan(id); };
    const auto scaled = [&](Plan plan, std::int64_t nodes, std::int64_t batch) {
        plan.cluster.nodes = nodes;
        plan.workload.global_batch_size = batch;
        plan.parallelism.data.reset();
        return plan;
    };
    Plan qwen = preset("mixtral-8x7b-64-h100");
    if (const Model* model = presets.model("qwen3-235b-a22b")) qwen.model = *model;
    Plan overlapped = preset("deepseek-v3-2048-h800");
    overlapped.recipe.moe.expert_overlap = true; // recomputation then decides on the form of the schedule
    return {{"Llama 3 70B, 64 H100", preset("llama-3-70b-64-h100")},
        {"Llama 3 70B, 1,024 H100", scaled(preset("llama-3-70b-64-h100"), 128, 2048)},
        {"Llama 3.1 405B, 16,384 H100", scaled(preset("llama-3.1-405b-1024-h100"), 2048, 2048)},
        {"GPT-3 175B, 1,024 A100", preset("gpt-3-175b-1024-a100")},
        {"Mixtral 8x7B, 64 H100", preset("mixtral-8x7b-64-h100")}, {"Qwen3-235B, 256 H100", scaled(qwen, 32, 1024)},
        {"DeepSeek-V3, 2,048 H800", preset("deepseek-v3-2048-h800")}, {"DeepSeek-V3, overlapped", overlapped}};
}

/// Time that estimating every legal plan one by one would take: that of some of them, spread evenly. `asked`: how often
/// a rule was looked at to find them.
double bruteForce(const SearchSpace& space, std::uint64_t& asked)
{
    LegalPoints legal(space);
    std::vector<std::uint64_t> plans;
    std::uint64_t count = 0;
    legal.walk(
        [&](std::uint64_t branch, const LegalPoints::Leaves& leaves) {
            plans.push_back(branch * legal.leaves() + leaves.front());
            count += leaves.size();
        },
        {});
    constexpr std::size_t kSamples = 400;
    const std::size_t every = std::max<std::size_t>(1, plans.size() / kSamples);
    SpacePoint point(space);
    double seconds = 0.0;
    std::size_t samples = 0;
    for (std::size_t i = 0; i < plans.size(); i += every, ++samples) {
        point.moveTo(plans[i]);
        const std::clock_t start = std::clock();
        const Estimate result = estimate(point.plan());
        seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        if (!result.complete()) continue;
    }
    asked = legal.asked();
    return samples == 0 ? 0.0 : seconds / static_cast<double>(samples) * static_cast<double>(count);
}

double middle(std::vector<double> values)
{
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    return values[values.size() / 2];
}

/// A drag over sequence lengths: each step has 40 ms, then the next one stops it, as in the window.
void follow()
{
    using Clock = std::chrono::steady_clock;
    const auto since = [](Clock::time_point start) {
        return 1e3 * std::chrono::duration<double>(Clock::now() - start).count();
    };
    Plan plan = cases().front().plan;
    SearchRequest request;
    request.threads = 1;
    std::vector<double> fronts, sizes, stops;
    for (int move = 0; move <= 40; ++move) {
        plan.workload.sequence_length += 512;
        request.space = defaultSpace(plan);
        std::stop_source stop;
        std::optional<Clock::time_point> stopped;
        std::vector<FoundPlan> shown;
        const auto start = Clock::now();
        const auto progress = [&](const SearchProgress& now) {
            if (shown.empty() && move > 0) {
                fronts.push_back(since(start));
                sizes.push_back(static_cast<double>(now.pareto.size()));
            }
            shown = now.pareto;
            if (move > 0 && !stopped && since(start) > 40.0) {
                stopped = Clock::now();
                stop.request_stop();
            }
        };
        const SearchResult result = findPlans(request, progress, stop.get_token());
        if (stopped) stops.push_back(since(*stopped));
        request.first.clear();
        for (const FoundPlan& found : result.pareto)
            request.first.push_back(settingsOf(request.space, found.number));
    }
    fmt::print("front after a move of a rail: {:.1f} ms (median of {}), {:.1f} ms at most, with {:.0f} plans\n",
        middle(fronts), fronts.size(), std::ranges::max(fronts), middle(sizes));
    if (!stops.empty())
        fmt::print("stop obeyed in {:.1f} ms (median of {}), {:.1f} ms at most\n", middle(stops), stops.size(),
            std::ranges::max(stops));
}

/// Every training run of the validation whose framework runs its schedule: how much faster than it the best plan is.
void compareRuns()
{
    const std::array<std::filesystem::path, 1> directories{CARDFIT_PRESET_DIR};
    const auto measured = readMeasuredTime(CARDFIT_CASES "/time.json", loadPresets(directories));
    if (!measured) return;
    std::vector<double> ratios;
    std::vector<Plan> known;
    for (const MeasuredTime& one : measured->cases) {
        Plan plan = one.plan;
        plan.name.clear();
        const auto schedules = freeValues(plan, "/recipe/schedule", false);
        const bool usual =
            std::ranges::find(schedules, ownValue(plan, "/recipe/schedule").word, &AxisValue::word) != schedules.end();
        if (!usual || std::ranges::find(known, plan) != known.end()) continue;
        known.push_back(plan);
        const Estimate own = estimate(plan);
        if (!own.fits()) continue;
        SearchRequest request;
        request.space = defaultSpace(plan);
        request.pareto.clear();
        const SearchResult result = findPlans(request);
        if (result.top.empty()) continue;
        ratios.push_back(own.step.seconds / result.top.front().step);
        if (ratios.back() < 1.0) fmt::print("FASTER than what is offered: {}\n", one.id);
    }
    fmt::print("{} runs: the best plan is {:.1f} % faster (median); more than 15 % in {}\n", ratios.size(),
        100.0 * (middle(ratios) - 1.0), std::ranges::count_if(ratios, [](double ratio) { return ratio > 1.15; }));
}

} // namespace

int main(int argc, char** argv)
{
    std::string only;
    SearchRequest request;
    for (int i = 1; i < argc; ++i) {
        const std::string_view option = argv[i];
        if (option == "--live") return follow(), 0;
        if (option == "--validation") return compareRuns(), 0;
        if (option == "--no-front")
            request.pareto.clear();
        else if (option == "--only" && i + 1 < argc)
            only = argv[++i];
        else if (option == "--threads" && i + 1 < argc)
            request.threads = static_cast<std::size_t>(std::atoi(argv[++i]));
    }
    fmt::print("{:<28} {:>12} {:>9} {:>9} {:>10} {:>8} {:>8} {:>10} {:>8} {:>9} {:>9} {:>9}\n", "", "plans", "degrees",
        "evaluated", "first fits", "seconds", "CPU", "brute", "ratio", "memory", "best step", "asked");
    for (const auto& [title, plan] : cases()) {
        if (title.find(only) == std::string::npos) continue;
        request.space = defaultSpace(plan);
        const std::clock_t cpu = std::clock();
        const SearchResult result = findPlans(request);
        const double cpu_seconds = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
        rusage used{};
        getrusage(RUSAGE_SELF, &used);
        std::uint64_t asked = 0;
        const double brute = bruteForce(request.space, asked);
        // Both on one core: `seconds` depends on what else the machine does.
        fmt::print("{:<28} {:>12} {:>9} {:>9} {:>8.1f}ms {:>7.2f}s {:>7.2f}s {:>9.1f}s {:>8.0f} {:>6} MB {:>8.3f}s "
                   "{:>9}\n",
            title, result.plans, result.degrees, result.counts.evaluated, 1e3 * result.first_seconds, result.seconds,
            cpu_seconds, brute, brute / cpu_seconds, used.ru_maxrss / 1024,
            result.top.empty() ? 0.0 : result.top.front().step.value(), asked);
    }
    return 0;
}
