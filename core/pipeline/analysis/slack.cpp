// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/analysis/critical_path.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/pipeline/analysis/blocking_transfers.h"

namespace cardfit {

namespace {

/// An operation or a transfer waits for the end of another one (`from`) and then for a number of transfers.
struct Edge {
    std::uint32_t from = 0;
    std::uint32_t transfers = 0;
    std::uint32_t next = 0; ///< next edge of the same operation or transfer
};
constexpr std::uint32_t kNoEdge = std::numeric_limits<std::uint32_t>::max();

/// The nodes: operations of all ranks in a row and, with serialized transfers, the transfers of the gradients and of
/// the activations that the operations make. The edges: what each of them waits for.
class Graph {
public:
    explicit Graph(const Dependencies& dependencies)
        : m_timeline(dependencies.timeline())
        , m_transfers(dependencies)
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
        const bool serialized = m_timeline.transfers.model == TransferModel::Serialized;
        m_last_edges.assign(m_operations * (serialized ? 3 : 1), kNoEdge);
        m_edges.reserve((serialized ? 4 : 2) * m_operations);
        for (std::size_t rank = 0; rank < m_timeline.ranks.size(); ++rank) {
            const std::size_t size = m_timeline.ranks[rank].size();
            for (std::size_t index = 0; index < size; ++index) {
                if (serialized)
                    connectTransfers({rank, index});
                else
                    connectOperation({rank, index});
            }
            if (serialized) connectTransfers({rank, size});
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
        for (const Predecessor& before : m_transfers.predecessors(id))
            add(at(before.operation), at(id), before.transfers);
    }
    /// Serialized transfers before an operation, or at the end of a program (index == number of operations).
    void connectTransfers(OperationId point)
    {
        const bool ends = point.index == m_timeline.ranks[point.rank].size();
        std::optional<std::size_t> last;
        if (point.index > 0) last = at(point) - 1;
        for (const Transfer& transfer : m_transfers.transfersBefore(point.rank, point.index)) {
            if (!transfer.blocks) {
                add(at(transfer.producer), at(point), 1);
                continue;
            }
            const std::size_t node = m_operations * (transfer.gradient ? 1 : 2) + at(transfer.producer);
            if (last) add(*last, node, 0);
            last = node;
        }
        if (last && !ends) add(*last, at(point), 0);
    }

    const Timeline& m_timeline;
    BlockingTransfers m_transfers;
    std::vector<std::size_t> m_offsets;
    std::size_t m_operations = 0;
    std::vector<Edge> m_edges;
    std::vector<std::uint32_t> m_last_edges;
};

/// All operations and transfers, each after those that wait for it; fewer if some wait in a cycle.
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
        rank.visitAll([&](const TimedOperation& timed) {
            starts[next] = timed.start;
            ends[next++] = timed.end;
        });
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

    // A transfer that nothing waits for may take any time.
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
