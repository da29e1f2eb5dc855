// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/files/presets.h"
#include "core/launch/reference.h"
#include "core/launch/said_options.h"
#include "core/plan/field_table.h"
#include "core/report/output_schema.h"
#include "core/rules/rules.h"
#include "tests/test_program.h"

namespace cardfit::tst_reference {

Presets shippedPresets() { return loadPresets(std::vector<std::filesystem::path>{CARDFIT_PRESET_DIR}); }

/// The cells of the row whose first cell is the code.
QStringList rowOf(const QString& text, std::string_view code)
{
    const QString start = QStringLiteral("| %1 |").arg(QString::fromStdString(markdownCode(code)));
    for (const QString& line : text.split(u'\n')) {
        if (!line.startsWith(start)) continue;
        // A bar that stands in a cell has a backslash.
        QStringList cells = line.split(QRegularExpression(QStringLiteral("(?<!\\\\)\\|")));
        for (QString& cell : cells)
            cell = cell.trimmed();
        return cells.mid(1, cells.size() - 2);
    }
    return {};
}

class TestReference : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { m_fields = QString::fromStdString(fieldReference(shippedPresets())); }

    void everyFieldHasARow()
    {
        constexpr qsizetype kColumns = 7;
        for (const Field& field : planFields()) {
            const QStringList row = rowOf(m_fields, field.pointer);
            const QByteArray where(field.pointer.data(), static_cast<qsizetype>(field.pointer.size()));
            QVERIFY2(row.size() == kColumns, where);
            QVERIFY2(!row[2].isEmpty(), where); // values
            QVERIFY2(row[1].contains(QString::fromUtf8(
                         field.label.english.data(), static_cast<qsizetype>(field.label.english.size())))
                    || field.label.empty(),
                where);
            // A condition without words could not be looked up.
            QVERIFY2(field.applies.holds == nullptr || !row[5].isEmpty(), where);
        }
    }

    void fieldsSayWhatTheyAre()
    {
        const QStringList tensor = rowOf(m_fields, "/parallelism/tensor");
        QCOMPARE(tensor[1], QStringLiteral("**Tensor parallel**: tensor-parallel cards (`t`)"));
        QCOMPARE(tensor[2], QStringLiteral("whole number, 1 to 16384"));
        QCOMPARE(tensor[4], QStringLiteral("1"));
        QCOMPARE(rowOf(m_fields, "/cluster/inter_node/gb_s")[3], QStringLiteral("GB/s"));
        QCOMPARE(rowOf(m_fields, "/recipe/moe/dispatcher")[5], QStringLiteral("a model with experts"));
    }

    /// The options are those of the launchers' own documentation.
    void launchersAreThoseThatSayTheField_data()
    {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QStringList>("options");
        QTest::newRow("tensor") << "/parallelism/tensor"
                                << QStringList{"`--tensor-model-parallel-size`", "`parallelism.tensor_parallel_degree`",
                                       "`--tensor-parallel-size`"};
        QTest::newRow("micro-batch") << "/workload/micro_batch_size"
                                     << QStringList{"`--micro-batch-size`", "`/train_micro_batch_size_per_gpu`",
                                            "`training.local_batch_size`"};
        QTest::newRow("sharding") << "/recipe/sharding" << QStringList{"`/zero_optimization/stage`"};
        QTest::newRow("server's share") << "/recipe/gpu_memory_utilization"
                                        << QStringList{"`--gpu-memory-utilization`"};
        QTest::newRow("bucket") << "/recipe/reduce_bucket_size"
                                << QStringList{"`/zero_optimization/reduce_bucket_size`"};
    }
    void launchersAreThoseThatSayTheField()
    {
        QFETCH(const QString, field);
        QFETCH(const QStringList, options);
        const QString said = rowOf(m_fields, field.toStdString()).last();
        for (const QString& option : options)
            QVERIFY2(said.contains(option), qPrintable(said));
    }

    /// No launcher names the speed of a card.
    void aDataSheetIsSaidByNone()
    {
        QVERIFY(rowOf(m_fields, "/cluster/accelerator/memory_bandwidth_gb_s").last().isEmpty());
    }

    void everyWordOfAChoiceIsListed()
    {
        for (const Field& field : planFields()) {
            if (field.type != FieldType::Word || field.text_of == nullptr) continue;
            const QString heading = QStringLiteral("### %1\n").arg(QString::fromStdString(markdownCode(field.pointer)));
            const QString section = m_fields.section(heading, 1, 1).section(QStringLiteral("\n### "), 0, 0);
            for (const std::string_view word : field.words()) {
                if (word.empty()) continue; // not known
                const QString item = QStringLiteral("- %1").arg(QString::fromStdString(markdownCode(word)));
                QVERIFY2(section.contains(item), qPrintable(heading + item));
            }
        }
    }

    void everyRuleHasARow()
    {
        const QString rules = QString::fromStdString(ruleReference());
        for (const PlanRule& rule : kRules) {
            const QStringList row = rowOf(rules, rule.id);
            QVERIFY2(row.size() == 3 && !row[1].isEmpty(), std::string(rule.id).c_str());
            for (const std::string_view field : rule.mended_by)
                QVERIFY(field.empty() || row[2].contains(QString::fromStdString(markdownCode(field))));
        }
    }

    void everyKeyOfAnAnswerHasARow()
    {
        const QString outputs = QString::fromStdString(outputReference());
        for (const std::string& kind : outputKinds()) {
            QVERIFY(!outputKeys(kind).empty());
            for (const OutputKey& key : outputKeys(kind))
                QVERIFY2(rowOf(outputs, key.path).size() == 3, key.path.c_str());
        }
    }

    void aBarInCodeDoesNotEndItsCell() { QCOMPARE(markdownCode("GB | GiB"), std::string("`GB \\| GiB`")); }

private:
    QString m_fields;
};

CARDFIT_TEST(TestReference)

} // namespace cardfit::tst_reference
#include "tst_reference.moc"
