// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/sentence.h"
#include "core/pipeline/analysis/dependencies.h"

namespace cardfit {

/// An operation that another one waits for, and how many transfers, one after the other, come between the two.
struct Predecessor {
    OperationId operation;
    std::size_t transfers = 0;

    bool operator==(const Predecessor&) const = default;
};

/// A rank's operation before index `index`; nullopt if there is none.
[[nodiscard]] inline std::optional<OperationId> lastBefore(std::size_t rank, std::size_t index)
{
    if (index == 0) return std::nullopt;
    return OperationId{rank, index - 1};
}

/// A transfer that a rank takes part in between two of its operations.
struct Transfer {
    bool sent = false; ///< otherwise received
    bool gradient = false; ///< otherwise activations
    /// False between the last rank and the first one, whose values are sent without waiting for the receiver.
    bool blocks = true;
    OperationId producer; ///< of the value
    OperationId peer_point; ///< the other rank is ready before this operation, or at the end of its program
    double start = 0.0; ///< when both ranks are ready

    /// The other rank's last operation before the transfer; nullopt if the transfer comes before its first.
    [[nodiscard]] std::optional<OperationId> peerLast() const { return lastBefore(peer_point.rank, peer_point.index); }
};

/// Whether an operation starts when its inputs are complete: `start` equals `ready`, up to rounding.
[[nodiscard]] bool startsAt(const Timeline& timeline, double start, double ready);
/// The error if an operation starts at another time than its known inputs explain.
inline constexpr Phrase kUnknownTransfers =
    Sentence::tr("the timeline does not tell which transfers its ranks wait for");

/// Which operations and transfers an operation waits for, read from a timeline.
///
/// With blocking transfers a rank sends and receives only at its transfer points: the start and the end of its program,
/// and every gap between two operations that is at least one transfer long.
///
///     rank 0   F0 F1 | send F1 | B0 ...      no gap between F0 and F1: both results are sent after F1
///     rank 1         |  recv   | F0 F1 ...   the inputs of F0 and F1 were received before F0
///
/// So operations without a gap send all their results after the last of them, and receive all inputs before the first.
class BlockingTransfers {
public:
    explicit BlockingTransfers(const Dependencies& dependencies)
        : m_dependencies(dependencies)
        , m_timeline(dependencies.timeline())
    {
    }

    [[nodiscard]] const Timeline& timeline() const { return m_timeline; }

    /// The transfers of a rank right before its operation `index`; index == number of operations: at the end of the
    /// program. Empty with TransferModel::Latency. With Serialized the blocking ones take place in this order, and
    /// start later than `start` says: see SerializedTransfers.
    [[nodiscard]] std::vector<Transfer> transfersBefore(std::size_t rank, std::size_t index) const;

    /// The operations that an operation waits for: it starts when the last of them has ended and its transfers are
    /// done, or at 0 if there are none. The rank's own previous operation comes first. Not for Serialized, where
    /// transfers wait for each other.
    [[nodiscard]] std::vector<Predecessor> predecessors(OperationId id) const;

private:
    [[nodiscard]] bool isTransferPoint(std::size_t rank, std::size_t index) const;
    [[nodiscard]] std::size_t pointBefore(std::size_t rank, std::size_t index) const;
    [[nodiscard]] std::size_t pointAfter(std::size_t rank, std::size_t index) const;
    [[nodiscard]] bool blocks(std::size_t from, std::size_t to, bool gradient) const;
    [[nodiscard]] double endOf(const std::optional<OperationId>& id) const;
    [[nodiscard]] std::vector<Transfer> withoutStarts(std::size_t rank, std::size_t index) const;

    const Dependencies& m_dependencies;
    const Timeline& m_timeline;
};

} // namespace cardfit
