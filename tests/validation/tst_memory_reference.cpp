// SPDX-License-Identifier: GPL-3.0-or-later
// Cardfit's memory against a second statement of the same formulas, memory_reference.py, on random valid plans.
#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "core/estimate/estimate.h"
#include "core/files/plan_file.h"
#include "tests/test_program.h"

namespace cardfit::tst_memory_reference {

class TestMemoryReference : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QFile file(QStringLiteral(CARDFIT_CASES "/reference_cases.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        m_cases = QJsonDocument::fromJson(file.readAll())["cases"].toArray();
        QVERIFY(m_cases.size() > 1500);
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        m_presets = loadPresets(directories);
    }

    void everyStageAgrees()
    {
        constexpr double kTolerance = 0.001;
        constexpr int kMostShown = 10;
        int disagreements = 0;
        double worst = 0.0;
        for (qsizetype number = 0; number < m_cases.size(); ++number) {
            const QJsonValue one = m_cases[number];
            const QByteArray text = QJsonDocument(one["plan"].toObject()).toJson(QJsonDocument::Compact);
            const auto plan = parsePlan(text.toStdString(), m_presets);
            QVERIFY2(plan, plan ? "" : describe(plan.error()).c_str());
            QVERIFY2(plan->unknown.paths.empty(), text.constData());
            const Estimate result = estimate(*plan);
            for (const Check& check : result.checks) {
                // Megatron-Core refuses to run such a plan; what it would hold is known all the same.
                QVERIFY2(check.severity != Severity::Error || check.id == "EXPERTS-SEQUENCE",
                    fmt::format("plan {}: {}", number, check.message.english()).c_str());
            }
            const QJsonArray expected = one["allocated"].toArray();
            QCOMPARE(result.stages.size(), static_cast<std::size_t>(expected.size()));
            for (qsizetype stage = 0; stage < expected.size(); ++stage) {
                const auto ours =
                    static_cast<double>(result.stages[static_cast<std::size_t>(stage)].allocated().value());
                const double error = ours / expected[stage].toDouble() - 1.0;
                worst = std::max(worst, std::abs(error));
                if (std::abs(error) <= kTolerance || ++disagreements > kMostShown) continue;
                qWarning("plan %lld, stage %lld: %.0f bytes, the reference says %.0f (%+.2f %%): %s",
                    static_cast<long long>(number), static_cast<long long>(stage), ours, expected[stage].toDouble(),
                    100.0 * error, text.constData());
            }
        }
        fmt::print("{} plans, largest difference {:.6f} %\n", m_cases.size(), 100.0 * worst);
        QVERIFY2(disagreements == 0, fmt::format("{} stages disagree", disagreements).c_str());
    }

private:
    QJsonArray m_cases;
    Presets m_presets;
};

CARDFIT_TEST(TestMemoryReference)

} // namespace cardfit::tst_memory_reference
#include "tst_memory_reference.moc"
