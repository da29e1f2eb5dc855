// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "core/model/families.h"
#include "core/model/operators.h"
#include "tests/test_program.h"

namespace cardfit::tst_families {

class TestFamilies : public QObject {
    Q_OBJECT

private slots:
    void namedSizesArePublishedShapes_data()
    {
        QTest::addColumn<QByteArray>("family");
        QTest::addColumn<double>("size");
        QTest::addColumn<qint64>("hidden");
        QTest::addColumn<qint64>("layers");
        QTest::newRow("Llama 7B by name") << QByteArray("llama") << 7e9 << qint64{4096} << qint64{32};
        QTest::newRow("Llama 7B by count") << QByteArray("llama") << 6.74e9 << qint64{4096} << qint64{32};
        QTest::newRow("Llama 13B") << QByteArray("llama") << 13e9 << qint64{5120} << qint64{40};
        QTest::newRow("Llama 65B") << QByteArray("llama") << 65e9 << qint64{8192} << qint64{80};
        QTest::newRow("Llama 3 405B") << QByteArray("llama-3") << 405e9 << qint64{16384} << qint64{126};
        QTest::newRow("GPT-3 175B") << QByteArray("gpt") << 175e9 << qint64{12288} << qint64{96};
    }
    void namedSizesArePublishedShapes()
    {
        QFETCH(QByteArray, family);
        QFETCH(double, size);
        QFETCH(qint64, hidden);
        QFETCH(qint64, layers);
        const auto shape = architectureOfSize(family.toStdString(), size);
        QVERIFY(shape);
        QCOMPARE(qint64{shape->hidden_size}, hidden);
        QCOMPARE(qint64{shape->num_hidden_layers}, layers);
    }

    void everySizeIsCloseAndReal()
    {
        for (const std::string_view family : familyNames()) {
            double previous = 0.0;
            for (double size = 3e8; size < 2.1e12; size *= 1.13) {
                const auto shape = architectureOfSize(family, size);
                QVERIFY(shape);
                const auto count = static_cast<double>(parameterCount(*shape));
                const QByteArray where =
                    QByteArray(family.data(), static_cast<qsizetype>(family.size())) + " " + QByteArray::number(size);
                QVERIFY2(std::abs(count / size - 1.0) < 0.05, where.constData());
                QVERIFY2(count > 0.94 * previous, where.constData());
                QCOMPARE(shape->hidden_size % shape->num_attention_heads, 0);
                QCOMPARE(shape->num_attention_heads % shape->num_key_value_heads, 0);
                previous = count;
            }
        }
    }

    void refusesWhatIsNoModel()
    {
        QVERIFY(!architectureOfSize("llama", 0.0));
        QVERIFY(!architectureOfSize("llama", -13e9));
        QVERIFY(!architectureOfSize("llama", std::nan("")));
        QVERIFY(!architectureOfSize("camelid", 13e9));
    }
};

CARDFIT_TEST(TestFamilies)

} // namespace cardfit::tst_families
#include "tst_families.moc"
