// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/turns.h"

#include <algorithm>

namespace cardfit {

/// Puts the handovers down for which a rank stands before an operation, or at its end, each after the one before it.
/// Returns the last one.
Turns::Before Turns::enter(OperationId stand)
{
    const auto [known, is_new] = m_stands.try_emplace(stand);
    Before& last = known->second;
    if (!is_new) return last;
    last.operation = lastBefore(stand.rank, stand.index);
    for (const Handover& handover : m_exchanges.handovers(stand.rank, stand.index)) {
        if (!handover.blocks) continue;
        const Value value{handover.maker, handover.gradient};
        const std::size_t side = stand.rank < handover.there.rank ? 0 : 1;
        Node& node = m_nodes[value];
        node.stands[side] = stand;
        node.stands[1 - side] = handover.there;
        node.before[side] = last;
        last = {value, {}};
    }
    return last;
}

/// Finds what the handover waits for on both ranks. Where that is an earlier one of the same two ranks on one of them,
/// and something after it on the other, the latter says all. Without this, chains would be followed through operations
/// that end later, back to the start of the step; so they end after each rank's transfers of either kind at the latest.
void Turns::enter(Node& node)
{
    node.entered = true;
    for (const OperationId& stand : node.stands)
        enter(stand);
    if (node.before[0].handover == node.before[1].handover) return;
    for (Before& before : node.before) {
        if (!before.handover) continue;
        const auto& stands = m_nodes.at(*before.handover).stands;
        if (stands[0].rank == node.stands[0].rank && stands[1].rank == node.stands[1].rank) before = {};
    }
}

/// Of what was settled.
double Turns::endOf(const Before& before) const
{
    if (before.handover) return *m_nodes.at(*before.handover).start + m_exchanges.timeline().transfers.time;
    if (!before.operation) return 0.0;
    return m_exchanges.timeline().ranks[before.operation->rank][before.operation->index].end;
}

/// Finds the start of a handover, and of all that it waits for. False if that is a circle; then nothing is kept of it.
bool Turns::settle(const Value& last)
{
    std::vector<Value> open{last};
    while (!open.empty()) {
        const Value value = open.back();
        Node& node = m_nodes.at(value);
        if (!node.entered) enter(node);
        bool waits = false;
        for (const Before& before : node.before) {
            if (!before.handover) continue;
            const Node& earlier = m_nodes.at(*before.handover);
            if (earlier.start) continue;
            if (earlier.entered) {
                forget();
                return false;
            }
            open.push_back(*before.handover);
            waits = true;
            break;
        }
        if (waits) continue;
        node.start = std::max(endOf(node.before[0]), endOf(node.before[1]));
        open.pop_back();
    }
    return true;
}

/// What is asked next mostly waits for the same handovers; but a timeline may have more of them than there is room for.
void Turns::makeRoom()
{
    constexpr std::size_t kMostKept = 1U << 18;
    if (m_nodes.size() > kMostKept) forget();
}

void Turns::forget()
{
    m_nodes.clear();
    m_stands.clear();
}

std::optional<std::vector<Handover>> Turns::handovers(OperationId stand)
{
    makeRoom();
    enter(stand);
    std::vector<Handover> found = m_exchanges.handovers(stand.rank, stand.index);
    for (Handover& handover : found) {
        if (!handover.blocks) continue;
        const Value value{handover.maker, handover.gradient};
        if (!settle(value)) return std::nullopt;
        handover.start = *m_nodes.at(value).start;
    }
    return found;
}

std::optional<Turns::Chain> Turns::chainTo(OperationId id)
{
    makeRoom();
    Before last = enter(id);
    if (last.handover && !settle(*last.handover)) return std::nullopt;
    Chain chain;
    chain.end = endOf(last);
    while (last.handover) {
        const auto& [lower, higher] = m_nodes.at(*last.handover).before;
        last = Before(endOf(lower) < endOf(higher) ? higher : lower);
        ++chain.transfers;
    }
    chain.after = last.operation;

    for (const Handover& value : m_exchanges.handovers(id.rank, id.index)) {
        if (value.blocks) continue;
        const double end = endOf({{}, value.maker}) + m_exchanges.timeline().transfers.time;
        if (end > chain.end) chain = {value.maker, 1, end};
    }
    return chain;
}

} // namespace cardfit
