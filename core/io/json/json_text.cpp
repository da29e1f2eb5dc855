// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json/json_text.h"

#include "core/io/json/goodput_json.h"
#include "core/io/json/json_reader.h"
#include "core/io/json/utilization_json.h"
#include "core/pipeline/critical_path.h"
#include "core/pipeline/idle.h"
#include "core/pipeline/residency.h"
#include "core/pipeline/simulator.h"
#include "core/plan/names.h"

namespace cardfit {

namespace {

std::string_view word(Severity severity) { return severity == Severity::Error ? "error" : "warning"; }

std::string_view word(ErrorCode code)
{
    switch (code) {
    case ErrorCode::CannotRead: return "cannot-read";
    case ErrorCode::CannotWrite: return "cannot-write";
    case ErrorCode::NotJson: return "not-json";
    case ErrorCode::WrongFormat: return "wrong-format";
    case ErrorCode::MissingKey: return "missing-key";
    case ErrorCode::DuplicateKey: return "duplicate-key";
    case ErrorCode::WrongType: return "wrong-type";
    case ErrorCode::OutOfRange: return "out-of-range";
    case ErrorCode::UnknownName: return "unknown-name";
    case ErrorCode::Usage: return "usage";
    }
    return {};
}

Json checksArray(const std::vector<Check>& checks)
{
    Json array = Json::array();
    for (const Check& check : checks) {
        array.push_back({{"id", check.id}, {"severity", word(check.severity)}, {"message", check.message.english()},
            {"field", check.field.empty() ? Json(nullptr) : Json(check.field)}, {"valid", check.valid}});
    }
    return array;
}

Json termsJson(const std::vector<Term>& terms)
{
    Json array = Json::array();
    for (const Term& term : terms) {
        Json json = {{"segment", kSegmentNames[static_cast<std::size_t>(term.segment)]}, {"id", term.id},
            {"bytes", term.bytes.value()}, {"count", term.count}, {"formula", term.formula}};
        if (term.band.below != Bytes(0)) json["below_bytes"] = term.band.below.value();
        if (term.band.above != Bytes(0)) json["above_bytes"] = term.band.above.value();
        array.push_back(std::move(json));
    }
    return array;
}

Json stageJson(const StageMemory& stage)
{
    Json json = {{"stage", stage.stage}, {"layers", Json::array({0, 0})}};
    if (!stage.chunks.empty()) json["layers"] = {stage.chunks.front().first, stage.chunks.back().second};
    json["chunks"] = stage.chunks;
    json["cards"] = stage.cards;
    json["in_flight"] = plainNumber(stage.in_flight);
    json["in_flight_chunks"] = stage.peak_chunks;
    json["peak_seconds"] = stage.peak_time;
    json["peak_event"] = stage.peak_event;
    json["capacity_bytes"] = stage.capacity.value();
    Json bytes = Json::object();
    for (std::size_t i = 0; i < kSegmentCount; ++i)
        bytes[std::string(kSegmentNames[i])] = stage.bytes[i].value();
    json["bytes"] = std::move(bytes);
    json["allocated_bytes"] = stage.allocated().value();
    json["reserved_bytes"] = stage.reserved().value();
    json["device_bytes"] = stage.device().value();
    const Band band = stage.band();
    json["device_range_bytes"] = {(stage.device() - band.below).value(), (stage.device() + band.above).value()};
    json["first_step_allocated_bytes"] = stage.firstStepAllocated().value();
    json["terms"] = termsJson(stage.terms);
    return json;
}

Json pipelineJson(const Estimate& estimate)
{
    return {{"schedule", name(estimate.schedule)}, {"micro_batches", estimate.pipeline.micro_batches},
        {"bubble_fraction", estimate.pipeline.bubble_fraction},
        {"bubble_over_ideal", estimate.pipeline.bubble_over_ideal}};
}

Json placementJson(const Estimate& estimate)
{
    Json json = Json::array();
    for (const GroupPlacement& placed : estimate.placement) {
        json.push_back({{"group", cardGroupName(placed.group)}, {"ranks", placed.ranks}, {"in_node", placed.in_node},
            {"in_domain", placed.in_domain}, {"level", networkLevelName(placed.level)},
            {"price_seconds", placed.price ? Json(placed.price->value()) : Json(nullptr)}});
    }
    return json;
}

Json runJson(const std::optional<RunCost>& run)
{
    if (!run) return nullptr;
    return {{"tokens", run->tokens}, {"steps", run->steps}, {"days", run->days}, {"card_hours", run->card_hours},
        {"cost_usd", plainNumber(run->cost_usd)}, {"energy_kwh", plainNumber(run->energy_kwh)}};
}

/// null if no similar plan has been measured.
Json bandJson(const ErrorBand& band)
{
    if (band.cases == 0) return nullptr;
    return {{"below", band.below}, {"above", band.above}, {"cases", band.cases}, {"of", band.of}};
}

Json stepJson(const StepEstimate& step)
{
    Json parts = {{"compute", step.parts.compute.value()}, {"tensor", step.parts.tensor.value()},
        {"pipeline", step.parts.pipeline.value()}, {"bubble", step.parts.bubble.value()},
        {"data", step.parts.data.value()}, {"expert", step.parts.expert.value()},
        {"context", step.parts.context.value()}, {"optimizer", step.parts.optimizer.value()}};

    return {{"seconds", step.seconds.value()}, {"tokens_per_second", step.tokens_per_second},
        {"tokens_per_second_per_card", step.tokens_per_second_per_card},
        {"model_tflops_per_card", step.model_tflops_per_card.value()}, {"mfu", step.mfu}, {"hfu", step.hfu},
        {"parts_seconds", std::move(parts)}, {"tokens_per_day", tokensPerDay(step.tokens_per_second)},
        {"utilization", utilizationJson(step.utilization)}, {"run", runJson(step.run)}, {"band", bandJson(step.band)}};
}

Json capacityJson(const ServerCapacity& server)
{
    return {{"stage", server.stage}, {"gpu_memory_utilization", server.utilization},
        {"budget_bytes", server.budget.value()}, {"weights_bytes", server.weights.value()},
        {"activation_bytes", server.activations.value()}, {"non_torch_bytes", server.outside.value()},
        {"cache_bytes", server.cache.value()}, {"missing_bytes", server.missing.value()},
        {"sequence_bytes", server.per_sequence.value()}, {"cache_tokens", server.tokens()},
        {"sequences", server.sequences}, {"longest_context", server.bounded ? Json(server.longestContext()) : Json()}};
}

Json serverJson(const ServerAnswers& answers)
{
    Json json = capacityJson(answers.capacity);
    json["sequence_length"] = answers.length;
    json["cards"] = answers.cards;
    json["max_num_seqs"] = answers.admitted > 0 ? Json(answers.admitted) : Json();
    json["larger"] = nullptr;
    if (answers.larger) {
        json["larger"] = capacityJson(answers.larger->capacity);
        json["larger"]["tensor"] = answers.larger->tensor;
        json["larger"]["cards"] = answers.larger->cards;
    }
    return json;
}

/// "receiver" is left out if transfers do not block: a rank then never waits for its sends, so it is 0.
Json idleJson(const IdleTimes& idle, TransferModel model)
{
    Json json = Json::object();
    for (const IdleCause cause : kIdleCauses) {
        if (cause == IdleCause::Receiver && model == TransferModel::Latency) continue;
        json[idleCauseName(cause)] = idle[cause];
    }
    return json;
}

Json operationJson(const TimedOperation& timed)
{
    Json json = {{"kind", operationLetters(timed.operation.kind)}, {"microbatch", timed.operation.microbatch},
        {"chunk", timed.operation.chunk}};
    if (timed.operation.kind == OperationKind::Overlapped) {
        json["backward_microbatch"] = timed.operation.backward_microbatch;
        json["backward_chunk"] = timed.operation.backward_chunk;
    }
    json["start"] = timed.start;
    json["end"] = timed.end;
    return json;
}

Json estimateObject(const Estimate& estimate)
{
    Json json = {{"format", "cardfit/estimate"}, {"version", 1}, {"plan", estimate.plan},
        {"fits", estimate.complete() && estimate.fits()}, {"checks", checksArray(estimate.checks)}};
    const auto [total, active, trainable] = estimate.parameters;
    json["parameters"] = {{"total", total}, {"active", active}, {"trainable", trainable}};
    json["stages"] = Json::array();
    json["pipeline"] = nullptr;
    json["step"] = nullptr;
    json["placement"] = placementJson(estimate);
    if (estimate.complete()) {
        for (const StageMemory& stage : estimate.stages)
            json["stages"].push_back(stageJson(stage));
        json["pipeline"] = pipelineJson(estimate);
        json["step"] = stepJson(estimate.step);
        if (estimate.server) json["server"] = serverJson(*estimate.server);
    }
    return json;
}

} // namespace

std::string estimateJson(const Estimate& estimate, bool compact)
{
    const Json json = estimateObject(estimate);
    return compact ? compactJson(json) : indentedJson(json);
}

std::string estimateJson(const Plan& plan, const Estimate& estimate, const Reliability& known)
{
    Json json = estimateObject(estimate);
    const auto& run = estimate.step.run;
    if (estimate.complete() && known != Reliability())
        json["goodput"] = goodputJson(plan, run ? std::optional(run->days) : std::nullopt, known);
    return indentedJson(json);
}

std::string checksJson(const std::vector<Check>& checks)
{
    Json json = Json::object();
    json["checks"] = checksArray(checks);
    return indentedJson(json);
}

std::string errorJson(const Error& error)
{
    Json inner = {{"code", word(error.code)}, {"file", error.file}, {"where", error.where.english()},
        {"message", error.message.english()}};
    Json json = Json::object();
    json["error"] = std::move(inner);
    return compactJson(json);
}

std::string scheduleJson(const ScheduleRequest& request, const Timeline& timeline)
{
    return scheduleJson(headingOf(request), timeline);
}

ScheduleHeading headingOf(const ScheduleRequest& request)
{
    return {name(request.schedule), request.stages, request.microbatches, request.chunks, refusingFrameworks(request)};
}

std::string scheduleJson(const ScheduleHeading& heading, const Timeline& timeline)
{
    const BubbleFractions bubble = bubbleFractions(timeline);
    const std::vector<IdleTimes> idle = idleTimes(timeline);
    const CriticalPath path = criticalPath(Dependencies(timeline)).value_or(CriticalPath());
    Json json = {{"schedule", heading.schedule}, {"stages", heading.stages}, {"microbatches", heading.microbatches},
        {"chunks", heading.chunks}, {"makespan", timeline.makespan}, {"rank_span", rankSpan(timeline)},
        {"bubble_fraction", bubble.of_total}, {"bubble_over_ideal", bubble.over_ideal}, {"refused_by", Json::array()},
        {"ranks", Json::array()}};
    for (const FrameworkRefusal& refused : heading.refused_by)
        json["refused_by"].push_back({{"framework", name(refused.framework)}, {"reason", refused.reason.english()}});
    for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
        const auto& operations = timeline.ranks[rank];
        const double busy = busyTime(timeline, rank);
        Json rank_json = Json::object();
        rank_json["rank"] = rank;
        rank_json["peak_in_flight"] =
            plainNumber(static_cast<double>(peakInFlight(operations)) / static_cast<double>(heading.chunks));
        rank_json["busy"] = busy;
        rank_json["idle"] = timeline.makespan - busy;
        rank_json["idle_by_cause"] = idleJson(idle[rank], timeline.transfers.model);
        rank_json["operations"] = Json::array();
        for (std::size_t i = 0; i < operations.size(); ++i) {
            Json operation = operationJson(operations[i]);
            if (path.contains({rank, i})) operation["critical"] = true;
            rank_json["operations"].push_back(std::move(operation));
        }
        json["ranks"].push_back(std::move(rank_json));
    }
    return indentedJson(json);
}

std::string articlesJson(const std::vector<ArticleRow>& rows)
{
    Json json = Json::array();
    for (const ArticleRow& row : rows) {
        json.push_back({{"id", row.id}, {"article", row.article}, {"statement", row.statement}, {"theirs", row.theirs},
            {"ours", row.ours}, {"verdict", verdictName(row.verdict)}, {"remark", row.remark},
            {"value", row.value ? Json(*row.value) : Json()},
            {"article_value", row.article_value ? Json(*row.article_value) : Json()}, {"unit", row.unit}});
    }
    return indentedJson(json);
}

} // namespace cardfit
