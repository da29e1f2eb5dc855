// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/estimate/estimate.h"

namespace cardfit {

/// What a figure counts. Memory is in whole bytes, everything else a double.
enum class FigureUnit { Memory, Parameters, MicroBatches, Time, Fraction, TokenRate, FlopRate, Tokens, Sequences };

/// A figure's value: `bytes` for memory, `number` for every other unit; the unused one is zero.
struct FigureValue {
    FigureUnit unit = FigureUnit::Memory;
    Bytes bytes;
    double number = 0.0;

    bool operator==(const FigureValue&) const = default;
};
[[nodiscard]] constexpr FigureValue memoryValue(Bytes bytes) { return {FigureUnit::Memory, bytes, 0.0}; }
[[nodiscard]] constexpr FigureValue timeValue(Seconds time) { return {FigureUnit::Time, {}, time.value()}; }

/// Every figure of an estimate by its full name; empty if the estimate is not complete.
[[nodiscard]] std::vector<std::string> figures(const Estimate& estimate);

/// The total that explain() would give, without the explanation; nullopt if there is no such figure.
[[nodiscard]] std::optional<FigureValue> figureValue(const Estimate& estimate, std::string_view figure);

} // namespace cardfit
