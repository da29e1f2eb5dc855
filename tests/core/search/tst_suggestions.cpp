// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/files/presets.h"
#include "core/search/suggestions.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_suggestions {

const Presets& shipped()
{
    static const std::array<std::filesystem::path, 1> directories{CARDFIT_PRESET_DIR};
    static const Presets presets = loadPresets(directories);
    return presets;
}

const Suggestion* suggestionFor(const std::vector<Suggestion>& all, std::string_view field, std::string_view to)
{
    const auto found = std::ranges::find_if(
        all, [&](const Suggestion& one) { return one.change.edit.field == field && one.change.edit.to == to; });
    return found == all.end() ? nullptr : &*found;
}

const Change* changeOf(const std::vector<Change>& all, std::string_view field, std::string_view to)
{
    const auto found =
        std::ranges::find_if(all, [&](const Change& one) { return one.edit.field == field && one.edit.to == to; });
    return found == all.end() ? nullptr : &*found;
}

class TestSuggestions : public QObject {
    Q_OBJECT

private slots:
    void everyClaimIsWhatAnEstimateSays()
    {
        for (const PlanPreset& preset : shipped().plans) {
            const Estimate before = estimate(preset.plan);
            const auto freeIn = [](const Estimate& result) {
                const StageMemory& worst = result.stages[result.worstStage()];
                return worst.capacity - worst.device();
            };
            for (const Suggestion& suggestion : suggest(preset.plan)) {
                const Estimate after = estimate(suggestion.change.plan);
                QVERIFY(after.complete());
                QCOMPARE(after.fits(), suggestion.fits);
                QCOMPARE((freeIn(after) - freeIn(before)).value(), suggestion.freed.value());
                QCOMPARE(suggestion.step_ratio, after.step.seconds / before.step.seconds);
                QCOMPARE(cardCount(suggestion.change.plan.cluster), cardCount(preset.plan.cluster));
                QCOMPARE(suggestion.change.plan.workload.global_batch_size, preset.plan.workload.global_batch_size);
                QVERIFY(suggestion.change.plan.model == preset.plan.model);
            }
        }
    }

    // An over-full plan: what makes it fit first, by step time; then what frees most.
    void anOverfullPlanIsMadeToFitFirst()
    {
        const Plan& plan = *shipped().plan("llama-13b-4-cards");
        QVERIFY(!estimate(plan).fits());
        const auto all = suggest(plan);
        QVERIFY(all.front().fits);
        for (std::size_t i = 1; i < all.size(); ++i) {
            QVERIFY(all[i - 1].fits || !all[i].fits);
            if (all[i].fits) QVERIFY(all[i - 1].step_ratio <= all[i].step_ratio);
            if (!all[i - 1].fits) QVERIFY(all[i - 1].freed >= all[i].freed);
            QVERIFY(all[i].freed > Bytes(0));
        }
        const Suggestion* full = suggestionFor(all, "/recipe/recompute", "full (uniform, 1)");
        QVERIFY(full != nullptr);
        QVERIFY(full->fits && full->step_ratio > 1.2 && !full->costs_uncounted_time);
    }

    void noMoreLayersAreRecomputedThanNeeded()
    {
        const Plan& plan = *shipped().plan("llama-13b-4-cards");
        const auto all = suggest(plan);
        const auto block = std::ranges::find_if(all, [](const Suggestion& suggestion) {
            const Recompute& recompute = suggestion.change.plan.recipe.recompute;
            return recompute.granularity == RecomputeGranularity::Full && recompute.method == RecomputeMethod::Block;
        });
        QVERIFY(block != all.end());
        QVERIFY(block->fits);
        const std::int64_t layers = block->change.plan.recipe.recompute.layers;
        QVERIFY(layers >= 1 && layers < 10);
        QCOMPARE(block->change.edit.to, "full (block, " + std::to_string(layers) + ")");
        Plan fewer = block->change.plan;
        --fewer.recipe.recompute.layers;
        if (layers > 1) QVERIFY(!estimate(fewer).fits());
    }

    void aPlanThatFitsGoesOnFitting()
    {
        const auto all = suggest(*shipped().plan("llama-3-70b-64-h100"));
        QVERIFY(!all.empty());
        double ratio = 0.0;
        for (const Suggestion& suggestion : all) {
            QVERIFY(suggestion.fits);
            QVERIFY(suggestion.freed > Bytes(0) || suggestion.step_ratio < 1.0);
            QVERIFY(suggestion.step_ratio >= ratio);
            ratio = suggestion.step_ratio;
        }
    }

    void neighboursKeepTheRules()
    {
        const Plan& plan = *shipped().plan("llama-3-70b-64-h100"); // tensor 8, pipeline 4, data 2 on nodes of 8
        const Trials trials(plan);
        const auto all = singleChanges(plan, trials);
        for (const Change& change : all) {
            QVERIFY(trials.accepts(change.plan));
            QVERIFY(!(change.plan == plan));
        }
        const Change* tensor = changeOf(all, "/parallelism/tensor", "4");
        QVERIFY(tensor != nullptr);
        QCOMPARE(tensor->edit.from, std::string("8"));
        QCOMPARE(tensor->follows.size(), std::size_t{1});
        QCOMPARE(tensor->follows.front(), (Edit{"/parallelism/data", "2", "4"}));
        QVERIFY(changeOf(all, "/parallelism/tensor", "16") == nullptr); // not within a node
        QVERIFY(changeOf(all, "/parallelism/pipeline", "2") != nullptr);
        // 5 stages divide 80 layers and not 64 cards.
        QVERIFY(changeOf(all, "/parallelism/pipeline", "5") == nullptr);
        QVERIFY(changeOf(all, "/parallelism/pipeline", "8") != nullptr);
        // More than zero1 is Megatron-FSDP, which is worth a warning and no error.
        QVERIFY(changeOf(all, "/recipe/sharding", "none") != nullptr);
        QVERIFY(changeOf(all, "/recipe/sharding", "zero3") != nullptr);
        const Change* chunks = changeOf(all, "/parallelism/virtual_pipeline", "2");
        QVERIFY(chunks != nullptr);
        QCOMPARE(chunks->plan.recipe.schedule, Schedule::InterleavedOneFOneB);
        QCOMPARE(chunks->follows.front(), (Edit{"/recipe/schedule", "1f1b", "interleaved-1f1b"}));
        const Change* micro = changeOf(all, "/workload/micro_batch_size", "2");
        QVERIFY(micro != nullptr && micro->follows.empty());
    }

    void deepSpeedOffersItsOwnStages()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.recipe.framework = Framework::DeepSpeed;
        plan.parallelism = {};
        const auto all = singleChanges(plan, Trials(plan));
        QVERIFY(changeOf(all, "/recipe/sharding", "zero2") != nullptr);
        QVERIFY(changeOf(all, "/recipe/sharding", "zero3") != nullptr);
    }

    void recomputationGrowsByOneModule()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.recipe.recompute.granularity = RecomputeGranularity::Selective;
        plan.recipe.recompute.modules = {RecomputeModule::LayerNorm};
        const auto all = singleChanges(plan, Trials(plan));
        QVERIFY(changeOf(all, "/recipe/recompute", "none") != nullptr);
        QVERIFY(changeOf(all, "/recipe/recompute", "selective (layernorm, mlp)") != nullptr);
        QVERIFY(changeOf(all, "/recipe/recompute", "selective (mlp)") == nullptr);
        QVERIFY(changeOf(all, "/recipe/recompute", "selective (layernorm, moe)") == nullptr); // a dense model
    }

    void aPriceThatTheStepLeavesOutIsSaid()
    {
        const auto all = suggest(*shipped().plan("llama-3-70b-64-h100"));
        const Suggestion* offload = suggestionFor(all, "/recipe/offload/optimizer", "1");
        QVERIFY(offload != nullptr);
        QCOMPARE(offload->costs_uncounted_time, offload->step_ratio == 1.0);
        const Suggestion* context = suggestionFor(all, "/parallelism/context", "2");
        QVERIFY(context != nullptr && !context->costs_uncounted_time);
    }

    void aPlanWithoutEstimateGetsNoAdvice()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism.tensor = 3;
        QVERIFY(suggest(plan).empty());
    }
};

CARDFIT_TEST(TestSuggestions)

} // namespace cardfit::tst_suggestions
#include "tst_suggestions.moc"
