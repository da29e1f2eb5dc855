// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/units.h"

/// Amounts as text: the one place where memory becomes GB or GiB and a number gets its digits.
namespace cardfit {

enum class ByteUnit { GB, GiB };

[[nodiscard]] std::string_view unitName(ByteUnit unit); ///< "GB", "GiB"
[[nodiscard]] double bytesPerUnit(ByteUnit unit);
[[nodiscard]] double inUnit(Bytes bytes, ByteUnit unit);

/// "67.11": without the unit, exactly `decimals` digits after the point.
[[nodiscard]] std::string amountText(Bytes bytes, ByteUnit unit, int decimals = 2);

/// "67.11 GB" or "62.50 GiB"; exactly `decimals` digits after the point.
[[nodiscard]] std::string formatBytes(Bytes bytes, ByteUnit unit, int decimals = 2);

/// "14800", "3.44": rounded to `digits` significant digits, without a power of ten for large numbers.
[[nodiscard]] std::string inDigits(double value, int digits);

} // namespace cardfit
