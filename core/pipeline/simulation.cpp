// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/simulation.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace cardfit {

namespace {

/// Repeats of a part for which room is made; most steady states set in and recur within so many.
constexpr std::int64_t kUsualRounds = 4;

std::size_t indexOf(OperationKind kind) { return static_cast<std::size_t>(kind); }

} // namespace

Simulation::Simulation(std::vector<ProgramView> programs, Placement placement,
    const std::vector<std::vector<Durations>>& durations, const Transfers& transfers)
    : m_programs(std::move(programs))
    , m_blocking(transfers.model != TransferModel::Latency)
    , m_one_by_one(transfers.model == TransferModel::Serialized)
    , m_ranks(m_programs.size())
    , m_chunks(durations.front().size())
{
    const std::size_t ranks = m_ranks.size();
    m_stages.resize(ranks * m_chunks);
    for (std::size_t i = 0; i < m_stages.size(); ++i) {
        const Durations& times = durations[i / m_chunks][i % m_chunks];
        auto& by_kind = m_stages[i].times;
        by_kind[indexOf(OperationKind::Forward)] = times.forward;
        by_kind[indexOf(OperationKind::Backward)] = times.backward();
        by_kind[indexOf(OperationKind::BackwardInput)] = times.backward_input;
        by_kind[indexOf(OperationKind::BackwardWeight)] = times.backward_weight;
        by_kind[indexOf(OperationKind::Update)] = times.update;
        m_stages[i].overlapped = times.overlapped.value_or(-1.0);
    }
    m_links.reserve(2 * m_stages.size());
    for (const Pipe& pipe : pipes(placement, ranks, m_chunks)) {
        for (std::size_t i = 0; i + 1 < pipe.size(); ++i) {
            const bool wraps = placement == Placement::Loop && (i + 1) % ranks == 0;
            connect(pipe[i], pipe[i + 1], transfers, wraps);
        }
    }
    m_timeline.placement = placement;
    m_timeline.transfers = transfers;
    m_timeline.ranks.resize(ranks);
    for (std::size_t i = 0; i < ranks; ++i) {
        std::size_t expected = 0;
        for (const PartView& part : m_programs[i])
            expected += part.operations.size() * static_cast<std::size_t>(std::min(part.repeats, kUsualRounds));
        m_timeline.ranks[i].reserve(expected);
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

/// To the next operation of the program.
void Simulation::goOn(std::size_t index)
{
    Rank& rank = m_ranks[index];
    const PartView& part = m_programs[index][rank.part];
    if (++rank.index < part.operations.size()) return;
    rank.index = 0;
    rank.shift += static_cast<std::int32_t>(part.step);
    if (++rank.repeat == part.repeats) {
        ++rank.part;
        rank.repeat = 0;
        rank.shift = 0;
    }
    updateOpen(index);
}

void Simulation::updateOpen(std::size_t index)
{
    Rank& rank = m_ranks[index];
    rank.open = !atEnd(index)
        && (rank.part < rank.open_part || (rank.part == rank.open_part && rank.repeat < rank.open_repeats));
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
                fmt::format(
                    "the pipeline does not settle within {} operations, which is too many to simulate", most_stored));
        }
        skipRepeats();
    }
    if (const std::string waiting = deadlock(); !waiting.empty()) {
        return fail(ErrorCode::OutOfRange, {}, "the schedule deadlocks: " + waiting);
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
        updateOpen(i);
    }
    return opened;
}

/// Runs what the round allows.
void Simulation::settle()
{
    for (std::size_t rank = m_ranks.size(); rank-- > 0;) {
        m_ready.push_back(rank);
        m_ranks[rank].queued = true;
    }
    while (!m_ready.empty()) {
        const std::size_t rank = m_ready.back();
        m_ready.pop_back();
        advance(rank);
    }
}

void Simulation::wake(std::size_t index, const StageLink& link)
{
    Rank& rank = m_ranks[index];
    if ((rank.awaits != &link && rank.or_awaits != &link) || rank.queued) return;
    rank.queued = true;
    m_ready.push_back(index);
}

void Simulation::advance(std::size_t index)
{
    Rank& rank = m_ranks[index];
    rank.queued = false;
    rank.awaits = rank.or_awaits = nullptr;
    while (rank.open) {
        if (!m_blocking) {
            if (!runNext(index)) return;
            goOn(index);
            continue;
        }
        if (!endExchange(index)) return;
        const PartView& part = partOf(index);
        const std::size_t done = rank.index + 1;
        const std::int32_t shift = rank.shift;
        if (!runNext(index)) return;
        goOn(index);
        if (done % part.turn == 0) startExchange(index, part.operations.subspan(done - part.turn, part.turn), shift);
    }
    // A rank at its end still hands over what it has made.
    if (m_blocking) endExchange(index);
}

/// False if an input of the next operation is missing. What comes from the rank itself comes earlier in its program.
/// Reads the program's entry where it stands: a shifted copy of it for every operation takes as long as all the rest.
bool Simulation::runNext(std::size_t index)
{
    Rank& rank = m_ranks[index];
    const Operation& operation = partOf(index).operations[rank.index];
    Stage& stage = stageOf(index, operation.chunk);
    const std::int32_t microbatch = operation.microbatch + rank.shift;
    const double time = stage.times[indexOf(operation.kind)];
    switch (operation.kind) {
    case OperationKind::Forward:
        return pass(index, stage.input, stage.output, microbatch, StartedBy::Activations, time);
    case OperationKind::Backward:
    case OperationKind::BackwardInput:
        return pass(index, stage.gradient_input, stage.gradient_output, microbatch, StartedBy::Gradient, time);
    case OperationKind::BackwardWeight:
    case OperationKind::Update: {
        auto started_by = StartedBy::Rank;
        const double start = afterExchange(index, started_by);
        record(index, start, time, started_by);
        return true;
    }
    case OperationKind::Overlapped: return overlappedPasses(index, operation);
    }
    return false;
}

/// The earliest start of the next operation as far as its rank is concerned: blocking transfers are over by then.
double Simulation::afterExchange(std::size_t index, StartedBy& started_by) const
{
    const double clock = m_ranks[index].clock;
    if (!m_blocking || m_exchanges[index].end <= clock) return clock;
    started_by = m_exchanges[index].ended_by;
    return m_exchanges[index].end;
}

void Simulation::record(std::size_t index, double start, double time, StartedBy started_by)
{
    Rank& rank = m_ranks[index];
    if (start > rank.clock) rank.waited = m_round;
    rank.clock = start + time;
    m_timeline.ranks[index].add(partOf(index).operations[rank.index], rank.shift, start, rank.clock, started_by);
}

void Simulation::send(StageLink* link, std::int32_t microbatch, double end)
{
    if (link == nullptr || link->blocking) return;
    link->at(microbatch).offered = end + link->transfer;
    wake(link->to, *link);
}

/// A forward or a backward pass alone.
bool Simulation::pass(
    std::size_t index, StageLink* input, StageLink* output, std::int32_t microbatch, StartedBy waits_for, double time)
{
    Rank& rank = m_ranks[index];
    auto started_by = StartedBy::Rank;
    double start = afterExchange(index, started_by);
    if (input != nullptr && !input->blocking) {
        StageLink::Value* value = input->find(microbatch);
        if (value == nullptr) {
            rank.awaits = input;
            return false;
        }
        if (value->offered > start) {
            start = value->offered;
            started_by = waits_for;
        }
        input->remove(*value);
    }
    record(index, start, time, started_by);
    send(output, microbatch, rank.clock);
    return true;
}

/// Both at once: needs the inputs of both.
bool Simulation::overlappedPasses(std::size_t index, const Operation& operation)
{
    Rank& rank = m_ranks[index];
    const std::int32_t forward = operation.microbatch + rank.shift;
    const std::int32_t backward = operation.backward_microbatch + rank.shift;
    const Stage& ahead = stageOf(index, operation.chunk);
    const Stage& back = stageOf(index, operation.backward_chunk);
    auto started_by = StartedBy::Rank;
    double start = afterExchange(index, started_by);
    const auto find = [&](StageLink* link, std::int32_t microbatch, StageLink::Value*& value) {
        if (link == nullptr || link->blocking) return true;
        value = link->find(microbatch);
        if (value == nullptr) rank.awaits = link;
        return value != nullptr;
    };
    StageLink::Value* activations = nullptr;
    StageLink::Value* gradient = nullptr;
    if (!find(ahead.input, forward, activations) || !find(back.gradient_input, backward, gradient)) return false;
    const auto take = [&](StageLink* link, StageLink::Value* value, StartedBy waits_for) {
        if (value == nullptr) return;
        if (value->offered > start) {
            start = value->offered;
            started_by = waits_for;
        }
        link->remove(*value);
    };
    take(ahead.input, activations, StartedBy::Activations);
    take(back.gradient_input, gradient, StartedBy::Gradient);
    const double one_after_the_other =
        ahead.times[indexOf(OperationKind::Forward)] + back.times[indexOf(OperationKind::Backward)];
    record(index, start, ahead.overlapped >= 0.0 ? ahead.overlapped : one_after_the_other, started_by);
    send(ahead.output, forward, rank.clock);
    send(back.gradient_output, backward, rank.clock);
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
std::string Simulation::deadlock()
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
    std::string text;
    const std::size_t first = rank;
    do {
        const StageLink* link = m_ranks[rank].awaits;
        const Operation operation = atEnd(rank) ? Operation() : nextOperation(rank);
        const bool takes = link != nullptr && link->to == rank;
        const bool backward =
            makesInputGradient(operation.kind) && link == stageOf(rank, operation.backwardPass().chunk).gradient_input;
        const Pass pass = backward ? operation.backwardPass() : operation.forwardPass();
        text += fmt::format("{}rank {} {}", text.empty() ? "" : "; ", rank,
            takes ? fmt::format("waits for rank {}: the input of the {} pass of micro-batch {} in chunk {}",
                other(rank), backward ? "backward" : "forward", pass.microbatch, pass.chunk)
                  : fmt::format("waits for rank {} to take what it has made", other(rank)));
        rank = other(rank);
    } while (rank != first);
    return text;
}

} // namespace cardfit
