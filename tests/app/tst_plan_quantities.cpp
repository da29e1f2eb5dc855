// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/plan_quantities.h"

#include <algorithm>
#include <cmath>

#include <QTest>

#include "core/estimate/estimate.h"
#include "core/files/model_sizes.h"
#include "core/model/operators.h"
#include "core/rules/checks.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"

namespace cardfit::tst_plan_quantities {

using namespace cardfit::app;

QuantityContext context(DerivedFactor derived = DerivedFactor::Data) { return {shippedPresets(), derived}; }

Plan with(const Plan& plan, std::string_view id, double value, DerivedFactor derived = DerivedFactor::Data)
{
    return planQuantity(id)->write(plan, value, context(derived));
}

const ui::Stop* stopAt(const std::vector<ui::Stop>& stops, double value)
{
    const auto found = std::ranges::find(stops, value, &ui::Stop::value);
    return found == stops.end() ? nullptr : &*found;
}

class TestPlanQuantities : public QObject {
    Q_OBJECT

private slots:
    void writesWhatItReads_data()
    {
        QTest::addColumn<QString>("id");
        for (const PlanQuantity& quantity : planQuantities())
            QTest::newRow(std::string(quantity.id).c_str()) << QString::fromStdString(std::string(quantity.id));
    }
    void writesWhatItReads()
    {
        QFETCH(const QString, id);
        const PlanQuantity& quantity = *planQuantity(id.toStdString());
        for (const PlanPreset& preset : shippedPresets().plans) {
            const QuantityContext edit = context(quantity.id == "data" ? DerivedFactor::Nodes : DerivedFactor::Data);
            const auto values = quantity.candidates(preset.plan, edit);
            QVERIFY(!values.empty());
            for (const double value : values) {
                const Plan changed = quantity.write(preset.plan, value, edit);
                QCOMPARE(quantity.read(changed), value);
                QVERIFY(quantity.id == "tokens" || changed.workload.tokens == preset.plan.workload.tokens);
            }
        }
    }

    void namesAreUniqueAndFieldsFindTheirRail()
    {
        for (const PlanQuantity& quantity : planQuantities()) {
            QCOMPARE(planQuantity(quantity.id), &quantity);
            if (!quantity.field.empty()) QCOMPARE(quantityOfField(quantity.field), &quantity);
            QVERIFY(!quantityLabel(quantity).isEmpty());
        }
        for (const char* explained : {"tensor", "pipeline", "virtual_pipeline", "context", "expert", "data"})
            QVERIFY2(quantityHelp(*planQuantity(explained)).endsWith(u'.'), explained);
        QVERIFY(planQuantity("colour") == nullptr);
        QVERIFY(quantityOfField("") == nullptr);
    }

    void everyQuantityHasItsPlace()
    {
        QCOMPARE(railPlaces().size(), planQuantities().size());
        for (const PlanQuantity& quantity : planQuantities())
            QCOMPARE(std::ranges::count(railPlaces(), quantity.id, &RailPlace::quantity), 1);
        for (const auto& [task, most] : {std::pair(Task::Pretrain, 8), {Task::Lora, 6}, {Task::Inference, 6}}) {
            Plan plan = samplePlan();
            plan.workload.task = task;
            const auto is_full = [&](const RailPlace& place) {
                return place.weight(purposeOf(task)) == RailWeight::Full
                    && isOffered(*planQuantity(place.quantity), plan);
            };
            QCOMPARE(std::ranges::count_if(railPlaces(), is_full), most);
        }
    }

    /// Without a link of its own, a cluster's rails show what the estimate takes.
    void theNetworkHasRails()
    {
        const Plan before = samplePlan();
        QCOMPARE(planQuantity("within_node")->read(before), 450.0); // NVLink 4
        QCOMPARE(planQuantity("between_nodes")->read(before), 50.0); // a port of 400 Gb/s
        const Plan slower = with(with(before, "within_node", 32), "between_nodes", 12.5);
        QVERIFY(slower.cluster.id.empty());
        QCOMPARE(slower.cluster.inter_node->bandwidth.value(), 12.5);
        QCOMPARE_GT(estimate(slower).step.seconds.value(), estimate(before).step.seconds.value());
        Plan alone = before;
        alone.cluster.nodes = 1;
        QVERIFY(isOffered(*planQuantity("between_nodes"), before));
        QVERIFY(!isOffered(*planQuantity("between_nodes"), alone));
    }

    void aDegreeKeepsCardsAndGlobalBatch()
    {
        const Plan before = samplePlan();
        for (const auto id : {"tensor", "pipeline", "context"}) {
            const Plan after = with(before, id, 2);
            QCOMPARE(cardCount(after.cluster), cardCount(before.cluster));
            QCOMPARE(after.workload.global_batch_size, before.workload.global_batch_size);
            QVERIFY(!after.parallelism.data);
            QVERIFY(cardsAddUp(after));
        }
        QCOMPARE(dataParallel(with(before, "tensor", 4)), 4);
    }

    void heldReplicasMakeTheNodesFollow()
    {
        const Plan before = samplePlan();
        const Plan after = with(before, "pipeline", 8, DerivedFactor::Nodes);
        QCOMPARE(after.cluster.nodes, 16);
        QCOMPARE(dataParallel(after), 2);
        QVERIFY(cardsAddUp(after));
        QVERIFY(derivation(*planQuantity("nodes"), after, DerivedFactor::Nodes));
        QVERIFY(!derivation(*planQuantity("data"), after, DerivedFactor::Nodes));
        // No whole number of nodes of 64 cards holds 8 x 1 x 1 x 2 cards: nothing is changed to fit.
        Plan large = before;
        large.cluster.cards_per_node = 64;
        large.cluster.nodes = 1;
        QCOMPARE(with(large, "pipeline", 1, DerivedFactor::Nodes).cluster.nodes, 1);
    }

    void chunksBringTheirSchedule()
    {
        const Plan interleaved = with(samplePlan(), "virtual_pipeline", 2);
        QCOMPARE(interleaved.recipe.schedule, Schedule::InterleavedOneFOneB);
        QCOMPARE(with(interleaved, "virtual_pipeline", 1).recipe.schedule, Schedule::OneFOneB);
        Plan other = samplePlan();
        other.recipe.schedule = Schedule::GPipe;
        QCOMPARE(with(other, "virtual_pipeline", 2).recipe.schedule, Schedule::GPipe);
    }

    // Global batch 512 = micro-batch 1 x 256 micro-batches x data 2.
    void heldMicroBatchesStay()
    {
        const Plan before = samplePlan();
        QCOMPARE(microBatches(before), 256);
        const QuantityContext size{shippedPresets(), DerivedFactor::Data, &before, DerivedBatchFactor::MicroBatch};
        const QuantityContext total{shippedPresets(), DerivedFactor::Data, &before, DerivedBatchFactor::GlobalBatch};

        // If the global batch is dragged, the micro-batch follows.
        Plan after = planQuantity("global_batch")->write(before, 2048, size);
        QCOMPARE(after.workload.micro_batch_size, 4);
        QCOMPARE(microBatches(after), 256);
        // If the micro-batch or a degree is dragged, the global batch follows.
        after = planQuantity("micro_batch")->write(before, 4, total);
        QCOMPARE(after.workload.global_batch_size, 2048);
        QCOMPARE(microBatches(after), 256);
        after = planQuantity("tensor")->write(before, 4, total); // data 4
        QCOMPARE(after.workload.global_batch_size, 1024);
        QCOMPARE(microBatches(after), 256);
        // If the number of micro-batches is dragged, the factor that is not held follows.
        after = planQuantity("micro_batches")->write(before, 128, size);
        QCOMPARE(after.workload.micro_batch_size, 2);
        QCOMPARE(after.workload.global_batch_size, 512);
        after = planQuantity("micro_batches")->write(before, 128, total);
        QCOMPARE(after.workload.micro_batch_size, 1);
        QCOMPARE(after.workload.global_batch_size, 256);
        // No whole micro-batch size: nothing is changed to fit.
        after = planQuantity("global_batch")->write(before, 768, size);
        QCOMPARE(after.workload.micro_batch_size, 1);
        QCOMPARE(after.workload.global_batch_size, 768);
        QVERIFY(planQuantity("micro_batches")->write(before, 100, size) == before);
    }

    // All three factors of the batch are held: the replicas follow, and the nodes with them.
    void dataFollowsTheBatch()
    {
        const Plan before = samplePlan(); // data 2 on 8 nodes
        const QuantityContext data{shippedPresets(), DerivedFactor::Nodes, &before, DerivedBatchFactor::Data};
        Plan after = planQuantity("global_batch")->write(before, 1024, data);
        QCOMPARE(dataParallel(after), 4);
        QCOMPARE(after.cluster.nodes, 16);
        QCOMPARE(microBatches(after), 256);
        QVERIFY(cardsAddUp(after));
        after = planQuantity("micro_batch")->write(before, 2, data);
        QCOMPARE(dataParallel(after), 1);
        QCOMPARE(after.cluster.nodes, 4);
        QCOMPARE(after.workload.global_batch_size, 512);
        after = planQuantity("micro_batches")->write(before, 64, data);
        QCOMPARE(dataParallel(after), 8);
        QCOMPARE(after.cluster.nodes, 32);
        QCOMPARE(microBatches(after), 64);
        // A degree changes neither the batch nor the replicas.
        after = planQuantity("tensor")->write(before, 4, data);
        QCOMPARE(dataParallel(after), 2);
        QCOMPARE(after.cluster.nodes, 4);
        // No whole number of replicas: nothing follows.
        QVERIFY(planQuantity("micro_batches")->write(before, 100, data) == before);
        const auto stops = quantityStops(*planQuantity("global_batch"), before, data);
        const auto small = std::ranges::find(stops, 128.0, &ui::Stop::value);
        QVERIFY(small != stops.end());
        QVERIFY(small->state == ui::StopState::Invalid);
        QCOMPARE(
            small->reason, QStringLiteral("a global batch of 128 is no multiple of 256 micro-batches × 1 sequences"));
    }

    void whatCouldNotBeHeldIsTold()
    {
        const Plan before = samplePlan();
        const auto note = [&](const char* id, double value, DerivedBatchFactor derived) {
            const QuantityContext context{shippedPresets(),
                derived == DerivedBatchFactor::Data ? DerivedFactor::Nodes : DerivedFactor::Data, &before, derived};
            return noteOnHeldBatch(
                *planQuantity(id), value, before, planQuantity(id)->write(before, value, context), derived);
        };
        QCOMPARE(note("global_batch", 768, DerivedBatchFactor::MicroBatch),
            QStringLiteral("256 micro-batches are not possible: a global batch of 768 is no multiple of 256 × 2 data. "
                           "There are 384 now."));
        QCOMPARE(note("micro_batches", 100, DerivedBatchFactor::MicroBatch),
            QStringLiteral("100 micro-batches are not possible: a global batch of 512 is no multiple of 100 × 2 data. "
                           "There are 256 now."));
        QCOMPARE(note("global_batch", 384, DerivedBatchFactor::Data),
            QStringLiteral("256 micro-batches are not possible: a global batch of 384 is no multiple of 256 × 1 per "
                           "micro-batch. There are 192 now."));
        QCOMPARE(note("global_batch", 1024, DerivedBatchFactor::MicroBatch), QString());
        QCOMPARE(note("micro_batches", 128, DerivedBatchFactor::GlobalBatch), QString());
        QCOMPARE(
            note("global_batch", 768, DerivedBatchFactor::MicroBatches), QString()); // they follow, which is visible
        QCOMPARE(note("global_batch", 513, DerivedBatchFactor::MicroBatch), QString()); // a check reports it
    }

    void aStopThatCouldNotHoldMicroBatchesSaysWhy()
    {
        const Plan plan = samplePlan();
        const QuantityContext held{shippedPresets(), DerivedFactor::Data, &plan, DerivedBatchFactor::MicroBatch};
        for (const ui::Stop& stop : quantityStops(*planQuantity("global_batch"), plan, held)) {
            const bool whole = std::fmod(stop.value, 512.0) == 0.0;
            QCOMPARE(stop.state == ui::StopState::Invalid, !whole);
        }
        const auto stops = quantityStops(*planQuantity("tensor"), plan, held);
        const auto four = std::ranges::find(stops, 4.0, &ui::Stop::value);
        QVERIFY(four != stops.end());
        QCOMPARE(four->reason, QStringLiteral("a global batch of 512 is no multiple of 256 micro-batches × 4 data"));
    }

    void theBatchIsDerivedByWhatIsOpen()
    {
        const Plan plan = samplePlan();
        for (const auto open :
            {DerivedBatchFactor::MicroBatches, DerivedBatchFactor::MicroBatch, DerivedBatchFactor::GlobalBatch}) {
            QVERIFY(derivedBatchFactorOf(quantityOf(open)) == open);
            for (const auto id : {"micro_batches", "micro_batch", "global_batch"})
                QCOMPARE(
                    derivation(*planQuantity(id), plan, DerivedFactor::Data, open).has_value(), id == quantityOf(open));
        }
        QCOMPARE(
            derivation(*planQuantity("micro_batch"), plan, DerivedFactor::Data, DerivedBatchFactor::MicroBatch).value(),
            QStringLiteral("= 512 sequences / (256 micro-batches × 2 data)"));
        QCOMPARE(derivation(*planQuantity("global_batch"), plan, DerivedFactor::Data, DerivedBatchFactor::GlobalBatch)
                     .value(),
            QStringLiteral("= 1 per micro-batch × 256 micro-batches × 2 data"));
        QCOMPARE(derivation(*planQuantity("data"), plan, DerivedFactor::Nodes, DerivedBatchFactor::Data).value(),
            QStringLiteral("= 512 sequences / (1 per micro-batch × 256 micro-batches)"));
        QVERIFY(!derivedBatchFactorOf("tensor"));
    }

    void whatDidNotAddUpIsNotBent()
    {
        Plan broken = samplePlan();
        broken.parallelism.data = 3;
        const Plan after = with(broken, "tensor", 4);
        QCOMPARE(after.parallelism.data, std::optional<std::int64_t>(3));
        QVERIFY(!derivation(*planQuantity("data"), broken, DerivedFactor::Data));
    }

    void derivedValuesNameTheirFormula()
    {
        const Plan plan = samplePlan();
        QCOMPARE(derivation(*planQuantity("data"), plan, DerivedFactor::Data).value(),
            QStringLiteral("= 64 cards / (8 tensor × 4 pipeline × 1 context)"));
        QCOMPARE(derivation(*planQuantity("micro_batches"), plan, DerivedFactor::Data).value(),
            QStringLiteral("= 512 sequences / (1 per micro-batch × 2 data)"));
        QVERIFY(!derivation(*planQuantity("tensor"), plan, DerivedFactor::Data));
    }

    void stopsKnowTheRules()
    {
        Plan plan = samplePlan();
        plan.model = *shippedPresets().model("llama-13b"); // 40 heads, 40 layers
        plan.cluster.nodes = 5;
        plan.parallelism = Parallelism();
        plan.workload.global_batch_size = 400;
        const auto stops = quantityStops(*planQuantity("pipeline"), plan, context());
        for (const int valid : {1, 2, 4, 5, 8}) {
            const ui::Stop* stop = stopAt(stops, valid);
            QVERIFY(stop != nullptr);
            QVERIFY2(stop->state != ui::StopState::Invalid, qPrintable(stop->reason));
        }
        const ui::Stop* sixteen = stopAt(stops, 16);
        QVERIFY(sixteen != nullptr && sixteen->state == ui::StopState::Invalid);
        QVERIFY2(sixteen->reason.contains(QStringLiteral("40")), qPrintable(sixteen->reason));
    }

    void theValueThatWasOpenedIsAlwaysAStop()
    {
        Plan opened = samplePlan();
        opened.workload.global_batch_size = 1920;
        const QuantityContext edit{shippedPresets(), DerivedFactor::Data, &opened};
        QVERIFY(stopAt(quantityStops(*planQuantity("global_batch"), samplePlan(), edit), 1920) != nullptr);
    }

    void aGlobalBatchMayBeTypedInTokens()
    {
        const auto format = quantityFormat(*planQuantity("global_batch"), samplePlan());
        QCOMPARE(ui::parseQuantity(u"4M tokens", format).value(), 512.0);
    }

    void sizesYieldShapesOfTheFamily()
    {
        const Plan plan = with(samplePlan(), "model_size", 34e9);
        QCOMPARE(plan.model.family, std::string("llama-3"));
        QVERIFY2(plan.model.name.starts_with("Llama 3 "), plan.model.name.c_str());
        QCOMPARE(plan.model.parameters, std::optional(34e9));
        const double counted = static_cast<double>(parameterCount(plan.model.architecture));
        QVERIFY(std::abs(counted / 34e9 - 1.0) < 0.05);
    }

    void theSizeIsWhatTheShapeCounts()
    {
        const Plan plan = with(samplePlan(), "model_size", 34e9);
        QCOMPARE(planQuantity("model_size")->read(plan), static_cast<double>(parameterCount(plan.model.architecture)));
        Plan deeper = *shippedPresets().plan("llama-3.1-405b-1024-h100"); // from a preset with published parameters
        deeper.model.architecture.num_hidden_layers *= 2;
        QVERIFY(planQuantity("model_size")->read(deeper) > 800e9);
    }

    void whatIsNotGivenIsNought()
    {
        Plan plan = with(samplePlan(), "tokens", 1e12);
        QCOMPARE(plan.workload.tokens, std::optional(1e12));
        QVERIFY(!with(plan, "tokens", 0.0).workload.tokens);
        const Plan priced = with(plan, "price", 2.5);
        QCOMPARE(priced.cluster.accelerator.price_per_hour_usd, std::optional(2.5));
        QCOMPARE(priced.cluster.id, plan.cluster.id); // a different price does not make it another cluster
        QVERIFY(!with(priced, "price", 0.0).cluster.accelerator.price_per_hour_usd);
        QCOMPARE(ui::parseQuantity(u"1T tokens", quantityFormat(*planQuantity("tokens"), plan)).value(), 1e12);
        QCOMPARE(ui::parseQuantity(u"300M", quantityFormat(*planQuantity("tokens"), plan)).value(), 300e6);
    }

    void aDenseModelHasNoExpertTensor()
    {
        Plan plan = samplePlan();
        plan.parallelism.expert_tensor = 2;
        QVERIFY(!isOffered(*planQuantity("expert_tensor"), plan));
    }

    void aShippedModelsSizeIsThatModel()
    {
        const Model* shipped = shippedPresets().model("llama-3-8b");
        const Plan plan = with(samplePlan(), "model_size", modelSize(*shipped));
        QVERIFY(plan.model == *shipped);
        const Model fallback = modelOfSize("llama-3", 1.0, shippedPresets(), *shipped);
        QVERIFY(fallback == *shipped);
    }

    void aModelOfItsOwnComesBackByItsSize()
    {
        const Plan opened = *shippedPresets().plan("deepseek-v3-2048-h800");
        const QuantityContext edit{shippedPresets(), DerivedFactor::Data, &opened};
        const PlanQuantity& size = *planQuantity("model_size");
        const double own = size.read(opened);
        QVERIFY(size.write(opened, own, edit) == opened);
        const Plan smaller = size.write(opened, 70e9, edit);
        QVERIFY(!smaller.model.architecture.moe);
        QVERIFY(size.write(smaller, own, edit).model == opened.model);
        QVERIFY(!isOfFamily(opened.model));
        QVERIFY(isOfFamily(smaller.model));
    }

    void familiesAreToldApart_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("family");
        QTest::newRow("llama") << "llama-33b"
                               << "llama";
        QTest::newRow("llama 2") << "llama-2-7b"
                                 << "llama";
        QTest::newRow("llama 3") << "llama-3-8b"
                                 << "llama-3";
        QTest::newRow("llama 3.1") << "llama-3.1-405b"
                                   << "llama-3";
        QTest::newRow("gpt") << "gpt-3-175b"
                             << "gpt";
        QTest::newRow("built like gpt") << "opt-13b"
                                        << "gpt";
        QTest::newRow("built like llama 3") << "mistral-7b"
                                            << "llama-3";
        QTest::newRow("qwen") << "qwen2.5-7b"
                              << "qwen2.5";
    }
    void familiesAreToldApart()
    {
        QFETCH(const QString, id);
        QFETCH(const QString, family);
        const Model* model = shippedPresets().model(id.toStdString());
        QVERIFY(model != nullptr);
        const auto found = familyOf(*model);
        QCOMPARE(QString::fromStdString(std::string(found)), family);
    }
};

CARDFIT_TEST(TestPlanQuantities)

} // namespace cardfit::tst_plan_quantities
#include "tst_plan_quantities.moc"
