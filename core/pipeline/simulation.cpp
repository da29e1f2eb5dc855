// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/simulation.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace cardfit {

namespace {

/// Repeats of a part for which room is made; most steady states set in and recur within so many.
constexpr std::int64_t kUsualRounds = 4;

} // namespace

Simulation::Simulation(std::vector<ProgramView> programs, Placement placement,
    const std::vector<std::vector<Durations>>& durations, const Transfers& transfers)
    : m_programs(std::move(programs))
    , m_blocking(transfers.model != TransferModel::Latency)
    , m_one_by_one(transfers.model == TransferModel::Serialized)
    , m_ranks(m_programs.size())
    , m_chunks(durations.front().size())
    , m_ready(m_programs.size() + 1)
{
    const std::size_t ranks = m_ranks.size();
    m_stages.resize(ranks * m_chunks);
    for (std::size_t i = 0; i < m_stages.size(); ++i) {
        const Durations& times = durations[i / m_chunks][i % m_chunks];
        Stage& stage = m_stages[i];
        stage.task(OperationKind::Forward).time = times.forward;
        stage.task(OperationKind::Backward).time = times.backward();
        stage.task(OperationKind::BackwardInput).time = times.backward_input;
        stage.task(OperationKind::BackwardWeight).time = times.backward_weight;
        stage.task(OperationKind::Update).time = times.update;
        stage.overlapped = times.overlapped.value_or(-1.0);
    }
    m_links.reserve(2 * m_stages.size());
    for (const Pipe& pipe : pipes(placement, ranks, m_chunks)) {
        for (std::size_t i = 0; i + 1 < pipe.size(); ++i) {
            const bool wraps = placement == Placement::Loop && (i + 1) % ranks == 0;
            connect(pipe[i], pipe[i + 1], transfers, wraps);
        }
    }
    const auto unlessItBlocks = [](StageLink* link) { return link != nullptr && link->blocking ? nullptr : link; };
    for (Stage& stage : m_stages) {
        const auto takesAndGives = [&](OperationKind kind, StageLink* input, StageLink* output, StartedBy waits_for) {
            Task& task = stage.task(kind);
            task.input = unlessItBlocks(input);
            task.output = unlessItBlocks(output);
            task.waits_for = waits_for;
        };
        takesAndGives(OperationKind::Forward, stage.input, stage.output, StartedBy::Activations);
        for (const OperationKind kind : {OperationKind::Backward, OperationKind::BackwardInput})
            takesAndGives(kind, stage.gradient_input, stage.gradient_output, StartedBy::Gradient);
    }
    m_timeline.placement = placement;
    m_timeline.transfers = transfers;
    m_timeline.ranks.resize(ranks);
    for (std::size_t i = 0; i < ranks; ++i) {
        std::size_t expected = 0;
        for (const PartView& part : m_programs[i])
            expected += part.operations.size() * static_cast<std::size_t>(std::min(part.repeats, kUsualRounds));
        m_timeline.ranks[i].reserve(expected);
        m_ranks[i].number = i;
        m_ranks[i].stages = &m_stages[i * m_chunks];
        m_ranks[i].done = &m_timeline.ranks[i];
        updateOpen(m_ranks[i]);
    }
}

void Simulation::connect(StagePlace before, StagePlace after, const Transfers& transfers, bool wraps)
{
    const bool local = before.rank == after.rank;
    const double time = local ? 0.0 : transfers.time;
    const bool blocks = m_blocking && !local && !wraps;
    Stage& first = stageOf(before.rank, before.chunk);
    Stage& second = stageOf(after.rank, after.chunk);
    first.output = second.input = &m_links.emplace_back(before.rank, after.rank, time, blocks);
    second.gradient_output = first.gradient_input = &m_links.emplace_back(after.rank, before.rank, time, blocks);
}

Operation Simulation::nextOperation(std::size_t rank) const
{
    return partOf(rank).operations[m_ranks[rank].index].shifted(m_ranks[rank].shift);
}

/// To the next operation of the program, after the last one of a repeat.
void Simulation::nextRepeat(Rank& rank)
{
    const PartView& part = partOf(rank.number);
    rank.index = 0;
    rank.shift += static_cast<std::int32_t>(part.step);
    if (++rank.repeat == part.repeats) {
        ++rank.part;
        rank.repeat = 0;
        rank.shift = 0;
    }
    updateOpen(rank);
}

void Simulation::updateOpen(Rank& rank)
{
    const bool at_end = atEnd(rank.number);
    rank.operations = at_end ? std::span<const Operation>{} : partOf(rank.number).operations;
    rank.open =
        !at_end && (rank.part < rank.open_part || (rank.part == rank.open_part && rank.repeat < rank.open_repeats));
}

Result<Timeline> Simulation::run(std::size_t most_stored)
{
    if (m_blocking) {
        m_exchanges.resize(m_ranks.size());
        for (std::size_t rank = 0; rank < m_ranks.size(); ++rank)
            startExchange(rank, {}, 0);
    }
    for (; openRound(); ++m_round) {
        settle();
        std::size_t stored = 0;
        for (const RankTimeline& rank : m_timeline.ranks)
            stored += rank.storedSize();
        if (stored > most_stored) {
            return fail(ErrorCode::OutOfRange, {},
                Sentence::tr(
                    "the pipeline does not settle within {} operations, which is too many to simulate", {most_stored}));
        }
        skipRepeats();
    }
    if (const Sentence waiting = deadlock(); !waiting.empty()) {
        return fail(ErrorCode::OutOfRange, {}, Sentence::tr("the schedule deadlocks: {}", {waiting}));
    }
    for (const Rank& rank : m_ranks)
        m_timeline.makespan = std::max(m_timeline.makespan, rank.clock);
    return std::move(m_timeline);
}

/// Every rank may run one more repeat. False if none has any left.
bool Simulation::openRound()
{
    bool opened = false;
    for (std::size_t i = 0; i < m_ranks.size(); ++i) {
        Rank& rank = m_ranks[i];
        const ProgramView& program = m_programs[i];
        if (rank.open_part < program.size() && rank.open_repeats == program[rank.open_part].repeats) {
            ++rank.open_part;
            rank.open_repeats = 0;
        }
        if (rank.open_part < program.size()) {
            ++rank.open_repeats;
            opened = true;
        }
        updateOpen(rank);
    }
    return opened;
}

/// Runs what the round allows.
void Simulation::settle()
{
    for (StageLink& link : m_links)
        link.awaited = false;
    for (std::size_t rank = m_ranks.size(); rank-- > 0;) {
        m_ready[m_ready_count++] = rank;
        m_ranks[rank].queued = true;
    }
    while (m_ready_count > 0)
        advance(m_ranks[m_ready[--m_ready_count]]);
}

/// Blocking transfers: the other rank of a link has something to settle.
void Simulation::wake(std::size_t index, const StageLink& link)
{
    Rank& rank = m_ranks[index];
    if ((rank.awaits != &link && rank.or_awaits != &link) || rank.queued) return;
    rank.queued = true;
    m_ready[m_ready_count++] = index;
}

void Simulation::advance(Rank& rank)
{
    rank.queued = false;
    rank.awaits = rank.or_awaits = nullptr;
    if (m_blocking) return advanceInTurns(rank);
    while (rank.open && runUntil(rank, rank.operations.size()))
        nextRepeat(rank);
}

/// The same where transfers block.
void Simulation::advanceInTurns(Rank& rank)
{
    while (rank.open) {
        if (!endExchange(rank.number)) return;
        const PartView& part = partOf(rank.number);
        const std::size_t done = rank.index + 1;
        const std::int32_t shift = rank.shift;
        if (!runUntil(rank, done)) return;
        if (done == part.operations.size()) nextRepeat(rank);
        if (done % part.turn == 0) {
            startExchange(rank.number, part.operations.subspan(done - part.turn, part.turn), shift);
        }
    }
    // A rank at its end still hands over what it has made.
    endExchange(rank.number);
}

/// Operations of this repeat, up to the one of an index. False if an input is missing before that. What comes from the
/// rank itself comes earlier in its program. Reads the program's entries where they stand: a shifted copy of each takes
/// as long as all the rest.
bool Simulation::runUntil(Rank& rank, std::size_t end)
{
    for (; rank.index < end; ++rank.index) {
        const Operation& operation = rank.operations[rank.index];
        if (operation.kind == OperationKind::Overlapped) {
            if (!runBlock(rank, operation)) return false;
            continue;
        }
        const Task& task = rank.stages[operation.chunk].task(operation.kind);
        const std::int32_t microbatch = operation.microbatch + rank.shift;
        auto started_by = StartedBy::Rank;
        double start = afterExchange(rank, started_by);
        if (task.input != nullptr) {
            StageLink::Value* value = task.input->find(microbatch);
            if (value == nullptr) {
                await(rank, *task.input);
                return false;
            }
            started_by = value->offered > start ? task.waits_for : started_by;
            start = std::max(start, value->offered);
            task.input->remove(*value);
        }
        record(rank, operation, start, task.time, started_by);
        send(task.output, microbatch, rank.clock);
    }
    return true;
}

/// A forward and a backward pass at once: needs the inputs of both.
bool Simulation::runBlock(Rank& rank, const Operation& operation)
{
    const std::int32_t forward_microbatch = operation.microbatch + rank.shift;
    const std::int32_t backward_microbatch = operation.backward_microbatch + rank.shift;
    const Task& forward = rank.stages[operation.chunk].task(OperationKind::Forward);
    const Task& backward = rank.stages[operation.backward_chunk].task(OperationKind::Backward);
    const auto find = [&](StageLink* link, std::int32_t microbatch, StageLink::Value*& value) {
        if (link == nullptr) return true;
        value = link->find(microbatch);
        if (value == nullptr) await(rank, *link);
        return value != nullptr;
    };
    StageLink::Value* activations = nullptr;
    StageLink::Value* gradient = nullptr;
    if (!find(forward.input, forward_microbatch, activations)) return false;
    if (!find(backward.input, backward_microbatch, gradient)) return false;
    auto started_by = StartedBy::Rank;
    double start = afterExchange(rank, started_by);
    const auto take = [&](const Task& task, StageLink::Value* value) {
        if (value == nullptr) return;
        started_by = value->offered > start ? task.waits_for : started_by;
        start = std::max(start, value->offered);
        task.input->remove(*value);
    };
    take(forward, activations);
    take(backward, gradient);
    const double overlapped = rank.stages[operation.chunk].overlapped;
    record(rank, operation, start, overlapped >= 0.0 ? overlapped : forward.time + backward.time, started_by);
    send(forward.output, forward_microbatch, rank.clock);
    send(backward.output, backward_microbatch, rank.clock);
    return true;
}

/// What a rank hands over after a turn and takes before the next one: gradients first, what it gives before what it
/// takes.
void Simulation::startExchange(std::size_t index, std::span<const Operation> done, std::int32_t shift)
{
    const Rank& rank = m_ranks[index];
    Exchange& exchange = m_exchanges[index];
    exchange = Exchange{};
    exchange.end = rank.clock;
    std::span<const Operation> next;
    if (!atEnd(index)) {
        const PartView& part = partOf(index);
        next = part.operations.subspan(rank.index, std::min(part.turn, part.operations.size() - rank.index));
    }
    const auto add = [&](StageLink* link, std::int32_t microbatch, StartedBy makes_wait, bool downstream) {
        if (link == nullptr || !link->blocking) return;
        exchange.handovers[exchange.count++] = {
            link, microbatch, makes_wait == StartedBy::Receiver, downstream, makes_wait};
    };
    const auto each = [](std::span<const Operation> operations, bool (*takes_part)(OperationKind), const auto& visit) {
        for (const Operation& operation : operations) {
            if (takes_part(operation.kind)) visit(operation);
        }
    };
    each(done, makesInputGradient, [&](const Operation& operation) {
        const Pass pass = operation.backwardPass();
        add(stageOf(index, pass.chunk).gradient_output, pass.microbatch + shift, StartedBy::Receiver, false);
    });
    each(next, makesInputGradient, [&](const Operation& operation) {
        const Pass pass = operation.backwardPass();
        add(stageOf(index, pass.chunk).gradient_input, pass.microbatch + rank.shift, StartedBy::Gradient, true);
    });
    each(done, runsForward, [&](const Operation& operation) {
        add(stageOf(index, operation.chunk).output, operation.microbatch + shift, StartedBy::Receiver, true);
    });
    each(next, runsForward, [&](const Operation& operation) {
        add(stageOf(index, operation.chunk).input, operation.microbatch + rank.shift, StartedBy::Activations, false);
    });
}

/// False while the other side of a handover is not ready.
bool Simulation::endExchange(std::size_t index)
{
    Exchange& exchange = m_exchanges[index];
    const std::span<Handover> handovers(exchange.handovers.data(), exchange.count);
    if (m_one_by_one) {
        while (Handover* handover = nextInTurn(index)) {
            if (!handover->announced) announce(*handover, exchange.end);
            if (!settleHandover(index, *handover)) return false;
        }
        return std::ranges::all_of(handovers, &Handover::settled);
    }
    for (Handover& handover : handovers) {
        if (!handover.announced) announce(handover, m_ranks[index].clock);
    }
    return std::ranges::all_of(
        handovers, [&](Handover& handover) { return handover.settled || settleHandover(index, handover); });
}

/// The first that is not settled. Of two with the next stage's rank the one that that rank is ready for: it decides, as
/// its operations say what comes first. None if it is ready for neither, or nothing is left.
Simulation::Handover* Simulation::nextInTurn(std::size_t index)
{
    Exchange& exchange = m_exchanges[index];
    const std::span<Handover> handovers(exchange.handovers.data(), exchange.count);
    const auto first = std::ranges::find(handovers, false, &Handover::settled);
    if (first == handovers.end()) return nullptr;
    if (first->announced || !first->downstream) return &*first;
    const auto second = std::find_if(
        first + 1, handovers.end(), [](const Handover& handover) { return handover.downstream && !handover.settled; });
    if (second == handovers.end()) return &*first;
    const auto otherIsReady = [](const Handover& handover) {
        const StageLink::Value* value = handover.link->find(handover.microbatch);
        return value != nullptr && (handover.sends ? value->wanted : value->offered) != StageLink::kNotYet;
    };
    if (otherIsReady(*first)) return &*first;
    if (otherIsReady(*second)) return &*second;
    m_ranks[index].awaits = first->link;
    m_ranks[index].or_awaits = second->link;
    return nullptr;
}

void Simulation::announce(Handover& handover, double ready)
{
    handover.announced = true;
    StageLink::Value& value = handover.link->at(handover.microbatch);
    (handover.sends ? value.offered : value.wanted) = ready;
    wake(handover.sends ? handover.link->to : handover.link->from, *handover.link);
}

bool Simulation::settleHandover(std::size_t index, Handover& handover)
{
    StageLink& link = *handover.link;
    StageLink::Value& value = link.at(handover.microbatch);
    if (value.offered == StageLink::kNotYet || value.wanted == StageLink::kNotYet) {
        m_ranks[index].awaits = &link;
        return false;
    }
    Exchange& exchange = m_exchanges[index];
    const double end = std::max(value.offered, value.wanted) + link.transfer;
    if (end > exchange.end) {
        exchange.end = end;
        exchange.ended_by = handover.makes_wait;
    }
    handover.settled = true;
    if (++value.settled_by == 2) link.remove(value);
    return true;
}

/// The circle of ranks that wait for each other; empty if all are at their end.
Sentence Simulation::deadlock()
{
    std::vector<bool> seen(m_ranks.size(), false);
    std::size_t rank = 0;
    while (rank < m_ranks.size() && atEnd(rank))
        ++rank;
    if (rank == m_ranks.size()) return {};
    const auto other = [&](std::size_t waiting) {
        const StageLink* link = m_ranks[waiting].awaits;
        return link == nullptr ? waiting : link->from == waiting ? link->to : link->from;
    };
    while (!seen[rank]) {
        seen[rank] = true;
        rank = other(rank);
    }
    // Now on the circle: once around.
    Sentence circle;
    const std::size_t first = rank;
    do {
        const StageLink* link = m_ranks[rank].awaits;
        const Operation operation = atEnd(rank) ? Operation() : nextOperation(rank);
        const bool takes = link != nullptr && link->to == rank;
        const bool backward =
            makesInputGradient(operation.kind) && link == stageOf(rank, operation.backwardPass().chunk).gradient_input;
        const Pass pass = backward ? operation.backwardPass() : operation.forwardPass();
        Sentence waiting = !takes
            ? Sentence::tr("rank {} waits for rank {} to take what it has made", {rank, other(rank)})
            : backward
            ? Sentence::tr("rank {} waits for rank {}: the input of the backward pass of micro-batch {} in chunk {}",
                {rank, other(rank), pass.microbatch, static_cast<int>(pass.chunk)})
            : Sentence::tr("rank {} waits for rank {}: the input of the forward pass of micro-batch {} in chunk {}",
                {rank, other(rank), pass.microbatch, static_cast<int>(pass.chunk)});
        circle = circle.empty() ? std::move(waiting) : Sentence::tr("{}; {}", {std::move(circle), std::move(waiting)});
        rank = other(rank);
    } while (rank != first);
    return circle;
}

} // namespace cardfit
