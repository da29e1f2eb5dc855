// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cardfit {

/// The values that one stage sends to a neighbour, one for each micro-batch: activations one way, gradients the other.
/// Those under way are in a ring of slots by micro-batch number, which grows when two would share a slot. Where a stage
/// sends long before the next one receives (GPipe), folding adds evenly spaced values as a Series instead.
class StageLink {
public:
    static constexpr std::int32_t kNoMicrobatch = INT32_MIN;
    static constexpr double kNotYet = -1.0;

    /// Small, as all values under way should stay in the processor's cache.
    struct Value {
        double available = kNotYet; ///< when it arrives; blocking transfers: when the ranks that are ready became so
        std::int32_t microbatch = kNoMicrobatch;
        // Blocking transfers only:
        bool sender_ready = false;
        bool receiver_ready = false;
        std::uint8_t ranks_done = 0; ///< how many of the two ranks have completed it
    };

    StageLink(std::size_t from_rank, std::size_t to_rank, double transfer_time, bool blocks_both)
        : from(from_rank)
        , to(to_rank)
        , transfer(transfer_time)
        , blocking(blocks_both)
    {
    }

    std::size_t from; ///< rank
    std::size_t to;
    double transfer; ///< time of one transfer
    bool blocking; ///< both ranks are blocked during the transfer
    bool awaited = false; ///< not blocking: the receiver waits for the next value
    std::int64_t taken = 0; ///< values received so far

    /// Values, each of a micro-batch `step` higher than the one before and available `period` later.
    struct Series {
        std::int32_t microbatch = kNoMicrobatch; ///< of the first
        std::int32_t step = 0;
        std::int64_t count = 0;
        double available = kNotYet; ///< of the first
        double period = 0.0;
    };

    /// The value of a micro-batch; null if neither rank is ready for it yet.
    [[nodiscard]] Value* find(std::int32_t microbatch)
    {
        Value& value = m_ring[slotOf(microbatch)];
        if (value.microbatch == microbatch) return &value;
        return m_series.empty() ? nullptr : takeFromSeries(microbatch);
    }
    /// The value of a micro-batch, created if there is none.
    [[nodiscard]] Value& at(std::int32_t microbatch)
    {
        for (;;) {
            Value& value = m_ring[slotOf(microbatch)];
            if (value.microbatch == microbatch) return value;
            if (value.microbatch == kNoMicrobatch) {
                value = Value{kNotYet, microbatch};
                ++m_count;
                return value;
            }
            grow();
        }
    }
    void remove(Value& value)
    {
        value.microbatch = kNoMicrobatch;
        --m_count;
        ++taken;
    }
    /// Values under way in the ring.
    [[nodiscard]] std::size_t count() const { return m_count; }
    /// Writes those values, by micro-batch, over `values`.
    void copyUnderWay(std::vector<Value>& values) const;
    /// Values under way in series.
    [[nodiscard]] std::int64_t countInSeries() const;
    /// The series from which the last value came; null if that was its last one.
    [[nodiscard]] const Series* seriesInUse() const;
    void addSeries(const Series& series) { m_series.push_back(series); }
    void skipInSeriesInUse(std::int64_t values);
    /// Shifts all values in the ring by `step` micro-batches, and in time: by the sender's delay, or by the receiver's
    /// where only that one is ready.
    void shift(std::int32_t step, double sender_later, double receiver_later);

private:
    [[nodiscard]] std::size_t slotOf(std::int32_t microbatch) const
    {
        return static_cast<std::size_t>(microbatch) & m_mask;
    }
    void grow();
    Value* takeFromSeries(std::int32_t microbatch);
    void skip(std::vector<Series>::iterator series, std::int64_t values);

    static constexpr std::size_t kFirstSize = 8; ///< a power of two, as are all later sizes
    std::vector<Value> m_ring = std::vector<Value>(kFirstSize);
    std::size_t m_count = 0;
    std::size_t m_mask = kFirstSize - 1; ///< masks a micro-batch number to its slot
    std::vector<Series> m_series; ///< none is empty
    std::int32_t m_next_in_series = kNoMicrobatch; ///< micro-batch after the last value taken from a series
};

} // namespace cardfit
