// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/predecessors.h"

namespace cardfit {

namespace {

std::optional<OperationId> before(OperationId id)
{
    if (id.index == 0) return std::nullopt;
    return OperationId{id.rank, id.index - 1};
}

} // namespace

Crossings crossings(const Dependencies& dependencies, std::size_t rank, std::size_t index)
{
    Crossings found;
    if (index > 0) {
        const Counterparts to = dependencies.outputs({rank, index - 1});
        const auto sent = [&](const std::optional<OperationId>& receiver, bool gradient) {
            if (receiver && receiver->rank != rank) found.push_back({true, gradient, before(*receiver)});
        };
        sent(to.gradient, true);
        sent(to.activations, false);
    }
    if (index < dependencies.timeline().ranks[rank].size()) {
        const Counterparts from = dependencies.inputs({rank, index});
        const auto received = [&](const std::optional<OperationId>& maker, bool gradient) {
            if (maker && maker->rank != rank) found.push_back({false, gradient, maker});
        };
        received(from.gradient, true);
        received(from.activations, false);
    }
    return found;
}

Predecessors predecessors(const Dependencies& dependencies, OperationId id)
{
    Predecessors found;
    if (dependencies.timeline().transfers.model == TransferModel::Latency) {
        if (const auto own = before(id)) found.push_back({*own, 0});
        const Counterparts from = dependencies.inputs(id);
        for (const auto& maker : {from.activations, from.gradient}) {
            if (maker) found.push_back({*maker, maker->rank == id.rank ? std::size_t{0} : 1});
        }
        return found;
    }
    const Crossings values = crossings(dependencies, id.rank, id.index);
    if (const auto own = before(id)) found.push_back({*own, values.empty() ? std::size_t{0} : 1});
    for (const Crossing& value : values) {
        if (value.peer) found.push_back({*value.peer, 1});
    }
    return found;
}

} // namespace cardfit
