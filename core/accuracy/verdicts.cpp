// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/verdicts.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/estimate/estimate.h"
#include "core/search/found_plan.h"

namespace cardfit {

namespace {

std::string firstBroken(const std::vector<Check>& checks)
{
    const Check* broken = firstErrorOf(checks);
    return broken == nullptr ? std::string() : fmt::format("{}: {}", broken->id, broken->message.english());
}

} // namespace

JudgedRun judge(const MeasuredCase& run, Outcome outcome, bool at_limit)
{
    JudgedRun judged{run.id, outcome, at_limit, Verdict::Invalid, {}, {}};
    const Estimate result = estimate(run.plan);
    judged.verdict = verdict(result);
    if (judged.verdict == Verdict::Invalid) judged.why = firstBroken(result.checks);
    if (result.complete()) judged.over = overBy(result.stages[mostOverStage(result)]);
    return judged;
}

std::vector<JudgedRun> judge(std::span<const MeasuredOutcome> runs)
{
    std::vector<JudgedRun> judged(runs.size());
    forEachInParallel(runs.size(), [&](std::size_t i) {
        const auto beside = std::ranges::find(runs, runs[i].beside, &MeasuredOutcome::id);
        const bool differs =
            beside != runs.end() && (beside->outcome == Outcome::Ran) != (runs[i].outcome == Outcome::Ran);
        judged[i] = judge(runs[i], runs[i].outcome, differs);
    });
    return judged;
}

std::int64_t VerdictRow::all() const { return std::accumulate(counts.begin(), counts.end(), std::int64_t{0}); }

VerdictTable verdictTable(std::span<const JudgedRun> runs)
{
    VerdictTable table;
    const auto count = [](VerdictRow& row, Verdict verdict) { ++row.counts[static_cast<std::size_t>(verdict)]; };
    for (const JudgedRun& run : runs) {
        const bool ran = run.outcome == Outcome::Ran;
        count(ran ? table.ran : table.deaths, run.verdict);
        if (run.at_limit) count(ran ? table.last_ran : table.first_deaths, run.verdict);
    }
    return table;
}

VerdictRecord verdictRecord(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Fits: return {1117, 16};
    case Verdict::Tight: return {30, 32};
    case Verdict::Refused:
    case Verdict::Over:
    case Verdict::Invalid: break;
    }
    return {};
}

} // namespace cardfit
