// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/pipeline/simulator.h"
#include "core/pipeline/stage_link.h"

namespace cardfit {

/// ProgramPart without the operations' memory.
struct PartView {
    std::span<const Operation> operations;
    std::int64_t repeats = 1;
    std::int64_t step = 0;
    std::size_t turn = 1;
};
/// Parts that have operations and repeats.
using ProgramView = std::vector<PartView>;

/// List scheduling: a rank runs its program until an input is missing; the rank that makes the input wakes it.
/// Ranks go on in rounds, one repeat of a program part in each. A round that leaves the same state as an earlier one,
/// only later, will be followed by the same rounds, only later, while all parts last: those are not run but folded.
class Simulation {
public:
    Simulation(std::vector<ProgramView> programs, Placement placement,
        const std::vector<std::vector<Durations>>& durations, const Transfers& transfers);

    /// Error OutOfRange: a deadlock, or more than `most_stored` operations that do not repeat.
    Result<Timeline> run(std::size_t most_stored);

private:
    /// What operations of one kind take and give, and how long they last.
    struct Task {
        StageLink* input = nullptr; ///< none: nothing to wait for, or taken before the operation, as transfers block
        StageLink* output = nullptr; ///< as well
        double time = 0.0;
        StartedBy waits_for = StartedBy::Rank; ///< what its input is
    };
    /// One chunk of a rank.
    struct Stage {
        std::array<Task, kOperationKindCount> tasks{}; ///< by kind; an overlapped block is a forward and a backward one
        double overlapped = -1.0; ///< of a block whose forward half it runs; negative: as long as both halves
        StageLink* input = nullptr; ///< of its forward pass, whether transfers block or not; none: of the first stage
        StageLink* output = nullptr;
        StageLink* gradient_input = nullptr; ///< of its backward pass
        StageLink* gradient_output = nullptr;

        [[nodiscard]] Task& task(OperationKind kind) { return tasks[static_cast<std::size_t>(kind)]; }
    };

    /// One value that a rank hands over or takes between two operations, where transfers block.
    struct Handover {
        StageLink* link = nullptr;
        std::int32_t microbatch = 0;
        bool sends = false;
        bool downstream = false; ///< with the rank of the next stage
        StartedBy makes_wait = StartedBy::Rank;
        bool announced = false; ///< to the other rank
        bool settled = false;
    };
    /// All of them between two turns, in the order in which they go where one follows the other.
    struct Exchange {
        std::array<Handover, 4> handovers{};
        std::size_t count = 0;
        double end = 0.0; ///< of those that are settled
        StartedBy ended_by = StartedBy::Rank;
    };

    /// Where a rank is in its program and how far it may go.
    struct Rank {
        std::size_t number = 0;
        Stage* stages = nullptr; ///< one for each chunk
        RankTimeline* done = nullptr;
        std::span<const Operation> operations; ///< of the part that it is in; empty at its end
        std::size_t part = 0; ///< of its next operation
        std::int64_t repeat = 0;
        std::size_t index = 0;
        std::int32_t shift = 0; ///< of micro-batch numbers in this repeat
        bool open = false; ///< the next operation is in a repeat that it may run
        std::size_t open_part = 0; ///< it may run all parts before this one,
        std::int64_t open_repeats = 0; ///< and so many repeats of this one
        double clock = 0.0; ///< end of its last operation
        std::int64_t waited = -1; ///< last round in which an input came after the clock
        const StageLink* awaits = nullptr; ///< what it is blocked on,
        const StageLink* or_awaits = nullptr; ///< or that
        bool queued = false;
    };

    /// All that the future of a simulation depends on, after a round.
    struct Moment {
        std::vector<std::int64_t> counts;
        std::vector<double> times;
        std::vector<std::size_t> done; ///< stored operations by rank
    };

    void connect(StagePlace before, StagePlace after, const Transfers& transfers, bool wraps);
    [[nodiscard]] Stage& stageOf(std::size_t rank, std::size_t chunk) { return m_stages[rank * m_chunks + chunk]; }
    [[nodiscard]] const PartView& partOf(std::size_t rank) const { return m_programs[rank][m_ranks[rank].part]; }
    [[nodiscard]] bool atEnd(std::size_t rank) const { return m_ranks[rank].part == m_programs[rank].size(); }
    [[nodiscard]] Operation nextOperation(std::size_t rank) const;
    void nextRepeat(Rank& rank);
    void updateOpen(Rank& rank);

    bool openRound();
    void settle();
    void wake(std::size_t rank, const StageLink& link);
    void advance(Rank& rank);
    void advanceInTurns(Rank& rank);
    bool runUntil(Rank& rank, std::size_t end);
    bool runBlock(Rank& rank, const Operation& operation);
    [[nodiscard]] double afterExchange(const Rank& rank, StartedBy& started_by) const;
    void record(Rank& rank, const Operation& operation, double start, double time, StartedBy started_by);
    void await(Rank& rank, StageLink& link);
    void send(StageLink* link, std::int32_t microbatch, double end);
    void startExchange(std::size_t index, std::span<const Operation> done, std::int32_t shift);
    bool endExchange(std::size_t index);
    void announce(Handover& handover, double ready);
    bool settleHandover(std::size_t index, Handover& handover);
    [[nodiscard]] Handover* nextInTurn(std::size_t index);

    /// What the two ends of a link did in some rounds.
    enum class Traffic : std::uint8_t {
        Passing, ///< one gave and the other took; where transfers block, whatever they did
        Filling, ///< one gave
        Draining, ///< the other took
        Resting, ///< neither; what is under way waits for a later part of the program
    };
    /// One link's share of a Moment, walked in step.
    struct LinkMoment {
        std::int64_t count, taken, in_rows;
        std::size_t first_count, first_time; ///< of its values
    };

    [[nodiscard]] std::int64_t repeatsLeft() const;
    void skipRepeats();
    void note(Moment& now);
    [[nodiscard]] static LinkMoment nextLink(const Moment& moment, std::size_t& count, std::size_t& time);
    [[nodiscard]] Traffic trafficOf(const StageLink& link, const LinkMoment& now, const LinkMoment& before) const;
    [[nodiscard]] std::int64_t mayRecur(const Moment& now, const Moment& before, std::int64_t cycle);
    [[nodiscard]] bool passesAlike(const StageLink& link, const Moment& now, const LinkMoment& share,
        const Moment& before, const LinkMoment& share_before, std::int64_t cycle) const;
    [[nodiscard]] std::int64_t mayDrain(const StageLink& link, const Moment& now, const Moment& before) const;
    void fold(const Moment& now, const Moment& before, std::int64_t cycle, std::int64_t more);

    [[nodiscard]] Sentence deadlock();

    std::vector<ProgramView> m_programs;
    bool m_blocking;
    bool m_one_by_one;
    std::vector<Rank> m_ranks;
    std::vector<Exchange> m_exchanges; ///< by rank; empty unless transfers block
    std::size_t m_chunks;
    std::vector<Stage> m_stages; ///< rank x chunks + chunk
    std::vector<StageLink> m_links;
    std::vector<std::size_t> m_ready; ///< ranks that may go on, each once: the first m_ready_count
    std::size_t m_ready_count = 0;
    static constexpr std::int64_t kNever = -1;
    std::int64_t m_round = 0;
    std::int64_t m_steady_since = kNever; ///< the round from which on all ranks are in parts that repeat
    Moment m_before; ///< what later rounds are compared with,
    std::int64_t m_kept_in = 0; ///< noted in this round
    Moment m_now;
    std::vector<Traffic> m_traffic; ///< by link, between two moments
    Timeline m_timeline;
};

// Every operation goes through these.

/// The earliest start of the next operation as far as its rank is concerned: blocking transfers are over by then.
inline double Simulation::afterExchange(const Rank& rank, StartedBy& started_by) const
{
    if (!m_blocking || m_exchanges[rank.number].end <= rank.clock) return rank.clock;
    started_by = m_exchanges[rank.number].ended_by;
    return m_exchanges[rank.number].end;
}

inline void Simulation::record(Rank& rank, const Operation& operation, double start, double time, StartedBy started_by)
{
    rank.waited = start > rank.clock ? m_round : rank.waited;
    rank.clock = start + time;
    rank.done->add(operation, rank.shift, start, rank.clock, started_by);
}

inline void Simulation::await(Rank& rank, StageLink& link)
{
    rank.awaits = &link;
    link.awaited = true;
}

inline void Simulation::send(StageLink* link, std::int32_t microbatch, double end)
{
    if (link == nullptr) return;
    link->at(microbatch).offered = end + link->transfer;
    // Wakes the receiver if it waits. Every other value finds it waiting: a branch on that would be guessed wrongly as
    // often, which takes longer than to write down what is not counted.
    m_ready[m_ready_count] = link->to;
    m_ready_count += link->awaited ? 1 : 0;
    link->awaited = false;
}

} // namespace cardfit
