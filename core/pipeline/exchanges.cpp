// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/exchanges.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace cardfit {

namespace {

/// A rank takes a gradient from the next stage and gives it activations in the order in which that one stands ready for
/// them, and takes first where it stands ready for both at once.
void orderLikeNextStage(std::vector<Handover>& handovers)
{
    const auto isGiven = [](const Handover& each) { return each.sent && !each.gradient; };
    const auto given = std::ranges::find_if(handovers, isGiven);
    if (given == handovers.begin() || given == handovers.end()) return;
    const auto taken = given - 1;
    if (taken->sent || !taken->gradient || !taken->blocks || taken->there.rank != given->there.rank) return;
    if (given->there.index < taken->there.index) std::iter_swap(taken, given);
}

} // namespace

bool startsAt(const Timeline& timeline, double start, double ready)
{
    constexpr double kRounding = 1e-9;
    return std::abs(start - ready) <= kRounding * timeline.makespan;
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
    const auto give = [&](OperationId maker, const std::optional<OperationId>& taker, bool gradient) {
        if (!taker || taker->rank == rank || !blocks(rank, taker->rank, gradient)) return;
        found.push_back({true, gradient, true, maker, {taker->rank, firstOfRun(taker->rank, taker->index)}, 0.0});
    };
    const auto take = [&](std::size_t taker, const std::optional<OperationId>& maker, bool gradient) {
        if (!maker || maker->rank == rank) return;
        const bool it_blocks = blocks(maker->rank, rank, gradient);
        // What comes without blocking is awaited by the operation that takes it.
        if (it_blocks ? !stands : taker != index) return;
        const std::size_t ready = it_blocks ? endOfRun(maker->rank, maker->index) : maker->index + 1;
        found.push_back({false, gradient, it_blocks, *maker, {maker->rank, ready}, 0.0});
    };
    for (std::size_t i = first; i < index; ++i) {
        const Counterparts to = m_dependencies.outputs({rank, i});
        give({rank, i}, to.gradient, true);
        give({rank, i}, to.activations, false);
    }
    for (std::size_t i = index; i < last; ++i) {
        const Counterparts from = m_dependencies.inputs({rank, i});
        take(i, from.gradient, true);
        take(i, from.activations, false);
    }
    // Gradients first, and what is given before what is taken.
    std::ranges::stable_sort(
        found, std::ranges::greater{}, [](const Handover& each) { return std::pair(each.gradient, each.sent); });
    return found;
}

std::vector<Handover> Exchanges::handovers(std::size_t rank, std::size_t index) const
{
    if (m_timeline.transfers.model == TransferModel::Latency) return {};
    std::vector<Handover> found = list(rank, index);
    if (m_timeline.transfers.model == TransferModel::Serialized) orderLikeNextStage(found);
    for (Handover& handover : found) {
        handover.start = endOf(handover.peer());
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
        if (const auto peer = value.peer()) found.push_back({*peer, 1});
    }
    return found;
}

} // namespace cardfit
