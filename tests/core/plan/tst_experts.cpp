// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/estimate/estimate.h"
#include "core/files/plan_differences.h"
#include "core/files/plan_file.h"
#include "core/files/presets.h"
#include "core/plan/edits.h"
#include "core/plan/tables.h"
#include "core/rules/remedies.h"
#include "core/search/changes.h"
#include "core/search/find.h"
#include "tests/test_program.h"

/// How experts are shared among cards, where the plan says it and where it leaves it to the framework.
namespace cardfit::tst_experts {

const Presets& shipped()
{
    static const std::array<std::filesystem::path, 1> directories{CARDFIT_PRESET_DIR};
    static const Presets presets = loadPresets(directories);
    return presets;
}

/// Qwen3 235B-A22B, picked on the plan of a dense model: tensor 8, pipeline 4, data 2.
Plan picked() { return withModel(*shipped().plan("llama-3-70b-64-h100"), *shipped().model("qwen3-235b-a22b")); }

const Check* find(const std::vector<Check>& checks, std::string_view id)
{
    const auto found = std::ranges::find(checks, id, &Check::id);
    return found == checks.end() ? nullptr : &*found;
}

double worstGigabytes(const Plan& plan)
{
    const Estimate made = estimate(plan);
    return std::round(static_cast<double>(made.stages[made.worstStage()].device().value()) / 1e7) / 100.0;
}

class TestExperts : public QObject {
    Q_OBJECT

private slots:
    void everyFrameworkHasItsDefault()
    {
        Plan plan = picked();
        QVERIFY(!plan.parallelism.expert_tensor);
        QCOMPARE(expertTensor(plan), 8); // Megatron-LM: the tensor degree, whatever the expert degree
        plan.parallelism.expert = 8;
        QCOMPARE(expertTensor(plan), 8);
        plan.recipe.framework = Framework::Fsdp; // torchtitan: the expert ranks take the tensor ranks over
        QCOMPARE(expertTensor(plan), 1);
        plan.parallelism.expert = 1;
        QCOMPARE(expertTensor(plan), 8);
        plan.recipe.framework = Framework::DeepSpeed;
        QCOMPARE(expertTensor(plan), 1);
        plan.workload.task = Task::Inference; // vLLM: all ranks of tensor and data parallelism
        QCOMPARE(expertTensor(plan), 16);
        plan.parallelism.expert = 16;
        QCOMPARE(expertTensor(plan), 1);
        plan.parallelism.expert_tensor = 2;
        QCOMPARE(expertTensor(plan), 2);
        plan.model.architecture.moe.reset();
        plan.parallelism.expert_tensor.reset();
        QCOMPARE(expertTensor(plan), 1);
    }

    /// Every tensor rank used to hold all experts: 435.8 GB a card.
    void aPickedModelIsDivided()
    {
        Plan plan = picked();
        QVERIFY(find(check(plan), "EXPERTS-REPLICATED") == nullptr);
        QCOMPARE(worstGigabytes(plan), 164.93);
        plan.parallelism.expert_tensor = 1;
        QVERIFY(worstGigabytes(plan) > 400.0);
        const auto checks = check(plan);
        const Check* broken = find(checks, "EXPERTS-REPLICATED");
        QVERIFY(broken != nullptr && broken->severity == Severity::Warning);
        QStringList offered;
        for (const Remedy& remedy : remedies(plan, *broken)) {
            offered << QString::fromStdString(remedy.label.english());
            QVERIFY(find(check(withRemedy(plan, remedy)), "EXPERTS-REPLICATED") == nullptr);
        }
        QVERIFY2(offered.contains(QStringLiteral("Expert tensor 8")), qPrintable(offered.join(u'|')));
        QVERIFY2(offered.contains(QStringLiteral("Expert parallel 8")), qPrintable(offered.join(u'|')));
        QVERIFY2(offered.removeDuplicates() == 0, qPrintable(offered.join(u'|')));
    }

    /// A number of a dense plan was never chosen for experts; one of a plan with experts was.
    void aNumberWithoutEffectIsForgotten()
    {
        Plan dense = *shipped().plan("llama-3-70b-64-h100");
        dense.parallelism.expert_tensor = 1; // as plans were saved until 2026
        QVERIFY(!withModel(dense, *shipped().model("qwen3-235b-a22b")).parallelism.expert_tensor);
        Plan mixtral = *shipped().plan("mixtral-8x7b-64-h100");
        QCOMPARE(withModel(mixtral, *shipped().model("qwen3-235b-a22b")).parallelism.expert_tensor,
            mixtral.parallelism.expert_tensor);
    }

    void filesKeepNullAndNumbers()
    {
        Plan plan = picked();
        const std::string text = planText(plan);
        QVERIFY(text.find("\"expert_tensor\": null") != std::string::npos);
        QVERIFY(!parsePlan(text, shipped())->parallelism.expert_tensor);
        plan.parallelism.expert_tensor = 1;
        QCOMPARE(parsePlan(planText(plan), shipped())->parallelism.expert_tensor, std::optional<std::int64_t>(1));
        // A file that leaves the key out leaves the degree to the framework.
        const auto bare = parsePlan(R"({"format": "cardfit/plan", "version": 1, "model": {"preset": "qwen3-235b-a22b"},
            "cluster": {"preset": "dgx-h100", "nodes": 1}, "parallelism": {"tensor": 8, "sequence": true}})",
            shipped());
        QVERIFY(bare && !bare->parallelism.expert_tensor);
        QCOMPARE(expertTensor(*bare), 8);
    }

    void differencesSayTheNumber()
    {
        const Plan before = picked();
        Plan after = before;
        after.parallelism.expert_tensor = 2;
        const auto edits = planDifferences(before, after);
        QCOMPARE(edits.size(), std::size_t{1});
        QCOMPARE(edits.front().from, std::string("8"));
        QCOMPARE(edits.front().to, std::string("2"));
    }

    void adviceKnowsBothDegrees()
    {
        Plan plan = picked();
        plan.parallelism.expert_tensor = 1;
        const auto changes = singleChanges(plan, Trials(plan));
        const auto has = [&](std::string_view field, std::string_view to) {
            return std::ranges::count_if(changes, [&](const Change& one) {
                return one.edit.field == field && one.edit.to == to;
            }) == 1;
        };
        QVERIFY(has("/parallelism/expert_tensor", "2") && has("/parallelism/expert_tensor", "8"));
        QVERIFY(has("/parallelism/expert", "2") && has("/parallelism/expert", "8"));
    }

    /// Megatron-Core's MoELayer.forward raises a ValueError; torchtitan, DeepSpeed and vLLM divide the tokens.
    void megatronRefusesExpertsWithoutSequenceParallelism()
    {
        Plan plan = picked();
        QVERIFY(find(check(plan), "EXPERTS-SEQUENCE") == nullptr);
        plan.parallelism.sequence = false;
        const auto checks = check(plan);
        const Check* broken = find(checks, "EXPERTS-SEQUENCE");
        QVERIFY(broken != nullptr && broken->severity == Severity::Error);
        const auto offered = remedies(plan, *broken);
        QVERIFY(!offered.empty());
        QCOMPARE(offered.front().label.english(), std::string("Sequence parallel on"));
        for (const Framework framework : {Framework::Fsdp, Framework::DeepSpeed}) {
            plan.recipe.framework = framework;
            QVERIFY(find(check(plan), "EXPERTS-SEQUENCE") == nullptr);
        }
        plan.recipe.framework = Framework::Megatron;
        plan.workload.task = Task::Inference;
        QVERIFY(find(check(plan), "EXPERTS-SEQUENCE") == nullptr);
    }

    /// Cards that share an expert compute a share of each row; the rows themselves stay as many.
    void tokensAreSentOnce()
    {
        Plan plan = picked();
        plan.recipe.framework = Framework::Fsdp;
        plan.parallelism.sequence = false;
        const auto rows = [&] { return expertRows(*plan.model.architecture.moe, cardShare(plan)); };
        const double divided = rows(); // expert tensor 8, tensor 8: all ranks have the same tokens
        plan.parallelism.tensor = 1;
        QCOMPARE(rows(), divided);
        plan.parallelism.tensor = 8;
        plan.parallelism.expert = 8; // expert tensor 1: each rank sends an eighth
        QCOMPARE(8.0 * rows(), divided);
    }

    void searchFollowsTheFramework()
    {
        SearchRequest request;
        const Plan plan = picked();
        request.space = defaultSpace(plan);
        for (const char* pinned : {"/parallelism/context", "/workload/micro_batch_size", "/recipe/recompute",
                 "/parallelism/virtual_pipeline", "/recipe/schedule", "/parallelism/expert_tensor"})
            request.space.put({axisKind(pinned), pinned, {pinnedValue(plan, pinned)}});
        SpacePoint point(request.space);
        for (std::uint64_t number = 0; number < request.space.plans(); ++number) {
            point.moveTo(number);
            QVERIFY(!point.plan().parallelism.expert_tensor);
            QCOMPARE(expertTensor(point.plan()), point.plan().parallelism.tensor);
        }
        request.space.base.recipe.precision = Precision::Fp8;
        for (const FoundPlan& found : findPlans(request).top) {
            QVERIFY(!breaksRule(check(found.plan)));
            const Estimate again = estimate(found.plan);
            QCOMPARE(found.worst_device.value(), again.stages[again.worstStage()].device().value());
            QCOMPARE(found.step.value(), again.step.seconds.value());
        }
    }
};

CARDFIT_TEST(TestExperts)

} // namespace cardfit::tst_experts
#include "tst_experts.moc"
