// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "core/pipeline/exchanges.h"

namespace cardfit {

/// What holds operations back where handovers go one after the other (TransferModel::Serialized).
///
/// A handover starts when both ranks have settled the one before it in their turn, or have ended the operation before
/// all of them, and ends one transfer later; the next operation starts after the last one. Who comes when is said by
/// the operations of the ranks alone, whatever time they take.
class Turns {
public:
    /// Of the dependencies' timeline; they must outlive it.
    explicit Turns(const Exchanges& exchanges)
        : m_exchanges(exchanges)
    {
    }

    /// Handovers in a row, each starting when the one before it ends.
    struct Chain {
        std::optional<OperationId> after; ///< the operation that the first one follows; none: the start of the step
        std::size_t transfers = 0;
        double end = 0.0; ///< of the last one, in the timeline's unit
    };

    /// The chain that ends last of those that an operation waits for: it starts at its end. Of two that end at once a
    /// rank's own operation goes first, then lower ranks. None where handovers would wait for each other in a circle:
    /// the turns are not as they seem.
    [[nodiscard]] std::optional<Chain> chainTo(OperationId id);

    /// Exchanges::handovers(), those that block with the starts that their turns give them. None as above.
    [[nodiscard]] std::optional<std::vector<Handover>> handovers(OperationId stand);

private:
    /// A handover, by what it hands over.
    struct Value {
        OperationId maker;
        bool gradient = false;

        auto operator<=>(const Value&) const = default;
    };
    /// What one of the two ranks does before a handover.
    struct Before {
        std::optional<Value> handover;
        std::optional<OperationId> operation; ///< where there is no handover in its turn before this one
    };
    struct Node {
        std::array<OperationId, 2> stands; ///< where the lower rank stands, where the higher one
        std::array<Before, 2> before;
        bool entered = false;
        std::optional<double> start;
    };

    void makeRoom();
    void forget();
    Before enter(OperationId stand);
    void enter(Node& node);
    [[nodiscard]] double endOf(const Before& before) const;
    [[nodiscard]] bool settle(const Value& last);

    const Exchanges& m_exchanges;
    std::map<Value, Node> m_nodes; ///< that the operations in question may wait for,
    std::map<OperationId, Before> m_stands; ///< and where ranks stand for them: the last handover there
};

} // namespace cardfit
