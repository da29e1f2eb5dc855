// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/test_program.h"
#include "widgets/text/run_text.h"

namespace cardfit::tst_run_text {

using namespace cardfit::ui;

class TestRunText : public QObject {
    Q_OBJECT

private slots:
    void aRunInFewWords()
    {
        RunCost run;
        run.tokens = 1e12;
        run.days = 176.2;
        run.card_hours = 270'000.0;
        run.cost_usd = 404'123.0;
        run.energy_kwh = 189'000.0;
        QCOMPARE(runSummary(run), QStringLiteral("176 days · 270,000 card-hours · $404k · 189 MWh for the cards"));
    }

    void whatIsUnknownIsSaid()
    {
        RunCost run;
        run.tokens = 3e11;
        run.days = 0.3;
        QVERIFY(runSummary(run).contains(QStringLiteral("the card has no price")));
        QVERIFY(runSummary(run).contains(QStringLiteral("the power of the card is not given")));
    }
};

CARDFIT_TEST(TestRunText)

} // namespace cardfit::tst_run_text
#include "tst_run_text.moc"
