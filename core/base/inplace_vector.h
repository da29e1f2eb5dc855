// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <type_traits>

namespace cardfit {

/// A vector of at most `Most` values that are part of it: no memory to allocate, and only the values in use are
/// initialized and copied. What C++26 calls std::inplace_vector, as far as plain values need it.
template <class Value, std::size_t Most> class InplaceVector {
    static_assert(std::is_trivially_copyable_v<Value> && std::is_trivially_destructible_v<Value>);

public:
    InplaceVector() { } // NOLINT(modernize-use-equals-default): the values stay uninitialized
    InplaceVector(const InplaceVector& other) { *this = other; }
    InplaceVector& operator=(const InplaceVector& other)
    {
        m_size = other.m_size;
        std::copy_n(other.m_values, m_size, m_values);
        return *this;
    }
    ~InplaceVector() = default;

    /// Requires room for it.
    void push_back(const Value& value)
    {
        assert(m_size < Most);
        m_values[m_size++] = value;
    }

    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    [[nodiscard]] const Value& front() const { return m_values[0]; }
    [[nodiscard]] const Value* begin() const { return m_values; }
    [[nodiscard]] const Value* end() const { return m_values + m_size; }
    [[nodiscard]] Value* begin() { return m_values; }
    [[nodiscard]] Value* end() { return m_values + m_size; }

private:
    std::size_t m_size = 0;
    union {
        Value m_values[Most];
    };
};

} // namespace cardfit
