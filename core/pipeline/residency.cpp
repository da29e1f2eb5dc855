// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/residency.h"

#include <algorithm>
#include <numeric>

namespace cardfit {

namespace {

/// Visits the operations of a rank in order, but of each segment only the first two repeats and the last one. `held`,
/// which visit(operation, index) keeps up to date, changes by the same in every repeat.
template <class Visit>
void walkExtremes(const RankTimeline& operations, std::vector<std::int64_t>& held, const Visit& visit)
{
    std::vector<std::int64_t> before;
    for (const RankTimeline::Segment& segment : operations.segments()) {
        const auto walk = [&](std::size_t repeat) {
            std::size_t index = segment.first + repeat * segment.count;
            for (const TimedOperation& operation : operations.operations(segment))
                visit(segment.at(operation, repeat), index++);
        };
        before = held;
        walk(0);
        if (segment.repeats == 1) continue;
        const auto between = static_cast<std::int64_t>(segment.repeats) - 3;
        for (std::size_t i = 0; i < held.size(); ++i)
            before[i] = between * (held[i] - before[i]);
        walk(1);
        if (segment.repeats == 2) continue;
        for (std::size_t i = 0; i < held.size(); ++i)
            held[i] += before[i];
        walk(segment.repeats - 1);
    }
}

/// Looks for the peak of one rank.
class PeakSearch {
public:
    PeakSearch(std::span<const ChunkMemory> chunks, Bytes per_microbatch, Placement placement)
        : m_chunks(chunks)
        , m_per_microbatch(per_microbatch)
        , m_entries(placement == Placement::Bidirectional ? chunks.size() : 1)
        , m_held(2 * chunks.size(), 0)
    {
        m_peak.bytes = Bytes(-1);
    }

    MemoryPeak find(const RankTimeline& operations)
    {
        walkExtremes(operations, m_held, [this](const TimedOperation& timed, std::size_t index) {
            m_index = index;
            const bool block = timed.operation.kind == OperationKind::Overlapped;
            if (block && m_chunks[timed.operation.chunk].holding.by_layers)
                runLayers(timed);
            else
                run(timed);
        });
        return m_peak;
    }

private:
    void run(const TimedOperation& timed)
    {
        const Operation& operation = timed.operation;
        const std::size_t back = operation.backwardPass().chunk;
        const bool forward = runsForward(operation.kind);
        const bool backward = makesInputGradient(operation.kind);
        std::optional<Transient> of_forward;
        std::optional<Transient> of_backward;
        if (forward) {
            ++m_held[operation.chunk];
            of_forward = forwardOf(operation.chunk);
        }
        if (backward) {
            m_backward_seen = true;
            of_backward = m_chunks[back].backward;
        }
        if (forward || backward) consider(of_forward, of_backward, backward ? timed.start : timed.end);
        if (backward) --m_held[back];
        if (operation.kind == OperationKind::BackwardInput) {
            ++m_held[m_chunks.size() + back];
            consider(std::nullopt, m_chunks[back].input_half, timed.end);
        }
        if (operation.kind == OperationKind::BackwardWeight) --m_held[m_chunks.size() + back];
    }

    void runLayers(const TimedOperation& timed)
    {
        const std::size_t front = timed.operation.chunk;
        const std::size_t back = timed.operation.backward_chunk;
        const LayerwisePasses& forward = m_chunks[front].in_block;
        const LayerwisePasses& backward = m_chunks[back].in_block;
        m_backward_seen = true;
        m_entering = front < m_entries ? 1 : 0;
        consider(forward.forward_begun, backward.backward_begun, timed.start);
        consider(forward.forward_layer, backward.backward_layer, timed.start);
        m_entering = 0;
        ++m_held[front];
        --m_held[back];
        consider(m_chunks[front].forward, std::nullopt, timed.end);
    }

    [[nodiscard]] const Transient& forwardOf(std::size_t chunk) const
    {
        return m_backward_seen ? m_chunks[chunk].forward : m_chunks[chunk].first_forward;
    }

    [[nodiscard]] std::int64_t microbatches() const
    {
        const auto end = m_held.begin() + static_cast<std::ptrdiff_t>(m_entries);
        return std::accumulate(m_held.begin(), end, m_entering);
    }

    void consider(const std::optional<Transient>& forward, const std::optional<Transient>& backward, double time)
    {
        const std::size_t count = m_chunks.size();
        Bytes bytes = microbatches() * m_per_microbatch;
        if (forward) bytes += forward->net();
        if (backward) bytes += backward->net();
        for (std::size_t i = 0; i < count; ++i) {
            bytes += m_held[i] * m_chunks[i].holding.saved + m_held[count + i] * m_chunks[i].holding.for_weights;
        }
        if (bytes <= m_peak.bytes) return;
        const auto middle = m_held.begin() + static_cast<std::ptrdiff_t>(count);
        m_peak.in_flight.assign(m_held.begin(), middle);
        m_peak.awaiting_weights.assign(middle, m_held.end());
        m_peak.microbatches = microbatches();
        m_peak.forward = forward;
        m_peak.backward = backward;
        m_peak.operation = m_index;
        m_peak.time = time;
        m_peak.bytes = bytes;
    }

    std::span<const ChunkMemory> m_chunks;
    Bytes m_per_microbatch;
    std::size_t m_entries; ///< chunks through which micro-batches enter the rank
    std::vector<std::int64_t> m_held; ///< whole passes by chunk, then those of which only the weight half is left
    std::int64_t m_entering = 0; ///< micro-batches that have entered and are not held yet
    bool m_backward_seen = false;
    std::size_t m_index = 0;
    MemoryPeak m_peak;
};

} // namespace

HoldingChange holdingChange(const Operation& operation, std::span<const ChunkHolding> chunks)
{
    HoldingChange change;
    if (runsForward(operation.kind)) change.at_start += chunks[operation.chunk].saved;
    const ChunkHolding& back = chunks[operation.backwardPass().chunk];
    switch (operation.kind) {
    case OperationKind::Overlapped: (back.by_layers ? change.at_start : change.at_end) -= back.saved; break;
    case OperationKind::Backward: change.at_end -= back.saved; break;
    case OperationKind::BackwardInput: change.at_end += back.for_weights - back.saved; break;
    case OperationKind::BackwardWeight: change.at_end -= back.for_weights; break;
    case OperationKind::Forward:
    case OperationKind::Update: break;
    }
    return change;
}

Bytes worstNeed(const Operation& operation, std::span<const ChunkMemory> chunks, bool backward_seen)
{
    const ChunkMemory& front = chunks[operation.chunk];
    const ChunkMemory& back = chunks[operation.backwardPass().chunk];
    const Transient& forward = backward_seen ? front.forward : front.first_forward;
    switch (operation.kind) {
    case OperationKind::Forward: return forward.net();
    case OperationKind::Backward: return back.backward.net();
    case OperationKind::BackwardInput:
        return std::max(back.backward.net(), back.input_half.net() + back.holding.for_weights - back.holding.saved);
    case OperationKind::Overlapped: {
        if (!front.holding.by_layers) return forward.net() + back.backward.net();
        // Its first instants hold one pass and not yet the other.
        const Bytes turned = back.holding.saved - front.holding.saved;
        return std::max({front.in_block.forward_begun.net() + back.in_block.backward_begun.net() + turned,
            front.in_block.forward_layer.net() + back.in_block.backward_layer.net() + turned, front.forward.net()});
    }
    case OperationKind::BackwardWeight:
    case OperationKind::Update: break;
    }
    return {};
}

MemoryPeak memoryPeak(
    const RankTimeline& operations, std::span<const ChunkMemory> chunks, Bytes per_microbatch, Placement placement)
{
    return PeakSearch(chunks, per_microbatch, placement).find(operations);
}

std::int64_t peakInFlight(const RankTimeline& operations)
{
    std::vector<std::int64_t> held(1, 0);
    std::int64_t peak = 0;
    walkExtremes(operations, held, [&](const TimedOperation& timed, std::size_t) {
        if (runsForward(timed.operation.kind)) peak = std::max(peak, ++held.front());
        if (makesInputGradient(timed.operation.kind)) --held.front();
    });
    return peak;
}

Bytes heldAt(const RankTimeline& operations, std::span<const ChunkHolding> chunks, double instant)
{
    // All that have ended, and the one that runs if it is a forward pass.
    const std::size_t ended = operations.endedBy(instant);
    Bytes held;
    for (const RankTimeline::Segment& segment : operations.segments()) {
        if (segment.first >= ended) break;
        const std::size_t done = std::min(ended - segment.first, segment.size());
        const auto stored = operations.operations(segment);
        for (std::size_t i = 0; i < stored.size(); ++i) {
            const std::size_t times = (done + segment.count - 1 - i) / segment.count;
            const HoldingChange change = holdingChange(stored[i].operation, chunks);
            held += static_cast<std::int64_t>(times) * (change.at_start + change.at_end);
        }
    }
    if (ended < operations.size()) {
        const TimedOperation running = operations[ended];
        if (running.start <= instant) held += holdingChange(running.operation, chunks).at_start;
    }
    return held;
}

} // namespace cardfit
