// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/slack.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "core/pipeline/exchanges.h"

namespace cardfit {

namespace {

/// Operations of all ranks in one row.
struct Row {
    explicit Row(const Timeline& timeline)
    {
        for (const RankTimeline& operations : timeline.ranks) {
            offsets.push_back(size);
            size += operations.size();
        }
    }
    [[nodiscard]] std::size_t at(OperationId id) const { return offsets[id.rank] + id.index; }

    std::vector<std::size_t> offsets;
    std::size_t size = 0;
};

/// What an operation waits for, and what that leaves it before it would start later.
struct Edge {
    std::uint32_t from = 0;
    double spare = 0.0;
};

} // namespace

Result<std::vector<std::vector<double>>> slack(const Dependencies& dependencies)
{
    const Timeline& timeline = dependencies.timeline();
    if (timeline.transfers.model == TransferModel::Serialized) {
        return fail(ErrorCode::OutOfRange, {}, Sentence::tr("slack beside serialized transfers is not computed"));
    }
    const Row row(timeline);
    if (row.size > kMostSlackOperations) {
        return fail(ErrorCode::OutOfRange, {},
            Sentence::tr(
                "slack of {} operations is too much to compute: at most {}", {row.size, kMostSlackOperations}));
    }

    std::vector<double> ends(row.size);
    std::vector<double> starts(row.size);
    std::size_t next = 0;
    for (const RankTimeline& operations : timeline.ranks) {
        for (const RankTimeline::Segment& segment : operations.segments()) {
            for (std::size_t repeat = 0; repeat < segment.repeats; ++repeat) {
                const double shift = static_cast<double>(repeat) * segment.period;
                for (const TimedOperation& timed : operations.operations(segment)) {
                    starts[next] = timed.start + shift;
                    ends[next++] = timed.end + shift;
                }
            }
        }
    }

    std::vector<Edge> edges;
    edges.reserve(2 * row.size);
    std::vector<std::size_t> first_edges(row.size + 1, 0);
    std::vector<std::uint32_t> waiting(row.size, 0); // operations that wait for this one and are not done
    const Exchanges exchanges(dependencies);
    next = 0;
    for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
        for (std::size_t index = 0; index < timeline.ranks[rank].size(); ++index) {
            double begin = 0.0;
            for (const Predecessor& before : exchanges.predecessors({rank, index})) {
                const std::size_t from = row.at(before.operation);
                const double ready = ends[from] + static_cast<double>(before.transfers) * timeline.transfers.time;
                edges.push_back({static_cast<std::uint32_t>(from), starts[next] - ready});
                ++waiting[from];
                begin = std::max(begin, ready);
            }
            if (!startsAt(timeline, timeline.ranks[rank][index], begin)) {
                return fail(ErrorCode::OutOfRange, {}, kUnknownTransfers);
            }
            first_edges[++next] = edges.size();
        }
    }

    std::vector<double> slacks(row.size);
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < row.size; ++i) {
        slacks[i] = timeline.makespan - ends[i];
        if (waiting[i] == 0) ready.push_back(i);
    }
    while (!ready.empty()) {
        const std::size_t done = ready.back();
        ready.pop_back();
        for (std::size_t i = first_edges[done]; i < first_edges[done + 1]; ++i) {
            const Edge& edge = edges[i];
            slacks[edge.from] = std::min(slacks[edge.from], slacks[done] + edge.spare);
            if (--waiting[edge.from] == 0) ready.push_back(edge.from);
        }
    }

    std::vector<std::vector<double>> by_rank;
    for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
        const auto begin = slacks.begin() + static_cast<std::ptrdiff_t>(row.offsets[rank]);
        by_rank.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(timeline.ranks[rank].size()));
    }
    return by_rank;
}

} // namespace cardfit
