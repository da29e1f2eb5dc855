// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/counts.h"

#include <algorithm>

#include <fmt/format.h>

namespace cardfit {

namespace {

/// "1 layer", "20 layers".
std::string counted(std::int64_t count, std::string_view one, std::string_view many)
{
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// How often the operators keep such a tensor, for the backward pass or for its weight half.
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

std::string groups(const Plan& plan)
{
    const auto& degrees = plan.parallelism;
    std::vector<std::string_view> names;
    const auto add = [&](bool exists, std::string_view name) {
        if (exists) names.push_back(name);
    };
    add(degrees.tensor > 1, "tensor");
    add(degrees.pipeline > 1, "pipeline");
    add(degrees.context > 1, "context");
    add(degrees.expert > 1, "expert");
    add(plan.workload.task != Task::Inference && dataParallel(plan) > 1, "data");
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

CountMeaning::CountMeaning(const Plan& plan, const StageMemory& stage)
    : m_plan(plan)
    , m_tables(operatorTables(plan))
    , m_layers(stageLayers(plan)[static_cast<std::size_t>(stage.stage)])
    , m_passes(stage.peak_passes)
{
    if (plan.workload.task != Task::Inference) m_chunks = chunkActivations(plan, m_tables, m_layers);
}

std::string CountMeaning::of(const Term& term) const
{
    if (term.id == "communicators") return groups(m_plan);
    if (term.id == "attention_mask") return counted(term.count, "micro-batch in flight", "micro-batches in flight");
    return term.segment == Segment::Activations ? activations(term) : std::string();
}

std::string CountMeaning::activations(const Term& term) const
{
    const Holders in_flight = holders(term, false);
    const Holders awaiting = holders(term, true);
    if (in_flight.differ || awaiting.differ) {
        return awaiting.passes == 0 ? "all chunks in flight" : "all chunks in flight or awaiting their weight half";
    }
    if (in_flight.passes * in_flight.per_pass + awaiting.passes * awaiting.per_pass != term.count) return {};
    std::vector<std::string> passes;
    if (in_flight.passes > 0) {
        passes.push_back(m_chunks.size() == 1
                ? counted(in_flight.passes, "micro-batch in flight", "micro-batches in flight")
                : counted(in_flight.passes, "chunk pass in flight", "chunk passes in flight"));
    }
    if (awaiting.passes > 0) {
        passes.push_back(
            counted(awaiting.passes, "pass awaiting its weight half", "passes awaiting their weight half"));
    }
    const auto times = [](const std::string& words, const std::string& what) {
        return words.empty() ? what : fmt::format("{} x {}", words, what);
    };
    if (passes.empty()) return {};
    if (passes.size() == 1) return times(in_flight.passes > 0 ? in_flight.words : awaiting.words, passes.front());
    if (in_flight.words != awaiting.words) {
        return fmt::format("{} + {}", times(in_flight.words, passes[0]), times(awaiting.words, passes[1]));
    }
    const std::string sum = fmt::format("{} + {}", passes[0], passes[1]);
    return in_flight.words.empty() ? sum : fmt::format("{} x ({})", in_flight.words, sum);
}

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

std::string CountMeaning::perPass(std::size_t chunk, const NamedBytes& tensor, bool for_weights) const
{
    const auto occurrencesIn = [&](const std::vector<Operator>& operators) {
        return occurrences(operators, tensor, for_weights);
    };
    if (tensor.count == 1) return {};
    const LayerKinds kinds = layerKinds(m_plan.model.architecture, m_layers.chunks[chunk]);
    const std::int64_t dense = kinds.dense > 0 ? occurrencesIn(m_tables.dense_layer) : 0;
    const std::int64_t experts = kinds.experts > 0 ? occurrencesIn(m_tables.expert_layer) : 0;

    std::vector<std::string> parts;
    std::int64_t sum = 0;
    const auto add = [&](std::int64_t times, std::int64_t each, std::string_view one, std::string_view many) {
        if (times == 0 || each == 0) return;
        sum += times * each;
        const std::string what = counted(times, one, many);
        parts.push_back(each == 1 ? what : fmt::format("{} x {}", each, what));
    };
    if (dense == experts || kinds.dense == 0 || kinds.experts == 0) {
        add(kinds.dense + kinds.experts, std::max(dense, experts), "layer", "layers");
    } else {
        add(kinds.dense, dense, "dense layer", "dense layers");
        add(kinds.experts, experts, "expert layer", "expert layers");
    }
    if (m_layers.chunks[chunk].embedding) add(1, occurrencesIn(m_tables.embedding), "embedding", "embeddings");
    if (m_layers.chunks[chunk].head) {
        add(1, occurrencesIn(m_tables.head), "head", "heads");
        add(m_plan.model.architecture.mtp_layers, occurrencesIn(m_tables.prediction), "prediction depth",
            "prediction depths");
    }
    // Recomputation keeps tensors of fewer layers than there are.
    if (sum != tensor.count) return std::to_string(tensor.count);
    return parts.size() == 1 ? parts.front() : fmt::format("({})", fmt::join(parts, " + "));
}

} // namespace cardfit
