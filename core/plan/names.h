// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include "core/plan/plan.h"

/// The words of the plan file for every enumeration; readers, writers, command line and combo boxes share them.
namespace cardfit {

template <class Enum> struct EnumName {
    Enum value;
    std::string_view name;
};

/// All values of an enumeration with their words, in the order in which they are offered.
template <class Enum> [[nodiscard]] std::span<const EnumName<Enum>> names();

template <> std::span<const EnumName<Norm>> names();
template <> std::span<const EnumName<PositionEmbedding>> names();
template <> std::span<const EnumName<Task>> names();
template <> std::span<const EnumName<Framework>> names();
template <> std::span<const EnumName<Kernels>> names();
template <> std::span<const EnumName<Precision>> names();
template <> std::span<const EnumName<GradientPrecision>> names();
template <> std::span<const EnumName<Optimizer>> names();
template <> std::span<const EnumName<Sharding>> names();
template <> std::span<const EnumName<Schedule>> names();
template <> std::span<const EnumName<Attention>> names();
template <> std::span<const EnumName<Loss>> names();
template <> std::span<const EnumName<RecomputeGranularity>> names();
template <> std::span<const EnumName<RecomputeMethod>> names();
template <> std::span<const EnumName<RecomputeModule>> names();
template <> std::span<const EnumName<Dispatcher>> names();
template <> std::span<const EnumName<ContextCommunication>> names();
template <> std::span<const EnumName<AdapterTarget>> names();

template <class Enum> [[nodiscard]] std::string_view name(Enum value)
{
    const auto all = names<Enum>();
    const auto found = std::ranges::find(all, value, &EnumName<Enum>::value);
    return found == all.end() ? std::string_view{} : found->name;
}

template <class Enum> [[nodiscard]] std::optional<Enum> fromName(std::string_view word)
{
    const auto all = names<Enum>();
    const auto found = std::ranges::find(all, word, &EnumName<Enum>::name);
    if (found == all.end()) return std::nullopt;
    return found->value;
}

} // namespace cardfit
