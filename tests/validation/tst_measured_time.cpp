// SPDX-License-Identifier: GPL-3.0-or-later
// Predicted against published throughput of whole training steps; every case names its source in time.json.
#include <QtTest>

#include <array>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/io/file.h"
#include "core/io/measured_cases.h"
#include "core/io/validation_report.h"

using namespace cardfit;

class TestMeasuredTime : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        const auto read = readMeasuredTime(CARDFIT_CASES, loadPresets(directories));
        QVERIFY2(read, read ? "" : describe(read.error()).c_str());
        QVERIFY(read->cases.size() > 500);
        m_groups = read->groups;
        m_comparisons = compareTime(read->cases);
        fmt::print("{}", timeValidationMarkdown(m_groups, m_comparisons));
    }

    void everyCaseIsAnswered()
    {
        for (const TimeComparison& one : m_comparisons)
            QVERIFY2(one.predicted, fmt::format("{}: {}", one.measured.id, one.refusal).c_str());
    }

    /// Every source counts alike: one sweep would drown the rest.
    void sourcesCountAlike()
    {
        const double mean = meanOfMedians(comparedCases(m_comparisons));
        fmt::print("mean over sources of the median error: {:.1f} %\n", 100.0 * mean);
        QVERIFY(mean < 0.1);
    }

    void noSourceIsFarOff()
    {
        std::map<std::string, std::vector<double>> sources;
        for (const TimeComparison& one : m_comparisons)
            sources[one.measured.group].push_back(*one.error());
        for (const auto& [source, errors] : sources) {
            const ErrorSummary summary = summarizeErrors(errors, kCloseTime);
            QVERIFY2(summary.cases < 5 || summary.median < 0.2, source.c_str());
        }
    }

    void mostCasesAreClose()
    {
        const ErrorSummary all = errorsOf([](const TimeComparison&) { return true; });
        QVERIFY(5 * all.close >= 4 * all.cases);
    }

    void mixturesOfExperts()
    {
        const ErrorSummary experts = errorsOf([](const TimeComparison& one) { return one.experts(); });
        fmt::print("mixtures of experts: median error {:.1f} % of {}\n", 100.0 * experts.median, experts.cases);
        QVERIFY(experts.cases > 50);
        QVERIFY(experts.median < 0.15);
    }

    /// The table in the README is the one that the program prints.
    void readmeShowsThisTable()
    {
        const auto readme = readFile(CARDFIT_README);
        QVERIFY(readme);
        constexpr std::string_view kBegin = "<!-- cardfit validate time --markdown -->\n";
        constexpr std::string_view kEnd = "<!-- end of table -->";
        const auto begin = readme->find(kBegin);
        QVERIFY(begin != std::string::npos);
        const auto end = readme->find(kEnd, begin);
        QVERIFY(end != std::string::npos);
        const auto shown = readme->substr(begin + kBegin.size(), end - begin - kBegin.size());
        const auto table = timeValidationMarkdown(m_groups, m_comparisons);
        QVERIFY2(shown == table,
            fmt::format("README.md holds another table; put this one between its two comments:\n{}", table).c_str());
    }

private:
    template <class Counts> [[nodiscard]] ErrorSummary errorsOf(const Counts& counts) const
    {
        std::vector<double> errors;
        for (const TimeComparison& one : m_comparisons) {
            if (counts(one)) errors.push_back(*one.error());
        }
        return summarizeErrors(std::move(errors), kCloseTime);
    }

    std::vector<MeasuredGroup> m_groups;
    std::vector<TimeComparison> m_comparisons;
};

QTEST_GUILESS_MAIN(TestMeasuredTime)
#include "tst_measured_time.moc"
