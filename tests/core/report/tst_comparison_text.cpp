// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <nlohmann/json.hpp>

#include "core/plan/plan.h"
#include "core/report/comparison_text.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_comparison_text {

struct Pair {
    Plan before = samples::llama13BOnEightCards();
    Plan after = before;
    Estimate from, to;

    explicit Pair(std::int64_t micro_batch)
    {
        after.workload.micro_batch_size = micro_batch;
        from = estimate(before);
        to = estimate(after);
    }
    [[nodiscard]] nlohmann::json json() const
    {
        return nlohmann::json::parse(comparisonJson({before, from}, {after, to}));
    }
    [[nodiscard]] std::string text() const { return comparisonText({before, from}, {after, to}, ByteUnit::GB); }
};

class TestComparisonText : public QObject {
    Q_OBJECT

private slots:
    void differencesAddUp()
    {
        const Pair pair(2);
        QVERIFY(pair.from.complete() && pair.to.complete());
        const auto json = pair.json();
        std::int64_t bytes = 0;
        for (const auto& [name, part] : json["difference"]["segments"].items())
            bytes += part.get<std::int64_t>();
        const auto device = [](const nlohmann::json& side) { return side["device_bytes"].get<std::int64_t>(); };
        QCOMPARE(bytes, device(json["after"]) - device(json["before"]));
        QCOMPARE(bytes, device(json["difference"]));
        QVERIFY(bytes != 0);
        double seconds = 0.0;
        for (const auto& [name, part] : json["difference"]["parts"].items())
            seconds += part.get<double>();
        QVERIFY(std::abs(seconds - json["difference"]["step_seconds"].get<double>()) < 1e-9);
    }

    void changesAreListed()
    {
        const Pair pair(2);
        const auto json = pair.json();
        QCOMPARE(json["changes"].size(), std::size_t(1));
        QCOMPARE(json["changes"][0]["field"].get<std::string>(), std::string("/workload/micro_batch_size"));
        QVERIFY(pair.text().find("/workload/micro_batch_size  1 -> 2\n") != std::string::npos);
        QVERIFY(Pair(1).text().find("No input differs.") != std::string::npos);
    }

    // Longer than a global batch holds: the rules refuse it.
    void whatABrokenPlanHasNotIsNull()
    {
        const Pair pair(std::int64_t{1} << 20);
        QVERIFY(!pair.to.complete());
        const auto json = pair.json();
        QVERIFY(json["difference"].is_null());
        QCOMPARE(json["after"]["verdict"].get<std::string>(), std::string("invalid"));
        QVERIFY(!json["after"].contains("device_bytes"));
        QVERIFY(json["before"].contains("device_bytes"));
        QVERIFY(pair.text().find("INVALID") != std::string::npos);
    }
};

CARDFIT_TEST(TestComparisonText)

} // namespace cardfit::tst_comparison_text
#include "tst_comparison_text.moc"
