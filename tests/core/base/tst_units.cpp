// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/base/units.h"
#include "tests/test_program.h"

namespace cardfit::tst_units {

class TestUnits : public QObject {
    Q_OBJECT

private slots:
    void convertsMebibytes() { QCOMPARE(toBytes(Mebibytes(81920)).value(), 85'899'345'920); }
    void dividesWorkByRate() { QCOMPARE((Flops(3e12) / Teraflops(1.5)).value(), 2.0); }
    void dividesMemoryByBandwidth() { QCOMPARE((Bytes(6'700'000'000) / GigabytesPerSecond(3350)).value(), 0.002); }
    void roundsToWholeBytes() { QCOMPARE(roundToBytes(2.5).value(), 3); }
    void ratioIsAPlainNumber() { QCOMPARE(Bytes(1) / Bytes(4), 0.25); }
};

CARDFIT_TEST(TestUnits)

} // namespace cardfit::tst_units
#include "tst_units.moc"
