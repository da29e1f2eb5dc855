// SPDX-License-Identifier: GPL-3.0-or-later
// DualPipe (DeepSeek-V3, arXiv:2412.19437) and DualPipeV, in the eight steps of the released implementation
// (github.com/deepseek-ai/DualPipe): micro-batches enter from both ends, and in the middle every rank runs the forward
// pass of one together with the backward pass of another.
#include <algorithm>
#include <array>
#include <deque>

#include "core/pipeline/orders/table.h"

namespace cardfit::orders {

namespace {

/// One rank of a pipeline of `ranks` ranks, each with a chunk for either direction.
class DualPipeRank {
public:
    /// `first` is the chunk that the rank starts with.
    DualPipeRank(std::int64_t ranks, std::int64_t rank, std::int64_t microbatches, std::uint8_t first)
        : m_ranks(ranks)
        , m_rank(rank)
        , m_microbatches(microbatches)
        , m_first(first)
    {
    }

    Operations write()
    {
        const std::int64_t after = m_ranks - 1 - m_rank;
        const std::int64_t before = m_rank + 1;
        times(2 * after, [&] { addForward(0); });
        times(before, [&] {
            addForward(0);
            addForward(1);
        });
        times(after, [&] {
            addInput(1);
            addWeight();
            addForward(1);
        });
        addOverlappedPairs(m_microbatches - 2 * m_ranks + before);
        times(after, [&] {
            addBackward(1);
            addOverlapped(1, 0);
        });
        addLastBackwards(before);
        times(after, [&] {
            addWeight();
            addInput(0);
        });
        times(before, [&] { addWeight(); });
        return std::move(m_operations);
    }

private:
    template <class Step> static void times(std::int64_t count, const Step& step)
    {
        for (std::int64_t i = 0; i < count; ++i)
            step();
    }

    /// On the rank where the two directions meet, the first forward pass feeds the backward pass that would run with
    /// it, so the two run one after the other.
    void addOverlappedPairs(std::int64_t count)
    {
        for (std::int64_t i = 0; i < count; ++i) {
            if (i == 0 && m_rank + 1 == m_ranks) {
                addForward(0);
                addBackward(1);
            } else {
                addOverlapped(0, 1);
            }
            addOverlapped(1, 0);
        }
    }

    /// From the middle of these on, weight halves are delayed to fill the bubbles at the end.
    void addLastBackwards(std::int64_t count)
    {
        bool split = false;
        const auto add = [&](std::size_t phase) { split ? addInput(phase) : addBackward(phase); };
        for (std::int64_t i = 0; i < count; ++i) {
            if (i == count / 2 && m_rank % 2 == 1) split = true;
            add(1);
            if (i == count / 2 && m_rank % 2 == 0) split = true;
            add(0);
        }
    }

    [[nodiscard]] std::uint8_t chunkOf(std::size_t phase) const
    {
        return static_cast<std::uint8_t>(phase == 0 ? m_first : 1 - m_first);
    }
    [[nodiscard]] Pass nextForward(std::size_t phase) { return {chunkOf(phase), m_forwards[phase]++}; }
    [[nodiscard]] Pass nextBackward(std::size_t phase) { return {chunkOf(phase), m_backwards[phase]++}; }
    void add(OperationKind kind, Pass pass) { m_operations.push_back({kind, pass.chunk, pass.microbatch}); }

    void addForward(std::size_t phase) { add(OperationKind::Forward, nextForward(phase)); }
    void addBackward(std::size_t phase) { add(OperationKind::Backward, nextBackward(phase)); }
    void addInput(std::size_t phase)
    {
        m_weights.push_back(nextBackward(phase));
        add(OperationKind::BackwardInput, m_weights.back());
    }
    void addWeight()
    {
        add(OperationKind::BackwardWeight, m_weights.front());
        m_weights.pop_front();
    }
    void addOverlapped(std::size_t forward_phase, std::size_t backward_phase)
    {
        const Pass forward = nextForward(forward_phase);
        m_operations.push_back(overlapped(forward, nextBackward(backward_phase)));
    }

    std::int64_t m_ranks;
    std::int64_t m_rank;
    std::int64_t m_microbatches;
    std::uint8_t m_first;
    std::array<std::int32_t, 2> m_forwards{};
    std::array<std::int32_t, 2> m_backwards{};
    std::deque<Pass> m_weights; ///< input gradients whose weight half has not run
    Operations m_operations;
};

} // namespace

FoldPeriod eachPair(const ScheduleRequest& request) { return {2 * request.stages, 2, 1}; }

namespace {

/// The even numbers beside an odd one that are at least `least`, or that alone.
std::vector<std::int64_t> evenBeside(std::int64_t odd, std::int64_t least)
{
    if (odd < least) return {least};
    return {odd - 1, odd + 1};
}

} // namespace

Refused refuseDualPipe(const ScheduleRequest& request)
{
    if (request.stages % 2 != 0) {
        return ScheduleRefusal{Field::Stages,
            Sentence::tr(
                "micro-batches enter from both ends and meet between two ranks: {} ranks are not an even number",
                {request.stages}),
            evenBeside(request.stages, 2)};
    }
    if (request.microbatches % 2 != 0) {
        return ScheduleRefusal{Field::Microbatches,
            Sentence::tr(
                "half of the micro-batches enter from each end: {} is not an even number", {request.microbatches}),
            evenBeside(request.microbatches, 2 * request.stages)};
    }
    return refuseFewer(request, 2 * request.stages, Sentence::tr("two for every rank"));
}

Refused refuseDualPipeV(const ScheduleRequest& request)
{
    return refuseFewer(request, 2 * request.stages, Sentence::tr("two for every rank"));
}

Operations dualPipeV(const ScheduleRequest& request, std::int64_t rank, std::int64_t microbatches)
{
    return DualPipeRank(request.stages, rank, microbatches, 0).write();
}

/// The two halves of the pipeline mirror each other; each direction has half of the micro-batches, numbered from 0.
Operations dualPipe(const ScheduleRequest& request, std::int64_t rank, std::int64_t microbatches)
{
    const std::int64_t mirrored = request.stages - 1 - rank;
    const bool second_half = rank > mirrored;
    return DualPipeRank(
        request.stages / 2, second_half ? mirrored : rank, microbatches / 2, static_cast<std::uint8_t>(second_half))
        .write();
}

} // namespace cardfit::orders
