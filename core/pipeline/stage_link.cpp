// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/stage_link.h"

#include <algorithm>
#include <utility>

namespace cardfit {

std::vector<StageLink::Value> StageLink::underWay() const
{
    std::vector<Value> values;
    values.reserve(m_count);
    std::ranges::copy_if(
        m_ring, std::back_inserter(values), [](const Value& value) { return value.microbatch != kNobody; });
    std::ranges::sort(values, {}, &Value::microbatch);
    return values;
}

void StageLink::shift(std::int32_t step, double offered_later, double wanted_later)
{
    const std::vector<Value> values = underWay();
    std::ranges::fill(m_ring, Value{});
    m_count = 0;
    for (Value value : values) {
        value.microbatch += step;
        if (value.offered != kNotYet) value.offered += offered_later;
        if (value.wanted != kNotYet) value.wanted += wanted_later;
        at(value.microbatch) = value;
    }
}

std::int64_t StageLink::countInRows() const
{
    std::int64_t count = 0;
    for (const Row& row : m_rows)
        count += row.count;
    return count;
}

const StageLink::Row* StageLink::rowInUse() const
{
    const auto row = std::ranges::find(m_rows, m_next_in_row, &Row::microbatch);
    return row == m_rows.end() ? nullptr : &*row;
}

void StageLink::skipInRowInUse(std::int64_t values)
{
    const auto row = std::ranges::find(m_rows, m_next_in_row, &Row::microbatch);
    skip(row, values);
}

void StageLink::skip(std::vector<Row>::iterator row, std::int64_t values)
{
    row->microbatch += static_cast<std::int32_t>(values) * row->step;
    row->offered += static_cast<double>(values) * row->period;
    row->count -= values;
    m_next_in_row = row->count > 0 ? row->microbatch : kNobody;
    if (row->count == 0) m_rows.erase(row);
}

/// The value of a micro-batch that is the first of a row, from now on one by one.
StageLink::Value* StageLink::takeFromRow(std::int32_t microbatch)
{
    const auto row = std::ranges::find(m_rows, microbatch, &Row::microbatch);
    if (row == m_rows.end()) return nullptr;
    Value& value = at(microbatch);
    value.offered = row->offered;
    skip(row, 1);
    return &value;
}

void StageLink::grow()
{
    const std::vector<Value> values = std::exchange(m_ring, std::vector<Value>(2 * m_ring.size()));
    m_mask = m_ring.size() - 1;
    // Two that had a slot each do not share one now.
    for (const Value& value : values) {
        if (value.microbatch != kNobody) m_ring[slotOf(value.microbatch)] = value;
    }
}

} // namespace cardfit
