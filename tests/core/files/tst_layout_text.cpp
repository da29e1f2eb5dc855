// SPDX-License-Identifier: GPL-3.0-or-later
#include <numeric>

#include <QtTest>
#include <rapidcheck.h>

#include "core/files/layout_text.h"
#include "core/layers/layer_split.h"
#include "core/plan/stages.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_layout_text {

using Layers = std::vector<std::int64_t>;

class TestLayoutText : public QObject {
    Q_OBJECT

private slots:
    // The example of Megatron-LM's source.
    void repetitionsAreUnrolled()
    {
        const auto stages = parseLayout("Et*3|(tt|)*29,m|L");
        QVERIFY(stages.has_value());
        QCOMPARE(stages->size(), std::size_t(32));
        QVERIFY(stages->front() == (LayoutStage{true, 3, 0, false}));
        for (std::size_t i = 1; i <= 29; ++i)
            QVERIFY((*stages)[i] == (LayoutStage{false, 2, 0, false}));
        QVERIFY((*stages)[30] == (LayoutStage{false, 0, 1, false}));
        QVERIFY(stages->back() == (LayoutStage{false, 0, 0, true}));
    }

    void thingsThatMeanTheSame_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("plain") << "Ett|tt|tt|ttL";
        QTest::newRow("letters repeated") << "Et*2|t*2|t*2|t*2L";
        QTest::newRow("group") << "Ett|(tt|)*2ttL";
        QTest::newRow("group with repeated letters") << "Ett|(t*2|)*2,ttL";
        QTest::newRow("group with a bar in the middle") << "Et(t|t)*3,tL";
        QTest::newRow("commas and blanks around") << " E,t,t,|tt|,tt|tt,L\n";
        QTest::newRow("none of a letter") << "Ett|m*0tt|tt|ttL";
    }
    void thingsThatMeanTheSame()
    {
        QFETCH(const QString, text);
        const auto stages = parseLayout(text.toStdString());
        QVERIFY2(stages.has_value(), stages ? "" : describe(stages.error()).c_str());
        QVERIFY(*stages == *parseLayout("Ett|tt|tt|ttL"));
    }

    void whatMegatronRefusesIsRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("reason");
        QTest::newRow("empty") << ""
                               << "expected the embedding E first of all";
        QTest::newRow("unknown letter") << "Etx|tL"
                                        << "column 3: expected E, t, m, L or |, found “x”";
        QTest::newRow("blank inside") << "Et |tL"
                                      << "column 3: expected E, t, m, L or |, found “ ”";
        QTest::newRow("no number") << "Et*|tL"
                                   << "column 4: expected a number behind *";
        QTest::newRow("open group") << "E(tt|L"
                                    << "column 2: a group that is not closed";
        QTest::newRow("group without a number") << "E(tt|)L"
                                                << "column 7: expected * and a number behind a group, such as (tt|)*3";
        QTest::newRow("group in a group") << "E((t|)*2)*2L"
                                          << "column 3: a group in a group; Megatron-LM knows none";
        QTest::newRow("repeated twice") << "Et*2*2|L"
                                        << "column 5: a repetition of a repetition; Megatron-LM knows none";
        QTest::newRow("embedding later") << "t|EtL"
                                         << "the embedding E may only be the first of all";
        QTest::newRow("two losses") << "EtL|tL"
                                    << "the loss L may only be the last of all";
        QTest::newRow("no loss") << "Et|t"
                                 << "expected the loss L last of all";
        QTest::newRow("layer behind prediction") << "Etmt|L"
                                                 << "layers t cannot follow prediction layers m";
        QTest::newRow("layer on a later stage") << "Etm|tL"
                                                << "layers t cannot follow prediction layers m";
        QTest::newRow("far too many") << "Et*999999999|L"
                                      << "more than 1000000 letters and bars";
        QTest::newRow("no such number") << "Et*99999999999999999999|L"
                                        << "more than 1000000 letters and bars";
        QTest::newRow("many groups") << "E(tttttttttt|)*60000(tttttttttt|)*60000L"
                                     << "more than 1000000 letters and bars";
    }
    void whatMegatronRefusesIsRefused()
    {
        QFETCH(const QString, text);
        QFETCH(const QString, reason);
        const auto stages = parseLayout(text.toStdString());
        QVERIFY(!stages);
        QCOMPARE(QString::fromStdString(describe(stages.error())), reason);
    }

    void aPlanTakesTheSplitAndTheChunks()
    {
        const Plan plan = samples::llama13BOnEightCards(); // 40 layers on 4 stages
        auto changed = withLayout(plan, *parseLayout("Et*9|(t*10|)*2t*11L"));
        QVERIFY(changed.has_value());
        QVERIFY(*changed->parallelism.layers_per_stage == (Layers{9, 10, 10, 11}));
        QCOMPARE(changed->parallelism.virtual_pipeline, 1);

        changed = withLayout(plan, *parseLayout("Et*4|(t*5|)*6t*6L"));
        QVERIFY(changed.has_value());
        QCOMPARE(changed->parallelism.virtual_pipeline, 2);
        QCOMPARE(changed->recipe.schedule, Schedule::InterleavedOneFOneB);
        // Stage 5 of the text is chunk 1 of rank 1.
        QCOMPARE(stageLayers(*changed)[1].chunks[1].first, 24);
        QCOMPARE(stageLayers(*changed)[3].chunks[1].count(), 6);
        QVERIFY(stageLayers(*changed)[3].chunks[1].head);
    }

    void whatAPlanCannotHoldIsRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("predictions");
        QTest::addColumn<QString>("reason");
        QTest::newRow("stages") << "Et*20|t*10|t*10L" << 0
                                << "/parallelism/pipeline: the layout has 3 stages, expected a multiple of pipeline 4";
        QTest::newRow("layers") << "Et*10|t*10|t*10|t*9L" << 0
                                << "/parallelism/layers_per_stage: the layout has 39 layers t, the model 40";
        QTest::newRow("no prediction layer")
            << "Et*10|t*10|t*10|t*10mL" << 0 << "/model/mtp_layers: the layout has 1 prediction layers m, the model 0";
        QTest::newRow("prediction layer elsewhere")
            << "Et*14|t*13|t*13m|L" << 1
            << "/parallelism/layers_per_stage: the layout has prediction layers m before its last stage; plans keep "
               "them on the stage of the loss L";
    }
    void whatAPlanCannotHoldIsRefused()
    {
        QFETCH(const QString, text);
        QFETCH(const int, predictions);
        QFETCH(const QString, reason);
        Plan plan = samples::llama13BOnEightCards();
        plan.model.architecture.mtp_layers = predictions;
        const auto changed = withLayout(plan, *parseLayout(text.toStdString()));
        QVERIFY(!changed);
        QCOMPARE(QString::fromStdString(describe(changed.error())), reason);
    }

    void aScheduleThatRunsBackAndForthHasNoLayout()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.recipe.schedule = Schedule::ZbV;
        plan.parallelism.virtual_pipeline = 2;
        QVERIFY(!layoutText(plan));
        QVERIFY(!withLayout(plan, *parseLayout("Et*5|(t*5|)*6t*5L")));
    }

    void layoutsAreWrittenShort_data()
    {
        QTest::addColumn<QList<int>>("layers");
        QTest::addColumn<int>("predictions");
        QTest::addColumn<QString>("text");
        QTest::newRow("even") << QList<int>{10, 10, 10, 10} << 0 << "Et*10|(t*10|)*2,t*10L";
        QTest::newRow("all different") << QList<int>{7, 13, 9, 11} << 0 << "Et*7|t*13|t*9|t*11L";
        QTest::newRow("few layers") << QList<int>{1, 3, 33, 3} << 0 << "Et|ttt|t*33|tttL";
        QTest::newRow("none") << QList<int>{0, 20, 20, 0} << 0 << "E|(t*20|)*2,L";
        QTest::newRow("empty stages") << QList<int>{40, 0, 0, 0} << 0 << "Et*40|(|)*2,L";
        QTest::newRow("prediction") << QList<int>{10, 10, 10, 10} << 1 << "Et*10|(t*10|)*2,t*10mL";
    }
    void layoutsAreWrittenShort()
    {
        QFETCH(const QList<int>, layers);
        QFETCH(const int, predictions);
        QFETCH(const QString, text);
        Plan plan = withLayerSplit(samples::llama13BOnEightCards(), Layers(layers.begin(), layers.end()));
        plan.model.architecture.mtp_layers = predictions;
        const auto written = layoutText(plan);
        QVERIFY(written.has_value());
        QCOMPARE(QString::fromStdString(*written), text);
    }

    void everySplitSurvivesItsText()
    {
        QVERIFY(rc::check("plan -> text -> plan", [] {
            Plan plan = samples::llama13BOnEightCards();
            const int chunks = *rc::gen::inRange(1, 5);
            if (chunks > 1) plan.recipe.schedule = Schedule::InterleavedOneFOneB;
            plan.parallelism.virtual_pipeline = chunks;
            // Few different numbers, so that there is something to join.
            auto layers =
                *rc::gen::container<Layers>(static_cast<std::size_t>(4 * chunks), rc::gen::inRange<std::int64_t>(0, 4));
            ++layers.front(); // a model has layers
            plan.model.architecture.num_hidden_layers = std::accumulate(layers.begin(), layers.end(), std::int64_t{0});
            plan.model.architecture.mtp_layers = *rc::gen::inRange(0, 2);
            plan = withLayerSplit(std::move(plan), layers);
            const auto text = layoutText(plan);
            RC_ASSERT(text.has_value());
            const auto stages = parseLayout(*text);
            RC_ASSERT(stages.has_value());
            const auto read = withLayout(plan, *stages);
            RC_ASSERT(read.has_value());
            RC_ASSERT(*read == plan);
        }));
    }

    void listsOfNumbersAreNoLayouts()
    {
        QVERIFY(looksLikeLayout("Et*3|tL"));
        QVERIFY(looksLikeLayout(" E"));
        QVERIFY(looksLikeLayout("tt|x"));
        QVERIFY(!looksLikeLayout("19 twenty"));
        QVERIFY(!looksLikeLayout("19 20 20, 21"));
        QVERIFY(!looksLikeLayout(""));
    }
};

CARDFIT_TEST(TestLayoutText)

} // namespace cardfit::tst_layout_text
#include "tst_layout_text.moc"
