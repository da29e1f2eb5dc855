// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <random>

#include <QTest>

#include "app/document/plan_quantities.h"
#include "core/rules/remedies.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"

namespace cardfit::tst_remedy_walk {

using namespace cardfit::app;

std::vector<Check> errorsOf(const Plan& plan)
{
    std::vector<Check> errors = check(plan);
    std::erase_if(errors, [](const Check& broken) { return broken.severity != Severity::Error; });
    return errors;
}

std::ptrdiff_t countOf(const std::vector<Check>& checks, const std::string& id)
{
    return std::ranges::count(checks, id, &Check::id);
}

/// Values as users type and drag them: stops, small numbers, powers of two, and sometimes invalid values.
double randomValue(const PlanQuantity& quantity, const Plan& plan, const QuantityContext& context, std::mt19937& random)
{
    const auto upTo = [&](unsigned most) { return static_cast<unsigned>(random() % most); };
    double value = 1.0 + upTo(64);
    if (upTo(2) == 0) {
        const auto stops = quantity.candidates(plan, context);
        value = stops[upTo(static_cast<unsigned>(stops.size()))];
    } else if (quantity.format.kind == ui::QuantityKind::Parameters) {
        value = 1e9 * (1.0 + upTo(700));
    } else if (!quantity.format.whole) {
        value = upTo(2);
    } else if (upTo(20) == 0) {
        value = static_cast<double>(std::int64_t{1} << upTo(40));
    } else if (quantity.format.kind == ui::QuantityKind::Tokens) {
        value *= 100.0;
    }
    return std::clamp(value, quantity.format.minimum, quantity.format.maximum);
}

/// Pressing the buttons of the checks, at random and from any plan, leads back to a plan that keeps every rule.
class TestRemedyWalk : public QObject {
    Q_OBJECT

private slots:
    void everyWalkEndsWithinFourPresses_data()
    {
        QTest::addColumn<QString>("id");
        for (const PlanPreset& preset : shippedPresets().plans)
            QTest::addRow("%s", preset.id.c_str()) << QString::fromStdString(preset.id);
    }
    void everyWalkEndsWithinFourPresses()
    {
        QFETCH(const QString, id);
        constexpr int kWalks = 25;
        constexpr int kMostPresses = 4;
        std::mt19937 random(17);
        const auto preset = std::ranges::find(shippedPresets().plans, id.toStdString(), &PlanPreset::id);
        const QuantityContext context{shippedPresets(), DerivedFactor::Data, &preset->plan};
        for (int walk = 0; walk < kWalks; ++walk) {
            Plan plan = preset->plan;
            QString path;
            for (unsigned step = 0; step < 1 + random() % 4; ++step) {
                const PlanQuantity& quantity = planQuantities()[random() % planQuantities().size()];
                if (!isOffered(quantity, plan)) continue;
                const double value = randomValue(quantity, plan, context, random);
                plan = quantity.write(plan, value, context);
                path += QStringLiteral("%1 = %2; ").arg(quantityLabel(quantity)).arg(value);
            }
            for (int press = 1;; ++press) {
                const std::vector<Check> errors = errorsOf(plan);
                if (errors.empty()) break;
                QVERIFY2(press <= kMostPresses, qPrintable(path));
                const auto all = remedyOfAll(plan);
                QVERIFY2(all, qPrintable(path));
                if (press == kMostPresses) {
                    plan = withRemedy(plan, *all);
                    continue;
                }
                for (const Check& broken : errors) {
                    const auto offered = remedies(plan, broken);
                    QVERIFY2(!offered.empty(), qPrintable(path + QString::fromStdString(broken.id)));
                    for (const Remedy& remedy : offered) {
                        const Plan after = withRemedy(plan, remedy);
                        QVERIFY(after != plan);
                        const auto left = errorsOf(after);
                        QCOMPARE(left.size(), remedy.errors_left);
                        QVERIFY2(countOf(left, broken.id) < countOf(errors, broken.id), qPrintable(path));
                    }
                }
                const auto offered = remedies(plan, errors[random() % errors.size()]);
                const Remedy& pressed = offered[random() % offered.size()];
                path += QStringLiteral("[%1] ").arg(QString::fromStdString(pressed.label.english()));
                plan = withRemedy(plan, pressed);
            }
        }
    }
};

CARDFIT_TEST(TestRemedyWalk)

} // namespace cardfit::tst_remedy_walk
#include "tst_remedy_walk.moc"
