// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>

/// Units as types: quantities of different units do not add, compare or convert by accident. A number leaves its unit
/// only through value(), and only where text, JSON or pixels are made.
namespace cardfit {

template <class Unit, class Rep> class Quantity {
public:
    constexpr Quantity() = default;
    constexpr explicit Quantity(Rep value)
        : m_value(value)
    {
    }

    [[nodiscard]] constexpr Rep value() const { return m_value; }

    constexpr Quantity& operator+=(Quantity other)
    {
        m_value += other.m_value;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity other)
    {
        m_value -= other.m_value;
        return *this;
    }
    friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.m_value + b.m_value); }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.m_value - b.m_value); }
    friend constexpr Quantity operator*(Rep factor, Quantity a) { return Quantity(factor * a.m_value); }
    friend constexpr Quantity operator*(Quantity a, Rep factor) { return Quantity(a.m_value * factor); }
    /// How many times b goes into a; a plain number.
    friend constexpr double operator/(Quantity a, Quantity b)
    {
        return static_cast<double>(a.m_value) / static_cast<double>(b.m_value);
    }
    friend constexpr auto operator<=>(Quantity, Quantity) = default;

private:
    Rep m_value{};
};

/// Memory. Whole bytes: sums are exact, and a total is the sum of its terms to the byte.
using Bytes = Quantity<struct BytesUnit, std::int64_t>;
/// Memory as device drivers report it, 1 MiB = 2^20 bytes.
using Mebibytes = Quantity<struct MebibytesUnit, std::int64_t>;
/// Floating-point operations, a multiply-add counting as two. A double: a training step exceeds 2^63.
using Flops = Quantity<struct FlopsUnit, double>;
using Seconds = Quantity<struct SecondsUnit, double>;
/// Rates are kept in the unit in which data sheets and preset files state them, so that a file round-trips exactly.
using Teraflops = Quantity<struct TeraflopsUnit, double>; ///< 10^12 FLOP per second
using GigabytesPerSecond = Quantity<struct GigabytesPerSecondUnit, double>; ///< 10^9 bytes per second
using Microseconds = Quantity<struct MicrosecondsUnit, double>;

constexpr Bytes toBytes(Mebibytes size) { return Bytes(size.value() * (std::int64_t{1} << 20)); }

/// The nearest whole number of bytes; formulas with fractions (0.5 bytes per parameter, optimizer shards) end here.
inline Bytes roundToBytes(double bytes) { return Bytes(std::llround(bytes)); }

constexpr Seconds operator/(Flops work, Teraflops rate) { return Seconds(work.value() / (rate.value() * 1e12)); }
constexpr Seconds operator/(Bytes amount, GigabytesPerSecond rate)
{
    return Seconds(static_cast<double>(amount.value()) / (rate.value() * 1e9));
}
constexpr Seconds toSeconds(Microseconds time) { return Seconds(time.value() * 1e-6); }

} // namespace cardfit
