// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "core/estimate/estimate.h"
#include "core/files/plan_file.h"
#include "core/files/presets.h"
#include "core/time/collectives.h"
#include "core/time/placement.h"
#include "tests/test_program.h"

namespace cardfit::tst_placement {

/// DeepSeek-V3 on domains of 16 trays of 4 cards.
Plan onTrays(std::int64_t domains)
{
    static const Presets kPresets = loadPresets(std::vector<std::filesystem::path>{CARDFIT_PRESET_DIR});
    Plan plan = *kPresets.plan("deepseek-v3-2048-h800");
    plan.cluster = *kPresets.cluster("gb300-nvl72-64");
    plan.cluster.nodes = 16 * domains;
    plan.parallelism = {};
    plan.parallelism.pipeline = 4;
    plan.parallelism.expert = 16;
    plan.recipe.schedule = Schedule::OneFOneB;
    plan.recipe.overlap = {};
    plan.recipe.moe.expert_overlap = false;
    return plan;
}

GroupPlacement placed(const Plan& plan, CardGroup group)
{
    const auto all = groupPlacements(plan);
    const auto found = std::ranges::find(all, group, &GroupPlacement::group);
    return found == all.end() ? GroupPlacement{} : *found;
}

const Check* find(const Estimate& answer, std::string_view id)
{
    const auto found = std::ranges::find(answer.checks, id, &Check::id);
    return found == answer.checks.end() ? nullptr : &*found;
}

class TestPlacement : public QObject {
    Q_OBJECT

private slots:
    void groupsCrossTheLevelThatHoldsThem()
    {
        Plan plan = onTrays(4); // 256 cards: 64 to a stage
        plan.parallelism.tensor = 4;
        QCOMPARE(placed(plan, CardGroup::Tensor).level, NetworkLevel::Node);
        QCOMPARE(placed(plan, CardGroup::Expert).level, NetworkLevel::Domain);
        QCOMPARE(placed(plan, CardGroup::Data).level, NetworkLevel::Domain);
        QCOMPARE(placed(plan, CardGroup::Pipeline).level, NetworkLevel::Network);
        // With pipelines on neighbouring cards replicas are apart instead.
        plan.parallelism.order = RankOrder::PipelineBeforeData;
        QCOMPARE(placed(plan, CardGroup::Pipeline).level, NetworkLevel::Domain);
        const GroupPlacement data = placed(plan, CardGroup::Data);
        QCOMPARE(data.level, NetworkLevel::Network);
        QCOMPARE(data.ranks, 16);
        QCOMPARE(data.in_domain, 4);
    }

    // 48 cards fit into a domain of 64, but every other group lies in two.
    void groupsThatDoNotDivideADomainCrossIt()
    {
        Plan plan = onTrays(3);
        plan.parallelism.pipeline = 1;
        plan.parallelism.expert = 48;
        QCOMPARE(placed(plan, CardGroup::Expert).level, NetworkLevel::Network);
        QCOMPARE(placed(plan, CardGroup::Expert).in_domain, 24);
        plan.parallelism.expert = 32;
        QCOMPARE(placed(plan, CardGroup::Expert).level, NetworkLevel::Domain);
    }

    // One domain of trays is what a node of as many cards was.
    void aDomainIsTimedAsOneNodeOfItsCards()
    {
        const Plan trays = onTrays(2);
        Plan whole = trays;
        whole.cluster.cards_per_node = 64;
        whole.cluster.nodes = 2;
        whole.cluster.nodes_per_domain = 1;
        const Estimate a = estimate(trays);
        const Estimate b = estimate(whole);
        QVERIFY(a.complete() && b.complete());
        QVERIFY(a.step == b.step);
        QVERIFY(a.stages == b.stages);
    }

    void aSlowerLinkBetweenTraysCostsTime()
    {
        Plan plan = onTrays(2);
        const Seconds fast = estimate(plan).step.seconds;
        plan.cluster.intra_domain = Link{GigabytesPerSecond(100), Microseconds(20)};
        const Estimate slow = estimate(plan);
        QVERIFY(slow.step.seconds > fast);
        const auto expert = std::ranges::find(slow.placement, CardGroup::Expert, &GroupPlacement::group);
        QVERIFY(expert->price && *expert->price > Seconds(0.0));
    }

    void expertsAcrossDomainsArePriced()
    {
        Plan plan = onTrays(4);
        QVERIFY(find(estimate(plan), "EP-DOMAIN") == nullptr);
        plan.parallelism.pipeline = 1;
        plan.parallelism.expert = 256;
        const Estimate apart = estimate(plan);
        QVERIFY(find(apart, "EP-DOMAIN") != nullptr);
        plan.cluster.nodes_per_domain = 64;
        const Estimate inside = estimate(plan);
        QVERIFY(find(inside, "EP-DOMAIN") == nullptr);
        const auto expert = std::ranges::find(apart.placement, CardGroup::Expert, &GroupPlacement::group);
        const double price = expert->price->value();
        const double parts = (apart.step.parts.expert - inside.step.parts.expert).value();
        QVERIFY2(std::abs(price - parts) < 1e-6 * price, qPrintable(QString::number(price)));
    }

    // Every group has as many cards as its degree, whatever the order.
    void cardsAreInGroupsOfTheirDegrees()
    {
        for (const RankOrder order : {RankOrder::DataBeforePipeline, RankOrder::PipelineBeforeData}) {
            Plan plan = onTrays(2);
            plan.parallelism.tensor = 2;
            plan.parallelism.context = 2;
            plan.parallelism.order = order;
            for (const GroupPlacement& placed : groupPlacements(plan)) {
                std::map<std::int64_t, std::int64_t> sizes;
                for (std::int64_t card = 0; card < cardCount(plan.cluster); ++card)
                    ++sizes[groupOfCard(plan, placed.group, card)];
                QCOMPARE(static_cast<std::int64_t>(sizes.size()), cardCount(plan.cluster) / placed.ranks);
                for (const auto& [group, cards] : sizes)
                    QCOMPARE(cards, placed.ranks);
            }
        }
    }

    void filesSayLevelsOnlyWhereThereAreThree()
    {
        Plan plan = onTrays(2);
        const auto reopened = parsePlan(planText(plan), {});
        QVERIFY(reopened && *reopened == plan);
        QVERIFY(planText(plan).find("nodes_per_domain") != std::string::npos);
        plan.cluster.nodes_per_domain = 1;
        for (const char* key : {"nodes_per_domain", "intra_domain", "\"order\""})
            QVERIFY2(planText(plan).find(key) == std::string::npos, key);
        plan.cluster.nodes_per_domain = 16;
        plan.cluster.intra_domain = Link{GigabytesPerSecond(100), Microseconds(20)};
        plan.parallelism.order = RankOrder::PipelineBeforeData;
        const auto again = parsePlan(planText(plan), {});
        QVERIFY(again && *again == plan);
    }
};

CARDFIT_TEST(TestPlacement)

} // namespace cardfit::tst_placement
#include "tst_placement.moc"
