// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json/json_reader.h"
#include "core/io/report/limits_text.h"

namespace cardfit {

namespace {

Json editJson(const Edit& edit)
{
    Json json = Json::object();
    json["field"] = edit.field;
    json["from"] = edit.from;
    json["to"] = edit.to;
    return json;
}

/// The parts of a plan that limits change.
Json degreesJson(const Plan& plan)
{
    const Architecture& shape = plan.model.architecture;
    const auto& degrees = plan.parallelism;
    Json json = Json::object();
    json["hidden_size"] = shape.hidden_size;
    json["num_hidden_layers"] = shape.num_hidden_layers;
    json["num_attention_heads"] = shape.num_attention_heads;
    json["num_key_value_heads"] = shape.num_key_value_heads;
    json["intermediate_size"] = shape.intermediate_size;
    json["sequence_length"] = plan.workload.sequence_length;
    json["micro_batch_size"] = plan.workload.micro_batch_size;
    json["global_batch_size"] = plan.workload.global_batch_size;
    json["tensor"] = degrees.tensor;
    json["pipeline"] = degrees.pipeline;
    json["virtual_pipeline"] = degrees.virtual_pipeline;
    json["context"] = degrees.context;
    json["data"] = dataParallel(plan);
    json["nodes"] = plan.cluster.nodes;
    json["cards_per_node"] = plan.cluster.cards_per_node;
    return json;
}

Json trialJson(const std::optional<Trial>& trial)
{
    if (!trial) return nullptr;
    Json json = Json::object();
    json["value"] = trial->value;
    json["stage"] = trial->worst.stage;
    json["device_bytes"] = trial->worst.device().value();
    json["capacity_bytes"] = trial->worst.capacity.value();
    json["free_bytes"] = trial->free().value();
    json["step_seconds"] = trial->step.value();
    json["plan"] = degreesJson(trial->plan);
    Json warnings = Json::array();
    for (const Check& warning : trial->warnings)
        warnings.push_back({{"id", warning.id}, {"message", warning.message.english()}});
    json["warnings"] = std::move(warnings);
    return json;
}

Json suggestionJson(const Suggestion& suggestion)
{
    Json json = editJson(suggestion.change.edit);
    Json follows = Json::array();
    for (const Edit& edit : suggestion.change.follows)
        follows.push_back(editJson(edit));
    json["follows"] = std::move(follows);
    json["fits"] = suggestion.fits;
    json["freed_bytes"] = suggestion.freed.value();
    json["free_bytes"] = suggestion.trial.free().value();
    json["stage"] = suggestion.trial.worst.stage;
    json["step_ratio"] = suggestion.step_ratio;
    json["costs_uncounted_time"] = suggestion.costs_uncounted_time;
    return json;
}

Json suggestionsJson(const std::vector<Suggestion>& suggestions)
{
    Json array = Json::array();
    for (const Suggestion& one : suggestions)
        array.push_back(suggestionJson(one));
    return array;
}

Json proofJson(const Limit& limit)
{
    if (!limit.impossible) return nullptr;
    const Impossibility& proof = *limit.impossible;
    Json json = Json::object();
    json["message"] = proofText(limit, ByteUnit::GB).english();
    json["states_bytes"] = proof.states.value();
    json["outside_bytes"] = proof.outside.value();
    json["held_back_bytes"] = proof.held_back.value();
    json["states_alone"] = proof.states_alone;
    json["remedies"] = suggestionsJson(proof.remedies);
    return json;
}

Json limitJson(const Limit& limit)
{
    Json json = Json::object();
    json["of"] = limitName(limit.quantity);
    json["now"] = limit.now;
    json["fits"] = trialJson(limit.fits);
    json["misses"] = trialJson(limit.misses);
    json["end"] = limit.end.empty() ? Json(nullptr) : Json(limit.end.english());
    json["held"] = limit.held.english();
    json["impossible"] = proofJson(limit);
    return json;
}

} // namespace

std::string adviceJson(const Advice& advice)
{
    const Estimate& estimate = advice.estimate;
    Json json = Json::object();
    json["format"] = "cardfit/advice";
    json["version"] = 1;
    json["plan"] = estimate.plan;
    json["complete"] = estimate.complete;
    json["fits"] = estimate.complete && estimate.fits;
    json["verdict"] = verdictLine(estimate);
    Json limits = Json::array();
    for (const Limit& limit : advice.limits)
        limits.push_back(limitJson(limit));
    json["limits"] = std::move(limits);
    json["advice"] = suggestionsJson(advice.suggestions);
    return indentedJson(json);
}

} // namespace cardfit
