// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/simulator.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace cardfit {

namespace {

constexpr double kPending = -1.0;

/// List scheduling: a rank runs its program until an input is missing; the operation that produces the input wakes it.
class Simulation {
public:
    Simulation(const std::vector<std::vector<Operation>>& programs, std::int64_t chunks,
        const std::vector<std::vector<Durations>>& durations, double transfer)
        : m_programs(programs)
        , m_durations(durations)
        , m_transfer(transfer)
        , m_ranks(static_cast<std::int64_t>(programs.size()))
        , m_stages(m_ranks * chunks)
    {
        std::int32_t last = -1;
        for (const auto& program : programs) {
            for (const Operation& operation : program)
                last = std::max(last, operation.microbatch);
        }
        m_microbatches = last + 1;
        const auto slots = static_cast<std::size_t>(m_stages * m_microbatches);
        m_forward_end.assign(slots, kPending);
        m_input_gradient_end.assign(slots, kPending);
    }

    Result<Timeline> run()
    {
        m_timeline.ranks.resize(m_programs.size());
        for (std::size_t rank = 0; rank < m_programs.size(); ++rank) {
            m_timeline.ranks[rank].reserve(m_programs[rank].size());
        }
        // Each pass lets every rank run as far as it can. Forward passes flow down the ranks and gradients flow up, so
        // going down and up in turn settles most of a schedule in few passes.
        bool advanced = true;
        while (advanced) {
            advanced = false;
            for (std::int64_t rank = 0; rank < m_ranks; ++rank)
                advanced |= advance(rank);
            for (std::int64_t rank = m_ranks - 1; rank >= 0; --rank)
                advanced |= advance(rank);
        }
        if (const std::string waiting = whoWaits(); !waiting.empty()) {
            return fail(ErrorCode::OutOfRange, {}, "the schedule deadlocks: " + waiting);
        }
        for (const auto& operations : m_timeline.ranks) {
            if (!operations.empty()) m_timeline.makespan = std::max(m_timeline.makespan, operations.back().end);
        }
        return std::move(m_timeline);
    }

private:
    [[nodiscard]] std::size_t slot(std::int64_t stage, std::int32_t microbatch) const
    {
        return static_cast<std::size_t>(stage * m_microbatches + microbatch);
    }
    [[nodiscard]] std::int64_t stageOf(std::int64_t rank, const Operation& operation) const
    {
        return operation.chunk * m_ranks + rank;
    }

    /// When an input from a neighbouring stage is there; kPending if it has not been computed.
    [[nodiscard]] double arrival(const std::vector<double>& ends, std::int64_t stage, std::int32_t microbatch) const
    {
        const double end = ends[slot(stage, microbatch)];
        return end == kPending || m_ranks == 1 ? end : end + m_transfer;
    }

    /// Earliest start by the operation's inputs; kPending if one is missing.
    [[nodiscard]] double inputsReady(std::int64_t rank, const Operation& operation) const
    {
        const std::int64_t stage = stageOf(rank, operation);
        switch (operation.kind) {
        case OperationKind::Forward: return stage == 0 ? 0.0 : arrival(m_forward_end, stage - 1, operation.microbatch);
        case OperationKind::Backward:
        case OperationKind::BackwardInput: {
            const double own = m_forward_end[slot(stage, operation.microbatch)];
            if (own == kPending || stage == m_stages - 1) return own;
            const double gradient = arrival(m_input_gradient_end, stage + 1, operation.microbatch);
            return gradient == kPending ? kPending : std::max(own, gradient);
        }
        case OperationKind::BackwardWeight: return m_input_gradient_end[slot(stage, operation.microbatch)];
        case OperationKind::Overlapped:
        case OperationKind::Update: break;
        }
        return 0.0;
    }

    [[nodiscard]] double duration(std::int64_t rank, const Operation& operation) const
    {
        const Durations& times = m_durations[static_cast<std::size_t>(rank)][operation.chunk];
        switch (operation.kind) {
        case OperationKind::Forward: return times.forward;
        case OperationKind::Backward: return times.backward();
        case OperationKind::BackwardInput: return times.backward_input;
        case OperationKind::BackwardWeight: return times.backward_weight;
        case OperationKind::Overlapped: return times.overlapped;
        case OperationKind::Update: return times.update;
        }
        return 0.0;
    }

    bool advance(std::int64_t rank)
    {
        const auto& program = m_programs[static_cast<std::size_t>(rank)];
        auto& done = m_timeline.ranks[static_cast<std::size_t>(rank)];
        const std::size_t before = done.size();
        double clock = done.empty() ? 0.0 : done.back().end;
        while (done.size() < program.size()) {
            const Operation& operation = program[done.size()];
            const double ready = inputsReady(rank, operation);
            if (ready == kPending) break;
            const double start = std::max(clock, ready);
            clock = start + duration(rank, operation);
            done.push_back({operation, start, clock});
            const std::size_t place = slot(stageOf(rank, operation), operation.microbatch);
            if (operation.kind == OperationKind::Forward) m_forward_end[place] = clock;
            if (operation.kind == OperationKind::Backward || operation.kind == OperationKind::BackwardInput) {
                m_input_gradient_end[place] = clock;
            }
        }
        return done.size() > before;
    }

    [[nodiscard]] std::string whoWaits() const
    {
        std::string text;
        for (std::size_t rank = 0; rank < m_programs.size(); ++rank) {
            const std::size_t done = m_timeline.ranks[rank].size();
            if (done == m_programs[rank].size()) continue;
            const Operation& operation = m_programs[rank][done];
            text += fmt::format("{}rank {} waits for the input of {} of micro-batch {} in chunk {}",
                text.empty() ? "" : "; ", rank,
                operation.kind == OperationKind::Forward ? "the forward pass" : "the backward pass",
                operation.microbatch, operation.chunk);
        }
        return text;
    }

    const std::vector<std::vector<Operation>>& m_programs;
    const std::vector<std::vector<Durations>>& m_durations;
    double m_transfer;
    std::int64_t m_ranks;
    std::int64_t m_stages;
    std::int64_t m_microbatches = 0;
    std::vector<double> m_forward_end; ///< by stage and micro-batch
    std::vector<double> m_input_gradient_end;
    Timeline m_timeline;
};

} // namespace

Result<Timeline> simulate(const std::vector<std::vector<Operation>>& programs, std::int64_t chunks,
    const std::vector<std::vector<Durations>>& durations, double transfer)
{
    return Simulation(programs, chunks, durations, transfer).run();
}

double busyTime(const Timeline& timeline, std::size_t rank)
{
    double busy = 0.0;
    for (const TimedOperation& timed : timeline.ranks[rank])
        busy += timed.end - timed.start;
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
