// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/pipeline/timeline/timeline.h"

namespace cardfit {

/// One operation of a timeline.
struct OperationId {
    std::size_t rank = 0;
    std::size_t index = 0; ///< into the rank's operations

    auto operator<=>(const OperationId&) const = default;
};

/// The operations that make the inputs of an operation, or that use its outputs; nullopt if there is no such value.
struct Counterparts {
    std::optional<OperationId> activations; ///< the forward pass of the stage before (inputs) or after (outputs)
    std::optional<OperationId> gradient; ///< the backward pass of the stage after (inputs) or before (outputs)
    std::optional<OperationId> kept; ///< on the same rank: F before B or I, I before W, B before U

    bool operator==(const Counterparts&) const = default;
};

/// Which operations of a timeline use the results of which others. The constructor takes time and memory for the stored
/// operations only; after that each call is a look-up. The timeline must outlive it.
class Dependencies {
public:
    explicit Dependencies(const Timeline& timeline);

    [[nodiscard]] const Timeline& timeline() const { return *m_timeline; }
    [[nodiscard]] std::size_t chunks() const { return m_chunks; }

    [[nodiscard]] Counterparts inputs(OperationId id) const;
    [[nodiscard]] Counterparts outputs(OperationId id) const;

private:
    enum class Role : std::uint8_t { Forward, Gradient, Weight, Update };
    static constexpr std::size_t kRoles = 4;

    /// A stored operation in one of its roles.
    struct Entry {
        std::uint32_t segment = 0;
        std::int32_t key = 0; ///< equal for the micro-batches that its repeats run on, and for no others
        std::int32_t microbatch = 0; ///< of the first repeat
        std::uint32_t position = 0; ///< in the segment
    };

    [[nodiscard]] static std::int32_t keyOf(const RankTimeline::Segment& segment, std::int32_t microbatch);
    [[nodiscard]] std::size_t lane(std::size_t rank, Role role, std::size_t chunk) const
    {
        return (rank * kRoles + static_cast<std::size_t>(role)) * m_chunks + chunk;
    }
    template <class Visit> void visitRoles(const Visit& visit) const;
    [[nodiscard]] std::optional<OperationId> find(std::size_t rank, Role role, Pass pass) const;
    /// The pass of the same micro-batch in the neighbouring stage, which `neighbours` gives.
    [[nodiscard]] std::optional<OperationId> find(
        const std::vector<std::optional<StagePlace>>& neighbours, std::size_t rank, Role role, Pass pass) const;

    const Timeline* m_timeline;
    std::size_t m_chunks = 1;
    std::vector<std::optional<StagePlace>> m_before; ///< stage before, by rank x chunks + chunk
    std::vector<std::optional<StagePlace>> m_after;
    std::vector<Entry> m_entries; ///< sorted by lane, segment and key
    std::vector<std::size_t> m_lanes; ///< start of each lane in m_entries, and the end
};

} // namespace cardfit
