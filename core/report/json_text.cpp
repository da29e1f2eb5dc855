// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/json_text.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <memory>
#include <optional>
#include <utility>

#include "core/files/json_reader.h"
#include "core/files/json_stream.h"
#include "core/pipeline/analysis/critical_path.h"
#include "core/pipeline/analysis/idle.h"
#include "core/pipeline/analysis/residency.h"
#include "core/pipeline/simulation/simulator.h"
#include "core/plan/choices.h"
#include "core/report/goodput_json.h"
#include "core/report/reports.h"

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

// What an estimate is as JSON, written to a JsonStream or, for single fields, to a FieldPick.

template <class Out> void writeChecks(Out& out, const std::vector<Check>& checks)
{
    out.array("checks", [&] {
        for (const Check& check : checks) {
            out.object([&] {
                out.member("id", check.id);
                out.member("severity", word(check.severity));
                out.member("message", check.message.english());
                out.member("field", check.field.empty() ? std::nullopt : std::optional(check.field));
                out.member("valid", check.valid);
            });
        }
    });
}

template <class Out> void writeTerms(Out& out, const std::vector<Term>& terms)
{
    out.array("terms", [&] {
        for (const Term& term : terms) {
            out.object([&] {
                out.member("segment", kSegmentNames[static_cast<std::size_t>(term.segment)]);
                out.member("id", term.id);
                out.member("bytes", term.bytes.value());
                out.member("count", term.count);
                out.member("formula", term.formula);
                if (term.band.below != Bytes(0)) out.member("below_bytes", term.band.below.value());
                if (term.band.above != Bytes(0)) out.member("above_bytes", term.band.above.value());
            });
        }
    });
}

template <class Out> void writeStage(Out& out, const StageMemory& stage)
{
    const auto& chunks = stage.chunks;
    using Layers = std::pair<std::int64_t, std::int64_t>;
    out.member("stage", stage.stage);
    out.member("layers", chunks.empty() ? Layers{0, 0} : Layers{chunks.front().first, chunks.back().second});
    out.member("chunks", chunks);
    out.member("cards", stage.cards);
    out.plainMember("in_flight", stage.in_flight);
    out.member("in_flight_chunks", stage.peak_chunks);
    out.member("peak_seconds", stage.peak_time);
    out.member("peak_event", stage.peak_event);
    out.member("capacity_bytes", stage.capacity.value());
    out.object("bytes", [&] {
        for (std::size_t i = 0; i < kSegmentCount; ++i)
            out.member(kSegmentNames[i], stage.bytes[i].value());
    });
    out.member("allocated_bytes", stage.allocated().value());
    out.member("reserved_bytes", stage.reserved().value());
    out.member("device_bytes", stage.device().value());
    const Band band = stage.band();
    out.member(
        "device_range_bytes", std::pair((stage.device() - band.below).value(), (stage.device() + band.above).value()));
    out.member("first_step_allocated_bytes", stage.firstStepAllocated().value());
    writeTerms(out, stage.terms);
}

template <class Out> void writeHost(Out& out, const HostMemory& host)
{
    out.member("node", host.node);
    out.member("nodes", host.nodes);
    out.member("cards", host.cards);
    out.member("capacity_bytes", host.capacity ? std::optional(host.capacity->value()) : std::nullopt);
    out.object("bytes", [&] {
        for (std::size_t i = 0; i < kHostPartCount; ++i)
            out.member(hostPartName(static_cast<HostPart>(i)), host.bytes[i].value());
    });
    out.member("running_bytes", host.running().value());
    out.member("loading_bytes", host.loading().value());
    out.member("range_bytes", std::pair(host.running().value(), host.most().value()));
}

template <class Out> void writePipeline(Out& out, const Estimate& estimate)
{
    out.object("pipeline", [&] {
        out.member("schedule", name(estimate.schedule));
        out.member("micro_batches", estimate.pipeline.micro_batches);
        out.member("bubble_fraction", estimate.pipeline.bubble_fraction);
        out.member("bubble_over_ideal", estimate.pipeline.bubble_over_ideal);
    });
}

template <class Out> void writePlacement(Out& out, const Estimate& estimate)
{
    out.array("placement", [&] {
        for (const GroupPlacement& placed : estimate.placement) {
            out.object([&] {
                out.member("group", cardGroupName(placed.group));
                out.member("ranks", placed.ranks);
                out.member("in_node", placed.in_node);
                out.member("in_domain", placed.in_domain);
                out.member("level", networkLevelName(placed.level));
                out.member("price_seconds", placed.price ? std::optional(placed.price->value()) : std::nullopt);
            });
        }
    });
}

template <class Out> void writeRun(Out& out, const std::optional<RunCost>& run)
{
    if (!run) return out.member("run", nullptr);
    out.object("run", [&] {
        out.member("tokens", run->tokens);
        out.member("steps", run->steps);
        out.member("days", run->days);
        out.member("card_hours", run->card_hours);
        out.plainMember("cost_usd", run->cost_usd);
        out.plainMember("energy_kwh", run->energy_kwh);
    });
}

/// null if no similar plan has been measured.
template <class Out> void writeBand(Out& out, const StepEstimate& step)
{
    const ErrorBand& band = step.band;
    if (band.cases == 0) {
        out.member("band_seconds", nullptr);
        return out.member("band", nullptr);
    }
    const double seconds = step.seconds.value();
    out.member("band_seconds", std::pair(seconds * (1.0 + band.below), seconds * (1.0 + band.above)));
    out.object("band", [&] {
        out.member("below", band.below);
        out.member("above", band.above);
        out.member("cases", band.cases);
        out.member("of", band.of);
    });
}

template <class Out> void writeUtilization(Out& out, const std::vector<Utilization>& figures)
{
    const auto rate = [](const std::optional<Teraflops>& known) {
        return known ? std::optional(known->value()) : std::nullopt;
    };
    out.array("utilization", [&] {
        for (const Utilization& figure : figures) {
            out.object([&] {
                out.member("definition", describeWork(figure.definition).name);
                out.member("model_tflops_per_card", rate(figure.model_tflops_per_card));
                out.member("hardware_tflops_per_card", rate(figure.hardware_tflops_per_card));
                out.member("mfu", figure.mfu);
                out.member("hfu", figure.hfu);
                out.member("peak", figure.peak.format);
                out.member("peak_tflops", figure.peak.rate.value());
            });
        }
    });
}

template <class Out> void writeStep(Out& out, const StepEstimate& step)
{
    out.object("step", [&] {
        out.member("seconds", step.seconds.value());
        out.member("tokens_per_second", step.tokens_per_second);
        out.member("tokens_per_second_per_card", step.tokens_per_second_per_card);
        out.member("model_tflops_per_card", step.model_tflops_per_card.value());
        out.member("mfu", step.mfu);
        out.member("hfu", step.hfu);
        out.object("parts_seconds", [&] {
            using enum StepPart;
            for (const StepPart part : {Compute, Tensor, Pipeline, Bubble, Data, Expert, Context, Optimizer})
                out.member(stepPartName(part), step.parts[part].value());
        });
        out.member("tokens_per_day", tokensPerDay(step.tokens_per_second));
        writeUtilization(out, step.utilization);
        writeRun(out, step.run);
        writeBand(out, step);
    });
}

template <class Out> void writeCapacity(Out& out, const ServerCapacity& server)
{
    out.member("stage", server.stage);
    out.member("gpu_memory_utilization", server.utilization);
    out.member("budget_bytes", server.budget.value());
    out.member("weights_bytes", server.weights.value());
    out.member("activation_bytes", server.activations.value());
    out.member("non_torch_bytes", server.outside.value());
    out.member("cache_bytes", server.cache.value());
    out.member("missing_bytes", server.missing.value());
    out.member("sequence_bytes", server.per_sequence.value());
    out.member("cache_tokens", server.tokens());
    out.member("sequences", server.sequences);
    out.member("longest_context", server.bounded ? std::optional(server.longestContext()) : std::nullopt);
}

/// All null for a server that holds no request.
template <class Out> void writePace(Out& out, const std::optional<ServerPace>& pace)
{
    const auto known = [&](const auto& figure) { return pace ? std::optional(figure(*pace)) : std::nullopt; };
    out.plainMember("concurrency", known([](const ServerPace& of) { return of.concurrency; }));
    out.member("concurrency_range", pace ? pace->concurrency_range : std::nullopt);
    out.member("tpot_seconds", known([](const ServerPace& of) { return of.pace.tpot().value(); }));
    out.member("tpot_alone_seconds", known([](const ServerPace& of) { return of.tpot_alone.value(); }));
    if (!pace)
        out.member("ttft_seconds", nullptr);
    else
        out.member("ttft_seconds", std::pair(pace->pace.ttft_alone.value(), pace->pace.ttft_burst.value()));
    out.member("output_tokens_per_second", known([](const ServerPace& of) { return of.output_tokens_per_second; }));
    out.member("output_tokens_per_second_per_card",
        known([](const ServerPace& of) { return of.output_tokens_per_second_per_card; }));
    out.member("requests_per_second", pace ? pace->requests_per_second : std::nullopt);
    if (!pace) {
        out.member("parts_seconds", nullptr);
    } else {
        out.object("parts_seconds", [&] {
            for (const DecodePart& part : kDecodeParts)
                out.member(part.name, (pace->pace.parts.*part.time).value());
        });
    }
    out.member("users_within_limits", known([](const ServerPace& of) { return of.users.users; }));
    out.member("binds", known([](const ServerPace& of) { return wordOf(of.users.binds); }));
    out.member("usd_per_million_tokens", pace ? pace->usd_per_million_tokens : std::nullopt);
    out.member("joules_per_token", pace ? pace->joules_per_token : std::nullopt);
    out.member("error", pace ? std::optional(pace->error) : std::nullopt);
}

template <class Out> void writeServer(Out& out, const ServerAnswers& answers)
{
    out.object("server", [&] {
        writeCapacity(out, answers.capacity);
        writePace(out, answers.pace);
        out.member("sequence_length", answers.length);
        out.member("cards", answers.cards);
        out.member("max_num_seqs", answers.admitted > 0 ? std::optional(answers.admitted) : std::nullopt);
        if (!answers.larger) return out.member("larger", nullptr);
        out.object("larger", [&] {
            writeCapacity(out, answers.larger->capacity);
            out.member("tensor", answers.larger->tensor);
            out.member("cards", answers.larger->cards);
        });
    });
}

template <class Out> void writeEstimate(Out& out, const Estimate& estimate)
{
    out.member("format", "cardfit/estimate");
    out.member("version", 1);
    out.member("plan", estimate.plan);
    out.member("verdict", verdictName(verdict(estimate)));
    out.member("fits", estimate.complete() && estimate.fits());
    writeChecks(out, estimate.checks);
    out.member("assumed", estimate.assumed);
    out.object("parameters", [&] {
        out.member("total", estimate.parameters.total);
        out.member("active", estimate.parameters.active);
        out.member("trainable", estimate.parameters.trainable);
    });
    out.array("stages", [&] {
        if (!estimate.complete()) return;
        for (const StageMemory& stage : estimate.stages)
            out.object([&] { writeStage(out, stage); });
    });
    out.array("hosts", [&] {
        if (!estimate.complete()) return;
        for (const HostMemory& host : estimate.hosts)
            out.object([&] { writeHost(out, host); });
    });
    if (!estimate.complete()) {
        out.member("pipeline", nullptr);
        out.member("step", nullptr);
        return writePlacement(out, estimate);
    }
    writePipeline(out, estimate);
    writeStep(out, estimate.step);
    writePlacement(out, estimate);
    if (estimate.server) writeServer(out, *estimate.server);
}

/// Takes single values out of what is written to it, by their paths: "step.seconds", "stages.0.device_bytes".
class FieldPick {
public:
    explicit FieldPick(std::span<const std::string> wanted)
        : m_wanted(wanted)
        , m_found(wanted.size())
    {
    }

    template <class Type> void value(const Type& given)
    {
        at(std::to_string(m_item++), [&] { keep(given); });
    }
    template <class Type> void member(std::string_view key, const Type& given)
    {
        at(key, [&] { keep(given); });
    }
    void plainMember(std::string_view key, std::optional<double> number) { member(key, number); }
    template <class Inside> void object(Inside inside) { object(std::to_string(m_item++), inside); }
    template <class Inside> void object(std::string_view key, Inside inside)
    {
        at(key, [&] { nested(inside); });
    }
    template <class Inside> void array(std::string_view key, Inside inside)
    {
        at(key, [&] { nested(inside); });
    }

    /// As JSON, in the order of the paths; none for a path that was not written.
    [[nodiscard]] const std::vector<std::optional<std::string>>& found() const { return m_found; }

private:
    /// Does something at a place below the present one, if anything there is wanted.
    template <class Do> void at(std::string_view key, Do action)
    {
        const std::size_t before = m_path.size();
        if (before > 0) m_path += '.';
        m_path += key;
        if (std::ranges::any_of(m_wanted, [&](const std::string& path) { return path.starts_with(m_path); })) action();
        m_path.resize(before);
    }
    template <class Inside> void nested(Inside& inside)
    {
        const std::size_t item = std::exchange(m_item, 0);
        inside();
        m_item = item;
    }
    template <class Type> void keep(const Type& given)
    {
        for (std::size_t i = 0; i < m_wanted.size(); ++i) {
            if (m_wanted[i] != m_path) continue;
            JsonStream text(JsonStream::Style::Compact);
            text.value(given);
            m_found[i] = std::move(text).take();
        }
    }

    std::span<const std::string> m_wanted;
    std::vector<std::optional<std::string>> m_found;
    std::string m_path;
    std::size_t m_item = 0; ///< index of the next value in an array
};

/// Hands an estimate over to a sink.
class SinkStream : public JsonValues<SinkStream> {
public:
    using JsonValues::array;
    using JsonValues::object;
    using JsonValues::value;

    explicit SinkStream(JsonSink& sink)
        : m_sink(sink)
    {
    }

    void value(std::nullptr_t /*null*/) { m_sink.null(); }
    void value(bool flag) { m_sink.flag(flag); }
    template <std::integral Whole> void value(Whole number) { m_sink.whole(static_cast<std::int64_t>(number)); }
    void value(double number) { std::isfinite(number) ? m_sink.number(number) : m_sink.null(); }
    void value(std::string_view text) { m_sink.text(text); }
    void plain(double number)
    {
        if (isExactlyWhole(number))
            value(static_cast<std::int64_t>(number));
        else
            value(number);
    }
    void name(std::string_view key) { m_sink.key(key); }
    template <std::invocable Inside> void object(Inside inside)
    {
        m_sink.beginObject();
        inside();
        m_sink.end();
    }
    template <std::invocable Inside> void array(Inside inside)
    {
        m_sink.beginArray();
        inside();
        m_sink.end();
    }

private:
    JsonSink& m_sink;
};

/// "worst" is the stage with the least free memory.
FieldPick pickFrom(const Estimate& estimate, std::span<const std::string> fields)
{
    FieldPick pick(fields);
    writeEstimate(pick, estimate);
    if (estimate.complete()) pick.object("worst", [&] { writeStage(pick, estimate.stages[estimate.worstStage()]); });
    return pick;
}

/// An estimate in which every list has one item and everything that may be missing is there.
Estimate withEveryField()
{
    Estimate estimate;
    estimate.timeline = std::make_shared<const Timeline>();
    estimate.checks.emplace_back();
    estimate.stages.emplace_back().terms.emplace_back().band = {Bytes(1), Bytes(1)};
    estimate.placement.emplace_back();
    estimate.step.utilization.emplace_back();
    estimate.step.run.emplace();
    estimate.step.band.cases = 1;
    estimate.server.emplace().larger.emplace();
    estimate.server->pace.emplace().requests_per_second = 1.0;
    estimate.server->pace->concurrency_range.emplace();
    estimate.server->pace->usd_per_million_tokens = estimate.server->pace->joules_per_token = 1.0;
    return estimate;
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

} // namespace

std::string estimateJson(const Estimate& estimate, bool compact)
{
    JsonStream out(compact ? JsonStream::Style::Compact : JsonStream::Style::Indented);
    out.object([&] { writeEstimate(out, estimate); });
    return std::move(out).take();
}

void writeEstimate(JsonSink& sink, const Estimate& estimate)
{
    SinkStream out(sink);
    out.object([&] { writeEstimate(out, estimate); });
}

std::string estimateJson(const Plan& plan, const Estimate& estimate, const Reliability& known)
{
    if (!estimate.complete() || known == Reliability()) return estimateJson(estimate);
    JsonStream out(JsonStream::Style::Indented);
    const auto& run = estimate.step.run;
    out.object([&] {
        writeEstimate(out, estimate);
        out.embed("goodput", indentedJson(goodputJson(plan, run ? std::optional(run->days) : std::nullopt, known)));
    });
    return std::move(out).take();
}

std::string estimateFieldsJson(const Estimate& estimate, std::span<const std::string> fields)
{
    const FieldPick pick = pickFrom(estimate, fields);
    JsonStream out(JsonStream::Style::Compact);
    out.object([&] {
        for (std::size_t i = 0; i < fields.size(); ++i)
            out.embed(fields[i], pick.found()[i].value_or("null"));
    });
    return std::move(out).take();
}

bool isEstimateField(std::string_view field)
{
    // Every item of a list has the fields of the first.
    std::string path(field);
    for (std::size_t at = 0; at < path.size();) {
        const std::size_t end = std::min(path.find('.', at), path.size());
        const bool number = end > at && path.find_first_not_of("0123456789", at) >= end;
        if (number) path.replace(at, end - at, "0");
        at = (number ? at + 1 : end) + 1;
    }
    static const Estimate kAll = withEveryField();
    return pickFrom(kAll, {&path, 1}).found().front().has_value();
}

std::string checksJson(const std::vector<Check>& checks)
{
    JsonStream out(JsonStream::Style::Indented);
    out.object([&] { writeChecks(out, checks); });
    return std::move(out).take();
}

std::string checkJson(const Estimate& estimate, const std::optional<Fix>& fix)
{
    JsonStream out(JsonStream::Style::Indented);
    out.object([&] {
        out.member("format", "cardfit/check");
        out.member("version", 1);
        out.member("plan", estimate.plan);
        out.member("verdict", verdictName(verdict(estimate)));
        out.member("fits", estimate.fits() && !breaksRule(estimate.checks));
        if (estimate.complete()) {
            const StageMemory& worst = estimate.stages[estimate.worstStage()];
            out.object("worst", [&] {
                out.member("stage", worst.stage);
                out.member("device_bytes", worst.device().value());
                out.member("capacity_bytes", worst.capacity.value());
                out.member("free_bytes", worst.free().value());
            });
        } else {
            out.member("worst", nullptr);
        }
        writeChecks(out, estimate.checks);
        out.member("assumed", estimate.assumed);
        if (!fix || !fix->change) return out.member("fix", nullptr);
        out.object("fix", [&] {
            out.member("change", fix->change->words.english());
            out.array("edits", [&] {
                for (const Edit& edit : fix->edits) {
                    out.object([&] {
                        out.member("field", edit.field);
                        out.member("from", edit.from);
                        out.member("to", edit.to);
                    });
                }
            });
            out.member("patch", fix->patch);
        });
    });
    return std::move(out).take();
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
