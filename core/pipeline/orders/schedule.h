// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/base/enum_names.h"

namespace cardfit {

/// The order in which the ranks of a pipeline work. What is known about each is one row of orders/table.h.
enum class Schedule {
    Naive,
    GPipe,
    GPipeLifo,
    OneFOneB,
    EagerOneFOneB,
    PipeDream,
    InterleavedOneFOneB,
    LoopedBfs,
    ZbH1,
    ZbH2,
    InterleavedZb,
    ZbV,
    VHalf,
    VMin,
    DualPipe,
    DualPipeV,
};
inline constexpr std::size_t kScheduleCount = enumeratorCount<Schedule>();

template <> std::span<const EnumName<Schedule>> names();

} // namespace cardfit
