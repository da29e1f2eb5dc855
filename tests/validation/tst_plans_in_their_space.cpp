// SPDX-License-Identifier: GPL-3.0-or-later
// Plans that people ran lie in the space of their own search, are legal, and are never better than what is offered.
#include <QtTest>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "core/estimate/estimate.h"
#include "core/search/why_not.h"
#include "core/traces/measured_cases.h"
#include "tests/test_program.h"

namespace cardfit::tst_plans_in_their_space {

struct Run {
    std::string id;
    Plan plan;
};

/// Shipped plans, then the published runs of memory.json and time.json; of equal plans the first.
const std::vector<Run>& runs()
{
    static const std::vector<Run> all = [] {
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        const Presets presets = loadPresets(directories);
        std::vector<Run> found;
        const auto add = [&](const std::string& id, Plan plan) {
            plan.name.clear();
            const bool known = std::ranges::any_of(found, [&](const Run& run) { return run.plan == plan; });
            if (!known) found.push_back({id, std::move(plan)});
        };
        for (const PlanPreset& preset : presets.plans)
            add(preset.id, preset.plan);
        const auto memory = readMeasuredMemory(CARDFIT_CASES "/memory.json", presets);
        const auto time = readMeasuredTime(CARDFIT_CASES "/time.json", presets);
        if (!memory || !time) return found; // the tests miss them
        for (const MeasuredMemory& measured : memory->cases)
            add(measured.id, measured.plan);
        for (const MeasuredTime& measured : time->cases)
            add(measured.id, measured.plan);
        return found;
    }();
    return all;
}

/// Whether the plan's framework runs its schedule.
bool isUsual(const Plan& plan)
{
    const auto schedules = freeValues(plan, "/recipe/schedule", false);
    return std::ranges::find(schedules, ownValue(plan, "/recipe/schedule").word, &AxisValue::word) != schedules.end();
}

std::optional<std::string> firstErrorIn(const Plan& plan)
{
    const auto checks = check(plan);
    const auto broken = std::ranges::find(checks, Severity::Error, &Check::severity);
    return broken == checks.end() ? std::nullopt : std::optional(broken->id);
}

class TestPlansInTheirSpace : public QObject {
    Q_OBJECT

private slots:
    void everyPlanLiesInItsSpace()
    {
        std::map<std::string, int> exceptions;
        int inside = 0;
        int illegal = 0;
        for (const Run& run : runs()) {
            if (!isUsual(run.plan)) {
                ++exceptions["its framework does not run the schedule"];
                continue;
            }
            const SearchSpace space = defaultSpace(run.plan);
            for (const SearchAxis& axis : space.axes) {
                const AxisValue own = ownValue(run.plan, axis.pointer);
                QVERIFY2(
                    std::ranges::find(axis.values, own) != axis.values.end(), (run.id + " " + axis.pointer).c_str());
            }
            const Plan there = SpacePoint(only(space, run.plan)).plan();
            if (const auto rule = firstErrorIn(there)) {
                // Published without a layout of its layers, or run by a release that refused less: the plan itself
                // breaks the rule. A search that turns sequence parallelism on finds sequences that tensor parallelism
                // does not divide.
                const bool by_search = *rule == "SP-SEQUENCE" && !run.plan.parallelism.sequence;
                QVERIFY2(by_search || firstErrorIn(run.plan) == rule, (run.id + " " + *rule).c_str());
                ++exceptions["breaks " + *rule];
                ++illegal;
                continue;
            }
            Plan expected = run.plan;
            // A search turns sequence parallelism on with tensor parallelism under Megatron, and off without.
            if (there.parallelism.sequence != run.plan.parallelism.sequence) {
                ++exceptions["sequence parallelism differs"];
                expected.parallelism.sequence = there.parallelism.sequence;
            }
            QVERIFY2(there == expected, run.id.c_str());
            ++inside;
        }
        fmt::print("{} of {} plans lie in their space\n", inside, runs().size());
        for (const auto& [reason, count] : exceptions)
            fmt::print("  {}: {}\n", reason, count);
        QVERIFY(runs().size() > 400);
        QVERIFY(inside > static_cast<int>(runs().size()) / 2);
        QVERIFY(illegal < static_cast<int>(runs().size()) / 10);
    }

    /// A sample, spread evenly over sources; bench_search --validation searches all.
    void noPlanIsFasterThanWhatIsOffered()
    {
        constexpr std::uint64_t kLargest = 200'000; // plans of a space, to be searched at once
        constexpr std::size_t kSample = 24;
        std::vector<const Run*> small;
        for (const Run& run : runs()) {
            const bool trains = run.plan.workload.task != Task::Inference;
            if (trains && isUsual(run.plan) && !firstErrorIn(run.plan) && defaultSpace(run.plan).plans() < kLargest)
                small.push_back(&run);
        }
        QVERIFY(small.size() > kSample);
        int suspicious = 0;
        for (std::size_t i = 0; i < kSample; ++i) {
            const Run& run = *small[i * small.size() / kSample];
            SearchRequest request;
            request.space = defaultSpace(run.plan);
            request.pareto.clear();
            const SearchResult result = findPlans(request);
            QVERIFY(result.proven);
            const Estimate own = estimate(run.plan);
            if (!own.fits()) continue;
            Plan in_space = SpacePoint(only(request.space, run.plan)).plan();
            const auto row = rowOf(in_space, request.objective);
            QVERIFY2(!result.top.empty() && row, run.id.c_str());
            QVERIFY2(result.top.front().objective <= row->objective, run.id.c_str());
            if (row->step / result.top.front().step > 1.15) ++suspicious;
        }
        fmt::print("{} of {} are more than 15 % slower than the best plan found\n", suspicious, kSample);
    }
};

CARDFIT_TEST(TestPlansInTheirSpace)

} // namespace cardfit::tst_plans_in_their_space
#include "tst_plans_in_their_space.moc"
