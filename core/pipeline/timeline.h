// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <vector>

#include "core/enum_names.h"
#include "core/pipeline/operation.h"
#include "core/pipeline/placement.h"

namespace cardfit {

/// What ranks do while an activation or a gradient travels from one to the other.
enum class TransferModel : std::uint8_t {
    Latency, ///< the sender goes on; the receiver waits until it has arrived
    Batched, ///< both stand still; what a rank sends and receives between two operations travels at once
    Serialized, ///< both stand still; one after the other, gradients first
};

/// How values get from one rank to another.
struct Transfers {
    TransferModel model = TransferModel::Latency;
    double time = 0.0; ///< of one value, in the timeline's unit

    bool operator==(const Transfers&) const = default;
};

/// "latency", "batched", "serialized".
template <> std::span<const EnumName<TransferModel>> names();

/// What an operation began right after.
enum class StartedBy : std::uint8_t {
    Rank, ///< its rank's operation before, or the start of the step
    Activations, ///< the arrival of the forward pass of the stage before
    Gradient, ///< the arrival of the gradient of the stage after
    Receiver, ///< blocking transfers: the rank that took what the operation before had made
};

struct TimedOperation {
    Operation operation;
    StartedBy started_by = StartedBy::Rank; ///< Rank where the rank did not wait
    double start = 0.0;
    double end = 0.0;

    constexpr TimedOperation() = default;
    constexpr TimedOperation(const Operation& what, double from, double to, StartedBy by = StartedBy::Rank)
        : operation(what)
        , started_by(by)
        , start(from)
        , end(to)
    {
    }

    bool operator==(const TimedOperation&) const = default;
};

/// What one rank does, in execution order; reads like a vector of TimedOperation, without storing what repeats.
/// A rank is a list of segments: operations that run `repeats` times in a row, each time `period` later and on
/// micro-batches `step` higher. Only the first repeat is stored, so a pipeline in its steady state takes no more room
/// than one period of it.
class RankTimeline {
public:
    struct Segment {
        std::size_t first = 0; ///< index of its first operation in the rank
        std::size_t stored = 0; ///< and where that one is stored
        std::size_t count = 0; ///< operations of one repeat; never 0
        std::size_t repeats = 1;
        double period = 0.0; ///< in the timeline's unit
        std::int32_t step = 0;

        /// Where an operation of the segment is stored, and which repeat of that one it is.
        struct Place {
            std::size_t stored, repeat;
        };

        [[nodiscard]] std::size_t size() const { return count * repeats; }
        /// Of an index into the rank that is not before the segment.
        [[nodiscard]] bool contains(std::size_t index) const { return index - first < size(); }
        [[nodiscard]] Place placeOf(std::size_t index) const
        {
            const std::size_t inside = index - first;
            if (repeats == 1) return {stored + inside, 0};
            return {stored + inside % count, inside / count};
        }
        /// An operation of the first repeat as it is in another one.
        [[nodiscard]] TimedOperation at(TimedOperation operation, std::size_t repeat) const
        {
            const double shift = static_cast<double>(repeat) * period;
            operation.operation = operation.operation.shifted(static_cast<std::int32_t>(repeat) * step);
            operation.start += shift;
            operation.end += shift;
            return operation;
        }
    };
    class Iterator;
    using value_type = TimedOperation;
    using iterator = Iterator;
    using const_iterator = Iterator;

    RankTimeline() = default;
    /// Nothing repeats.
    RankTimeline(const std::vector<TimedOperation>& operations)
        : RankTimeline(std::span(operations))
    {
    }
    RankTimeline(std::initializer_list<TimedOperation> operations)
        : RankTimeline(std::span(operations.begin(), operations.size()))
    {
    }

    void reserve(std::size_t operations)
    {
        m_stored.reserve(operations);
        m_segments.reserve(3);
    }
    void push_back(const TimedOperation& operation)
    {
        add(operation.operation, 0, operation.start, operation.end, operation.started_by);
    }
    /// The same in place, on micro-batches `step` higher.
    void add(const Operation& operation, std::int32_t step, double start, double end, StartedBy started_by)
    {
        if (m_segments.empty() || m_segments.back().repeats > 1) m_segments.push_back({size(), m_stored.size()});
        ++m_segments.back().count;
        m_busy += end - start;
        Operation& added = m_stored.emplace_back(operation, start, end, started_by).operation;
        added.microbatch += step;
        if (added.kind == OperationKind::Overlapped) added.backward_microbatch += step;
    }
    /// The last `count` operations, all of them stored and not repeated yet, run `more` times again.
    void repeatLast(std::size_t count, std::size_t more, double period, std::int32_t step);

    [[nodiscard]] bool empty() const { return m_segments.empty(); }
    [[nodiscard]] std::size_t size() const
    {
        return m_segments.empty() ? 0 : m_segments.back().first + m_segments.back().size();
    }
    [[nodiscard]] TimedOperation operator[](std::size_t index) const
    {
        const Segment* segment = m_segments.data();
        while (!segment->contains(index))
            ++segment;
        const Segment::Place place = segment->placeOf(index);
        return segment->at(m_stored[place.stored], place.repeat);
    }
    [[nodiscard]] TimedOperation front() const { return (*this)[0]; }
    [[nodiscard]] TimedOperation back() const { return (*this)[size() - 1]; }
    [[nodiscard]] Iterator begin() const;
    [[nodiscard]] Iterator end() const;

    /// How many operations end at or before the instant; as many as start before it. Both take the time of one look-up,
    /// not of a walk: operations follow each other, so starts and ends ascend.
    [[nodiscard]] std::size_t endedBy(double instant) const;
    [[nodiscard]] std::size_t startedBefore(double instant) const;

    [[nodiscard]] std::span<const Segment> segments() const { return m_segments; }
    /// First repeat of a segment.
    [[nodiscard]] std::span<const TimedOperation> operations(const Segment& segment) const
    {
        return std::span(m_stored).subspan(segment.stored, segment.count);
    }
    /// What all operations take together; kept, as the walk that would sum them up again costs more than the rest of
    /// what is asked of a long timeline.
    [[nodiscard]] double busy() const { return m_busy; }

    /// How many operations are kept in memory.
    [[nodiscard]] std::size_t storedSize() const { return m_stored.size(); }

    /// The same operations, however they are stored.
    friend bool operator==(const RankTimeline& a, const RankTimeline& b);

private:
    explicit RankTimeline(std::span<const TimedOperation> operations);
    template <class Done> [[nodiscard]] std::size_t countWhile(double instant, const Done& done) const;

    std::vector<TimedOperation> m_stored;
    std::vector<Segment> m_segments;
    double m_busy = 0.0;
};

/// Gives operations by value, as std::vector<bool> gives its bits.
class RankTimeline::Iterator {
public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = TimedOperation;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = TimedOperation;

    Iterator() = default;
    Iterator(const RankTimeline& rank, std::size_t index)
        : m_rank(&rank)
        , m_index(static_cast<difference_type>(index))
    {
    }

    TimedOperation operator*() const { return (*this)[0]; }
    TimedOperation operator[](difference_type offset) const
    {
        return (*m_rank)[static_cast<std::size_t>(m_index + offset)];
    }
    Iterator& operator+=(difference_type offset)
    {
        m_index += offset;
        return *this;
    }
    Iterator& operator-=(difference_type offset) { return *this += -offset; }
    Iterator& operator++() { return *this += 1; }
    Iterator& operator--() { return *this -= 1; }
    Iterator operator++(int)
    {
        const Iterator before = *this;
        ++*this;
        return before;
    }
    Iterator operator--(int)
    {
        const Iterator before = *this;
        --*this;
        return before;
    }
    friend Iterator operator+(Iterator at, difference_type offset) { return at += offset; }
    friend Iterator operator+(difference_type offset, Iterator at) { return at += offset; }
    friend Iterator operator-(Iterator at, difference_type offset) { return at -= offset; }
    friend difference_type operator-(const Iterator& a, const Iterator& b) { return a.m_index - b.m_index; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.m_index == b.m_index; }
    friend auto operator<=>(const Iterator& a, const Iterator& b) { return a.m_index <=> b.m_index; }

private:
    const RankTimeline* m_rank = nullptr;
    difference_type m_index = 0;
};

inline RankTimeline::Iterator RankTimeline::begin() const { return {*this, 0}; }
inline RankTimeline::Iterator RankTimeline::end() const { return {*this, size()}; }

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

/// From a rank's first operation to its last, on the rank where that takes longest: the time of a step where each rank
/// goes on to the next step by itself and the optimizer is validated afterwards ("optimizer post-validation", zero
/// bubble pipelines, arXiv:2401.10241 section 4).
[[nodiscard]] double rankSpan(const Timeline& timeline);

} // namespace cardfit
