// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cardfit {

/// Values on their way from one stage to a neighbour, one for each micro-batch: activations one way, gradients the
/// other. A ring of slots by micro-batch number, which grows when two that are under way would share a slot; and rows
/// of values that differ by their number alone, where a stage hands over long before the next one takes.
class StageLink {
public:
    static constexpr std::int32_t kNobody = INT32_MIN;
    static constexpr double kNotYet = -1.0;

    struct Value {
        std::int32_t microbatch = kNobody;
        std::uint8_t settled_by = 0; ///< blocking transfers: how many of the two ranks have gone on
        double offered = kNotYet; ///< when it arrives; blocking transfers: when the sender is ready
        double wanted = kNotYet; ///< blocking transfers: when the receiver is ready
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
    double transfer; ///< time on the way
    bool blocking; ///< both ranks stand still meanwhile
    bool awaited = false; ///< where it does not block: the receiver is held up until the next value is sent
    std::int64_t taken = 0; ///< values ever

    /// Each of a micro-batch `step` higher than the one before, and offered `period` later.
    struct Row {
        std::int32_t microbatch = kNobody; ///< of the first
        std::int32_t step = 0;
        std::int64_t count = 0;
        double offered = kNotYet; ///< the first
        double period = 0.0;
    };

    /// None if neither side has spoken of the micro-batch.
    [[nodiscard]] Value* find(std::int32_t microbatch)
    {
        Value& value = m_ring[slotOf(microbatch)];
        if (value.microbatch == microbatch) return &value;
        return m_rows.empty() ? nullptr : takeFromRow(microbatch);
    }
    /// The value of a micro-batch, made if there is none.
    [[nodiscard]] Value& at(std::int32_t microbatch)
    {
        for (;;) {
            Value& value = m_ring[slotOf(microbatch)];
            if (value.microbatch == microbatch) return value;
            if (value.microbatch == kNobody) {
                value = Value{microbatch};
                ++m_count;
                return value;
            }
            grow();
        }
    }
    void remove(Value& value)
    {
        value.microbatch = kNobody;
        --m_count;
        ++taken;
    }
    /// Values under way that are kept one by one.
    [[nodiscard]] std::size_t count() const { return m_count; }
    /// Those values, by micro-batch.
    [[nodiscard]] std::vector<Value> underWay() const;
    /// Values under way in rows.
    [[nodiscard]] std::int64_t countInRows() const;
    /// The row of which a value was taken last; none if that was its last one.
    [[nodiscard]] const Row* rowInUse() const;
    void addRow(const Row& row) { m_rows.push_back(row); }
    void skipInRowInUse(std::int64_t values);
    /// All that is under way is of micro-batches `step` higher, offered and wanted later.
    void shift(std::int32_t step, double offered_later, double wanted_later);

private:
    [[nodiscard]] std::size_t slotOf(std::int32_t microbatch) const
    {
        return static_cast<std::size_t>(microbatch) & m_mask;
    }
    void grow();
    Value* takeFromRow(std::int32_t microbatch);
    void skip(std::vector<Row>::iterator row, std::int64_t values);

    static constexpr std::size_t kFirstSize = 8; ///< a power of two, as all later ones
    std::vector<Value> m_ring = std::vector<Value>(kFirstSize);
    std::size_t m_count = 0;
    std::size_t m_mask = kFirstSize - 1; ///< of a micro-batch number: its slot
    std::vector<Row> m_rows; ///< none empty
    std::int32_t m_next_in_row = kNobody; ///< after what was last taken from one
};

} // namespace cardfit
