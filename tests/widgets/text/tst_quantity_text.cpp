// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/test_program.h"
#include "widgets/text/quantity_text.h"

#include <QTest>

namespace cardfit::tst_quantity_text {

using namespace cardfit::ui;

constexpr QuantityFormat kCount{};
constexpr QuantityFormat kSize{.kind = QuantityKind::Parameters, .whole = false, .minimum = 1e7, .maximum = 1e13};
constexpr QuantityFormat kTokens{.kind = QuantityKind::Tokens};
constexpr QuantityFormat kBytes{.kind = QuantityKind::Bytes};
constexpr QuantityFormat kBatch{.kind = QuantityKind::Count, .tokens_per_unit = 4096.0};
constexpr QuantityFormat kFraction{.kind = QuantityKind::Count, .whole = false, .minimum = 0.0, .maximum = 1.0};

class TestQuantityText : public QObject {
    Q_OBJECT

private slots:
    void reads_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QuantityFormat>("format");
        QTest::addColumn<double>("value");
        const auto row = [](const char* text, const QuantityFormat& format, double value) {
            QTest::newRow(text) << QString::fromUtf8(text) << format << value;
        };
        row("8", kCount, 8);
        row(" 8 ", kCount, 8);
        row("8*8", kCount, 64);
        row("8 x 8", kCount, 64);
        row("8x8", kCount, 64);
        row("8×8", kCount, 64);
        row("2^12", kCount, 4096);
        row("2**12", kCount, 4096);
        row("512/8", kCount, 64);
        row("2*3*4", kCount, 24);
        row("2^3^2", kCount, 512);
        row("1.5k", kCount, 1500);
        row("32Ki", kCount, 32768);
        row("1e3", kCount, 1000);
        row("4,096", kCount, 4096);
        row("4_096", kCount, 4096);
        row("4 096", kCount, 4096);
        row("1,048,576", kCount, 1048576);
        row("0,94", kFraction, 0.94);
        row(".5", kFraction, 0.5);
        row("13B", kSize, 13e9);
        row("13 B", kSize, 13e9);
        row("13b", kSize, 13e9);
        row("13", kSize, 13e9);
        row("13000000000", kSize, 13e9);
        row("1.5e9", kSize, 1.5e9);
        row("70.6B", kSize, 70.6e9);
        row("350M", kSize, 350e6);
        row("1.2T", kSize, 1.2e12);
        row("1.3 billion", kSize, 1.3e9);
        row("4096", kTokens, 4096);
        row("4k", kTokens, 4096);
        row("128K", kTokens, 131072);
        row("32Ki tokens", kTokens, 32768);
        row("1M", kTokens, 1048576);
        row("80GiB", kBytes, 85899345920.0);
        row("80 GB", kBytes, 80e9);
        row("81920MiB", kBytes, 85899345920.0);
        row("512 B", kBytes, 512);
        row("1024", kBatch, 1024);
        row("4M tokens", kBatch, 1024);
        row("4 M tok", kBatch, 1024);
        row("4194304 tokens", kBatch, 1024);
    }
    void reads()
    {
        QFETCH(const QString, text);
        QFETCH(const QuantityFormat, format);
        QFETCH(const double, value);
        const auto parsed = parseQuantity(text, format);
        QVERIFY2(parsed.has_value(), parsed ? "" : qPrintable(parsed.error()));
        QCOMPARE(*parsed, value);
    }

    void explains_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QuantityFormat>("format");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* text, const QuantityFormat& format, const char* part) {
            QTest::newRow(*text == '\0' ? "(empty)" : text)
                << QString::fromUtf8(text) << format << QString::fromUtf8(part);
        };
        row("", kCount, "whole number");
        row("eight", kCount, "“eight”");
        row("8 9", kCount, "“9”");
        row("8*", kCount, "not understood");
        row("2^", kCount, "not understood");
        row("1.5", kCount, "1.5 is not a whole number");
        row("0", kCount, "smallest value is 1");
        row("-4", kCount, "“-4”");
        row("2^2000", kCount, "too large");
        row("1e999", kCount, "too large");
        row("8/0", kCount, "too large");
        row("13Q", kSize, "13B");
        row("20T", kSize, "largest value is 10,000 B");
        row("4M tokens", kCount, "tokens");
        row("80GX", kBytes, "80GiB");
        row("4000000 tokens", kBatch, "976 or 977");
        row("2", kFraction, "largest value is 1");
    }
    void explains()
    {
        QFETCH(const QString, text);
        QFETCH(const QuantityFormat, format);
        QFETCH(const QString, part);
        const auto parsed = parseQuantity(text, format);
        QVERIFY(!parsed);
        QVERIFY2(parsed.error().contains(part), qPrintable(parsed.error()));
    }

    void writes_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QuantityKind>("kind");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("tick");
        QTest::newRow("count") << 512.0 << QuantityKind::Count << "512"
                               << "512";
        QTest::newRow("large count") << 16384.0 << QuantityKind::Count << "16,384"
                                     << "16Ki";
        QTest::newRow("fraction") << 0.94 << QuantityKind::Count << "0.94"
                                  << "0.94";
        QTest::newRow("13B") << 13e9 << QuantityKind::Parameters << "13 B"
                             << "13";
        QTest::newRow("70B") << 70553706496.0 << QuantityKind::Parameters << "70.55 B"
                             << "70.6";
        QTest::newRow("2000B") << 2e12 << QuantityKind::Parameters << "2,000 B"
                               << "2,000";
        QTest::newRow("0.1B") << 1e8 << QuantityKind::Parameters << "0.1 B"
                              << "0.1";
        QTest::newRow("20M") << 2e7 << QuantityKind::Parameters << "20 M"
                             << "0.02";
        QTest::newRow("tokens") << 4096.0 << QuantityKind::Tokens << "4,096"
                                << "4k";
        QTest::newRow("1.5k") << 1536.0 << QuantityKind::Tokens << "1,536"
                              << "1.5k";
        QTest::newRow("1M") << 1048576.0 << QuantityKind::Tokens << "1,048,576"
                            << "1M";
        QTest::newRow("80GiB") << 85899345920.0 << QuantityKind::Bytes << "80 GiB"
                               << "80Gi";
        QTest::newRow("512MiB") << 536870912.0 << QuantityKind::Bytes << "512 MiB"
                                << "512";
        QTest::newRow("1300MiB") << 1363148800.0 << QuantityKind::Bytes << "1,300 MiB"
                                 << "1,300";
    }
    void writes()
    {
        QFETCH(const double, value);
        QFETCH(const QuantityKind, kind);
        QFETCH(const QString, text);
        QFETCH(const QString, tick);
        QCOMPARE(formatQuantity(value, kind), text);
        QCOMPARE(tickText(value, kind), tick);
    }

    void whatIsWrittenReadsBack()
    {
        for (double value = 1; value < 1e6; value = std::ceil(value * 1.37)) {
            QCOMPARE(parseQuantity(formatQuantity(value, QuantityKind::Count), kCount).value(), value);
            QCOMPARE(parseQuantity(formatQuantity(value, QuantityKind::Tokens), kTokens).value(), value);
        }
        for (const double size : {1.4e9, 2.8e9, 13e9, 220e9, 2e12, 2e7})
            QCOMPARE(parseQuantity(formatQuantity(size, QuantityKind::Parameters), kSize).value(), size);
    }
};

CARDFIT_TEST(TestQuantityText)

} // namespace cardfit::tst_quantity_text
#include "tst_quantity_text.moc"
