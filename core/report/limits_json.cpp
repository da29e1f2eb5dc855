// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/json_reader.h"
#include "core/report/limits_text.h"

namespace cardfit {

namespace {

Json editJson(const Edit& edit) { return {{"field", edit.field}, {"from", edit.from}, {"to", edit.to}}; }

/// The fields of a plan that limits change.
Json degreesJson(const Plan& plan)
{
    const Architecture& shape = plan.model.architecture;
    const auto& degrees = plan.parallelism;
    return {{"hidden_size", shape.hidden_size}, {"num_hidden_layers", shape.num_hidden_layers},
        {"num_attention_heads", shape.num_attention_heads}, {"num_key_value_heads", shape.num_key_value_heads},
        {"intermediate_size", shape.intermediate_size}, {"sequence_length", plan.workload.sequence_length},
        {"micro_batch_size", plan.workload.micro_batch_size}, {"global_batch_size", plan.workload.global_batch_size},
        {"tensor", degrees.tensor}, {"pipeline", degrees.pipeline}, {"virtual_pipeline", degrees.virtual_pipeline},
        {"context", degrees.context}, {"data", dataParallel(plan)}, {"nodes", plan.cluster.nodes},
        {"cards_per_node", plan.cluster.cards_per_node}};
}

Json trialJson(const std::optional<Trial>& trial)
{
    if (!trial) return nullptr;
    Json json = {{"value", trial->value}, {"stage", trial->worst.stage},
        {"device_bytes", trial->worst.device().value()}, {"capacity_bytes", trial->worst.capacity.value()},
        {"free_bytes", trial->free().value()}, {"step_seconds", trial->step.value()},
        {"plan", degreesJson(trial->plan)}};
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
    return {{"message", proofText(limit, ByteUnit::GB).english()}, {"states_bytes", proof.states.value()},
        {"outside_bytes", proof.outside.value()}, {"held_back_bytes", proof.held_back.value()},
        {"states_alone", proof.states_alone}, {"remedies", suggestionsJson(proof.remedies)}};
}

Json limitJson(const Limit& limit)
{
    return {{"of", limitName(limit.quantity)}, {"now", limit.now}, {"fits", trialJson(limit.fits)},
        {"misses", trialJson(limit.misses)}, {"end", limit.end.empty() ? Json(nullptr) : Json(limit.end.english())},
        {"held", limit.held.english()}, {"impossible", proofJson(limit)}};
}

} // namespace

std::string adviceJson(const Advice& advice)
{
    const Estimate& estimate = advice.estimate;
    Json json = {{"format", "cardfit/advice"}, {"version", 1}, {"plan", estimate.plan},
        {"complete", estimate.complete()}, {"fits", estimate.complete() && estimate.fits()},
        {"verdict", verdictName(verdict(estimate))}, {"headline", verdictLine(estimate)}};
    Json limits = Json::array();
    for (const Limit& limit : advice.limits)
        limits.push_back(limitJson(limit));
    json["limits"] = std::move(limits);
    json["advice"] = suggestionsJson(advice.suggestions);
    return indentedJson(json);
}

} // namespace cardfit
