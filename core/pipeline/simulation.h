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
    /// What the passes of one stage take and give.
    struct Stage {
        StageLink* input = nullptr; ///< of its forward pass; none: nothing to wait for
        StageLink* output = nullptr;
        StageLink* gradient_input = nullptr; ///< of its backward pass
        StageLink* gradient_output = nullptr;
        std::array<double, kOperationKindCount> times{}; ///< by kind
        double overlapped = -1.0; ///< of a block whose forward half it runs; negative: as long as both halves
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
    void goOn(std::size_t rank);
    void updateOpen(std::size_t rank);

    bool openRound();
    void settle();
    void wake(std::size_t rank, const StageLink& link);
    void advance(std::size_t index);
    bool runNext(std::size_t index);
    bool pass(std::size_t index, StageLink* input, StageLink* output, std::int32_t microbatch, StartedBy waits_for,
        double time);
    bool overlappedPasses(std::size_t index, const Operation& operation);
    [[nodiscard]] double afterExchange(std::size_t index, StartedBy& started_by) const;
    void record(std::size_t index, double start, double time, StartedBy started_by);
    void send(StageLink* link, std::int32_t microbatch, double end);
    void startExchange(std::size_t index, std::span<const Operation> done, std::int32_t shift);
    bool endExchange(std::size_t index);
    void announce(Handover& handover, double ready);
    bool settleHandover(std::size_t index, Handover& handover);
    [[nodiscard]] Handover* nextInTurn(std::size_t index);

    [[nodiscard]] std::int64_t repeatsLeft() const;
    void skipRepeats();
    void note(Moment& now);
    [[nodiscard]] bool recurs(const Moment& now, const Moment& before, std::int64_t cycle) const;
    void fold(const Moment& now, const Moment& before, std::int64_t cycle, std::int64_t left);

    [[nodiscard]] std::string deadlock();

    std::vector<ProgramView> m_programs;
    bool m_blocking;
    bool m_one_by_one;
    std::vector<Rank> m_ranks;
    std::vector<Exchange> m_exchanges; ///< by rank; empty unless transfers block
    std::size_t m_chunks;
    std::vector<Stage> m_stages; ///< rank x chunks + chunk
    std::vector<StageLink> m_links;
    std::vector<std::size_t> m_ready;
    static constexpr std::int64_t kNever = -1;
    std::int64_t m_round = 0;
    std::int64_t m_steady_since = kNever; ///< the round from which on all ranks are in parts that repeat
    Moment m_before; ///< what later rounds are compared with,
    std::int64_t m_kept_in = 0; ///< noted in this round
    Moment m_now;
    Timeline m_timeline;
};

} // namespace cardfit
