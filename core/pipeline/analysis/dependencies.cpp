// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/analysis/dependencies.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <span>
#include <tuple>

namespace cardfit {

std::int32_t Dependencies::keyOf(const RankTimeline::Segment& segment, std::int32_t microbatch)
{
    const std::int32_t step = std::abs(segment.step);
    if (segment.repeats == 1 || step == 0) return microbatch;
    return (microbatch % step + step) % step;
}

/// Calls visit(rank, segment, position, role, pass) for every stored operation in every role that it has.
template <class Visit> void Dependencies::visitRoles(const Visit& visit) const
{
    for (std::size_t rank = 0; rank < m_timeline->ranks.size(); ++rank) {
        const RankTimeline& operations = m_timeline->ranks[rank];
        std::uint32_t number = 0;
        for (const RankTimeline::Segment& segment : operations.segments()) {
            std::uint32_t position = 0;
            for (const TimedOperation& timed : operations.operations(segment)) {
                const Operation& operation = timed.operation;
                const auto found = [&](Role role, Pass pass) { visit(rank, number, position, role, pass); };
                if (runsForward(operation.kind)) found(Role::Forward, operation.forwardPass());
                if (makesInputGradient(operation.kind)) found(Role::Gradient, operation.backwardPass());
                if (operation.kind == OperationKind::BackwardWeight) found(Role::Weight, operation.backwardPass());
                if (operation.kind == OperationKind::Update) found(Role::Update, operation.forwardPass());
                ++position;
            }
            ++number;
        }
    }
}

Dependencies::Dependencies(const Timeline& timeline)
    : m_timeline(&timeline)
{
    const std::size_t ranks = timeline.ranks.size();
    visitRoles([this](std::size_t, std::uint32_t, std::uint32_t, Role, Pass pass) {
        m_chunks = std::max<std::size_t>(m_chunks, pass.chunk + std::size_t{1});
    });
    m_before.resize(ranks * m_chunks);
    m_after.resize(ranks * m_chunks);
    for (const Pipe& pipe : pipes(timeline.placement, ranks, m_chunks)) {
        for (std::size_t i = 0; i + 1 < pipe.size(); ++i) {
            m_after[pipe[i].rank * m_chunks + pipe[i].chunk] = pipe[i + 1];
            m_before[pipe[i + 1].rank * m_chunks + pipe[i + 1].chunk] = pipe[i];
        }
    }

    m_lanes.assign(ranks * kRoles * m_chunks + 1, 0);
    visitRoles([this](std::size_t rank, std::uint32_t, std::uint32_t, Role role, Pass pass) {
        ++m_lanes[lane(rank, role, pass.chunk) + 1];
    });
    std::partial_sum(m_lanes.begin(), m_lanes.end(), m_lanes.begin());
    m_entries.resize(m_lanes.back());
    std::vector<std::size_t> next(m_lanes.begin(), m_lanes.end() - 1);
    visitRoles([&](std::size_t rank, std::uint32_t segment, std::uint32_t position, Role role, Pass pass) {
        const std::int32_t key = keyOf(timeline.ranks[rank].segments()[segment], pass.microbatch);
        m_entries[next[lane(rank, role, pass.chunk)]++] = {segment, key, pass.microbatch, position};
    });
    // Most programs take micro-batches in order, so entries are mostly sorted already.
    const auto order = [](const Entry& a, const Entry& b) {
        return std::tie(a.segment, a.key) < std::tie(b.segment, b.key);
    };
    for (std::size_t i = 0; i + 1 < m_lanes.size(); ++i) {
        const auto entries = std::span(m_entries).subspan(m_lanes[i], m_lanes[i + 1] - m_lanes[i]);
        if (!std::is_sorted(entries.begin(), entries.end(), order)) std::sort(entries.begin(), entries.end(), order);
    }
}

std::optional<OperationId> Dependencies::find(std::size_t rank, Role role, Pass pass) const
{
    const std::size_t number = lane(rank, role, pass.chunk);
    const auto entries = std::span(m_entries).subspan(m_lanes[number], m_lanes[number + 1] - m_lanes[number]);
    const auto segments = m_timeline->ranks[rank].segments();
    for (std::uint32_t i = 0; i < segments.size(); ++i) {
        const RankTimeline::Segment& segment = segments[i];
        const std::int32_t key = keyOf(segment, pass.microbatch);
        const auto wanted = std::tie(i, key);
        auto entry = std::lower_bound(entries.begin(), entries.end(), wanted,
            [](const Entry& each, const auto& value) { return std::tie(each.segment, each.key) < value; });
        for (; entry != entries.end() && std::tie(entry->segment, entry->key) == wanted; ++entry) {
            std::int32_t repeat = pass.microbatch - entry->microbatch;
            if (segment.step != 0) repeat /= segment.step;
            if (repeat < 0 || static_cast<std::size_t>(repeat) >= segment.repeats) continue;
            return OperationId{
                rank, segment.first + static_cast<std::size_t>(repeat) * segment.count + entry->position};
        }
    }
    return std::nullopt;
}

std::optional<OperationId> Dependencies::find(
    const std::vector<std::optional<StagePlace>>& neighbours, std::size_t rank, Role role, Pass pass) const
{
    const std::optional<StagePlace>& place = neighbours[rank * m_chunks + pass.chunk];
    if (!place) return std::nullopt;
    return find(place->rank, role, {static_cast<std::uint8_t>(place->chunk), pass.microbatch});
}

Counterparts Dependencies::inputs(OperationId id) const
{
    const Operation operation = m_timeline->ranks[id.rank][id.index].operation;
    const Pass backward = operation.backwardPass();
    Counterparts from;
    if (runsForward(operation.kind)) {
        from.activations = find(m_before, id.rank, Role::Forward, operation.forwardPass());
    }
    if (makesInputGradient(operation.kind)) {
        from.gradient = find(m_after, id.rank, Role::Gradient, backward);
        from.kept = find(id.rank, Role::Forward, backward);
    }
    if (operation.kind == OperationKind::BackwardWeight || operation.kind == OperationKind::Update) {
        from.kept = find(id.rank, Role::Gradient, backward);
    }
    return from;
}

Counterparts Dependencies::outputs(OperationId id) const
{
    const Operation operation = m_timeline->ranks[id.rank][id.index].operation;
    const Pass backward = operation.backwardPass();
    Counterparts to;
    if (runsForward(operation.kind)) {
        to.activations = find(m_after, id.rank, Role::Forward, operation.forwardPass());
        to.kept = find(id.rank, Role::Gradient, operation.forwardPass());
    }
    if (makesInputGradient(operation.kind)) to.gradient = find(m_before, id.rank, Role::Gradient, backward);
    if (operation.kind == OperationKind::BackwardInput) to.kept = find(id.rank, Role::Weight, backward);
    if (operation.kind == OperationKind::Backward) to.kept = find(id.rank, Role::Update, backward);
    return to;
}

} // namespace cardfit
