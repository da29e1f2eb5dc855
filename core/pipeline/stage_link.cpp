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
