// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/inplace_vector.h"
#include "core/pipeline/simulation/simulator.h"
#include "core/pipeline/simulation/stage_link.h"

namespace cardfit {

/// A ProgramPart that does not own its operations.
struct PartView {
    std::span<const Operation> operations;
    std::int64_t repeats = 1;
    std::int64_t step = 0;
    std::size_t exchange_every = 1;
};
/// No part is without operations or repeats.
using ProgramView = std::vector<PartView>;

/// List scheduling: a rank runs its program until an input is missing; the rank that makes the input wakes it. Ranks
/// run in rounds, one repeat of a program part in each. If the state after a round equals that after an earlier one,
/// apart from a shift in time and micro-batches, the rounds in between recur until a part of some program ends: they
/// are not run again but folded. README.md has the details.
class Simulation {
public:
    Simulation(std::vector<ProgramView> programs, Placement placement,
        const std::vector<std::vector<Durations>>& durations, const Transfers& transfers);

    /// Error OutOfRange: a deadlock, or more than `most_stored` operations that do not repeat.
    Result<Timeline> run(std::size_t most_stored);

private:
    /// Input, output and time of the operations of one kind.
    struct Task {
        StageLink* input = nullptr; ///< null: no input, or one that a blocking transfer brings before the start
        StageLink* output = nullptr; ///< null: no output, or one that is sent by a blocking transfer
        double time = 0.0;
        StartedBy waits_for = StartedBy::Rank; ///< the kind of its input
    };
    /// One chunk of a rank.
    struct Stage {
        std::array<Task, kOperationKindCount> tasks{}; ///< by kind; an overlapped block uses Forward and Backward
        double overlapped = -1.0; ///< time of a block whose forward half it runs; negative: sum of both halves
        StageLink* input = nullptr; ///< of its forward pass, blocking or not; null: it is the first stage
        StageLink* output = nullptr;
        StageLink* gradient_input = nullptr; ///< of its backward pass
        StageLink* gradient_output = nullptr;

        [[nodiscard]] Task& task(OperationKind kind) { return tasks[static_cast<std::size_t>(kind)]; }
    };

    /// Blocking transfers: one transfer of a rank between two operations.
    struct PendingTransfer {
        StageLink* link = nullptr;
        std::int32_t microbatch = 0;
        bool sends = false;
        bool downstream = false; ///< with the rank of the next stage
        StartedBy delay_cause = StartedBy::Rank; ///< of the next operation, if this transfer ends last
        bool posted = false; ///< the other rank knows that this one is ready
        bool done = false;
    };
    /// All transfers of a rank between two operations; in this order if they are serialized.
    struct Exchange {
        InplaceVector<PendingTransfer, 4> transfers;
        double end = 0.0; ///< of the transfers that are done
        StartedBy ended_by = StartedBy::Rank;
    };

    /// Where a rank is in its program and how far it may go.
    struct Rank {
        std::size_t number = 0;
        Stage* stages = nullptr; ///< one for each chunk
        RankTimeline* recorded = nullptr;
        std::span<const Operation> operations; ///< of its current part; empty at the end of the program
        std::size_t part = 0; ///< of its next operation
        std::int64_t repeat = 0;
        std::size_t index = 0;
        std::int32_t shift = 0; ///< of micro-batch numbers in this repeat
        bool open = false; ///< the current round allows its next operation
        std::size_t open_part = 0; ///< the current round allows all parts before this one
        std::int64_t open_repeats = 0; ///< the current round allows this many repeats of part open_part
        double clock = 0.0; ///< end of its last operation
        std::int64_t waited = -1; ///< last round in which it waited for an input
        const StageLink* blocked_on = nullptr; ///< link whose other rank has to act before this one can go on
        const StageLink* or_blocked_on = nullptr; ///< serialized transfers: a second such link; either suffices
        bool queued = false;
    };

    /// The state after a round: everything that later rounds depend on.
    struct Snapshot {
        std::vector<std::int64_t> counts;
        std::vector<double> times;
        std::vector<std::size_t> stored; ///< operations by rank
    };

    void connect(StagePlace before, StagePlace after, const Transfers& transfers, bool wraps);
    [[nodiscard]] Stage& stageOf(std::size_t rank, std::size_t chunk) { return m_stages[rank * m_chunks + chunk]; }
    [[nodiscard]] const PartView& partOf(std::size_t rank) const { return m_programs[rank][m_ranks[rank].part]; }
    [[nodiscard]] bool atEnd(std::size_t rank) const { return m_ranks[rank].part == m_programs[rank].size(); }
    [[nodiscard]] Operation nextOperation(std::size_t rank) const;
    void nextRepeat(Rank& rank);
    void passRepeats(Rank& rank, std::int64_t repeats);
    void updateOpen(Rank& rank);

    bool openRound();
    void runRound();
    void openNextPart(Rank& rank);
    void wake(std::size_t rank, const StageLink& link);
    void advance(Rank& rank);
    void advanceBlocking(Rank& rank);
    bool runUntil(Rank& rank, std::size_t end);
    bool runBlock(Rank& rank, const Operation& operation);
    [[nodiscard]] double afterExchange(const Rank& rank, StartedBy& started_by) const;
    void record(Rank& rank, const Operation& operation, double start, double time, StartedBy started_by);
    void await(Rank& rank, StageLink& link);
    void send(StageLink* link, std::int32_t microbatch, double end);
    void startExchange(std::size_t index, std::span<const Operation> done, std::int32_t shift);
    bool endExchange(std::size_t index);
    void post(PendingTransfer& transfer, double ready);
    bool completeTransfer(std::size_t index, PendingTransfer& transfer);
    [[nodiscard]] PendingTransfer* nextSerialized(std::size_t index);

    /// What happened on a link between two snapshots.
    enum class Traffic : std::uint8_t {
        Passing, ///< values were sent and received; blocking links are always in this state
        Filling, ///< values were sent only
        Draining, ///< values were received only
        Resting, ///< neither; what has been sent is for a later part of the receiver's program
    };
    /// Where the values of one link are in a Snapshot.
    struct LinkSnapshot {
        std::int64_t count, taken, in_series;
        std::size_t first_count, first_time; ///< of its values
    };

    [[nodiscard]] std::int64_t repeatsLeft() const;
    void skipRepeats();
    void takeSnapshot(Snapshot& now, std::size_t under_way);
    [[nodiscard]] static LinkSnapshot nextLinkSnapshot(const Snapshot& moment, std::size_t& count, std::size_t& time);
    [[nodiscard]] Traffic trafficOf(const StageLink& link, const LinkSnapshot& now, const LinkSnapshot& before) const;
    [[nodiscard]] std::int64_t repeatsAllowed(const Snapshot& now, const Snapshot& before, std::int64_t cycle);
    [[nodiscard]] bool isShifted(const StageLink& link, const Snapshot& now, const LinkSnapshot& share,
        const Snapshot& before, const LinkSnapshot& share_before, std::int64_t cycle) const;
    [[nodiscard]] std::int64_t roundsToDrain(const StageLink& link, const Snapshot& now, const Snapshot& before) const;
    void fold(const Snapshot& now, const Snapshot& before, std::int64_t cycle, std::int64_t more);

    [[nodiscard]] Sentence deadlock();

    std::vector<ProgramView> m_programs;
    bool m_blocking;
    bool m_serialized;
    std::vector<Rank> m_ranks;
    std::vector<Exchange> m_exchanges; ///< by rank; empty unless transfers block
    std::size_t m_chunks;
    std::vector<Stage> m_stages; ///< rank x chunks + chunk
    std::vector<StageLink> m_links;
    std::vector<std::size_t> m_ready; ///< ranks that may run, each once: the first m_ready_count
    std::size_t m_ready_count = 0;
    static constexpr std::int64_t kNever = -1;
    std::int64_t m_round = 0;
    std::int64_t m_steady_since = kNever; ///< since this round all ranks are in parts that repeat
    Snapshot m_before; ///< an earlier state, with which later ones are compared
    std::int64_t m_before_round = 0; ///< the round after which it was taken
    Snapshot m_now;
    std::vector<Traffic> m_traffic; ///< by link, from m_before to m_now
    Timeline m_timeline;
};

// Called for every operation: inline.

/// When the rank is free for its next operation: after its last one and its blocking transfers.
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
    rank.recorded->add(operation, rank.shift, start, rank.clock, started_by);
}

inline void Simulation::await(Rank& rank, StageLink& link)
{
    rank.blocked_on = &link;
    link.awaited = true;
}

inline void Simulation::send(StageLink* link, std::int32_t microbatch, double end)
{
    if (link == nullptr) return;
    link->at(microbatch).available = end + link->transfer;
    // Wakes the receiver if it waits. Branchless: about half of the values find it waiting, so a branch would often be
    // mispredicted, which costs more than a store that is sometimes not needed.
    m_ready[m_ready_count] = link->to;
    m_ready_count += link->awaited ? 1 : 0;
    link->awaited = false;
}

} // namespace cardfit
