// SPDX-License-Identifier: GPL-3.0-or-later
// Predicted against what was measured for this project (measurements/own). Nothing is fitted to these runs, and no
// figure of theirs is a bar that a prediction has to reach: they show what the models lack.
#include <QtTest>

#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "core/report/validation_report.h"
#include "core/traces/measured_cases.h"
#include "tests/test_program.h"
#include "tests/validation/readme_table.h"

namespace cardfit::tst_own_measurements {

class TestOwnMeasurements : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        const Presets presets = loadPresets(directories);
        const auto memory = readMeasuredMemory(CARDFIT_CASES "/memory_own.json", presets);
        QVERIFY2(memory, memory ? "" : describe(memory.error()).c_str());
        const auto time = readMeasuredTime(CARDFIT_CASES "/time_own.json", presets);
        QVERIFY2(time, time ? "" : describe(time.error()).c_str());
        m_memory_groups = memory->groups;
        m_time_groups = time->groups;
        m_memory = compareMemory(memory->cases);
        m_time = compareTime(time->cases);
    }

    void everyCaseIsAnswered()
    {
        for (const MemoryComparison& one : m_memory)
            QVERIFY2(one.predicted, fmt::format("{}: {}", one.measured.id, one.refusal).c_str());
        for (const TimeComparison& one : m_time)
            QVERIFY2(one.predicted, fmt::format("{}: {}", one.measured.id, one.refusal).c_str());
    }

    void readmeShowsTheseTables()
    {
        compareReadmeTable("cardfit validate memory --cases memory_own.json --markdown",
            memoryValidationMarkdown(m_memory_groups, m_memory));
        compareReadmeTable(
            "cardfit validate time --cases time_own.json --markdown", timeValidationMarkdown(m_time_groups, m_time));
    }

private:
    std::vector<MeasuredGroup> m_memory_groups, m_time_groups;
    std::vector<MemoryComparison> m_memory;
    std::vector<TimeComparison> m_time;
};

CARDFIT_TEST(TestOwnMeasurements)

} // namespace cardfit::tst_own_measurements
#include "tst_own_measurements.moc"
