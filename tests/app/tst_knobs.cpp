// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/knobs.h"

#include <algorithm>
#include <cmath>

#include <QTest>

#include "app/document/model_sizes.h"
#include "core/model/operators.h"
#include "core/plan/checks.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"

namespace cardfit::tst_knobs {

using namespace cardfit::app;

KnobContext context(Follower follower = Follower::Data) { return {shippedPresets(), follower}; }

Plan with(const Plan& plan, std::string_view id, double value, Follower follower = Follower::Data)
{
    return knob(id)->write(plan, value, context(follower));
}

const ui::Stop* stopAt(const std::vector<ui::Stop>& stops, double value)
{
    const auto found = std::ranges::find(stops, value, &ui::Stop::value);
    return found == stops.end() ? nullptr : &*found;
}

class TestKnobs : public QObject {
    Q_OBJECT

private slots:
    void writesWhatItReads_data()
    {
        QTest::addColumn<QString>("id");
        for (const Knob& knob : knobs())
            QTest::newRow(std::string(knob.id).c_str()) << QString::fromStdString(std::string(knob.id));
    }
    void writesWhatItReads()
    {
        QFETCH(const QString, id);
        const Knob& quantity = *knob(id.toStdString());
        for (const PlanPreset& preset : shippedPresets().plans) {
            const KnobContext edit = context(quantity.id == "data" ? Follower::Nodes : Follower::Data);
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
        for (const Knob& quantity : knobs()) {
            QCOMPARE(knob(quantity.id), &quantity);
            if (!quantity.field.empty()) QCOMPARE(knobOfField(quantity.field), &quantity);
            QVERIFY(!knobLabel(quantity).isEmpty());
        }
        QVERIFY(knob("colour") == nullptr);
        QVERIFY(knobOfField("") == nullptr);
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
        const Plan after = with(before, "pipeline", 8, Follower::Nodes);
        QCOMPARE(after.cluster.nodes, 16);
        QCOMPARE(dataParallel(after), 2);
        QVERIFY(cardsAddUp(after));
        QVERIFY(derivation(*knob("nodes"), after, Follower::Nodes));
        QVERIFY(!derivation(*knob("data"), after, Follower::Nodes));
        // No whole number of nodes holds 8 x 1 x 1 x 2 cards on nodes of 64: nothing is bent to fit.
        Plan large = before;
        large.cluster.cards_per_node = 64;
        large.cluster.nodes = 1;
        QCOMPARE(with(large, "pipeline", 1, Follower::Nodes).cluster.nodes, 1);
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
        const KnobContext size{shippedPresets(), Follower::Data, &before, BatchFollower::MicroBatch};
        const KnobContext total{shippedPresets(), Follower::Data, &before, BatchFollower::GlobalBatch};

        // The global batch is dragged: the micro-batch follows.
        Plan after = knob("global_batch")->write(before, 2048, size);
        QCOMPARE(after.workload.micro_batch_size, 4);
        QCOMPARE(microBatches(after), 256);
        // The micro-batch or a degree is: the global batch follows.
        after = knob("micro_batch")->write(before, 4, total);
        QCOMPARE(after.workload.global_batch_size, 2048);
        QCOMPARE(microBatches(after), 256);
        after = knob("tensor")->write(before, 4, total); // data 4
        QCOMPARE(after.workload.global_batch_size, 1024);
        QCOMPARE(microBatches(after), 256);
        // Their number is: whichever is open follows.
        after = knob("micro_batches")->write(before, 128, size);
        QCOMPARE(after.workload.micro_batch_size, 2);
        QCOMPARE(after.workload.global_batch_size, 512);
        after = knob("micro_batches")->write(before, 128, total);
        QCOMPARE(after.workload.micro_batch_size, 1);
        QCOMPARE(after.workload.global_batch_size, 256);
        // No whole micro-batch: nothing is bent to fit.
        after = knob("global_batch")->write(before, 768, size);
        QCOMPARE(after.workload.micro_batch_size, 1);
        QCOMPARE(after.workload.global_batch_size, 768);
        QVERIFY(knob("micro_batches")->write(before, 100, size) == before);
    }

    // All three of the batch stay: replicas follow, and the nodes that hold them.
    void dataFollowsTheBatch()
    {
        const Plan before = samplePlan(); // data 2 on 8 nodes
        const KnobContext data{shippedPresets(), Follower::Nodes, &before, BatchFollower::Data};
        Plan after = knob("global_batch")->write(before, 1024, data);
        QCOMPARE(dataParallel(after), 4);
        QCOMPARE(after.cluster.nodes, 16);
        QCOMPARE(microBatches(after), 256);
        QVERIFY(cardsAddUp(after));
        after = knob("micro_batch")->write(before, 2, data);
        QCOMPARE(dataParallel(after), 1);
        QCOMPARE(after.cluster.nodes, 4);
        QCOMPARE(after.workload.global_batch_size, 512);
        after = knob("micro_batches")->write(before, 64, data);
        QCOMPARE(dataParallel(after), 8);
        QCOMPARE(after.cluster.nodes, 32);
        QCOMPARE(microBatches(after), 64);
        // A degree leaves the batch, and so the replicas, alone.
        after = knob("tensor")->write(before, 4, data);
        QCOMPARE(dataParallel(after), 2);
        QCOMPARE(after.cluster.nodes, 4);
        // No whole number of replicas: nothing follows.
        QVERIFY(knob("micro_batches")->write(before, 100, data) == before);
        const auto stops = knobStops(*knob("global_batch"), before, data);
        const auto small = std::ranges::find(stops, 128.0, &ui::Stop::value);
        QVERIFY(small != stops.end());
        QVERIFY(small->state == ui::StopState::Invalid);
        QCOMPARE(
            small->reason, QStringLiteral("a global batch of 128 is no multiple of 256 micro-batches × 1 sequences"));
    }

    void whatCouldNotBeHeldIsTold()
    {
        const Plan before = samplePlan();
        const auto note = [&](const char* id, double value, BatchFollower follower) {
            const KnobContext context{shippedPresets(),
                follower == BatchFollower::Data ? Follower::Nodes : Follower::Data, &before, follower};
            return noteOnHeldBatch(*knob(id), value, before, knob(id)->write(before, value, context), follower);
        };
        QCOMPARE(note("global_batch", 768, BatchFollower::MicroBatch),
            QStringLiteral(
                "256 micro-batches cannot be had: a global batch of 768 is no multiple of 256 × 2 data. There "
                "are 384 now."));
        QCOMPARE(note("micro_batches", 100, BatchFollower::MicroBatch),
            QStringLiteral(
                "100 micro-batches cannot be had: a global batch of 512 is no multiple of 100 × 2 data. There "
                "are 256 now."));
        QCOMPARE(note("global_batch", 384, BatchFollower::Data),
            QStringLiteral("256 micro-batches cannot be had: a global batch of 384 is no multiple of 256 × 1 per "
                           "micro-batch. There are 192 now."));
        QCOMPARE(note("global_batch", 1024, BatchFollower::MicroBatch), QString());
        QCOMPARE(note("micro_batches", 128, BatchFollower::GlobalBatch), QString());
        QCOMPARE(note("global_batch", 768, BatchFollower::MicroBatches), QString()); // they follow, and are seen to
        QCOMPARE(note("global_batch", 513, BatchFollower::MicroBatch), QString()); // a check speaks of it
    }

    void aStopThatCouldNotHoldMicroBatchesSaysWhy()
    {
        const Plan plan = samplePlan();
        const KnobContext held{shippedPresets(), Follower::Data, &plan, BatchFollower::MicroBatch};
        for (const ui::Stop& stop : knobStops(*knob("global_batch"), plan, held)) {
            const bool whole = std::fmod(stop.value, 512.0) == 0.0;
            QCOMPARE(stop.state == ui::StopState::Invalid, !whole);
        }
        const auto stops = knobStops(*knob("tensor"), plan, held);
        const auto four = std::ranges::find(stops, 4.0, &ui::Stop::value);
        QVERIFY(four != stops.end());
        QCOMPARE(four->reason, QStringLiteral("a global batch of 512 is no multiple of 256 micro-batches × 4 data"));
    }

    void theBatchIsDerivedByWhatIsOpen()
    {
        const Plan plan = samplePlan();
        for (const auto open : {BatchFollower::MicroBatches, BatchFollower::MicroBatch, BatchFollower::GlobalBatch}) {
            QVERIFY(batchFollowerOf(knobOf(open)) == open);
            for (const auto id : {"micro_batches", "micro_batch", "global_batch"})
                QCOMPARE(derivation(*knob(id), plan, Follower::Data, open).has_value(), id == knobOf(open));
        }
        QCOMPARE(derivation(*knob("micro_batch"), plan, Follower::Data, BatchFollower::MicroBatch).value(),
            QStringLiteral("= 512 sequences / (256 micro-batches × 2 data)"));
        QCOMPARE(derivation(*knob("global_batch"), plan, Follower::Data, BatchFollower::GlobalBatch).value(),
            QStringLiteral("= 1 per micro-batch × 256 micro-batches × 2 data"));
        QCOMPARE(derivation(*knob("data"), plan, Follower::Nodes, BatchFollower::Data).value(),
            QStringLiteral("= 512 sequences / (1 per micro-batch × 256 micro-batches)"));
        QVERIFY(!batchFollowerOf("tensor"));
    }

    void whatDidNotAddUpIsNotBent()
    {
        Plan broken = samplePlan();
        broken.parallelism.data = 3;
        const Plan after = with(broken, "tensor", 4);
        QCOMPARE(after.parallelism.data, std::optional<std::int64_t>(3));
        QVERIFY(!derivation(*knob("data"), broken, Follower::Data));
    }

    void derivedValuesNameTheirFormula()
    {
        const Plan plan = samplePlan();
        QCOMPARE(derivation(*knob("data"), plan, Follower::Data).value(),
            QStringLiteral("= 64 cards / (8 tensor × 4 pipeline × 1 context)"));
        QCOMPARE(derivation(*knob("micro_batches"), plan, Follower::Data).value(),
            QStringLiteral("= 512 sequences / (1 per micro-batch × 2 data)"));
        QVERIFY(!derivation(*knob("tensor"), plan, Follower::Data));
    }

    void stopsKnowTheRules()
    {
        Plan plan = samplePlan();
        plan.model = *shippedPresets().model("llama-13b"); // 40 heads, 40 layers
        plan.cluster.nodes = 5;
        plan.parallelism = Parallelism();
        plan.workload.global_batch_size = 400;
        const auto stops = knobStops(*knob("pipeline"), plan, context());
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
        const KnobContext edit{shippedPresets(), Follower::Data, &opened};
        QVERIFY(stopAt(knobStops(*knob("global_batch"), samplePlan(), edit), 1920) != nullptr);
    }

    void aGlobalBatchMayBeTypedInTokens()
    {
        const auto format = knobFormat(*knob("global_batch"), samplePlan());
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
        QCOMPARE(knob("model_size")->read(plan), static_cast<double>(parameterCount(plan.model.architecture)));
        Plan deeper = *shippedPresets().plan("llama-3.1-405b-1024-h100"); // of a preset with published parameters
        deeper.model.architecture.num_hidden_layers *= 2;
        QVERIFY(knob("model_size")->read(deeper) > 800e9);
    }

    void whatIsNotGivenIsNought()
    {
        Plan plan = with(samplePlan(), "tokens", 1e12);
        QCOMPARE(plan.workload.tokens, std::optional(1e12));
        QVERIFY(!with(plan, "tokens", 0.0).workload.tokens);
        const Plan priced = with(plan, "price", 2.5);
        QCOMPARE(priced.cluster.accelerator.price_per_hour_usd, std::optional(2.5));
        QCOMPARE(priced.cluster.id, plan.cluster.id); // what an hour costs makes it no other cluster
        QVERIFY(!with(priced, "price", 0.0).cluster.accelerator.price_per_hour_usd);
        QCOMPARE(ui::parseQuantity(u"1T tokens", knobFormat(*knob("tokens"), plan)).value(), 1e12);
        QCOMPARE(ui::parseQuantity(u"300M", knobFormat(*knob("tokens"), plan)).value(), 300e6);
    }

    void aDenseModelHasNoExpertTensor()
    {
        Plan plan = samplePlan();
        plan.parallelism.expert_tensor = 2;
        QVERIFY(!isOffered(*knob("expert_tensor"), plan));
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
        const KnobContext edit{shippedPresets(), Follower::Data, &opened};
        const Knob& size = *knob("model_size");
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

CARDFIT_TEST(TestKnobs)

} // namespace cardfit::tst_knobs
#include "tst_knobs.moc"
