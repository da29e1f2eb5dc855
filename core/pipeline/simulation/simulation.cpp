// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/simulation/simulation.h"

#include <algorithm>
#include <utility>

namespace cardfit {

namespace {

/// Repeats of a part, or operations of short ones, for which memory is reserved; most steady states are reached and
/// recur within these.
constexpr std::size_t kUsualRounds = 2;
constexpr std::size_t kUsualOperations = 16;

} // namespace

Simulation::Simulation(std::vector<ProgramView> programs, Placement placement,
    const std::vector<std::vector<Durations>>& durations, const Transfers& transfers)
    : m_programs(std::move(programs))
    , m_blocking(transfers.model != TransferModel::Latency)
    , m_serialized(transfers.model == TransferModel::Serialized)
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
    const auto unlessBlocking = [](StageLink* link) { return link != nullptr && link->blocking ? nullptr : link; };
    for (Stage& stage : m_stages) {
        const auto connectTask = [&](OperationKind kind, StageLink* input, StageLink* output, StartedBy waits_for) {
            Task& task = stage.task(kind);
            task.input = unlessBlocking(input);
            task.output = unlessBlocking(output);
            task.waits_for = waits_for;
        };
        connectTask(OperationKind::Forward, stage.input, stage.output, StartedBy::Activations);
        for (const OperationKind kind : {OperationKind::Backward, OperationKind::BackwardInput})
            connectTask(kind, stage.gradient_input, stage.gradient_output, StartedBy::Gradient);
    }
    m_timeline.placement = placement;
    m_timeline.transfers = transfers;
    m_timeline.ranks.resize(ranks);
    for (std::size_t i = 0; i < ranks; ++i) {
        std::size_t expected = 0;
        for (const PartView& part : m_programs[i])
            expected += std::min(part.operations.size() * static_cast<std::size_t>(part.repeats),
                std::max(part.operations.size() * kUsualRounds, kUsualOperations));
        m_timeline.ranks[i].reserve(expected);
        m_ranks[i].number = i;
        m_ranks[i].stages = &m_stages[i * m_chunks];
        m_ranks[i].recorded = &m_timeline.ranks[i];
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

void Simulation::nextRepeat(Rank& rank)
{
    rank.index = 0;
    passRepeats(rank, 1);
}

/// Advances by a number of repeats of the current part; after the last one the next part begins.
void Simulation::passRepeats(Rank& rank, std::int64_t repeats)
{
    const PartView& part = partOf(rank.number);
    rank.shift += static_cast<std::int32_t>(repeats * part.step);
    rank.repeat += repeats;
    if (rank.repeat == part.repeats) {
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
        runRound();
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

/// Lets every rank run one more repeat. False if none has any left.
bool Simulation::openRound()
{
    bool opened = false;
    for (std::size_t i = 0; i < m_ranks.size(); ++i) {
        Rank& rank = m_ranks[i];
        if (rank.open_part < m_programs[i].size()) {
            ++rank.open_repeats;
            opened = true;
        }
        updateOpen(rank);
    }
    return opened;
}

/// Runs all operations that the round allows.
void Simulation::runRound()
{
    for (StageLink& link : m_links)
        link.awaited = false;
    for (std::size_t rank = m_ranks.size(); rank-- > 0;) {
        m_ready[m_ready_count++] = rank;
        m_ranks[rank].queued = true;
    }
    while (m_ready_count > 0)
        advance(m_ranks[m_ready[--m_ready_count]]);
    for (Rank& rank : m_ranks)
        openNextPart(rank);
}

/// If the round was the last repeat of a part, the next one is the first of the part after it.
void Simulation::openNextPart(Rank& rank)
{
    const ProgramView& program = m_programs[rank.number];
    if (rank.open_part == program.size() || rank.open_repeats < program[rank.open_part].repeats) return;
    ++rank.open_part;
    rank.open_repeats = 0;
}

/// Blocking transfers: queues a rank that is blocked on the link.
void Simulation::wake(std::size_t index, const StageLink& link)
{
    Rank& rank = m_ranks[index];
    if ((rank.blocked_on != &link && rank.or_blocked_on != &link) || rank.queued) return;
    rank.queued = true;
    m_ready[m_ready_count++] = index;
}

void Simulation::advance(Rank& rank)
{
    rank.queued = false;
    rank.blocked_on = rank.or_blocked_on = nullptr;
    if (m_blocking) return advanceBlocking(rank);
    while (rank.open && runUntil(rank, rank.operations.size()))
        nextRepeat(rank);
}

/// advance() with blocking transfers.
void Simulation::advanceBlocking(Rank& rank)
{
    while (rank.open) {
        if (!endExchange(rank.number)) return;
        const PartView& part = partOf(rank.number);
        const std::size_t done = rank.index + 1;
        const std::int32_t shift = rank.shift;
        if (!runUntil(rank, done)) return;
        if (done == part.operations.size()) nextRepeat(rank);
        if (done % part.exchange_every == 0) {
            startExchange(rank.number, part.operations.subspan(done - part.exchange_every, part.exchange_every), shift);
        }
    }
    // A rank at the end of its program still sends its last results.
    endExchange(rank.number);
}

/// Runs the operations of this repeat before index `end`. False if an input is missing. Inputs from the rank itself
/// need no check: they were made earlier in its program. The program is read in place, as shifting a copy of each
/// operation would double the time.
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
            started_by = value->available > start ? task.waits_for : started_by;
            start = std::max(start, value->available);
            task.input->remove(*value);
        }
        record(rank, operation, start, task.time, started_by);
        send(task.output, microbatch, rank.clock);
    }
    return true;
}

/// Runs a forward and a backward pass at once: needs the inputs of both.
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
        started_by = value->available > start ? task.waits_for : started_by;
        start = std::max(start, value->available);
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

/// Lists what a rank sends after its last operations, `done`, and receives for its next ones: gradients before
/// activations, sends before receives. `shift` is that of the micro-batch numbers of `done`.
void Simulation::startExchange(std::size_t index, std::span<const Operation> done, std::int32_t shift)
{
    const Rank& rank = m_ranks[index];
    Exchange& exchange = m_exchanges[index];
    exchange = Exchange{};
    exchange.end = rank.clock;
    std::span<const Operation> next;
    if (!atEnd(index)) {
        const PartView& part = partOf(index);
        next = part.operations.subspan(rank.index, std::min(part.exchange_every, part.operations.size() - rank.index));
    }
    const auto add = [&](StageLink* link, std::int32_t microbatch, StartedBy delay_cause, bool downstream) {
        if (link == nullptr || !link->blocking) return;
        exchange.transfers.push_back({link, microbatch, delay_cause == StartedBy::Receiver, downstream, delay_cause});
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

/// Completes the transfers between two operations. False while the other rank of one is not ready.
bool Simulation::endExchange(std::size_t index)
{
    Exchange& exchange = m_exchanges[index];
    auto& transfers = exchange.transfers;
    if (m_serialized) {
        while (PendingTransfer* transfer = nextSerialized(index)) {
            if (!transfer->posted) post(*transfer, exchange.end);
            if (!completeTransfer(index, *transfer)) return false;
        }
        return std::ranges::all_of(transfers, &PendingTransfer::done);
    }
    for (PendingTransfer& transfer : transfers) {
        if (!transfer.posted) post(transfer, m_ranks[index].clock);
    }
    return std::ranges::all_of(
        transfers, [&](PendingTransfer& transfer) { return transfer.done || completeTransfer(index, transfer); });
}

/// Serialized transfers: the first that is not done. If two are with the rank of the next stage, the order follows that
/// rank's program: the one that it is ready for goes first. Null if it is ready for neither, or if all are done.
Simulation::PendingTransfer* Simulation::nextSerialized(std::size_t index)
{
    auto& transfers = m_exchanges[index].transfers;
    const auto first = std::ranges::find(transfers, false, &PendingTransfer::done);
    if (first == transfers.end()) return nullptr;
    if (first->posted || !first->downstream) return &*first;
    const auto second = std::find_if(first + 1, transfers.end(),
        [](const PendingTransfer& transfer) { return transfer.downstream && !transfer.done; });
    if (second == transfers.end()) return &*first;
    const auto otherIsReady = [](const PendingTransfer& transfer) {
        const StageLink::Value* value = transfer.link->find(transfer.microbatch);
        return value != nullptr && (transfer.sends ? value->receiver_ready : value->sender_ready);
    };
    if (otherIsReady(*first)) return &*first;
    if (otherIsReady(*second)) return &*second;
    m_ranks[index].blocked_on = first->link;
    m_ranks[index].or_blocked_on = second->link;
    return nullptr;
}

void Simulation::post(PendingTransfer& transfer, double ready)
{
    transfer.posted = true;
    StageLink::Value& value = transfer.link->at(transfer.microbatch);
    (transfer.sends ? value.sender_ready : value.receiver_ready) = true;
    value.available = std::max(value.available, ready);
    wake(transfer.sends ? transfer.link->to : transfer.link->from, *transfer.link);
}

bool Simulation::completeTransfer(std::size_t index, PendingTransfer& transfer)
{
    StageLink& link = *transfer.link;
    StageLink::Value& value = link.at(transfer.microbatch);
    if (!value.sender_ready || !value.receiver_ready) {
        m_ranks[index].blocked_on = &link;
        return false;
    }
    Exchange& exchange = m_exchanges[index];
    const double end = value.available + link.transfer;
    if (end > exchange.end) {
        exchange.end = end;
        exchange.ended_by = transfer.delay_cause;
    }
    transfer.done = true;
    if (++value.ranks_done == 2) link.remove(value);
    return true;
}

/// The cycle of ranks that wait for each other; empty if all are at the end of their programs.
Sentence Simulation::deadlock()
{
    std::vector<bool> seen(m_ranks.size(), false);
    std::size_t rank = 0;
    while (rank < m_ranks.size() && atEnd(rank))
        ++rank;
    if (rank == m_ranks.size()) return {};
    const auto other = [&](std::size_t waiting) {
        const StageLink* link = m_ranks[waiting].blocked_on;
        return link == nullptr ? waiting : link->from == waiting ? link->to : link->from;
    };
    while (!seen[rank]) {
        seen[rank] = true;
        rank = other(rank);
    }
    // `rank` is on the cycle now: walk around it once.
    Sentence cycle;
    const std::size_t first = rank;
    do {
        const StageLink* link = m_ranks[rank].blocked_on;
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
        cycle = cycle.empty() ? std::move(waiting) : Sentence::tr("{}; {}", {std::move(cycle), std::move(waiting)});
        rank = other(rank);
    } while (rank != first);
    return cycle;
}

} // namespace cardfit
