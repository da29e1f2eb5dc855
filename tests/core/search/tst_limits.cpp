// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <rapidcheck.h>

#include "core/files/presets.h"
#include "core/memory/states.h"
#include "core/model/operators.h"
#include "core/search/boundary.h"
#include "core/search/fewest_cards.h"
#include "core/search/limits.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_limits {

/// What plans that train are asked; see also servingPlans.
const std::vector<LimitOf> kQuestions = [] {
    const auto all = limitsOf(Plan{});
    return std::vector<LimitOf>(all.begin(), all.end());
}();

const Presets& shipped()
{
    static const std::array<std::filesystem::path, 1> directories{CARDFIT_PRESET_DIR};
    static const Presets presets = loadPresets(directories);
    return presets;
}

Plan llama70B() { return *shipped().plan("llama-3-70b-64-h100"); }

bool fitsAsPlanned(const Plan& plan)
{
    const Estimate result = estimate(plan);
    return result.fits();
}

bool breaksRule(const Plan& plan)
{
    return std::ranges::any_of(check(plan), [](const Check& found) { return found.severity == Severity::Error; });
}

/// Small plans of all kinds that break no rule; some fit and some do not.
Plan anyPlan()
{
    const auto power = [](int low, int high) { return std::int64_t{1} << *rc::gen::inRange(low, high + 1); };
    Plan plan = samples::llama13BOnEightCards();
    plan.model.architecture.num_hidden_layers = 8 * *rc::gen::inRange<std::int64_t>(1, 7);
    plan.cluster.cards_per_node = power(1, 3);
    auto& degrees = plan.parallelism;
    degrees.tensor = std::min(power(0, 2), plan.cluster.cards_per_node);
    degrees.sequence = degrees.tensor > 1 && *rc::gen::arbitrary<bool>();
    degrees.pipeline = power(0, 2);
    degrees.context = power(0, 1);
    degrees.data.reset();
    const std::int64_t replica = degrees.tensor * degrees.pipeline * degrees.context;
    const std::int64_t data = power(0, 2);
    plan.cluster.nodes = std::max<std::int64_t>(1, replica * data / plan.cluster.cards_per_node);
    plan.workload.sequence_length = 1024 * power(0, 3);
    plan.workload.micro_batch_size = power(0, 1);
    plan.workload.global_batch_size = 96;
    plan.recipe.sharding = *rc::gen::element(Sharding::None, Sharding::Zero1);
    plan.recipe.schedule = *rc::gen::element(Schedule::GPipe, Schedule::OneFOneB);
    RC_PRE(!breaksRule(plan));
    return plan;
}

/// A ladder in words: one letter per stop, 'f' fits, 'o' is over, '-' does not count.
Boundary boundaryOf(const std::string& ladder, std::int64_t start, int* attempts = nullptr)
{
    return findBoundary(
        static_cast<std::int64_t>(ladder.size()), start, [&](std::int64_t stop) -> std::optional<Trial> {
            const char letter = ladder[static_cast<std::size_t>(stop)];
            if (letter == '-') return std::nullopt;
            if (attempts != nullptr) ++*attempts;
            Trial trial;
            trial.value = stop;
            trial.worst.capacity = Bytes(letter == 'f' ? 1 : -1);
            return trial;
        });
}

void holds(const char* name, const std::function<void()>& property) { QVERIFY2(rc::check(name, property), name); }

class TestLimits : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("RC_PARAMS", "seed=20261121 max_success=60"); }

    // ---- The search on a ladder

    void boundary_data()
    {
        QTest::addColumn<QString>("ladder");
        QTest::addColumn<int>("start");
        QTest::addColumn<int>("fits");
        QTest::addColumn<int>("misses");
        QTest::newRow("up") << "fffffffffooooo" << 0 << 8 << 9;
        QTest::newRow("down") << "fffffffffooooo" << 13 << 8 << 9;
        QTest::newRow("there already") << "ffoo" << 1 << 1 << 2;
        QTest::newRow("all fit") << "fffffff" << 2 << 6 << -1;
        QTest::newRow("none fits") << "ooooooo" << 3 << -1 << 0;
        QTest::newRow("holes") << "f--f---f--o--oo" << 0 << 7 << 10;
        QTest::newRow("holes at the ends") << "--ffff--oo--" << 11 << 5 << 8;
        QTest::newRow("rules end it") << "ffffffffffff------" << 1 << 11 << -1;
        QTest::newRow("nothing counts") << "-------" << 2 << -1 << -1;
        QTest::newRow("one stop") << "f" << 0 << 0 << -1;
        QTest::newRow("start past the end") << "ffo" << 99 << 1 << 2;
    }
    void boundary()
    {
        QFETCH(const QString, ladder);
        QFETCH(const int, start);
        const Boundary found = boundaryOf(ladder.toStdString(), start);
        QTEST(found.fits ? static_cast<int>(found.fits->value) : -1, "fits");
        QTEST(found.misses ? static_cast<int>(found.misses->value) : -1, "misses");
    }

    void aLongLadderTakesFewAttempts()
    {
        std::string ladder(100'000, 'f');
        std::fill(ladder.begin() + 54'321, ladder.end(), 'o');
        int attempts = 0;
        QCOMPARE(boundaryOf(ladder, 10, &attempts).fits->value, 54'320);
        QVERIFY2(attempts <= 2 * 17, QByteArray::number(attempts).constData());
    }

    // ---- What every limit promises

    void theValueFitsAndTheNextDoesNot()
    {
        holds("limits", [] {
            const Plan plan = anyPlan();
            const LimitOf quantity = *rc::gen::elementOf(kQuestions);
            const Limit limit = limitOf(plan, quantity);
            RC_TAG(std::string(limitName(quantity)));
            RC_ASSERT(!limit.held.empty());
            if (limit.fits) {
                RC_ASSERT(fitsAsPlanned(limit.fits->plan));
                RC_ASSERT(!breaksRule(limit.fits->plan));
                RC_ASSERT(limit.misses.has_value() || !limit.end.empty());
            }
            if (limit.misses) {
                RC_ASSERT(!breaksRule(limit.misses->plan));
                RC_ASSERT(!fitsAsPlanned(limit.misses->plan));
                RC_ASSERT(limit.fits.has_value() != limit.impossible.has_value());
            }
            const bool is_of_cards = quantity == LimitOf::Cards || quantity == LimitOf::CardsAnyDegrees;
            if (limit.fits && limit.misses) {
                RC_ASSERT((limit.fits->value < limit.misses->value) != is_of_cards);
            }
            if (fitsAsPlanned(plan)) {
                RC_ASSERT(limit.fits.has_value());
                RC_ASSERT((is_of_cards ? limit.fits->value <= limit.now : limit.fits->value >= limit.now));
            }
        });
    }

    void sequencesGrowInStepsThatContextAndTensorSplit()
    {
        holds("sequence", [] {
            const Plan plan = anyPlan();
            const Limit limit = limitOf(plan, LimitOf::SequenceLength);
            RC_PRE(limit.fits && limit.misses);
            RC_ASSERT(limit.misses->value % 128 == 0);
            RC_ASSERT(limit.misses->value - limit.fits->value <= 128);
            for (std::int64_t further = 1; further <= 4; ++further) {
                Plan longer = limit.misses->plan;
                longer.workload.sequence_length += 128 * further;
                RC_ASSERT(!fitsAsPlanned(longer));
            }
        });
    }

    void microBatchesAreCountedOut()
    {
        holds("micro-batch", [] {
            const Plan plan = anyPlan();
            std::int64_t largest = 0;
            const std::int64_t shared = plan.workload.global_batch_size / dataParallel(plan);
            for (std::int64_t size = 1; size <= shared; ++size) {
                Plan changed = plan;
                changed.workload.micro_batch_size = size;
                if (shared % size == 0 && !breaksRule(changed) && fitsAsPlanned(changed)) largest = size;
            }
            const Limit limit = limitOf(plan, LimitOf::MicroBatchSize);
            RC_ASSERT((limit.fits ? limit.fits->value : 0) == largest);
        });
    }

    void fewestCardsAreCountedOut()
    {
        holds("cards", [] {
            const Plan plan = anyPlan();
            std::int64_t fewest = 0;
            for (const std::int64_t data : dataDegrees(plan)) {
                const auto candidate = onCards(plan, data);
                if (!candidate || breaksRule(*candidate) || !fitsAsPlanned(*candidate)) continue;
                fewest = cardCount(candidate->cluster);
                break;
            }
            const Limit limit = limitOf(plan, LimitOf::Cards);
            RC_ASSERT((limit.fits ? limit.fits->value : 0) == fewest);
        });
    }

    void fewestCardsOfAnyDegreesAreCountedOut()
    {
        holds("cards, any degrees", [] {
            const Plan plan = anyPlan();
            const Limit limit = limitOf(plan, LimitOf::CardsAnyDegrees);
            constexpr std::int64_t kMost = 32;
            std::int64_t fewest = kMost + 1;
            for (std::int64_t tensor = 1; tensor <= plan.cluster.cards_per_node; ++tensor) {
                for (std::int64_t pipeline = 1; pipeline <= kMost; ++pipeline) {
                    for (const std::int64_t data : dataDegrees(plan)) {
                        Plan changed = plan;
                        changed.parallelism.tensor = tensor;
                        changed.parallelism.pipeline = pipeline;
                        const auto candidate = onCards(changed, data);
                        if (!candidate || cardCount(candidate->cluster) >= fewest) continue;
                        if (breaksRule(*candidate) || !fitsAsPlanned(*candidate)) continue;
                        fewest = cardCount(candidate->cluster);
                    }
                }
            }
            if (fewest <= kMost) {
                RC_ASSERT(limit.fits.has_value());
                RC_ASSERT(limit.fits->value == fewest);
            } else {
                RC_ASSERT(!limit.fits || limit.fits->value > kMost);
            }
        });
    }

    // ---- Known answers

    // Llama 3 70B on 64 H100, tensor 8, pipeline 4, data 2.
    void defaultPlan()
    {
        const Plan plan = llama70B();
        const Limit micro = limitOf(plan, LimitOf::MicroBatchSize);
        QCOMPARE(micro.now, 1);
        QCOMPARE(micro.fits->value, 2);
        QCOMPARE(micro.misses->value, 4);
        QCOMPARE(micro.fits->plan.workload.global_batch_size, 512);
        QCOMPARE(microBatches(micro.fits->plan), 128);

        const Limit sequence = limitOf(plan, LimitOf::SequenceLength);
        QVERIFY(sequence.fits->value > 14'000 && sequence.fits->value < 23'000);
        QCOMPARE(sequence.misses->value - sequence.fits->value, 128);
        QCOMPARE(sequence.fits->warnings.front().id, std::string("SEQUENCE-POSITIONS"));

        // One replica is four nodes, and it fits: there is nothing smaller to try.
        const Limit cards = limitOf(plan, LimitOf::Cards);
        QCOMPARE(cards.now, 64);
        QCOMPARE(cards.fits->value, 32);
        QCOMPARE(dataParallel(cards.fits->plan), 1);
        QVERIFY(!cards.misses);
        QCOMPARE(cards.end.english(), std::string("one replica takes 32"));

        // 70.55 billion x 18 bytes are 1.27 TB: more than 14 cards' worth before the first activation. Three nodes do,
        // with a pipeline that does not divide the 80 layers.
        const Limit any = limitOf(plan, LimitOf::CardsAnyDegrees);
        QCOMPARE(any.fits->value, 24);
        QVERIFY(80 % any.fits->plan.parallelism.pipeline != 0);
        QCOMPARE(any.misses->value, 16);
        QVERIFY(any.fits->plan.parallelism.tensor <= 8);

        const Limit model = limitOf(plan, LimitOf::ModelSize);
        QCOMPARE(model.now, parameterCount(plan.model.architecture));
        QVERIFY(model.fits->value > 100'000'000'000 && model.fits->value < 150'000'000'000);
        const Architecture& shape = model.fits->plan.model.architecture;
        QCOMPARE(parameterCount(shape), model.fits->value);
        QCOMPARE(shape.num_hidden_layers % 4, 0);
        QCOMPARE(shape.vocab_size, plan.model.architecture.vocab_size);
        QCOMPARE(shape.num_key_value_heads, 8);
    }

    // A served plan is asked for sequences at once instead of a micro-batch; every further one costs its cache.
    void servingPlans()
    {
        const Plan plan = *shipped().plan("llama-3-70b-serving-dgx-h100");
        QVERIFY(std::ranges::find(limitsOf(plan), LimitOf::MicroBatchSize) == limitsOf(plan).end());
        const Limit limit = limitOf(plan, LimitOf::ServedSequences);
        QVERIFY(limit.fits && limit.misses);
        const std::int64_t replicas = dataParallel(plan);
        QCOMPARE(limit.misses->value - limit.fits->value, replicas);
        const Bytes cache =
            Bytes(std::int64_t{80} * 2 * 8 * 128 * 2 / plan.parallelism.tensor) * plan.workload.sequence_length;
        const Bytes more = limit.misses->worst[Segment::Activations] - limit.fits->worst[Segment::Activations];
        QCOMPARE(more, cache);
        for (const LimitOf quantity : limitsOf(plan))
            QVERIFY(limitOf(plan, quantity).fits);
    }

    void anAnswerTakesSomeDozenEstimates()
    {
        for (const PlanPreset& preset : shipped().plans) {
            for (const LimitOf quantity : limitsOf(preset.plan)) {
                const Limit limit = limitOf(preset.plan, quantity);
                const std::int64_t most = quantity == LimitOf::CardsAnyDegrees ? 200 : 60;
                QVERIFY2(limit.estimates <= most,
                    qPrintable(QStringLiteral("%1 %2: %3")
                                   .arg(preset.id.c_str(), limitName(quantity).data())
                                   .arg(limit.estimates)));
            }
        }
    }

    // ---- Rules and words

    void learnedPositionsEndTheSequence()
    {
        const Limit limit = limitOf(*shipped().plan("gpt-3-175b-1024-a100"), LimitOf::SequenceLength);
        QCOMPARE(limit.fits->value, 2048);
        QVERIFY(!limit.misses);
        QVERIFY(limit.end.english().starts_with("SEQUENCE-POSITIONS"));
    }

    void anotherShapeBelongsToAFamilyOrChangesDepthOnly()
    {
        const Limit experts = limitOf(*shipped().plan("mixtral-8x7b-64-h100"), LimitOf::ModelSize);
        const Architecture& now = shipped().plan("mixtral-8x7b-64-h100")->model.architecture;
        Architecture deeper = experts.fits->plan.model.architecture;
        QVERIFY(deeper.num_hidden_layers > now.num_hidden_layers);
        QCOMPARE(deeper.num_hidden_layers % 4, 0);
        deeper.num_hidden_layers = now.num_hidden_layers;
        QVERIFY(deeper == now);
        QVERIFY(experts.held.english().find("no family has experts") != std::string::npos);

        Plan own = samples::llama13BOnEightCards(); // no preset, no family
        const Limit nearest = limitOf(own, LimitOf::ModelSize);
        QVERIFY(nearest.held.english().find("llama family, the nearest") != std::string::npos);
        own.parallelism.pipeline = 8;
        own.parallelism.data = 1;
        const Limit deep = limitOf(own, LimitOf::ModelSize);
        QCOMPARE(deep.fits->plan.model.architecture.num_hidden_layers % 8, 0);
    }

    void aListOfLayersPinsTheModel()
    {
        const Limit limit = limitOf(*shipped().plan("llama-3.1-405b-1024-h100"), LimitOf::ModelSize);
        QCOMPARE(limit.fits->value, limit.now); // the plan itself
        QVERIFY(limit.end.english().starts_with("LAYOUT-LAYERS"));
    }

    void aBrokenRuleIsTheAnswerWhereNothingCounts()
    {
        Plan plan = llama70B();
        plan.parallelism.tensor = 3;
        const Limit limit = limitOf(plan, LimitOf::SequenceLength);
        QVERIFY(!limit.fits && !limit.misses && !limit.impossible);
        QVERIFY(!limit.end.empty());
        plan.workload.micro_batch_size = 0;
        for (const LimitOf quantity : kQuestions)
            QVERIFY(limitOf(plan, quantity).end.english().starts_with("RANGE"));
    }

    // ---- Impossibility

    // 13 billion parameters on one card with ZeRO-1 over two: 6 + 12/2 bytes each, 156 GB, on a card of 86 GB.
    void statesAloneExceedTheCard()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism = {};
        plan.cluster.cards_per_node = 2;
        const double expected = 12.0 * static_cast<double>(parameterCount(plan.model.architecture));
        for (const LimitOf quantity : {LimitOf::SequenceLength, LimitOf::MicroBatchSize}) {
            const Limit limit = limitOf(plan, quantity);
            QVERIFY(!limit.fits);
            QVERIFY(limit.impossible.has_value());
            const Impossibility& proof = *limit.impossible;
            QVERIFY(proof.states_alone);
            QVERIFY(std::abs(static_cast<double>(proof.states.value()) / expected - 1.0) < 1e-6);
            QVERIFY(proof.states + proof.outside + proof.held_back > proof.least.worst.capacity);
            QCOMPARE(proof.least.value, quantity == LimitOf::SequenceLength ? 128 : 1);
        }
        // What would reduce it: halving everything does, at the least work; its claim is checked, not believed.
        const auto remedies = limitOf(plan, LimitOf::SequenceLength).impossible->remedies;
        QVERIFY(!remedies.empty());
        for (const Suggestion& remedy : remedies)
            QCOMPARE(remedy.fits, fitsAsPlanned(remedy.change.plan));
    }

    void activationsAreToldFromStates()
    {
        Plan plan = *shipped().plan("llama-13b-4-cards"); // misses by activations only
        const Limit limit = limitOf(plan, LimitOf::MicroBatchSize);
        QVERIFY(limit.impossible.has_value());
        QVERIFY(!limit.impossible->states_alone);
        QVERIFY(limit.impossible->states < limit.impossible->least.worst.capacity);
        QVERIFY(limit.impossible->remedies.front().fits);
    }

    void aLimitFollowsTheProfile()
    {
        const Plan plan = samples::llama13BOnEightCards();
        const Limit article = limitOf(plan, LimitOf::SequenceLength, Profile::Article);
        QVERIFY(article.fits && article.misses);
        QVERIFY(estimateUnder(article.fits->plan, Profile::Article).fits());
        QVERIFY(!estimateUnder(article.misses->plan, Profile::Article).fits());
        QVERIFY(article.fits->value != limitOf(plan, LimitOf::SequenceLength).fits->value);
    }
};

CARDFIT_TEST(TestLimits)

} // namespace cardfit::tst_limits
#include "tst_limits.moc"
