// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/slack.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/pipeline/exchanges.h"

namespace cardfit {

namespace {

/// What an operation or a handover waits for: the end of another one, and so many transfers.
struct Edge {
    std::uint32_t from = 0;
    std::uint32_t transfers = 0;
    std::uint32_t next = 0; ///< edge of the same operation or handover
};
constexpr std::uint32_t kNoEdge = std::numeric_limits<std::uint32_t>::max();

/// Operations of all ranks in a row, then the handovers of the gradients and of the activations that they make, where
/// those take turns; and what each of them waits for.
class Graph {
public:
    explicit Graph(const Dependencies& dependencies)
        : m_timeline(dependencies.timeline())
        , m_exchanges(dependencies)
    {
        for (const RankTimeline& operations : m_timeline.ranks) {
            m_offsets.push_back(m_operations);
            m_operations += operations.size();
        }
    }

    [[nodiscard]] std::size_t operations() const { return m_operations; }
    [[nodiscard]] std::size_t offset(std::size_t rank) const { return m_offsets[rank]; }
    [[nodiscard]] std::size_t size() const { return m_last_edges.size(); }

    void connect()
    {
        const bool in_turn = m_timeline.transfers.model == TransferModel::Serialized;
        m_last_edges.assign(m_operations * (in_turn ? 3 : 1), kNoEdge);
        m_edges.reserve((in_turn ? 4 : 2) * m_operations);
        for (std::size_t rank = 0; rank < m_timeline.ranks.size(); ++rank) {
            const std::size_t size = m_timeline.ranks[rank].size();
            for (std::size_t index = 0; index < size; ++index) {
                if (in_turn)
                    connectTurn({rank, index});
                else
                    connectOperation({rank, index});
            }
            if (in_turn) connectTurn({rank, size});
        }
    }
    template <class Visit> void visitEdges(std::size_t node, const Visit& visit) const
    {
        for (std::uint32_t i = m_last_edges[node]; i != kNoEdge; i = m_edges[i].next)
            visit(m_edges[i]);
    }

private:
    [[nodiscard]] std::size_t at(OperationId id) const { return m_offsets[id.rank] + id.index; }
    void add(std::size_t from, std::size_t to, std::size_t transfers)
    {
        m_edges.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(transfers), m_last_edges[to]});
        m_last_edges[to] = static_cast<std::uint32_t>(m_edges.size() - 1);
    }

    void connectOperation(OperationId id)
    {
        for (const Predecessor& before : m_exchanges.predecessors(id))
            add(at(before.operation), at(id), before.transfers);
    }
    /// The handovers between two operations of a rank, one after the other.
    void connectTurn(OperationId stand)
    {
        const bool ends = stand.index == m_timeline.ranks[stand.rank].size();
        std::optional<std::size_t> last;
        if (stand.index > 0) last = at(stand) - 1;
        for (const Handover& handover : m_exchanges.handovers(stand.rank, stand.index)) {
            if (!handover.blocks) {
                add(at(handover.maker), at(stand), 1);
                continue;
            }
            const std::size_t node = m_operations * (handover.gradient ? 1 : 2) + at(handover.maker);
            if (last) add(*last, node, 0);
            last = node;
        }
        if (last && !ends) add(*last, at(stand), 0);
    }

    const Timeline& m_timeline;
    Exchanges m_exchanges;
    std::vector<std::size_t> m_offsets;
    std::size_t m_operations = 0;
    std::vector<Edge> m_edges;
    std::vector<std::uint32_t> m_last_edges;
};

/// All operations and handovers, each after those that wait for it; fewer if some wait in a circle.
std::vector<std::uint32_t> fromTheEnd(const Graph& graph)
{
    std::vector<std::uint32_t> waiting(graph.size(), 0);
    for (std::size_t i = 0; i < graph.size(); ++i)
        graph.visitEdges(i, [&](const Edge& edge) { ++waiting[edge.from]; });
    std::vector<std::uint32_t> order;
    order.reserve(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) {
        if (waiting[i] == 0) order.push_back(static_cast<std::uint32_t>(i));
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        graph.visitEdges(order[i], [&](const Edge& edge) {
            if (--waiting[edge.from] == 0) order.push_back(edge.from);
        });
    }
    return order;
}

} // namespace

Result<std::vector<std::vector<double>>> slack(const Dependencies& dependencies)
{
    const Timeline& timeline = dependencies.timeline();
    Graph graph(dependencies);
    const std::size_t operations = graph.operations();
    if (operations > kMostSlackOperations) {
        return fail(ErrorCode::OutOfRange, {},
            Sentence::tr(
                "slack of {} operations is too much to compute: at most {}", {operations, kMostSlackOperations}));
    }
    graph.connect();
    const std::vector<std::uint32_t> order = fromTheEnd(graph);
    if (order.size() < graph.size()) return fail(ErrorCode::OutOfRange, {}, kUnknownTransfers);

    std::vector<double> starts(graph.size());
    std::vector<double> ends(graph.size());
    std::size_t next = 0;
    for (const RankTimeline& rank : timeline.ranks) {
        for (const RankTimeline::Segment& segment : rank.segments()) {
            for (std::size_t repeat = 0; repeat < segment.repeats; ++repeat) {
                const double shift = static_cast<double>(repeat) * segment.period;
                for (const TimedOperation& timed : rank.operations(segment)) {
                    starts[next] = timed.start + shift;
                    ends[next++] = timed.end + shift;
                }
            }
        }
    }
    const auto after = [&](const Edge& edge) {
        return ends[edge.from] + static_cast<double>(edge.transfers) * timeline.transfers.time;
    };
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
        double ready = 0.0;
        graph.visitEdges(*node, [&](const Edge& edge) { ready = std::max(ready, after(edge)); });
        if (*node >= operations) {
            starts[*node] = ready;
            ends[*node] = ready + timeline.transfers.time;
        } else if (!startsAt(timeline, starts[*node], ready)) {
            return fail(ErrorCode::OutOfRange, {}, kUnknownTransfers);
        }
    }

    // A handover that nobody waits for may take any time.
    std::vector<double> slacks(graph.size(), std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < operations; ++i)
        slacks[i] = timeline.makespan - ends[i];
    for (const std::uint32_t node : order) {
        graph.visitEdges(node, [&](const Edge& edge) {
            slacks[edge.from] = std::min(slacks[edge.from], slacks[node] + (starts[node] - after(edge)));
        });
    }

    std::vector<std::vector<double>> by_rank;
    for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
        const auto begin = slacks.begin() + static_cast<std::ptrdiff_t>(graph.offset(rank));
        by_rank.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(timeline.ranks[rank].size()));
    }
    return by_rank;
}

} // namespace cardfit
