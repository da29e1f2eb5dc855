// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/accuracy/measured_runs.h"
#include "core/base/parallel.h"
#include "core/estimate/verdict.h"

/// What the verdict says of published runs of which it is known whether they ran.
namespace cardfit {

/// A published run beside Cardfit's verdict on its plan.
struct JudgedRun {
    std::string id;
    Outcome outcome = Outcome::Ran;
    bool at_limit = false; ///< a neighbour ended otherwise: the first that died, or the last that ran
    Verdict verdict = Verdict::Invalid;
    std::string why; ///< of an invalid plan, the first rule that it breaks
    Bytes over; ///< of a plan with figures, by how much its worst stage is over its card; at most 0: it is not

    bool operator==(const JudgedRun&) const = default;
};

[[nodiscard]] JudgedRun judge(const MeasuredCase& run, Outcome outcome, bool at_limit);
[[nodiscard]] std::vector<JudgedRun> judge(std::span<const MeasuredOutcome> runs);
/// Runs of which something was measured: they ran.
template <class Measured> [[nodiscard]] std::vector<JudgedRun> judgeRuns(std::span<const Measured> runs)
{
    std::vector<JudgedRun> judged(runs.size());
    forEachInParallel(runs.size(), [&](std::size_t i) { judged[i] = judge(runs[i], Outcome::Ran, false); });
    return judged;
}

inline constexpr std::size_t kVerdictCount = 5;

/// A class of runs and how many of them got which verdict.
struct VerdictRow {
    std::string_view runs;
    std::array<std::int64_t, kVerdictCount> counts{}; ///< by Verdict

    [[nodiscard]] std::int64_t of(Verdict verdict) const { return counts[static_cast<std::size_t>(verdict)]; }
    [[nodiscard]] std::int64_t all() const;
    bool operator==(const VerdictRow&) const = default;
};

/// Deaths, those of them beside a run that ran, the last runs that ran beside a death, and all runs that ran. A server
/// that refused counts as a death.
struct VerdictTable {
    VerdictRow deaths{"runs that died", {}};
    VerdictRow first_deaths{"of them beside one that ran", {}};
    VerdictRow ran{"runs that ran", {}};
    VerdictRow last_ran{"of them beside one that died", {}};

    [[nodiscard]] std::array<VerdictRow, 4> rows() const { return {deaths, first_deaths, ran, last_ran}; }
    bool operator==(const VerdictTable&) const = default;
};
[[nodiscard]] VerdictTable verdictTable(std::span<const JudgedRun> runs);

/// What became of the published runs whose plans have a verdict.
struct VerdictRecord {
    std::int64_t ran = 0;
    std::int64_t died = 0;

    [[nodiscard]] std::int64_t all() const { return ran + died; }
    bool operator==(const VerdictRecord&) const = default;
};
/// Of plans that fit, and of tight ones, over all runs that ship: the rows that a window shows beside its verdict. The
/// test tests/validation/tst_verdicts counts them.
[[nodiscard]] VerdictRecord verdictRecord(Verdict verdict);

} // namespace cardfit
