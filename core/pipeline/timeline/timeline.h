// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "core/base/enum_names.h"
#include "core/pipeline/orders/operation.h"
#include "core/pipeline/orders/placement.h"
#include "core/pipeline/timeline/folded_series.h"

namespace cardfit {

/// What ranks do while an activation or a gradient is transferred from one to the other.
enum class TransferModel : std::uint8_t {
    Latency, ///< the sender goes on; the receiver waits until it has arrived
    Batched, ///< both are blocked; what a rank sends and receives between two operations is transferred concurrently
    Serialized, ///< both are blocked; one transfer after the other, gradients first
};

/// How activations and gradients get from one rank to another.
struct Transfers {
    TransferModel model = TransferModel::Latency;
    double time = 0.0; ///< of one transfer, in the timeline's unit

    bool operator==(const Transfers&) const = default;
};

/// "latency", "batched", "serialized".
template <> std::span<const EnumName<TransferModel>> names();

/// What an operation waited for last: it starts right after that.
enum class StartedBy : std::uint8_t {
    Rank, ///< the previous operation of its rank, or the start of the step
    Activations, ///< arrival of the activations of the stage before
    Gradient, ///< arrival of the gradient of the stage after
    Receiver, ///< blocking transfers: the rank that received the result of the previous operation
};

struct TimedOperation {
    Operation operation;
    StartedBy started_by = StartedBy::Rank; ///< Rank: did not wait
    double start = 0.0;
    double end = 0.0;

    /// Change from one repeat of a steady state to the next.
    struct Shift {
        double period = 0.0; ///< in the timeline's unit
        std::int32_t step = 0; ///< of the micro-batch numbers
    };

    constexpr TimedOperation() = default;
    constexpr TimedOperation(const Operation& what, double from, double to, StartedBy by = StartedBy::Rank)
        : operation(what)
        , started_by(by)
        , start(from)
        , end(to)
    {
    }
    /// The same operation `repeats` repeats later.
    [[nodiscard]] TimedOperation shifted(const Shift& shift, std::size_t repeats) const
    {
        TimedOperation later = *this;
        later.operation = operation.shifted(static_cast<std::int32_t>(repeats) * shift.step);
        later.start += static_cast<double>(repeats) * shift.period;
        later.end += static_cast<double>(repeats) * shift.period;
        return later;
    }

    bool operator==(const TimedOperation&) const = default;
};

/// The operations of one rank in execution order; repeats are stored once.
class RankTimeline : public FoldedSeries<TimedOperation> {
public:
    RankTimeline() = default;
    /// Without repeats.
    RankTimeline(const std::vector<TimedOperation>& operations)
        : RankTimeline(std::span(operations))
    {
    }
    RankTimeline(std::initializer_list<TimedOperation> operations)
        : RankTimeline(std::span(operations.begin(), operations.size()))
    {
    }

    void push_back(const TimedOperation& operation)
    {
        add(operation.operation, 0, operation.start, operation.end, operation.started_by);
    }
    /// push_back() with micro-batch numbers `step` higher; changing them once stored would stall the processor.
    void add(const Operation& operation, std::int32_t step, double start, double end, StartedBy started_by)
    {
        m_busy += end - start;
        append(operation.shifted(step), start, end, started_by);
    }
    /// Repeats the last `count` operations `more` times. They must be stored and not repeated yet.
    void repeatLast(std::size_t count, std::size_t more, double period, std::int32_t step);

    /// Number of operations that end at or before an instant, and number that start before it. Both are look-ups, not
    /// walks: operations follow each other, so starts and ends ascend.
    [[nodiscard]] std::size_t endedBy(double instant) const;
    [[nodiscard]] std::size_t startedBefore(double instant) const;

    /// First repeat of a segment.
    [[nodiscard]] std::span<const TimedOperation> operations(const Segment& segment) const { return storedOf(segment); }
    /// Total time of all operations. Stored, as adding it up again would cost more than all other uses of a long
    /// timeline.
    [[nodiscard]] double busy() const { return m_busy; }

    /// Compares the operations, however they are stored.
    friend bool operator==(const RankTimeline& a, const RankTimeline& b);

private:
    explicit RankTimeline(std::span<const TimedOperation> operations);
    template <class Done> [[nodiscard]] std::size_t countWhile(double instant, const Done& done) const;

    double m_busy = 0.0;
};

/// Start and end of every operation of every rank. Times are in the unit of the durations that were simulated: seconds
/// in an Estimate.
struct Timeline {
    std::vector<RankTimeline> ranks;
    double makespan = 0.0; ///< last end; the first operation starts at 0
    Placement placement = Placement::Loop;
    Transfers transfers;

    bool operator==(const Timeline&) const = default;
};

/// Time that a rank spends on operations, in the timeline's unit.
[[nodiscard]] double busyTime(const Timeline& timeline, std::size_t rank);

/// Idle time over makespan x ranks (GPipe, arXiv:1811.06965), and idle over busy time (Megatron, arXiv:2104.04473).
struct BubbleFractions {
    double of_total = 0.0;
    double over_ideal = 0.0;
};
[[nodiscard]] BubbleFractions bubbleFractions(const Timeline& timeline);

/// Time from a rank's first operation to its last, on the rank where it is longest. This is the time of a step if each
/// rank goes on to the next step by itself and the optimizer is validated afterwards ("optimizer post-validation", zero
/// bubble pipelines, arXiv:2401.10241 section 4).
[[nodiscard]] double rankSpan(const Timeline& timeline);

} // namespace cardfit
