// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <array>
#include <cmath>
#include <filesystem>
#include <limits>

#include <fmt/format.h>
#include <rapidcheck.h>

#include "core/articles/articles.h"
#include "core/articles/rules_of_thumb.h"
#include "core/estimate/estimate.h"
#include "core/files/presets.h"
#include "core/model/operators.h"
#include "core/time/stated_utilization.h"
#include "core/time/utilization.h"
#include "tests/core/explain/runnable_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_utilization {

void holds(const char* name, const std::function<void()>& check) { QVERIFY2(rc::check(name, check), name); }

/// A shipped model on one card, with nothing recomputed.
Plan planOf(const char* model, std::int64_t sequence_length)
{
    static const Presets kPresets = loadPresets(std::vector<std::filesystem::path>{CARDFIT_PRESET_DIR});
    Plan plan;
    plan.cluster.accelerator = samples::a100();
    plan.cluster.cards_per_node = 1;
    plan.workload.sequence_length = sequence_length;
    plan.model = *kPresets.model(model);
    return plan;
}

Plan gptPlan(std::int64_t hidden, std::int64_t heads, std::int64_t layers)
{
    Plan plan;
    plan.cluster.accelerator = samples::a100();
    plan.model.architecture = samples::gpt(hidden, heads, layers);
    plan.workload.sequence_length = 2048;
    return plan;
}

TokenWork work(const Plan& plan, WorkDefinition definition)
{
    return tokenWorks(plan)[static_cast<std::size_t>(definition)];
}

double gigaflops(const Plan& plan, WorkDefinition definition) { return work(plan, definition).model->value() / 1e9; }

bool near(double actual, double expected, double tolerance)
{
    return std::abs(actual - expected) <= tolerance * std::abs(expected);
}

/// Korthikanti et al. 2022, equation for model FLOPs, per token.
double korthikanti(const Architecture& model, double s)
{
    const auto h = static_cast<double>(model.hidden_size);
    const auto layers = static_cast<double>(model.num_hidden_layers);
    const auto vocabulary = static_cast<double>(model.vocab_size);
    return 72.0 * layers * h * h * (1.0 + s / (6.0 * h) + vocabulary / (12.0 * h * layers));
}

/// Narayanan et al. 2021, equation 3, per token.
double narayanan(const Architecture& model, double s)
{
    const auto h = static_cast<double>(model.hidden_size);
    const auto layers = static_cast<double>(model.num_hidden_layers);
    const auto vocabulary = static_cast<double>(model.vocab_size);
    return 96.0 * layers * h * h * (1.0 + s / (6.0 * h) + vocabulary / (16.0 * layers * h));
}

ArticleRow articleRow(std::string_view id)
{
    const auto rows = articleRows();
    return *std::ranges::find(rows, id, &ArticleRow::id);
}

class TestUtilization : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("RC_PARAMS", "seed=20261154 max_success=200 max_size=200"); }

    // GFLOPs per token that the frameworks themselves print or publish.
    void publishedWorkPerToken_data()
    {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<int>("sequence");
        QTest::addColumn<double>("palm");
        QTest::addColumn<double>("full");
        QTest::addColumn<double>("causal");
        QTest::newRow("Llama 3 8B") << QByteArray("llama-3-8b") << 8192 << 61.1 << 57.9 << 51.5;
        QTest::newRow("Llama 3 70B") << QByteArray("llama-3-70b") << 8192 << 487.7 << 481.4 << 449.2;
        QTest::newRow("GPT-3 175B") << QByteArray("gpt-3-175b") << 2048 << 0.0 << 1076.4 << 1061.9;
        QTest::newRow("Qwen3 30B") << QByteArray("qwen3-30b-a3b") << 4096 << 0.0 << 27.9 << 23.1;
    }
    void publishedWorkPerToken()
    {
        QFETCH(QByteArray, model);
        QFETCH(int, sequence);
        QFETCH(double, palm);
        QFETCH(double, full);
        QFETCH(double, causal);
        const Plan plan = planOf(model.constData(), sequence);
        const auto close = [&](WorkDefinition definition, double published) {
            const double ours = gigaflops(plan, definition);
            QVERIFY2(near(ours, published, 0.003), qPrintable(QString::number(ours)));
        };
        if (palm > 0.0) close(WorkDefinition::Palm, palm);
        close(WorkDefinition::FullAttention, full);
        close(WorkDefinition::Causal, causal);
    }

    void deepSeekCountsItsFurtherPrediction()
    {
        Plan plan = planOf("deepseek-v3", 4096);
        const double with = gigaflops(plan, WorkDefinition::Causal);
        QVERIFY2(near(with, 260.0, 0.02), qPrintable(QString::number(with)));
        plan.model.architecture.mtp_layers = 0;
        const double causal = gigaflops(plan, WorkDefinition::Causal);
        const double full = gigaflops(plan, WorkDefinition::FullAttention);
        QVERIFY2(near(causal, 250.4, 0.003), qPrintable(QString::number(causal)));
        QVERIFY2(near(full, 281.2, 0.003), qPrintable(QString::number(full)));
    }

    void palmAndFoundryAreSixPerParameterAndAttention()
    {
        const Plan plan = planOf("llama-3-8b", 8192);
        const double six = 6.0 * static_cast<double>(parameterCount(plan.model.architecture));
        QVERIFY(near(six, 48.2e9, 0.001));
        QCOMPARE(work(plan, WorkDefinition::Palm).model->value(), six + 12.0 * 32.0 * 4096.0 * 8192.0);
        QVERIFY(!work(plan, WorkDefinition::Palm).executed);
        // Heads as wide as the hidden size: the two agree.
        QCOMPARE(work(plan, WorkDefinition::LlmFoundry).model, work(plan, WorkDefinition::Palm).model);
        Plan checkpointed = plan;
        checkpointed.recipe.recompute.granularity = RecomputeGranularity::Full;
        const TokenWork foundry = work(checkpointed, WorkDefinition::LlmFoundry);
        QVERIFY(near(*foundry.executed / *foundry.model, 4.0 / 3.0, 1e-12));
    }

    void gptShapesAreTheClosedForms()
    {
        using Shape = std::array<std::int64_t, 3>;
        for (const auto& [hidden, heads, layers] : {Shape{2304, 24, 24}, Shape{6144, 48, 40}, Shape{12288, 96, 96},
                 Shape{20480, 128, 105}, Shape{25600, 160, 128}}) {
            Plan plan = gptPlan(hidden, heads, layers);
            const Architecture& model = plan.model.architecture;
            QVERIFY(near(work(plan, WorkDefinition::FullAttention).model->value(), korthikanti(model, 2048.0), 1e-12));
            const TokenWork hardware = work(plan, WorkDefinition::Narayanan);
            QVERIFY(!hardware.model);
            QVERIFY(near(hardware.executed->value(), narayanan(model, 2048.0), 1e-12));
            // Full recomputation is what it counts in any case.
            plan.recipe.recompute.granularity = RecomputeGranularity::Full;
            QVERIFY(near(*work(plan, WorkDefinition::FullAttention).executed / *hardware.executed, 1.0, 1e-12));
        }
    }

    // Narayanan et al. 2021, section 5.1: 300 billion tokens in 34 days at 140 TFLOP/s per card, by 8 N per token.
    void narayanansRun()
    {
        const double flops = work(gptPlan(12288, 96, 96), WorkDefinition::Narayanan).executed->value();
        const double days = 300e9 * flops / (1024.0 * 140e12) / 86400.0;
        QVERIFY2(near(days, 34.0, 0.03), qPrintable(QString::number(days)));
    }

    void theDefaultIsTheEstimates()
    {
        holds("the first of the list is the step's own", [] {
            const Plan plan = runnable::plan();
            const Estimate result = estimate(plan);
            RC_PRE(result.complete());
            const StepEstimate& step = result.step;
            const Utilization& first = step.utilization.front();
            RC_ASSERT(first.definition == WorkDefinition::Causal);
            RC_ASSERT(*first.mfu == step.mfu);
            RC_ASSERT(*first.hfu == step.hfu);
            RC_ASSERT(step.hfu >= step.mfu);
            RC_ASSERT(*first.model_tflops_per_card == step.model_tflops_per_card);
            for (const Utilization& made : step.utilization) {
                if (made.mfu)
                    RC_ASSERT(near(*made.mfu * made.peak.rate.value(), made.model_tflops_per_card->value(), 1e-12));
                if (made.mfu && made.hfu) RC_ASSERT(*made.hfu >= *made.mfu);
                RC_ASSERT(made.mfu || made.hfu || plan.workload.task == Task::Inference || trainsAdapters(plan));
            }
        });
    }

    void workDoesNotDependOnTheCards()
    {
        holds("tensor, context, data and expert parallelism leave the work as it is", [] {
            Plan plan = runnable::plan();
            plan.recipe.recompute = {};
            plan.model.architecture.vocab_size = 128000; // a multiple of 128 x tensor
            const TokenWorks divided = tokenWorks(plan);
            Plan alone = plan;
            alone.parallelism.tensor = alone.parallelism.context = alone.parallelism.expert = 1;
            alone.parallelism.expert_tensor = 1;
            alone.workload.micro_batch_size = 1;
            if (alone.model.architecture.moe) alone.model.architecture.moe->imbalance = 1.0;
            const TokenWorks whole = tokenWorks(alone);
            for (std::size_t i = 0; i < whole.size(); ++i) {
                RC_ASSERT(whole[i].model.has_value() == divided[i].model.has_value());
                if (whole[i].model) RC_ASSERT(near(divided[i].model->value(), whole[i].model->value(), 1e-12));
            }
        });
    }

    void narrowRecipesAreHeldAgainstBothPeaks()
    {
        Plan plan = samples::llama13BOnEightCards();
        QCOMPARE(peakRates(plan).size(), std::size_t{1});
        QCOMPARE(peakRates(plan).front().format, std::string_view("bf16"));
        plan.recipe.precision = Precision::Fp8;
        QCOMPARE(peakRates(plan).size(), std::size_t{1}); // an A100 has no fp8
        plan.cluster.accelerator.tflops.fp8 = Teraflops(624);
        const auto peaks = peakRates(plan);
        QCOMPARE(peaks.size(), std::size_t{2});
        QCOMPARE(peaks.back(), (PeakRate{"fp8", Teraflops(624)}));
        const auto all = utilizations(tokenWorks(plan), peaks, 1000.0);
        QCOMPARE(all.size(), 2 * workDefinitions().size());
        QCOMPARE(*all.back().hfu * 2.0, *all[workDefinitions().size() - 1].hfu);
        // People read the peak of the format that multiplies first.
        QVERIFY(hasNarrowPeak(all));
        QCOMPARE(ownPeakFirst(all).front().peak.format, std::string_view("fp8"));
        QCOMPARE(ownPeakFirst(all).back().peak.format, std::string_view("bf16"));
        // Volta has no bf16.
        plan.recipe.precision = Precision::Fp16;
        plan.cluster.accelerator.tflops.bf16.reset();
        QCOMPARE(peakRates(plan).front().format, std::string_view("fp16"));
    }

    void frozenWeightsHaveOneConventionLess()
    {
        Plan plan = samples::llama13BOnEightCards();
        const double training = work(plan, WorkDefinition::Causal).model->value();
        plan.workload.task = Task::Lora;
        QVERIFY(near(work(plan, WorkDefinition::Causal).model->value(), training * 2.0 / 3.0, 1e-12));
        QVERIFY(!work(plan, WorkDefinition::Palm).model);
        QVERIFY(!work(plan, WorkDefinition::LlmFoundry).model);
        QVERIFY(!work(plan, WorkDefinition::Narayanan).executed);
        plan.workload.task = Task::Inference;
        QVERIFY(near(work(plan, WorkDefinition::Causal).model->value(), training / 3.0, 1e-12));
    }

    void everyConventionHasWords()
    {
        for (std::size_t i = 0; i < workDefinitions().size(); ++i) {
            const WorkDefinitionText& text = workDefinitions()[i];
            QCOMPARE(static_cast<std::size_t>(text.definition), i);
            QCOMPARE(&describeWork(text.definition), &text);
            QVERIFY(!text.name.empty() && !text.title.empty() && !text.formula.empty() && !text.source.empty());
            QVERIFY(text.sentence.english.ends_with('.'));
        }
    }

    // ---- Whole runs

    void aRunsCost()
    {
        Plan plan = samples::llama13BOnEightCards();
        QVERIFY(!runCost(plan, 1000.0));
        plan.workload.tokens = 86400e6;
        QVERIFY(!runCost(plan, 0.0));
        RunCost run = *runCost(plan, 1e6);
        QCOMPARE(run.days, 1.0);
        QCOMPARE(run.card_hours, 8.0 * 24.0);
        QCOMPARE(run.steps, 86400e6 / (1024.0 * 4096.0));
        QVERIFY(!run.cost_usd && !run.energy_kwh);
        QCOMPARE(tokensPerDay(1e6), 86400e6);
        plan.cluster.accelerator.price_per_hour_usd = 2.0;
        plan.cluster.accelerator.power_w = 400.0;
        run = *runCost(plan, 1e6);
        QCOMPARE(*run.cost_usd, 2.0 * 192.0);
        QCOMPARE(*run.energy_kwh, 0.4 * 192.0);
        // Cards that the plan leaves idle are not its own.
        plan.cluster.nodes = 2;
        QCOMPARE(runCost(plan, 1e6)->card_hours, 192.0);
    }

    void aBudgetShowsInTheEstimate()
    {
        Plan plan = samples::llama13BOnEightCards();
        QVERIFY(!estimate(plan).step.run);
        plan.workload.tokens = 1e12;
        const StepEstimate step = estimate(plan).step;
        QVERIFY(near(step.run->days * 86400.0 * step.tokens_per_second, 1e12, 1e-12));
        QVERIFY(near(step.run->steps * step.seconds.value(), step.run->days * 86400.0, 1e-12));
    }

    // ---- Measured runs

    void measuringThePredictionGivesThePrediction()
    {
        holds("every quantity leads to the same run", [] {
            const Plan plan = runnable::plan();
            const Estimate result = estimate(plan);
            RC_PRE(result.complete());
            const TokenWorks works = tokenWorks(plan);
            const double rate = result.step.tokens_per_second_per_card;
            const MeasuredFigure runs[] = {{MeasuredQuantity::StepSeconds, result.step.seconds.value()},
                {MeasuredQuantity::TokensPerSecondPerCard, rate},
                {MeasuredQuantity::ExamplesPerSecondPerCard, rate / static_cast<double>(plan.workload.sequence_length)},
                {MeasuredQuantity::TeraflopsPerCard, result.step.model_tflops_per_card.value()}};
            for (const MeasuredFigure& run : runs) {
                const auto speed = measuredSpeed(plan, works, run, rate);
                RC_ASSERT(speed.has_value());
                RC_ASSERT(near(speed->step.value(), result.step.seconds.value(), 1e-9));
                RC_ASSERT(near(*speed->over_predicted, 1.0, 1e-9));
                RC_ASSERT(near(*speed->utilization.front().mfu, result.step.mfu, 1e-9));
                RC_ASSERT(!speed->over_published);
            }
        });
    }

    void teraflopsAreOfTheirConvention()
    {
        const Plan plan = gptPlan(12288, 96, 96);
        const TokenWorks works = tokenWorks(plan);
        for (const WorkDefinition definition :
            {WorkDefinition::Causal, WorkDefinition::FullAttention, WorkDefinition::Palm, WorkDefinition::Narayanan}) {
            const auto speed = measuredSpeed(plan, works, {MeasuredQuantity::TeraflopsPerCard, 140.0, definition}, 0.0);
            const Utilization& made = speed->utilization[static_cast<std::size_t>(definition)];
            const auto& figure =
                made.model_tflops_per_card ? made.model_tflops_per_card : made.hardware_tflops_per_card;
            QVERIFY(figure && near(figure->value(), 140.0, 1e-12));
            QVERIFY(!speed->over_predicted);
        }
        Plan lora = plan;
        lora.workload.task = Task::Lora;
        QVERIFY(!measuredSpeed(
            lora, tokenWorks(lora), {MeasuredQuantity::TeraflopsPerCard, 140.0, WorkDefinition::Palm}, 0.0));
    }

    // LLM memory interview sheet: 100 of 312 TFLOP/s; 3 samples of 2,048 tokens in 4 seconds, against 3,300 published.
    void theInterviewSheetsTwoMethods()
    {
        Plan plan = planOf("llama-7b", 2048);
        const TokenWorks works = tokenWorks(plan);
        const auto by_flops = measuredSpeed(plan, works, {MeasuredQuantity::TeraflopsPerCard, 100.0}, 0.0);
        QVERIFY(near(100.0 * *by_flops->utilization.front().mfu, *articleRow("S3-14").value, 1e-12));
        QVERIFY(near(100.0 * *by_flops->utilization.front().mfu, *articleRow("S3-14").article_value, 1e-3));
        MeasuredFigure run{MeasuredQuantity::ExamplesPerSecondPerCard, 3.0 / 4.0};
        run.published_tokens_per_second_per_card = 3300.0;
        const auto by_paper = measuredSpeed(plan, works, run, 0.0);
        QVERIFY(near(by_paper->tokens_per_second_per_card, *articleRow("S3-15").article_value, 1e-12));
        QVERIFY(near(100.0 * *by_paper->over_published, *articleRow("S3-16").value, 1e-12));
        // What the sheet takes for utilisation is less than half of it: 6 N alone makes 19.9 %.
        const double palm = *by_paper->utilization[static_cast<std::size_t>(WorkDefinition::Palm)].mfu;
        const auto given = fmt::format("n = {}, R = 1536, F = 312e12", parameterCount(plan.model.architecture));
        QVERIFY(near(reckon("model_flops", given).value(), 0.199, 0.002));
        QVERIFY(palm > 0.199 && palm < 0.25);
    }

    void nonsenseIsRefused()
    {
        const Plan plan = samples::llama13BOnEightCards();
        const TokenWorks works = tokenWorks(plan);
        for (const double value :
            {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
            QVERIFY(!measuredSpeed(plan, works, {MeasuredQuantity::StepSeconds, value}, 0.0));
            MeasuredFigure run{MeasuredQuantity::StepSeconds, 1.0};
            run.published_tokens_per_second_per_card = value;
            QVERIFY(!measuredSpeed(plan, works, run, 0.0));
        }
    }
};

CARDFIT_TEST(TestUtilization)

} // namespace cardfit::tst_utilization
#include "tst_utilization.moc"
