// SPDX-License-Identifier: GPL-3.0-or-later
// A search against estimating every plan of its space.
#include <QtTest>

#include <limits>
#include <map>
#include <random>
#include <set>

#include "core/estimate/estimate.h"
#include "core/files/plan_file.h"
#include "core/files/presets.h"
#include "core/files/search_words.h"
#include "core/layers/layer_split.h"
#include "core/plan/choices.h"
#include "core/report/search_rows.h"
#include "core/search/bounds.h"
#include "core/search/find.h"
#include "core/search/legal_points.h"
#include "core/search/sweep.h"
#include "core/search/tie_order.h"
#include "core/search/why_not.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_find {

const Presets& shipped()
{
    static const std::array<std::filesystem::path, 1> directories{CARDFIT_PRESET_DIR};
    static const Presets presets = loadPresets(directories);
    return presets;
}

std::uint64_t degreesOf(const SearchSpace& space, std::uint64_t number)
{
    std::uint64_t degrees = 0;
    std::uint64_t place = 1;
    for (auto axis = space.axes.rbegin(); axis != space.axes.rend(); ++axis) {
        if (isDegree(axis->kind)) {
            degrees += place * (number % axis->values.size());
            place *= axis->values.size();
        }
        number /= axis->values.size();
    }
    return degrees;
}

/// What a search of the space must answer, by check() and estimate() of every plan.
struct Truth {
    std::map<std::string, std::uint64_t> rules;
    std::uint64_t fitting = 0; ///< and within every limit
    std::uint64_t over = 0;
    std::uint64_t limited = 0;
    std::vector<std::uint64_t> top;
    std::vector<std::uint64_t> copies; ///< of each: other degrees with the same objective and time
    std::vector<std::uint64_t> front;
};

struct Fitting {
    std::uint64_t number = 0;
    double objective = 0.0;
    TieOrder tie;
    std::vector<double> front;
};

bool isBetter(const SearchSpace& space, const Fitting& a, const Fitting& b)
{
    if (a.objective != b.objective) return a.objective < b.objective;
    if (a.tie != b.tie) return a.tie < b.tie;
    return comesBefore(space, a.number, b.number);
}

bool within(const SearchLimit& limit, double value)
{
    if (limit.or_equal && value == limit.value) return true;
    return limit.below ? value < limit.value : value > limit.value;
}

Truth truthOf(const SearchRequest& request)
{
    const SearchSpace& space = request.space;
    Truth truth;
    std::vector<Fitting> fitting;
    SpacePoint point(space);
    for (std::uint64_t number = 0; number < space.plans(); ++number) {
        point.moveTo(number);
        if (const auto checks = check(point.plan()); firstErrorOf(checks) != nullptr) {
            ++truth.rules[firstErrorOf(checks)->id];
            continue;
        }
        const Estimate result = estimate(point.plan());
        // What the nodes' memory does not hold is over memory, like what a card does not hold.
        if (!result.complete() || (breaksRule(result.checks) && result.hostsHold())) {
            ++truth.rules[firstErrorOf(result.checks)->id];
            continue;
        }
        if (!result.fits()) {
            ++truth.over;
            continue;
        }
        const FoundPlan row = *rowOf(point.plan(), request.objective);
        if (row.served && !row.served->load.kept) {
            ++truth.limited;
            continue;
        }
        if (!std::ranges::all_of(
                request.limits, [&](const SearchLimit& limit) { return within(limit, figureOf(row, limit.figure)); })) {
            ++truth.limited;
            continue;
        }
        ++truth.fitting;
        Fitting one{number, row.objective, tieOrder(point.plan(), result), {}};
        for (const SearchFigure figure : request.pareto)
            one.front.push_back(figureOf(row, figure));
        fitting.push_back(std::move(one));
    }
    const auto better = [&](const Fitting& a, const Fitting& b) { return isBetter(space, a, b); };
    std::ranges::sort(fitting, better);
    std::vector<std::uint64_t> seen;
    const Fitting* last = nullptr;
    for (const Fitting& one : fitting) {
        const std::uint64_t degrees = degreesOf(space, one.number);
        if (std::ranges::find(seen, degrees) != seen.end()) continue;
        seen.push_back(degrees);
        if (last != nullptr && one.objective == last->objective && one.tie.seconds == last->tie.seconds) {
            ++truth.copies.back();
            continue;
        }
        if (truth.top.size() == request.top) break;
        last = &one;
        truth.top.push_back(one.number);
        truth.copies.push_back(0);
    }
    std::vector<Fitting> front;
    for (const Fitting& one : fitting) {
        const bool beaten = std::ranges::any_of(fitting, [&](const Fitting& other) {
            for (std::size_t i = 0; i < one.front.size(); ++i) {
                if (other.front[i] > one.front[i]) return false;
            }
            return other.front != one.front || (other.number != one.number && better(other, one));
        });
        if (!beaten && !one.front.empty()) front.push_back(one);
    }
    std::ranges::sort(front,
        [&](const Fitting& a, const Fitting& b) { return a.front != b.front ? a.front < b.front : better(a, b); });
    for (const Fitting& one : front)
        truth.front.push_back(one.number);
    return truth;
}

std::vector<std::uint64_t> numbersOf(const std::vector<FoundPlan>& rows)
{
    std::vector<std::uint64_t> numbers;
    for (const FoundPlan& row : rows)
        numbers.push_back(row.number);
    return numbers;
}

/// Some of the values of every axis of a shipped plan's default space: up to some hundred plans.
SearchRequest randomRequest(std::mt19937& random)
{
    const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
    SearchRequest request;
    Plan plan = shipped().plans[below(shipped().plans.size())].plan;
    if (below(4) == 0) plan.recipe.framework = Framework::Fsdp;
    if (below(8) == 0) plan.recipe.framework = Framework::DeepSpeed;
    if (below(4) == 0) plan.recipe.sharding = Sharding::Zero3;
    if (below(8) == 0) plan.parallelism.layer_balance = LayerBalance::Memory;
    if (below(6) == 0) plan.recipe.moe.expert_overlap = true;
    if (below(8) == 0) plan.recipe.cuda_graph = CudaGraph::Attention;
    if (below(6) == 0) plan.workload.tokens.reset();
    if (plan.workload.task == Task::Inference && below(2) == 0) {
        plan.workload.limits = ServingLimits{10.0 * static_cast<double>(1 + below(5)), {}};
        if (below(2) == 0) plan.workload.concurrency = static_cast<std::int64_t>(8 << below(6));
    }
    if (below(6) == 0) plan.recipe.offload.activations = 0.5;
    if (below(3) == 0) plan.cluster.accelerator.usable = Mebibytes(plan.cluster.accelerator.memory.value() * 2);
    // Schedules are simulated: keep them short.
    plan.workload.global_batch_size = std::min<std::int64_t>(plan.workload.global_batch_size, 256);
    request.space = defaultSpace(plan);
    if (below(4) == 0)
        request.space.put({AxisKind::Sharding, "/recipe/sharding", freeValues(plan, "/recipe/sharding", true)});
    if (below(4) == 0)
        request.space.put(
            {AxisKind::Offload, "/recipe/offload/optimizer", freeValues(plan, "/recipe/offload/optimizer", true)});
    if (below(4) == 0) {
        SearchAxis layers{AxisKind::Field, "/parallelism/layers_per_stage", {}};
        layers.values = freeValues(plan, layers.pointer, true);
        addOwnValue(plan, layers);
        request.space.put(std::move(layers));
    }
    std::uint64_t plans = 1;
    for (SearchAxis& axis : request.space.axes) {
        std::vector<AxisValue> kept;
        const std::size_t most = plans > 200 ? 1 : 3;
        for (std::size_t tries = 0; tries < 8 && kept.size() < most; ++tries) {
            const AxisValue& value = axis.values[below(axis.values.size())];
            if (std::ranges::find(kept, value) == kept.end() && below(3) != 0) kept.push_back(value);
        }
        if (kept.empty()) kept.push_back(ownValue(plan, axis.pointer));
        axis.values = std::move(kept);
        plans *= axis.values.size();
    }
    constexpr std::array kObjectives{SearchFigure::Days, SearchFigure::Step, SearchFigure::Memory, SearchFigure::Cards};
    request.objective = kObjectives[below(kObjectives.size())];
    request.top = 1 + below(5);
    if (below(3) == 0) request.pareto.clear();
    if (below(3) == 0)
        request.limits.push_back({SearchFigure::Headroom, false, false, 10.0 * static_cast<double>(below(8))});
    if (below(4) == 0) request.limits.push_back({SearchFigure::Memory, true, true, 4e10});
    if (below(6) == 0 && plan.workload.tokens && plan.workload.task != Task::Inference)
        request.limits.push_back({SearchFigure::Days, true, true, 20.0 * static_cast<double>(1 + below(20))});
    return request;
}

/// The default space with experts' dispatcher and overlap as in the plan: a quarter of the plans.
SearchSpace spaceOfDegrees(const Plan& plan)
{
    SearchSpace space = defaultSpace(plan);
    for (const char* pinned : {"/recipe/moe/dispatcher", "/recipe/moe/expert_overlap"})
        space.put({axisKind(pinned), pinned, {ownValue(plan, pinned)}});
    return space;
}

class TestFind : public QObject {
    Q_OBJECT

private slots:
    void everyAnswerIsThatOfBruteForce()
    {
        std::mt19937 random(18);
        int with_plans = 0;
        for (int i = 0; i < 500; ++i) {
            SearchRequest request = randomRequest(random);
            request.threads = std::array<std::size_t, 3>{1, 2, 8}[static_cast<std::size_t>(i) % 3];
            const Truth truth = truthOf(request);
            const SearchResult result = findPlans(request);
            const QByteArray where = QByteArray::number(i);
            QVERIFY2(result.proven, where.constData());
            QCOMPARE(result.counts.decided(), request.space.plans());
            QVERIFY2(result.counts.rules == truth.rules, where.constData());
            QVERIFY2(numbersOf(result.top) == truth.top, where.constData());
            for (std::size_t row = 0; row < result.top.size(); ++row)
                QCOMPARE(result.top[row].copies, truth.copies[row]);
            QVERIFY2(numbersOf(result.pareto) == truth.front, where.constData());
            QVERIFY2(result.counts.evaluated <= truth.fitting, where.constData());
            QVERIFY2(result.counts.over_memory <= truth.over, where.constData());
            QCOMPARE(result.nearest.has_value(), truth.top.empty() && truth.over + truth.limited > 0);
            for (const FoundPlan& row : result.top) {
                const Estimate again = estimate(row.plan);
                QCOMPARE(row.step.value(), again.step.seconds.value());
                QCOMPARE(row.worst_device.value(), again.stages[again.worstStage()].device().value());
                QCOMPARE(row.bubble_fraction, again.pipeline.bubble_fraction);
                if (again.step.run) QCOMPARE(*row.days, again.step.run->days);
            }
            with_plans += truth.top.empty() ? 0 : 1;
        }
        QVERIFY(with_plans > 100);
    }

    /// Where a plan is beaten by more than its error band, the parts of the step that differ are named, the largest
    /// difference first, and nothing else makes up the difference.
    void aBeatenPlanNamesThePartsThatDiffer()
    {
        Plan plan = *shipped().plan("llama-3-70b-64-h100");
        SearchWords words;
        words.space.pins = {"tensor", "context", "virtual_pipeline", "schedule", "pipeline"};
        const FoundPlan near = findPlans(*searchFrom(plan, words, shipped())).top.front();
        QVERIFY(!givenPlan(near.plan, near)->beaten);
        QVERIFY(givenPlan(near.plan, near)->differences.empty());
        QVERIFY(suspicionSentence(*givenPlan(near.plan, near)).empty());

        plan.recipe.recompute = {RecomputeGranularity::Full, {}, RecomputeMethod::Uniform, 1};
        plan.workload.micro_batch_size = 8;
        const auto given = givenPlan(plan, near);
        QVERIFY(given && given->estimate.fits());
        const StepEstimate& step = given->estimate.step;
        QVERIFY(step.band.cases > 0);
        QVERIFY(near.step < (1.0 + step.band.below) * step.seconds);
        QVERIFY(given->beaten);
        Seconds sum;
        for (std::size_t i = 0; i < given->differences.size(); ++i) {
            const auto size = [&](std::size_t at) { return std::abs(given->differences[at].more().value()); };
            QVERIFY(i == 0 || size(i) <= size(i - 1));
            sum += given->differences[i].more();
        }
        const double left = (near.step - step.seconds - sum).value();
        QVERIFY(std::abs(left) <= 0.001 * static_cast<double>(kStepPartCount) * step.seconds.value());
        const std::string said = suspicionSentence(*given).english();
        QVERIFY(said.find(stepPartName(given->differences.front().part)) != std::string::npos);

        plan.workload.task = Task::Inference;
        QVERIFY(!givenPlan(plan, near));
    }

    /// No objective leaves the search without a bound: not one that is the same for all plans of the space, nor one
    /// that hardly differs. Counted in plans evaluated, because a machine's load is not the search's.
    void everyObjectiveEnds_data()
    {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<QString>("task");
        QTest::addColumn<QString>("cards");
        QTest::addColumn<quint64>("budget");
        QTest::newRow("small") << "llama-3-8b-8-h100"
                               << "pretrain"
                               << "" << quint64(1500);
        QTest::newRow("served") << "llama-3-70b-serving-dgx-h100"
                                << "inference"
                                << "" << quint64(500);
#ifndef CARDFIT_SANITIZED // which take ten times as long and see nothing more in larger spaces
        QTest::newRow("small ranged") << "llama-3-8b-8-h100"
                                      << "pretrain"
                                      << "8..32" << quint64(8000);
        QTest::newRow("middle") << "llama-3-70b-64-h100"
                                << "pretrain"
                                << "" << quint64(3000);
        QTest::newRow("middle ranged") << "llama-3-70b-64-h100"
                                       << "pretrain"
                                       << "32..128" << quint64(6000);
        QTest::newRow("experts") << "mixtral-8x7b-64-h100"
                                 << "pretrain"
                                 << "" << quint64(3000);
        QTest::newRow("lora") << "llama-3-70b-64-h100"
                              << "lora"
                              << "" << quint64(3000);
        QTest::newRow("lora ranged") << "llama-3-70b-64-h100"
                                     << "lora"
                                     << "8..64" << quint64(6000);
        QTest::newRow("served ranged") << "llama-3-70b-serving-dgx-h100"
                                       << "inference"
                                       << "8..64" << quint64(1000);
        QTest::newRow("served experts") << "mixtral-8x7b-64-h100"
                                        << "inference"
                                        << "" << quint64(1000);
#endif
    }
    void everyObjectiveEnds()
    {
        QFETCH(const QString, preset);
        QFETCH(const QString, task);
        QFETCH(const QString, cards);
        QFETCH(const quint64, budget);
        Plan plan = *shipped().plan(preset.toStdString());
        plan.workload.task = *fromName<Task>(task.toStdString());
        if (plan.workload.task == Task::Lora) plan.recipe.adapter.emplace();
        plan.parallelism.data.reset();
        SpaceWords words;
        words.cards = cards.toStdString();
        words.pins = {"dispatcher", "expert_overlap"};
        SearchRequest request;
        request.space = *spaceFrom(plan, words, shipped());
        for (const auto& entry : names<SearchFigure>()) {
            if (entry.value == SearchFigure::Headroom) continue;
            request.objective = entry.value;
            if (refusal(request)) continue;
            std::stop_source stop;
            std::uint64_t evaluated = 0;
            const SearchResult result = findPlans(
                request,
                [&](const SearchProgress& now) {
                    evaluated = now.counts.evaluated;
                    if (evaluated > budget) stop.request_stop();
                },
                stop.get_token());
            const std::string said = std::string(entry.name) + ": " + std::to_string(result.counts.evaluated);
            QVERIFY2(result.proven && result.counts.evaluated <= budget, said.c_str());
            QVERIFY2(!result.top.empty(), said.c_str());
            for (std::size_t i = 1; i < result.top.size(); ++i) {
                const FoundPlan& before = result.top[i - 1];
                const FoundPlan& after = result.top[i];
                const auto time = [](const FoundPlan& one) { return 1.0 / one.tokens_per_second; };
                QVERIFY2(before.objective <= after.objective, said.c_str());
                if (before.objective == after.objective)
                    QVERIFY2(time(before) <= time(after) * (1.0 + 1e-12), said.c_str());
            }
        }
    }

    /// What a server holds is what the estimate of each found plan says of its cache, and no training's choice is
    /// searched.
    void serversAreSearchedAsServers()
    {
        const Plan& plan = *shipped().plan("llama-3-70b-serving-dgx-h100");
        SearchRequest request;
        request.space = defaultSpace(plan);
        for (const char* left :
            {"/parallelism/virtual_pipeline", "/recipe/schedule", "/recipe/recompute", "/workload/micro_batch_size"}) {
            QVERIFY2(request.space.axis(left) == nullptr, left);
            SpaceWords words;
            words.free = {left};
            QVERIFY2(!spaceFrom(plan, words, shipped()), left);
        }
        QVERIFY(isLeftToServer(plan, "/recipe/recompute/granularity"));
        const SearchResult most = findPlans(request);
        QVERIFY(most.top.size() > 1);
        for (const FoundPlan& found : most.top) {
            const Estimate made = estimate(found.plan);
            const double held = made.server->capacity.sequences * static_cast<double>(dataParallel(found.plan));
            QCOMPARE(found.served->sequences, held);
            QCOMPARE(found.objective, 8.0 / held);
            QVERIFY(held <= most.top.front().served->sequences);
        }
        QVERIFY(!most.robust); // no error of times changes what a cache holds
        request.objective = SearchFigure::Step;
        const SearchResult fastest = findPlans(request);
        QVERIFY(fastest.top.front().step < most.top.back().step);
        QVERIFY(!fastest.robust); // no measured run says how far a server's times are off
    }

    /// A server's limits are kept, and the best is the best of all plans that keep them.
    void serversKeepTheirLimits()
    {
        Plan plan = *shipped().plan("llama-3-70b-serving-dgx-h100");
        plan.workload.input_tokens = 1000;
        plan.workload.output_tokens = 500;
        plan.workload.limits = ServingLimits{20.0, {}};
        SearchRequest request;
        request.space = defaultSpace(plan);
        request.objective = SearchFigure::Tokens;
        request.pareto = {SearchFigure::Tokens, SearchFigure::Tpot};
        const SearchResult result = findPlans(request);
        QVERIFY(result.proven && result.counts.limited > 0 && !result.top.empty());
        double best = std::numeric_limits<double>::infinity();
        SpacePoint point(request.space);
        for (std::uint64_t number = 0; number < request.space.plans(); ++number) {
            point.moveTo(number);
            if (firstErrorOf(check(point.plan())) != nullptr) continue;
            const auto row = rowOf(point.plan(), request.objective);
            if (row && row->fits && row->served->load.kept) best = std::min(best, row->objective);
        }
        QCOMPARE(result.top.front().objective, best);
        for (const FoundPlan& found : result.pareto) {
            const Estimate numbers = estimate(found.plan);
            QVERIFY(found.served->load.tpot <= Seconds(0.020));
            QCOMPARE(found.served->load.users, static_cast<double>(numbers.server->pace->users.users));
        }

        // So many users at once need room and time; no plan gives a token in a tenth of a millisecond.
        request.space.base.workload.concurrency = 32;
        const SearchResult loaded = findPlans(request);
        QVERIFY(!loaded.top.empty() && loaded.top.front().served->load.users == 32.0);
        request.space.base.workload.limits = ServingLimits{0.1, {}};
        const SearchResult none = findPlans(request);
        QVERIFY(none.top.empty() && none.nearest && !none.nearest->served->load.kept);

        request.space = defaultSpace(*shipped().plan("llama-3-70b-64-h100"));
        QVERIFY(refusal(request)); // a plan that trains has no such figures
    }

    void nearestHasTheLeastDeficit()
    {
        SearchRequest request;
        Plan plan = *shipped().plan("llama-3-70b-64-h100");
        plan.cluster.nodes = 1;
        plan.parallelism.data.reset();
        request.space = defaultSpace(plan);
        for (const char* pinned : {"/parallelism/context", "/workload/micro_batch_size", "/parallelism/expert_tensor"})
            request.space.put({axisKind(pinned), pinned, {ownValue(plan, pinned)}});
        const SearchResult result = findPlans(request);
        QVERIFY(result.top.empty() && result.nearest);
        Bytes least = result.nearest->over;
        SpacePoint point(request.space);
        for (std::uint64_t number = 0; number < request.space.plans(); ++number) {
            point.moveTo(number);
            if (firstErrorOf(check(point.plan())) != nullptr) continue;
            least = std::min(least, rowOf(point.plan(), SearchFigure::Days)->over);
        }
        QVERIFY(least > Bytes(0));
        QCOMPARE(result.nearest->over.value(), least.value());
    }

    /// A plan that a limit rules out before its memory is known may be over memory as well.
    void nearestIsFoundBehindALimit()
    {
        Plan plan = *shipped().plan("vllm-gpt-oss-120b-one-h100");
        plan.recipe.gpu_memory_utilization = 0.8; // the server does not start
        SearchRequest request;
        request.space = defaultSpace(plan);
        request.limits.push_back({SearchFigure::Memory, true, true, 4e10});
        const SearchResult result = findPlans(request);
        QVERIFY(result.top.empty() && result.nearest && result.nearest->over > Bytes(0));
    }

    void plansOverMemoryAreShownBesideTheOthers()
    {
        SearchRequest request;
        request.space = defaultSpace(*shipped().plan("llama-3-70b-64-h100"));
        QVERIFY(findPlans(request).over.empty());
        request.over = 20;
        std::optional<std::vector<std::uint64_t>> first;
        for (const std::size_t threads : {1UL, 4UL}) {
            request.threads = threads;
            const SearchResult result = findPlans(request);
            QCOMPARE(result.over.size(), request.over);
            std::set<std::uint64_t> degrees;
            for (const FoundPlan& found : result.over) {
                QVERIFY(!found.fits && found.over > Bytes(0));
                degrees.insert(request.space.degreesOf(found.number));
            }
            QCOMPARE(degrees.size(), request.over);
            if (first) QVERIFY(*first == numbersOf(result.over));
            first = numbersOf(result.over);
        }
    }

    /// Over all legal plans of random spaces.
    void boundsNeverExceedTheExactFigures()
    {
        std::mt19937 random(7);
        int compared = 0;
        for (int i = 0; i < 300; ++i) {
            const SearchRequest request = randomRequest(random);
            SharedCosts shared(request.space);
            SpacePoint point(request.space);
            for (std::uint64_t number = 0; number < request.space.plans(); ++number) {
                point.moveTo(number);
                const Plan& plan = point.plan();
                if (firstErrorOf(check(plan)) != nullptr) continue;
                const auto exact = rowOf(plan, SearchFigure::Days);
                if (!exact) continue;
                const BranchBounds bounds(point, shared);
                const auto held = bounds.held(point);
                QVERIFY(bounds.lasting().over <= held.over);
                QVERIFY2(held.over <= exact->over, planText(plan).c_str());
                QVERIFY2(bounds.step(plan, shared.parts(point)) <= exact->step, planText(plan).c_str());
                QVERIFY2(bounds.passes(plan, shared.parts(point)) <= exact->step, planText(plan).c_str());
                if (plan.workload.task != Task::Inference) {
                    const SpreadBounds spread = shared.spread(point, true);
                    QVERIFY2(spread.passes <= exact->step, planText(plan).c_str());
                    QVERIFY2(spread.device <= bounds.lasting().device, planText(plan).c_str());
                    const Bytes over = spread.device - usableMemory(plan.cluster.accelerator);
                    QVERIFY2(over <= bounds.lasting().over, planText(plan).c_str());
                }
                // What is kept for several plans is what each of them would have made.
                if (++compared % 5 != 0) continue;
                const Estimate whole = estimate(plan);
                const Estimate figures = figuresOf(plan, shared.known(point));
                QVERIFY2(figures.stages == whole.stages, planText(plan).c_str());
                QVERIFY2(figures.step == whole.step, planText(plan).c_str());
                for (std::size_t part = 0; part < kStepPartCount; ++part)
                    QVERIFY2(whole.step.parts[static_cast<StepPart>(part)] >= Seconds(0.0), planText(plan).c_str());
                QVERIFY(figures.pipeline == whole.pipeline && figures.parameters == whole.parameters);
                QVERIFY(tieOrder(plan, figures, shared.known(point)) == tieOrder(plan, whole));
            }
        }
        QVERIFY(compared > 1000);
    }

    /// Flags that a search sets by itself make no plan slower or larger, and never break a rule that it kept.
    void flagsCostNothing()
    {
        std::mt19937 random(23);
        int compared = 0;
        int faster = 0;
        int moved = 0;
        for (int i = 0; i < 200; ++i) {
            SearchRequest request = randomRequest(random);
            if (request.space.flags.none()) continue;
            request.space.base.recipe.precision =
                std::array{Precision::Bf16, Precision::Fp8, Precision::Mxfp8, Precision::Nvfp4}[random() % 4];
            SearchSpace plain = request.space;
            plain.flags.reset();
            SpacePoint given(plain);
            SpacePoint flagged(request.space);
            for (std::uint64_t number = 0; number < plain.plans(); ++number) {
                given.moveTo(number);
                flagged.moveTo(number);
                if (firstErrorOf(check(given.plan())) != nullptr) continue;
                QVERIFY2(firstErrorOf(check(flagged.plan())) == nullptr, planText(flagged.plan()).c_str());
                const auto before = rowOf(given.plan(), SearchFigure::Days);
                const auto after = rowOf(flagged.plan(), SearchFigure::Days);
                if (!before || !after) continue;
                ++compared;
                if (automaticLayers(given.plan()) != automaticLayers(flagged.plan())) {
                    ++moved; // the automatic split follows the times of layers, and is not always the best
                    continue;
                }
                QVERIFY2(after->step <= before->step, planText(given.plan()).c_str());
                QVERIFY2(after->worst_device <= before->worst_device, planText(given.plan()).c_str());
                faster += after->step < before->step ? 1 : 0;
            }
        }
        QVERIFY2(compared > 500 && faster > 100 && moved < compared / 20, QByteArray::number(compared).constData());
    }

    /// 173 million plans of DeepSeek-V3: what rules are asked for is their distinct questions, not the plans, also
    /// where recomputation decides on the form of the schedule.
    void rulesAreAskedOnceForPlansThatAreAlike()
    {
        for (const bool overlaps : {false, true}) {
            Plan plan = *shipped().plan("deepseek-v3-2048-h800");
            plan.recipe.moe.expert_overlap = overlaps;
            const SearchSpace space = spaceOfDegrees(plan);
            LegalPoints legal(space);
            std::uint64_t kept = 0;
            std::uint64_t branches = 0;
            QVERIFY(legal.walk(
                [&](std::uint64_t branch, const LegalPoints::Leaves& leaves) {
                    kept += leaves.size();
                    if (++branches % 5000 != 0) return;
                    SpacePoint point(space);
                    for (std::uint64_t leaf = 0; leaf < legal.leaves(); ++leaf) {
                        point.moveTo(branch * legal.leaves() + leaf);
                        const bool is_kept = std::ranges::find(leaves, leaf) != leaves.end();
                        QCOMPARE(firstErrorOf(check(point.plan())) == nullptr, is_kept);
                    }
                },
                {}));
            for (const auto& [rule, count] : legal.rules())
                kept += count;
            QCOMPARE(kept, space.plans());
            QVERIFY2(legal.asked() < space.plans() / 500, QByteArray::number(quint64(legal.asked())).constData());
        }
    }

    /// Where rules refuse the plain form (one chunk per rank, every layer recomputed), other forms are tried before the
    /// space is walked: millions of plans come before the first one that fits.
    void somePlanFitsBeforeTheWalk()
    {
        for (const bool overlapped : {false, true}) {
            SearchRequest request;
            Plan plan = *shipped().plan("deepseek-v3-2048-h800");
            plan.recipe.moe.expert_overlap = overlapped;
            request.space = defaultSpace(plan);
            std::stop_source stop;
            const SearchResult result = findPlans(
                request,
                [&](const SearchProgress& now) {
                    if (!now.top.empty()) stop.request_stop();
                },
                stop.get_token());
            QVERIFY(!result.top.empty());
            QCOMPARE(result.counts.evaluated, std::uint64_t{0});
        }
    }

    void schedulesOfForksAreBoundedToo()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.workload.global_batch_size = 64;
        for (const auto& entry : names<Schedule>()) {
            SearchSpace space;
            space.base = plan;
            space.base.recipe.schedule = entry.value;
            for (const char* field : {"/parallelism/virtual_pipeline", "/parallelism/pipeline"})
                space.put({axisKind(field), field, {}});
            space.axes[0].values = space.axes[1].values = {};
            for (SearchAxis& axis : space.axes) {
                for (const std::int64_t value : {1, 2, 4})
                    axis.values.push_back({std::to_string(value), value, {}, 0.0, {}});
            }
            SharedCosts shared(space);
            SpacePoint point(space);
            for (std::uint64_t number = 0; number < space.plans(); ++number) {
                point.moveTo(number);
                if (firstErrorOf(check(point.plan())) != nullptr) continue;
                const auto exact = rowOf(point.plan(), SearchFigure::Days);
                const BranchBounds bounds(point, shared);
                QVERIFY2(
                    bounds.step(point.plan(), shared.parts(point)) <= exact->step, std::string(entry.name).c_str());
                const auto held = bounds.held(point);
                QVERIFY2(held.over <= exact->over, std::string(entry.name).c_str());
            }
        }
    }

    /// No two rows take the same time. Context 2 with twice the micro-batch is no other label of context 1: its ring
    /// costs time.
    void onePlanIsOfferedOnce()
    {
        SearchRequest request;
        request.space = defaultSpace(*shipped().plan("llama-3-8b-8-h100"));
        request.space.put({AxisKind::Pipeline, "/parallelism/pipeline", {wholeValue(2)}});
        const SearchResult result = findPlans(request);
        QCOMPARE(result.top.size(), request.top);
        for (std::size_t i = 1; i < result.top.size(); ++i)
            QVERIFY(result.top[i].step != result.top[i - 1].step);
        const FoundPlan& best = result.top.front();
        QCOMPARE(best.plan.parallelism.context, std::int64_t(1));
        Plan copy = best.plan;
        copy.parallelism.context = 2;
        copy.parallelism.data = *copy.parallelism.data / 2;
        copy.workload.micro_batch_size *= 2;
        QVERIFY(estimate(copy).step.seconds > best.step);
    }

    void threadsDoNotChangeTheAnswer()
    {
        SearchRequest request;
        request.space = spaceOfDegrees(*shipped().plan("mixtral-8x7b-64-h100"));
        std::optional<SearchResult> first;
        for (const std::size_t threads : {1UL, 2UL, 8UL}) {
            request.threads = threads;
            SearchResult result = findPlans(request);
            QVERIFY(result.proven);
            QCOMPARE(result.counts.decided(), result.plans);
            if (!first) {
                first = std::move(result);
                continue;
            }
            QVERIFY(result.counts == first->counts);
            QVERIFY(numbersOf(result.top) == numbersOf(first->top));
            QVERIFY(numbersOf(result.pareto) == numbersOf(first->pareto));
            QCOMPARE(result.robust, first->robust);
        }
    }

    void shippedPlansLieInTheirOwnSpace()
    {
        for (const PlanPreset& preset : shipped().plans) {
            SearchSpace space = defaultSpace(preset.plan);
            space.flags.reset();
            for (SearchAxis& axis : space.axes) {
                const AxisValue own = ownValue(preset.plan, axis.pointer);
                QVERIFY2(std::ranges::find(axis.values, own) != axis.values.end(), axis.pointer.c_str());
                axis.values = {own};
            }
            const Plan there = SpacePoint(space).plan();
            Plan expected = preset.plan;
            // Served without sequence parallelism, which a search turns on with tensor parallelism under Megatron.
            if (preset.plan.workload.task == Task::Inference && preset.plan.parallelism.tensor > 1)
                expected.parallelism.sequence = true;
            // A space gives the number that the framework would take.
            expected.parallelism.expert_tensor = expertTensor(preset.plan);
            QVERIFY2(there == expected, preset.id.c_str());
            QVERIFY2(firstErrorOf(check(there)) == nullptr, preset.id.c_str());
        }
    }

    void shippedPlansAreNotFasterThanWhatIsOffered()
    {
        for (const char* id : {"llama-3-70b-64-h100", "llama-3-8b-8-h100", "mixtral-8x7b-64-h100"}) {
            SearchRequest request;
            request.space = defaultSpace(*shipped().plan(id));
            const SearchResult result = findPlans(request);
            const Estimate own = estimate(*shipped().plan(id));
            QVERIFY(!result.top.empty());
            if (own.fits()) QVERIFY2(result.top.front().step <= own.step.seconds, id);
        }
    }

    void aStopLeavesTheRestUndecided()
    {
        SearchRequest request;
        request.space = spaceOfDegrees(*shipped().plan("mixtral-8x7b-64-h100"));
        std::stop_source stop;
        stop.request_stop();
        const SearchResult result = findPlans(request, {}, stop.get_token());
        QVERIFY(!result.proven);
        QVERIFY(result.counts.undecided > 0);
        QCOMPARE(result.counts.decided() + result.counts.undecided, result.plans);
    }

    /// What a reason says of its example is true.
    static void reasonHolds(const SearchRequest& request, const SearchResult& result, const DegreesFate& fate)
    {
        SpacePoint point(request.space);
        point.moveTo(fate.number);
        const auto checks = check(point.plan());
        if (fate.kind == DegreesFate::Kind::Rule) {
            QCOMPARE(fate.rule->id, firstErrorOf(checks)->id);
            return;
        }
        QVERIFY(firstErrorOf(checks) == nullptr);
        const FoundPlan row = *rowOf(point.plan(), request.objective);
        if (fate.kind == DegreesFate::Kind::Memory)
            QVERIFY(!row.fits && fate.over == row.over);
        else if (fate.at_least)
            QVERIFY(fate.objective >= result.top.front().objective && fate.objective <= row.objective);
        else
            QCOMPARE(fate.objective, row.objective);
    }

    /// Every tuple of degrees has its reason, and asking for it changes nothing else.
    void everyTupleOfDegreesHasAReason()
    {
        SearchRequest request;
        const Plan& plan = *shipped().plan("llama-3-8b-8-h100");
        request.space = defaultSpace(plan);
        request.limits = usualLimits(plan, {}, {}, {});
        const SearchResult alone = findPlans(request);
        request.why = true;
        const SearchResult result = findPlans(request);
        QVERIFY(numbersOf(alone.top) == numbersOf(result.top));
        QCOMPARE(static_cast<std::uint64_t>(result.why.size()), request.space.degrees());
        std::uint64_t tuple = 0;
        std::set<DegreesFate::Kind> kinds;
        for (const DegreesFate& fate : result.why) {
            QCOMPARE(degreesOf(request.space, fate.number), tuple++);
            reasonHolds(request, result, fate);
            kinds.insert(fate.kind);
        }
        QVERIFY(kinds.contains(DegreesFate::Kind::Best) && kinds.contains(DegreesFate::Kind::Slower)
            && kinds.contains(DegreesFate::Kind::Rule));
    }

    /// Many tuples are grouped: each that keeps the rules is counted once, and every plan that breaks one.
    void manyTuplesAreGroupedByReason()
    {
        SearchRequest request;
        const Plan& plan = *shipped().plan("mixtral-8x7b-64-h100");
        request.space = defaultSpace(plan);
        for (const char* pinned : {"/recipe/schedule", "/recipe/recompute", "/workload/micro_batch_size",
                 "/recipe/moe/dispatcher", "/recipe/moe/expert_overlap"})
            request.space.put({axisKind(pinned), pinned, {ownValue(plan, pinned)}});
        QVERIFY(request.space.degrees() > 4096 && request.space.degrees() == request.space.plans());
        request.why = true;
        const SearchResult result = findPlans(request);
        QVERIFY(result.why.size() < 40);
        std::uint64_t tuples = 0;
        std::uint64_t plans = 0;
        for (const DegreesFate& fate : result.why) {
            tuples += fate.tuples;
            plans += fate.plans;
            reasonHolds(request, result, fate);
        }
        QCOMPARE(tuples + plans, request.space.degrees());
        QCOMPARE(plans, result.counts.broken());
    }

    /// The reason of a single tuple is that of all its plans, and a plan's own is that of its estimate.
    void anyPlanHasItsReason()
    {
        SearchRequest request;
        Plan plan = *shipped().plan("llama-3-70b-64-h100");
        plan.cluster.nodes = 4;
        plan.parallelism.data = 1;
        request.space = defaultSpace(plan);
        for (const char* pinned : {"/parallelism/context", "/parallelism/virtual_pipeline"})
            request.space.put({axisKind(pinned), pinned, {wholeValue(1)}});
        const SearchResult result = findPlans(request);
        struct Tuple {
            std::uint64_t number = 0;
            bool legal = false;
            std::optional<double> best;
            std::optional<Bytes> over;
        };
        std::map<std::uint64_t, Tuple> tuples;
        SpacePoint point(request.space);
        for (std::uint64_t number = 0; number < request.space.plans(); ++number) {
            Tuple& tuple = tuples[request.space.degreesOf(number)];
            tuple.number = number;
            point.moveTo(number);
            if (firstErrorOf(check(point.plan())) != nullptr) continue;
            tuple.legal = true;
            const FoundPlan row = *rowOf(point.plan(), request.objective);
            if (row.fits)
                tuple.best = std::min(tuple.best.value_or(row.objective), row.objective);
            else
                tuple.over = std::min(tuple.over.value_or(row.over), row.over);
        }
        int kinds[5]{};
        for (const auto& [number, tuple] : tuples) {
            std::vector<SearchAxis> pins;
            for (const auto& [pointer, word] : settingsOf(request.space, tuple.number)) {
                const SearchAxis& axis = *request.space.axis(pointer);
                if (!isDegree(axis.kind)) continue;
                pins.push_back({axis.kind, pointer, {*std::ranges::find(axis.values, word, &AxisValue::word)}});
            }
            const auto standing = standingOf(request, result, partOf(request.space, pins));
            QVERIFY(standing.has_value());
            QVERIFY(standing->outside.empty());
            const DegreesFate& fate = standing->fate;
            QCOMPARE(fate.kind == DegreesFate::Kind::Rule, !tuple.legal);
            QCOMPARE(fate.kind == DegreesFate::Kind::Memory, tuple.legal && !tuple.best);
            if (tuple.best) QCOMPARE(fate.objective, *tuple.best);
            if (fate.kind == DegreesFate::Kind::Memory) QCOMPARE(fate.over.value(), tuple.over->value());
            if (fate.kind == DegreesFate::Kind::Best) QCOMPARE(*tuple.best, result.top.front().objective);
            ++kinds[static_cast<int>(fate.kind)];
        }
        QVERIFY(kinds[1] > 0 && kinds[2] > 0 && kinds[3] > 0);

        Plan wrong = plan;
        wrong.parallelism.tensor = 3;
        wrong.parallelism.data.reset();
        const auto broken = standingOf(request, result, only(request.space, wrong));
        QVERIFY(broken->fate.kind == DegreesFate::Kind::Rule && broken->fate.rule.has_value());
        QCOMPARE(broken->outside.front().second, std::string("3"));
        const auto best = standingOf(request, result, only(request.space, result.top.front().plan));
        QVERIFY(best->fate.kind == DegreesFate::Kind::Best);
        QCOMPARE(best->offered, std::optional<std::size_t>(0));
    }

    /// Every bucket that holds plans names one of them.
    void bucketsHaveExamples()
    {
        SearchRequest request;
        request.space = spaceOfDegrees(*shipped().plan("mixtral-8x7b-64-h100"));
        request.limits = {*limitFrom("step<20")};
        const SearchResult result = findPlans(request);
        SpacePoint point(request.space);
        QCOMPARE(result.examples.rules.size(), result.counts.rules.size());
        for (const auto& [rule, number] : result.examples.rules) {
            point.moveTo(number);
            QCOMPARE(firstErrorOf(check(point.plan()))->id, rule);
        }
        QVERIFY(result.examples.over_memory && result.examples.slower);
        point.moveTo(*result.examples.over_memory);
        QVERIFY(!estimate(point.plan()).fits());
    }

    /// What is tried first decides how soon something is known, not what is found.
    void anEarlierAnswerSpeedsUpTheNext()
    {
        Plan plan = *shipped().plan("llama-3-70b-64-h100");
        SearchRequest request;
        request.space = defaultSpace(plan);
        const SearchResult before = findPlans(request);
        plan.workload.sequence_length *= 2;
        SearchRequest next;
        next.space = defaultSpace(plan);
        const SearchResult alone = findPlans(next);
        for (const auto* rows : {&before.top, &before.pareto}) {
            for (const FoundPlan& found : *rows)
                next.first.push_back(settingsOf(request.space, found.number));
        }
        next.first.push_back({{"/parallelism/tensor", "3"}});
        std::vector<std::size_t> fronts;
        const SearchResult helped =
            findPlans(next, [&](const SearchProgress& now) { fronts.push_back(now.pareto.size()); });
        QVERIFY(numbersOf(helped.top) == numbersOf(alone.top));
        QVERIFY(numbersOf(helped.pareto) == numbersOf(alone.pareto));
        QVERIFY(helped.counts.evaluated <= alone.counts.evaluated + next.first.size());
        QVERIFY(!fronts.empty() && fronts.front() > 1);
    }

    void clustersAreSwept()
    {
        Plan plan = *shipped().plan("llama-3-70b-64-h100");
        plan.workload.tokens = 2e11;
        const std::vector<Cluster> clusters{
            *shipped().cluster("dgx-h100"), *shipped().cluster("dgx-h200"), *shipped().cluster("8x-h800")};
        SweepRequest request = clusterSweep(plan, clusters, {4, 8, 16});
        for (const char* pinned : {"/parallelism/context", "/parallelism/virtual_pipeline", "/recipe/recompute"})
            request.space.put({axisKind(pinned), pinned, {ownValue(plan, pinned)}});
        std::size_t told = 0;
        const auto cells = sweep(request, [&](const std::vector<SweepCell>&) { ++told; });
        QCOMPARE(told, std::size_t{9});
        for (const SweepCell& cell : cells) {
            QVERIFY(cell.decided);
            if (!isFit(cell.verdict)) continue;
            QCOMPARE(cell.found->plan.cluster.nodes, std::int64_t(4) << cell.y);
            QCOMPARE(cell.found->plan.cluster.accelerator.id, clusters[cell.x].accelerator.id);
            QCOMPARE(*cell.figure, estimate(cell.found->plan).step.run->days);
            QCOMPARE(cell.found->cost_usd.has_value(), cell.x < 2);
        }
        // The cheapest of all, then the cheapest that is soon enough, by looking at each.
        for (const std::optional<double> days : {std::optional<double>(), std::optional<double>(60.0)}) {
            const auto found = cheapestWithin(cells, {days, {}});
            QVERIFY(found.has_value());
            for (const SweepCell& cell : cells) {
                if (isFit(cell.verdict) && cell.found->cost_usd && (!days || *cell.found->days <= *days))
                    QVERIFY(*cells[*found].found->cost_usd <= *cell.found->cost_usd);
            }
        }
        QVERIFY(!cheapestWithin(cells, {1e-3, {}}));
        QVERIFY(!cheapestWithin(cells, {{}, 1.0}));
    }

    void sweepsAskEveryPair()
    {
        const Plan& plan = *shipped().plan("llama-3-70b-64-h100");
        SweepRequest request;
        request.space.base = plan;
        request.x = *axisFrom(plan, "tensor=1,2,4,8,3", "--x", shipped());
        request.y = *axisFrom(plan, "/parallelism/pipeline=1..8", "--y", shipped());
        request.figure = SearchFigure::Step;
        const auto cells = sweep(request);
        QCOMPARE(cells.size(), std::size_t{20});
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const SweepCell& cell = cells[i];
            QCOMPARE(cell.x, i % 5);
            QCOMPARE(cell.y, i / 5);
            if (cell.x == 4) {
                QVERIFY(cell.verdict == Verdict::Invalid);
                QVERIFY(std::ranges::find(cell.rules, "TP-HEADS") != cell.rules.end());
            } else {
                const Estimate there = estimate(cell.found->plan);
                QCOMPARE(*cell.figure, there.step.seconds.value());
                QCOMPARE(isFit(cell.verdict), there.fits());
                QCOMPARE(cell.over > Bytes(0), !there.fits());
            }
        }
        request.best = true;
        request.space = defaultSpace(plan);
        request.x.values.resize(2);
        request.y.reset();
        for (const SweepCell& cell : sweep(request)) {
            QVERIFY(isFit(cell.verdict));
            QCOMPARE(*cell.figure, estimate(cell.found->plan).step.seconds.value());
        }
    }

    void wordsMakeASpace()
    {
        const Plan& plan = *shipped().plan("llama-3-70b-64-h100");
        SpaceWords words;
        words.pins = {"schedule=1f1b", "virtual_pipeline"};
        words.values = {"tensor=1,2,4", "recompute=none,mlp+layernorm,block:1/2"};
        words.free = {"sharding"};
        words.cards = "64..256";
        const auto space = spaceFrom(plan, words, shipped());
        QVERIFY(space.has_value());
        QCOMPARE(space->axis("/parallelism/tensor")->values.size(), std::size_t{3});
        QCOMPARE(space->axis("/parallelism/virtual_pipeline")->values.front().word, std::string("1"));
        QCOMPARE(space->axis("/cluster/nodes")->values.back().word, std::string("32"));
        QCOMPARE(space->axis("/recipe/sharding")->values.size(), names<Sharding>().size());
        QCOMPARE(space->axis("/recipe/recompute")->values[2].block_share, 0.5);

        // A field of recomputation takes the place of recomputation as a whole.
        SpaceWords field;
        field.pins = {"/recipe/recompute/granularity=full"};
        const auto without = spaceFrom(plan, field, shipped());
        QVERIFY(without.has_value() && without->axis("/recipe/recompute") == nullptr);

        const auto refusedWith = [&](auto change) {
            SpaceWords wrong;
            change(wrong);
            const auto made = spaceFrom(plan, wrong, shipped());
            return made ? std::string("accepted") : describe(made.error());
        };
        const auto contains = [](const std::string& text, const char* part) {
            return text.find(part) != std::string::npos;
        };
        QVERIFY(contains(refusedWith([](SpaceWords& w) { w.pins = {"tensr=2"}; }), "tensor"));
        QVERIFY(contains(refusedWith([](SpaceWords& w) { w.pins = {"tensor=x"}; }), "tensor"));
        QVERIFY(contains(refusedWith([](SpaceWords& w) { w.values = {"tensor=2,2"}; }), "twice"));
        QVERIFY(contains(refusedWith([](SpaceWords& w) { w.pins = w.free = {"tensor"}; }), "twice"));
        QVERIFY(contains(refusedWith([](SpaceWords& w) { w.cards = "65"; }), "whole nodes"));
        QVERIFY(contains(refusedWith([](SpaceWords& w) { w.free = {"/workload/global_batch_size"}; }), "--values"));
        QVERIFY(!limitFrom("cost=2"));
        // Doubling goes no further than numbers do.
        QVERIFY(contains(refusedWith([](SpaceWords& w) { w.values = {"tensor=1..9223372036854775807"}; }), "at most"));
        QVERIFY(contains(refusedWith([](SpaceWords& w) { w.cards = "8..9223372036854775807"; }), "whole nodes"));
        QCOMPARE(limitFrom("cost<=2e6")->value, 2e6);
    }
};

CARDFIT_TEST(TestFind)

} // namespace cardfit::tst_find
#include "tst_find.moc"
