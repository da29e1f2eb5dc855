// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/exchanges.h"

#include <algorithm>
#include <cmath>

namespace cardfit {

namespace {

std::optional<OperationId> lastBefore(std::size_t rank, std::size_t index)
{
    if (index == 0) return std::nullopt;
    return OperationId{rank, index - 1};
}

} // namespace

bool startsAt(const Timeline& timeline, const TimedOperation& operation, double ready)
{
    constexpr double kRounding = 1e-9;
    return std::abs(operation.start - ready) <= kRounding * timeline.makespan;
}

/// Whether the rank stands still between two operations for as long as a transfer takes, give or take a rounding.
bool Exchanges::standsBefore(std::size_t rank, std::size_t index) const
{
    const RankTimeline& operations = m_timeline.ranks[rank];
    if (index == 0 || index == operations.size()) return true;
    return operations[index].start - operations[index - 1].end >= 0.5 * m_timeline.transfers.time;
}

/// Index of the first of the operations in a row that this one is of.
std::size_t Exchanges::firstOfRun(std::size_t rank, std::size_t index) const
{
    while (!standsBefore(rank, index))
        --index;
    return index;
}

/// Index past the last of them.
std::size_t Exchanges::endOfRun(std::size_t rank, std::size_t index) const
{
    do
        ++index;
    while (!standsBefore(rank, index));
    return index;
}

/// From the last rank on to the next chunk on the first, and back, frameworks send without waiting.
bool Exchanges::blocks(std::size_t from, std::size_t to, bool gradient) const
{
    if (m_timeline.placement != Placement::Loop) return true;
    const std::size_t last = m_timeline.ranks.size() - 1;
    return gradient ? from != 0 || to != last : from != last || to != 0;
}

double Exchanges::endOf(const std::optional<OperationId>& id) const
{
    return id ? m_timeline.ranks[id->rank][id->index].end : 0.0;
}

/// Without their starts.
std::vector<Handover> Exchanges::list(std::size_t rank, std::size_t index) const
{
    std::vector<Handover> found;
    const bool stands = standsBefore(rank, index);
    const std::size_t first = index == 0 ? 0 : stands ? firstOfRun(rank, index - 1) : index;
    const std::size_t size = m_timeline.ranks[rank].size();
    const std::size_t last = index == size ? index : stands ? endOfRun(rank, index) : index + 1;
    const auto sent = [&](bool gradient) {
        for (std::size_t i = first; i < index; ++i) {
            const Counterparts to = m_dependencies.outputs({rank, i});
            const auto& taker = gradient ? to.gradient : to.activations;
            if (!taker || taker->rank == rank || !blocks(rank, taker->rank, gradient)) continue;
            found.push_back(
                {true, gradient, true, *taker, lastBefore(taker->rank, firstOfRun(taker->rank, taker->index)), 0.0});
        }
    };
    const auto received = [&](bool gradient) {
        for (std::size_t i = index; i < last; ++i) {
            const Counterparts from = m_dependencies.inputs({rank, i});
            const auto& maker = gradient ? from.gradient : from.activations;
            if (!maker || maker->rank == rank) continue;
            // What comes without blocking is awaited by the operation that takes it.
            if (!blocks(maker->rank, rank, gradient)) {
                if (i == index) found.push_back({false, gradient, false, *maker, maker, 0.0});
                continue;
            }
            if (!stands) continue;
            const OperationId ready{maker->rank, endOfRun(maker->rank, maker->index) - 1};
            found.push_back({false, gradient, true, *maker, ready, 0.0});
        }
    };
    sent(true);
    received(true);
    sent(false);
    received(false);
    return found;
}

std::vector<Handover> Exchanges::handovers(std::size_t rank, std::size_t index) const
{
    if (m_timeline.transfers.model == TransferModel::Latency) return {};
    std::vector<Handover> found = list(rank, index);
    for (Handover& handover : found) {
        handover.start = endOf(handover.peer);
        if (handover.blocks) handover.start = std::max(handover.start, endOf(lastBefore(rank, index)));
    }
    return found;
}

std::vector<Predecessor> Exchanges::predecessors(OperationId id) const
{
    std::vector<Predecessor> found;
    const auto own = lastBefore(id.rank, id.index);
    if (m_timeline.transfers.model == TransferModel::Latency) {
        if (own) found.push_back({*own, 0});
        const Counterparts from = m_dependencies.inputs(id);
        for (const auto& maker : {from.activations, from.gradient}) {
            if (maker) found.push_back({*maker, maker->rank == id.rank ? std::size_t{0} : 1});
        }
        return found;
    }
    const std::vector<Handover> values = list(id.rank, id.index);
    if (own) found.push_back({*own, std::ranges::any_of(values, &Handover::blocks) ? std::size_t{1} : 0});
    for (const Handover& value : values) {
        if (value.peer) found.push_back({*value.peer, 1});
    }
    return found;
}

} // namespace cardfit
