// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of every shipped model as counted here, beside the published count that its preset names the source of.
#include <QtTest>

#include <array>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "core/files/file.h"
#include "core/files/presets.h"
#include "core/model/operators.h"
#include "tests/test_program.h"

namespace cardfit::tst_parameters {

/// "8,030,261,248".
std::string grouped(std::int64_t value)
{
    std::string digits = std::to_string(value);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), ",");
    return digits;
}

std::string parameterTable(const Presets& presets)
{
    std::string table = "| model | counted | published | difference |\n|---|---:|---:|---:|\n";
    for (const Model& model : presets.models) {
        const std::int64_t counted = parameterCount(model.architecture);
        std::string published = "announced rounded";
        std::string difference;
        if (model.reported_parameters) {
            const std::int64_t missing = counted - static_cast<std::int64_t>(std::llround(*model.reported_parameters));
            published = grouped(std::llround(*model.reported_parameters));
            const double percent = 100.0 * static_cast<double>(missing) / *model.reported_parameters;
            difference = missing == 0 ? "0" : fmt::format("{:+.4f} %", percent);
        }
        table += fmt::format("| {} | {} | {} | {} |\n", model.name, grouped(counted), published, difference);
    }
    return table;
}

class TestParameters : public QObject {
    Q_OBJECT

private slots:
    void readmeShowsThisTable()
    {
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        const std::string table = parameterTable(loadPresets(directories));
        const auto readme = readFile(CARDFIT_README);
        QVERIFY(readme);
        constexpr std::string_view kBegin = "<!-- parameters of the shipped models -->\n";
        const auto begin = readme->find(kBegin);
        QVERIFY(begin != std::string::npos);
        const auto end = readme->find("<!-- end of table -->", begin);
        QVERIFY(end != std::string::npos);
        const bool same = readme->substr(begin + kBegin.size(), end - begin - kBegin.size()) == table;
        if (!same) fmt::print("README.md holds another table; put this one between its two comments:\n{}", table);
        QVERIFY(same);
    }
};

CARDFIT_TEST(TestParameters)

} // namespace cardfit::tst_parameters
#include "tst_parameters.moc"
