// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>

#include <rapidcheck.h>

#include "core/accuracy/calibration.h"
#include "core/estimate/estimate.h"
#include "core/plan/field_table.h"
#include "tests/core/explain/runnable_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_calibration {

void holds(const char* name, const std::function<void()>& check) { QVERIFY2(rc::check(name, check), name); }

double stepOf(const Plan& plan) { return estimate(plan).step.seconds.value(); }

Plan with(Plan plan, const Calibration& calibration)
{
    plan.calibration = calibration;
    return plan;
}

Plan withFactors(Plan plan, double compute, double communication)
{
    plan.calibration = Calibration{{}, compute, communication, {}};
    return plan;
}

Measurement step(double seconds)
{
    Measurement measured;
    measured.step = Seconds(seconds);
    return measured;
}

/// Another plan of the same model on the same kind of cards.
Plan changed(Plan plan)
{
    switch (*rc::gen::inRange(0, 3)) {
    case 0: plan.workload.sequence_length *= 2; break;
    case 1: plan.workload.micro_batch_size *= 2, plan.workload.global_batch_size *= 2; break;
    default: plan.recipe.recompute = {RecomputeGranularity::Full, {}, RecomputeMethod::Uniform, 1}; break;
    }
    return plan;
}

class TestCalibration : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("RC_PARAMS", "seed=20261121 max_success=150 max_size=400"); }

    /// Whatever was measured between the limits is what the calibrated plan is predicted to take.
    void predictsWhatWasMeasured()
    {
        holds("the step to a thousandth, memory to the byte", [] {
            const Plan plan = runnable::plan();
            const Estimate predicted = estimate(plan);
            RC_PRE(predicted.complete());
            const double part = *rc::gen::element(0.02, 0.3, 0.5, 0.9, 0.98);
            const double least = stepOf(withFactors(plan, kLeastComputeFactor, kLeastCommunicationFactor));
            const double most = stepOf(withFactors(plan, kMostComputeFactor, kMostCommunicationFactor));
            RC_ASSERT(least < predicted.step.seconds.value() && predicted.step.seconds.value() < most);
            const double target = std::exp(std::log(least) + part * (std::log(most) - std::log(least)));
            Measurement measured = step(target);
            measured.stage = static_cast<std::int64_t>(predicted.stages.size()) - 1;
            const Bytes allocated = predicted.stages.back().allocated();
            measured.allocated =
                Bytes(std::max<std::int64_t>(1, allocated.value() / 3 + *rc::gen::inRange(0, 1 << 30)));

            const auto calibration = calibrate(plan, measured);
            RC_ASSERT(calibration.has_value());
            const Estimate again = estimate(with(plan, *calibration));
            if (!again.complete()) { // what is taken off the measured stage may be all that another one holds
                RC_ASSERT(std::ranges::any_of(
                    again.checks, [](const Check& check) { return check.field == pointerOf<&Calibration::residual>; }));
                return;
            }
            RC_ASSERT(std::abs(again.step.seconds.value() - target) < 1e-3 * target);
            RC_ASSERT(again.stages.back().allocated() == *measured.allocated);
            // Computation first: communication stays as predicted unless computation is at its limit.
            if (calibration->communication_factor != 1.0) {
                RC_ASSERT(calibration->compute_factor == kLeastComputeFactor
                    || calibration->compute_factor == kMostComputeFactor);
            }
        });
    }

    /// A throughput is the same measurement as the step that it follows from.
    void throughputIsAStep()
    {
        holds("tokens per second and card say what seconds say", [] {
            const Plan plan = runnable::plan();
            const Estimate predicted = estimate(plan);
            RC_PRE(predicted.complete());
            Measurement measured;
            measured.tokens_per_second_per_card = predicted.step.tokens_per_second_per_card / 1.1;
            const auto seconds = measuredStep(plan, measured);
            RC_ASSERT(seconds.has_value());
            const double expected = 1.1 * predicted.step.seconds.value();
            RC_ASSERT(std::abs(seconds->value() - expected) < 1e-9 * expected);
        });
    }

    void slowerMeasurementsMakeSlowerPredictions()
    {
        holds("of every plan, and of none faster than without when the run was slower", [] {
            const Plan plan = runnable::plan();
            const Plan other = changed(plan);
            const double predicted = stepOf(plan);
            RC_PRE(estimate(other).complete() && predicted > 0.0);
            const double ratio = *rc::gen::element(0.8, 0.95, 1.0, 1.1, 1.4);
            const auto quick = calibrate(plan, step(ratio * predicted));
            const auto slow = calibrate(plan, step(1.05 * ratio * predicted));
            RC_PRE(quick.has_value() && slow.has_value());
            RC_ASSERT(slow->compute_factor >= quick->compute_factor);
            const double unit = 1.0 + 1e-5;
            RC_ASSERT(stepOf(with(other, *quick)) <= unit * stepOf(with(other, *slow)));
            RC_ASSERT(stepOf(other) <= unit * stepOf(with(other, *slow)) || ratio < 1.0);
        });
    }

    void memoryMovesWithThePlan()
    {
        Plan plan = samples::llama13BOnEightCards();
        Measurement measured;
        const Estimate before = estimate(plan);
        measured.stage = 2;
        measured.allocated = before.stages[2].allocated() + Bytes(1'500'000'001);
        const auto calibration = calibrate(plan, measured);
        QVERIFY(calibration.has_value());
        QCOMPARE(calibration->residual, Bytes(1'500'000'001));
        QCOMPARE(calibration->compute_factor, 1.0);

        plan.workload.micro_batch_size = 2;
        const Estimate uncalibrated = estimate(plan);
        const Estimate after = estimate(with(plan, *calibration));
        for (std::size_t i = 0; i < after.stages.size(); ++i) {
            QCOMPARE(after.stages[i].allocated() - uncalibrated.stages[i].allocated(), Bytes(1'500'000'001));
            // The allocator holds its share of that back, too.
            QVERIFY(after.stages[i].device() - uncalibrated.stages[i].device() > Bytes(1'500'000'001));
        }
        QCOMPARE(after.step.seconds, uncalibrated.step.seconds);
    }

    void whatComputationDoesNotExplainIsCommunication()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism.tensor = 8;
        plan.parallelism.pipeline = 1;
        plan.parallelism.data = 1;
        const double target = 1.1 * stepOf(withFactors(plan, kMostComputeFactor, 1.0));
        const auto calibration = calibrate(plan, step(target));
        QVERIFY2(calibration.has_value(), calibration ? "" : describe(calibration.error()).c_str());
        QCOMPARE(calibration->compute_factor, kMostComputeFactor);
        QVERIFY(calibration->communication_factor > 1.0);
        const StepParts before = estimate(plan).step.parts;
        const StepParts after = estimate(with(plan, *calibration)).step.parts;
        QVERIFY(after.tensor > before.tensor);
    }

    void anEarlierCalibrationCountsForNothing()
    {
        const Plan plan = samples::llama13BOnEightCards();
        const Measurement measured = step(1.2 * stepOf(plan));
        const auto first = calibrate(plan, measured);
        QVERIFY(first.has_value());
        QCOMPARE(calibrate(withFactors(plan, 1.7, 3.0), measured).value(), *first);
    }

    void refusals_data()
    {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<double>("rate");
        QTest::addColumn<qint64>("allocated");
        QTest::addColumn<qint64>("stage");
        QTest::addColumn<QByteArray>("where");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("nothing") << 0.0 << 0.0 << qint64(0) << qint64(0) << QByteArray("/calibration")
                                 << QByteArray("found none of them");
        QTest::newRow("both") << 1.0 << 1.0 << qint64(0) << qint64(0) << QByteArray("/calibration/step_seconds")
                              << QByteArray("found both");
        QTest::newRow("negative") << -1.0 << 0.0 << qint64(0) << qint64(0) << QByteArray("/calibration/step_seconds")
                                  << QByteArray("expected a time above 0, found -1");
        QTest::newRow("no such stage") << 0.0 << 0.0 << qint64(5) << qint64(4) << QByteArray("/calibration/stage")
                                       << QByteArray("expected a stage from 0 to 3, found 4");
        QTest::newRow("a byte") << 0.0 << 0.0 << qint64(1) << qint64(0) << QByteArray("/calibration/allocated_bytes")
                                << QByteArray("1 bytes do not fit this plan");
        QTest::newRow("more than a file holds")
            << 0.0 << 0.0 << std::numeric_limits<qint64>::max() << qint64(0)
            << QByteArray("/calibration/allocated_bytes") << QByteArray("expected at most 1125899906842624 bytes");
        QTest::newRow("another run") << 1e5 << 0.0 << qint64(0) << qint64(0) << QByteArray("/calibration/step_seconds")
                                     << QByteArray("does not fit this plan");
        QTest::newRow("far too fast") << 0.0 << 1e9 << qint64(0) << qint64(0)
                                      << QByteArray("/calibration/tokens_per_second_per_card")
                                      << QByteArray("kernels twice");
    }

    void refusals()
    {
        QFETCH(double, seconds);
        QFETCH(double, rate);
        QFETCH(qint64, allocated);
        QFETCH(qint64, stage);
        QFETCH(QByteArray, where);
        QFETCH(QByteArray, message);
        Measurement measured;
        if (seconds != 0.0) measured.step = Seconds(seconds);
        if (rate != 0.0) measured.tokens_per_second_per_card = rate;
        if (allocated != 0) measured.allocated = Bytes(allocated);
        measured.stage = stage;
        const auto refused = calibrate(samples::llama13BOnEightCards(), measured);
        QVERIFY(!refused.has_value());
        QCOMPARE(QByteArray::fromStdString(refused.error().where.english()), where);
        QVERIFY2(refused.error().message.english().find(message.toStdString()) != std::string::npos,
            refused.error().message.english().c_str());
    }

    void brokenPlans()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.model.architecture.num_hidden_layers = 0;
        const auto refused = calibrate(plan, step(1.0));
        QVERIFY(!refused.has_value());
        QVERIFY(refused.error().message.english().find("broken rule") != std::string::npos);
    }
};

CARDFIT_TEST(TestCalibration)

} // namespace cardfit::tst_calibration
#include "tst_calibration.moc"
