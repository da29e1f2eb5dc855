// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/traces/trace_json.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "core/files/file.h"
#include "core/files/json_reader.h"
#include "core/pipeline/analysis/critical_path.h"
#include "core/pipeline/analysis/dependencies.h"
#include "core/pipeline/orders/schedules.h"
#include "core/plan/choices.h"

namespace cardfit {

namespace {

constexpr std::size_t kComputeThread = 0;
/// Transfers that run at the same time have threads of their own, from this one on.
constexpr std::size_t kFirstTransferThread = 1;
constexpr double kNanosecondsPerSecond = 1e9;
/// Half of what a signed 64-bit number holds.
constexpr double kMostNanoseconds = 4.6e18;

/// Perfetto colours slices by name, so a name is the kind and nothing else.
std::string_view sliceName(OperationKind kind)
{
    return kind == OperationKind::Overlapped ? std::string_view("F&B") : operationLetters(kind);
}

std::string_view category(OperationKind kind)
{
    switch (kind) {
    case OperationKind::Forward: return "fwd";
    case OperationKind::Backward: return "bwd";
    case OperationKind::BackwardInput: return "igrad";
    case OperationKind::BackwardWeight: return "wgrad";
    case OperationKind::Overlapped: return "overlap";
    case OperationKind::Update: return "opt";
    }
    return {};
}

/// A slice's place on the time axis, in whole nanoseconds.
struct Span {
    std::int64_t start = 0;
    std::int64_t end = 0;

    /// Instants that surely belong to the slice and to no neighbour, however a reader rounds.
    [[nodiscard]] std::int64_t justAfterStart() const { return std::min(start + 1, justBeforeEnd()); }
    [[nodiscard]] std::int64_t justBeforeEnd() const { return std::max(start, end - 1); }
};

/// A slice as it is written. Readers add start and length as binary fractions of a microsecond, each in its own way, or
/// rounded down to nanoseconds (Perfetto, CoerceToTs()). A sum that comes out after the start of the next slice is an
/// overlap to them, for which Perfetto drops that slice. So a slice ends a nanosecond early unless its ends are whole
/// eighths of a microsecond, which are such fractions.
Span asWritten(Span slice)
{
    constexpr std::int64_t kExact = 125;
    const bool is_exact = slice.start % kExact == 0 && slice.end % kExact == 0;
    if (!is_exact && slice.start < slice.end) --slice.end;
    return slice;
}

/// Where a chunk of a rank stands in its pipe, and which ranks its neighbours are on.
struct Neighbours {
    std::size_t stage = 0;
    std::int64_t number = 0; ///< of all stages of all pipes
    std::size_t before = 0; ///< rank of the stage before; the own one if there is none
    std::size_t after = 0;
};

std::int64_t forwardPasses(const Timeline& timeline)
{
    std::int64_t count = 0;
    for (const RankTimeline& rank : timeline.ranks) {
        rank.visitStored([&](const TimedOperation& timed, std::int64_t times) {
            if (runsForward(timed.operation.kind)) count += times;
        });
    }
    return count;
}

/// One more than the highest micro-batch.
std::int64_t microbatches(const Timeline& timeline)
{
    std::int64_t count = 0;
    for (const RankTimeline& rank : timeline.ranks) {
        for (const RankTimeline::Segment& segment : rank.segments()) {
            const auto more = static_cast<std::int64_t>(segment.repeats - 1) * segment.step;
            for (const TimedOperation& timed : rank.operations(segment)) {
                const Operation& one = timed.operation;
                count = std::max<std::int64_t>(count, 1 + std::max(one.microbatch, one.backward_microbatch) + more);
            }
        }
    }
    return count;
}

/// The list of events, handed on in parts of some size.
class EventList {
public:
    explicit EventList(const TextSink& sink)
        : m_sink(sink)
    {
    }

    template <class... Values> void add(fmt::format_string<const Values&...> format, const Values&... values)
    {
        fmt::format_to(std::back_inserter(m_buffer), format, values...);
    }
    /// Starts the next event.
    void open(char phase, std::size_t rank)
    {
        constexpr std::size_t kPart = 1U << 16;
        if (m_buffer.size() > kPart) flush();
        add("{}\n{{\"ph\":\"{}\",\"pid\":{}", m_any ? "," : "", phase, rank);
        m_any = true;
    }
    /// Microseconds with three digits, without a detour over binary fractions.
    void time(std::string_view key, std::int64_t nanoseconds)
    {
        add(",\"{}\":{}.{:03}", key, nanoseconds / 1000, nanoseconds % 1000);
    }
    void flush()
    {
        m_sink({m_buffer.data(), m_buffer.size()});
        m_buffer.clear();
    }

private:
    const TextSink& m_sink;
    fmt::memory_buffer m_buffer;
    bool m_any = false;
};

/// What a rank holds, as counters; changes of one instant make one event.
class Counters {
public:
    Counters(EventList& events, std::size_t rank, const RankHolding* holding)
        : m_events(events)
        , m_rank(rank)
        , m_holding(holding)
    {
    }

    void count(const Operation& operation, const Span& span)
    {
        HoldingChange change;
        if (m_holding != nullptr) change = holdingChange(operation, m_holding->chunks);
        at(span.start, change.at_start, runsForward(operation.kind) ? 1 : 0);
        at(span.end, change.at_end, makesInputGradient(operation.kind) ? -1 : 0);
    }

    void write()
    {
        if (m_holding != nullptr && m_held_changed) {
            m_events.open('C', m_rank);
            m_events.add(",\"name\":\"memory (bytes)\"");
            m_events.time("ts", m_instant);
            m_events.add(
                ",\"args\":{{\"static\":{},\"activations\":{}}}}}", m_holding->constant.value(), m_held.value());
        }
        if (m_passes_changed) {
            m_events.open('C', m_rank);
            m_events.add(",\"name\":\"in flight\"");
            m_events.time("ts", m_instant);
            m_events.add(",\"args\":{{\"forward passes\":{}}}}}", m_passes);
        }
        m_held_changed = m_passes_changed = false;
    }

private:
    void at(std::int64_t instant, Bytes held, int passes)
    {
        if (held == Bytes(0) && passes == 0) return;
        if (instant != m_instant) write();
        m_instant = instant;
        m_held += held;
        m_passes += passes;
        m_held_changed |= held != Bytes(0);
        m_passes_changed |= passes != 0;
    }

    EventList& m_events;
    std::size_t m_rank;
    const RankHolding* m_holding; ///< none: only passes are counted
    std::int64_t m_instant = 0;
    Bytes m_held;
    std::int64_t m_passes = 0;
    bool m_held_changed = true; ///< a counter begins with what is held before the first operation
    bool m_passes_changed = true;
};

class TraceWriter {
public:
    TraceWriter(const Trace& trace, const TextSink& sink)
        : m_trace(trace)
        , m_timeline(trace.timeline)
        , m_dependencies(m_timeline)
        , m_path(criticalPath(m_dependencies))
        , m_slack(slack(m_dependencies))
        , m_events(sink)
        , m_chunks(m_dependencies.chunks())
        , m_microbatches(microbatches(m_timeline))
        , m_stages(m_timeline.ranks.size() * m_chunks)
    {
        std::int64_t number = 0;
        for (const Pipe& pipe : pipes(m_timeline.placement, m_timeline.ranks.size(), m_chunks)) {
            for (std::size_t i = 0; i < pipe.size(); ++i) {
                const std::size_t own = pipe[i].rank;
                const std::size_t before = i > 0 ? pipe[i - 1].rank : own;
                const std::size_t after = i + 1 < pipe.size() ? pipe[i + 1].rank : own;
                m_stages[own * m_chunks + pipe[i].chunk] = {i, number++, before, after};
            }
        }
    }

    void write()
    {
        m_events.add("{{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
        for (std::size_t rank = 0; rank < m_timeline.ranks.size(); ++rank)
            writeRank(rank);
        m_events.add("\n],\"otherData\":{}}}\n", otherData());
        m_events.flush();
    }

private:
    [[nodiscard]] const Neighbours& stageOf(std::size_t rank, const Pass& pass) const
    {
        return m_stages[rank * m_chunks + pass.chunk];
    }
    [[nodiscard]] std::int64_t nanoseconds(double time) const
    {
        return std::llround(time * m_trace.seconds_per_unit * kNanosecondsPerSecond);
    }
    /// A unique number for each value that a stage sends, which the receiver can compute without a search.
    [[nodiscard]] std::int64_t flow(std::int64_t stage, const Pass& pass, bool gradient) const
    {
        return 2 * (stage * m_microbatches + pass.microbatch) + (gradient ? 1 : 0);
    }

    [[nodiscard]] std::string otherData() const
    {
        Json data = Json::object();
        data["program"] = "Cardfit";
        data["version"] = m_trace.version;
        if (!m_trace.plan.empty()) data["plan"] = m_trace.plan;
        data["schedule"] = m_trace.schedule;
        data["transfer_model"] = name(m_timeline.transfers.model);
        if (!m_path) data["critical"] = "not known: " + m_path.error().message.english();
        if (!m_slack) data["slack_us"] = "not known: " + m_slack.error().message.english();
        return compactJson(data);
    }

    /// "rank 3 (stages 3, 7)"; the second stage of a bidirectional pipeline counts from the other end.
    [[nodiscard]] std::string rankName(std::size_t rank) const
    {
        std::string stages;
        for (std::size_t chunk = 0; chunk < m_chunks; ++chunk) {
            const bool reverse = m_timeline.placement == Placement::Bidirectional && chunk == 1;
            stages += fmt::format("{}{}{}", chunk > 0 ? ", " : "", reverse ? "reverse " : "",
                stageOf(rank, {static_cast<std::uint8_t>(chunk), 0}).stage);
        }
        return fmt::format("rank {} (stage{} {})", rank, m_chunks > 1 ? "s" : "", stages);
    }

    void writeRank(std::size_t rank)
    {
        m_events.open('M', rank);
        m_events.add(",\"name\":\"process_name\",\"args\":{{\"name\":\"{}\"}}}}", rankName(rank));
        m_events.open('M', rank);
        m_events.add(",\"name\":\"process_sort_index\",\"args\":{{\"sort_index\":{}}}}}", rank);
        nameThread(rank, kComputeThread, "compute");
        m_lanes.clear();
        Counters counters(m_events, rank, m_trace.memory.empty() ? nullptr : &m_trace.memory[rank]);
        const RankTimeline& operations = m_timeline.ranks[rank];
        std::size_t index = 0;
        operations.visitAll([&](const TimedOperation& timed) {
            writeOperation({rank, index++}, timed);
            counters.count(timed.operation, {nanoseconds(timed.start), nanoseconds(timed.end)});
        });
        counters.write();
    }

    void nameThread(std::size_t rank, std::size_t thread, std::string_view words)
    {
        m_events.open('M', rank);
        m_events.add(",\"tid\":{},\"name\":\"thread_name\",\"args\":{{\"name\":\"{}\"}}}}", thread, words);
        m_events.open('M', rank);
        m_events.add(",\"tid\":{},\"name\":\"thread_sort_index\",\"args\":{{\"sort_index\":{}}}}}", thread, thread);
    }

    void writeOperation(const OperationId& id, const TimedOperation& timed)
    {
        const std::size_t rank = id.rank;
        const Operation& operation = timed.operation;
        const Span span = asWritten({nanoseconds(timed.start), nanoseconds(timed.end)});
        const Pass forward = operation.forwardPass();
        const Pass backward = operation.backwardPass();
        const Neighbours& ahead = stageOf(rank, forward);
        const Neighbours& back = stageOf(rank, backward);

        m_events.open('X', rank);
        m_events.add(",\"tid\":{},\"name\":\"{}\",\"cat\":\"{}\"", kComputeThread, sliceName(operation.kind),
            category(operation.kind));
        m_events.time("ts", span.start);
        m_events.time("dur", span.end - span.start);
        m_events.add(",\"args\":{{\"mb\":{},\"chunk\":{},\"stage\":{}", forward.microbatch, forward.chunk, ahead.stage);
        if (operation.kind == OperationKind::Overlapped) {
            m_events.add(",\"backward_mb\":{},\"backward_chunk\":{},\"backward_stage\":{}", backward.microbatch,
                backward.chunk, back.stage);
        }
        if (m_path && m_path->contains(id)) m_events.add(",\"critical\":true");
        if (m_slack) m_events.time("slack_us", nanoseconds((*m_slack)[rank][id.index]));
        m_events.add("}}}}");

        if (runsForward(operation.kind)) {
            const auto number = [&](std::int64_t stage) { return flow(stage, forward, false); };
            if (ahead.before != rank) arrive(rank, "act", number(ahead.number - 1), span);
            if (ahead.after != rank) send(rank, ahead.after, "act", number(ahead.number), timed.end, span, forward);
        }
        if (makesInputGradient(operation.kind)) {
            const auto number = [&](std::int64_t stage) { return flow(stage, backward, true); };
            if (back.after != rank) arrive(rank, "grad", number(back.number + 1), span);
            if (back.before != rank) send(rank, back.before, "grad", number(back.number), timed.end, span, backward);
        }
    }

    /// Ends an arrow at the slice that takes the value.
    void arrive(std::size_t rank, std::string_view what, std::int64_t id, const Span& span)
    {
        openArrow('f', rank, what, id);
        m_events.add(",\"bp\":\"e\"");
        m_events.time("ts", span.justAfterStart());
        m_events.add("}}");
    }

    /// Starts an arrow at the slice that has made the value, and draws its way.
    void send(std::size_t rank, std::size_t to, std::string_view what, std::int64_t id, double departure,
        const Span& span, const Pass& pass)
    {
        openArrow('s', rank, what, id);
        m_events.time("ts", span.justBeforeEnd());
        m_events.add("}}");

        const Transfers& transfers = m_timeline.transfers;
        if (transfers.model != TransferModel::Latency || transfers.time <= 0.0) return;
        const Span travel{nanoseconds(departure), nanoseconds(departure + transfers.time)};
        const std::size_t thread = threadFor(rank, travel);
        const Span slice = asWritten(travel);
        m_events.open('X', rank);
        m_events.add(",\"tid\":{},\"name\":\"{}\",\"cat\":\"p2p\"", thread, what);
        m_events.time("ts", slice.start);
        m_events.time("dur", slice.end - slice.start);
        m_events.add(",\"args\":{{\"mb\":{},\"chunk\":{},\"stage\":{},\"to_rank\":{}}}}}", pass.microbatch, pass.chunk,
            stageOf(rank, pass).stage, to);
    }

    void openArrow(char phase, std::size_t rank, std::string_view what, std::int64_t id)
    {
        m_events.open(phase, rank);
        m_events.add(",\"tid\":{},\"name\":\"{}\",\"cat\":\"p2p\",\"id\":{}", kComputeThread, what, id);
    }

    /// A thread that is free when the transfer begins.
    std::size_t threadFor(std::size_t rank, const Span& travel)
    {
        const auto found = std::ranges::find_if(m_lanes, [&](std::int64_t free) { return free <= travel.start; });
        const std::size_t thread = kFirstTransferThread + static_cast<std::size_t>(found - m_lanes.begin());
        if (found != m_lanes.end()) {
            *found = travel.end;
        } else {
            m_lanes.push_back(travel.end);
            nameThread(rank, thread, "sending");
        }
        return thread;
    }

    const Trace& m_trace;
    const Timeline& m_timeline;
    Dependencies m_dependencies;
    Result<CriticalPath> m_path;
    Result<std::vector<std::vector<double>>> m_slack; ///< by rank and operation
    EventList m_events;
    std::size_t m_chunks; ///< per rank
    std::int64_t m_microbatches;
    std::vector<Neighbours> m_stages; ///< rank x chunks + chunk
    std::vector<std::int64_t> m_lanes; ///< of the rank's transfer threads: when each is free again
};

/// Why there can be no file.
Result<void> check(const Trace& trace)
{
    if (const std::int64_t passes = forwardPasses(trace.timeline); passes > kMostForwardPasses) {
        return fail(ErrorCode::OutOfRange, {},
            Sentence::tr("a trace lists every operation and takes up to {} forward passes; these are {}",
                {kMostForwardPasses, passes}));
    }
    const double last = trace.timeline.makespan + trace.timeline.transfers.time;
    if (!(last * trace.seconds_per_unit * kNanosecondsPerSecond <= kMostNanoseconds)) {
        return fail(ErrorCode::OutOfRange, {},
            Sentence::tr("a trace counts nanoseconds and ends after 146 years; this one would last {} seconds",
                {fmt::format("{}", last * trace.seconds_per_unit)}));
    }
    return {};
}

} // namespace

Trace traceOf(const Estimate& estimate, std::string_view version)
{
    Trace trace{*estimate.timeline, estimate.plan, std::string(name(estimate.schedule)), std::string(version), 1.0, {}};
    for (const StageMemory& stage : estimate.stages) {
        RankHolding& rank = trace.memory.emplace_back();
        for (const Segment segment : {Segment::Weights, Segment::Gradients, Segment::Optimizer, Segment::Communication,
                 Segment::DeviceContext}) {
            rank.constant += stage[segment];
        }
        rank.chunks = stage.chunkHoldings();
    }
    return trace;
}

Result<std::string> traceJson(const Trace& trace)
{
    if (auto checked = check(trace); !checked) return tl::unexpected(std::move(checked.error()));
    std::string text;
    TraceWriter(trace, [&text](std::string_view part) { text += part; }).write();
    return text;
}

Result<void> writeTrace(const std::filesystem::path& file, const Trace& trace)
{
    if (auto checked = check(trace); !checked) {
        checked.error().file = file.string();
        return checked;
    }
    return writeFileInParts(file, [&trace](const TextSink& sink) { TraceWriter(trace, sink).write(); });
}

} // namespace cardfit
