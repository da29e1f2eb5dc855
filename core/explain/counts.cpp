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

/// How often the operators keep such a tensor.
std::int64_t occurrences(const std::vector<Operator>& operators, const NamedBytes& tensor)
{
    std::int64_t count = 0;
    for (const Operator& step : operators) {
        count += std::ranges::count_if(step.saved,
            [&](const SavedTensor& saved) { return saved.id == tensor.id && saved.formula == tensor.formula; });
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
    std::int64_t per_pass = 0;
    std::string words;
    for (std::size_t i = 0; i < m_chunks.size(); ++i) {
        const auto tensor = std::ranges::find_if(m_chunks[i].saved,
            [&](const NamedBytes& saved) { return saved.id == term.id && saved.formula == term.formula; });
        if (tensor == m_chunks[i].saved.end()) continue;
        if (per_pass != 0 && per_pass != tensor->count) return "all chunks in flight";
        per_pass = tensor->count;
        words = perPass(i, *tensor);
    }
    if (per_pass == 0 || term.count % per_pass != 0) return {};
    const std::int64_t passes = term.count / per_pass;
    const std::string in_flight = m_chunks.size() == 1
        ? counted(passes, "micro-batch in flight", "micro-batches in flight")
        : counted(passes, "chunk pass in flight", "chunk passes in flight");
    return words.empty() ? in_flight : fmt::format("{} x {}", words, in_flight);
}

std::string CountMeaning::perPass(std::size_t chunk, const NamedBytes& tensor) const
{
    if (tensor.count == 1) return {};
    const LayerKinds kinds = layerKinds(m_plan.model.architecture, m_layers.chunks[chunk]);
    const std::int64_t dense = kinds.dense > 0 ? occurrences(m_tables.dense_layer, tensor) : 0;
    const std::int64_t experts = kinds.experts > 0 ? occurrences(m_tables.expert_layer, tensor) : 0;

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
    if (m_layers.chunks[chunk].embedding) add(1, occurrences(m_tables.embedding, tensor), "embedding", "embeddings");
    if (m_layers.chunks[chunk].head) {
        add(1, occurrences(m_tables.head, tensor), "head", "heads");
        add(m_plan.model.architecture.mtp_layers, occurrences(m_tables.prediction, tensor), "prediction depth",
            "prediction depths");
    }
    // Recomputation keeps tensors of fewer layers than there are.
    if (sum != tensor.count) return std::to_string(tensor.count);
    return parts.size() == 1 ? parts.front() : fmt::format("({})", fmt::join(parts, " + "));
}

} // namespace cardfit
