// SPDX-License-Identifier: GPL-3.0-or-later
// How long a whole default space takes to be decided, beside estimating every legal plan of it one by one.
//   bench_search [--only TEXT] [--threads N] [--no-front]
#include <sys/resource.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/estimate.h"
#include "core/io/plan/presets.h"
#include "core/search/find.h"
#include "core/search/legal_points.h"

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
    return {{"Llama 3 70B, 64 H100", preset("llama-3-70b-64-h100")},
        {"Llama 3 70B, 1,024 H100", scaled(preset("llama-3-70b-64-h100"), 128, 2048)},
        {"Llama 3.1 405B, 16,384 H100", scaled(preset("llama-3.1-405b-1024-h100"), 2048, 2048)},
        {"GPT-3 175B, 1,024 A100", preset("gpt-3-175b-1024-a100")},
        {"Mixtral 8x7B, 64 H100", preset("mixtral-8x7b-64-h100")}, {"Qwen3-235B, 256 H100", scaled(qwen, 32, 1024)},
        {"DeepSeek-V3, 2,048 H800", preset("deepseek-v3-2048-h800")}};
}

/// Time that estimating every legal plan one by one would take: that of some of them, spread evenly.
double bruteForce(const SearchSpace& space)
{
    LegalPoints legal(space);
    std::vector<std::uint64_t> branches;
    legal.walk([&](std::uint64_t branch) { branches.push_back(branch); }, {});
    constexpr std::size_t kSamples = 400;
    const std::size_t every = std::max<std::size_t>(1, branches.size() / kSamples);
    SpacePoint point(space);
    double seconds = 0.0;
    std::size_t samples = 0;
    for (std::size_t i = 0; i < branches.size(); i += every, ++samples) {
        point.moveTo(branches[i] * legal.leaves());
        const std::clock_t start = std::clock();
        const Estimate result = estimate(point.plan());
        seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        if (!result.complete()) continue;
    }
    const auto plans = static_cast<double>(branches.size() * legal.leaves());
    return samples == 0 ? 0.0 : seconds / static_cast<double>(samples) * plans;
}

} // namespace

int main(int argc, char** argv)
{
    std::string only;
    SearchRequest request;
    for (int i = 1; i < argc; ++i) {
        const std::string_view option = argv[i];
        if (option == "--no-front")
            request.pareto.clear();
        else if (option == "--only" && i + 1 < argc)
            only = argv[++i];
        else if (option == "--threads" && i + 1 < argc)
            request.threads = static_cast<std::size_t>(std::atoi(argv[++i]));
    }
    fmt::print("{:<28} {:>12} {:>9} {:>9} {:>10} {:>8} {:>8} {:>10} {:>8} {:>9} {:>9}\n", "", "plans", "degrees",
        "evaluated", "first fits", "seconds", "CPU", "brute", "ratio", "memory", "best step");
    for (const auto& [title, plan] : cases()) {
        if (title.find(only) == std::string::npos) continue;
        request.space = defaultSpace(plan);
        const std::clock_t cpu = std::clock();
        const SearchResult result = findPlans(request);
        const double cpu_seconds = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
        rusage used{};
        getrusage(RUSAGE_SELF, &used);
        const double brute = bruteForce(request.space);
        // Both on one core: `seconds` depends on what else the machine does.
        fmt::print("{:<28} {:>12} {:>9} {:>9} {:>8.1f}ms {:>7.2f}s {:>7.2f}s {:>9.1f}s {:>8.0f} {:>6} MB {:>8.3f}s\n",
            title, result.plans, result.degrees, result.counts.evaluated, 1e3 * result.first_seconds, result.seconds,
            cpu_seconds, brute, brute / cpu_seconds, used.ru_maxrss / 1024,
            result.top.empty() ? 0.0 : result.top.front().step.value());
    }
    return 0;
}
