// SPDX-License-Identifier: GPL-3.0-or-later
// Predicted against published times and throughput of servers; every case names its source in serving.json.
#include <QtTest>

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "core/accuracy/error_summary.h"
#include "core/estimate/server.h"
#include "core/report/validation_report.h"
#include "core/traces/measured_cases.h"
#include "tests/test_program.h"
#include "tests/validation/readme_table.h"

namespace cardfit::tst_measured_serving {

class TestMeasuredServing : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        const auto read = readMeasuredServing(CARDFIT_CASES "/serving.json", loadPresets(directories));
        QVERIFY2(read, read ? "" : describe(read.error()).c_str());
        QVERIFY(read->cases.size() > 1000);
        m_groups = read->groups;
        m_comparisons = compareServing(read->cases);
        fmt::print("{}", servingValidationMarkdown(m_groups, m_comparisons));
    }

    void nearlyEveryCaseIsAnswered()
    {
        // What is not: cards that, by Cardfit's count, hold the weights but no request.
        const auto answered = std::ranges::count_if(
            m_comparisons, [](const ServingComparison& one) { return one.predicted.has_value(); });
        QVERIFY(100 * answered >= 97 * static_cast<std::ptrdiff_t>(m_comparisons.size()));
    }

    void timesPerToken()
    {
        QVERIFY(medianOf(ServingClass::TokenTime, false) < 0.08);
        QVERIFY(medianOf(ServingClass::TokenTime, true) < 0.15);
    }

    void throughput()
    {
        QVERIFY(medianOf(ServingClass::Throughput, false) < 0.09);
        QVERIFY(medianOf(ServingClass::Throughput, true) < 0.12);
    }

    /// The error that is shown beside a time holds for most runs.
    void theErrorThatIsShown()
    {
        std::int64_t within = 0;
        std::int64_t all = 0;
        for (const ServingComparison& one : m_comparisons) {
            if (!one.counts() || !one.error()) continue;
            ++all;
            within += std::abs(*one.error()) <= servingError(one.measured.plan) ? 1 : 0;
        }
        fmt::print("{} of {} runs within the error that is shown\n", within, all);
        QVERIFY(10 * within >= 7 * all);
    }

    void whatIsShownApartSaysWhy()
    {
        const auto apart =
            std::ranges::count_if(m_comparisons, [](const ServingComparison& one) { return !one.counts(); });
        QVERIFY(apart > 10 && apart < 50);
    }

    void readmeShowsTheTable()
    {
        compareReadmeTable("cardfit validate serving --markdown", servingValidationMarkdown(m_groups, m_comparisons));
    }

private:
    [[nodiscard]] double medianOf(ServingClass figure, bool experts) const
    {
        for (const ServingSummary& one : summarizeServing(m_comparisons)) {
            if (one.figure == figure && one.experts == experts) return one.errors.median;
        }
        return 1.0;
    }

    std::vector<MeasuredGroup> m_groups;
    std::vector<ServingComparison> m_comparisons;
};

CARDFIT_TEST(TestMeasuredServing)

} // namespace cardfit::tst_measured_serving
#include "tst_measured_serving.moc"
