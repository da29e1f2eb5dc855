// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/simulation/stage_link.h"

#include <algorithm>
#include <utility>

namespace cardfit {

void StageLink::copyUnderWay(std::vector<Value>& values) const
{
    values.clear();
    if (m_count == 0) return;
    values.reserve(m_count);
    std::ranges::copy_if(
        m_ring, std::back_inserter(values), [](const Value& value) { return value.microbatch != kNoMicrobatch; });
    std::ranges::sort(values, {}, &Value::microbatch);
}

void StageLink::shift(std::int32_t step, double sender_later, double receiver_later)
{
    if (m_count == 0) return;
    std::vector<Value> values;
    copyUnderWay(values);
    std::ranges::fill(m_ring, Value{});
    m_count = 0;
    for (Value value : values) {
        value.microbatch += step;
        value.available += value.receiver_ready && !value.sender_ready ? receiver_later : sender_later;
        at(value.microbatch) = value;
    }
}

std::int64_t StageLink::countInSeries() const
{
    std::int64_t count = 0;
    for (const Series& series : m_series)
        count += series.count;
    return count;
}

const StageLink::Series* StageLink::seriesInUse() const
{
    const auto series = std::ranges::find(m_series, m_next_in_series, &Series::microbatch);
    return series == m_series.end() ? nullptr : &*series;
}

void StageLink::skipInSeriesInUse(std::int64_t values)
{
    const auto series = std::ranges::find(m_series, m_next_in_series, &Series::microbatch);
    skip(series, values);
}

void StageLink::skip(std::vector<Series>::iterator series, std::int64_t values)
{
    series->microbatch += static_cast<std::int32_t>(values) * series->step;
    series->available += static_cast<double>(values) * series->period;
    series->count -= values;
    m_next_in_series = series->count > 0 ? series->microbatch : kNoMicrobatch;
    if (series->count == 0) m_series.erase(series);
}

/// Moves the first value of the series that begins with the micro-batch to the ring.
StageLink::Value* StageLink::takeFromSeries(std::int32_t microbatch)
{
    const auto series = std::ranges::find(m_series, microbatch, &Series::microbatch);
    if (series == m_series.end()) return nullptr;
    Value& value = at(microbatch);
    value.available = series->available;
    skip(series, 1);
    return &value;
}

void StageLink::grow()
{
    const std::vector<Value> values = std::exchange(m_ring, std::vector<Value>(2 * m_ring.size()));
    m_mask = m_ring.size() - 1;
    // Values that did not share a slot do not share one in a larger ring either.
    for (const Value& value : values) {
        if (value.microbatch != kNoMicrobatch) m_ring[slotOf(value.microbatch)] = value;
    }
}

} // namespace cardfit
