// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/limits.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "core/base/enum_names.h"
#include "core/model/operators.h"
#include "core/plan/edits.h"
#include "core/search/boundary.h"
#include "core/search/fewest_cards.h"
#include "core/search/model_ladder.h"

namespace cardfit {

namespace {

constexpr std::int64_t kMostTokens = std::int64_t{1} << 30;
constexpr std::int64_t kMostSequences = std::int64_t{1} << 20;
constexpr std::int64_t kTokenStep = 128; ///< the step in which kernels and people count tokens

/// Tokens by which a sequence must grow so that context and sequence parallelism can split it.
std::int64_t tokenStep(const Plan& plan)
{
    const auto& degrees = plan.parallelism;
    std::int64_t step = kTokenStep;
    if (degrees.context > 1) step = std::lcm(step, 2 * degrees.context);
    if (degrees.sequence) step = std::lcm(step, degrees.context * degrees.tensor);
    return step;
}

Sentence degreesWords(const Plan& plan)
{
    const auto& degrees = plan.parallelism;
    return Sentence::tr("tensor {}, pipeline {}, context {}", {degrees.tensor, degrees.pipeline, degrees.context});
}

Sentence batchWords(const Plan& plan)
{
    return Sentence::tr("the global batch of {} sequences", {plan.workload.global_batch_size});
}

/// The rule that refuses a variant, with its numbers; empty if none does.
Sentence ruleWords(const std::vector<Check>& refusals)
{
    if (refusals.empty()) return {};
    return Sentence::tr("{}: {}", {refusals.front().id, refusals.front().message});
}

/// Finds the limit of one quantity of one plan.
class LimitFinder {
public:
    LimitFinder(const Plan& plan, LimitOf quantity, Profile profile)
        : m_plan(plan)
        , m_trials(plan, profile)
    {
        m_limit.quantity = quantity;
    }

    Limit run()
    {
        // The quantities divide by these numbers; if one is out of range, no variant of the plan counts.
        const auto broken = m_trials.refusals(m_plan);
        const bool out_of_range = std::ranges::any_of(broken, [](const Check& check) { return check.id == "RANGE"; });
        if (out_of_range) {
            m_limit.end = ruleWords(broken);
            return std::move(m_limit);
        }
        switch (m_limit.quantity) {
        case LimitOf::ModelSize: modelSize(); break;
        case LimitOf::SequenceLength: sequenceLength(); break;
        case LimitOf::MicroBatchSize: microBatchSize(); break;
        case LimitOf::ServedSequences: servedSequences(); break;
        case LimitOf::Cards: cards(); break;
        case LimitOf::CardsAnyDegrees: cardsAnyDegrees(); break;
        }
        if (!m_limit.fits && !m_limit.misses && m_limit.end.empty()) m_limit.end = ruleWords(broken);
        if (!m_limit.fits && m_limit.misses) proveImpossible();
        m_limit.estimates = m_trials.estimates();
        return std::move(m_limit);
    }

private:
    void take(Boundary boundary)
    {
        m_limit.fits = std::move(boundary.fits);
        m_limit.misses = std::move(boundary.misses);
    }

    /// The plan's own value counts, whether or not it is a stop of the search.
    void takeOwn()
    {
        if (m_limit.fits && m_limit.fits->value >= m_limit.now) return;
        auto own = m_trials.run(m_plan, m_limit.now);
        if (own && own->fits()) m_limit.fits = std::move(own);
    }

    /// Tries multiples of `step` for one number of the workload; every multiple counts.
    void inSteps(std::int64_t Workload::*number, std::int64_t step, std::int64_t most)
    {
        m_limit.now = m_plan.workload.*number;
        const auto planAt = [&](std::int64_t stop) {
            Plan changed = m_plan;
            changed.workload.*number = (stop + 1) * step;
            return changed;
        };
        take(findBoundary(most / step, m_limit.now / step - 1,
            [&](std::int64_t stop) { return m_trials.run(planAt(stop), (stop + 1) * step); }));
        takeOwn();
        if (m_limit.misses) return;
        const std::int64_t next = (m_limit.fits ? m_limit.fits->value : m_limit.now) / step;
        m_limit.end = ruleWords(m_trials.refusals(planAt(next)));
    }

    void sequenceLength()
    {
        const std::int64_t step = tokenStep(m_plan);
        m_limit.held = Sentence::tr(
            "{} stays, and so do model, micro-batch and degrees; in steps of {} tokens", {batchWords(m_plan), step});
        inSteps(&Workload::sequence_length, step, kMostTokens);
    }

    void servedSequences()
    {
        const std::int64_t step = m_plan.workload.micro_batch_size * std::max<std::int64_t>(1, dataParallel(m_plan));
        m_limit.held = Sentence::tr("{} tokens each, model and degrees stay; in steps of {}, one more micro-batch for "
                                    "every replica",
            {m_plan.workload.sequence_length, step});
        inSteps(&Workload::global_batch_size, step, kMostSequences);
    }

    void microBatchSize()
    {
        const std::int64_t data = dataParallel(m_plan);
        const std::int64_t shared = data > 0 ? m_plan.workload.global_batch_size / data : 0;
        m_limit.now = m_plan.workload.micro_batch_size;
        m_limit.held = Sentence::tr("{} and data {} stay, {} per replica; the number of micro-batches follows, and "
                                    "only sizes that divide the sequences of a replica count",
            {batchWords(m_plan), data, shared});
        const auto planOf = [&](std::int64_t size) {
            Plan changed = m_plan;
            changed.workload.micro_batch_size = size;
            return changed;
        };
        auto sizes = divisorsOf(shared);
        std::erase_if(sizes, [&](std::int64_t size) { return !m_trials.accepts(planOf(size)); });
        const auto own = std::ranges::lower_bound(sizes, m_limit.now);
        take(findBoundary(static_cast<std::int64_t>(sizes.size()), own - sizes.begin(), [&](std::int64_t stop) {
            const std::int64_t size = sizes[static_cast<std::size_t>(stop)];
            return m_trials.run(planOf(size), size);
        }));
        takeOwn();
        if (m_limit.fits && !m_limit.misses) {
            m_limit.end = m_limit.fits->value == shared
                ? Sentence::tr("{} sequences are all that a replica has", {shared})
                : Sentence::tr("no larger divisor of {} keeps the rules", {shared});
        }
    }

    void modelSize()
    {
        const ModelLadder ladder(m_plan);
        m_limit.now = parameterCount(m_plan.model.architecture);
        m_limit.held = Sentence::tr("{}, {}, batch and sequence stay", {ladder.words(), degreesWords(m_plan)});
        const auto planAt = [&](std::int64_t stop) { return withModel(m_plan, ladder.at(stop)); };
        const auto attempt = [&](std::int64_t stop) {
            const Plan changed = planAt(stop);
            return m_trials.run(changed, parameterCount(changed.model.architecture));
        };
        std::int64_t last = ladder.own();
        const auto boundary = findBoundary(ladder.count(), last, [&](std::int64_t stop) {
            auto trial = attempt(stop);
            if (trial && trial->fits()) last = stop;
            return trial;
        });
        take(boundary);
        if (m_limit.fits && m_limit.misses) refine(last, attempt);
        takeOwn();
        if (!m_limit.misses) m_limit.end = ruleWords(m_trials.refusals(planAt(last + 1)));
    }

    /// Neighbouring stops may have the same shape, or a wider and shallower one with fewer parameters. So takes the
    /// last that fits of the models near the boundary, ordered by size.
    void refine(std::int64_t boundary, const Attempt& attempt)
    {
        constexpr std::int64_t kNear = 6;
        constexpr std::int64_t kFar = 32;
        std::map<std::int64_t, Trial> near;
        const auto keep = [&](std::optional<Trial> trial) {
            if (!trial) return;
            const auto [entry, is_new] = near.try_emplace(trial->value, *trial);
            if (!is_new && trial->free() > entry->second.free()) entry->second = std::move(*trial);
        };
        keep(m_limit.fits);
        keep(m_limit.misses);
        for (std::int64_t stop = std::max<std::int64_t>(0, boundary - kNear); stop <= boundary + kNear; ++stop)
            keep(attempt(stop));
        for (std::int64_t stop = boundary + kNear + 1; stop <= boundary + kFar && near.rbegin()->second.fits(); ++stop)
            keep(attempt(stop));
        for (auto& [value, trial] : near) {
            if (trial.fits()) m_limit.fits = trial;
        }
        const auto next = near.upper_bound(m_limit.fits->value);
        m_limit.misses = next == near.end() ? std::nullopt : std::optional(next->second);
    }

    void cards()
    {
        m_limit.held = Sentence::tr("{}, {} and micro-batches of {} stay; data follows, in whole nodes or within one",
            {degreesWords(m_plan), batchWords(m_plan), m_plan.workload.micro_batch_size});
        m_limit.now = cardCount(m_plan.cluster);
        take(fewestCards(m_plan, m_trials));
        if (!m_limit.fits || m_limit.misses) return;
        m_limit.end = dataParallel(m_limit.fits->plan) > 1
            ? Sentence(Sentence::tr("no smaller number keeps the rules"))
            : Sentence::tr("one replica takes {}", {replicaCards(m_limit.fits->plan.parallelism)});
    }

    void cardsAnyDegrees()
    {
        m_limit.held = Sentence::tr("context {}, {} and micro-batches of {} stay; tensor within a node, pipeline and "
                                    "data are free",
            {m_plan.parallelism.context, batchWords(m_plan), m_plan.workload.micro_batch_size});
        m_limit.now = cardCount(m_plan.cluster);
        take(fewestCardsOfAnyDegrees(m_plan, m_trials));
        if (m_limit.fits && !m_limit.misses) m_limit.end = Sentence::tr("no smaller number of cards was left to try");
    }

    void proveImpossible()
    {
        Impossibility proof;
        proof.least = *m_limit.misses;
        const StageMemory& stage = proof.least.worst;
        proof.states = stage[Segment::Weights] + stage[Segment::Gradients] + stage[Segment::Optimizer];
        Bytes reserve;
        for (const Term& term : stage.terms) {
            const Bytes least = term.bytes - term.band.below;
            if (term.segment == Segment::Communication || term.segment == Segment::DeviceContext)
                proof.outside += least;
            if (term.segment == Segment::Reserve) reserve += least;
        }
        const Bytes allocated = stage.allocated();
        if (allocated > Bytes(0)) {
            const double share = reserve / allocated;
            proof.held_back =
                countedReserve(roundToBytes(share * static_cast<double>(proof.states.value())), proof.states);
        }
        proof.states_alone = proof.states + proof.outside + proof.held_back > stage.capacity;
        proof.remedies = suggest(proof.least.plan, m_trials.profile());
        m_limit.impossible = std::move(proof);
    }

    const Plan& m_plan;
    Trials m_trials;
    Limit m_limit;
};

} // namespace

std::span<const LimitOf> limitsOf(const Plan& plan)
{
    static constexpr std::array kTraining{
        LimitOf::ModelSize, LimitOf::SequenceLength, LimitOf::MicroBatchSize, LimitOf::Cards, LimitOf::CardsAnyDegrees};
    static constexpr std::array kServing{LimitOf::ModelSize, LimitOf::SequenceLength, LimitOf::ServedSequences,
        LimitOf::Cards, LimitOf::CardsAnyDegrees};
    if (plan.workload.task == Task::Inference) return kServing;
    return kTraining;
}

std::string_view limitName(LimitOf quantity)
{
    constexpr auto kNames = textFor<LimitOf>(
        {"model_size", "sequence_length", "micro_batch_size", "served_sequences", "cards", "cards_any_degrees"});
    return kNames[static_cast<std::size_t>(quantity)];
}

Limit limitOf(const Plan& plan, LimitOf quantity, Profile profile)
{
    return LimitFinder(plan, quantity, profile).run();
}

} // namespace cardfit
