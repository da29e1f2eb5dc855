// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/presets_json.h"

#include "core/files/json_reader.h"
#include "core/plan/choices.h"
#include "core/time/model_work.h"

namespace cardfit {

namespace {

Json modelJson(const Model& model)
{
    Plan plan;
    plan.model = model;
    const ParameterCount parameters = modelWork(plan).parameters;
    const Architecture& shape = model.architecture;
    return {{"id", model.id}, {"name", model.name}, {"parameters", parameters.total},
        {"active_parameters", parameters.active}, {"hidden_size", shape.hidden_size},
        {"num_hidden_layers", shape.num_hidden_layers}, {"vocab_size", shape.vocab_size},
        {"max_position_embeddings", shape.max_position_embeddings},
        {"num_experts", shape.moe ? Json(shape.moe->num_experts) : Json()}, {"source", model.source}};
}

Json acceleratorJson(const Accelerator& card)
{
    return {{"id", card.id}, {"name", card.name}, {"memory_mib", card.memory.value()},
        {"usable_mib", card.usable ? Json(card.usable->value()) : Json()},
        {"memory_bandwidth_gb_s", plainNumber(card.memory_bandwidth)}, {"bf16_tflops", plainNumber(card.tflops.bf16)},
        {"fp8_tflops", plainNumber(card.tflops.fp8)}, {"link_gb_s", plainNumber(card.link)},
        {"price_per_hour_usd", plainNumber(card.price_per_hour_usd)}, {"source", card.source}};
}

Json clusterJson(const Cluster& cluster)
{
    const auto rate = [](const std::optional<Link>& link) { return link ? plainNumber(link->bandwidth) : Json(); };
    return {{"id", cluster.id}, {"name", cluster.name}, {"accelerator", cluster.accelerator.id},
        {"nodes", cluster.nodes}, {"cards_per_node", cluster.cards_per_node},
        {"intra_node_gb_s", cluster.intra_node ? rate(cluster.intra_node) : plainNumber(cluster.accelerator.link)},
        {"inter_node_gb_s", rate(cluster.inter_node)}, {"host_memory_gb", plainNumber(cluster.host_memory_gb)},
        {"source", cluster.source}};
}

Json planRowJson(const PlanPreset& preset)
{
    const Plan& plan = preset.plan;
    return {{"id", preset.id}, {"name", plan.name}, {"model", plan.model.id}, {"cluster", plan.cluster.id},
        {"cards", cardCount(plan.cluster)}, {"task", name(plan.workload.task)},
        {"framework", name(plan.recipe.framework)}, {"sequence_length", plan.workload.sequence_length},
        {"global_batch_size", plan.workload.global_batch_size}};
}

template <class Preset> Json rowsOf(const std::vector<Preset>& presets, Json (*row)(const Preset&))
{
    Json rows = Json::array();
    for (const Preset& preset : presets)
        rows.push_back(row(preset));
    return rows;
}

} // namespace

std::string presetsJson(const Presets& presets, std::string_view kind)
{
    Json json = {{"format", "cardfit/presets"}, {"version", 1}};
    const auto wanted = [&](std::string_view one) { return kind.empty() || kind == one; };
    if (wanted("models")) json["models"] = rowsOf(presets.models, modelJson);
    if (wanted("accelerators")) json["accelerators"] = rowsOf(presets.accelerators, acceleratorJson);
    if (wanted("clusters")) json["clusters"] = rowsOf(presets.clusters, clusterJson);
    if (wanted("plans")) json["plans"] = rowsOf(presets.plans, planRowJson);
    return indentedJson(json);
}

} // namespace cardfit
