// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules that run the two halves of a backward pass separately, to fill bubbles with weight gradients.
#include <algorithm>
#include <array>

#include "core/pipeline/orders/table.h"

namespace cardfit::orders {

FoldPeriod eachMicrobatch(const ScheduleRequest& request) { return {2 * request.stages, 1, 1}; }

Refused refuseZbH1(const ScheduleRequest& request)
{
    return refuseFewer(request, request.stages, Sentence::tr("one for every stage"));
}

Refused refuseZbH2(const ScheduleRequest& request)
{
    return refuseFewer(request, 2 * request.stages, Sentence::tr("two for every stage"));
}

/// ZB-H1 and ZB-H2 of "Zero Bubble Pipeline Parallelism" (arXiv:2401.10241): 1F1B with input gradients, and weight
/// gradients as late as `most_held` activations allow.
Operations zeroBubble(const ScheduleRequest& request, std::int64_t rank, std::int64_t microbatches)
{
    const bool h2 = request.schedule == Schedule::ZbH2;
    const std::int64_t left = request.stages - rank;
    const std::int64_t warm_up = std::min(microbatches, h2 ? 2 * left - 1 : left);
    const std::int64_t most_held = h2 ? 2 * request.stages - 1 : request.stages;

    Operations operations;
    operations.reserve(static_cast<std::size_t>(3 * microbatches));
    std::int64_t forwards = 0;
    std::int64_t weights = 0;
    const auto addForward = [&] { operations.push_back(forward(forwards++)); };
    const auto addWeight = [&] { operations.push_back(operation(OperationKind::BackwardWeight, weights++)); };
    while (forwards < warm_up)
        addForward();
    for (std::int64_t i = 0; i < microbatches; ++i) {
        operations.push_back(operation(OperationKind::BackwardInput, i));
        if (forwards == microbatches || forwards - weights >= most_held) addWeight();
        if (forwards < microbatches) addForward();
    }
    while (weights < microbatches)
        addWeight();
    return operations;
}

namespace {

/// Writes operations, and counts the next micro-batch of every kind and chunk.
class Writer {
public:
    explicit Writer(std::int64_t microbatches)
        : m_microbatches(microbatches)
    {
        m_operations.reserve(static_cast<std::size_t>(6 * microbatches));
    }
    /// Adds nothing if no micro-batch is left: the table of ZB-V is made for at least 2p - 1 of them.
    void add(OperationKind kind, std::int64_t chunk)
    {
        const std::int64_t microbatch = next(kind, chunk)++;
        if (microbatch < m_microbatches) m_operations.push_back(operation(kind, microbatch, chunk));
    }
    void addSplitBackward(std::int64_t chunk)
    {
        add(OperationKind::BackwardInput, chunk);
        add(OperationKind::BackwardWeight, chunk);
    }
    [[nodiscard]] std::int64_t& next(OperationKind kind, std::int64_t chunk)
    {
        return m_next[static_cast<std::size_t>(kind)][static_cast<std::size_t>(chunk)];
    }
    [[nodiscard]] Operations take() { return std::move(m_operations); }

private:
    std::int64_t m_microbatches;
    std::array<std::array<std::int64_t, 2>, kOperationKindCount> m_next{};
    Operations m_operations;
};

} // namespace

/// ZB-V (arXiv:2401.10241, appendix; PyTorch's ScheduleZBVZeroBubble): a fixed table over the two chunks of a rank.
Operations zeroBubbleV(const ScheduleRequest& request, std::int64_t rank, std::int64_t microbatches)
{
    using enum OperationKind;
    const std::int64_t left = request.stages - rank;
    const std::int64_t table = std::max(2 * request.stages - 1, microbatches);
    Writer order(microbatches);
    for (std::int64_t i = 0; i < 2 * left - 1; ++i)
        order.add(Forward, 0);
    for (std::int64_t i = 0; i < rank; ++i) {
        order.add(Forward, 1);
        order.add(Forward, 0);
    }
    for (std::int64_t i = 0; i < left; ++i) {
        order.add(Forward, 1);
        order.addSplitBackward(1);
    }
    while (order.next(Forward, 1) < order.next(Forward, 0) || order.next(Forward, 0) < table) {
        if (order.next(Forward, 0) < table) order.add(Forward, 0);
        order.addSplitBackward(0);
        order.add(Forward, 1);
        order.addSplitBackward(1);
    }
    for (std::int64_t i = 0; i < rank; ++i) {
        order.add(BackwardInput, 0);
        order.add(BackwardInput, 1);
    }
    for (std::int64_t i = 0; i < left; ++i)
        order.addSplitBackward(0);
    for (const std::int64_t chunk : {1, 0}) {
        while (order.next(BackwardWeight, chunk) < table)
            order.add(BackwardWeight, chunk);
    }
    return order.take();
}

} // namespace cardfit::orders
