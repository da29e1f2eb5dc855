// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/analysis/serialized_transfers.h"

#include <algorithm>

namespace cardfit {

/// Adds the transfers at a point, each after the previous one. Returns the last one.
SerializedTransfers::Before SerializedTransfers::enterPoint(OperationId point)
{
    const auto [known, is_new] = m_points.try_emplace(point);
    Before& last = known->second;
    if (!is_new) return last;
    last.operation = lastBefore(point.rank, point.index);
    for (const Transfer& transfer : m_transfers.transfersBefore(point.rank, point.index)) {
        if (!transfer.blocks) continue;
        const Value value{transfer.producer, transfer.gradient};
        const std::size_t side = point.rank < transfer.peer_point.rank ? 0 : 1;
        Node& node = m_nodes[value];
        node.points[side] = point;
        node.points[1 - side] = transfer.peer_point;
        node.before[side] = last;
        last = {value, {}};
    }
    return last;
}

/// Finds what the transfer waits for on both ranks. If on one rank that is an earlier transfer between the same two
/// ranks, while the other rank has done something since, only the latter counts: it ends no earlier. Otherwise chains
/// would lead through operations that end later, back to the start of the step. So a chain has at most each rank's
/// transfers of either kind.
void SerializedTransfers::enter(Node& node)
{
    node.entered = true;
    for (const OperationId& point : node.points)
        enterPoint(point);
    if (node.before[0].transfer == node.before[1].transfer) return;
    for (Before& before : node.before) {
        if (!before.transfer) continue;
        const auto& points = m_nodes.at(*before.transfer).points;
        if (points[0].rank == node.points[0].rank && points[1].rank == node.points[1].rank) before = {};
    }
}

/// The end of what comes before a transfer. Requires that the start of `before.transfer` is known.
double SerializedTransfers::endOf(const Before& before) const
{
    if (before.transfer) return *m_nodes.at(*before.transfer).start + m_transfers.timeline().transfers.time;
    if (!before.operation) return 0.0;
    return m_transfers.timeline().ranks[before.operation->rank][before.operation->index].end;
}

/// Finds the start of a transfer, and of all that it waits for. False if these form a cycle; then all is forgotten.
bool SerializedTransfers::findStart(const Value& last)
{
    std::vector<Value> open{last};
    while (!open.empty()) {
        const Value value = open.back();
        Node& node = m_nodes.at(value);
        if (!node.entered) enter(node);
        bool waits = false;
        for (const Before& before : node.before) {
            if (!before.transfer) continue;
            const Node& earlier = m_nodes.at(*before.transfer);
            if (earlier.start) continue;
            if (earlier.entered) {
                forget();
                return false;
            }
            open.push_back(*before.transfer);
            waits = true;
            break;
        }
        if (waits) continue;
        node.start = std::max(endOf(node.before[0]), endOf(node.before[1]));
        open.pop_back();
    }
    return true;
}

/// Transfers are kept, as the next question mostly concerns the same ones, but not all of a long timeline.
void SerializedTransfers::limitMemory()
{
    constexpr std::size_t kMostKept = 1U << 18;
    if (m_nodes.size() > kMostKept) forget();
}

void SerializedTransfers::forget()
{
    m_nodes.clear();
    m_points.clear();
}

std::optional<std::vector<Transfer>> SerializedTransfers::transfersBefore(std::size_t rank, std::size_t index)
{
    limitMemory();
    enterPoint({rank, index});
    std::vector<Transfer> found = m_transfers.transfersBefore(rank, index);
    for (Transfer& transfer : found) {
        if (!transfer.blocks) continue;
        const Value value{transfer.producer, transfer.gradient};
        if (!findStart(value)) return std::nullopt;
        transfer.start = *m_nodes.at(value).start;
    }
    return found;
}

std::optional<SerializedTransfers::Chain> SerializedTransfers::chainTo(OperationId id)
{
    limitMemory();
    Before last = enterPoint(id);
    if (last.transfer && !findStart(*last.transfer)) return std::nullopt;
    Chain chain;
    chain.end = endOf(last);
    while (last.transfer) {
        const auto& [lower, higher] = m_nodes.at(*last.transfer).before;
        last = Before(endOf(lower) < endOf(higher) ? higher : lower);
        ++chain.transfers;
    }
    chain.after = last.operation;

    for (const Transfer& transfer : m_transfers.transfersBefore(id.rank, id.index)) {
        if (transfer.blocks) continue;
        const double end = endOf({{}, transfer.producer}) + m_transfers.timeline().transfers.time;
        if (end > chain.end) chain = {transfer.producer, 1, end};
    }
    return chain;
}

} // namespace cardfit
