// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/counts.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/layers/layer_split.h"

namespace cardfit {

namespace {

/// "1 layer", "20 layers".
Sentence counted(std::int64_t count, Phrase one, Sentence many) { return count == 1 ? Sentence(one) : many; }

/// How often the operators keep this tensor, for the backward pass or for its weight half.
std::int64_t occurrences(const std::vector<Operator>& operators, const NamedBytes& tensor, bool for_weights)
{
    const auto is_it = [&](const SavedTensor& saved) {
        return saved.id == tensor.id && saved.formula == tensor.formula;
    };
    std::int64_t count = 0;
    for (const Operator& step : operators) {
        count += std::ranges::count_if(
            step.saved, [&](const SavedTensor& saved) { return is_it(saved) && (saved.for_weight || !for_weights); });
        if (for_weights) count += std::ranges::count_if(step.for_weights, is_it);
    }
    return count;
}

Sentence groups(const Plan& plan)
{
    const auto& degrees = plan.parallelism;
    std::vector<Sentence> names;
    const auto add = [&](bool exists, Phrase name) {
        if (exists) names.emplace_back(name);
    };
    add(degrees.tensor > 1, Sentence::tr("tensor"));
    add(degrees.pipeline > 1, Sentence::tr("pipeline"));
    add(degrees.context > 1, Sentence::tr("context"));
    add(degrees.expert > 1, Sentence::tr("expert"));
    add(plan.workload.task != Task::Inference && dataParallel(plan) > 1, Sentence::tr("data"));
    return listed(names);
}

} // namespace

CountMeaning::CountMeaning(const Plan& plan, const StageMemory& stage)
    : m_plan(plan)
    , m_context(planContext(plan))
    , m_layers(m_context.stages[static_cast<std::size_t>(stage.stage)])
    , m_passes(stage.peak_passes)
{
    if (plan.workload.task != Task::Inference) m_chunks = chunkActivations(plan, m_context.tables, m_layers);
}

Sentence CountMeaning::of(const Term& term) const
{
    if (term.id == "communicators") return groups(m_plan);
    if (term.id == "attention_mask")
        return counted(term.count, Sentence::tr("1 micro-batch in flight"),
            Sentence::tr("{} micro-batches in flight", {term.count}));
    return term.segment == Segment::Activations ? activations(term) : Sentence();
}

Sentence CountMeaning::activations(const Term& term) const
{
    const Holders in_flight = holders(term, false);
    const Holders awaiting = holders(term, true);
    if (in_flight.differ || awaiting.differ) {
        return awaiting.passes == 0 ? Sentence::tr("all chunks in flight")
                                    : Sentence::tr("all chunks in flight or awaiting their weight half");
    }
    if (in_flight.passes * in_flight.per_pass + awaiting.passes * awaiting.per_pass != term.count) return {};
    std::vector<Sentence> passes;
    if (in_flight.passes > 0) {
        passes.push_back(m_chunks.size() == 1 ? counted(in_flight.passes, Sentence::tr("1 micro-batch in flight"),
                             Sentence::tr("{} micro-batches in flight", {in_flight.passes}))
                                              : counted(in_flight.passes, Sentence::tr("1 chunk pass in flight"),
                                                  Sentence::tr("{} chunk passes in flight", {in_flight.passes})));
    }
    if (awaiting.passes > 0) {
        passes.push_back(counted(awaiting.passes, Sentence::tr("1 pass awaiting its weight half"),
            Sentence::tr("{} passes awaiting their weight half", {awaiting.passes})));
    }
    const auto times = [](const Sentence& words, const Sentence& what) {
        return words.empty() ? what : Sentence::tr("{} x {}", {words, what});
    };
    if (passes.empty()) return {};
    if (passes.size() == 1) return times(in_flight.passes > 0 ? in_flight.words : awaiting.words, passes.front());
    if (in_flight.words != awaiting.words) {
        return Sentence::tr("{} + {}", {times(in_flight.words, passes[0]), times(awaiting.words, passes[1])});
    }
    const Sentence sum = Sentence::tr("{} + {}", {passes[0], passes[1]});
    return in_flight.words.empty() ? sum : Sentence::tr("{} x ({})", {in_flight.words, sum});
}

namespace {

Sentence layersOf(LayerKind kind, std::int64_t count)
{
    if (kind == kDenseLayer)
        return counted(count, Sentence::tr("1 dense layer"), Sentence::tr("{} dense layers", {count}));
    if (kind == kExpertLayer)
        return counted(count, Sentence::tr("1 expert layer"), Sentence::tr("{} expert layers", {count}));
    return Sentence::tr("layers of {}: {}", {Sentence(wordsOf(kind)), count});
}

} // namespace

CountMeaning::Holders CountMeaning::holders(const Term& term, bool for_weights) const
{
    Holders found;
    for (std::size_t i = 0; i < m_chunks.size(); ++i) {
        const auto& tensors = for_weights ? m_chunks[i].for_weights : m_chunks[i].saved;
        const auto tensor = std::ranges::find_if(
            tensors, [&](const NamedBytes& kept) { return kept.id == term.id && kept.formula == term.formula; });
        const std::int64_t passes = for_weights ? m_passes[i].awaiting_weights : m_passes[i].in_flight;
        if (tensor == tensors.end() || passes == 0) continue;
        if (found.per_pass != 0 && found.per_pass != tensor->count) found.differ = true;
        found.passes += passes;
        found.per_pass = tensor->count;
        found.words = perPass(i, *tensor, for_weights);
    }
    return found;
}

Sentence CountMeaning::perPass(std::size_t chunk, const NamedBytes& tensor, bool for_weights) const
{
    const auto occurrencesIn = [&](const std::vector<Operator>& operators) {
        return occurrences(operators, tensor, for_weights);
    };
    if (tensor.count == 1) return {};
    const LayerKinds kinds = layerKinds(m_plan.model.architecture, m_layers.chunks[chunk]);
    Sentence parts;
    bool several = false;
    std::int64_t sum = 0;
    const auto add = [&](std::int64_t times, std::int64_t each, Sentence what) {
        if (times == 0 || each == 0) return;
        sum += times * each;
        if (each > 1) what = Sentence::tr("{} x {}", {each, std::move(what)});
        several = !parts.empty();
        parts = several ? Sentence::tr("{} + {}", {std::move(parts), std::move(what)}) : std::move(what);
    };
    const auto inKind = [&](LayerKind kind) { return occurrencesIn(m_context.tables.layers.of(kind)); };
    std::int64_t most = 0;
    bool alike = true; // every layer of the chunk keeps it equally often
    for (const auto [kind, count] : kinds) {
        alike = alike && inKind(kind) == inKind((*kinds.begin()).kind);
        most = std::max(most, inKind(kind));
    }
    if (alike) {
        const std::int64_t all = kinds.total();
        add(all, most, counted(all, Sentence::tr("1 layer"), Sentence::tr("{} layers", {all})));
    } else {
        for (const auto [kind, count] : kinds)
            add(count, inKind(kind), layersOf(kind, count));
    }
    if (m_layers.chunks[chunk].embedding)
        add(1, occurrencesIn(m_context.tables.embedding) + occurrencesIn(m_context.tables.vision),
            Sentence::tr("1 embedding"));
    if (m_layers.chunks[chunk].head) {
        add(1, occurrencesIn(m_context.tables.head), Sentence::tr("1 head"));
        const std::int64_t depths = m_plan.model.architecture.mtp_layers;
        add(depths, occurrencesIn(m_context.tables.prediction),
            counted(depths, Sentence::tr("1 prediction depth"), Sentence::tr("{} prediction depths", {depths})));
    }
    // With recomputation fewer layers keep the tensor than there are.
    if (sum != tensor.count) return Sentence::verbatim(std::to_string(tensor.count));
    return several ? Sentence::tr("({})", {std::move(parts)}) : parts;
}

} // namespace cardfit
