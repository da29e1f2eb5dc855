// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict on published runs of which it is known whether they ran; every case names its source in deaths.json,
// memory.json or time.json.
#include <QtTest>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/accuracy/verdicts.h"
#include "core/report/validation_report.h"
#include "core/traces/measured_cases.h"
#include "tests/test_program.h"
#include "tests/validation/readme_table.h"

namespace cardfit::tst_verdicts {

class TestVerdicts : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        const Presets presets = loadPresets(directories);
        const auto deaths = readMeasuredOutcomes(CARDFIT_CASES "/deaths.json", presets);
        QVERIFY2(deaths, deaths ? "" : describe(deaths.error()).c_str());
        const auto memory = readMeasuredMemory(CARDFIT_CASES "/memory.json", presets);
        const auto time = readMeasuredTime(CARDFIT_CASES "/time.json", presets);
        QVERIFY(memory && time);
        m_runs = judge(std::span(deaths->cases));
        std::ranges::move(judgeRuns(std::span(memory->cases)), std::back_inserter(m_runs));
        std::ranges::move(judgeRuns(std::span(time->cases)), std::back_inserter(m_runs));
        m_table = verdictTable(m_runs);
        fmt::print("{}", verdictValidationMarkdown(m_runs));
    }

    /// What people come for: a plan that died is not called one that fits.
    void deathsAreOverOrTight()
    {
        QVERIFY(m_table.deaths.all() > 300);
        QVERIFY(100 * m_table.deaths.of(Verdict::Fits) <= kDeathsThatFit * m_table.deaths.all());
        QVERIFY(100 * m_table.first_deaths.of(Verdict::Fits) <= kFirstDeathsThatFit * m_table.first_deaths.all());
        QCOMPARE(m_table.deaths.of(Verdict::Invalid), 0);
    }

    void whatRanIsNotOver()
    {
        const VerdictRow& ran = m_table.ran;
        QVERIFY(ran.all() > 1000);
        QVERIFY(1000 * (ran.of(Verdict::Over) + ran.of(Verdict::Refused)) <= kRanPerThousand * ran.all());
        QVERIFY(m_table.last_ran.of(Verdict::Over) <= kLastRunsOver);
    }

    /// Runs that break a rule of their plan, and why that is the plan's fault.
    void whatRanBreaksNoRule()
    {
        // The source does not say on how many nodes; the plan's single one is too small for its degrees.
        constexpr std::array<std::string_view, 1> kExplained{
            "megatron-ci/mixtral/mixtral_8x7b_alltoall_tp2pp4ep4_release_sm/h100"};
        for (const JudgedRun& run : m_runs) {
            if (run.outcome != Outcome::Ran || run.verdict != Verdict::Invalid) continue;
            const bool explained = std::ranges::find(kExplained, run.id) != kExplained.end();
            QVERIFY2(explained, fmt::format("{}: {}", run.id, run.why).c_str());
        }
    }

    /// What the window says beside FITS and TIGHT.
    void theRecordIsCounted()
    {
        for (const Verdict verdict : {Verdict::Fits, Verdict::Tight}) {
            const VerdictRecord counted{m_table.ran.of(verdict), m_table.deaths.of(verdict)};
            QVERIFY2(verdictRecord(verdict) == counted,
                fmt::format(
                    "verdictRecord() of {} should be {{{}, {}}}", verdictName(verdict), counted.ran, counted.died)
                    .c_str());
        }
    }

    /// The table in the README is the one that the program prints.
    void readmeShowsThisTable()
    {
        compareReadmeTable("cardfit validate verdict --markdown", verdictValidationMarkdown(m_runs));
    }

private:
    // How far the rule has come; the aim is 10 % of the first deaths, 5 of 1,000 runs, and none of the last.
    static constexpr std::int64_t kDeathsThatFit = 6;
    static constexpr std::int64_t kFirstDeathsThatFit = 14;
    static constexpr std::int64_t kRanPerThousand = 5;
    static constexpr std::int64_t kLastRunsOver = 1;

    std::vector<JudgedRun> m_runs;
    VerdictTable m_table;
};

CARDFIT_TEST(TestVerdicts)

} // namespace cardfit::tst_verdicts
#include "tst_verdicts.moc"
