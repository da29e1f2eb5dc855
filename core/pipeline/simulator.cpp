// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/simulator.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace cardfit {

namespace {

using Program = std::vector<ProgramPart>;

/// Repeats of a part for which room is made; most steady states set in and recur within so many.
constexpr std::int64_t kUsualRounds = 4;

/// What one stage has sent to the next or to the one before, and that one has not taken yet.
struct Channel {
    struct Sent {
        std::int32_t microbatch = 0;
        double arrival = 0.0;
    };
    std::size_t from = 0; ///< rank
    std::size_t to = 0;
    double transfer = 0.0;
    std::vector<Sent> sent; ///< not taken yet from `first` on
    std::size_t first = 0;
    std::int64_t taken = 0; ///< ever

    [[nodiscard]] std::span<Sent> waiting() { return std::span(sent).subspan(first); }

    /// Moves the entry of a micro-batch to the front, where it mostly is; false if there is none.
    bool find(std::int32_t microbatch)
    {
        if (first == sent.size()) return false;
        if (sent[first].microbatch == microbatch) return true;
        const auto found = std::ranges::find(waiting(), microbatch, &Sent::microbatch);
        if (found == waiting().end()) return false;
        std::swap(sent[first], *found);
        return true;
    }
    double take()
    {
        const double arrival = sent[first].arrival;
        ++taken;
        if (++first == sent.size()) {
            sent.clear();
            first = 0;
        }
        return arrival;
    }
};

/// What the passes of one stage take and give.
struct Stage {
    Channel* input = nullptr; ///< of its forward pass; none: nothing to wait for
    Channel* output = nullptr;
    Channel* gradient_input = nullptr; ///< of its backward pass
    Channel* gradient_output = nullptr;
    Durations times;
};

/// Where a rank is in its program and how far it may go.
struct Rank {
    std::size_t part = 0; ///< of its next operation
    std::int64_t repeat = 0;
    std::size_t index = 0;
    std::size_t open_part = 0; ///< it may run all parts before this one,
    std::int64_t open_repeats = 0; ///< and so many repeats of this one
    double clock = 0.0; ///< end of its last operation
    std::int64_t waited = -1; ///< last round in which an input came after the clock
    bool blocked = false; ///< an input is missing
};

/// All that the future of a simulation depends on, after a round.
struct Moment {
    std::vector<std::int64_t> counts;
    std::vector<double> times;
    std::vector<std::size_t> done; ///< stored operations by rank
};

/// List scheduling: a rank runs its program until an input is missing; the operation that produces the input wakes it.
/// Ranks go on in rounds, one repeat of a program part in each. A round that leaves the same state as an earlier one,
/// only later, will be followed by the same rounds, only later, while all parts last: those are not run but folded.
class Simulation {
public:
    Simulation(const std::vector<Program>& programs, Placement placement,
        const std::vector<std::vector<Durations>>& durations, const Transfers& transfers)
        : m_programs(programs)
        , m_ranks(programs.size())
    {
        const std::size_t ranks = m_ranks.size();
        const std::size_t chunks = durations.front().size();
        m_stages.resize(ranks * chunks);
        for (std::size_t i = 0; i < m_stages.size(); ++i)
            m_stages[i].times = durations[i % ranks][i / ranks];
        m_channels.reserve(2 * m_stages.size());
        for (const Pipe& pipe : pipes(placement, ranks, chunks)) {
            for (std::size_t i = 0; i + 1 < pipe.size(); ++i)
                connect(pipe[i], pipe[i + 1], transfers.time);
        }
        m_timeline.placement = placement;
        m_timeline.transfers = transfers;
        m_timeline.ranks.resize(ranks);
        for (std::size_t i = 0; i < ranks; ++i) {
            std::size_t expected = 0;
            for (const ProgramPart& part : programs[i])
                expected += part.operations.size() * static_cast<std::size_t>(std::min(part.repeats, kUsualRounds));
            m_timeline.ranks[i].reserve(expected);
        }
    }

    /// Error OutOfRange: a deadlock, or more than `most_stored` operations that do not repeat.
    Result<Timeline> run(std::size_t most_stored)
    {
        for (; openRound(); ++m_round) {
            settle();
            std::size_t stored = 0;
            for (const RankTimeline& rank : m_timeline.ranks)
                stored += rank.storedSize();
            if (stored > most_stored) {
                return fail(ErrorCode::OutOfRange, {},
                    fmt::format("the pipeline does not settle within {} operations, which is too many to simulate",
                        most_stored));
            }
            skipRepeats();
        }
        settle(); // ranks whose last repeats have been skipped are at their end
        if (const std::string waiting = whoWaits(); !waiting.empty()) {
            return fail(ErrorCode::OutOfRange, {}, "the schedule deadlocks: " + waiting);
        }
        for (const Rank& rank : m_ranks)
            m_timeline.makespan = std::max(m_timeline.makespan, rank.clock);
        return std::move(m_timeline);
    }

private:
    void connect(StagePlace before, StagePlace after, double transfer)
    {
        const auto channel = [&](StagePlace from, StagePlace to) {
            Channel& made = m_channels.emplace_back();
            made.from = from.rank;
            made.to = to.rank;
            made.transfer = from.rank == to.rank ? 0.0 : transfer;
            return &made;
        };
        Stage& first = stageOf(before.rank, before.chunk);
        Stage& second = stageOf(after.rank, after.chunk);
        first.output = second.input = channel(before, after);
        second.gradient_output = first.gradient_input = channel(after, before);
    }

    [[nodiscard]] Stage& stageOf(std::size_t rank, std::size_t chunk)
    {
        return m_stages[chunk * m_ranks.size() + rank];
    }

    [[nodiscard]] double durationOf(std::size_t rank, const Operation& operation)
    {
        const Durations& times = stageOf(rank, operation.chunk).times;
        switch (operation.kind) {
        case OperationKind::Forward: return times.forward;
        case OperationKind::Backward: return times.backward();
        case OperationKind::BackwardInput: return times.backward_input;
        case OperationKind::BackwardWeight: return times.backward_weight;
        case OperationKind::Overlapped: {
            if (times.overlapped) return *times.overlapped;
            return times.forward + stageOf(rank, operation.backward_chunk).times.backward();
        }
        case OperationKind::Update: return times.update;
        }
        return 0.0;
    }

    /// Every rank may run one more repeat. False if none has any left.
    bool openRound()
    {
        bool opened = false;
        for (std::size_t i = 0; i < m_ranks.size(); ++i) {
            Rank& rank = m_ranks[i];
            const Program& program = m_programs[i];
            while (rank.open_part < program.size() && rank.open_repeats == program[rank.open_part].repeats) {
                ++rank.open_part;
                rank.open_repeats = 0;
            }
            if (rank.open_part == program.size()) continue;
            ++rank.open_repeats;
            opened = true;
        }
        return opened;
    }

    /// Runs what the round allows. Forward passes flow down the ranks and gradients flow up, so going down and up in
    /// turn settles most of a schedule in few passes.
    void settle()
    {
        bool moved = true;
        bool blocked = true;
        while (moved && blocked) {
            moved = blocked = false;
            for (std::size_t rank = 0; rank < m_ranks.size(); ++rank)
                moved |= advance(rank);
            for (std::size_t rank = m_ranks.size(); rank-- > 0;) {
                moved |= advance(rank);
                blocked |= m_ranks[rank].blocked;
            }
        }
    }

    /// True if the rank has run anything.
    bool advance(std::size_t index)
    {
        Rank& rank = m_ranks[index];
        const Program& program = m_programs[index];
        bool moved = false;
        rank.blocked = false;
        while (rank.part < program.size()) {
            const ProgramPart& part = program[rank.part];
            const std::int64_t open = rank.part < rank.open_part ? part.repeats
                : rank.part == rank.open_part                    ? rank.open_repeats
                                                                 : 0;
            for (; rank.repeat < open; ++rank.repeat, rank.index = 0) {
                for (; rank.index < part.operations.size(); ++rank.index) {
                    const Operation operation =
                        part.operations[rank.index].shifted(static_cast<std::int32_t>(rank.repeat * part.step));
                    if (!runNext(index, operation)) {
                        rank.blocked = true;
                        return moved;
                    }
                    moved = true;
                }
            }
            if (rank.repeat < part.repeats) break;
            ++rank.part;
            rank.repeat = 0;
        }
        return moved;
    }

    /// False if the operation's input is missing. What comes from the rank itself comes earlier in its program.
    bool runNext(std::size_t index, const Operation& operation)
    {
        Rank& rank = m_ranks[index];
        const Pass forward = operation.forwardPass();
        const Pass backward = operation.backwardPass();
        const Stage* ahead = runsForward(operation.kind) ? &stageOf(index, forward.chunk) : nullptr;
        const Stage* back = makesInputGradient(operation.kind) ? &stageOf(index, backward.chunk) : nullptr;
        Channel* activations = ahead != nullptr ? ahead->input : nullptr;
        Channel* gradient = back != nullptr ? back->gradient_input : nullptr;
        if (activations != nullptr && !activations->find(forward.microbatch)) return false;
        if (gradient != nullptr && !gradient->find(backward.microbatch)) return false;

        double start = rank.clock;
        auto started_by = StartedBy::Rank;
        const auto waitFor = [&](Channel& input, StartedBy by) {
            const double arrival = input.take();
            if (arrival <= start) return;
            start = arrival;
            started_by = by;
            rank.waited = m_round;
        };
        if (activations != nullptr) waitFor(*activations, StartedBy::Activations);
        if (gradient != nullptr) waitFor(*gradient, StartedBy::Gradient);
        rank.clock = start + durationOf(index, operation);
        m_timeline.ranks[index].push_back({operation, start, rank.clock, started_by});
        const auto send = [&](Channel* output, std::int32_t microbatch) {
            if (output != nullptr) output->sent.push_back({microbatch, rank.clock + output->transfer});
        };
        if (ahead != nullptr) send(ahead->output, forward.microbatch);
        if (back != nullptr) send(back->gradient_output, backward.microbatch);
        return true;
    }

    /// Rounds that all ranks can still run within the parts that they are in; none while a rank is between two.
    [[nodiscard]] std::int64_t repeatsLeft() const
    {
        std::int64_t left = std::numeric_limits<std::int64_t>::max();
        for (std::size_t i = 0; i < m_ranks.size(); ++i) {
            const Rank& rank = m_ranks[i];
            if (rank.part != rank.open_part || rank.part == m_programs[i].size()) return 0;
            left = std::min(left, m_programs[i][rank.part].repeats - rank.open_repeats);
        }
        return left;
    }

    /// Looks for a recurrence, and folds it. A steady state recurs after one round, or with latency after as many as
    /// there are ranks in the chain that sets the pace. Each round is compared with one before: at first the last one,
    /// later one that is kept for as many rounds as went before it (as in Brent's search for cycles), so that the
    /// search costs no more than the rounds.
    void skipRepeats()
    {
        const std::int64_t left = repeatsLeft();
        if (left == 0) {
            m_steady_since = kNever;
            return;
        }
        const auto keep = [&] {
            std::swap(m_before, m_now);
            m_kept_in = m_round;
        };
        note(m_now);
        if (m_steady_since == kNever) {
            m_steady_since = m_round;
            return keep();
        }
        const std::int64_t cycle = m_round - m_kept_in;
        if (cycle <= left && recurs(m_now, m_before, cycle)) {
            fold(m_now, m_before, cycle, left);
            m_steady_since = kNever;
        } else if (2 * cycle >= m_round - m_steady_since) {
            keep();
        }
    }

    void note(Moment& now)
    {
        now.counts.clear();
        now.times.clear();
        now.done.clear();
        for (std::size_t i = 0; i < m_ranks.size(); ++i) {
            const Rank& rank = m_ranks[i];
            now.counts.insert(now.counts.end(),
                {static_cast<std::int64_t>(rank.part), rank.open_repeats - rank.repeat,
                    static_cast<std::int64_t>(rank.index)});
            now.times.push_back(rank.clock);
            now.done.push_back(m_timeline.ranks[i].storedSize());
        }
        for (Channel& channel : m_channels) {
            const auto waiting = channel.waiting();
            now.counts.push_back(static_cast<std::int64_t>(waiting.size()));
            now.counts.push_back(channel.taken);
            for (const Channel::Sent& entry : waiting) {
                now.counts.push_back(entry.microbatch);
                now.times.push_back(entry.arrival);
            }
        }
    }

    /// Whether the state is that of `cycle` rounds ago, every rank's share of it as much later as its clock.
    /// Ranks may differ in that only where the later one waits for nothing: forward passes alone are as fast on each
    /// rank as the slowest rank before it allows.
    [[nodiscard]] bool recurs(const Moment& now, const Moment& before, std::int64_t cycle) const
    {
        if (now.counts.size() != before.counts.size() || now.times.size() != before.times.size()) return false;
        if (!std::equal(now.counts.begin(), now.counts.begin() + static_cast<std::ptrdiff_t>(3 * m_ranks.size()),
                before.counts.begin())) {
            return false;
        }
        const auto delay = [&](std::size_t i) { return now.times[i] - before.times[i]; };
        const auto growth = [&](std::size_t i) { return now.counts[i] - before.counts[i]; };
        std::size_t count = 3 * m_ranks.size();
        std::size_t time = m_ranks.size();
        for (const Channel& channel : m_channels) {
            const double later = delay(channel.from);
            const std::int64_t higher = cycle * partOf(channel.from).step;
            if (growth(count) != 0) return false;
            if (growth(count + 1) != 0) {
                const double later_there = delay(channel.to);
                const bool waited = m_ranks[channel.to].waited > m_round - cycle;
                if (later > later_there || (later < later_there && waited)) return false;
            }
            const auto waiting = static_cast<std::size_t>(now.counts[count]);
            count += 2;
            for (std::size_t i = 0; i < waiting; ++i) {
                if (growth(count++) != higher || delay(time++) != later) return false;
            }
        }
        return true;
    }

    /// The last `cycle` rounds run again as often as `left` rounds allow.
    void fold(const Moment& now, const Moment& before, std::int64_t cycle, std::int64_t left)
    {
        const std::int64_t more = left / cycle;
        const auto delay = [&](std::size_t rank) { return now.times[rank] - before.times[rank]; };
        for (Channel& channel : m_channels) {
            for (Channel::Sent& entry : channel.waiting()) {
                entry.microbatch += static_cast<std::int32_t>(more * cycle * partOf(channel.from).step);
                entry.arrival += static_cast<double>(more) * delay(channel.from);
            }
        }
        for (std::size_t i = 0; i < m_ranks.size(); ++i) {
            Rank& rank = m_ranks[i];
            m_timeline.ranks[i].repeatLast(now.done[i] - before.done[i], static_cast<std::size_t>(more), delay(i),
                static_cast<std::int32_t>(cycle * partOf(i).step));
            rank.clock += static_cast<double>(more) * delay(i);
            rank.repeat += more * cycle;
            rank.open_repeats += more * cycle;
        }
    }

    [[nodiscard]] const ProgramPart& partOf(std::size_t rank) const { return m_programs[rank][m_ranks[rank].part]; }

    [[nodiscard]] std::string whoWaits() const
    {
        std::string text;
        for (std::size_t i = 0; i < m_ranks.size(); ++i) {
            const Rank& rank = m_ranks[i];
            if (rank.part == m_programs[i].size()) continue;
            const ProgramPart& part = m_programs[i][rank.part];
            const Operation& operation = part.operations[rank.index];
            text += fmt::format("{}rank {} waits for the input of {} of micro-batch {} in chunk {}",
                text.empty() ? "" : "; ", i,
                operation.kind == OperationKind::Forward ? "the forward pass" : "the backward pass",
                operation.microbatch + rank.repeat * part.step, operation.chunk);
        }
        return text;
    }

    const std::vector<Program>& m_programs;
    std::vector<Rank> m_ranks;
    std::vector<Stage> m_stages; ///< chunk x ranks + rank
    std::vector<Channel> m_channels;
    static constexpr std::int64_t kNever = -1;
    std::int64_t m_round = 0;
    std::int64_t m_steady_since = kNever; ///< the round from which on all ranks are in parts that repeat
    Moment m_before; ///< what later rounds are compared with,
    std::int64_t m_kept_in = 0; ///< noted in this round
    Moment m_now;
    Timeline m_timeline;
};

/// A program that runs a backward pass before its own forward pass, or a weight half before its input half, waits for
/// itself; the rest of the simulation takes that order for granted. Returns the operation.
const Operation* waitsForItself(const std::vector<Operation>& program, std::int64_t chunks)
{
    std::int32_t last = -1;
    for (const Operation& operation : program)
        last = std::max({last, operation.microbatch, operation.backward_microbatch});
    enum class Done : std::uint8_t { Nothing, Forward, Gradient };
    std::vector<Done> done(static_cast<std::size_t>(chunks * (last + std::int64_t{1})), Done::Nothing);
    const auto place = [&](Pass pass) -> Done& {
        return done[static_cast<std::size_t>(pass.chunk * (last + std::int64_t{1}) + pass.microbatch)];
    };
    for (const Operation& operation : program) {
        Done& backward = place(operation.backwardPass());
        if (operation.kind == OperationKind::BackwardWeight && backward != Done::Gradient) return &operation;
        if (makesInputGradient(operation.kind)) {
            if (backward == Done::Nothing) return &operation;
            backward = Done::Gradient;
        }
        if (runsForward(operation.kind)) place(operation.forwardPass()) = Done::Forward;
    }
    return nullptr;
}

} // namespace

Result<Timeline> simulate(
    const ScheduleRequest& request, const std::vector<std::vector<Durations>>& durations, Transfers transfers)
{
    const auto programs = foldedPrograms(request);
    return Simulation(programs, placementOf(request.schedule), durations, transfers).run(2 * kMostForwardPasses);
}

Result<Timeline> simulate(const std::vector<std::vector<Operation>>& programs, Placement placement,
    const std::vector<std::vector<Durations>>& durations, Transfers transfers)
{
    const auto chunks = static_cast<std::int64_t>(durations.front().size());
    std::vector<Program> parts;
    parts.reserve(programs.size());
    for (const auto& program : programs) {
        if (const Operation* operation = waitsForItself(program, chunks)) {
            return fail(ErrorCode::OutOfRange, {},
                fmt::format("the schedule deadlocks: rank {} waits for itself before the backward pass of micro-batch "
                            "{} in chunk {}",
                    parts.size(), operation->microbatch, operation->chunk));
        }
        parts.push_back({ProgramPart{program}});
    }
    return Simulation(parts, placement, durations, transfers).run(std::numeric_limits<std::size_t>::max());
}

double busyTime(const Timeline& timeline, std::size_t rank)
{
    double busy = 0.0;
    for (const RankTimeline::Segment& segment : timeline.ranks[rank].segments()) {
        double once = 0.0;
        for (const TimedOperation& timed : timeline.ranks[rank].operations(segment))
            once += timed.end - timed.start;
        busy += static_cast<double>(segment.repeats) * once;
    }
    return busy;
}

BubbleFractions bubbleFractions(const Timeline& timeline)
{
    double busy = 0.0;
    for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank)
        busy += busyTime(timeline, rank);
    const double total = timeline.makespan * static_cast<double>(timeline.ranks.size());
    if (busy <= 0.0 || total <= 0.0) return {};
    return {1.0 - busy / total, total / busy - 1.0};
}

} // namespace cardfit
