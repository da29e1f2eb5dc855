// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "core/estimate/estimate.h"
#include "core/plan/tables.h"
#include "core/time/error_band.h"
#include "core/time/passes.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_error_band {

/// A dense model on H100, large enough that no layer waits for its host.
Plan onHopper(Precision precision)
{
    Plan plan = samples::llama13BOnEightCards();
    plan.cluster.accelerator.generation = Generation::Hopper;
    plan.cluster.accelerator.tflops.bf16 = Teraflops(989);
    plan.cluster.accelerator.tflops.fp8 = Teraflops(1979);
    plan.recipe.precision = precision;
    return plan;
}

ErrorBand bandOf(const Plan& plan) { return errorBand(plan, operatorTables(plan)); }

bool near(const ErrorBand& a, const ErrorBand& b)
{
    const auto same = [](double x, double y) { return std::abs(x - y) < 1e-12; };
    return same(a.below, b.below) && same(a.above, b.above) && a.cases == b.cases && a.of == b.of;
}

std::string_view classOf(const Plan& plan) { return bandOf(plan).of; }

class TestErrorBand : public QObject {
    Q_OBJECT

private slots:
    void everyBandIsOne()
    {
        std::set<std::string_view> names;
        std::set<RunClass> classes;
        for (const auto& [runs, band, sources] : errorBands()) {
            QVERIFY2(names.insert(band.of).second && classes.insert(runs).second, band.of.data());
            QVERIFY(band.below < band.above);
            QVERIFY(band.below > -0.5 && band.above < 1.0);
            QVERIFY(band.cases >= static_cast<std::int64_t>(kFewestBandCases));
            QVERIFY(sources >= 1 && sources <= band.cases);
        }
        QVERIFY(names.contains("any kind"));
    }

    void theNearestClassCounts()
    {
        QCOMPARE(classOf(onHopper(Precision::Fp8)), std::string_view("dense Hopper fp8"));
        QCOMPARE(classOf(onHopper(Precision::Bf16)), std::string_view("dense Hopper 16-bit"));
        QCOMPARE(classOf(samples::llama13BOnEightCards()), std::string_view("dense Ampere 16-bit"));

        Plan longer = onHopper(Precision::Fp8);
        longer.workload.sequence_length = 16384;
        QCOMPARE(classOf(longer), std::string_view("dense Hopper fp8, 16k tokens and more"));
    }

    void launchesCount()
    {
        Plan small = samples::llama13BOnEightCards();
        small.model.architecture = samples::gpt(1024, 16, 24);
        small.workload.sequence_length = 1024;
        small.recipe.kernels = Kernels::MegatronLocal;
        QVERIFY(waitsForHost(small, operatorTables(small)));
        QCOMPARE(classOf(small), std::string_view("launch-bound dense Ampere 16-bit"));
    }

    void oneSourceAloneNarrowsNothing()
    {
        const RunClass small{false, true};
        const RunClass dense{false};
        const RunClass any;
        std::vector<ClassBand> bands{{any, {-0.3, 0.1, 90, "any"}, 3}, {dense, {-0.1, 0.2, 40, "dense"}, 2},
            {small, {-0.05, 0.05, 20, "small"}, 2}};
        const std::array classes{small, dense, any};
        // Half as wide again for the two sources.
        QVERIFY(near(bandFrom(classes, bands), {-0.075, 0.075, 20, "small"}));
        // As wide as the next wider class, whose two sources are enough.
        bands[2].sources = 1;
        QVERIFY(near(bandFrom(classes, bands), {-0.175, 0.275, 20, "small"}));
        // Those of the next one are three.
        bands[1].sources = 1;
        QVERIFY(near(bandFrom(classes, bands), {-0.3 - 0.25 / 3.0, 0.2 + 0.25 / 3.0, 20, "small"}));
        bands[2].band.above = 0.6; // and no narrower than its own
        QVERIFY(near(bandFrom(classes, bands), {-0.45, 0.75, 20, "small"}));
        QCOMPARE(bandFrom({}, bands), ErrorBand{});
    }

    void fewRunsFallBackToMore()
    {
        // No run of this card was measured, whatever the format.
        Plan elsewhere = samples::llama13BOnEightCards();
        elsewhere.cluster.accelerator.generation = Generation::Davinci;
        QCOMPARE(classOf(elsewhere), std::string_view("dense on any card"));

        // Experts were measured, but none with long sequences.
        Plan experts = onHopper(Precision::Bf16);
        experts.model.architecture.moe = MixtureOfExperts{};
        experts.model.architecture.moe->num_experts = 8;
        experts.model.architecture.moe->moe_intermediate_size = 14336;
        experts.workload.sequence_length = 65536;
        QCOMPARE(classOf(experts), std::string_view("experts of any kind"));
    }

    void whatWasNeverMeasuredHasNone()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.workload.task = Task::Inference;
        QCOMPARE(bandOf(plan), ErrorBand{});
    }

    /// Settings of no run behind the bands, and software of any time where kernels became faster.
    void bandsWidenWithTheDistanceFromMeasuredRuns()
    {
        const ErrorBand band{-0.1, 0.2, 90, "any"};
        QVERIFY(near(widened(band, 0.0), band));
        QVERIFY(near(widened(band, 0.5), {-0.25, 0.35, 90, "any"}));
        QVERIFY(near(widened(band, 9.0), {-0.9, 2.9, 90, "any"}));

        Plan plan = samples::llama13BOnEightCards();
        QCOMPARE(distanceFromMeasured(plan), 0.0);
        const auto width = [&] { return bandOf(plan).above - bandOf(plan).below; };
        const double before = width();
        plan.recipe.offload.optimizer = 1.0;
        QVERIFY(width() > before);
        plan.workload.task = Task::Lora;
        QCOMPARE(classOf(plan), std::string_view("adapters of any kind"));

        plan = onHopper(Precision::Bf16);
        const double of_any_time = width();
        plan.recipe.software = "2025-11";
        QVERIFY(width() < of_any_time);
    }

    void aMeasuredTimeHasABandOfItsOwn()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.calibration = Calibration{};
        plan.calibration->measured.allocated = Bytes(1);
        QCOMPARE(classOf(plan), std::string_view("dense Ampere 16-bit"));
        plan.calibration->measured.step = Seconds(1.0);
        QCOMPARE(classOf(plan), std::string_view("dense, calibrated with another run of the same model"));
        Plan certain = onHopper(Precision::Bf16);
        certain.calibration = plan.calibration;
        QCOMPARE(classOf(certain), std::string_view("dense Hopper 16-bit")); // no wider than it was
        plan = onHopper(Precision::Fp8);
        plan.cluster.accelerator.generation = Generation::Blackwell;
        plan.model.architecture.moe.emplace();
        plan.model.architecture.moe->num_experts = 64;
        plan.model.architecture.moe->num_experts_per_tok = 8;
        plan.model.architecture.moe->moe_intermediate_size = 1024;
        QVERIFY(classOf(plan) != std::string_view("experts, calibrated with another run of the same model"));
        plan.calibration = Calibration{};
        plan.calibration->measured.step = Seconds(1.0);
        QCOMPARE(classOf(plan), std::string_view("experts, calibrated with another run of the same model"));
    }

    void theBandHoldsThePredictionItself()
    {
        Plan longer = onHopper(Precision::Fp8);
        longer.workload.sequence_length = 16384; // all such runs took longer than predicted
        QVERIFY(bandOf(longer).below <= 0.0 && bandOf(longer).above >= 0.0);
    }

    void aMeasuredRunMakesNothingLessCertain()
    {
        for (const Precision precision : {Precision::Bf16, Precision::Fp8}) {
            Plan plan = onHopper(precision);
            const ErrorBand before = bandOf(plan);
            plan.calibration = Calibration{};
            plan.calibration->measured.step = Seconds(1.0);
            const ErrorBand after = bandOf(plan);
            QVERIFY(after.above - after.below <= before.above - before.below);
        }
    }

    void anEstimateCarriesIt()
    {
        const Plan plan = samples::llama13BOnEightCards();
        QCOMPARE(estimate(plan).step.band, bandOf(plan));
    }
};

CARDFIT_TEST(TestErrorBand)

} // namespace cardfit::tst_error_band
#include "tst_error_band.moc"
