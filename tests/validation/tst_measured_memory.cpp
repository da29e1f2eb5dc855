// SPDX-License-Identifier: GPL-3.0-or-later
// Predicted against published peaks of torch.cuda.max_memory_allocated; every case names its source in memory.json.
#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "core/accuracy/memory_margin.h"
#include "core/files/file.h"
#include "core/report/validation_report.h"
#include "core/traces/measured_cases.h"
#include "tests/test_program.h"
#include "tests/validation/readme_table.h"

namespace cardfit::tst_measured_memory {

class TestMeasuredMemory : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        const auto read = readMeasuredMemory(CARDFIT_CASES "/memory.json", loadPresets(directories));
        QVERIFY2(read, read ? "" : describe(read.error()).c_str());
        QVERIFY(read->cases.size() > 150);
        m_groups = read->groups;
        m_comparisons = compareMemory(read->cases);
        fmt::print("{}", memoryValidationMarkdown(m_groups, m_comparisons));
    }

    void everyCaseIsAnswered()
    {
        for (const MemoryComparison& one : m_comparisons)
            QVERIFY2(one.predicted, fmt::format("{}: {}", one.measured.id, one.refusal).c_str());
    }

    /// The margin that a search keeps by default is what these runs say.
    void marginIsThatOfTheseRuns()
    {
        std::vector<double> above;
        for (const MemoryComparison& one : m_comparisons) {
            if (one.measured.trust != Trust::Low) above.push_back(1.0 / (1.0 + *one.error()) - 1.0);
        }
        std::ranges::sort(above);
        const double at = 0.9 * static_cast<double>(above.size() - 1);
        const auto below = static_cast<std::size_t>(at);
        const double found = above[below] + (at - static_cast<double>(below)) * (above[below + 1] - above[below]);
        constexpr double kRounding = 0.00051;
        QVERIFY2(std::abs(found - kMeasuredAbove) < kRounding,
            fmt::format("kMeasuredAbove in core/accuracy/memory_margin.h should be {:.3f}", found).c_str());
    }

    void denseMegatronJobs() { QVERIFY(errorsOf("megatron-ci", false).median < 0.01); }

    void expertMegatronJobs() { QVERIFY(errorsOf("megatron-ci", true).median < 0.025); }

    void mostMegatronJobsAreClose()
    {
        const ErrorSummary dense = errorsOf("megatron-ci", false);
        const ErrorSummary experts = errorsOf("megatron-ci", true);
        QVERIFY(4 * (dense.close + experts.close) >= 3 * (dense.cases + experts.cases));
    }

    void stagesOnB200_data()
    {
        QTest::addColumn<bool>("experts");
        QTest::newRow("dense") << false;
        QTest::newRow("experts") << true;
    }
    void stagesOnB200()
    {
        QFETCH(bool, experts);
        const ErrorSummary errors = errorsOf("b200", experts);
        QVERIFY(errors.cases > 0);
        QVERIFY(errors.median < 0.0025);
        QVERIFY(errors.worst < 0.01);
    }

    /// Half of the cases of PyTorch's other stacks whose source tells enough are within 4 %, four in five within 10 %,
    /// and no stack with three of them or more is off by more than 8 % in the median.
    void otherStacks()
    {
        std::map<std::string, std::vector<double>> stacks;
        std::vector<double> all;
        std::vector<double> guessed;
        for (const MemoryComparison& one : m_comparisons) {
            const std::string& group = one.measured.group;
            if (group == "megatron-ci" || group == "b200" || group == "megatron-swift") continue;
            if (one.measured.trust == Trust::Low) {
                guessed.push_back(*one.error());
                continue;
            }
            stacks[group].push_back(*one.error());
            all.push_back(*one.error());
        }
        const ErrorSummary errors = summarizeErrors(all);
        QVERIFY(errors.cases > 85);
        QVERIFY(errors.median < 0.04);
        QVERIFY(10 * errors.near >= 8 * errors.cases);
        for (const auto& [stack, of_stack] : stacks) {
            if (of_stack.size() >= 3) QVERIFY2(summarizeErrors(of_stack).median < 0.08, stack.c_str());
        }
        // What the first README says, of those whose recipe is known and of the others.
        const auto readme = readFile(CARDFIT_SOURCES "/README.md");
        QVERIFY(readme);
        std::string words = *readme;
        std::ranges::replace(words, '\n', ' ');
        const ErrorSummary others = summarizeErrors(guessed);
        const auto share = static_cast<double>(errors.near) / static_cast<double>(errors.cases);
        for (const std::string& said : {fmt::format("Of {} runs of", errors.cases),
                 fmt::format("the median error is {:.1f} %, {:.0f} % within 10 %, the worst {:.0f} %;",
                     100 * errors.median, 100 * share, 100 * errors.worst),
                 fmt::format("{} more whose recipe or lengths had to be guessed are {:.0f} % off, the worst {:.0f} %.",
                     others.cases, 100 * others.median, 100 * others.worst)})
            QVERIFY2(words.find(said) != std::string::npos, said.c_str());
    }

    /// The table in the README is the one that the program prints.
    void readmeShowsThisTable()
    {
        compareReadmeTable("cardfit validate memory --markdown", memoryValidationMarkdown(m_groups, m_comparisons));
    }

private:
    /// Of all trusts.
    [[nodiscard]] ErrorSummary errorsOf(std::string_view group, bool experts) const
    {
        std::vector<ComparedCase> cases;
        for (const MemoryComparison& one : m_comparisons)
            cases.push_back({one.measured.group, one.experts(), one.measured.trust, one.error()});
        for (const GroupSummary& summary : summarizeGroups(cases, kCloseMemory)) {
            if (summary.group == group && summary.experts == experts && !summary.trust) return summary.errors;
        }
        qFatal("no such group of cases");
    }

    std::vector<MeasuredGroup> m_groups;
    std::vector<MemoryComparison> m_comparisons;
};

CARDFIT_TEST(TestMeasuredMemory)

} // namespace cardfit::tst_measured_memory
#include "tst_measured_memory.moc"
