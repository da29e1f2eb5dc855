// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "core/pipeline/analysis/blocking_transfers.h"

namespace cardfit {

/// When transfers start if each rank does one at a time (TransferModel::Serialized).
///
/// At a transfer point a rank does its transfers in the order of BlockingTransfers::transfersBefore(). A transfer
/// starts when both ranks have finished their previous transfer at that point, or, if it is their first there, their
/// operation; it ends one transfer time later. The next operation starts after the last transfer. The order of the
/// transfers is given by the ranks' programs, whatever time operations take.
///
///     rank 0 at point a:   t1, t2          t2 starts after t1 (rank 0) and after t3 (rank 1)
///     rank 1 at point b:   t3, t2
class SerializedTransfers {
public:
    /// `transfers` must outlive it.
    explicit SerializedTransfers(const BlockingTransfers& transfers)
        : m_transfers(transfers)
    {
    }

    /// Transfers in a row, each starting when the one before it ends.
    struct Chain {
        std::optional<OperationId> after; ///< the operation that the first one follows; none: the start of the step
        std::size_t transfers = 0;
        double end = 0.0; ///< of the last one, in the timeline's unit
    };

    /// Of the chains that an operation waits for, the one that ends last: the operation starts at its end. If two end
    /// at once, the rank's own operation goes first, then lower ranks. nullopt if the transfers form a wait cycle: the
    /// order that was read from the timeline is inconsistent.
    [[nodiscard]] std::optional<Chain> chainTo(OperationId id);

    /// BlockingTransfers::transfersBefore() with the starts of the blocking ones. nullopt if they form a wait cycle.
    [[nodiscard]] std::optional<std::vector<Transfer>> transfersBefore(std::size_t rank, std::size_t index);

private:
    /// A transfer, by the value that it carries.
    struct Value {
        OperationId producer;
        bool gradient = false;

        auto operator<=>(const Value&) const = default;
    };
    /// What one of the two ranks does right before a transfer.
    struct Before {
        std::optional<Value> transfer;
        std::optional<OperationId> operation; ///< if the transfer is the rank's first at that point
    };
    struct Node {
        std::array<OperationId, 2> points; ///< of the lower rank, of the higher rank
        std::array<Before, 2> before;
        bool entered = false;
        std::optional<double> start;
    };

    void limitMemory();
    void forget();
    Before enterPoint(OperationId point);
    void enter(Node& node);
    [[nodiscard]] double endOf(const Before& before) const;
    [[nodiscard]] bool findStart(const Value& last);

    const BlockingTransfers& m_transfers;
    std::map<Value, Node> m_nodes; ///< transfers that were asked about, and those that they wait for
    std::map<OperationId, Before> m_points; ///< the last transfer at each transfer point that was entered
};

} // namespace cardfit
