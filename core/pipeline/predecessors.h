// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "core/pipeline/dependencies.h"

namespace cardfit {

/// A few values in a row, kept in place.
template <class Value, std::size_t kMost> class ShortList {
public:
    void push_back(const Value& value) { m_values[m_size++] = value; }
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    [[nodiscard]] const Value* begin() const { return m_values.data(); }
    [[nodiscard]] const Value* end() const { return m_values.data() + m_size; }

private:
    std::array<Value, kMost> m_values{};
    std::size_t m_size = 0;
};

/// A value that a rank sends to another one after one operation, or receives before the next.
struct Crossing {
    bool sent = false; ///< otherwise received
    bool gradient = false; ///< otherwise activations
    /// The other rank's operation before the transfer: the one that makes the value, or the one after which it can be
    /// taken. None: the other rank has not run any.
    std::optional<OperationId> peer;
};
using Crossings = ShortList<Crossing, 4>;

/// Between the operation `index - 1` of a rank and the operation `index`; at both ends there is only one of them.
[[nodiscard]] Crossings crossings(const Dependencies& dependencies, std::size_t rank, std::size_t index);

/// An operation does not start before another one has ended and then so many transfers, one after the other, are done.
struct Predecessor {
    OperationId operation;
    std::size_t transfers = 0;

    bool operator==(const Predecessor&) const = default;
};
using Predecessors = ShortList<Predecessor, 5>;

/// What holds an operation back: it starts at the latest of their ends and transfers, or at 0 if there is none. The
/// rank's own operation before comes first. Requires a transfer model other than Serialized, where what holds an
/// operation back may be an operation of any rank.
[[nodiscard]] Predecessors predecessors(const Dependencies& dependencies, OperationId id);

} // namespace cardfit
