// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "tests/core/pipeline/random_timelines.h"

/// The makespan by definition, where every operation takes a time of its own: ranks go on in any order, as far as they
/// can, until all are done. Nothing is folded, and nothing is shared with the simulation.
namespace cardfit::random_timelines {

class MakespanReference {
public:
    explicit MakespanReference(const Case& made)
        : m_transfers(made.transfers)
        , m_ranks(static_cast<std::size_t>(made.request.stages))
        , m_loops(placementOf(made.request.schedule) == Placement::Loop)
        , m_pipes(pipes(placementOf(made.request.schedule), m_ranks.size(), made.durations.front().size()))
    {
        const auto folded = foldedPrograms(made.request);
        for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
            Rank& to = m_ranks[rank];
            for (const ProgramPart& part : folded[rank]) {
                for (std::int64_t i = 0; i < part.repeats * static_cast<std::int64_t>(part.operations.size()); ++i) {
                    const auto size = static_cast<std::int64_t>(part.operations.size());
                    if (i % size % part.exchange_every == 0) to.points.push_back(to.program.size());
                    to.program.push_back(part.operations[static_cast<std::size_t>(i % size)].shifted(
                        static_cast<std::int32_t>(i / size * part.step)));
                }
            }
            to.points.push_back(to.program.size());
        }
    }

    /// `times[rank][operation]`. None if the ranks wait for each other.
    std::optional<double> with(const std::vector<std::vector<double>>& times)
    {
        m_values.clear();
        for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
            m_ranks[rank].clock = m_ranks[rank].worked_until = 0.0;
            m_ranks[rank].next = m_ranks[rank].exchanges = 0;
            startExchange(rank);
        }
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
                while (goOn(rank, times[rank]))
                    moved = true;
            }
        }
        double makespan = 0.0;
        for (const Rank& rank : m_ranks) {
            if (rank.next < rank.program.size()) return std::nullopt;
            makespan = std::max(makespan, rank.worked_until);
        }
        return makespan;
    }

private:
    /// Activations or a gradient, by the pass that makes it.
    using Name = std::tuple<std::size_t, std::size_t, std::int32_t, bool>;
    struct Value {
        std::optional<double> given, wanted; ///< when the ranks are ready for it
    };
    struct PendingTransfer {
        Name value;
        bool gives = false;
        bool with_next_stage = false;
        bool posted = false;
        bool done = false;
    };
    struct Rank {
        std::vector<Operation> program;
        std::vector<std::size_t> points; ///< where each begins, and the end
        std::size_t next = 0; ///< operation
        std::size_t exchanges = 0; ///< that have begun
        std::vector<PendingTransfer> exchange;
        double clock = 0.0;
        double worked_until = 0.0; ///< end of its last operation
    };

    [[nodiscard]] std::optional<StagePlace> neighbour(std::size_t rank, std::size_t chunk, std::ptrdiff_t by) const
    {
        for (const Pipe& pipe : m_pipes) {
            const auto here = std::ranges::find(pipe, StagePlace{rank, chunk});
            if (here == pipe.end()) continue;
            const auto there = (here - pipe.begin()) + by;
            if (there < 0 || there >= static_cast<std::ptrdiff_t>(pipe.size())) return std::nullopt;
            return pipe[static_cast<std::size_t>(there)];
        }
        return std::nullopt;
    }
    /// Whether both ranks stand still for what goes from the one stage to the next, and for the gradient that comes
    /// back.
    [[nodiscard]] bool blocks(std::size_t first, std::size_t second) const
    {
        const bool wraps = m_loops && first + 1 == m_ranks.size() && second == 0;
        return m_transfers.model != TransferModel::Latency && first != second && !wraps;
    }

    void startExchange(std::size_t number)
    {
        Rank& rank = m_ranks[number];
        rank.exchange.clear();
        const std::size_t turn = rank.exchanges++;
        const std::size_t before = turn == 0 ? 0 : rank.points[turn - 1];
        const std::size_t here = rank.points[turn];
        const std::size_t after = turn + 1 < rank.points.size() ? rank.points[turn + 1] : here;
        const auto add = [&](bool gradient, bool gives, std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) {
                const Operation& operation = rank.program[i];
                if (gradient ? !makesInputGradient(operation.kind) : !runsForward(operation.kind)) continue;
                const Pass pass = gradient ? operation.backwardPass() : operation.forwardPass();
                const bool with_next_stage = gradient != gives;
                const auto other = neighbour(number, pass.chunk, with_next_stage ? 1 : -1);
                if (!other) continue;
                if (!(with_next_stage ? blocks(number, other->rank) : blocks(other->rank, number))) continue;
                const Name value = gives ? Name{number, pass.chunk, pass.microbatch, gradient}
                                         : Name{other->rank, other->chunk, pass.microbatch, gradient};
                rank.exchange.push_back({value, gives, with_next_stage});
            }
        };
        add(true, true, before, here);
        add(true, false, here, after);
        add(false, true, before, here);
        add(false, false, here, after);
    }

    bool goOn(std::size_t number, const std::vector<double>& times)
    {
        Rank& rank = m_ranks[number];
        if (std::ranges::all_of(rank.exchange, &PendingTransfer::done)) {
            if (rank.next == rank.program.size()) return false;
            return work(number, times[rank.next]);
        }
        return m_transfers.model == TransferModel::Serialized ? handOver(rank) : handAllOver(rank);
    }

    /// The next transfer in its turn: gradients first, but of two with the next stage what that one is ready for.
    bool handOver(Rank& rank)
    {
        const auto posted =
            std::ranges::find_if(rank.exchange, [](const PendingTransfer& each) { return each.posted && !each.done; });
        if (posted != rank.exchange.end()) return settle(*posted, rank.clock);
        auto next = std::ranges::find(rank.exchange, false, &PendingTransfer::done);
        const auto second = std::find_if(next + 1, rank.exchange.end(),
            [](const PendingTransfer& each) { return each.with_next_stage && !each.done; });
        if (next->with_next_stage && second != rank.exchange.end()) {
            const auto otherIsReady = [&](const PendingTransfer& each) {
                const Value& value = m_values[each.value];
                return (each.gives ? value.wanted : value.given).has_value();
            };
            if (otherIsReady(*second))
                next = second;
            else if (!otherIsReady(*next))
                return false;
        }
        post(*next, rank.clock);
        settle(*next, rank.clock);
        return true;
    }
    bool handAllOver(Rank& rank)
    {
        bool moved = false;
        for (PendingTransfer& each : rank.exchange) {
            if (each.posted) continue;
            post(each, rank.worked_until); // all at once
            moved = true;
        }
        for (PendingTransfer& each : rank.exchange)
            moved = (!each.done && settle(each, rank.clock)) || moved;
        return moved;
    }
    void post(PendingTransfer& transfer, double ready)
    {
        transfer.posted = true;
        Value& value = m_values[transfer.value];
        (transfer.gives ? value.given : value.wanted) = ready;
    }
    bool settle(PendingTransfer& transfer, double& clock)
    {
        const Value& value = m_values[transfer.value];
        if (!value.given || !value.wanted) return false;
        clock = std::max(clock, std::max(*value.given, *value.wanted) + m_transfers.time);
        transfer.done = true;
        return true;
    }

    /// False while an input that comes without an exchange is missing.
    bool work(std::size_t number, double time)
    {
        Rank& rank = m_ranks[number];
        const Operation& operation = rank.program[rank.next];
        const Pass forward = operation.forwardPass();
        const Pass back = operation.backwardPass();
        double start = rank.clock;
        bool missing = false;
        const auto await = [&](const std::optional<StagePlace>& maker, bool it_blocks, Pass pass, bool gradient) {
            if (!maker || it_blocks) return;
            const auto found = m_values.find({maker->rank, maker->chunk, pass.microbatch, gradient});
            missing = missing || found == m_values.end();
            if (missing) return;
            start = std::max(start, *found->second.given + (maker->rank == number ? 0.0 : m_transfers.time));
        };
        if (runsForward(operation.kind)) {
            const auto maker = neighbour(number, forward.chunk, -1);
            await(maker, maker && blocks(maker->rank, number), forward, false);
        }
        if (makesInputGradient(operation.kind)) {
            const auto maker = neighbour(number, back.chunk, 1);
            await(maker, maker && blocks(number, maker->rank), back, true);
        }
        if (missing) return false;
        rank.clock = rank.worked_until = start + time;
        const auto make = [&](Pass pass, bool gradient, std::ptrdiff_t by) {
            const auto taker = neighbour(number, pass.chunk, by);
            if (!taker) return;
            if (by > 0 ? blocks(number, taker->rank) : blocks(taker->rank, number)) return;
            m_values[{number, pass.chunk, pass.microbatch, gradient}].given = rank.clock;
        };
        if (runsForward(operation.kind)) make(forward, false, 1);
        if (makesInputGradient(operation.kind)) make(back, true, -1);
        if (++rank.next == rank.points[rank.exchanges]) startExchange(number);
        return true;
    }

    Transfers m_transfers;
    std::vector<Rank> m_ranks;
    bool m_loops;
    std::vector<Pipe> m_pipes;
    std::map<Name, Value> m_values;
};

} // namespace cardfit::random_timelines
