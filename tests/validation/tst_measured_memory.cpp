// SPDX-License-Identifier: GPL-3.0-or-later
// Predicted against published peaks of torch.cuda.max_memory_allocated; every case names its source in memory.json.
#include <QtTest>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/estimate.h"
#include "core/io/plan_file.h"

using namespace cardfit;

namespace {

struct Case {
    std::string id, group;
    bool experts = false;
    Plan plan;
    std::size_t stage = 0;
    double measured = 0.0; ///< bytes
};

/// Error in percent, or none if the plan was not answered.
std::optional<double> errorOf(const Case& one)
{
    const Estimate result = estimate(one.plan);
    if (!result.complete || one.stage >= result.stages.size()) return std::nullopt;
    return 100.0 * (static_cast<double>(result.stages[one.stage].allocated().value()) / one.measured - 1.0);
}

double median(std::vector<double> values)
{
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

} // namespace

class TestMeasuredMemory : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        const Presets presets = loadPresets(directories);
        std::ifstream file(CARDFIT_CASES);
        const auto json = nlohmann::json::parse(file);
        for (const auto& entry : json["cases"]) {
            const auto plan = parsePlan(entry["plan"].dump(), presets);
            QVERIFY2(plan, plan ? "" : (entry["id"].get<std::string>() + ": " + describe(plan.error())).c_str());
            Case one{entry["id"], entry["group"], plan->model.architecture.moe.has_value(), *plan,
                entry["measured"]["stage"], entry["measured"]["allocated_bytes"]};
            m_cases.push_back(one);
        }
        QVERIFY(m_cases.size() > 150);
    }

    void everyCaseIsAnswered()
    {
        for (const Case& one : m_cases)
            QVERIFY2(errorOf(one), one.id.c_str());
    }

    void denseMegatronJobs()
    {
        const auto errors = errorsOf("megatron-ci", false);
        report("Megatron-LM dense jobs", errors);
        QVERIFY(median(errors) < 1.0);
    }

    void denseStagesOnB200()
    {
        const auto errors = errorsOf("b200", false);
        report("B200 dense stages", errors);
        QVERIFY(median(errors) < 0.25);
        QVERIFY(*std::ranges::max_element(errors) < 1.0);
    }

    void expertStagesOnB200()
    {
        const auto errors = errorsOf("b200", true);
        report("B200 expert stages", errors);
        QVERIFY(median(errors) < 0.25);
        QVERIFY(*std::ranges::max_element(errors) < 1.0);
    }

private:
    [[nodiscard]] std::vector<double> errorsOf(std::string_view group, bool experts) const
    {
        std::vector<double> errors;
        for (const Case& one : m_cases) {
            if (one.group == group && one.experts == experts) errors.push_back(std::abs(errorOf(one).value_or(100.0)));
        }
        return errors;
    }

    static void report(const char* name, const std::vector<double>& errors)
    {
        const auto within = std::ranges::count_if(errors, [](double error) { return error <= 3.0; });
        fmt::print("{}: {} cases, median error {:.3f} %, {} within 3 %, worst {:.2f} %\n", name, errors.size(),
            median(errors), within, *std::ranges::max_element(errors));
    }

    std::vector<Case> m_cases;
};

QTEST_GUILESS_MAIN(TestMeasuredMemory)
#include "tst_measured_memory.moc"
