// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/amounts.h"

#include <cmath>

#include <fmt/format.h>

namespace cardfit {

std::string_view unitName(ByteUnit unit) { return unit == ByteUnit::GB ? "GB" : "GiB"; }

double bytesPerUnit(ByteUnit unit) { return unit == ByteUnit::GB ? 1e9 : 0x1p30; }

double inUnit(Bytes bytes, ByteUnit unit) { return static_cast<double>(bytes.value()) / bytesPerUnit(unit); }

std::string amountText(Bytes bytes, ByteUnit unit, int decimals)
{
    return fmt::format("{:.{}f}", inUnit(bytes, unit), decimals);
}

std::string formatBytes(Bytes bytes, ByteUnit unit, int decimals)
{
    return fmt::format("{} {}", amountText(bytes, unit, decimals), unitName(unit));
}

std::string inDigits(double value, int digits)
{
    if (value >= std::pow(10.0, digits)) return fmt::format("{:.0f}", value);
    return fmt::format("{:.{}g}", value, digits);
}

} // namespace cardfit
