// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/pipeline/dependencies.h"
#include "core/sentence.h"

namespace cardfit {

/// An operation does not start before another one has ended and then so many transfers, one after the other, are done.
struct Predecessor {
    OperationId operation;
    std::size_t transfers = 0;

    bool operator==(const Predecessor&) const = default;
};

/// A rank's operation before the one of an index; none: before its first one.
[[nodiscard]] inline std::optional<OperationId> lastBefore(std::size_t rank, std::size_t index)
{
    if (index == 0) return std::nullopt;
    return OperationId{rank, index - 1};
}

/// A value that travels between two operations of a rank, where transfers block.
struct Handover {
    bool sent = false; ///< otherwise received
    bool gradient = false; ///< otherwise activations
    bool blocks =
        true; ///< false: it is on its way from the last rank to the first, or back, where nobody waits for the other
    OperationId maker; ///< of the value
    OperationId there; ///< the other rank stands ready for it before this operation, or at its end
    double start = 0.0; ///< of the transfer: when both are ready

    /// The other rank's operation before it stands ready; none: before its first one.
    [[nodiscard]] std::optional<OperationId> peer() const { return lastBefore(there.rank, there.index); }
};

/// Whether an operation that starts then does so when what holds it back is over, give or take a rounding.
[[nodiscard]] bool startsAt(const Timeline& timeline, double start, double ready);
/// Why there is no answer where operations do not.
inline constexpr Phrase kUnknownTransfers =
    Sentence::tr("the timeline does not tell which transfers its ranks wait for");

/// What holds operations back, transfers included.
///
/// With blocking transfers a rank hands over and takes values where it stands still: between operations that follow
/// each other without a gap none crosses. So the values that operations in a row make leave after the last of them, and
/// those that they take have come before the first.
class Exchanges {
public:
    explicit Exchanges(const Dependencies& dependencies)
        : m_dependencies(dependencies)
        , m_timeline(dependencies.timeline())
    {
    }

    [[nodiscard]] const Timeline& timeline() const { return m_timeline; }

    /// Between the operation `index - 1` of a rank and the operation `index`; at both ends there is only one of them.
    /// None with TransferModel::Latency. With Serialized those that block take place in this order, and start later
    /// than is said here: see Turns.
    [[nodiscard]] std::vector<Handover> handovers(std::size_t rank, std::size_t index) const;

    /// What holds an operation back: it starts at the latest of their ends and transfers, or at 0 if there is none. The
    /// rank's own operation before comes first. Not with Serialized, where handovers wait for each other: see Turns.
    [[nodiscard]] std::vector<Predecessor> predecessors(OperationId id) const;

private:
    [[nodiscard]] bool standsBefore(std::size_t rank, std::size_t index) const;
    [[nodiscard]] std::size_t firstOfRun(std::size_t rank, std::size_t index) const;
    [[nodiscard]] std::size_t endOfRun(std::size_t rank, std::size_t index) const;
    [[nodiscard]] bool blocks(std::size_t from, std::size_t to, bool gradient) const;
    [[nodiscard]] double endOf(const std::optional<OperationId>& id) const;
    [[nodiscard]] std::vector<Handover> list(std::size_t rank, std::size_t index) const;

    const Dependencies& m_dependencies;
    const Timeline& m_timeline;
};

} // namespace cardfit
