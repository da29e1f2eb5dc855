// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/orders/schedule_traits.h"

#include <algorithm>
#include <cassert>

#include "core/pipeline/orders/table.h"

namespace cardfit {

namespace {

// One row for every enumerator, in the same order.
static_assert(orders::kTable.size() == kScheduleCount);
static_assert(isInOrder(orders::kTable, &ScheduleTraits::schedule));
static_assert(std::ranges::all_of(orders::kTable, [](const ScheduleTraits& row) {
    return (row.program != nullptr) != (row.order != nullptr) && (row.order != nullptr) == (row.period != nullptr);
}));

constexpr auto kScheduleNames = [] {
    std::array<EnumName<Schedule>, kScheduleCount> words{};
    std::ranges::transform(orders::kTable, words.begin(), [](const ScheduleTraits& row) {
        return EnumName<Schedule>{row.schedule, row.word, row.label, row.help};
    });
    return words;
}();

} // namespace

template <> std::span<const EnumName<Schedule>> names() { return kScheduleNames; }

const ScheduleTraits& traits(Schedule schedule)
{
    const ScheduleTraits& row = orders::kTable[static_cast<std::size_t>(schedule)];
    assert(row.schedule == schedule);
    return row;
}

Placement placementOf(Schedule schedule) { return traits(schedule).placement; }

} // namespace cardfit
