// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/analysis/critical_path.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/pipeline/analysis/blocking_transfers.h"
#include "core/pipeline/analysis/serialized_transfers.h"

namespace cardfit {

namespace {

/// An operation on the path, which is followed from the end of the step to its start.
struct Visit {
    OperationId id;
    const RankTimeline::Segment* segment = nullptr;
    std::size_t stored = 0; ///< where the rank keeps the operation
    std::size_t repeat = 0;
    std::size_t transfers = 0; ///< from the operation before it
};

/// Follows the path backwards. When it reaches another repeat of an operation that it has visited, the visits in
/// between will recur, as operations wait for the same things in all repeats of a segment. These rounds are not
/// followed but added as one part: as many as stay within the segments of all their operations.
class Walk {
public:
    explicit Walk(const Dependencies& dependencies)
        : m_dependencies(dependencies)
        , m_timeline(dependencies.timeline())
        , m_transfers(dependencies)
        , m_serialized(m_transfers)
    {
    }

    Result<CriticalPath> run()
    {
        std::optional<OperationId> next = lastOperation();
        while (next) {
            Visit visit = visitOf(*next);
            if (const std::size_t before = lastVisit(visit); before < m_visits.size()) {
                if (const std::size_t rounds = roundsFrom(before, visit); rounds > 1) {
                    next = takeRounds(before, visit, rounds);
                    continue;
                }
            }
            if (visit.segment->repeats > 1) m_seen[{visit.id.rank, visit.stored}] = m_visits.size();
            next = stepBack(visit);
            if (m_unexplained) return fail(ErrorCode::OutOfRange, {}, kUnknownTransfers);
            m_visits.push_back(visit);
        }
        takeOnce(m_visits.size());
        std::ranges::reverse(m_parts);
        return CriticalPath(std::move(m_parts));
    }

private:
    [[nodiscard]] std::optional<OperationId> lastOperation() const
    {
        for (std::size_t rank = 0; rank < m_timeline.ranks.size(); ++rank) {
            const RankTimeline& operations = m_timeline.ranks[rank];
            if (operations.empty() || operations.back().end < m_timeline.makespan) continue;
            return OperationId{rank, operations.size() - 1};
        }
        return std::nullopt;
    }

    [[nodiscard]] Visit visitOf(OperationId id) const
    {
        const RankTimeline::Segment& segment = m_timeline.ranks[id.rank].segmentOf(id.index);
        const auto place = segment.placeOf(id.index);
        return {id, &segment, place.stored, place.repeat, 0};
    }

    /// The index of the visit to another repeat of the same operation; the number of visits if there is none.
    [[nodiscard]] std::size_t lastVisit(const Visit& visit) const
    {
        if (visit.segment->repeats == 1) return m_visits.size();
        const auto seen = m_seen.find({visit.id.rank, visit.stored});
        return seen == m_seen.end() ? m_visits.size() : seen->second;
    }

    /// The operation that this one waits for longest: it starts right after that operation and the transfers in
    /// between. nullopt at the start of the step, or if m_unexplained.
    std::optional<OperationId> stepBack(Visit& visit)
    {
        const auto [rank, index] = visit.id;
        if (m_timeline.transfers.model == TransferModel::Latency) {
            const StartedBy started_by = m_timeline.ranks[rank][index].started_by;
            if (started_by == StartedBy::Rank) {
                if (index == 0) return std::nullopt;
                return OperationId{rank, index - 1};
            }
            const Counterparts from = m_dependencies.inputs(visit.id);
            visit.transfers = 1;
            return started_by == StartedBy::Activations ? from.activations : from.gradient;
        }
        if (m_timeline.transfers.model == TransferModel::Serialized) {
            const auto chain = m_serialized.chainTo(visit.id);
            m_unexplained = !chain || !startsAt(m_timeline, m_timeline.ranks[rank][index].start, chain->end);
            if (m_unexplained) return std::nullopt;
            visit.transfers = chain->transfers;
            return chain->after;
        }
        std::optional<OperationId> latest;
        double start = 0.0;
        for (const Predecessor& before : m_transfers.predecessors(visit.id)) {
            const double ready = m_timeline.ranks[before.operation.rank][before.operation.index].end
                + static_cast<double>(before.transfers) * m_timeline.transfers.time;
            if (latest && ready <= start) continue;
            start = ready;
            latest = before.operation;
            visit.transfers = before.transfers;
        }
        m_unexplained = !startsAt(m_timeline, m_timeline.ranks[rank][index].start, start);
        return latest;
    }

    /// By how many repeats of the operation's segment a round goes back if it goes back by `microbatches`; nullopt if
    /// that is not a whole number of them.
    [[nodiscard]] static std::optional<std::size_t> repeatsBack(const Visit& visit, std::int64_t microbatches)
    {
        const std::int64_t step = visit.segment->step;
        if (visit.segment->repeats == 1 || step == 0 || microbatches % step != 0) return std::nullopt;
        const std::int64_t repeats = microbatches / step;
        if (repeats <= 0) return std::nullopt;
        return static_cast<std::size_t>(repeats);
    }

    /// Micro-batches between two visits to the same operation.
    [[nodiscard]] static std::int64_t microbatchesBack(const Visit& later, const Visit& earlier)
    {
        return static_cast<std::int64_t>(later.repeat - earlier.repeat) * later.segment->step;
    }

    /// How many rounds of the visits from `before` on, including the one that was made, can follow each other such that
    /// their operations, and `again`'s after them, stay within their segments. 1 if they do not recur.
    [[nodiscard]] std::size_t roundsFrom(std::size_t before, const Visit& again) const
    {
        const std::int64_t back = microbatchesBack(m_visits[before], again);
        std::size_t rounds = std::numeric_limits<std::size_t>::max();
        for (std::size_t i = before; i < m_visits.size(); ++i) {
            const auto repeats = repeatsBack(m_visits[i], back);
            if (!repeats) return 1;
            rounds = std::min(rounds, m_visits[i].repeat / *repeats);
        }
        return rounds;
    }

    /// Adds the visits before `before`, and then `rounds` rounds of the others. Returns the operation where the path
    /// goes on.
    OperationId takeRounds(std::size_t before, const Visit& again, std::size_t rounds)
    {
        const std::int64_t back = microbatchesBack(m_visits[before], again);
        const auto shift = [&](const Visit& visit) { return *repeatsBack(visit, back) * visit.segment->count; };
        takeOnce(before);
        CriticalPath::Part& part = m_parts.emplace_back();
        part.repeats = rounds;
        for (std::size_t i = m_visits.size(); i-- > before;) {
            const Visit& visit = m_visits[i];
            const std::size_t stride = shift(visit);
            part.steps.push_back({{visit.id.rank, visit.id.index - (rounds - 1) * stride}, stride, visit.transfers});
        }
        const OperationId next{again.id.rank, m_visits[before].id.index - rounds * shift(m_visits[before])};
        m_visits.clear();
        m_seen.clear();
        return next;
    }

    /// Adds the first `count` visits as a part that is taken once.
    void takeOnce(std::size_t count)
    {
        if (count == 0) return;
        CriticalPath::Part& part = m_parts.emplace_back();
        part.steps.reserve(count);
        for (std::size_t i = count; i-- > 0;)
            part.steps.push_back({m_visits[i].id, 0, m_visits[i].transfers});
    }

    const Dependencies& m_dependencies;
    const Timeline& m_timeline;
    BlockingTransfers m_transfers;
    SerializedTransfers m_serialized;
    bool m_unexplained = false; ///< an operation starts later than all that it is known to wait for
    std::vector<Visit> m_visits; ///< not added to a part yet, the latest in time first
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> m_seen; ///< rank and stored operation: its last visit
    std::vector<CriticalPath::Part> m_parts; ///< the last one first
};

} // namespace

CriticalPath::CriticalPath(std::vector<Part> parts)
    : m_parts(std::move(parts))
{
    for (const Part& part : m_parts) {
        std::map<std::size_t, Share> shares;
        for (const Step& step : part.steps) {
            auto [at, is_new] = shares.try_emplace(step.first.rank);
            Share& share = at->second;
            // A path advances in time, so the first step of a rank is the one with the lowest index.
            if (is_new) share.first = step.first.index;
            share.stride = step.stride;
            share.last = step.at(part.repeats - 1).index;
            share.offsets.push_back(step.first.index - share.first);
        }
        for (auto& [rank, share] : shares) {
            if (rank >= m_shares.size()) m_shares.resize(rank + 1);
            m_shares[rank].push_back(std::move(share));
        }
    }
}

std::size_t CriticalPath::size() const
{
    std::size_t count = 0;
    for (const Part& part : m_parts)
        count += part.repeats * part.steps.size();
    return count;
}

bool CriticalPath::contains(OperationId id) const
{
    if (id.rank >= m_shares.size()) return false;
    const auto& shares = m_shares[id.rank];
    const auto share = std::ranges::partition_point(shares, [&](const Share& each) { return each.last < id.index; });
    if (share == shares.end() || id.index < share->first) return false;
    std::size_t offset = id.index - share->first;
    if (share->stride > 0) offset %= share->stride;
    return std::ranges::binary_search(share->offsets, offset);
}

Result<CriticalPath> criticalPath(const Dependencies& dependencies) { return Walk(dependencies).run(); }

Worth worth(const Dependencies& dependencies, const CriticalPath& path)
{
    const Timeline& timeline = dependencies.timeline();
    const std::size_t ranks = timeline.ranks.size();
    Worth result;
    result.operations.assign(ranks, std::vector<OperationWorth>(dependencies.chunks()));
    result.on_rank.assign(ranks, 0);
    result.time_on_rank.assign(ranks, 0.0);
    for (const CriticalPath::Part& part : path.parts()) {
        const auto times = static_cast<std::int64_t>(part.repeats);
        for (const CriticalPath::Step& step : part.steps) {
            const std::size_t rank = step.first.rank;
            const TimedOperation timed = timeline.ranks[rank][step.first.index];
            const Operation& operation = timed.operation;
            OperationWorth& of = result.operations[rank][operation.chunk];
            switch (operation.kind) {
            case OperationKind::Forward: of.forward += times; break;
            case OperationKind::Backward:
                of.backward_input += times;
                of.backward_weight += times;
                break;
            case OperationKind::BackwardInput: of.backward_input += times; break;
            case OperationKind::BackwardWeight: of.backward_weight += times; break;
            case OperationKind::Overlapped:
                of.overlapped += times;
                result.operations[rank][operation.backward_chunk].overlapped_backward += times;
                break;
            case OperationKind::Update: of.update += times; break;
            }
            result.on_rank[rank] += times;
            result.time_on_rank[rank] += static_cast<double>(times) * (timed.end - timed.start);
            result.transfers += times * static_cast<std::int64_t>(step.transfers);
        }
    }
    return result;
}

} // namespace cardfit
