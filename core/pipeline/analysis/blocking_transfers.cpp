// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/analysis/blocking_transfers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace cardfit {

namespace {

/// At one point a rank may receive a gradient from the rank of the next stage and send it activations. The order of the
/// two follows the next rank's program: first the value for which that rank is ready first, or the gradient if it is
/// ready for both at the same point.
void orderAsNextRank(std::vector<Transfer>& transfers)
{
    const auto isSentForward = [](const Transfer& each) { return each.sent && !each.gradient; };
    const auto sent = std::ranges::find_if(transfers, isSentForward);
    if (sent == transfers.begin() || sent == transfers.end()) return;
    const auto received = sent - 1;
    if (received->sent || !received->gradient || !received->blocks) return;
    if (received->peer_point.rank != sent->peer_point.rank) return;
    if (sent->peer_point.index < received->peer_point.index) std::iter_swap(received, sent);
}

} // namespace

bool startsAt(const Timeline& timeline, double start, double ready)
{
    constexpr double kRounding = 1e-9;
    return std::abs(start - ready) <= kRounding * timeline.makespan;
}

/// A gap that is shorter than a transfer is a rounding error.
bool BlockingTransfers::isTransferPoint(std::size_t rank, std::size_t index) const
{
    const RankTimeline& operations = m_timeline.ranks[rank];
    if (index == 0 || index == operations.size()) return true;
    return operations[index].start - operations[index - 1].end >= 0.5 * m_timeline.transfers.time;
}

/// The last transfer point before an operation.
std::size_t BlockingTransfers::pointBefore(std::size_t rank, std::size_t index) const
{
    while (!isTransferPoint(rank, index))
        --index;
    return index;
}

/// The first transfer point after an operation.
std::size_t BlockingTransfers::pointAfter(std::size_t rank, std::size_t index) const
{
    do
        ++index;
    while (!isTransferPoint(rank, index));
    return index;
}

/// Between the last rank and the first (activations to the next chunk, gradients back) frameworks send without waiting.
bool BlockingTransfers::blocks(std::size_t from, std::size_t to, bool gradient) const
{
    if (m_timeline.placement != Placement::Loop) return true;
    const std::size_t last = m_timeline.ranks.size() - 1;
    return gradient ? from != 0 || to != last : from != last || to != 0;
}

double BlockingTransfers::endOf(const std::optional<OperationId>& id) const
{
    return id ? m_timeline.ranks[id->rank][id->index].end : 0.0;
}

std::vector<Transfer> BlockingTransfers::withoutStarts(std::size_t rank, std::size_t index) const
{
    std::vector<Transfer> found;
    const bool here = isTransferPoint(rank, index);
    const std::size_t first = index == 0 ? 0 : here ? pointBefore(rank, index - 1) : index;
    const std::size_t size = m_timeline.ranks[rank].size();
    const std::size_t last = index == size ? index : here ? pointAfter(rank, index) : index + 1;
    const auto send = [&](OperationId producer, const std::optional<OperationId>& consumer, bool gradient) {
        if (!consumer || consumer->rank == rank || !blocks(rank, consumer->rank, gradient)) return;
        const std::size_t peer = pointBefore(consumer->rank, consumer->index);
        found.push_back({true, gradient, true, producer, {consumer->rank, peer}, 0.0});
    };
    const auto receive = [&](std::size_t consumer, const std::optional<OperationId>& producer, bool gradient) {
        if (!producer || producer->rank == rank) return;
        const bool blocking = blocks(producer->rank, rank, gradient);
        // If a value does not block its sender, only the operation that needs it waits for it.
        if (blocking ? !here : consumer != index) return;
        const std::size_t peer = blocking ? pointAfter(producer->rank, producer->index) : producer->index + 1;
        found.push_back({false, gradient, blocking, *producer, {producer->rank, peer}, 0.0});
    };
    for (std::size_t i = first; i < index; ++i) {
        const Counterparts to = m_dependencies.outputs({rank, i});
        send({rank, i}, to.gradient, true);
        send({rank, i}, to.activations, false);
    }
    for (std::size_t i = index; i < last; ++i) {
        const Counterparts from = m_dependencies.inputs({rank, i});
        receive(i, from.gradient, true);
        receive(i, from.activations, false);
    }
    // Gradients before activations, and sends before receives.
    std::ranges::stable_sort(
        found, std::ranges::greater{}, [](const Transfer& each) { return std::pair(each.gradient, each.sent); });
    return found;
}

std::vector<Transfer> BlockingTransfers::transfersBefore(std::size_t rank, std::size_t index) const
{
    if (m_timeline.transfers.model == TransferModel::Latency) return {};
    std::vector<Transfer> found = withoutStarts(rank, index);
    if (m_timeline.transfers.model == TransferModel::Serialized) orderAsNextRank(found);
    for (Transfer& transfer : found) {
        transfer.start = endOf(transfer.peerLast());
        if (transfer.blocks) transfer.start = std::max(transfer.start, endOf(lastBefore(rank, index)));
    }
    return found;
}

std::vector<Predecessor> BlockingTransfers::predecessors(OperationId id) const
{
    std::vector<Predecessor> found;
    const auto own = lastBefore(id.rank, id.index);
    if (m_timeline.transfers.model == TransferModel::Latency) {
        if (own) found.push_back({*own, 0});
        const Counterparts from = m_dependencies.inputs(id);
        for (const auto& producer : {from.activations, from.gradient}) {
            if (producer) found.push_back({*producer, producer->rank == id.rank ? std::size_t{0} : 1});
        }
        return found;
    }
    const std::vector<Transfer> transfers = withoutStarts(id.rank, id.index);
    if (own) found.push_back({*own, std::ranges::any_of(transfers, &Transfer::blocks) ? std::size_t{1} : 0});
    for (const Transfer& transfer : transfers) {
        if (const auto peer = transfer.peerLast()) found.push_back({*peer, 1});
    }
    return found;
}

} // namespace cardfit
